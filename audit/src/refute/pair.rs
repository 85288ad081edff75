//! The audit itself: samples, and a verdict with a proof.
//!
//! On one pair of datasets, every call on one of the two by a fair coin:
//!
//! 1. *Epochs.* From the first calls, again whenever there are half as many more, and for the last time after a quarter of
//!    all calls (at most 100,000), an event and a partition of the outputs into cells are learned.
//! 2. *Sequential test*, with four fifths of the level: bets on the cells, each made before its
//!    round of calls, from those before, by four bettors who share the wealth. The audit stops as soon as the proof is
//!    there.
//! 3. *Exact test*, with the other fifth: of the last event, on the calls that came after it was learned. Only if all
//!    calls are spent. On request ([`Until::End`]) there is no sequential test, and this one has the whole level.
//! 4. *Verdict.* A violation is proved at the level. Otherwise the claim is not refuted, and the report says
//!    what could not have been seen.
//!
//! Outputs are kept for learning only, and so memory does not grow with the calls beyond the last epoch.
//! Floats choose what is looked at; what is decided rests on [`dp_assay::stats`].

use crate::events::{self, Aim, Event, Kept, Lesson, learn_event};
use crate::pairs::{Care, Domain, Effort, Pair, search, shrink};
use crate::refute::Answers;
use crate::refute::bets::{BETTORS, Bettors};
use crate::refute::exact_test::Proof;
use crate::refute::shorten_event;
use crate::targets::{Beliefs, Output, Target, TargetError};
use dp_assay::coins::{ChaCha, Coins, CoinsError};
use dp_assay::number::rational::{integer, ratio, shortly, to_f64_for_display};
use dp_assay::number::{NumberError, Rational};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::stats::power::undetectable_mass;
use dp_assay::stats::{EProcess, Null, StatsError, TRIALS_LIMIT};
use num_bigint::BigInt;
use serde::Serialize;
use std::time::{Duration, Instant};
use thiserror::Error;

/// What is claimed, and how much may be spent on it.
#[derive(Debug, Clone)]
pub struct Question {
    /// The claimed epsilon, from [`LEAST_EPSILON`] to 40.
    pub epsilon: Rational,
    /// The claimed delta, in [0, 1).
    pub delta: Rational,
    /// The probability with which a true claim may be called violated.
    pub level: Rational,
    /// The most calls on the final pair: from 400 to 16,777,216, of which the exact test takes no more
    /// ([`TRIALS_LIMIT`]).
    pub calls: u64,
    /// When to stop.
    pub until: Until,
    /// The seed of the auditor's own coins.
    pub seed: u64,
}

/// The least epsilon that may be claimed, 1e-6: with all calls, frequencies are known to some 1e-4, and who claims less
/// claims this too.
pub const LEAST_EPSILON: (i64, i64) = (1, 1_000_000);

/// When an audit stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// As soon as the claim is refuted. Two tests share the level: one that may stop, and one at the end.
    #[default]
    Proof,
    /// When all calls are spent: one test has the whole level, and gives the best bound on epsilon.
    End,
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

