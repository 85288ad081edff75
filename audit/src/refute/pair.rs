//! The audit of one pair: samples, and a verdict with a proof.
//!
//! On one pair of datasets, every call on one of the two by a fair coin:
//!
//! 1. *Epochs.* From the first calls, again whenever there are half as many more, and for the last time after a quarter of
//!    all calls (at most 100,000), an event and a partition of the outputs into cells are learned, and which half-plane of
//!    the claim the event exceeds most ([`super::claim`]); of a claim (epsilon, delta) there is one.
//! 2. *Sequential test*, at its share of the level ([`super::levels`]): bets on the cells, each made before its
//!    round of calls, from those before, by four bettors who share the wealth. The audit stops as soon as the proof is
//!    there.
//! 3. *Exact test*, at the other share: of the last event, on the calls that came after it was learned. Only if all
//!    calls are spent. On request ([`Until::End`]) there is no sequential test, and this one has the whole level.
//! 4. *Verdict.* A violation is proved at the level. Otherwise the claim is not refuted, and the report says
//!    which leaks would have been missed.
//!
//! Outputs are kept for learning only, and so memory does not grow with the calls beyond the last epoch.
//! Floats choose where to look; every decision rests on [`dp_assay::stats`].

use super::bets::{BETTORS, Bettors};
use super::calls::Caller;
use super::claim::{Chosen, Claim};
use super::exact_test::{Proof, Spent};
use super::finding::{Counted, EventCounts, Finding};
use super::levels::PairLevels;
use super::question::{AuditError, Question, Until};
use crate::events::{self, Aim, Event, Kept, Lesson};
use crate::pairs::Pair;
use crate::targets::Target;
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::{ratio, to_f64_for_display};
use dp_assay::stats::EProcess;
use dp_assay::stats::power::undetectable_mass;
use std::time::Instant;

/// The calls of the first epoch, before which nothing is known.
const FIRST_EPOCH: u64 = 16;
/// The most calls from which an event and cells are learned.
const MOST_LEARNED: u64 = 100_000;
/// The least and the most calls of a round; between, a round is a sixteenth of the calls before it.
const LEAST_ROUND: u64 = 4;
const MOST_ROUND: u64 = 8000;
/// The probability of a miss that is reported.
const MISS: (i64, i64) = (1, 20);

/// What was learned from the calls before.
struct Epoch {
    event: Event,
    /// How often it came in the calls that it was learned from, and the half-plane that this exceeds most.
    spent: Spent,
    chosen: Chosen,
    /// How often it came since.
    counts: EventCounts,
    /// Who bets, if bets are made.
    bettors: Option<Bettors>,
    /// What the search read, in words.
    features_read: Vec<String>,
}

impl Epoch {
    /// Learns from the outputs that were kept, and where to bet, if bets are made. `before` is the half-plane of the epoch
    /// before.
    fn learn(
        kept: &Kept,
        mut aim: Aim,
        claim: &Claim,
        bets: bool,
        before: Option<&Chosen>,
    ) -> Result<Self, AuditError> {
        let [first, second] = kept.outputs();
        let mut aims = claim.aims(before).into_iter();
        aim.delta = aims.next().unwrap_or(0.0);
        let mut lesson = Lesson::new(first, second, aim);
        let mut event = lesson.event();
        // Of the events for several half-planes, the one that exceeds one of them most where it was not searched.
        let held =
            |lesson: &Lesson<'_>, event: &Event| Spent::of(event, lesson.held()).chooses(claim);
        if aims.len() > 0 {
            let mut best = held(&lesson, &event)?.excess;
            for delta in aims {
                lesson.aim_at(delta);
                let other = lesson.event();
                let excess = held(&lesson, &other)?.excess;
                if excess > best {
                    (event, best) = (other, excess);
                }
            }
        }
        let spent = Spent::of(&event, [first, second]);
        let chosen = spent.chooses(claim)?;
        lesson.aim_at(to_f64_for_display(chosen.half_plane.delta()));
        Ok(Self {
            bettors: bets.then(|| Bettors::learn(&lesson, &event, &chosen.null)),
            event,
            spent,
            chosen,
            counts: EventCounts::default(),
            features_read: events::features_read(first, second),
        })
    }
}

/// Audits the claim on one pair, with its share of the level: all of it, unless a smaller witness is wanted.
///
/// # Errors
/// [`AuditError::Target`] if the target fails, and then nothing is concluded; [`AuditError::Question`].
pub fn audit_pair(
    target: &mut dyn Target,
    pair: &Pair,
    question: &Question,
) -> Result<Finding, AuditError> {
    audit_at(target, pair, question, &question.levels().found)
}

