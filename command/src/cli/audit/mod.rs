//! `assay audit`: is a program as private as it is claimed to be?
//!
//! [`arguments`] are its options and [`datasets`] what they name; [`progress`] is for whoever waits. [`map`] asks of
//! transformations, with [`map_arguments`], and [`replay`] of recorded noise, with [`replay_arguments`]. [`plan`] writes
//! down what is counted elsewhere, with [`plan_arguments`].
//! [`dp_assay_audit::report`] prints the result.
//! [`self_test`] audits the auditor.

mod arguments;
mod datasets;
mod map;
mod map_arguments;
mod plan;
mod plan_arguments;
mod progress;
mod replay;
mod replay_arguments;
mod self_test;

pub use arguments::Arguments;

use super::{Format, Outcome};
use crate::audit_report;
use crate::error::Error;
use crate::output;
use crate::report_files::ReportFiles;
use crate::start_target::start_target;
use dp_assay::number::OutOfRange;
use dp_assay_audit::conform::{self, Law, Reference, WrittenError};
use dp_assay_audit::pairs::read_dataset;
use dp_assay_audit::refute::{AuditError, Claim, Family, NAMES, Phase, Question, examine};
use dp_assay_audit::report::{AuditReport, Conclusion, claim, law};
use dp_assay_audit::targets::{Asked, Settings, Subprocess, meant_for_a_shell, words};
use progress::{Progress, Watched};
use std::time::Duration;

/// Runs `assay audit`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    // First: also what is refused leaves no report of another run, and what cannot be written is refused before the work.
    let files = audit_report::files(arguments.report.as_deref(), &arguments.inputs())?;
    refuse_options_of_other_modes(arguments)?;
    if arguments.self_test.is_some() {
        return self_test::self_test(arguments);
    }
    if let Some(path) = &arguments.plans.plan {
        return plan::run(arguments, path);
    }
    let Some(command) = &arguments.target else {
        return Err(Error::Usage("--target is needed".to_owned()));
    };
    let claim = arguments.claim().map_err(Error::Usage)?;
    if arguments.law.is_none() && claim.is_none() && !arguments.maps.map {
        return Err(Error::Usage(
            "the claim is missing: give a claim of privacy (--epsilon E, or --zcdp, --rdp, --gdp, --profile), the law of the noise (--law LAW), or a claim of stability (--map)".to_owned(),
        ));
    }
    let report = match (&arguments.law, claim) {
        _ if arguments.maps.map => map::audit(arguments, command)?,
        (Some(law), _) => test_law(arguments, command, law)?,
        (None, Some(claim)) if arguments.replays.replay => {
            let (epsilon, delta) = claim.as_budget().ok_or_else(|| {
                Error::Usage(format!(
                    "--replay takes a claim of --epsilon and --delta, got that the program is {claim}"
                ))
            })?;
            replay::audit(arguments, command, epsilon, delta)?
        }
        (None, Some(claim)) => refute(arguments, command, claim)?,
        (None, None) => return Err(Error::Usage("a claim or --law is needed".to_owned())),
    };
    ended_with(&report, files, arguments.format, arguments.verbose)
}

/// The reader of the command line drops `requires` where what is required conflicts with an option that is given.
fn refuse_options_of_other_modes(arguments: &Arguments) -> Result<(), Error> {
    let (maps, plans) = (&arguments.maps, &arguments.plans);
    let replays = &arguments.replays;
    for (option, is_given, mode, is_on) in [
        ("--stability", maps.stability.is_some(), "--map", maps.map),
        ("--bound", maps.bound.is_some(), "--map", maps.map),
        (
            "--input-metric",
            maps.input_metric.is_some(),
            "--map",
            maps.map,
        ),
        (
            "--output-metric",
            maps.output_metric.is_some(),
            "--map",
            maps.map,
        ),
        ("--user", maps.user.is_some(), "--map", maps.map),
        ("--most-pairs", maps.most_pairs.is_some(), "--map", maps.map),
        ("--runs", replays.runs.is_some(), "--replay", replays.replay),
        (
            "--units",
            plans.units.is_some(),
            "--plan",
            plans.plan.is_some(),
        ),
        (
            "--unit-draws",
            plans.unit_draws.is_some(),
            "--plan",
            plans.plan.is_some(),
        ),
        ("--seeded", plans.seeded, "--plan", plans.plan.is_some()),
        (
            "--specimen",
            plans.specimen.is_some(),
            "--plan",
            plans.plan.is_some(),
        ),
    ] {
        if is_given && !is_on {
            return Err(Error::Usage(format!(
                "{option} belongs to {mode}, which is not given"
            )));
        }
    }
    Ok(())
}

/// Writes and prints a report: how the command ends.
pub(super) fn ended_with(
    report: &AuditReport,
    files: Option<ReportFiles>,
    format: Format,
    verbose: bool,
) -> Result<Outcome, Error> {
    if let Some(files) = files {
        files.write(&audit_report::texts(report)?)?;
    }
    match format {
        Format::Json => output::print_json(&report.json)?,
        Format::Table => output::print(&report.text(verbose))?,
    }
    Ok(match report.conclusion {
        Conclusion::NotRefuted => Outcome::AsExpected,
        Conclusion::Refuted => Outcome::NotAsExpected,
        Conclusion::Inconclusive => Outcome::Inconclusive,
    })
}