/// How often the event came: on the calls after it was learned or, if the sequential test stopped before the last
/// epoch, on the calls that it was learned from, which are all of which the outputs were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
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
    /// The level of this proof.
    pub level: Rational,
    /// Delta at the claimed epsilon is at least this, except with probability at most the level of the exact test: a
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
    /// Whether it was learned from the calls that it is counted in.
    pub counts_are_of_training_calls: bool,
    /// All calls.
    pub calls: u64,
    /// A leak of less than this mass on one dataset is missed with probability at least `miss`.
    pub undetectable_mass: f64,
    /// See `undetectable_mass`.
    pub miss: Rational,
    /// For this event and these numbers of calls: the epsilon that would be rejected with probability 0.95.
    /// `None` also if the sequential test stopped, as for `delta_lower`.
    pub event_power: Option<Rational>,
    /// If the event never came on the other dataset, and there is no such epsilon therefore: the probability of the event
    /// with which the claim would be rejected with probability 0.95 if the event never comes on the other dataset.
    pub event_mass: Option<f64>,
    /// What the search for events read of such outputs, in words.
    pub features_read: Vec<String>,
    /// What the answers had in common, of all calls up to this finding; of those that only shortened its event it is not
    /// told.
    pub answers: Answers,
    /// What the target said about its own noise in these calls, if it said something. [`crate::targets::Heard`] adds up
    /// what it says in all calls.
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
        if self.epsilon < ratio(LEAST_EPSILON.0, LEAST_EPSILON.1) || self.epsilon > integer(40) {
            return fail(
                "epsilon",
                "at least 1e-6 and at most 40 (no number of calls tells a smaller one from 1e-6)",
                shortly(&self.epsilon),
            );
        }
        if self.delta < integer(0) || self.delta >= integer(1) {
            return fail("delta", "at least 0 and below 1", self.delta.to_string());
        }
        if self.level <= integer(0) || self.level >= integer(1) {
            return fail("the level", "above 0 and below 1", self.level.to_string());
        }
        if !(400..=TRIALS_LIMIT).contains(&self.calls) {
            return fail(
                "the number of calls",
                "at least 400 and at most 16777216",
                self.calls.to_string(),
            );
        }
        Ok(())
    }

    /// The levels of the sequential and of the exact test, which add up to that of the question.
    fn levels(&self) -> [Rational; 2] {
        let exact = match self.until {
            Until::Proof => &self.level * ratio(EXACT.0, EXACT.1),
            Until::End => self.level.clone(),
        };
        [&self.level - &exact, exact]
    }

    /// The epsilons of the bound of the sequential test: the claimed one, and upwards by hundredths of the one before, but
    /// by 1e-4 at least.
    fn grid(&self) -> Vec<Rational> {
        let thousandth = &self.epsilon * ratio(1, 1000);
        // At most 100,000, as the claim is at least 1e-6.
        let least = (ratio(LEAST_STEP.0, LEAST_STEP.1) / &thousandth).ceil();
        let least = to_f64_for_display(&least) as i64;
        let steps =
            std::iter::successors(Some(1000_i64), |step| Some(step + (step / 100).max(least)));
        steps
            .map(|step| &thousandth * integer(step))
            .take_while(|epsilon| *epsilon <= integer(40))
            .collect()
    }
}

/// With all calls frequencies are known to some 1e-4: no bound is known better.
const LEAST_STEP: (i64, i64) = (1, 10_000);

/// The part of the level that the exact test has if it shares it: most of the proofs come before the end, and a fifth
/// of the level costs the exact test a fifth of its precision.
const EXACT: (i64, i64) = (1, 5);
/// The calls of the first epoch, of which nothing is known.
const FIRST_EPOCH: u64 = 16;
/// The most outputs that are asked for at once.
const BATCH: usize = 4000;
/// The most calls from which an event and cells are learned.
const MOST_LEARNED: u64 = 100_000;
/// The least and the most calls of a round; between, a round is a sixteenth of the calls before it.
const LEAST_ROUND: u64 = 4;
const MOST_ROUND: u64 = 8000;
/// The most bytes of outputs of a round, a batch or a screening, as long as the outputs are no longer than those before:
/// 64 MiB.
const ROUND_BYTES: usize = 1 << 26;
/// The probability of a miss that is reported.
const MISS: (i64, i64) = (1, 20);

/// Calls on a pair, each on one of its datasets by a fair coin.
struct Caller<'a> {
    target: &'a mut dyn Target,
    pair: &'a Pair,
    coins: ChaCha,
    beliefs: Beliefs,
    answers: Answers,
    /// The most calls of a round of which the outputs can be held.
    room: u64,
}

impl Caller<'_> {
    /// The outputs of `n` calls on the two datasets.
    fn call(&mut self, n: u64) -> Result<[Vec<Output>; 2], AuditError> {
        let mut second = 0;
        for _ in 0..n {
            second += self.coins.bits(1)?;
        }
        let mut ask = |data, n: u64| sample(self.target, data, n as usize, &mut self.beliefs);
        let outputs = [ask(&self.pair.0, n - second)?, ask(&self.pair.1, second)?];
        self.answers.hear(&outputs);
        self.room = room(outputs.iter().flatten());
        Ok(outputs)
    }

    fn calls(&self) -> u64 {
        self.answers.calls.iter().sum()
    }
}

