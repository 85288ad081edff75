//! Values and bits: two lines of one report, each with its own level.

use super::Rows;
use crate::events::Aspect;
use crate::refute::{Claim, Examined, Finding, Question, Stage, Verdict};
use crate::report::row;
use dp_assay::number::Rational;
use dp_assay::number::rational::{shortly, to_scientific_below};
use serde_json::{Value, json};

/// The lines of an audit, as far as they were decided: values, and bits. Nothing if there was one line of all.
fn of(found: &Finding) -> Vec<(Aspect, Option<&Finding>)> {
    if found.aspect == Aspect::Whole {
        return Vec::new();
    }
    let all = [Some(found), found.other_line.as_deref()];
    let line = |aspect| {
        let decided = all.into_iter().flatten().find(|line| line.aspect == aspect);
        (aspect, decided)
    };
    [Aspect::Values, Aspect::Bits].map(line).into()
}

/// An aspect in a word.
pub fn name(aspect: Aspect) -> &'static str {
    match aspect {
        Aspect::Whole => "outputs",
        Aspect::Values => "values",
        Aspect::Bits => "bits",
    }
}

/// By what the claim is violated, if there are two lines, for the end of a sentence.
pub fn violated(found: &Finding) -> &'static str {
    let is_violated = |wanted| {
        let mut lines = of(found).into_iter();
        lines.any(|(aspect, line)| {
            aspect == wanted && line.is_some_and(|line| line.verdict == Verdict::Violation)
        })
    };
    match (is_violated(Aspect::Values), is_violated(Aspect::Bits)) {
        (true, true) => ", by its values and by its bits",
        (true, false) => ", by its values",
        (false, true) => ", by its bits",
        (false, false) => "",
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
    let said = |line: Option<&Finding>| {
        let Some(line) = line else {
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
    let lines = of(&examined.found).into_iter();
    lines
        .map(|(aspect, line)| row(name(aspect), said(line)))
        .collect()
}

/// For programs: what was found in each line, and null where nothing was decided.
pub fn as_json(examined: &Examined, finding: impl Fn(&Finding) -> Value) -> Value {
    let lines = of(&examined.found).into_iter();
    let line = |(aspect, line): (Aspect, Option<&Finding>)| {
        json!({
            "aspect": aspect,
            "verdict": line.map(|line| line.verdict),
            "finding": line.map(&finding),
        })
    };
    lines.map(line).collect()
}
