//! The report on merged counts, in the rows and under the keys of every audit. It is a function of the plan and the counts: no
//! time, no machine, no number of shards.

use super::merge::Merged;
use super::plan::{Named, Neighbours};
use super::record::Failed;
use dp_assay::number::Rational;
use dp_assay::number::rational::{
    integer, to_scientific, to_scientific_above, to_scientific_below,
};
use dp_assay_audit::refute::{Judged, Verdict};
use dp_assay_audit::report::claim::{ASSUMES, allows, claim_as_json, dataset};
use dp_assay_audit::report::row;
use dp_assay_audit::report::{AuditReport, Conclusion, Rows, lines, short};
use serde_json::{Value, json};

/// The most ranges of units, or failures, that are named one by one in a row for people.
const NAMED: usize = 12;

/// The report.
#[must_use]
pub fn report(plan: &Named, merged: &Merged) -> AuditReport {
    let conclusion = match (merged.verdict(), merged.is_complete()) {
        (Verdict::Violation, _) => Conclusion::Refuted,
        (Verdict::NotRefuted, true) => Conclusion::NotRefuted,
        (Verdict::NotRefuted, false) => Conclusion::Inconclusive,
    };
    AuditReport {
        conclusion,
        target: plan.plan.program.target(),
        question: format!("the program is {}", plan.claim),
        says: says(plan, merged, conclusion),
        contradiction: None,
        warnings: warnings(plan, merged),
        rows: rows(plan, merged),
        more: more(plan, merged, conclusion),
        details: vec![
            row("level of all proofs together", plan.level().to_string()),
            row("seed", plan.plan.seed.to_string()),
        ],
        json: as_json(plan, merged, conclusion),
    }
}

fn says(plan: &Named, merged: &Merged, conclusion: Conclusion) -> String {
    let claim = &plan.claim;
    match conclusion {
        Conclusion::Refuted => format!("violation: not {claim}{}", by(plan, merged)),
        Conclusion::NotRefuted => {
            format!("not refuted: no proof was found that it is not {claim}")
        }
        Conclusion::Inconclusive => format!(
            "inconclusive: {} of {} units are missing, and what was counted proves nothing whatever they hold",
            merged.missing.len(),
            plan.plan.units
        ),
    }
}

/// By which lines the claim is violated, if there are two, for the end of a sentence.
fn by(plan: &Named, merged: &Merged) -> String {
    if plan.lines().len() < 2 {
        return String::new();
    }
    let violated = plan.lines().iter().zip(&merged.judged);
    let violated = violated.filter(|(_, judged)| judged.verdict == Verdict::Violation);
    let names: Vec<String> = violated
        .map(|(line, _)| format!("by its {}", lines::name(line.aspect)))
        .collect();
    format!(", {}", names.join(" and "))
}

/// Missing units, and those that failed once.
fn warnings(plan: &Named, merged: &Merged) -> Rows {
    let mut rows = Rows::new();
    if !merged.is_complete() {
        rows.push(row(
            "missing",
            format!(
                "{} of {} units, counted as if they spoke against the proof: {}",
                merged.missing.len(),
                plan.plan.units,
                ranges_in_words(&merged.missing)
            ),
        ));
    }
    if !merged.failed.is_empty() {
        rows.push(row("failed", failures(&merged.failed)));
    }
    // A program without a seed may have failed because of what it was about to say.
    if !merged.again.is_empty() && !plan.plan.program.is_seeded() {
        rows.push(row(
            "counted again",
            format!(
                "{}: this assumes that its failures do not depend on its answers",
                failures(&merged.again)
            ),
        ));
    }
    rows
}

fn failures(failed: &[Failed]) -> String {
    let named = failed.iter().take(NAMED);
    let mut named: Vec<String> = named
        .map(|failed| format!("unit {}: {}", failed.unit, failed.reason))
        .collect();
    if failed.len() > NAMED {
        named.push(format!("… ({} units)", failed.len()));
    }
    named.join("; ")
}

/// Ranges of numbers that rise: first and last of each.
fn ranges(units: &[u64]) -> Vec<[u64; 2]> {
    let mut ranges: Vec<[u64; 2]> = Vec::new();
    for &unit in units {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == unit => *last = unit,
            _ => ranges.push([unit, unit]),
        }
    }
    ranges
}