/// What was learned from the calls before.
struct Epoch {
    event: Event,
    /// How often it came since.
    counts: EventCounts,
    /// Who bets, if bets are made.
    bettors: Option<Bettors>,
    /// What the search read, in words.
    features_read: Vec<String>,
}

impl Epoch {
    /// Learns from the outputs that were kept; `bets` says against which claim.
    fn learn(kept: &Kept, aim: Aim, bets: Option<&Null>) -> Self {
        let [first, second] = kept.outputs();
        let lesson = Lesson::new(first, second, aim);
        let event = lesson.event();
        Self {
            bettors: bets.map(|claim| Bettors::learn(&lesson, &event, claim)),
            event,
            counts: EventCounts::default(),
            features_read: events::features_read(first, second),
        }
    }
}

impl EventCounts {
    pub(crate) fn count(&mut self, event: &Event, outputs: &[Vec<Output>; 2]) {
        self.first_calls += outputs[0].len() as u64;
        self.first += event.count(&outputs[0]);
        self.second_calls += outputs[1].len() as u64;
        self.second += event.count(&outputs[1]);
    }

    /// The calls and the occurrences where the event is suspected to be too frequent, and on the other dataset.
    #[must_use]
    pub fn likelier_first(&self, side: events::Side) -> ((u64, u64), (u64, u64)) {
        let (first, second) = (
            (self.first_calls, self.first),
            (self.second_calls, self.second),
        );
        match side {
            events::Side::First => (first, second),
            events::Side::Second => (second, first),
        }
    }
}

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
    let [sequential_level, exact_level] = question.levels();
    let mut caller = Caller {
        target,
        pair,
        coins: ChaCha::reproducible(question.seed, 1 << 32),
        beliefs: Beliefs::default(),
        answers: Answers::default(),
        room: LEAST_ROUND,
    };

    let claim = Null::new(&question.epsilon, &question.delta)?;
    let (mut process, bets) = match question.until {
        Until::Proof => {
            let process = EProcess::new(&question.epsilon, &question.delta, BETTORS)?;
            (Some(process), Some(&claim))
        }
        Until::End => (None, None),
    };
    let last_epoch = (question.calls / 4).min(MOST_LEARNED);
    let mut next_epoch = match question.until {
        Until::Proof => FIRST_EPOCH.min(last_epoch),
        Until::End => last_epoch,
    };
    // What is learned is for the calls that are left after the last epoch.
    let aim = Aim {
        delta: to_f64_for_display(&question.delta),
        calls: (question.calls - last_epoch) / 2,
        level: to_f64_for_display(&exact_level),
    };
    // The outputs of the calls up to the last epoch.
    let mut kept = Kept::default();
    let mut epoch = Epoch::learn(&kept, aim, bets);
    let mut stopped = false;
    while caller.calls() < question.calls && !stopped {
        // 1. An epoch begins.
        let now = caller.calls();
        if now == next_epoch {
            epoch = Epoch::learn(&kept, aim, bets);
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
            process.bet(bettors.guesses()?)?;
        }
        let outputs = caller.call(round.min(caller.room).min(next_epoch - now))?;
        if let (Some(process), Some(bettors)) = (&mut process, &mut epoch.bettors) {
            process.settle(bettors.count(&outputs))?;
            stopped = process.rejects(&sequential_level)?;
        }
        epoch.counts.count(&epoch.event, &outputs);
        if now < last_epoch {
            kept.extend(outputs);
        }
    }
    let learned_again = stopped && caller.calls() <= last_epoch;
    if learned_again {
        // No test of this event follows: it is for the reader, and learned from all that was seen.
        epoch = Epoch::learn(&kept, aim, bets);
        epoch.counts.count(&epoch.event, kept.outputs());
    }

    // 3. What is proved: by the bets that stopped, or else by the exact test.
    let proof = match &process {
        Some(process) if stopped => {
            let grid = question.grid();
            let bound = process.epsilon_lower(&grid, &sequential_level)?;
            Proof::by_bets(bound.cloned())
        }
        _ => Proof::by_counts(&epoch.event, &epoch.counts, question, &exact_level)?,
    };
    Ok(Finding {
        verdict: proof.verdict(question),
        method: proof.epsilon_lower.is_some().then_some(proof.method),
        epsilon_lower: proof.epsilon_lower,
        level: question.level.clone(),
        delta_lower: proof.delta_lower,
        event_power: proof.event_power,
        event_mass: proof.event_mass,
        pair: pair.clone(),
        event: epoch.event,
        counts: epoch.counts,
        counts_are_of_training_calls: learned_again,
        calls: caller.calls(),
        // An audit that stopped early would have gone on to the end without its proof.
        undetectable_mass: undetectable_mass(
            if stopped {
                question.calls
            } else {
                caller.answers.calls[0].max(caller.answers.calls[1])
            },
            &question.level,
            &ratio(MISS.0, MISS.1),
        )?,
        miss: ratio(MISS.0, MISS.1),
        features_read: epoch.features_read,
        answers: caller.answers,
        beliefs: caller.beliefs.said(),
        seconds: start.elapsed(),
    })
}

