//! The report on a claim: is the program as private as that?

use super::super::Outcome;
use super::power::Measured;
use super::{beliefs, short};
use crate::report::audit::{AuditReport, Rows};
use dp_assay::number::Rational;
use dp_assay::number::rational::{to_scientific, to_scientific_below};
use dp_assay_audit::driver::{Finding, Method, Question, Verdict};
use serde_json::json;

/// The report.
pub fn report(
    finding: &Finding,
    question: &Question,
    power: &Measured,
    target: &str,
) -> AuditReport {
    let row = |name: &str, value: String| (name.to_owned(), value);
    AuditReport {
        outcome: match finding.verdict {
            Verdict::Violation => Outcome::NotAsExpected,
            Verdict::NotRefuted => Outcome::AsExpected,
        },
        target: target.to_owned(),
        question: format!(
            "the program is ({}, {})-private",
            question.epsilon, question.delta
        ),
        says: says(finding, question),
        rows: rows(finding, question, power),
        details: vec![
            row("level", question.level.to_string()),
            row("seed", question.seed.to_string()),
        ],
        json: as_json(finding, question, power),
    }
}

/// For programs.
pub fn as_json(finding: &Finding, question: &Question, power: &Measured) -> serde_json::Value {
    json!({
        "verdict": finding.verdict,
        "epsilon": question.epsilon.to_string(),
        "delta": question.delta.to_string(),
        "epsilon_lower": finding.epsilon_lower.as_ref().map(|bound| to_scientific_below(bound, 6)),
        "delta_lower": finding.delta_lower,
        "confidence": to_scientific(&(Rational::from_integer(1.into()) - &question.level), 4),
        "method": finding.method,
        "calls": finding.calls,
        "seconds": finding.seconds.as_secs_f64(),
        "pair": [finding.pair.0, finding.pair.1],
        "event": finding.event.to_string(),
        "counts": finding.counts,
        "counts_are_of_training_calls": counted_where_it_was_learned(finding),
        "assumes": ASSUMES,
        "undetectable": {
            "mass": finding.undetectable_mass,
            "miss_probability": to_scientific(&finding.miss, 3),
        },
        "power": {
            "event": finding.event_power.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
            "pipeline": power.as_json(),
            "note": "event: the epsilon that these calls would reject with probability 0.95, for the learned event alone; pipeline: the epsilon that the whole audit catches with probability 0.95, in a named family of planted violations",
        },
        "traces": finding.beliefs.as_ref().map(beliefs::as_json),
        "seed": question.seed,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Under what the level holds.
const ASSUMES: &str = "the answers on each dataset are independent of each other and of one law: the program has no memory";

/// Whether the event was learned from the calls that it is counted in: the audit then stopped before its last epoch.
fn counted_where_it_was_learned(finding: &Finding) -> bool {
    let counted = finding.counts.first_calls + finding.counts.second_calls;
    finding.method == Some(Method::Sequential) && counted == finding.calls
}

/// What the bound on epsilon rests on.
fn proof(finding: &Finding) -> Option<&'static str> {
    Some(match finding.method? {
        Method::Fixed => "the counts of this event, in calls after it was learned",
        Method::Sequential if counted_where_it_was_learned(finding) => {
            "bets before each round of calls, not these counts: the event was learned from the same calls, and shows where"
        }
        Method::Sequential => {
            "bets before each round of calls, not these counts: they are of calls after the event was learned, and show where"
        }
    })
}

fn says(finding: &Finding, question: &Question) -> String {
    let claim = format!("({}, {})", question.epsilon, question.delta);
    match finding.verdict {
        Verdict::Violation => format!("violation: not {claim}-private"),
        Verdict::NotRefuted => {
            format!("not refuted: no proof was found that it is not {claim}-private")
        }
    }
}

fn rows(finding: &Finding, question: &Question, power: &Measured) -> Rows {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let counts = &finding.counts;
    let bound = match &finding.epsilon_lower {
        Some(bound) => format!(
            "above {} at delta = {}, except with probability {}",
            to_scientific_below(bound, 6),
            question.delta,
            question.level
        ),
        None => "nothing".to_owned(),
    };
    let mut rows = vec![
        row("epsilon is proved", bound),
        row("dataset 1", finding.pair.0.to_string()),
        row("dataset 2", finding.pair.1.to_string()),
        row("event", finding.event.to_string()),
        row(
            "on dataset 1",
            format!("{} of {} calls", counts.first, counts.first_calls),
        ),
        row(
            "on dataset 2",
            format!("{} of {} calls", counts.second, counts.second_calls),
        ),
    ];
    rows.extend(proof(finding).map(|proof| row("the proof is", proof.to_owned())));
    if finding.verdict == Verdict::Violation {
        rows.push(row("assumed", ASSUMES.to_owned()));
    }
    rows.extend([
        row(
            "calls",
            format!(
                "{} on this pair in {:.2} s, seed {}",
                finding.calls,
                finding.seconds.as_secs_f64(),
                question.seed
            ),
        ),
        row(
            "not seen",
            format!(
                "on this pair, a leak of mass below {} is missed with probability at least {}; other pairs were not ruled out",
                short(finding.undetectable_mass),
                finding.miss
            ),
        ),
        row(
            "power of this event",
            match (&finding.event_power, finding.method) {
                (Some(epsilon), _) => format!(
                    "epsilon {} would be rejected with probability 0.95",
                    to_scientific(epsilon, 4)
                ),
                (None, Some(Method::Sequential)) => {
                    "not stated: the run stopped when the proof was there".to_owned()
                }
                (None, _) => {
                    "no epsilon up to 40 would be rejected with probability 0.95".to_owned()
                }
            },
        ),
    ]);
    rows.extend(power.rows());
    rows.extend(finding.beliefs.as_ref().map(beliefs::row));
    rows
}