fn ranges_in_words(units: &[u64]) -> String {
    let ranges = ranges(units);
    let named = ranges.iter().take(NAMED);
    let mut named: Vec<String> = named
        .map(|[first, last]| match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
        })
        .collect();
    if ranges.len() > NAMED {
        named.push(format!("… ({} ranges)", ranges.len()));
    }
    named.join(", ")
}

/// The line that is told first: a violation, or else the first one.
fn told(merged: &Merged) -> usize {
    let is_violation = |judged: &Judged| judged.verdict == Verdict::Violation;
    merged.judged.iter().position(is_violation).unwrap_or(0)
}

fn rows(plan: &Named, merged: &Merged) -> Rows {
    let [data, other] = [&plan.plan.pair.0, &plan.plan.pair.1].map(dataset);
    let first = told(merged);
    let mut rows = vec![
        row(
            format!("{} is proved", plan.claim.parameter().0),
            proved(plan, &merged.judged[first]),
        ),
        row("pair", format!("{data} and {other}")),
        row("event", plan.lines()[first].event.to_string()),
        row("counts", counts(merged, first)),
    ];
    if plan.claim.as_budget().is_none() {
        rows.push(row("the claim allows", allowed(plan, merged, first)));
    }
    if plan.lines().len() > 1 {
        for (line, judged) in plan.lines().iter().zip(&merged.judged) {
            let verdict = match judged.verdict {
                Verdict::Violation => "violation",
                Verdict::NotRefuted => "not refuted",
            };
            rows.push(row(
                lines::name(line.aspect),
                format!(
                    "{verdict}: {} is proved {}, at level {}",
                    plan.claim.parameter().0,
                    bound(plan, judged),
                    plan.level_of_line
                ),
            ));
        }
    }
    rows
}

fn bound(plan: &Named, judged: &Judged) -> String {
    judged.lower().map_or("nothing".to_owned(), |lower| {
        lines::above(lower, &plan.claim)
    })
}

fn proved(plan: &Named, judged: &Judged) -> String {
    match judged.lower() {
        Some(_) => format!(
            "{}, except with probability {}",
            bound(plan, judged),
            plan.level()
        ),
        None => "nothing".to_owned(),
    }
}

fn counts(merged: &Merged, line: usize) -> String {
    format!("{} ({} units)", merged.counts[line], merged.counted)
}

fn allowed(plan: &Named, merged: &Merged, line: usize) -> String {
    let likelier = plan.lines()[line].event.likelier;
    allows(likelier, &merged.judged[line].half_plane)
}

fn more(plan: &Named, merged: &Merged, conclusion: Conclusion) -> Rows {
    let first = told(merged);
    let judged = &merged.judged[first];
    let mut rows = vec![row(
        "the proof is",
        match merged.is_complete() {
            true => "the counts of this event, which was fixed before the first of them",
            false => {
                "the counts of this event, which was fixed before the first of them, with missing units as the worst that they can be"
            }
        },
    )];
    rows.push(row("neighbours", neighbours(plan)));
    if conclusion == Conclusion::Refuted {
        rows.push(row("assumed", ASSUMES.to_owned()));
    }
    rows.extend([
        row(
            "learned from",
            format!("other calls: {}", plan.lines()[first].training),
        ),
        row(
            "units",
            format!(
                "{} of {}, of {} draws on each dataset",
                merged.counted, plan.plan.units, plan.plan.draws
            ),
        ),
        row("plan", plan.name()),
        row("all counts", merged.digest.clone()),
        row(
            "coins",
            match plan.plan.program.is_seeded() {
                true => "of the plan: whoever counts a unit gets the same answers",
                false => "the program's own: the counts cannot be repeated",
            },
        ),
        row(
            "not seen",
            format!(
                "on this pair, a leak of mass below {} is missed with probability at least {} by any test of level {}; other pairs, and other events than this one",
                short(judged.undetectable_mass),
                judged.miss,
                plan.level_of_line
            ),
        ),
    ]);
    if plan.lines().len() > 1 {
        for (place, line) in plan.lines().iter().enumerate() {
            if place == first {
                continue;
            }
            let name = lines::name(line.aspect);
            rows.push(row(format!("{name}: event"), line.event.to_string()));
            rows.push(row(format!("{name}: counts"), counts(merged, place)));
        }
    }
    rows
}

