//! Values and bits, and values with their times: lines of one report, each with its own level.

use super::Rows;
use crate::events::Aspect;
use crate::refute::{Claim, Examined, Finding, Question, Stage, Verdict};
use crate::report::row;
use dp_assay::number::Rational;
use dp_assay::number::rational::{shortly, to_scientific_below};
use serde_json::{Value, json};

/// The lines of an audit, as far as they were decided: values, and bits, or all of it; and, if it is asked for, values with their
/// times. Nothing if there was one line.
fn of(found: &Finding, with_times: bool) -> Vec<(Aspect, Option<&Finding>)> {
    let is_whole = found.lines().any(|line| line.aspect == Aspect::Whole);
    let aspects: &[Aspect] = match (is_whole, with_times) {
        (true, false) => &[],
        (true, true) => &[Aspect::Whole, Aspect::Time],
        (false, false) => &[Aspect::Values, Aspect::Bits],
        (false, true) => &[Aspect::Values, Aspect::Bits, Aspect::Time],
    };
    let decided = |aspect| found.lines().find(|line| line.aspect == aspect);
    aspects
        .iter()
        .map(|aspect| (*aspect, decided(*aspect)))
        .collect()
}

/// An aspect in a word.
pub fn name(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::Whole => "outputs",
        Aspect::Values => "values",
        Aspect::Bits => "bits",
        Aspect::Time => "with times",
    }
}

/// By what the claim is violated, if there are two lines, for the end of a sentence.
pub fn violated(found: &Finding) -> &'static str {
    let is_violated = |wanted| {
        let mut lines = found.lines();
        lines.any(|line| line.aspect == wanted && line.verdict == Verdict::Violation)
    };
    match [Aspect::Values, Aspect::Bits, Aspect::Time].map(is_violated) {
        [true, true, _] => ", by its values and by its bits",
        [true, false, _] => ", by its values",
        [false, true, _] => ", by its bits",
        [false, false, true] => ", by its outputs together with their times",
        [false, false, false] => "",
    }
}

/// The bound on the parameter of the claim in words.
pub fn above(bound: &Rational, claim: &Claim) -> String {
    let bound = to_scientific_below(bound, 6);
    match claim.as_budget() {
        Some((_, delta)) => format!("above {bound} at delta = {}", shortly(delta)),
        None => format!("above {bound}"),
    }
}

/// A row for each line.
pub fn rows(examined: &Examined, question: &Question) -> Rows {
    let said = |aspect: Aspect, line: Option<&Finding>| {
        let Some(line) = line else {
            if aspect == Aspect::Time {
                return "not audited: the outputs alone are a violation, so they are one with their times".to_owned();
            }
            let failed = examined.failure.as_ref();
            let failed = failed.is_some_and(|failure| failure.stage == Stage::OtherLine);
            return match failed {
                true => "not decided: the program failed before".to_owned(),
                false => "not decided: the audit stopped at the first proof".to_owned(),
            };
        };
        match (line.verdict, line.lower()) {
            (Verdict::Violation, Some(bound)) => format!(
                "violation: {} is {}, at level {}, in {} calls",
                question.claim.parameter().0,
                above(bound, &question.claim),
                line.level,
                line.calls
            ),
            (Verdict::Violation, None) => {
                format!(
                    "violation, at level {}, in {} calls",
                    line.level, line.calls
                )
            }
            (Verdict::NotRefuted, _) => format!(
                "not refuted in {} calls, at level {}",
                line.calls, line.level
            ),
        }
    };
    let lines = of(&examined.found, question.time).into_iter();
    lines
        .map(|(aspect, line)| row(name(aspect), said(aspect, line)))
        .collect()
}

/// For programs: what was found in each line, and null where nothing was decided.
pub fn as_json(
    examined: &Examined,
    question: &Question,
    finding: impl Fn(&Finding) -> Value,
) -> Value {
    let lines = of(&examined.found, question.time).into_iter();
    let line = |(aspect, line): (Aspect, Option<&Finding>)| {
        json!({
            "aspect": aspect,
            "verdict": line.map(|line| line.verdict),
            "finding": line.map(&finding),
        })
    };
    lines.map(line).collect()
}
