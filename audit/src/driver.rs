//! The audit itself: samples, and a verdict with a proof.
//!
//! On one pair of datasets:
//!
//! 1. *Training.* A quarter of the calls. An event and a partition of the outputs into cells are learned
//!    from them; they are used for nothing else.
//! 2. *Testing*, on fresh calls, each on one of the two datasets by a fair coin. Half of the level goes to an
//!    e-process on the cells, which may be looked at at any time and stops as soon as the proof is there;
//!    half to one exact test of the learned event, when all calls are spent.
//! 3. *Verdict.* A violation is proved at the level. Otherwise the claim is not refuted, and the report says
//!    what could not have been seen.
//!
//! Floats choose what is looked at; what is decided rests on [`dp_assay::stats`].

use crate::events::{self, Cells, Event, learn_event};
use crate::pairs::{Domain, Effort, Pair, search, shrink};
use crate::shortening::shorten_event;
use crate::targets::{Beliefs, Output, Target, TargetError};
use dp_assay::coins::{ChaCha, Coins, CoinsError};
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::number::{NumberError, Rational};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::stats::power::{detected_epsilon, undetectable_mass};

use dp_assay::stats::{EProcess, Null, Side, StatsError, TwoSample, delta_lower, smoothed};
use num_bigint::BigInt;
use serde::Serialize;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What is claimed, and how much may be spent on it.
#[derive(Debug, Clone)]
pub struct Question {
    /// The claimed epsilon, in (0, 40].
    pub epsilon: Rational,
    /// The claimed delta, in [0, 1).
    pub delta: Rational,
    /// The probability with which a true claim may be called violated.
    pub level: Rational,
    /// The calls on the final pair, training included.
    pub calls: u64,
    /// The seed of the auditor's own coins.
    pub seed: u64,
}

/// Why an audit could not be carried out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The target failed: the audit is inconclusive.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The question is not one.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// The auditor's own coins failed.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A probability of the reference law could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A question out of range.
    #[error("{field} must be {expected}, got {value}")]
    Question {
        /// The field.
        field: &'static str,
        /// What would be right.
        expected: &'static str,
        /// The value as given.
        value: String,
    },
}

/// What an audit says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim is false, except with probability at most the level.
    Violation,
    /// No proof was found. That is not a proof of privacy.
    NotRefuted,
}

/// Which of the two tests gave the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The e-process on the cells, which may stop early.
    Sequential,
    /// The exact test of the learned event, at the end.
    Fixed,
}

/// How often the event was counted on the test calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EventCounts {
    /// Calls on the first dataset.
    pub first_calls: u64,
    /// Of these, in the event.
    pub first: u64,
    /// Calls on the second dataset.
    pub second_calls: u64,
    /// Of these, in the event.
    pub second: u64,
}

/// What an audit of one pair found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// Epsilon is above this, except with probability at most the level; `None` if nothing is proved.
    pub epsilon_lower: Option<Rational>,
    /// Delta at the claimed epsilon is at least this, except with probability at most half the level: a
    /// statement by itself, beside that on epsilon. `None` if the sequential test stopped: the number of calls
    /// then depends on the outputs, and bounds for a fixed number do not hold.
    pub delta_lower: Option<f64>,
    /// Which test gave the bound.
    pub method: Option<Method>,
    /// The pair.
    pub pair: Pair,
    /// The learned event.
    pub event: Event,
    /// How often it came.
    pub counts: EventCounts,
    /// All calls, training included.
    pub calls: u64,
    /// A leak of less than this mass on one dataset is missed with probability at least `miss`.
    pub undetectable_mass: f64,
    /// See `undetectable_mass`.
    pub miss: Rational,
    /// For this event and these numbers of calls: the epsilon that would be rejected with probability 0.95.
    /// `None` also if the sequential test stopped, as for `delta_lower`.
    pub event_power: Option<Rational>,
    /// What the target said about its own noise, if it said something.
    pub beliefs: Option<Beliefs>,
    /// How long it took.
    pub seconds: Duration,
}

impl Question {
    /// Checks that it is a question.
    ///
    /// # Errors
    /// [`AuditError::Question`], which names the field.
    pub fn check(&self) -> Result<(), AuditError> {
        let fail = |field, expected, value: String| {
            Err(AuditError::Question {
                field,
                expected,
                value,
            })
        };
        if self.epsilon <= integer(0) || self.epsilon > integer(40) {
            return fail(
                "epsilon",
                "above 0 and at most 40",
                self.epsilon.to_string(),
            );
        }
        if self.delta < integer(0) || self.delta >= integer(1) {
            return fail("delta", "at least 0 and below 1", self.delta.to_string());
        }
        if self.level <= integer(0) || self.level >= integer(1) {
            return fail("the level", "above 0 and below 1", self.level.to_string());
        }
        if self.calls < 400 {
            return fail(
                "the number of calls",
                "at least 400",
                self.calls.to_string(),
            );
        }
        Ok(())
    }

