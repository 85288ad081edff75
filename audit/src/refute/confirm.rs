//! The event that is shown of a proof by bets, on calls that it was not learned from.
//!
//! Bets win on many cells, and often before much is known of any one event: the event learned until then need not be what they
//! won on, nor come more often than the claim allows. So fresh calls are made, for the reader: nothing that is decided rests on
//! them, and no part of the level is spent.
//!
//! 1. *Candidates* are the event, the cells on which the bets won most, and the best events of each plainness
//!    ([`Plainness`](crate::events::Plainness)). Where the outputs of the proof were not kept, some are made to learn them.
//! 2. *A round*, of as many calls as the proof took; later ones of twice as many as the one before. All are counted in it.
//! 3. Those *carry the proof* that came more often than the claim allows, and than half of the bound allows, by [`ERRORS`]
//!    standard errors. Of those that show nearly as much as the best of them the plainest is shown, with these counts.
//! 4. Otherwise more candidates are learned from all rounds so far, and the next one is made: [`ROUNDS`] at most. In the last
//!    one [`LAST_ERRORS`] standard errors are enough.

use super::calls::Caller;
use super::claim::Claim;
use super::exact_test::Spent;
use super::finding::{Confirmation, Counted, EventCounts, Finding};
use super::question::{AuditError, Question};
use crate::events::{Aim, Event, Kept, Lesson};
use crate::targets::{Output, Target};
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::{integer, to_f64_for_display};
use dp_assay::privacy::HalfPlane;

/// The most rounds.
const ROUNDS: u32 = 4;
/// The least calls of the first round, and the most of any: more, up to [`LONGEST`], after a proof that took more.
const LEAST_CALLS: u64 = 64;
const MOST_CALLS: u64 = 100_000;
const LONGEST: u64 = 1 << 20;
/// The most calls to learn from, where nothing was kept.
const MOST_LEARNED: u64 = 20_000;
/// By so many standard errors an event must exceed what it is held against.
const ERRORS: f64 = 3.0;
const LAST_ERRORS: f64 = 2.0;
/// An event shows nearly as much as another one if its bound on epsilon is this part of that one's.
const AS_WELL: f64 = 0.8;
/// The most candidates.
const MOST_CANDIDATES: usize = 64;

/// The finding with an event that carries its proof on fresh calls or, if none is found, as it is and told so. A finding
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
    let needed = needed(found, &question.claim);
    let mut candidates = Vec::new();
    add(&mut candidates, [found.event.clone()]);
    add(&mut candidates, found.won.iter().cloned());
    let most = MOST_CALLS.max((found.calls / 2).min(LONGEST));
    let mut round = found.calls.clamp(LEAST_CALLS, most);
    if found.counted != Counted::Training {
        call(&mut caller, round.min(MOST_LEARNED), |outputs| {
            kept.extend(outputs)
        })?;
        add(&mut candidates, learned(&kept, found, question)?);
    }
    for number in 1..=ROUNDS {
        let mut counts = vec![EventCounts::default(); candidates.len()];
        call(&mut caller, round, |outputs| {
            for (event, counts) in candidates.iter().zip(&mut counts) {
                counts.count(event, &outputs);
            }
            kept.extend(outputs);
        })?;
        let all = candidates.iter().zip(&counts);
        let mut chosen = plainest(all.clone(), &needed, ERRORS)?;
        if chosen.is_none() && number == ROUNDS {
            chosen = plainest(all, &needed, LAST_ERRORS)?;
        }
        confirmed.confirmation = Some(Confirmation {
            exceeds: chosen.is_some(),
            calls: caller.calls(),
        });
        if let Some((event, counts)) = chosen {
            let chosen = Spent::seen(event, counts).chooses(&question.claim)?;
            confirmed.half_plane = chosen.half_plane;
            confirmed.event = event.clone();
            confirmed.counts = *counts;
            confirmed.counted = Counted::Confirming;
            break;
        }
        add(&mut candidates, learned(&kept, found, question)?);
        round = (2 * round).min(most);
    }
    Ok(confirmed)
}

/// Calls so often, in parts whose outputs can be held.
fn call(
    caller: &mut Caller<'_>,
    calls: u64,
    mut heard: impl FnMut([Vec<Output>; 2]),
) -> Result<(), AuditError> {
    let mut left = calls;
    while left > 0 {
        let part = left.min(caller.room);
        left -= part;
        heard(caller.call(part)?);
    }
    Ok(())
}

