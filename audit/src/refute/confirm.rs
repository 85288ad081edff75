//! The event that is shown of a proof by bets, on calls that it was not learned from.
//!
//! Bets win on many cells, and often before much is known of any one event: the event learned until then need not come more
//! often than the claim allows. So fresh calls are made, for the reader: nothing that is decided rests on them, and no part
//! of the level is spent.
//!
//! 1. *A round*, of as many calls as the proof took; later ones of twice as many as the one before.
//! 2. If the event came more often than the claim allows, by [`ERRORS`] standard errors, it is shown with these counts.
//! 3. Otherwise an event is learned from all rounds so far, and the next one is made for it: [`ROUNDS`] at most.

use super::calls::Caller;
use super::exact_test::Spent;
use super::finding::{Confirmation, Counted, EventCounts, Finding};
use super::question::{AuditError, Question};
use crate::events::{Aim, Event, Kept, Lesson};
use crate::targets::Target;
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::to_f64_for_display;
use dp_assay::privacy::HalfPlane;

/// The most rounds.
const ROUNDS: u32 = 4;
/// The least calls of the first round, and the most of any.
const LEAST_CALLS: u64 = 64;
const MOST_CALLS: u64 = 100_000;
/// By so many standard errors the event must exceed the claim.
const ERRORS: f64 = 2.0;

/// The finding with an event that exceeds the claim on fresh calls or, if none is found, as it is and told so. A finding
/// whose proof is the count of its own event needs none.
///
/// # Errors
/// [`AuditError::Target`] if the target fails.
pub fn confirm_event(
    target: &mut dyn Target,
    found: &Finding,
    question: &Question,
) -> Result<Finding, AuditError> {
    let mut confirmed = found.clone();
    let coins = ChaCha::reproducible(question.seed, 3 << 32);
    let mut caller = Caller::new(target, &found.pair, coins, LEAST_CALLS);
    let mut kept = Kept::default();
    let mut event = found.event.clone();
    let mut round = found.calls.clamp(LEAST_CALLS, MOST_CALLS);
    for _ in 0..ROUNDS {
        // 1. A round, in parts whose outputs can be held.
        let mut counts = EventCounts::default();
        let mut left = round;
        while left > 0 {
            let part = left.min(caller.room);
            left -= part;
            let outputs = caller.call(part)?;
            counts.count(&event, &outputs);
            kept.extend(outputs);
        }
        // 2. Does it exceed the claim?
        let chosen = Spent::seen(&event, &counts).chooses(&question.claim)?;
        let exceeds = exceeds(&counts, &event, &chosen.half_plane);
        confirmed.confirmation = Some(Confirmation {
            exceeds,
            calls: caller.calls(),
        });
        if exceeds {
            confirmed.event = event;
            confirmed.half_plane = chosen.half_plane;
            confirmed.counts = counts;
            confirmed.counted = Counted::Confirming;
            break;
        }
        // 3. Another event.
        let [first, second] = kept.outputs();
        let calls = first.len().max(second.len());
        let aim = Aim::after(calls, question.claim.first_aim());
        let mut lesson = Lesson::of(first, second, aim, found.aspect);
        let (mut best, mut other) = (f64::NEG_INFINITY, None);
        for delta in question.claim.aims(None) {
            lesson.aim_at(delta);
            let learned = lesson.event();
            let excess = Spent::of(&learned, [first, second])
                .chooses(&question.claim)?
                .excess;
            if excess > best {
                (best, other) = (excess, Some(learned));
            }
        }
        event = other.unwrap_or(event);
        round = (2 * round).min(MOST_CALLS);
    }
    Ok(confirmed)
}

/// Whether the event came more often than the claim allows, by [`ERRORS`] standard errors. In floats: it decides only what
/// is shown.
fn exceeds(counts: &EventCounts, event: &Event, half_plane: &HalfPlane) -> bool {
    let (likely, rare) = counts.likelier_first(event.likelier);
    let rate = |(calls, came): (u64, u64)| came as f64 / calls.max(1) as f64;
    let variance = |(calls, came): (u64, u64)| {
        let rate = rate((calls, came));
        rate * (1.0 - rate) / calls.max(1) as f64
    };
    let factor = to_f64_for_display(half_plane.slope());
    let excess = rate(likely) - factor * rate(rare) - to_f64_for_display(half_plane.delta());
    let error = (variance(likely) + factor * factor * variance(rare)).sqrt();
    likely.0 > 0 && rare.0 > 0 && excess > ERRORS * error
}

#[cfg(test)]
mod tests {
    use super::super::finding::Verdict;
    use super::super::pair::audit_pair;
    use super::super::question::tests::question;
    use super::*;
    use crate::pairs::Pair;
    use crate::targets::{Function, Output};
    use dp_assay::coins::Coins;
    use dp_assay::number::rational::ratio;
    use dp_assay::sample::DiscreteLaplace;
    use num_traits::ToPrimitive;
    use serde_json::json;

    /// Noise of two thirds of the scale: the bets prove it before any one event is well known. With every seed the event
    /// that is shown came more often than the claim allows.
    #[test]
    fn the_event_that_is_shown_exceeds_the_claim() {
        let noise = DiscreteLaplace::new(ratio(2, 3)).unwrap();
        let mut violations = 0;
        for seed in 1..=20 {
            let mut coins = ChaCha::reproducible(seed, 0);
            let mut target = Function(|data: &serde_json::Value| {
                let noise = coins.draw(&noise)?.to_i128().unwrap_or(0);
                Ok(Output::Integer(noise + i128::from(data[0] == 1)))
            });
            let question = Question {
                seed,
                ..question(20_000)
            };
            let pair = Pair(json!([0]), json!([1]));
            let found = audit_pair(&mut target, &pair, &question).unwrap();
            if found.verdict != Verdict::Violation || found.counted != Counted::Training {
                continue;
            }
            violations += 1;
            let shown = confirm_event(&mut target, &found, &question).unwrap();
            assert_eq!(shown.counted, Counted::Confirming, "{seed}: {shown:?}");
            let (likely, rare) = shown.counts.likelier_first(shown.event.likelier);
            let [p, q] = [likely, rare].map(|(calls, came)| came as f64 / calls as f64);
            assert!(p > 1f64.exp() * q, "{seed}: {likely:?} {rare:?}");
            // It decides nothing.
            assert_eq!(shown.epsilon_lower, found.epsilon_lower);
            assert_eq!(shown.calls, found.calls);
        }
        assert!(violations >= 10, "{violations}");
    }

    #[test]
    fn an_event_that_never_exceeds_the_claim_is_told_so() {
        let pair = Pair(json!([0]), json!([1]));
        let mut leak = Function(|data: &serde_json::Value| {
            Ok(Output::Integer(data[0].as_i64().unwrap_or(0).into()))
        });
        let found = audit_pair(&mut leak, &pair, &question(400)).unwrap();
        // The program stops to leak.
        let mut silent = Function(|_: &serde_json::Value| Ok(Output::Integer(0)));
        let shown = confirm_event(&mut silent, &found, &question(400)).unwrap();
        assert_eq!(shown.counted, found.counted);
        let confirmation = shown.confirmation.unwrap();
        assert!(!confirmation.exceeds && confirmation.calls >= 15 * LEAST_CALLS);
        assert_eq!(shown.event, found.event);
    }
}
