//! A shorter event that proves the violation once more: fewer parts, fewer values, fewer digits.
//!
//! 1. *Training.* A quarter of the calls. From the event that was found, [`shorter`] events are chosen that still
//!    promise to prove the claim false; at most [`SHORTER_EVENTS`], the shortest first.
//! 2. *Testing*, on fresh calls, each on one of the two datasets by a fair coin: the exact test for each candidate,
//!    with an equal share of the level. The candidates were fixed before, so that all the tests together are wrong
//!    with probability at most the level, although they count the same outputs.
//! 3. The first candidate that proves the violation takes the place of the event.

use super::calls::{room, sample};
use super::exact_test::{Proof, Spent};
use super::finding::{Counted, EventCounts, Finding, Verdict};
use super::levels::SHORTER_EVENTS;
use super::question::{AuditError, Question};
use crate::events::{Aim, Kept, shorter};
use crate::targets::Target;
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, to_f64_for_display};
use dp_assay::stats::power::undetectable_mass;
use std::time::Instant;

/// The most calls that are spent, training included.
const MOST_CALLS: u64 = 200_000;
/// The calls of the first batch, and of the largest.
const FIRST_BATCH: u64 = 4;
const BATCH: u64 = 4000;

/// The finding with a shorter event that is proved on fresh calls; `None` if there is none. Each test has this level: all of them
/// spend [`SHORTER_EVENTS`] times as much, which is what the finding states.
///
/// # Errors
/// [`AuditError::Target`] if the target fails.
pub(super) fn shorten_event(
    target: &mut dyn Target,
    found: &Finding,
    question: &Question,
    level: Rational,
) -> Result<Option<Finding>, AuditError> {
    question.check()?;
    let start = Instant::now();
    if found.event.is_shortest() {
        return Ok(None);
    }
    let mut coins = ChaCha::reproducible(question.seed, 2 << 32);
    // What was said in the finding is kept.
    let mut beliefs = found.beliefs.clone().unwrap_or_default();

    // 1. Training.
    let calls = question.calls.min(MOST_CALLS);
    let training = (calls / 8) as usize;
    let mut kept = Kept::default();
    // Long outputs are called for in smaller batches.
    let mut held = FIRST_BATCH;
    let mut rest = training;
    while rest > 0 {
        let batch = rest.min(held as usize);
        rest -= batch;
        let first = sample(target, &found.pair.0, batch, &mut beliefs)?;
        let second = sample(target, &found.pair.1, batch, &mut beliefs)?;
        held = BATCH.min(room(first.iter().chain(&second)));
        kept.extend([first, second]);
    }
    let [first, second] = kept.outputs();
    let testing = calls - 2 * training as u64;
    let aim = Aim {
        delta: to_f64_for_display(found.half_plane.delta()),
        calls: testing / 2,
        level: to_f64_for_display(&level),
    };
    let epsilon = to_f64_for_display(found.half_plane.slope()).ln();
    let candidates = shorter(&found.event, first, second, &aim, epsilon, SHORTER_EVENTS);
    if candidates.is_empty() {
        return Ok(None);
    }

    // 2. Testing, batch by batch: only counts are kept.
    let mut counts = vec![EventCounts::default(); candidates.len()];
    let mut left = testing;
    while left > 0 {
        let batch = left.min(held);
        left -= batch;
        let mut ones = 0;
        for _ in 0..batch {
            ones += coins.bits(1)?;
        }
        let on_first = sample(target, &found.pair.0, (batch - ones) as usize, &mut beliefs)?;
        let on_second = sample(target, &found.pair.1, ones as usize, &mut beliefs)?;
        held = BATCH.min(room(on_first.iter().chain(&on_second)));
        let outputs = [on_first, on_second];
        for (event, counts) in candidates.iter().zip(&mut counts) {
            counts.count(event, &outputs);
        }
    }

    // 3. The shortest that proves it.
    let all_tests = &level * integer(SHORTER_EVENTS as u64);
    for (event, counts) in candidates.into_iter().zip(counts) {
        let spent = Spent::of(&event, [first, second]);
        let proof = Proof::by_counts(&event, &counts, spent, &question.claim, &level)?;
        if proof.verdict() == Verdict::Violation {
            // A leak on the dataset that was called more often is missed least.
            let most = training as u64 + counts.first_calls.max(counts.second_calls);
            return Ok(Some(Finding {
                aspect: found.aspect,
                other_line: None,
                verdict: Verdict::Violation,
                epsilon_lower: proof.epsilon_lower,
                parameter_lower: proof.parameter_lower,
                half_plane: proof.half_plane.unwrap_or_else(|| found.half_plane.clone()),
                level: all_tests.clone(),
                delta_lower: proof.delta_lower,
                method: Some(proof.method),
                pair: found.pair.clone(),
                event,
                won: Vec::new(),
                counts,
                counted: Counted::Later,
                confirmation: None,
                calls,
                undetectable_mass: undetectable_mass(most, &all_tests, &found.miss)?,
                miss: found.miss.clone(),
                event_power: proof.event_power,
                event_mass: proof.event_mass,
                features_read: found.features_read.clone(),
                answers: found.answers.clone(),
                beliefs: beliefs.said(),
                seconds: start.elapsed(),
            }));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::pair::audit_pair;
    use super::super::question::tests::question;
    use super::super::shrink::shrink_violation;
    use super::*;
    use crate::events::{Event, Feature, Predicate, Side};
    use crate::pairs::Pair;
    use crate::targets::{Function, Output};
    use dp_assay::number::rational::ratio;
    use dp_assay::privacy::NeighbouringRelation;
    use serde_json::{Value, json};

    /// Of the outputs 0 to 99, 7 comes with probability 0.209 on [1] and 0.0095 otherwise; the others share the rest
    /// evenly: epsilon = ln 22.
    fn leaks_at_seven()
    -> Function<impl FnMut(&Value) -> Result<Output, crate::targets::TargetError>> {
        let mut coins = ChaCha::reproducible(5, 0);
        Function(move |data: &Value| {
            let bits = coins.bits(40)?;
            let leaks = data[0] == 1 && bits % 5 == 0;
            Ok(Output::Integer(if leaks {
                7
            } else {
                (bits / 5 % 105).min(99).into()
            }))
        })
    }

    fn with_event(found: &Finding, values: impl IntoIterator<Item = i128>) -> Finding {
        Finding {
            event: Event {
                likelier: Side::Second,
                predicate: Predicate::OneOf {
                    feature: Feature::Exact { at: None },
                    values: values.into_iter().map(Output::Integer).collect(),
                },
            },
            ..found.clone()
        }
    }

    fn found(calls: u64) -> Finding {
        let pair = Pair(json!([0]), json!([1]));
        let found = audit_pair(&mut leaks_at_seven(), &pair, &question(calls)).unwrap();
        assert_eq!(found.verdict, Verdict::Violation);
        found
    }

    #[test]
    fn a_union_ends_at_the_value_that_leaks_and_is_proved_again() {
        let long = with_event(&found(40_000), (0..30).filter(|v| v % 3 == 1));
        let short = shorten_event(
            &mut leaks_at_seven(),
            &long,
            &question(40_000),
            ratio(1, 120),
        )
        .unwrap()
        .unwrap();
        assert_eq!(short.event.to_string(), "output = 7");
        // Whichever of the six proves it: all of them were tested.
        assert_eq!(short.level, ratio(6, 120));
        assert!(short.epsilon_lower > Some(ratio(2, 1)), "{short:?}");
        // The counts are those of the fresh calls, and of this event.
        let counts = short.counts;
        assert_eq!(counts.first_calls + counts.second_calls, 30_000);
        assert!(counts.second > 15 * counts.first, "{counts:?}");
        // Each of the six that may be shorter is tested at the level that was given.
        let test = |level| {
            dp_assay::stats::TwoSample::new(counts.second_calls, counts.first_calls, &level)
                .unwrap()
        };
        let bound = |level| {
            test(level)
                .epsilon_lower(counts.second, counts.first, &ratio(0, 1))
                .unwrap()
        };
        assert_eq!(short.epsilon_lower, bound(ratio(1, 120)));
        assert_ne!(short.epsilon_lower, bound(ratio(1, 20)));
        // So is the undetectable mass: ln 19 / 20,000 calls on each dataset, within 500 by chance (the standard deviation
        // is 87), and not that of the original finding, which stopped early.
        assert_eq!(short.calls, 40_000);
        let calls = 19f64.ln() / short.undetectable_mass;
        assert!((19_500.0..20_500.0).contains(&calls), "{short:?}");
        assert!(short.event_power > Some(ratio(1, 1)), "{short:?}");
        assert!(short.seconds.as_nanos() > 0 && short.seconds != long.seconds);
    }

    #[test]
    fn a_private_mechanism_has_no_shorter_event() {
        // Whatever event was believed in: on outputs that say nothing, no candidate is proved.
        let mut coins = ChaCha::reproducible(9, 0);
        let mut silent = Function(move |_: &Value| Ok(Output::Integer(coins.bits(4)?.into())));
        let long = with_event(&found(40_000), 0..10);
        assert!(
            shorten_event(&mut silent, &long, &question(40_000), ratio(1, 120))
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn what_only_the_training_shows_is_not_proved() {
        // Leaks at 7 in the 10,000 training calls, and never again.
        let (mut leak, mut calls) = (leaks_at_seven(), 0);
        let mut changing = Function(move |data: &Value| {
            calls += 1;
            let leaky = calls <= 10_000;
            (leak.0)(if leaky { data } else { &Value::Null })
        });
        let long = with_event(&found(40_000), 0..10);
        let shorter =
            shorten_event(&mut changing, &long, &question(40_000), ratio(1, 120)).unwrap();
        assert!(shorter.is_none(), "{shorter:?}");
    }

    #[test]
    fn an_event_of_one_value_costs_no_calls() {
        let mut asked = 0;
        let mut target = Function(|_: &Value| {
            asked += 1;
            Ok(Output::Integer(0))
        });
        let short = with_event(&found(40_000), [7]);
        assert!(
            shorten_event(&mut target, &short, &question(40_000), ratio(1, 120))
                .unwrap()
                .is_none()
        );
        assert_eq!(asked, 0);
    }

    #[test]
    fn shrinking_a_violation_shortens_its_event() {
        let long = with_event(&found(40_000), 0..50);
        let question = Question {
            shrink: true,
            ..question(40_000)
        };
        let relation = Some(NeighbouringRelation::Substitute);
        let shrunk = shrink_violation(&mut leaks_at_seven(), &long, relation, None, &question);
        assert_eq!(
            shrunk.unwrap().smallest.unwrap().event.to_string(),
            "output = 7"
        );
    }
}
