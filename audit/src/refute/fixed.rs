//! An event that is fixed before it is counted: learned from some calls, counted elsewhere, and judged once.
//!
//! This is what an audit is made of that one machine is not enough for: to learn is one
//! stage, to count needs nothing but the event, and all statistics are in [`judge`], from sums of counts.

use super::calls::Caller;
use super::claim::Claim;
use super::exact_test::{Proof, Spent};
use super::finding::{EventCounts, Verdict};
use super::pair::{Epoch, LEAST_ROUND, MISS, MOST_LEARNED, MOST_ROUND};
use super::question::{AuditError, Question};
use crate::events::{Aim, Aspect, Event, Kept, Side};
use crate::pairs::Pair;
use crate::targets::{Target, TargetError, cut};
use dp_assay::coins::ChaCha;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::privacy::HalfPlane;
use dp_assay::stats::power::undetectable_mass;
use serde::{Deserialize, Serialize};

/// An event, and how often it came in the calls that it was learned from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// What of the outputs was looked at.
    pub aspect: Aspect,
    /// The event.
    pub event: Event,
    /// The counts by which the half-planes of the claim are chosen. They prove nothing.
    pub training: EventCounts,
}

/// What the counts of a fixed event prove.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Epsilon is above this, except with probability at most the level; `None` if nothing is proved, or the claim is in another
    /// measure.
    pub epsilon_lower: Option<Rational>,
    /// The same of a claim in another measure: of its parameter.
    pub parameter_lower: Option<Rational>,
    /// The half-plane of the claim that was tested.
    pub half_plane: HalfPlane,
    /// Delta at the claimed epsilon is at least this: a statement by itself, at the same level. `None` if calls are missing, or the
    /// claim is in another measure.
    pub delta_lower: Option<f64>,
    /// A leak of less than this mass on one dataset is missed with probability at least `miss`.
    pub undetectable_mass: f64,
    /// See `undetectable_mass`.
    pub miss: Rational,
}

impl Judged {
    /// The bound on the parameter of the claim, in whatever measure.
    #[must_use]
    pub fn lower(&self) -> Option<&Rational> {
        self.epsilon_lower
            .as_ref()
            .or(self.parameter_lower.as_ref())
    }
}

/// The event that promises most if it is counted in `draws` outputs on each dataset; of doubles one by their values and one by their
/// bits, with half of the level each. It is learned from the calls of the question, but at most 100,000.
///
/// # Errors
/// [`AuditError::Target`], [`AuditError::Question`].
pub fn learn(
    target: &mut dyn Target,
    pair: &Pair,
    question: &Question,
    draws: u64,
) -> Result<Vec<Learned>, AuditError> {
    question.check()?;
    let coins = ChaCha::reproducible(question.seed, 1 << 32);
    let mut caller = Caller::new(target, pair, coins, LEAST_ROUND);
    let mut kept = Kept::default();
    let calls = question.calls.min(MOST_LEARNED);
    while caller.calls() < calls {
        let round = MOST_ROUND.min(caller.room).min(calls - caller.calls());
        kept.extend(caller.call(round)?);
    }
    if let Some(error) = caller.answers.only_error() {
        let error = cut(format!("{error:?}"));
        return Err(TargetError::NothingButErrors { error }.into());
    }
    let aspects = Aspect::of(kept.outputs());
    let level = &question.level / integer(aspects.len() as u64);
    let lines = aspects.iter().map(|aspect| {
        let claim = &question.claim;
        let aim = Aim {
            delta: claim.first_aim(),
            calls: draws,
            level: to_f64_for_display(&level),
        };
        let mut epoch = Epoch::learn(&kept, aim, *aspect, claim, false, None)?;
        if claim.as_budget().is_none() {
            // Once more, for the half-plane that was best.
            let before = Some(&epoch.chosen);
            epoch = Epoch::learn(&kept, aim, *aspect, claim, false, before)?;
        }
        let mut training = EventCounts::default();
        training.count(&epoch.event, kept.outputs());
        Ok::<_, AuditError>(Learned {
            aspect: *aspect,
            event: epoch.event,
            training,
        })
    });
    lines.collect()
}

