//! A campaign as JUnit XML: one suite a library, one case a mechanism.
//!
//! A case fails when it is not as expected, and is an error when it could not run.

use super::record::{Judgement, Record};
use super::table::libraries;
use crate::error::Error;
use crate::output::printable;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::io;
use std::time::Duration;

/// The whole campaign.
pub fn render(records: &[Record]) -> Result<String, Error> {
    let mut report = Report::new("assay campaign");
    for library in libraries(records) {
        let mut suite = TestSuite::new(library);
        let of_it = records.iter().filter(|record| record.library == library);
        suite.add_test_cases(of_it.map(case));
        report.add_test_suite(suite);
    }
    report
        .to_string()
        .map_err(|error| Error::Print(io::Error::other(error)))
}

fn case(record: &Record) -> TestCase {
    let failed = |kind: NonSuccessKind| {
        let mut status = TestCaseStatus::non_success(kind);
        status.set_message(printable(&record.reason));
        status
    };
    let status = match record.judgement {
        Judgement::AsExpected => TestCaseStatus::success(),
        Judgement::CouldNotRun => failed(NonSuccessKind::Error),
        _ => failed(NonSuccessKind::Failure),
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
    let mut case = TestCase::new(record.name.as_str(), status);
    case.set_classname(record.library.as_str());
    case.set_time(Duration::try_from_secs_f64(record.seconds).unwrap_or_default());
    case.set_system_out(text);
    case
}
