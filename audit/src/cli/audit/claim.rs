//! The report on a claim: is the program as private as that?

use super::super::Outcome;
use super::examined::{Examined, Told};
use super::{beliefs, short};
use crate::report::audit::{AuditReport, Rows};
use dp_assay::number::Rational;
use dp_assay::number::rational::{to_scientific, to_scientific_below};
use dp_assay_audit::driver::{Finding, Method, Question, Verdict};
use serde_json::{Value, json};

/// The report.
pub fn report(examined: &Examined, question: &Question, target: &str) -> AuditReport {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let verdict = examined.found.verdict;
    AuditReport {
        outcome: match verdict {
            Verdict::Violation => Outcome::NotAsExpected,
            Verdict::NotRefuted => Outcome::AsExpected,
        },
        target: target.to_owned(),
        question: format!(
            "the program is ({}, {})-private",
            question.epsilon, question.delta
        ),
        says: says(verdict, question),
        rows: rows(examined, question),
        details: vec![
            row("level", question.level.to_string()),
            row("seed", question.seed.to_string()),
        ],
        json: as_json(examined, question),
    }
}

/// For programs: the keys of the finding that is told first, and both findings under `shrinking`.
pub fn as_json(examined: &Examined, question: &Question) -> Value {
    let first = examined.told(question.until).first;
    let mut report = json!({
        "verdict": first.verdict,
        "epsilon": question.epsilon.to_string(),
        "delta": question.delta.to_string(),
        "confidence": to_scientific(&(Rational::from_integer(1.into()) - &question.level), 4),
        "assumes": ASSUMES,
        "shrinking": examined.shrinking.as_ref().map(|shrinking| json!({
            "before": finding_as_json(&examined.found),
            "after": shrinking.smaller.as_ref().map(finding_as_json),
            "ended_early": shrinking.error.as_ref().map(ToString::to_string),
        })),
        "traces": examined.beliefs.as_ref().map(beliefs::as_json),
        "seed": question.seed,
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let (Some(report), Value::Object(finding)) = (report.as_object_mut(), finding_as_json(first))
    {
        report.extend(finding);
    }
    report["power"]["pipeline"] = examined.power.as_json();
    report["power"]["note"] = Value::from(POWER);
    report
}

/// What is of one finding, all of it together.
fn finding_as_json(finding: &Finding) -> Value {
    json!({
        "epsilon_lower": finding.epsilon_lower.as_ref().map(|bound| to_scientific_below(bound, 6)),
        "delta_lower": finding.delta_lower,
        "level": finding.level.to_string(),
        "method": finding.method,
        "calls": finding.calls,
        "seconds": finding.seconds.as_secs_f64(),
        "pair": [finding.pair.0, finding.pair.1],
        "event": format!("{:#}", finding.event),
        "counts": finding.counts,
        "counts_are_of_training_calls": counted_where_it_was_learned(finding),
        "undetectable": {
            "mass": finding.undetectable_mass,
            "miss_probability": to_scientific(&finding.miss, 3),
        },
        "power": {
            "event": finding.event_power.as_ref().map(|epsilon| to_scientific(epsilon, 4)),
        },
    })
}

/// What the two numbers on power are.
const POWER: &str = "event: the epsilon that these calls would reject with probability 0.95, for the learned event alone; pipeline: the epsilon that the whole audit catches with probability 0.95, in a named family of planted violations";

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

fn says(verdict: Verdict, question: &Question) -> String {
    let claim = format!("({}, {})", question.epsilon, question.delta);
    match verdict {
        Verdict::Violation => format!("violation: not {claim}-private"),
        Verdict::NotRefuted => {
            format!("not refuted: no proof was found that it is not {claim}-private")
        }
    }
}

fn rows(examined: &Examined, question: &Question) -> Rows {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let Told { first, other } = examined.told(question.until);
    let proved = match &first.epsilon_lower {
        Some(bound) => format!(
            "{}, except with probability {}",
            above(bound, question),
            question.level
        ),
        None => "nothing".to_owned(),
    };
    let mut rows = vec![row("epsilon is proved", proved)];
    rows.extend(witness(first));
    if first.verdict == Verdict::Violation {
        rows.push(row("assumed", ASSUMES.to_owned()));
    }
    rows.extend([
        row(
            "calls",
            format!(
                "{} on this pair in {:.2} s, seed {}",
                first.calls,
                first.seconds.as_secs_f64(),
                question.seed
            ),
        ),
        row(
            "not seen",
            format!(
                "on this pair, a leak of mass below {} is missed with probability at least {}; other pairs were not ruled out",
                short(first.undetectable_mass),
                first.miss
            ),
        ),
        row("power of this event", event_power(first)),
    ]);
    if let Some((what, other)) = other {
        let proved = other.epsilon_lower.as_ref();
        let proved = proved.map_or("nothing".to_owned(), |bound| above(bound, question));
        rows.push(row(
            what,
            format!(
                "epsilon is proved {proved}, at level {}; the proof above has level {}, and all together have {}",
                other.level, first.level, question.level
            ),
        ));
        let indented = |(name, value): (String, String)| (format!("- {name}"), value);
        rows.extend(witness(other).into_iter().map(indented));
        rows.push(row(
            "- calls",
            format!("{} in {:.2} s", other.calls, other.seconds.as_secs_f64()),
        ));
    }
    let shrinking = examined.shrinking.as_ref();
    if let Some(error) = shrinking.and_then(|shrinking| shrinking.error.as_ref()) {
        rows.push(row("shrinking", format!("ended early: {error}")));
    }
    rows.extend(examined.power.rows());
    rows.extend(examined.beliefs.as_ref().map(beliefs::row));
    rows
}

/// The bound on epsilon in words.
fn above(bound: &Rational, question: &Question) -> String {
    let bound = to_scientific_below(bound, 6);
    format!("above {bound} at delta = {}", question.delta)
}

/// Where it shows, and what proves it.
fn witness(finding: &Finding) -> Rows {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let counts = &finding.counts;
    let mut rows = vec![
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
    rows
}

/// What these calls would have rejected by this event.
fn event_power(finding: &Finding) -> String {
    match (&finding.event_power, finding.method) {
        (Some(epsilon), _) => format!(
            "epsilon {} would be rejected with probability 0.95",
            to_scientific(epsilon, 4)
        ),
        (None, Some(Method::Sequential)) => {
            "not stated: the run stopped when the proof was there".to_owned()
        }
        (None, _) => "no epsilon up to 40 would be rejected with probability 0.95".to_owned(),
    }
}
