//! The audit of the auditor, on mechanisms of known privacy.

use super::super::{Format, Outcome};
use super::arguments::Arguments;
use super::claim::as_json;
use super::examined::Examined;
use super::power::Measured;
use super::short;
use crate::error::Error;
use crate::output;
use crate::report::table::aligned;
use dp_assay::number::rational::to_scientific_below;
use dp_assay_audit::broken;
use dp_assay_audit::driver::{Question, Verdict, audit_pair};
use serde_json::json;

/// Audits the corpus: every violation should be proved, and no true claim refuted.
pub fn self_test(arguments: &Arguments) -> Result<Outcome, Error> {
    let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
    let corpus = broken::corpus().map_err(|error| usage(&error))?;
    let mut rows = Vec::new();
    let mut false_alarms = 0;
    let mut missed = Vec::new();
    let mut results = Vec::new();
    let mut least_seen = f64::INFINITY;
    for (number, specimen) in corpus.iter().enumerate() {
        let question = Question {
            epsilon: specimen.epsilon.clone(),
            delta: specimen.delta.clone(),
            level: arguments.alpha.clone(),
            calls: arguments.calls,
            until: arguments.until(),
            seed: arguments.seed.wrapping_add(number as u64),
        };
        let coins = dp_assay::coins::ChaCha::reproducible(arguments.seed, number as u64);
        let mut target = specimen.target(coins);
        let finding =
            audit_pair(&mut target, &specimen.pair, &question).map_err(|error| usage(&error))?;
        least_seen = least_seen.min(finding.undetectable_mass);
        let caught = finding.verdict == Verdict::Violation;
        if caught && !specimen.violates() {
            false_alarms += 1;
        }
        if !caught && specimen.violates() {
            missed.push(specimen.name);
        }
        let says = match (specimen.violates(), caught) {
            (true, true) => "caught",
            (true, false) => "missed",
            (false, false) => "not refuted",
            (false, true) => "FALSE ALARM",
        };
        let truth = if specimen.truth.epsilon.is_finite() {
            let least = if specimen.truth.exact { "" } else { ">" };
            format!("{least}{:.4}", specimen.truth.epsilon)
        } else {
            "infinite".to_owned()
        };
        let bound = finding
            .epsilon_lower
            .as_ref()
            .map_or("-".to_owned(), |bound| to_scientific_below(bound, 4));
        rows.push((
            specimen.name.to_owned(),
            format!(
                "{says:<12} claim {:<5} true {truth:<9} proved > {bound:<7} {:>7} calls {:>6.2} s",
                specimen.epsilon.to_string(),
                finding.calls,
                finding.seconds.as_secs_f64()
            ),
        ));
        results.push(json!({
            "name": specimen.name,
            "about": specimen.about,
            "violates": specimen.violates(),
            "caught": caught,
            "true_epsilon": specimen.truth.epsilon.is_finite().then_some(specimen.truth.epsilon),
            "true_epsilon_is_exact": specimen.truth.exact,
            "report": as_json(&Examined::alone(finding, Measured::NotAsked), &question),
        }));
    }
    let summary = format!(
        "{} mechanisms of known privacy: {false_alarms} false alarms, {} violations missed at {} calls{}",
        corpus.len(),
        missed.len(),
        arguments.calls,
        if missed.is_empty() {
            String::new()
        } else {
            format!(" ({})", missed.join(", "))
        }
    );
    let unseen = format!(
        "no audit of so many calls sees a leak of mass below {} with probability above 19/20",
        short(least_seen)
    );
    match arguments.format {
        Format::Json => output::print_json(
            &json!({ "corpus": results, "false_alarms": false_alarms, "missed": missed }),
        )?,
        Format::Table => output::print(&format!("{}\n{summary}\n{unseen}\n", aligned(&rows, "")))?,
    }
    Ok(if false_alarms == 0 {
        Outcome::AsExpected
    } else {
        Outcome::NotAsExpected
    })
}