    /// The epsilons of the sequential test: the claimed one, and multiples of it for the bound.
    fn grid(&self) -> Vec<Rational> {
        [
            100, 102, 105, 110, 120, 135, 150, 175, 200, 250, 300, 400, 600,
        ]
        .iter()
        .map(|&percent| &self.epsilon * ratio(percent, 100))
        .filter(|epsilon| *epsilon <= integer(40))
        .collect()
    }
}

/// The calls of one batch.
const BATCH: usize = 4000;
/// The most training calls on each dataset.
const MOST_TRAINING: u64 = 50_000;
/// The probability of a miss that is reported.
const MISS: (i64, i64) = (1, 20);

/// Audits the claim on one pair.
///
/// # Errors
/// [`AuditError::Target`] if the target fails, and then nothing is concluded; [`AuditError::Question`].
pub fn audit_pair(
    target: &mut dyn Target,
    pair: &Pair,
    question: &Question,
) -> Result<Finding, AuditError> {
    question.check()?;
    let start = Instant::now();
    let delta = to_f64_for_display(&question.delta);
    let null = Null::new(&question.epsilon, &question.delta)?;
    let half = &question.level / BigInt::from(2);

    // 1. Training.
    let training = (question.calls / 8).min(MOST_TRAINING) as usize;
    let mut beliefs = Beliefs::default();
    let first = sample(target, &pair.0, training, &mut beliefs)?;
    let second = sample(target, &pair.1, training, &mut beliefs)?;
    let event = learn_event(&first, &second, delta);
    let cells = Cells::around(&event, &first, &second, delta);
    let guess = |outputs: &[Output]| {
        let mut counts = vec![0; cells.count()];
        for output in outputs {
            counts[cells.index(output)] += 1;
        }
        smoothed(&counts)
    };
    let mut process = EProcess::new(
        &question.grid(),
        &question.delta,
        &guess(&first)?,
        &guess(&second)?,
    )?;
    drop((first, second));

    // 2. Testing, in batches of calls whose dataset a fair coin chose before.
    let mut coins = ChaCha::reproducible(question.seed, 1 << 32);
    let mut left = (question.calls - 2 * training as u64) as usize;
    let mut counts = EventCounts {
        first_calls: 0,
        first: 0,
        second_calls: 0,
        second: 0,
    };
    let mut proved = None;
    while left > 0 && proved.is_none() {
        let batch = left.min(BATCH);
        left -= batch;
        let sides = (0..batch)
            .map(|_| coins.bits(1).map(|bit| bit == 1))
            .collect::<Result<Vec<_>, _>>()?;
        let ones = sides.iter().filter(|&&side| side).count();
        let mut on_first = sample(target, &pair.0, ones, &mut beliefs)?.into_iter();
        let mut on_second = sample(target, &pair.1, batch - ones, &mut beliefs)?.into_iter();
        for side in sides {
            let (output, side) = if side {
                (on_first.next(), Side::First)
            } else {
                (on_second.next(), Side::Second)
            };
            let Some(output) = output else { continue };
            let hit = u64::from(event.contains(&output));
            match side {
                Side::First => {
                    counts.first_calls += 1;
                    counts.first += hit;
                }
                Side::Second => {
                    counts.second_calls += 1;
                    counts.second += hit;
                }
            }
            process.update(side, cells.index(&output))?;
        }
        proved = process.epsilon_lower(&half)?.cloned();
    }
    let calls = 2 * training as u64 + counts.first_calls + counts.second_calls;

    // 3. The exact test, only if it was not stopped early: its number of calls must be fixed.
    let (likely, rare) = match event.likelier {
        events::Side::First => (
            (counts.first_calls, counts.first),
            (counts.second_calls, counts.second),
        ),
        events::Side::Second => (
            (counts.second_calls, counts.second),
            (counts.first_calls, counts.first),
        ),
    };
    let test = TwoSample::new(likely.0, rare.0, &half)?;
    let stopped = proved.is_some();
    let fixed = match proved {
        Some(_) => None,
        None => test.epsilon_lower(likely.1, rare.1, &question.delta)?,
    };
    let (epsilon_lower, method) = match (proved, fixed) {
        (Some(bound), _) => (Some(bound), Some(Method::Sequential)),
        (None, Some(bound)) => (Some(bound), Some(Method::Fixed)),
        (None, None) => (None, None),
    };
    // "Above the last rejected": rejecting the claimed epsilon itself is a proof.
    let violated = match method {
        Some(Method::Sequential) => true,
        Some(Method::Fixed) => {
            test.rejects(likely.1, rare.1, &null)?
                && epsilon_lower.as_ref() >= Some(&question.epsilon)
        }
        None => false,
    };
    Ok(Finding {
        verdict: if violated {
            Verdict::Violation
        } else {
            Verdict::NotRefuted
        },
        epsilon_lower,
        delta_lower: if stopped {
            None
        } else {
            Some(delta_lower(likely, rare, &null, &half)?)
        },
        method,
        pair: pair.clone(),
        event,
        counts,
        calls,
        undetectable_mass: undetectable_mass(
            counts.first_calls.min(counts.second_calls).max(1),
            &question.level,
            &ratio(MISS.0, MISS.1),
        )?,
        miss: ratio(MISS.0, MISS.1),
        event_power: if stopped {
            None
        } else {
            detected_epsilon(&test, &null, rare.1, &half)?
        },
        beliefs: beliefs.said(),
        seconds: start.elapsed(),
    })
}