/// The families of these names; `all` names those that there are for the claim.
fn families(names: &[String], claim: &Claim) -> Result<Vec<Family>, Error> {
    let mut families = Vec::new();
    for name in names {
        let mut named = Family::read(name).ok_or_else(|| Error::option("--power", NAMES, name))?;
        if name == "all" {
            named.retain(|family| family.check(claim).is_ok());
        }
        for family in &named {
            family.check(claim).map_err(could_not_run)?;
        }
        families.extend(named);
    }
    Ok(families)
}

/// Starts the program. It ends with this command, also if that is interrupted.
fn start(arguments: &Arguments, command: &str) -> Result<Subprocess, Error> {
    let settings = Settings {
        reply: arguments.reply,
        deadline: Duration::from_secs(arguments.deadline),
        grace: Duration::from_secs(arguments.grace),
    };
    start_target(command, settings)
}

/// What was noted of the program and its command.
fn notes(target: &Subprocess, command: &str) -> Vec<String> {
    let hint = words(command)
        .ok()
        .and_then(|words| meant_for_a_shell(&words));
    hint.into_iter().chain(target.notes()).collect()
}

/// The report on an audit that could not be carried out.
fn failed(
    question: String,
    command: &str,
    seed: Option<u64>,
    asked: Option<&Asked>,
    error: AuditError,
) -> Result<AuditReport, Error> {
    match error {
        // Whatever the target did wrong, it was not shown to be private, nor to have the law.
        AuditError::Target(error) => {
            let report = AuditReport::inconclusive(question, command, &error.to_string(), seed);
            Ok(report.after(asked))
        }
        error => Err(could_not_run(error)),
    }
}

/// The report on an audit that concludes nothing and has no bound on epsilon to give.
fn failed_without_bound(
    question: String,
    command: &str,
    seed: u64,
    asked: Option<&Asked>,
    reason: &str,
) -> AuditReport {
    let report = AuditReport::inconclusive(question, command, reason, Some(seed));
    report.after(asked)
}

/// An error that is not the target's, with the options as they are typed.
fn could_not_run(error: AuditError) -> Error {
    match error {
        AuditError::Question(wrong) => {
            let parameter = match wrong.parameter {
                "epsilon" => "--epsilon",
                "delta" => "--delta",
                "rho" => "--zcdp",
                "the order alpha" => "the order of --rdp",
                "the epsilon of the order alpha" => "the epsilon of --rdp",
                "mu" => "--gdp",
                "the profile" => "--profile",
                "the family" => "--power",
                "the level" => "--alpha",
                "the number of calls" => "--calls",
                "the domain" => "--domain",
                "the centre" | "centre" => "--centre",
                "grid" => "the grid of --law",
                other => other,
            };
            OutOfRange { parameter, ..wrong }.into()
        }
        error => Error::Usage(error.to_string()),
    }
}

/// Is the claim false?
fn refute(arguments: &Arguments, command: &str, claim: Claim) -> Result<AuditReport, Error> {
    let question = Question {
        claim,
        level: arguments.alpha.clone(),
        calls: arguments.calls,
        until: arguments.until(),
        shrink: !arguments.no_shrink,
        seed: arguments.seed,
    };
    question.check().map_err(could_not_run)?;
    let families = families(&arguments.power, &question.claim)?;
    let datasets = datasets::read(arguments)?;
    let mut target = start(arguments, command)?;
    let progress = Progress::new();
    let mut watched = Watched {
        target: &mut target,
        progress: &progress,
    };
    let tell = |phase| progress.begin(phase);
    let result = examine(&mut watched, &datasets, &question, &families, &tell);
    let report = match result {
        Ok(found) => claim::report(&found, &question, command),
        Err(error) => failed(
            format!("the program is {}", question.claim),
            command,
            Some(question.seed),
            target.asked(),
            error,
        )?
        .asking(claim::asked(&question, &datasets)),
    };
    Ok(report.noting(notes(&target, command)))
}

/// A text that names no law.
fn no_law(error: WrittenError) -> Error {
    match error {
        WrittenError::Integers(error) => error.into(),
        error => Error::Usage(error.to_string()),
    }
}

/// Does its noise have the law?
fn test_law(arguments: &Arguments, command: &str, law: &str) -> Result<AuditReport, Error> {
    let reference = Reference {
        law: law.parse::<Law>().map_err(no_law)?,
        centre: arguments.centre.clone().unwrap_or_default(),
        level: arguments.alpha.clone(),
        calls: arguments.calls,
    };
    let data = match &arguments.data {
        None => serde_json::Value::Null,
        Some(path) => read_dataset(path).map_err(|error| Error::Usage(error.to_string()))?,
    };
    reference.check().map_err(could_not_run)?;
    let mut target = start(arguments, command)?;
    let progress = Progress::new();
    progress.begin(Phase::Auditing {
        most: reference.calls,
    });
    let mut watched = Watched {
        target: &mut target,
        progress: &progress,
    };
    let result = conform::examine(&mut watched, &data, &reference);
    let report = match result {
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