/// Judges a claim by the counts of a fixed event, of calls whose number on each dataset was fixed too.
///
/// Of these calls `missing` on each dataset were not counted, and `counts` are of the others. A missing call is counted against the
/// proof: as one without the event where that is the likelier, and as one with it on the other dataset. Then the simple bounds decide, with their
/// hundredth of the level: see `spec/auditor.md`, *Beyond one machine*.
///
/// # Errors
/// [`AuditError::Stats`] for counts that cannot be.
pub fn judge(
    learned: &Learned,
    claim: &Claim,
    level: &Rational,
    counts: &EventCounts,
    missing: u64,
) -> Result<Judged, AuditError> {
    let likelier = learned.event.likelier;
    let spent = Spent::smoothed(likelier, &learned.training);
    let proof = match missing {
        0 => Proof::by_counts(&learned.event, counts, spent, claim, level)?,
        _ => Proof::at_worst(
            likelier,
            &at_worst(likelier, counts, missing),
            spent,
            claim,
            level,
        )?,
    };
    let half_plane = match &proof.half_plane {
        Some(half_plane) => half_plane.clone(),
        None => spent.chooses(claim)?.half_plane,
    };
    let calls = counts.first_calls.max(counts.second_calls);
    Ok(Judged {
        verdict: proof.verdict(),
        epsilon_lower: proof.epsilon_lower,
        parameter_lower: proof.parameter_lower,
        half_plane,
        delta_lower: proof.delta_lower,
        undetectable_mass: match calls {
            0 => 1.0,
            calls => undetectable_mass(calls, level, &ratio(MISS.0, MISS.1))?,
        },
        miss: ratio(MISS.0, MISS.1),
    })
}

