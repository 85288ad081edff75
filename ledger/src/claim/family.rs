//! Metered runs that belong together.

use super::{Check, Trouble};
use dp_assay::coins::{ChaCha, Lockstep, Meter, Outcomes, Stage, lockstep};
use dp_assay::number::{Rational, rational};
use dp_assay::privacy::meter::{Report, Worst, judge};
use dp_assay::privacy::{Budget, Published};
use num_bigint::BigInt;
use std::fmt::Display;
use std::panic::Location;

/// Metered runs of one learner on pairs of neighbours, under one relation: [`Check::family`] begins and ends it.
///
/// No run may show a fault. All must claim the same budget and state the same list of stages, in the same order and with
/// the same numbers: the theorem that composes their promises asks for that (`spec/meter.md`, Theorem 2). At the end it
/// says how near the worst run comes to each promise. That a run of one family comes near says nothing of another.
#[derive(Debug)]
pub struct MeteredFamily<'a> {
    check: &'a mut Check,
    name: String,
    stated: Option<Stated>,
    worst: Worst,
    differing: Option<u64>,
}

/// What a learner states: the budget, and each stage in order, as often as it is begun, with how many draws it made then,
/// if that may not depend on what was drawn. Draws before the first stage have none.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stated {
    claim: Budget,
    stages: Vec<(Option<Stage>, Option<u64>)>,
}

impl Stated {
    /// The first difference from what was stated on another pair, in words.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.claim != other.claim {
            return Some(format!(
                "it claims {}, another pair {}",
                self.claim, other.claim
            ));
        }
        let longest = self.stages.len().max(other.stages.len());
        let place = (0..longest).find(|&k| self.stages.get(k) != other.stages.get(k))?;
        let in_words = |stated: &Self| match stated.stages.get(place) {
            None => "is not there".to_owned(),
            Some((None, draws)) => format!("has no name, and {} draws", draws.unwrap_or(0)),
            Some((Some(stage), Some(draws))) => format!("is {stage:?}, with {draws} draws"),
            Some((Some(stage), None)) => format!("is {stage:?}"),
        };
        Some(format!(
            "its stage {} {}; on another pair it {}",
            place + 1,
            in_words(self),
            in_words(other)
        ))
    }
}

impl Check {
    /// A family of metered runs, those that `runs` makes. Of each stage's promise the worst run takes at least nine tenths;
    /// or a reason is given why none does, by the stage's name. A reason that is not needed is at fault too.
    ///
    /// # Errors
    /// Those of `runs`.
    #[track_caller]
    pub fn family<T>(
        &mut self,
        name: impl Display,
        reasons: &[(&str, &str)],
        runs: impl FnOnce(&mut MeteredFamily<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let here = Location::caller();
        let mut family = MeteredFamily {
            check: self,
            name: name.to_string(),
            stated: None,
            worst: Worst::default(),
            differing: None,
        };
        let found = runs(&mut family)?;
        family.near_promises(reasons, here);
        Ok(found)
    }
}

impl MeteredFamily<'_> {
    /// The datasets of each pair that follows have their records in one order, and differ in this one only, counted from 0.
    pub fn differing_in(&mut self, record: u64) {
        self.differing = Some(record);
    }

    /// Meters one pair; where one dataset has more records, it is the first. What the learner returned, and the report.
    ///
    /// # Errors
    /// Those of the learner and of [`judge`].
    #[track_caller]
    pub fn run<D: Sync + ?Sized, T: Published + Send, E: Published + Send>(
        &mut self,
        pair: impl Display,
        learner: impl Fn(&D, &mut Meter) -> Result<T, E> + Sync,
        (first, second): (&D, &D),
        outcomes: Outcomes,
        claim: &Budget,
    ) -> Result<(T, Report), Trouble>
    where
        Trouble: From<E>,
    {
        let instance = format!("{}: {pair}", self.name);
        let runs = lockstep(learner, first, second, outcomes);
        let runs = self
            .differing
            .into_iter()
            .fold(runs, Lockstep::differing_in);
        let report = judge(&runs, claim)?;
        self.check.sound(&report, &instance);
        let accounts = runs.accounts.into_iter();
        let stated = Stated {
            claim: claim.clone(),
            stages: accounts
                .map(|account| {
                    let fixed = account.stage.as_ref().is_none_or(Stage::has_fixed_draws);
                    let draws = fixed.then_some(account.draws);
                    (account.stage, draws)
                })
                .collect(),
        };
        let first = self.stated.get_or_insert_with(|| stated.clone());
        let difference = stated.difference(first);
        let text = format!("{instance}: {}", difference.as_deref().unwrap_or_default());
        self.check.holds(difference.is_none(), text);
        self.worst.enter(&report);
        Ok((runs.first?, report))
    }

