//! `assay audit --replay`: does the noise that a program records hide what it is claimed to hide?

use super::{Arguments, failed_without_bound, notes, start};
use crate::error::Error;
use dp_assay::number::Rational;
use dp_assay::number::range::{above_zero, above_zero_below_one, at_least_zero};
use dp_assay_audit::pairs::{Pair, PairError};
use dp_assay_audit::replay::{Claim, examine};
use dp_assay_audit::report::{AuditReport, replay};
use dp_assay_audit::targets::{Reply, Target};
use num_traits::Zero;

/// The most runs, unless --runs says otherwise.
const RUNS: u64 = 20;

/// Audits it.
pub(super) fn audit(
    arguments: &Arguments,
    command: &str,
    epsilon: &Rational,
    delta: &Rational,
) -> Result<AuditReport, Error> {
    let [first, second] = &arguments.pair[..] else {
        return Err(Error::Usage(
            "--replay needs two datasets: give --pair A.json,B.json".to_owned(),
        ));
    };
    if arguments.reply != Reply::Lines {
        return Err(Error::Usage("--replay needs --reply lines".to_owned()));
    }
    above_zero("--epsilon", epsilon)?;
    at_least_zero("--delta", delta)?;
    above_zero_below_one("--alpha", &arguments.alpha)?;
    if !delta.is_zero() {
        above_zero_below_one("--delta", delta)?;
    }
    let usage = |error: PairError| Error::Usage(error.to_string());
    let pair = Pair::read(first, second).map_err(usage)?;
    match arguments.neighbours.relation() {
        Some(relation) => {
            pair.check(relation).map_err(usage)?;
        }
        None if pair.0 == pair.1 => return Err(usage(PairError::Equal)),
        None => {}
    }
    let claim = Claim {
        epsilon: epsilon.clone(),
        delta: delta.clone(),
        level: arguments.alpha.clone(),
        runs: arguments.replays.runs.unwrap_or(RUNS),
    };
    let mut target = start(arguments, command)?;
    let failed = |reason: &str, asked: Option<&dp_assay_audit::targets::Asked>| {
        let question = replay::question(&claim);
        failed_without_bound(question, command, arguments.seed, asked, reason)
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