/// How many outputs as long as the longest of these can be held, at least one.
pub(crate) fn room<'a>(outputs: impl Iterator<Item = &'a Output>) -> u64 {
    let longest = outputs.map(events::bytes).max().unwrap_or(0);
    (ROUND_BYTES / longest.max(1)).max(1) as u64
}

/// `n` outputs, in batches that the target can answer.
pub(crate) fn sample(
    target: &mut dyn Target,
    data: &serde_json::Value,
    n: usize,
    beliefs: &mut Beliefs,
) -> Result<Vec<Output>, TargetError> {
    let mut outputs = Vec::with_capacity(n);
    while outputs.len() < n {
        let most = target.at_once(data).min(BATCH);
        let batch = target.sample(data, (n - outputs.len()).min(most))?;
        beliefs.hear(&batch.traces);
        outputs.extend(batch.outputs);
    }
    Ok(outputs)
}

/// The calls on each dataset with which a pair of a domain is screened: all pairs together take three quarters of the calls
/// of the question, but not more than 1,000 for a dataset, nor less than 64.
fn screening(calls: u64) -> usize {
    (calls / 200).clamp(64, 1000) as usize
}

/// How many times as many there are for the choice between the last few.
const CHOOSING: usize = 4;

/// The calls that show how long outputs are.
const FEW: usize = 4;

/// What a search of a domain chose, and what it took.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The pair whose outputs look farthest apart.
    pub pair: Pair,
    /// How many measurements of pairs were made: the last few pairs are measured twice.
    pub measurements: usize,
    /// The calls, on both datasets together.
    pub calls: u64,
    /// How long it took.
    pub seconds: Duration,
}

/// The pair of a domain whose outputs look farthest apart, by a few calls on each: no part of any proof. At most
/// [`Effort::measurements`], of 2,000 calls each, and of 8,000 for the last four; fewer if the question has fewer than
/// 200,000.
///
/// # Errors
/// [`AuditError::Target`].
pub fn search_pair(
    target: &mut dyn Target,
    domain: &Domain,
    question: &Question,
) -> Result<Searched, AuditError> {
    question.check()?;
    let start = Instant::now();
    let (mut measurements, mut calls) = (0, 0);
    let best = search(domain, &Effort::default(), question.seed, |pair, care| {
        let on_each = match care {
            Care::Screening => screening(question.calls),
            Care::Choosing => CHOOSING * screening(question.calls),
        };
        let (promise, made) = promise(target, pair, question, on_each)?;
        measurements += 1;
        calls += made;
        Ok::<_, AuditError>(promise)
    })?;
    let pair = best.ok_or(AuditError::Question {
        field: "the domain",
        expected: "one with two neighbouring datasets",
        value: "none".to_owned(),
    })?;
    Ok(Searched {
        pair,
        measurements,
        calls,
        seconds: start.elapsed(),
    })
}