/// Adds events that are not there yet.
fn add(candidates: &mut Vec<Event>, events: impl IntoIterator<Item = Event>) {
    for event in events {
        if candidates.len() < MOST_CANDIDATES && !candidates.contains(&event) {
            candidates.push(event);
        }
    }
}

/// What these outputs teach: the events that promise most against the claim, and plain ones.
fn learned(kept: &Kept, found: &Finding, question: &Question) -> Result<Vec<Event>, AuditError> {
    let [first, second] = kept.outputs();
    let calls = first.len().max(second.len());
    let aim = Aim::after(calls, question.claim.first_aim());
    let mut lesson = Lesson::of(first, second, aim, found.aspect);
    let mut events = lesson.plain_events();
    for delta in question.claim.aims(None) {
        lesson.aim_at(delta);
        events.push(lesson.event());
    }
    Ok(events)
}

/// What an event that carries the proof must exceed: the claim, and half of the bound.
fn needed(found: &Finding, claim: &Claim) -> Claim {
    let (_, claimed) = claim.parameter();
    match found.lower() {
        Some(bound) if *bound > &claimed * integer(2) => {
            claim.times(&(bound / (claimed * integer(2))))
        }
        _ => claim.clone(),
    }
}

/// The plainest of the events that exceed what is needed and show nearly as much as the best of them.
fn plainest<'a>(
    candidates: impl Iterator<Item = (&'a Event, &'a EventCounts)>,
    needed: &Claim,
    errors: f64,
) -> Result<Option<(&'a Event, &'a EventCounts)>, AuditError> {
    let mut carrying = Vec::new();
    for (event, counts) in candidates {
        let half_plane = Spent::seen(event, counts).chooses(needed)?.half_plane;
        if exceeds(counts, event, &half_plane, errors) {
            let shown = shown(counts, event, to_f64_for_display(half_plane.delta()));
            carrying.push((shown, event, counts));
        }
    }
    let most = carrying
        .iter()
        .map(|(shown, ..)| *shown)
        .fold(0.0, f64::max);
    carrying.retain(|(shown, ..)| *shown >= AS_WELL * most);
    let plainest = carrying.into_iter().min_by(|(x, a, _), (y, b, _)| {
        let plain = a.plainness().cmp(&b.plainness());
        let short = a.predicate.size().cmp(&b.predicate.size());
        plain.then(short).then(y.total_cmp(x))
    });
    Ok(plainest.map(|(_, event, counts)| (event, counts)))
}

/// The epsilon that these counts show at this delta, two standard errors to the safe side. An event that never came on the
/// other dataset is taken for one that came half a time.
fn shown(counts: &EventCounts, event: &Event, delta: f64) -> f64 {
    let (likely, rare) = counts.likelier_first(event.likelier);
    let calls = [likely.0, rare.0].map(|calls| calls.max(1) as f64);
    let p = likely.1 as f64 / calls[0];
    let q = (rare.1 as f64).max(0.5) / calls[1];
    let [v, w] = [p * (1.0 - p) / calls[0], q * (1.0 - q) / calls[1]];
    let holds = |epsilon: f64| {
        let slope = epsilon.exp();
        p - slope * q - delta >= LAST_ERRORS * (v + slope * slope * w).sqrt()
    };
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..30 {
        let middle = f64::midpoint(low, high);
        match holds(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Whether the event came more often than a half-plane allows, by so many standard errors. In floats: it decides only what is
/// shown.
fn exceeds(counts: &EventCounts, event: &Event, half_plane: &HalfPlane, errors: f64) -> bool {
    let (likely, rare) = counts.likelier_first(event.likelier);
    let rate = |(calls, came): (u64, u64)| came as f64 / calls.max(1) as f64;
    let variance = |(calls, came): (u64, u64)| {
        let rate = rate((calls, came));
        rate * (1.0 - rate) / calls.max(1) as f64
    };
    let factor = to_f64_for_display(half_plane.slope());
    let excess = rate(likely) - factor * rate(rare) - to_f64_for_display(half_plane.delta());
    let error = (variance(likely) + factor * factor * variance(rare)).sqrt();
    likely.0 > 0 && rare.0 > 0 && excess > errors * error
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
