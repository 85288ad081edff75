//! `assay audit`: is a program as private as it is claimed to be?
//!
//! [`arguments`] are its options and [`source`] its datasets. What is [`examined`] is told by [`claim`] or [`law`] (with
//! [`beliefs`], [`repetition`] and [`power`]), as one [`AuditReport`] for all forms. [`self_test`] audits the auditor.

mod arguments;
mod beliefs;
mod claim;
mod examined;
mod law;
mod power;
mod repetition;
mod self_test;
mod source;

pub use arguments::Arguments;

use super::{Format, Outcome};
use crate::error::Error;
use crate::output;
use crate::report::audit::{AuditReport, ReportFiles};
use arguments::ReplyKind;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::Rational;
use dp_assay::number::rational::{from_f64, shortly, to_scientific};
use dp_assay_audit::conform::{Reference, audit_law};
use dp_assay_audit::pairs::read_dataset;
use dp_assay_audit::refute::Family;
use dp_assay_audit::refute::{
    AuditError, Question, Verdict, audit_pair, search_pair, shrink_violation,
};
use dp_assay_audit::targets::{
    Asked, Heard, Reply, Settings, Subprocess, Target, TargetError, check_repeats,
    meant_for_a_shell, words,
};
use examined::{Counted, Examined, Origin, Shrinking};
use num_bigint::BigInt;
use source::Source;
use std::time::{Duration, Instant};

/// Runs `assay audit`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    if arguments.self_test.is_some() {
        return self_test::self_test(arguments);
    }
    let Some(command) = &arguments.target else {
        return Err(Error::Usage("--target is needed".to_owned()));
    };
    if arguments.law.is_none() && arguments.epsilon.is_none() {
        return Err(Error::Usage(
            "the claim is missing: give --epsilon E, to refute that the program is so private, or --law LAW, to refute that its noise is so".to_owned(),
        ));
    }
    // What cannot be written is refused before the work.
    let files = arguments
        .report
        .as_deref()
        .map(ReportFiles::new)
        .transpose()?;
    let report = match (&arguments.law, &arguments.epsilon) {
        (Some(law), _) => conform(arguments, command, law)?,
        (None, Some(epsilon)) => refute(arguments, command, epsilon)?,
        (None, None) => return Err(Error::Usage("--epsilon or --law is needed".to_owned())),
    };
    if let Some(files) = files {
        files.write(&report)?;
    }
    match arguments.format {
        Format::Json => output::print_json(&report.json)?,
        Format::Table => output::print(&report.text())?,
    }
    Ok(report.outcome)
}