    /// Meters one pair along outcomes as these coins draw them, and along some that are so many times as far out. What the learner
    /// returned as drawn.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    #[track_caller]
    pub fn drawn_and_steered<D: Sync + ?Sized, T: Published + Send, E: Published + Send>(
        &mut self,
        learner: impl Fn(&D, &mut Meter) -> Result<T, E> + Sync,
        pair: (&D, &D),
        (coins, stretch): (ChaCha, u32),
        claim: &Budget,
    ) -> Result<T, Trouble>
    where
        Trouble: From<E>,
    {
        let (drawn, steered) = (
            Outcomes::drawn(coins.clone()),
            Outcomes::far_out(coins, stretch),
        );
        let (found, _) = self.run("as drawn", &learner, pair, drawn, claim)?;
        self.run("steered", &learner, pair, steered, claim)?;
        Ok(found)
    }

    /// Meters one pair along outcomes as coins of this seed draw them; and exchanged, so many times as far out.
    ///
    /// # Errors
    /// Those of [`run`](Self::run).
    #[track_caller]
    pub fn both_orders<D: Sync + ?Sized, T: Published + Send, E: Published + Send>(
        &mut self,
        learner: impl Fn(&D, &mut Meter) -> Result<T, E> + Sync,
        (first, second): (&D, &D),
        (seed, stretch): (u64, u32),
        claim: &Budget,
    ) -> Result<(), Trouble>
    where
        Trouble: From<E>,
    {
        let coins = |stream| ChaCha::reproducible(seed, stream);
        let (drawn, far) = (
            Outcomes::drawn(coins(0)),
            Outcomes::far_out(coins(1), stretch),
        );
        self.run("as drawn", &learner, (first, second), drawn, claim)?;
        self.run("exchanged", &learner, (second, first), far, claim)?;
        Ok(())
    }

    /// Each promise is nearly taken, or there is a reason.
    fn near_promises(self, reasons: &[(&str, &str)], here: &Location<'_>) {
        let Self {
            check, name: runs, ..
        } = self;
        let stages = self.worst.stages();
        let near = Rational::new(BigInt::from(9), BigInt::from(10));
        for (stage, share) in stages {
            let shown = rational::shortly(share);
            let reason = reasons.iter().find(|(name, _)| name == stage);
            let wrong = if reason.is_some() {
                "its reason for taking less can go"
            } else {
                "less than 9/10, without a reason"
            };
            let text = format!("{runs}: {stage}: {shown} of its promise is taken: {wrong}");
            check.asserted((*share >= near) != reason.is_some(), false, here, &text);
            let why = reason.map_or(String::new(), |(_, why)| format!(": {why}"));
            check.figure(
                format!("{runs}: {stage}"),
                format!("{shown} of its promise{why}"),
            );
        }
        for (stage, _) in reasons {
            let known = stages.iter().any(|(name, _)| name == stage);
            let text = format!("{runs}: a reason for the stage '{stage}', which was not metered");
            check.asserted(known, false, here, &text);
        }
        let text = format!("{runs}: no stage has a promise");
        check.asserted(!stages.is_empty(), false, here, &text);
    }
}

#[cfg(test)]
mod tests {
    use crate::claim::{Check, Effort, Evidence, Status, Trouble};
    use dp_assay::coins::{ChaCha, Coins, CoinsError, Meter, Outcomes, Promise, Stage};
    use dp_assay::law::Noise;
    use dp_assay::number::rational::{integer, ratio};
    use dp_assay::privacy::{Budget, NeighbouringRelation};
    use dp_assay::sample::DiscreteLaplace;
    use num_bigint::BigInt;

    fn noisy(bit: i64, scale: i64, coins: &mut Meter) -> Result<BigInt, CoinsError> {
        let promise = Promise::Pure(ratio(1, scale));
        coins.stage(&Stage::once("it", promise));
        coins.draw(&DiscreteLaplace::new(integer(scale))?.around(bit))
    }

    /// Two pairs of bits, each as far from the one before as these say; on the second the scale may be another.
    fn pairs(distances: [i64; 2], scales: [i64; 2], reasons: &[(&str, &str)]) -> Evidence {
        let check = |check: &mut Check| -> Result<(), Trouble> {
            check.certified("bits");
            let claim = Budget::pure(ratio(1, 2), NeighbouringRelation::Substitute)?;
            check.family("bits", reasons, |family| {
                for (distance, scale) in distances.into_iter().zip(scales) {
                    let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
                    let learner = |bit: &i64, coins: &mut Meter| noisy(*bit, scale, coins);
                    family.run("two bits", learner, (&0, &distance), outcomes, &claim)?;
                }
                Ok(())
            })
        };
        Check::run(check, Effort::default()).unwrap()
    }

