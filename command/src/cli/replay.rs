//! `assay replay`: does the noise that a program records hide what it is claimed to hide?

use super::Outcome;
use super::auditor::{Level, PairOptions, Program, SEE, Shown, inconclusive, notes};
use crate::error::Error;
use crate::options::{number, whole_in};
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::range::{above_zero, above_zero_below_one, at_least_zero};
use dp_assay_audit::replay::{Claim, examine};
use dp_assay_audit::report::{AuditReport, replay};
use dp_assay_audit::targets::{Asked, Reply, Target};
use num_traits::Zero;

/// How noise is recorded.
const FORMATS: &str = r#"RECORDED NOISE
  The program records its noise, and repeats a run on the other dataset with
  the same noisy values. What the noise tells of the datasets is
  computed by its laws; what differs beside it is a leak. One run of each may be
  a proof. The verdict is of a kind of its own, and the report says what it
  assumes.
  audit/targets/python/recorder.py records numpy's and random's Laplace and
  Gaussian noise, differences of numpy's geometric draws, and other noise that
  is drawn through it. In other languages:
    {"op": "record", "data": [0, 1]}   run, keep the noise, and answer one line
    {"op": "replay", "data": [0, 0]}   run with the noisy values that were kept
  The line is
    {"output": …, "draws": [{"law": "laplace", "scale": 2, "value": 1,
      "released": "0x1.8p+0", "otherwise_used": false}, …]}
  with the law (laplace, gaussian, discrete-laplace, discrete-gaussian, or
  anything else for other randomness), the value under the noise and the noisy
  value, for each draw.

"#;

/// Judge the noise that a program records: does it hide what it is claimed to hide?
///
/// Needs a program that can repeat a run with the same noisy values (see RECORDED NOISE below). Exit status: 0 not refuted,
/// 1 violation proved, given the recorded noise, 2 could not run, 3 inconclusive.
#[derive(Debug, Args)]
#[command(after_long_help = [FORMATS, SEE].concat())]
pub struct Arguments {
    #[command(flatten)]
    program: Program,
    /// The claimed epsilon, above 0
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    epsilon: Rational,
    /// The claimed delta, at least 0 and below 1
    #[arg(long, value_name = "D", default_value = "0", value_parser = number, allow_hyphen_values = true)]
    delta: Rational,
    #[command(flatten)]
    pair: PairOptions,
    /// The most runs that are recorded
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole_in::<u64>(1..=100_000), allow_hyphen_values = true)]
    runs: u64,
    #[command(flatten)]
    level: Level,
    #[command(flatten)]
    shown: Shown,
}

/// Runs `assay replay`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let files = arguments.shown.files(arguments.pair.inputs())?;
    let report = audit(arguments)?;
    arguments.shown.end(&report, files)
}

/// What is claimed, and how much may be spent on it.
fn claim(arguments: &Arguments) -> Result<Claim, Error> {
    above_zero("--epsilon", &arguments.epsilon)?;
    at_least_zero("--delta", &arguments.delta)?;
    above_zero_below_one("--alpha", &arguments.level.alpha)?;
    if !arguments.delta.is_zero() {
        above_zero_below_one("--delta", &arguments.delta)?;
    }
    Ok(Claim {
        epsilon: arguments.epsilon.clone(),
        delta: arguments.delta.clone(),
        level: arguments.level.alpha.clone(),
        runs: arguments.runs,
    })
}

fn audit(arguments: &Arguments) -> Result<AuditReport, Error> {
    let claim = claim(arguments)?;
    let pair = arguments.pair.neighbouring()?;
    let command = &arguments.program.target;
    let mut target = arguments.program.start(Reply::Lines)?;
    let failed = |reason: &str, asked: Option<&Asked>| {
        // The auditor tosses no coins of its own.
        inconclusive(replay::question(&claim), command, None, asked, reason)
            .asking(replay::asked(&claim))
    };
    let mut said = Vec::new();
    let report = match examine(&mut target, &pair, &claim) {
        Err(error) => failed(&error.to_string(), target.asked()),
        Ok(found) => match target.finish() {
            Err(error) if !found.violated || error.makes_answers_doubtful() => {
                failed(&error.to_string(), target.asked())
            }
            ended => {
                let error = ended.err();
                said.extend(
                    error.map(|error| format!("after the proof the program failed: {error}")),
                );
                replay::report(&found, &claim, command)
            }
        },
    };
    said.extend(notes(&target, command));
    Ok(report.noting(said))
}