fn neighbours(plan: &Named) -> &'static str {
    match plan.plan.neighbours {
        Neighbours::Substitute => "substitute: checked when the plan was made",
        Neighbours::AddRemove => "add-remove: checked when the plan was made",
        Neighbours::Vouched => "vouched: your word, which nothing was checked of",
    }
}

fn as_json(plan: &Named, merged: &Merged, conclusion: Conclusion) -> Value {
    let first = told(merged);
    let line = |place: usize| {
        let (line, judged) = (&plan.lines()[place], &merged.judged[place]);
        json!({
            "aspect": line.aspect,
            "verdict": judged.verdict,
            "epsilon_lower": judged.epsilon_lower.as_ref().map(|bound| to_scientific_below(bound, 6)),
            "parameter_lower": judged.parameter_lower.as_ref().map(|bound| to_scientific_below(bound, 6)),
            "delta_lower": judged.delta_lower,
            "half_plane": {
                "slope": to_scientific_above(judged.half_plane.slope(), 10),
                "delta": to_scientific_above(judged.half_plane.delta(), 10),
            },
            "level": plan.level_of_line.to_string(),
            "event": format!("{:#}", line.event),
            "counts": merged.counts[place],
            "training": line.training,
            "undetectable": {
                "mass": judged.undetectable_mass,
                "miss_probability": to_scientific(&judged.miss, 3),
                "level": plan.level_of_line.to_string(),
            },
        })
    };
    let mut report = line(first);
    let budget = plan.claim.as_budget();
    let level = plan.level();
    let whole = json!({
        "verdict": match conclusion {
            Conclusion::Refuted => "violation",
            Conclusion::NotRefuted => "not-refuted",
            Conclusion::Inconclusive => "inconclusive",
        },
        "reason": (conclusion == Conclusion::Inconclusive).then(|| says(plan, merged, conclusion)),
        "epsilon": budget.map(|(epsilon, _)| epsilon.to_string()),
        "delta": budget.map(|(_, delta)| delta.to_string()),
        "claim": claim_as_json(&plan.claim),
        "confidence": to_scientific(&(Rational::from_integer(1.into()) - &level), 4),
        "level_of_all_proofs": level.to_string(),
        "assumes": ASSUMES,
        "method": "fixed",
        "pair": plan.plan.pair,
        "neighbours": {"relation": plan.plan.neighbours},
        "calls": merged.counts[first].first_calls + merged.counts[first].second_calls,
        "lines": (0..plan.lines().len()).map(line).collect::<Vec<_>>(),
        "plan": plan.name(),
        "units": {
            "planned": plan.plan.units,
            "draws_on_each_dataset": plan.plan.draws,
            "counted": merged.counted,
            "missing": ranges(&merged.missing),
            "failed": merged.failed,
            "counted_after_a_failure": merged.again,
        },
        "all_counts_sha256": merged.digest,
        "repeatable": plan.plan.program.is_seeded(),
        "seed": plan.plan.seed,
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let (Some(report), Value::Object(whole)) = (report.as_object_mut(), whole) {
        report.extend(whole);
    }
    report
}

/// The draws of a whole plan, on both datasets.
#[must_use]
pub fn draws(plan: &Named) -> u64 {
    2 * plan.plan.units * plan.plan.draws
}

/// So many draws as people say them: `1.05e6`.
#[must_use]
pub fn many(count: u64) -> String {
    to_scientific(&integer(count), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_units_are_named_by_ranges() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), [[0, 2], [5, 5], [7, 8]]);
        assert_eq!(ranges_in_words(&[0, 1, 2, 5, 7, 8]), "0 to 2, 5, 7 to 8");
        let odd: Vec<u64> = (0..40).map(|unit| 2 * unit + 1).collect();
        assert!(ranges_in_words(&odd).ends_with("23, … (40 ranges)"));
    }
}
