//! What the counts of an event suggest, beside what is proved: a proof stops early, and its bound says little of how large the
//! fault is.

use crate::events::Aspect;
use crate::refute::{Claim, Finding, Question, Until, Verdict};
use dp_assay::number::rational::{ratio, to_f64_for_display};

/// The epsilon at the claimed delta that the frequencies of the event have: no bound, and no proof. `None` of a claim in another
/// measure; infinite if the event never came on the other dataset.
pub fn epsilon(finding: &Finding, claim: &Claim) -> Option<f64> {
    let (_, delta) = claim.as_budget()?;
    if finding.verdict != Verdict::Violation {
        return None;
    }
    let (likely, rare) = finding.counts.likelier_first(finding.event.likelier);
    let rate = |(calls, came): (u64, u64)| came as f64 / calls.max(1) as f64;
    let excess = rate(likely) - to_f64_for_display(delta);
    (likely.0 > 0 && rare.0 > 0 && excess > 0.0).then(|| (excess / rate(rare)).ln())
}

/// The same in words.
pub fn in_words(finding: &Finding, claim: &Claim) -> Option<String> {
    let what = "by these counts: an estimate, and no proof";
    epsilon(finding, claim).map(|epsilon| match epsilon.is_finite() {
        true => format!("epsilon is about {epsilon:.2} {what}"),
        false => {
            format!("no epsilon is large enough {what}; the event never came on the other dataset")
        }
    })
}

/// What gives a better bound, where the proof stopped so early that its bound is within a tenth of the claim.
pub fn hint(finding: &Finding, question: &Question) -> Option<&'static str> {
    let (_, claimed) = question.claim.parameter();
    let bound = finding.lower()?;
    let is_near = *bound <= claimed * ratio(11, 10);
    // Outputs with times are audited by bets alone, whatever is asked for.
    let may_go_on = question.until != Until::End && finding.aspect != Aspect::Time;
    let stopped = finding.verdict == Verdict::Violation && may_go_on;
    (is_near && stopped).then_some(
        "; the audit stopped as soon as the claim fell: --all-calls gives a better bound",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::Pair;
    use crate::refute::audit_pair;
    use crate::targets::{Function, Output};
    use dp_assay::number::rational::integer;
    use serde_json::{Value, json};

    #[test]
    fn an_estimate_is_told_apart_from_the_bound() {
        let mut leak =
            Function(|data: &Value| Ok(Output::Integer(data[0].as_i64().unwrap_or(0).into())));
        let question = Question {
            claim: Claim::budget(integer(1), ratio(1, 10)),
            level: ratio(1, 20),
            calls: 400,
            until: Until::Proof,
            shrink: false,
            time: false,
            seed: 1,
        };
        let pair = Pair(json!([0]), json!([1]));
        let mut found = audit_pair(&mut leak, &pair, &question).unwrap();
        assert_eq!(epsilon(&found, &question.claim), Some(f64::INFINITY));
        found.counts.first_calls = 100;
        found.counts.second_calls = 100;
        (found.counts.first, found.counts.second) = (60, 10);
        found.event.likelier = crate::events::Side::First;
        let estimate = epsilon(&found, &question.claim).unwrap();
        assert!((estimate - 5f64.ln()).abs() < 1e-12, "{estimate}");
        let said = in_words(&found, &question.claim).unwrap();
        assert!(
            said.contains("about 1.61 by these counts: an estimate"),
            "{said}"
        );
        assert!(hint(&found, &question).is_some());
        let spent = Question {
            until: Until::End,
            ..question.clone()
        };
        assert!(hint(&found, &spent).is_none());
        found.verdict = Verdict::NotRefuted;
        assert!(hint(&found, &question).is_none() && in_words(&found, &question.claim).is_none());
    }
}
