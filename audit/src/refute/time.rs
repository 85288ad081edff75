//! Values together with the times that they took: measurement apart from analysis.
//!
//! The program stamps each answer ([`Target::timed`]), and nothing here reads a clock. Times vary in digits that tell nothing, so they
//! are put into buckets. Their cuts are quantiles of the first calls, which are then spent: no test counts them. What is audited
//! afterwards is an output of two entries, the value and the bucket, like any other.
//!
//! Each call is a request of its own, on a dataset that a coin names just before it. The load of a machine drifts, and calls that
//! follow on each other are alike: requests for many answers on one dataset would blame the dataset for it. The bets allow a law
//! that depends on what came before, as long as the coin of a call is unknown when its law is fixed; an exact test of counts does not.
//! So this line has bets alone ([`super::Levels::time`]).

use super::finding::Finding;
use super::pair::audit_at;
use super::question::{AuditError, Question, Until};
use crate::events::Aspect;
use crate::pairs::Pair;
use crate::targets::{Batch, Output, Target, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use serde_json::Value;

/// The calls from which cuts are learned: so many, or a part in 8 of those of the audit if that is less.
const MOST_LEARNED: u64 = 4096;
const LEARNED_PART: u64 = 8;
/// The cuts are at multiples of 1/16, and at 2^-5 to 2^-10 from either end: a branch may be rare.
const PARTS: usize = 16;
const RAREST: u32 = 10;

/// Buckets of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buckets {
    /// Where each of them begins, in nanoseconds; the first one at 0.
    pub begins: Vec<u64>,
    /// From how many calls they were learned.
    pub calls: u64,
}

impl Buckets {
    /// Learns the cuts from calls on this pair, each on one of its datasets by a fair coin.
    ///
    /// # Errors
    /// Those of the target.
    pub(super) fn learn(
        target: &mut dyn Target,
        pair: &Pair,
        calls: u64,
        seed: u64,
    ) -> Result<Self, AuditError> {
        let calls = (calls / LEARNED_PART).min(MOST_LEARNED);
        let mut coins = ChaCha::reproducible(seed, 4 << 32);
        let mut times = Vec::new();
        for _ in 0..calls {
            let data = match coins.bits(1)? {
                0 => &pair.0,
                _ => &pair.1,
            };
            times.push(target.timed(data)?.1);
        }
        Ok(Self::of(times))
    }

    fn of(mut times: Vec<u64>) -> Self {
        times.sort_unstable();
        let calls = times.len();
        let middle = (1..PARTS).map(|part| part * calls / PARTS);
        let low = (5..=RAREST).map(|power| calls >> power);
        let places = middle
            .chain(low.clone())
            .chain(low.map(|place| calls.saturating_sub(place + 1)));
        let cuts = places.filter_map(|place| times.get(place).copied());
        // What is longer than all that was seen is a bucket too.
        let longer = times.last().map(|longest| longest.saturating_add(1));
        let mut begins: Vec<u64> = cuts.chain(longer).chain([0]).collect();
        begins.sort_unstable();
        begins.dedup();
        Self {
            begins,
            calls: calls as u64,
        }
    }

    /// Where the bucket of this time begins.
    fn begin(&self, time: u64) -> u64 {
        let after = self.begins.partition_point(|begin| *begin <= time);
        self.begins[..after].last().copied().unwrap_or(0)
    }
}

/// A target whose outputs are values with the buckets of their times.
pub(super) struct Stamped<'a> {
    pub target: &'a mut dyn Target,
    pub buckets: &'a Buckets,
}

impl Target for Stamped<'_> {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let mut all = Batch::default();
        for _ in 0..n {
            let (batch, time) = self.target.timed(data)?;
            let time = Output::Integer(self.buckets.begin(time).into());
            let names = ["value", "time"].map(str::to_owned).to_vec();
            let stamped = |value| Output::Object(names.clone(), vec![value, time.clone()]);
            all.outputs.extend(batch.outputs.into_iter().map(stamped));
            all.traces.extend(batch.traces);
        }
        Ok(all)
    }

    fn takes_turns(&self) -> bool {
        true
    }
}

/// Audits values with their times on one pair, after the calls from which the buckets are learned.
///
/// # Errors
/// As for [`super::audit_pair`].
pub(super) fn audit_times(
    target: &mut dyn Target,
    pair: &Pair,
    question: &Question,
) -> Result<(Finding, Buckets), AuditError> {
    let buckets = Buckets::learn(target, pair, question.calls, question.seed)?;
    let mut stamped = Stamped {
        target,
        buckets: &buckets,
    };
    // Only bets allow a law that drifts.
    let by_bets = Question {
        until: Until::Proof,
        ..question.clone()
    };
    let levels = question.levels().time;
    let (found, _) = audit_at(&mut stamped, pair, &by_bets, levels, Some(Aspect::Time))?;
    Ok((found, buckets))
}

#[cfg(test)]
mod tests {
    use super::super::claim::Claim;
    use super::super::finding::Verdict;
    use super::super::question::tests::question;
    use super::*;
    use dp_assay::number::rational::{integer, ratio};
    use serde_json::json;