/// The counts that speak least for a proof, if so many calls on each dataset are missing.
fn at_worst(likelier: Side, counts: &EventCounts, missing: u64) -> EventCounts {
    let mut worst = *counts;
    worst.first_calls += missing;
    worst.second_calls += missing;
    match likelier {
        Side::First => worst.second += missing,
        Side::Second => worst.first += missing,
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::super::question::tests::question;
    use super::*;
    use crate::targets::{Function, Output};
    use dp_assay::coins::Coins;
    use serde_json::json;

    /// Randomised response: `[1]` is answered truly 3 times in 4, so that epsilon is ln 3 = 1.0986.
    fn learned() -> Learned {
        let mut coins = ChaCha::reproducible(3, 0);
        let mut response = Function(|data: &serde_json::Value| {
            let lies = coins.bits(2)? == 0;
            Ok(Output::Boolean((data[0] == 1) != lies))
        });
        let pair = Pair(json!([1]), json!([0]));
        let lines = learn(&mut response, &pair, &question(2000), 1_000_000).unwrap();
        assert_eq!(lines.len(), 1);
        lines[0].clone()
    }

    fn counts(calls: u64, likely: u64, rare: u64, likelier: Side) -> EventCounts {
        let [first, second] = match likelier {
            Side::First => [likely, rare],
            Side::Second => [rare, likely],
        };
        EventCounts {
            first_calls: calls,
            first,
            second_calls: calls,
            second,
        }
    }

    #[test]
    fn the_event_of_randomised_response_is_learned_and_its_counts_are_judged() {
        let learned = learned();
        assert_eq!(
            learned.training.first_calls + learned.training.second_calls,
            2000
        );
        let seen = counts(1_000_000, 750_000, 250_000, learned.event.likelier);
        for (claim, verdict) in [
            ((1, 1), Verdict::Violation),
            ((11, 10), Verdict::NotRefuted),
        ] {
            let claim = Claim::budget(ratio(claim.0, claim.1), integer(0));
            let judged = judge(&learned, &claim, &ratio(1, 20), &seen, 0).unwrap();
            assert_eq!(judged.verdict, verdict);
            let bound = to_f64_for_display(judged.lower().unwrap());
            assert!((1.094..3f64.ln()).contains(&bound), "{bound}");
        }
    }

    /// Whatever the missing calls would have been, the bound with them is no worse.
    #[test]
    fn missing_calls_count_against_the_proof() {
        let learned = learned();
        let (claim, level) = (Claim::budget(ratio(1, 2), integer(0)), ratio(1, 20));
        let likelier = learned.event.likelier;
        let seen = counts(900, 675, 225, likelier);
        let partial = judge(&learned, &claim, &level, &seen, 100).unwrap();
        assert!(partial.delta_lower.is_none());
        let mut best = None;
        for (likely, rare) in [(0, 0), (0, 100), (50, 50), (75, 25), (100, 0), (100, 100)] {
            let all = counts(1000, 675 + likely, 225 + rare, likelier);
            let whole = judge(&learned, &claim, &level, &all, 0).unwrap();
            assert!(
                whole.epsilon_lower >= partial.epsilon_lower,
                "{likely} {rare}"
            );
            best = best.max(whole.epsilon_lower);
        }
        assert!(partial.epsilon_lower.is_some() && best > partial.epsilon_lower);
        // If as many are missing as were counted, there is nothing that they could not hide.
        let nothing = judge(&learned, &claim, &level, &seen, 900).unwrap();
        assert_eq!(
            (nothing.verdict, nothing.epsilon_lower),
            (Verdict::NotRefuted, None)
        );
        let none = judge(&learned, &claim, &level, &counts(0, 0, 0, likelier), 900).unwrap();
        assert_eq!(
            (none.verdict, none.undetectable_mass),
            (Verdict::NotRefuted, 1.0)
        );
    }

    /// The bound is exactly the simple one of the worst counts, at a hundredth of the level.
    #[test]
    fn a_partial_count_spends_a_hundredth_of_the_level() {
        use dp_assay::stats::simple_epsilon_lower;
        let (learned, level) = (learned(), ratio(1, 20));
        let seen = counts(900, 675, 225, learned.event.likelier);
        for delta in [ratio(0, 1), ratio(1, 10)] {
            let claim = Claim::budget(ratio(1, 10), delta.clone());
            let partial = judge(&learned, &claim, &level, &seen, 100).unwrap();
            let simple =
                |level| simple_epsilon_lower((1000, 675), (1000, 325), &delta, &level).unwrap();
            assert_eq!(partial.epsilon_lower, simple(&level / ratio(100, 1)));
            assert_ne!(partial.epsilon_lower, simple(level.clone()));
        }
        let claim = Claim::new(super::super::claim::Measure::Zcdp { rho: ratio(1, 100) });
        let bound = |level: Rational| {
            judge(&learned, &claim, &level, &seen, 100)
                .unwrap()
                .parameter_lower
        };
        // With its whole level the exact test would prove more of the worst counts.
        let worst = counts(1000, 675, 325, learned.event.likelier);
        let whole = judge(&learned, &claim, &level, &worst, 0).unwrap();
        assert!(
            bound(level.clone()) < whole.parameter_lower
                && bound(&level / ratio(10, 1)) < bound(level)
        );
    }

    /// What it is held against is chosen by the calls that are spent, not by those that decide.
    #[test]
    fn the_half_plane_is_that_of_the_training() {
        let mut learned = learned();
        let claim = Claim::new(super::super::claim::Measure::Zcdp { rho: ratio(1, 10) });
        let likelier = learned.event.likelier;
        learned.training = counts(1000, 750, 250, likelier);
        let seen = counts(10_000, 500, 10, likelier);
        let judged = judge(&learned, &claim, &ratio(1, 20), &seen, 0).unwrap();
        let of = |counts: &EventCounts| {
            Spent::smoothed(likelier, counts)
                .chooses(&claim)
                .unwrap()
                .half_plane
        };
        assert_eq!(judged.half_plane, of(&learned.training));
        assert_ne!(judged.half_plane, of(&seen));
        let partial = judge(&learned, &claim, &ratio(1, 20), &seen, 10).unwrap();
        assert_eq!(partial.half_plane, of(&learned.training));
    }

    #[test]
    fn a_claim_in_another_measure_is_judged_with_and_without_missing_calls() {
        use super::super::claim::Measure;
        let learned = learned();
        let claim = Claim::new(Measure::Zcdp { rho: ratio(1, 10) });
        let seen = counts(10_000, 7_500, 2_500, learned.event.likelier);
        let whole = judge(&learned, &claim, &ratio(1, 20), &seen, 0).unwrap();
        let partial = judge(&learned, &claim, &ratio(1, 20), &seen, 300).unwrap();
        assert_eq!(
            (whole.verdict, partial.verdict),
            (Verdict::Violation, Verdict::Violation)
        );
        assert!(whole.parameter_lower > partial.parameter_lower);
        assert!(whole.epsilon_lower.is_none() && partial.epsilon_lower.is_none());
    }
}
