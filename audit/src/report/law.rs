//! The report on a law: does the noise conform?

use super::beliefs::{self, with};
use super::{AuditReport, Conclusion, Rows, failed_afterwards, repetition, short};
use crate::conform::{Amount, CellCount, Conformance, Fit, LawVerdict, Reference};
use crate::report::row;
use dp_assay::number::Rational;
use dp_assay::number::rational::{shortly, to_scientific};
use serde_json::json;

/// The report.
pub fn report(found: &Conformance, reference: &Reference, target: &str) -> AuditReport {
    let heard = found.beliefs.as_ref();
    let contradiction = heard.and_then(|heard| beliefs::contradiction(heard, None));
    AuditReport {
        conclusion: Conclusion::of(found.verdict == LawVerdict::NotConforming),
        target: target.to_owned(),
        question: format!("the noise is {} around {}", reference.law, reference.centre),
        says: with(says(found, reference), contradiction.as_deref()),
        contradiction,
        warnings: failed_afterwards(found.failure.as_ref()),
        rows: rows(found, reference),
        more: more(found),
        details: vec![row("level", reference.level.to_string())],
        json: as_json(found, reference),
    }
}

fn as_json(found: &Conformance, reference: &Reference) -> serde_json::Value {
    let end = |end: &Option<Rational>| end.as_ref().map(ToString::to_string);
    json!({
        "verdict": found.verdict,
        "law": reference.law.to_string(),
        "centre": reference.centre.to_string(),
        "level": reference.level.to_string(),
        "law_refuted_after": found.law_refuted_after,
        "impossible_output": found.impossible.as_ref().map(crate::targets::Output::line),
        "noise": { "verdict": found.amount, "too_little_after": found.too_little_after },
        "guess": found.guess.as_ref().map(|guess| json!({
            "says": guess.says, "tried": guess.tried, "calls": guess.calls, "p": guess.p,
        })),
        "cell": found.cell.as_ref().map(|cell| json!({
            "from": end(&cell.from), "to": end(&cell.to), "expected": cell.expected, "count": cell.count,
        })),
        "residues": found.class.as_ref().map(|class| json!({
            "residue": class.residue, "modulus": class.modulus, "expected": class.expected, "count": class.count,
        })),
        "tail": found.tail.as_ref().map(|tail| json!({
            "at_least": tail.threshold.to_string(), "expected": tail.expected, "count": tail.count,
        })),
        "calls": found.calls,
        "seconds": found.seconds.as_secs_f64(),
        "undetectable": {
            "mass": found.undetectable_mass,
            "miss_probability": to_scientific(&found.miss, 3),
        },
        "repetition": repetition::as_json(found.repetition.as_ref(), found.starts.as_ref()),
        "failed_after_the_proof": found.failure.as_ref().map(ToString::to_string),
        "traces": found.beliefs.as_ref().map(beliefs::as_json),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

fn says(found: &Conformance, reference: &Reference) -> String {
    match found.verdict {
        LawVerdict::NotConforming => {
            format!(
                "not conforming: the noise is not {} around {}",
                reference.law, reference.centre
            )
        }
        LawVerdict::ConformsNotRefuted => format!(
            "conformance not refuted: no proof was found that the noise is not {} around {}",
            reference.law, reference.centre
        ),
    }
}

/// What was found.
fn rows(found: &Conformance, reference: &Reference) -> Rows {
    let after = |calls: Option<u64>| match calls {
        Some(calls) => format!(
            "after {calls} calls, except with probability {}",
            reference.level
        ),
        // The other test has spoken, and stopped the audit.
        None if found.verdict == LawVerdict::NotConforming => {
            format!("not decided: the audit stopped after {} calls", found.calls)
        }
        None => "no".to_owned(),
    };
    let law = match &found.impossible {
        Some(output) => format!("an output that it cannot have: {}", output.line()),
        None => after(found.law_refuted_after),
    };
    let little = match found.amount {
        Amount::TooLittle => after(found.too_little_after),
        Amount::EnoughNotRefuted if found.verdict == LawVerdict::NotConforming => after(None),
        Amount::EnoughNotRefuted => {
            "not proved (more noise than the law has would not show here)".to_owned()
        }
    };
    let mut rows = vec![
        row("another law is proved", law),
        row("too little noise is proved", little),
    ];
    rows.extend(
        found
            .guess
            .as_ref()
            .map(|guess| row("a guess", guessed(guess))),
    );
    if let Some(cell) = &found.cell {
        rows.push(row(
            "the farthest cell",
            format!(
                "{}: {} of {} calls, expected {}",
                interval(cell),
                cell.count,
                found.calls,
                expected(cell.expected)
            ),
        ));
    }
    if let Some(class) = &found.class {
        rows.push(row(
            "the farthest residue",
            format!(
                "{} modulo {}: {} of {} calls, expected {}",
                class.residue,
                class.modulus,
                class.count,
                found.calls,
                expected(class.expected)
            ),
        ));
    }
    if let Some(tail) = &found.tail {
        rows.push(row(
            "noise",
            format!(
                "at least {} in magnitude: {} of {} calls, expected {}",
                shortly(&tail.threshold),
                tail.count,
                found.calls,
                expected(tail.expected)
            ),
        ));
    }
    rows
}

/// The grounds of the verdict, the limits of the audit, and its cost.
fn more(found: &Conformance) -> Rows {
    let mut rows: Rows = found
        .beliefs
        .as_ref()
        .map(beliefs::row)
        .into_iter()
        .collect();
    rows.push(row(
        "assumed",
        "the answers are independent of each other and of one law: the program has no memory, and makes its generator once".to_owned(),
    ));
    rows.extend(repetition::row(
        found.repetition.as_ref(),
        found.starts.as_ref(),
    ));
    rows.push(row(
        "calls",
        format!("{} in {:.2} s", found.calls, found.seconds.as_secs_f64()),
    ));
    rows.push(row(
        "not seen",
        format!(
            "another law in less than this part of the calls, {}, is missed with probability at least {}; within a range of outputs only residues modulo 2, 3, 4, 5, 7 or 8 are looked at",
            short(found.undetectable_mass),
            found.miss
        ),
    ));
    rows
}

/// A number of calls that is expected, to be compared with one that was counted.
fn expected(calls: f64) -> String {
    match calls {
        100.0.. => format!("{calls:.0}"),
        0.1.. => format!("{calls:.1}"),
        _ => short(calls),
    }
}

/// A range in words.
fn interval(cell: &CellCount) -> String {
    let ends = [&cell.from, &cell.to].map(|end| end.as_ref().map(shortly));
    match ends {
        [Some(from), Some(to)] if from == to => from,
        [Some(from), Some(to)] => format!("{from} to {to}"),
        [Some(from), None] => format!("{from} and above"),
        [None, Some(to)] => format!("{to} and below"),
        [None, None] => "all numbers".to_owned(),
    }
}

/// A guess in words, and what it rests on.
fn guessed(guess: &Fit) -> String {
    format!(
        "{}, the likeliest of {} guesses by half of the calls; the other {} fit it (chi-squared, p = {})",
        guess.says,
        guess.tried,
        guess.calls,
        short(guess.p)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expected_count_is_written_like_one_that_was_counted() {
        for (calls, said) in [
            (6480.4, "6480"),
            (199_999.6, "200000"),
            (7.21, "7.2"),
            (0.0123, "0.0123"),
        ] {
            assert_eq!(expected(calls), said);
        }
    }
}