    #[test]
    fn buckets_begin_at_quantiles_and_hold_what_was_not_seen() {
        let buckets = Buckets::of((100..1124).collect());
        assert_eq!(buckets.calls, 1024);
        let begins = &buckets.begins;
        assert_eq!((begins[0], begins[1]), (0, 101));
        assert_eq!(begins[begins.len() - 1], 1124);
        // The sixteenths, and 64 to 1 from either end.
        for begin in [101, 102, 108, 132, 164, 612, 1060, 1091, 1122, 1124] {
            assert!(begins.contains(&begin), "{begin}: {begins:?}");
        }
        for (time, begin) in [(0, 0), (100, 0), (101, 101), (611, 548), (1 << 60, 1124)] {
            assert_eq!(buckets.begin(time), begin, "{time}");
        }
        // Few times are told apart all.
        let two = Buckets::of([vec![7; 900], vec![9; 100]].concat());
        assert_eq!(two.begins, [0, 7, 9, 10]);
        assert_eq!(Buckets::of(Vec::new()).begins, [0]);
        assert_eq!(Buckets::of(vec![u64::MAX]).begins, [0, u64::MAX]);
    }

    /// Stamps 1, 2, 3, ... and counts how its datasets take turns.
    struct Ticking {
        ticks: u64,
        asked: Vec<Value>,
    }

    impl Target for Ticking {
        fn sample(&mut self, _: &Value, _: usize) -> Result<Batch, TargetError> {
            Err(TargetError::Failed)
        }

        fn timed(&mut self, data: &Value) -> Result<(Batch, u64), TargetError> {
            self.ticks += 1;
            self.asked.push(data.clone());
            let batch = Batch {
                outputs: vec![Output::Null],
                traces: Vec::new(),
            };
            Ok((batch, self.ticks))
        }
    }

    #[test]
    fn calls_are_made_one_by_one_in_the_order_of_the_coins() {
        let (ticks, asked) = (0, Vec::new());
        let mut target = Ticking { ticks, asked };
        let pair = Pair(json!([0]), json!([1]));
        let buckets = Buckets::learn(&mut target, &pair, 8 << 10, 1).unwrap();
        assert_eq!((buckets.calls, target.ticks), (1024, 1024));
        let second = target.asked.iter().filter(|data| **data == pair.1).count();
        let turns = target.asked.windows(2).filter(|two| two[0] != two[1]);
        // Each has standard deviation 16.
        assert!(second.abs_diff(512) < 100 && turns.count().abs_diff(511) < 100);
        let mut stamped = Stamped {
            target: &mut target,
            buckets: &buckets,
        };
        let batch = stamped.sample(&json!([0]), 1).unwrap();
        assert_eq!(
            batch.outputs[0].to_string(),
            r#"{"value": null, "time": 1025}"#
        );
    }

    /// A coin, and a time that drifts and jumps with the calls, not with the dataset; as much as `tells` more on the second.
    struct Drifting {
        coins: ChaCha,
        calls: u64,
        tells: u64,
    }

    impl Target for Drifting {
        fn sample(&mut self, _: &Value, _: usize) -> Result<Batch, TargetError> {
            Err(TargetError::Failed)
        }

        fn timed(&mut self, data: &Value) -> Result<(Batch, u64), TargetError> {
            self.calls += 1;
            let load = self.calls / 40 + 100 * (self.calls / 200 % 2);
            let told = self.tells * data[0].as_u64().unwrap_or(0);
            let batch = Batch {
                outputs: vec![Output::Integer(self.coins.bits(1)?.into())],
                traces: Vec::new(),
            };
            Ok((batch, load + told + self.coins.bits(4)?))
        }
    }

    fn violations(tells: u64, runs: u64) -> usize {
        let pair = Pair(json!([0]), json!([1]));
        let refuted = |seed| {
            let mut target = Drifting {
                coins: ChaCha::reproducible(seed, 9),
                calls: 0,
                tells,
            };
            let question = Question {
                claim: Claim::budget(ratio(1, 100), integer(0)),
                time: true,
                seed,
                ..question(800)
            };
            let (found, _) = audit_times(&mut target, &pair, &question).unwrap();
            found.verdict == Verdict::Violation
        };
        (0..runs).filter(|seed| refuted(*seed)).count()
    }

    /// At level 1/40, of 200 audits more than 14 with a probability below 4e-4. That a load which drifts by more than the dataset
    /// tells hides nothing is seen beside it.
    #[test]
    fn a_load_that_drifts_is_no_violation_and_hides_none() {
        let false_alarms = violations(0, 200);
        assert!(false_alarms <= 14, "{false_alarms}");
        assert!(violations(40, 20) == 20);
    }

    #[test]
    fn a_target_that_stamps_nothing_says_so() {
        let mut silent = crate::targets::Function(|_: &Value| Ok(Output::Null));
        let pair = Pair(json!([0]), json!([1]));
        let error = Buckets::learn(&mut silent, &pair, 800, 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the target stamps no answers with their time: it runs in this process"
        );
    }
}