/// `n` outputs, in batches.
pub(crate) fn sample(
    target: &mut dyn Target,
    data: &serde_json::Value,
    n: usize,
    beliefs: &mut Beliefs,
) -> Result<Vec<Output>, TargetError> {
    let mut outputs = Vec::with_capacity(n);
    while outputs.len() < n {
        let batch = target.sample(data, (n - outputs.len()).min(BATCH))?;
        beliefs.hear(&batch.traces);
        outputs.extend(batch.outputs);
    }
    Ok(outputs)
}

/// The calls on each dataset with which a pair of a domain is screened.
const SCREENING: usize = 1000;

/// The pair of a domain whose outputs look farthest apart, by a few calls on each: no part of any proof. At most
/// 2,000 calls for each of the [`Effort::measurements`] of the search.
///
/// # Errors
/// [`AuditError::Target`].
pub fn search_pair(
    target: &mut dyn Target,
    domain: &Domain,
    question: &Question,
) -> Result<Pair, AuditError> {
    question.check()?;
    let best = search(domain, &Effort::default(), question.seed, |pair| {
        promise(target, pair, question)
    })?;
    best.ok_or(AuditError::Question {
        field: "the domain",
        expected: "one with two neighbouring datasets",
        value: "none".to_owned(),
    })
}

/// A rough lower bound on epsilon: the learned event, two standard deviations to the safe side.
fn promise(target: &mut dyn Target, pair: &Pair, question: &Question) -> Result<f64, AuditError> {
    let mut beliefs = Beliefs::default();
    let first = sample(target, &pair.0, SCREENING, &mut beliefs)?;
    let second = sample(target, &pair.1, SCREENING, &mut beliefs)?;
    let half = SCREENING / 2;
    let delta = to_f64_for_display(&question.delta);
    let event = learn_event(&first[..half], &second[..half], delta);
    let rate =
        |outputs: &[Output]| event.count(&outputs[half..]) as f64 / (SCREENING - half) as f64;
    let (mut p, mut q) = (rate(&first), rate(&second));
    if event.likelier == events::Side::Second {
        (p, q) = (q, p);
    }
    let spread = |rate: f64| 2.0 * (rate * (1.0 - rate) / half as f64).sqrt() + 1.0 / half as f64;
    let (low, high) = ((p - spread(p) - delta).max(1e-12), q + spread(q));
    Ok((low / high).ln())
}

/// How many smaller pairs are tried.
const SHRINKING: usize = 30;

/// A smaller pair on which the claim is proved false once more, on fresh calls, and then a shorter event for it: all
/// the proofs of the shrinking together are wrong with probability at most the level.
///
/// # Errors
/// [`AuditError::Target`].
pub fn shrink_violation(
    target: &mut dyn Target,
    found: &Finding,
    relation: NeighbouringRelation,
    domain: Option<&Domain>,
    question: &Question,
) -> Result<Finding, AuditError> {
    let mut smallest = found.clone();
    let mut tried = 0;
    let each = Question {
        // One share for each pair, and one for the event.
        level: &question.level / BigInt::from(SHRINKING as u64 + 1),
        ..question.clone()
    };
    shrink(&found.pair, relation, domain, SHRINKING, |pair| {
        tried += 1;
        let question = Question {
            seed: each.seed.wrapping_add(tried),
            ..each.clone()
        };
        // A pair that the target refuses is no smaller witness.
        match audit_pair(target, pair, &question) {
            Ok(finding) if finding.verdict == Verdict::Violation => {
                smallest = finding;
                Ok(true)
            }
            Ok(_) => Ok(false),
            Err(error) => Err(error),
        }
    })?;
    Ok(shorten_event(target, &smallest, &each)?.unwrap_or(smallest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Function;
    use serde_json::json;

    fn question(calls: u64) -> Question {
        Question {
            epsilon: ratio(1, 1),
            delta: integer(0),
            level: ratio(1, 20),
            calls,
            seed: 1,
        }
    }

    #[test]
    fn bounds_for_a_fixed_number_of_calls_are_not_stated_after_an_early_stop() {
        let pair = Pair(json!([0]), json!([1]));
        // Tells the datasets apart always: stopped at once.
        let mut leak =
            Function(|data: &serde_json::Value| Ok(Output::float(data[0].as_f64().unwrap_or(0.0))));
        let found = audit_pair(&mut leak, &pair, &question(4000)).unwrap();
        assert_eq!(found.method, Some(Method::Sequential));
        assert!(found.delta_lower.is_none() && found.event_power.is_none());
        // Says nothing: all calls are spent.
        let mut silent = Function(|_: &serde_json::Value| Ok(Output::float(0.0)));
        let found = audit_pair(&mut silent, &pair, &question(4000)).unwrap();
        assert_eq!(found.verdict, Verdict::NotRefuted);
        assert_eq!(found.delta_lower, Some(0.0));
    }
}
