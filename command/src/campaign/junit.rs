//! A campaign as JUnit XML: one suite a library, one case a mechanism.
//!
//! A case fails when it is not as expected, and is an error when it could not run.

use super::record::{Judgement, Record};
use super::table::libraries;
use crate::error::Error;
use crate::junit::{Case, Status, Suite, document};
use crate::output::printable;
use std::time::Duration;

/// The whole campaign.
pub fn render(records: &[Record]) -> Result<String, Error> {
    let suites = libraries(records).into_iter().map(|library| Suite {
        name: library.to_owned(),
        properties: Vec::new(),
        cases: records
            .iter()
            .filter(|record| record.library == library)
            .map(case)
            .collect(),
    });
    document("assay campaign", &suites.collect::<Vec<_>>())
}

fn case(record: &Record) -> Case {
    let reason = || printable(&record.reason).into_owned();
    let status = match record.judgement {
        Judgement::AsExpected => Status::Passed,
        Judgement::CouldNotRun => Status::Error(reason()),
        _ => Status::Failed(reason()),
    };
    let why = record
        .expected
        .as_ref()
        .map_or("", |expected| &expected.why);
    let mut text = format!(
        "claim: {}\nwhy: {}\n",
        printable(&record.claim),
        printable(why)
    );
    for (name, value) in [("found", &record.verdict), ("event", &record.event)] {
        if let Some(value) = value {
            text += &format!("{name}: {}\n", printable(value));
        }
    }
    if !record.replay.is_empty() {
        text += &format!("replay: {}\n", printable(&record.replay));
    }
    Case {
        name: record.name.clone(),
        class: record.library.clone(),
        status,
        time: Duration::try_from_secs_f64(record.seconds).ok(),
        text,
    }
}