/// A rough lower bound on epsilon, and the calls that it took: the learned event, two standard deviations to the safe side.
fn promise(
    target: &mut dyn Target,
    pair: &Pair,
    question: &Question,
    calls: usize,
) -> Result<(f64, u64), AuditError> {
    let mut beliefs = Beliefs::default();
    let mut first = sample(target, &pair.0, FEW, &mut beliefs)?;
    let calls = calls.min((room(first.iter()) as usize).max(FEW));
    first.extend(sample(target, &pair.0, calls - FEW, &mut beliefs)?);
    let second = sample(target, &pair.1, calls, &mut beliefs)?;
    let half = calls / 2;
    let delta = to_f64_for_display(&question.delta);
    let event = learn_event(&first[..half], &second[..half], delta);
    let rate = |outputs: &[Output]| event.count(&outputs[half..]) as f64 / (calls - half) as f64;
    let (mut p, mut q) = (rate(&first), rate(&second));
    if event.likelier == events::Side::Second {
        (p, q) = (q, p);
    }
    let spread = |rate: f64| 2.0 * (rate * (1.0 - rate) / half as f64).sqrt() + 1.0 / half as f64;
    let (low, high) = ((p - spread(p) - delta).max(1e-12), q + spread(q));
    Ok(((low / high).ln(), 2 * calls as u64))
}

/// How many smaller pairs are tried.
const SHRINKING: usize = 30;

/// The most calls of a try, as a multiple of those that the first proof took, and what every try may have: on a pair that
/// is as bad a proof takes no longer, at a share of the level that is 31 times smaller.
const TRY: u64 = 16;
const LEAST_TRY: u64 = 2000;