/// The same at another share of the level.
pub(super) fn audit_at(
    target: &mut dyn Target,
    pair: &Pair,
    question: &Question,
    levels: &PairLevels,
) -> Result<Finding, AuditError> {
    question.check()?;
    let start = Instant::now();
    let coins = ChaCha::reproducible(question.seed, 1 << 32);
    let mut caller = Caller::new(target, pair, coins, LEAST_ROUND);

    let claim = &question.claim;
    let bets = question.until == Until::Proof;
    let last_epoch = (question.calls / 4).min(MOST_LEARNED);
    let mut next_epoch = match question.until {
        Until::Proof => FIRST_EPOCH.min(last_epoch),
        Until::End => last_epoch,
    };
    // What is learned is for the calls that are left after the last epoch.
    let aim = Aim {
        delta: claim.first_aim(),
        calls: (question.calls - last_epoch) / 2,
        level: to_f64_for_display(&levels.exact),
    };
    // The outputs of the calls up to the last epoch.
    let mut kept = Kept::default();
    let mut epoch = Epoch::learn(&kept, aim, claim, bets, None)?;
    let mut process = match bets {
        true => Some(EProcess::of(epoch.chosen.null, BETTORS)?),
        false => None,
    };
    let mut stopped = false;
    while caller.calls() < question.calls && !stopped {
        // 1. An epoch begins.
        let now = caller.calls();
        if now == next_epoch {
            epoch = Epoch::learn(&kept, aim, claim, bets, Some(&epoch.chosen))?;
            next_epoch = if now < last_epoch {
                (now + now / 2).min(last_epoch)
            } else {
                kept = Kept::default();
                question.calls
            };
        }
        // 2. A bet, a round of calls, and a look at the wealth.
        let round = match process {
            Some(_) => (now / 16).clamp(LEAST_ROUND, MOST_ROUND),
            None => MOST_ROUND,
        };
        if let (Some(process), Some(bettors)) = (&mut process, &epoch.bettors) {
            process.bet_against(bettors.bets(claim)?)?;
        }
        let outputs = caller.call(round.min(caller.room).min(next_epoch - now))?;
        if let (Some(process), Some(bettors)) = (&mut process, &mut epoch.bettors) {
            process.settle(bettors.count(&outputs))?;
            stopped = process.rejects(&levels.bets)?;
        }
        epoch.counts.count(&epoch.event, &outputs);
        if now < last_epoch {
            kept.extend(outputs);
        }
    }
    let learned_again = stopped && caller.calls() <= last_epoch;
    if learned_again {
        // No test of this event follows: it is for the reader, and learned from all that was seen.
        epoch = Epoch::learn(&kept, aim, claim, bets, Some(&epoch.chosen))?;
        epoch.counts.count(&epoch.event, kept.outputs());
    }

    // 3. What is proved: by the bets that stopped, or else by the exact test.
    let proof = match &process {
        Some(process) if stopped => Proof::by_bets(process, claim, &levels.bets)?,
        _ => Proof::by_counts(
            &epoch.event,
            &epoch.counts,
            epoch.spent,
            question,
            &levels.exact,
        )?,
    };
    Ok(Finding {
        verdict: proof.verdict(),
        method: proof.proves().then_some(proof.method),
        epsilon_lower: proof.epsilon_lower,
        parameter_lower: proof.parameter_lower,
        half_plane: proof.half_plane.unwrap_or(epoch.chosen.half_plane),
        level: levels.both(),
        delta_lower: proof.delta_lower,
        event_power: proof.event_power,
        event_mass: proof.event_mass,
        pair: pair.clone(),
        event: epoch.event,
        counts: epoch.counts,
        counted: match learned_again {
            true => Counted::Training,
            false => Counted::Later,
        },
        confirmation: None,
        calls: caller.calls(),
        // An audit that stopped early would have gone on to the end without its proof.
        undetectable_mass: undetectable_mass(
            if stopped {
                question.calls
            } else {
                caller.answers.calls[0].max(caller.answers.calls[1])
            },
            &levels.both(),
            &ratio(MISS.0, MISS.1),
        )?,
        miss: ratio(MISS.0, MISS.1),
        features_read: epoch.features_read,
        answers: caller.answers,
        beliefs: caller.beliefs.said(),
        seconds: start.elapsed(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Method, Verdict};
    use super::super::question::tests::question;
    use super::*;
    use crate::targets::{Function, Output, TargetError};
    use dp_assay::coins::Coins;
    use dp_assay::number::Rational;
    use dp_assay::stats::TwoSample;
    use serde_json::json;

    /// Tells the datasets apart always.
    fn leak(data: &serde_json::Value) -> Result<Output, TargetError> {
        Ok(Output::float(data[0].as_f64().unwrap_or(0.0)))
    }

    #[test]
    fn a_gross_leak_is_proved_in_a_hundred_calls() {
        let pair = Pair(json!([0]), json!([1]));
        let found = audit_pair(&mut Function(leak), &pair, &question(1_000_000)).unwrap();
        assert_eq!(found.verdict, Verdict::Violation);
        assert!(found.calls <= 100, "{}", found.calls);
        // The event is told with what was seen of it.
        let counts = found.counts;
        assert_eq!(counts.first_calls + counts.second_calls, found.calls);
        assert_eq!(
            counts.first + counts.second,
            [counts.first_calls, counts.second_calls]
                [usize::from(found.event.likelier == events::Side::Second)]
        );
    }

    /// Texts so long that not all can be kept: the event is learned from those that were, and counted in them.
    #[test]
    fn counts_of_the_outputs_that_were_learned_from_are_told_apart_although_some_were_dropped() {
        let mut tells = Function(|data: &serde_json::Value| {
            let letter = if data[0] == 1 { "y" } else { "x" };
            Ok(Output::Label(letter.repeat(1 << 24)))
        });
        let pair = Pair(json!([0]), json!([1]));
        let found = audit_pair(&mut tells, &pair, &question(4000)).unwrap();
        assert_eq!(found.method, Some(Method::Sequential));
        let counted = found.counts.first_calls + found.counts.second_calls;
        assert!(counted < found.calls, "{counted} of {}", found.calls);
        assert_eq!(found.counted, Counted::Training);
        // After the last epoch, counts are of calls that nothing was learned from.
        let question = Question {
            until: Until::End,
            ..question(400)
        };
        let found = audit_pair(&mut Function(leak), &pair, &question).unwrap();
        assert_eq!(found.counted, Counted::Later);
    }

    /// A claim that is not refuted early: the bound at the end is that of a fifth of the level and, if it is alone, of
    /// all of it. With what the other test may spend, the first would be too high.
    #[test]
    fn the_exact_test_keeps_to_its_part_of_the_level() {
        let mut coins = ChaCha::reproducible(3, 3);
        let mut respond = |data: &serde_json::Value| {
            // The true epsilon is ln 3.
            let lie = coins.bits(2)? == 0;
            let bit = data[0].as_u64() == Some(1);
            Ok(Output::Integer(i128::from(bit != lie)))
        };
        let pair = Pair(json!([0]), json!([1]));
        for (until, part) in [(Until::Proof, ratio(1, 5)), (Until::End, ratio(1, 1))] {
            let question = Question {
                claim: Claim::budget(ratio(11, 10), ratio(0, 1)),
                until,
                ..question(20_000)
            };
            let found = audit_pair(&mut Function(&mut respond), &pair, &question).unwrap();
            assert_eq!(found.method, Some(Method::Fixed));
            let (likely, rare) = found.counts.likelier_first(found.event.likelier);
            let bound = |part: Rational| {
                let test = TwoSample::new(likely.0, rare.0, &(&question.level * part)).unwrap();
                test.epsilon_lower(likely.1, rare.1, &ratio(0, 1)).unwrap()
            };
            assert_eq!(found.epsilon_lower, bound(part.clone()));
            assert!(bound(part.clone() * ratio(4, 5)) < bound(part));
        }
    }

    #[test]
    fn all_calls_are_spent_on_request_and_bound_epsilon_better() {
        let pair = Pair(json!([0]), json!([1]));
        let audit = |until| {
            let question = Question {
                until,
                ..question(4000)
            };
            audit_pair(&mut Function(leak), &pair, &question).unwrap()
        };
        let (early, late) = (audit(Until::Proof), audit(Until::End));
        assert_eq!((late.calls, late.method), (4000, Some(Method::Fixed)));
        assert!(late.epsilon_lower > early.epsilon_lower);
        // The exact test sees only calls that its event was not learned from.
        assert_eq!(late.counts.first_calls + late.counts.second_calls, 3000);
    }

    #[test]
    fn bounds_for_a_fixed_number_of_calls_are_not_stated_after_an_early_stop() {
        let pair = Pair(json!([0]), json!([1]));
        // Stopped at once.
        let found = audit_pair(&mut Function(leak), &pair, &question(4000)).unwrap();
        assert_eq!(found.method, Some(Method::Sequential));
        assert!(found.delta_lower.is_none() && found.event_power.is_none());
        // What would have been missed is so by all calls, which would have been made without the proof.
        assert!(found.calls < 400, "{}", found.calls);
        let missed = undetectable_mass(4000, &ratio(1, 20), &ratio(1, 20)).unwrap();
        assert_eq!(found.undetectable_mass, missed);
        // Says nothing: all calls are spent.
        let mut silent = Function(|_: &serde_json::Value| Ok(Output::float(0.0)));
        let found = audit_pair(&mut silent, &pair, &question(4000)).unwrap();
        assert_eq!(found.verdict, Verdict::NotRefuted);
        assert_eq!(found.delta_lower, Some(0.0));
    }
}
