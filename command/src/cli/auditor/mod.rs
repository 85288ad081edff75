//! What the commands of the auditor share: `audit`, `conform`, `stable`, `replay`, `plan` and `self-test`.
//!
//! Options that several of them take, the progress for whoever waits, and how an audit fails.

mod options;
mod progress;

pub use options::{
    ClaimOptions, DatasetOptions, Level, Limits, Named, PairOptions, Program, Seed, Shown, calls,
};
pub use progress::{Progress, Watched};

use crate::error::Error;
use dp_assay::number::OutOfRange;
use dp_assay_audit::refute::{AuditError, Field};
use dp_assay_audit::report::AuditReport;
use dp_assay_audit::targets::{Asked, Subprocess, meant_for_a_shell, words};

/// What the help of each command but `audit` ends with.
pub const SEE: &str = "\
How the program is asked, how datasets, domains and profiles are written, and what a report in JSON has: assay audit --help
";

/// What was noted of the program and its command.
pub fn notes(target: &Subprocess, command: &str) -> Vec<String> {
    let hint = words(command)
        .ok()
        .and_then(|words| meant_for_a_shell(&words));
    hint.into_iter().chain(target.notes()).collect()
}

/// The report on an audit that could not be carried out.
pub fn failed(
    question: String,
    command: &str,
    seed: Option<u64>,
    asked: Option<&Asked>,
    error: AuditError,
) -> Result<AuditReport, Error> {
    match error {
        // Whatever the target did wrong, it was not shown to be private, nor to have the law.
        AuditError::Target(error) => Ok(inconclusive(
            question,
            command,
            seed,
            asked,
            &error.to_string(),
        )),
        error => Err(could_not_run(error)),
    }
}

/// The report on an audit that concludes nothing, for this reason.
pub fn inconclusive(
    question: String,
    command: &str,
    seed: Option<u64>,
    asked: Option<&Asked>,
    reason: &str,
) -> AuditReport {
    AuditReport::inconclusive(question, command, reason, seed).after(asked)
}

/// An error that is not the target's, with the options as they are typed.
pub fn could_not_run(error: AuditError) -> Error {
    match error {
        AuditError::Question(field, wrong) => OutOfRange {
            parameter: option_of(field),
            ..wrong
        }
        .into(),
        error => Error::usage(error),
    }
}

/// The option that gives this field of a question.
const fn option_of(field: Field) -> &'static str {
    match field {
        Field::Claim => "the claim",
        Field::Epsilon => "--epsilon",
        Field::Delta => "--delta",
        Field::Rho => "--zcdp",
        Field::Order => "the order of --rdp",
        Field::EpsilonOfOrder => "the epsilon of --rdp",
        Field::Mu => "--gdp",
        Field::Profile => "--profile",
        Field::Level => "--alpha",
        Field::Calls => "--calls",
        Field::Family => "--power",
        Field::Domain => "--domain",
        Field::Law => "--law",
        Field::Centre => "--centre",
        Field::Grid => "the grid of --law",
    }
}