/// A smaller pair on which the claim is proved false once more, on fresh calls, and then a shorter event for it; `found`
/// itself if nothing smaller is proved. All the proofs of the shrinking together are wrong with probability at most the
/// level, of which each has a share. How many calls a try may have is known before its first one, and so it is an audit like
/// any other.
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
        calls: question
            .calls
            .min(LEAST_TRY.max(found.calls.saturating_mul(TRY))),
        ..question.clone()
    };
    shrink(&found.pair, relation, domain, SHRINKING, |pair| {
        tried += 1;
        let question = Question {
            seed: each.seed.wrapping_add(tried),
            ..each.clone()
        };
        // A target that fails ends the shrinking: the caller keeps what was proved before.
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
    use dp_assay::stats::TwoSample;
    use serde_json::json;

    fn question(calls: u64) -> Question {
        Question {
            epsilon: ratio(1, 1),
            delta: integer(0),
            level: ratio(1, 20),
            calls,
            until: Until::Proof,
            seed: 1,
        }
    }

    #[test]
    fn more_calls_than_the_exact_test_takes_are_refused_before_the_first() {
        assert_eq!(TRIALS_LIMIT, 16_777_216);
        for (calls, right) in [
            (399, false),
            (400, true),
            (1 << 24, true),
            ((1 << 24) + 1, false),
        ] {
            assert_eq!(question(calls).check().is_ok(), right, "{calls}");
        }
        let mut never = Function(|_: &serde_json::Value| panic!("was called"));
        let pair = Pair(json!([0]), json!([1]));
        let error = audit_pair(&mut never, &pair, &question(u64::MAX)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the number of calls must be at least 400 and at most 16777216, got 18446744073709551615"
        );
    }

    #[test]
    fn shrinking_what_was_found_at_once_does_not_take_all_calls_for_each_try() {
        // It tells its last record as long as the others are as they were, and tosses a coin otherwise.
        let (mut coins, mut asked) = (ChaCha::reproducible(3, 0), 0);
        let mut fragile = Function(|data: &serde_json::Value| {
            asked += 1;
            let records = data.as_array().unwrap();
            let (last, others) = records.split_last().unwrap();
            let told = others == [json!(11), json!(23), json!(31)];
            let coin = i128::from(coins.bits(1)?);
            Ok(Output::Integer(if told {
                last.as_i64().unwrap().into()
            } else {
                coin
            }))
        });
        let pair = Pair(json!([11, 23, 31, 0]), json!([11, 23, 31, 1]));
        let question = question(100_000);
        let found = audit_pair(&mut fragile, &pair, &question).unwrap();
        assert!(found.calls < 125, "{}", found.calls);
        let relation = NeighbouringRelation::Substitute;
        let smallest = shrink_violation(&mut fragile, &found, relation, None, &question).unwrap();
        assert_eq!(smallest.pair, pair);
        assert!(
            asked <= found.calls + (SHRINKING as u64 + 1) * 2000,
            "{asked}"
        );
    }

    #[test]
    fn a_round_of_long_outputs_is_short() {
        let long = Output::Vector(vec![Output::Integer(0); 100_000]);
        let bytes = 100_001 * size_of::<Output>();
        assert_eq!(
            room([&long, &Output::Integer(0)].into_iter()),
            (ROUND_BYTES / bytes) as u64
        );
        assert_eq!(room([].into_iter()), ROUND_BYTES as u64);
        // Through a whole audit, no request is for more than that.
        struct Long(usize);
        impl Target for Long {
            fn sample(
                &mut self,
                _: &serde_json::Value,
                n: usize,
            ) -> Result<crate::targets::Batch, TargetError> {
                self.0 = self.0.max(n);
                let outputs = vec![Output::Label("x".repeat(1 << 22)); n];
                Ok(crate::targets::Batch {
                    outputs,
                    traces: Vec::new(),
                })
            }
        }
        let mut target = Long(0);
        let pair = Pair(json!([0]), json!([1]));
        audit_pair(&mut target, &pair, &question(400)).unwrap();
        assert!(target.0 <= 16, "{}", target.0);
    }

    #[test]
    fn an_epsilon_that_no_calls_can_show_is_refused() {
        let check = |epsilon: &str| {
            let epsilon = dp_assay::number::rational::parse(epsilon).unwrap();
            Question {
                epsilon,
                ..question(400)
            }
            .check()
        };
        check("1e-6").unwrap();
        for small in ["0", "-1", "9e-7", "1e-20", "1e-400", "1e-9999"] {
            let error = check(small).unwrap_err().to_string();
            assert!(
                error.starts_with("epsilon must be at least 1e-6"),
                "{error}"
            );
            assert!(error.len() < 160, "{error}");
        }
        let least = Question {
            epsilon: ratio(1, 1_000_000),
            ..question(400)
        };
        assert!(least.grid().len() < 1000, "{}", least.grid().len());
        // Small steps are no smaller than what can be told.
        for (epsilon, second) in [
            (ratio(1, 1_000_000), ratio(101, 1_000_000)),
            (ratio(1, 1000), ratio(11, 10_000)),
            (ratio(1, 100), ratio(101, 10_000)),
            (ratio(1, 1), ratio(101, 100)),
            (ratio(10, 1), ratio(101, 10)),
        ] {
            let grid = Question {
                epsilon: epsilon.clone(),
                ..question(400)
            }
            .grid();
            assert_eq!((&grid[0], &grid[1]), (&epsilon, &second));
            assert!(grid.windows(2).all(|two| two[0] < two[1]));
        }
    }

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
        assert!(found.counts_are_of_training_calls);
        // After the last epoch, counts are of calls that nothing was learned from.
        let question = Question {
            until: Until::End,
            ..question(400)
        };
        let found = audit_pair(&mut Function(leak), &pair, &question).unwrap();
        assert!(!found.counts_are_of_training_calls);
    }

    #[test]
    fn the_two_tests_share_the_level() {
        let levels = |until| {
            Question {
                until,
                ..question(400)
            }
            .levels()
        };
        assert_eq!(levels(Until::Proof), [ratio(1, 25), ratio(1, 100)]);
        assert_eq!(levels(Until::End), [integer(0), ratio(1, 20)]);
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
                epsilon: ratio(11, 10),
                until,
                ..question(20_000)
            };
            let found = audit_pair(&mut Function(&mut respond), &pair, &question).unwrap();
            assert_eq!(found.method, Some(Method::Fixed));
            let (likely, rare) = found.counts.likelier_first(found.event.likelier);
            let bound = |part: Rational| {
                let test = TwoSample::new(likely.0, rare.0, &(&question.level * part)).unwrap();
                test.epsilon_lower(likely.1, rare.1, &question.delta)
                    .unwrap()
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