    fn status(distances: [i64; 2], scales: [i64; 2]) -> Status {
        pairs(distances, scales, &[]).status()
    }

    #[test]
    fn the_worst_pair_of_a_family_is_near_and_no_pair_beyond() {
        assert_eq!(status([0, 1], [2, 2]), Status::Checked);
        assert_eq!(status([0, 0], [2, 2]), Status::Refuted);
        assert_eq!(status([1, 2], [2, 2]), Status::Refuted);
    }

    #[test]
    fn a_promise_that_is_not_nearly_taken_needs_a_reason() {
        let given = [("it", "equal bits")];
        let found = pairs([0, 0], [2, 2], &given);
        assert_eq!(found.status(), Status::Checked);
        assert!(found.figures()[0].1.ends_with("equal bits"));
        // A reason where none is needed, and one for a stage that was not metered.
        assert_eq!(pairs([0, 1], [2, 2], &given).status(), Status::Refuted);
        let other = [("that", "no such stage")];
        assert_eq!(pairs([0, 1], [2, 2], &other).status(), Status::Refuted);
    }

    #[test]
    fn all_pairs_of_a_family_state_the_same_list_of_stages() {
        // One draw in each stage, and the stages in this order.
        let found = |orders: [&[&'static str]; 2]| {
            let check = |check: &mut Check| -> Result<(), Trouble> {
                check.certified("orders");
                let claim = Budget::pure(integer(6), NeighbouringRelation::Substitute)?;
                check.family("orders", &[], |family| {
                    for order in orders {
                        let learner = |bit: &i64, coins: &mut Meter| -> Result<(), CoinsError> {
                            for stage in order {
                                let promise = Promise::Pure(integer(1));
                                coins.stage(&Stage::once(stage, promise));
                                coins.draw(&DiscreteLaplace::new(integer(1))?.around(*bit))?;
                            }
                            Ok(())
                        };
                        let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
                        family.run("two bits", learner, (&0, &1), outcomes, &claim)?;
                    }
                    Ok(())
                })
            };
            Check::run(check, Effort::default()).unwrap()
        };
        let status = |orders| found(orders).status();
        assert_eq!(status([&["a", "b", "a"]; 2]), Status::Checked);
        assert_eq!(
            status([&["a", "b", "a"], &["a", "a", "b"]]),
            Status::Refuted
        );
        assert_eq!(status([&["a", "b"], &["b", "a"]]), Status::Refuted);
        assert_eq!(status([&["a", "b"], &["a", "b", "a"]]), Status::Refuted);
        // The failure names the first that differs, and no other.
        let failure = |orders| found(orders).failure().unwrap().to_string();
        let other = failure([&["a", "b", "c"], &["a", "c", "b"]]);
        assert!(
            other.contains("its stage 2 is Stage { name: \"c\""),
            "{other}"
        );
        assert!(
            other.contains("on another pair it is Stage { name: \"b\""),
            "{other}"
        );
        assert!(!other.contains("\"a\""), "{other}");
        let missing = failure([&["a", "b"], &["a"]]);
        assert!(missing.contains("its stage 2 is not there"), "{missing}");
    }

    #[test]
    fn where_a_stage_may_end_early_the_pairs_may_differ_in_their_draws() {
        let status = |stage: fn(&'static str, u64, Promise, Promise) -> Stage| {
            let check = |check: &mut Check| -> Result<(), Trouble> {
                check.certified("numbers of draws");
                let claim = Budget::pure(integer(4), NeighbouringRelation::Substitute)?;
                check.family("numbers", &[], |family| {
                    for draws in [4, 2] {
                        let learner = |bit: &i64, coins: &mut Meter| -> Result<(), CoinsError> {
                            let (each, whole) =
                                (Promise::Pure(integer(1)), Promise::Pure(integer(4)));
                            coins.stage(&stage("it", 4, each, whole));
                            for _ in 0..draws {
                                coins.draw(&DiscreteLaplace::new(integer(1))?.around(*bit))?;
                            }
                            Ok(())
                        };
                        let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
                        family.run("two bits", learner, (&0, &1), outcomes, &claim)?;
                    }
                    Ok(())
                })
            };
            Check::run(check, Effort::default()).unwrap().status()
        };
        assert_eq!(status(Stage::up_to), Status::Checked);
        assert_eq!(status(Stage::steps), Status::Refuted);
    }

    #[test]
    fn all_pairs_of_a_family_state_the_same_numbers() {
        assert_eq!(status([1, 1], [2, 3]), Status::Refuted);
    }
}
