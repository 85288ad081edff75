//! The ledger as JUnit XML: one suite a paper, one case a claim.
//!
//! A case passes when the claim is as expected (a refuted claim that `spec/` says is refuted passes),
//! fails when it is not, is an error when the check could not be run, and is skipped when it is open
//! as expected.

use super::{arithmetic, named_figures};
use crate::error::Error;
use dp_assay_ledger::claim::{Effort, Status};
use dp_assay_ledger::{Ledger, Recheck};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::io;

/// The whole ledger.
pub fn render(ledger: &Ledger) -> Result<String, Error> {
    let mut report = Report::new("assay verify");
    let mut suites: Vec<TestSuite> = Vec::new();
    for recheck in &ledger.rechecks {
        let case = case(recheck, &ledger.effort);
        let paper = recheck.claim.paper;
        match suites.iter_mut().find(|suite| suite.name.as_str() == paper) {
            Some(suite) => {
                suite.add_test_case(case);
            }
            None => {
                let mut suite = TestSuite::new(paper);
                suite.add_property(("arithmetic", arithmetic()));
                suite.add_test_case(case);
                suites.push(suite);
            }
        }
    }
    report.add_test_suites(suites);
    report
        .to_string()
        .map_err(|error| Error::Print(io::Error::other(error)))
}

fn case(recheck: &Recheck, effort: &Effort) -> TestCase {
    let claim = &recheck.claim;
    let mut text = format!("{}\n", claim.statement);
    let status = match &recheck.result {
        Err(error) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(error);
            status
        }
        Ok(evidence) => {
            text += &format!(
                "{} by {}: {}\n",
                evidence.status(),
                evidence.method(),
                evidence.scope()
            );
            for (name, value) in named_figures(evidence) {
                text += &format!("{name} = {value}\n");
            }
            if !recheck.as_expected() {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(format!(
                    "{}, but expected {}{}",
                    evidence.status(),
                    claim.expected,
                    evidence
                        .failure()
                        .map_or(String::new(), |failure| format!("; {failure}"))
                ));
                status
            } else if evidence.status() == Status::Open {
                let mut status = TestCaseStatus::skipped();
                status.set_message(evidence.scope());
                status
            } else {
                TestCaseStatus::success()
            }
        }
    };
    text += &format!("replay: {}\n", recheck.replay(effort));
    let mut case = TestCase::new(claim.id.as_str(), status);
    case.set_classname(format!("{} {}", claim.paper, claim.item));
    case.set_system_out(text);
    case
}