/// Starts the program. It ends with this command, also if that is interrupted.
fn start(arguments: &Arguments, command: &str) -> Result<Subprocess, Error> {
    #[cfg(unix)]
    dp_assay_audit::targets::kill_targets_on_signals()
        .map_err(|error| Error::Usage(format!("cannot listen for signals: {error}")))?;
    let settings = Settings {
        reply: match arguments.reply {
            ReplyKind::Lines => Reply::Lines,
            ReplyKind::F64le => Reply::F64le,
        },
        deadline: Duration::from_secs(arguments.deadline),
        ..Settings::default()
    };
    let words = words(command).map_err(|error| Error::Usage(error.to_string()))?;
    Subprocess::start(&words, settings).map_err(|error| {
        let hint = meant_for_a_shell(&words).map_or(String::new(), |hint| format!("; {hint}"));
        Error::Usage(format!("{error}{hint}"))
    })
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

/// An error that is not the target's, with the options as they are typed.
fn could_not_run(error: AuditError) -> Error {
    match error {
        AuditError::Question {
            field,
            expected,
            value,
        } => {
            let option = match field {
                "epsilon" => "--epsilon",
                "delta" => "--delta",
                "the level" => "--alpha",
                "the number of calls" => "--calls",
                "the domain" => "--domain",
                other => other,
            };
            Error::option(option, expected, value)
        }
        error => Error::Usage(error.to_string()),
    }
}

/// Is the claim false?
fn refute(arguments: &Arguments, command: &str, epsilon: &Rational) -> Result<AuditReport, Error> {
    let question = Question {
        epsilon: epsilon.clone(),
        delta: arguments.delta.clone(),
        level: arguments.alpha.clone(),
        calls: arguments.calls,
        until: arguments.until(),
        seed: arguments.seed,
    };
    question.check().map_err(could_not_run)?;
    let families = power::families(arguments)?;
    let source = Source::read(arguments)?;
    let mut target = start(arguments, command)?;
    let mut heard = Heard::new(&mut target);
    let result = examine(
        &mut heard,
        &source,
        &question,
        arguments.no_shrink,
        &families,
    );
    let beliefs = heard.said();
    let result = result.and_then(|found| {
        // One that failed in the shrinking has ended already.
        if !found.ended_early() {
            target.finish()?;
        }
        Ok(Examined { beliefs, ..found })
    });
    let report = match result {
        Ok(found) => claim::report(&found, &question, command),
        Err(error) => failed(
            format!(
                "the program is ({epsilon}, {})-private",
                shortly(&question.delta)
            ),
            command,
            Some(question.seed),
            target.asked(),
            error,
        )?
        .asking(claim::asked(&question, &source)),
    };
    Ok(report.noting(notes(&target, command)))
}

/// Searches a pair if none is given, checks that the program does not repeat itself on it, audits it, measures the power of that, and shrinks what was found.
///
/// What was proved before the shrinking stays proved if the program fails in it: a program may refuse smaller
/// datasets. Unless it answered more than it was asked for: then answers may have been taken for those of others.
fn examine(
    target: &mut dyn Target,
    source: &Source,
    question: &Question,
    no_shrink: bool,
    families: &[Family],
) -> Result<Examined, AuditError> {
    // Half of the level for the finding, and half for all proofs of the shrinking together.
    let half = Question {
        level: &question.level / BigInt::from(2),
        ..question.clone()
    };
    let question = if no_shrink { question } else { &half };
    let (pair, searched) = match source {
        Source::Given(pair, _) => (pair.clone(), None),
        Source::Searched(domain) => {
            let searched = search_pair(target, domain, question)?;
            (searched.pair.clone(), Some((domain.clone(), searched)))
        }
    };
    let origin = Origin {
        relation: source.relation(),
        searched,
    };
    let repetition = check_repeats(target, &[&pair.0, &pair.1], question.calls)?;
    let found = audit_pair(target, &pair, question)?;
    if let (Verdict::NotRefuted, Some(error)) = (found.verdict, found.answers.only_error()) {
        let error = claim::cut(format!("{error:?}"));
        return Err(TargetError::NothingButErrors { error }.into());
    }
    // At the level that the finding had, and with its calls.
    let power = power::measure(families, &found, question)?;
    if no_shrink || found.verdict != Verdict::Violation {
        return Ok(Examined {
            repetition: Some(repetition),
            ..Examined::alone(origin, found, power)
        });
    }
    output::progress("a violation is proved; now a smaller witness is looked for");
    let start = Instant::now();
    let mut counted = Counted::new(target);
    let shrunk = shrink_violation(
        &mut counted,
        &found,
        source.relation(),
        source.domain(),
        question,
    );
    let (smaller, error) = match shrunk {
        Ok(smallest) => {
            let same = smallest.pair == found.pair && smallest.event == found.event;
            ((!same).then_some(smallest), None)
        }
        Err(AuditError::Target(error)) if !matches!(error, TargetError::Flood { .. }) => {
            (None, Some(error))
        }
        Err(error) => return Err(error),
    };
    let shrinking = Shrinking {
        smaller,
        error,
        calls: counted.answers,
        seconds: start.elapsed(),
    };
    Ok(Examined {
        shrinking: Some(shrinking),
        repetition: Some(repetition),
        ..Examined::alone(origin, found, power)
    })
}

/// Checks that the program does not repeat itself. Does its noise have the law?
fn conform(arguments: &Arguments, command: &str, law: &str) -> Result<AuditReport, Error> {
    let reference = Reference {
        law: law.parse::<NamedLaw>()?,
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
    let result = match check_repeats(&mut target, &[&data], reference.calls) {
        Ok(repetition) => {
            audit_law(&mut target, &data, &reference).map(|found| (found, repetition))
        }
        Err(error) => Err(AuditError::Target(error)),
    };
    let report = match result.and_then(|found| Ok(target.finish().map(|()| found)?)) {
        Ok((found, repetition)) => law::report(&found, &repetition, &reference, command),
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

/// A float that is only printed, in four digits.
fn short(value: f64) -> String {
    from_f64(value).map_or_else(|error| error.to_string(), |exact| to_scientific(&exact, 3))
}
