//! The ledger as JUnit XML: one suite a paper, one case a claim.
//!
//! A case passes when the claim is as expected (a refuted claim that `spec/` says is refuted passes),
//! fails when it is not, is an error when the check could not be run, and is skipped when it is open
//! as expected.

use super::times::{Times, UNIT};
use super::{arithmetic, named_figures};
use crate::error::Error;
use crate::junit::{Case, Status as Outcome, Suite, document};
use dp_assay_ledger::claim::Status;
use dp_assay_ledger::{Ledger, Recheck};

/// The whole ledger, and how long each claim took.
pub fn render(ledger: &Ledger, times: &Times) -> Result<String, Error> {
    let mut suites: Vec<Suite> = Vec::new();
    for recheck in &ledger.rechecks {
        let case = case(ledger, recheck, times);
        let paper = recheck.claim.paper;
        match suites.iter_mut().find(|suite| suite.name == paper) {
            Some(suite) => suite.cases.push(case),
            None => suites.push(Suite {
                name: paper.to_owned(),
                properties: vec![("arithmetic", arithmetic()), ("time", UNIT)],
                cases: vec![case],
            }),
        }
    }
    document("assay verify", &suites)
}

fn case(ledger: &Ledger, recheck: &Recheck, times: &Times) -> Case {
    let claim = &recheck.claim;
    let mut text = format!("{}\n", claim.statement);
    let status = match &recheck.result {
        Err(error) => Outcome::Error(error.clone()),
        Ok(evidence) => {
            text += &format!(
                "{} ({}), by {}: {}\nproof: {}\n",
                ledger.shown(recheck),
                claim.version,
                evidence.method(),
                evidence.scope(),
                ledger.shown_proof(recheck)
            );
            for (name, value) in named_figures(evidence) {
                text += &format!("{name} = {value}\n");
            }
            if !recheck.as_expected() {
                Outcome::Failed(format!(
                    "{}, but expected {}{}",
                    evidence.status(),
                    claim.expected,
                    evidence
                        .failure()
                        .map_or(String::new(), |failure| format!("; {failure}"))
                ))
            } else if evidence.status() == Status::Open {
                Outcome::Skipped(evidence.scope())
            } else {
                Outcome::Passed
            }
        }
    };
    text += &format!("replay: {}\n", recheck.replay(&ledger.effort));
    Case {
        name: claim.id.clone(),
        class: format!("{} {}", claim.paper, claim.item),
        status,
        time: times.of(&claim.id),
        text,
    }
}
