//! `assay conform`: has the noise of a program the law that it is said to have?

use super::Outcome;
use super::auditor::{Program, Progress, SEE, Shown, Watched, calls, could_not_run, failed, notes};
use crate::error::Error;
use crate::options::number;
use clap::Args;
use dp_assay::number::Rational;
use dp_assay_audit::conform::{Law, Reference, WrittenError, examine};
use dp_assay_audit::pairs::read_dataset;
use dp_assay_audit::refute::Phase;
use dp_assay_audit::report::{AuditReport, law};
use dp_assay_audit::targets::Reply;
use serde_json::Value;
use std::path::PathBuf;

/// How a law is written.
const FORMATS: &str = r#"A LAW
  discrete-laplace scale=2       P(k) is proportional to exp(-|k| / scale)
  discrete-gaussian variance=4   to exp(-k^2 / (2 variance))
  geometric rate=1/2             to exp(-rate k), for k of at least 0
  truncated-discrete-laplace scale=2 bound=10
                                 the first, from -bound to bound
  skellam variance=4             of two Poisson numbers of half that mean, their
                                 difference
  difference first=geometric:rate:1/2 second=geometric:rate:1/3
                                 of two draws, which are independent; also sum
  Scales, variances and rates are above 0. `assay truth` prints their
  probabilities.
  Or noise of the real line, with a grid:
  laplace scale=1 grid=1/100                the density is in proportion to
                                            exp(-|x| / scale)
  gaussian variance=4 grid=1/100            to exp(-x^2 / (2 variance))
  staircase epsilon=1 sensitivity=1 gamma=1/3 grid=1/100
                                            to exp(-k epsilon), where k rises by
                                            1 at |x| = gamma sensitivity, at
                                            sensitivity, and so on with period
                                            sensitivity
  Outputs are numbers, told apart by the multiple of the grid that is nearest to
  them, less the centre; nothing is said of their lower digits. If they are
  rounded to multiples of the grid after the noise was added, say how:
  laplace scale=1 grid=1/100 rounded=nearest     halves away from zero
                             rounded=down        to minus infinity
                             rounded=toward-zero
  Then what is no multiple disproves the law. A double is taken for a multiple
  if it misses it by a part 2^-50 at most, as a few roundings do; -0.0 is none.
  Scale or deviation is from 2^-10 to 2^30 steps of the grid, and the centre at
  most 2^30.

"#;

/// Ask of a program whether its noise has a law: prove that it has another one, or say how much would have been missed.
///
/// Not to conform is not the same as not to be private. Exit status: 0 not refuted, 1 another law proved, 2 could not run,
/// 3 inconclusive.
#[derive(Debug, Args)]
#[command(after_long_help = [FORMATS, SEE].concat())]
pub struct Arguments {
    #[command(flatten)]
    program: Program,
    /// How the program answers
    #[arg(long, value_enum, default_value = "lines")]
    reply: Reply,
    /// The law of the numbers that the program answers, less the centre: discrete-laplace scale=S,
    /// discrete-gaussian variance=V, geometric rate=R, truncated-discrete-laplace, skellam, sum or difference, or laplace, gaussian or staircase on a grid (see A LAW below)
    #[arg(long, value_name = "LAW")]
    law: String,
    /// A JSON file, the dataset; without it: null
    #[arg(long, value_name = "DATA.json")]
    data: Option<PathBuf>,
    /// The answer of the program on this dataset if it had no noise
    #[arg(long, value_name = "K", default_value = "0", value_parser = number, allow_hyphen_values = true)]
    centre: Rational,
    /// The most calls
    #[arg(long, value_name = "N", default_value = "200000", value_parser = calls, allow_hyphen_values = true)]
    calls: u64,
    /// The probability with which a program whose noise has the law may be said to have another one
    #[arg(long, value_name = "ALPHA", default_value = "1/1000", value_parser = number, allow_hyphen_values = true)]
    alpha: Rational,
    #[command(flatten)]
    shown: Shown,
}

/// Runs `assay conform`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let files = arguments
        .shown
        .files(arguments.data.as_deref().into_iter())?;
    let report = test(arguments)?;
    arguments.shown.end(&report, files)
}

/// Does its noise have the law?
fn test(arguments: &Arguments) -> Result<AuditReport, Error> {
    let reference = Reference {
        law: arguments.law.parse::<Law>().map_err(no_law)?,
        centre: arguments.centre.clone(),
        level: arguments.alpha.clone(),
        calls: arguments.calls,
    };
    let data = match &arguments.data {
        None => Value::Null,
        Some(path) => read_dataset(path).map_err(Error::usage)?,
    };
    reference.check().map_err(could_not_run)?;
    let command = &arguments.program.target;
    let mut target = arguments.program.start(arguments.reply)?;
    let progress = Progress::new();
    progress.begin(Phase::Auditing {
        most: reference.calls,
    });
    let mut watched = Watched {
        target: &mut target,
        progress: &progress,
    };
    let report = match examine(&mut watched, &data, &reference) {
        Ok(found) => law::report(&found, &reference, command),
        Err(error) => failed(
            format!("the noise is {} around {}", reference.law, reference.centre),
            command,
            None,
            target.asked(),
            error,
        )?,
    };
    Ok(report.noting(notes(&target, command)))
}

/// A text that names no law.
fn no_law(error: WrittenError) -> Error {
    match error {
        WrittenError::Integers(error) => error.into(),
        error => Error::usage(error),
    }
}
