//! Metered runs that belong together.

use super::{Check, Trouble};
use crate::coins::{Meter, Outcomes, Stage, lockstep};
use crate::number::{Rational, rational};
use crate::privacy::Budget;
use crate::privacy::meter::{Report, Worst, judge};
use num_bigint::BigInt;
use std::fmt::Display;
use std::panic::Location;

/// Metered runs of one learner on pairs of neighbours, under one relation.
///
/// No run may show a fault. All must claim the same budget and state the same list of stages, in the same order and with
/// the same numbers: the theorem that composes their promises asks for that (`spec/meter.md`, Theorem 2). At the end
/// [`Family::near_promises`] says how near the worst run comes to each promise. That a run of one family comes near says
/// nothing of another.
#[must_use = "near_promises ends a family"]
#[derive(Debug)]
pub struct Family<'a> {
    check: &'a mut Check,
    name: String,
    stated: Option<Stated>,
    worst: Worst,
}

/// What a learner states: the budget, and each stage in order, as often as it is begun, with how many draws it made then.
/// Draws before the first stage have none.
type Stated = (Budget, Vec<(Option<Stage>, u64)>);

impl Check {
    /// Begins a family of metered runs.
    pub fn family(&mut self, name: impl Display) -> Family<'_> {
        Family {
            check: self,
            name: name.to_string(),
            stated: None,
            worst: Worst::default(),
        }
    }
}

impl Family<'_> {
    /// Meters one pair; where one dataset has more records, it is the first. What the learner returned, and the report.
    ///
    /// # Errors
    /// Those of the learner and of [`judge`].
    #[track_caller]
    pub fn run<D: Sync + ?Sized, T: PartialEq + Send, E: PartialEq + Send>(
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
        let report = judge(&runs, claim)?;
        self.check.sound(&report, &instance);
        let accounts = runs.accounts.into_iter();
        let stages = accounts.map(|account| (account.stage, account.draws));
        let stated = (claim.clone(), stages.collect());
        let first = self.stated.get_or_insert_with(|| stated.clone());
        let same = *first == stated;
        let text = format_args!("{instance}: it states {stated:?}, another pair {first:?}");
        self.check.holds(same, text);
        self.worst.enter(&report);
        Ok((runs.first?, report))
    }

    /// Ends the family: of each stage's promise the worst run takes at least nine tenths; or a reason is given why none
    /// does, by the stage's name. A reason that is not needed is at fault too.
    #[track_caller]
    pub fn near_promises(self, reasons: &[(&str, &str)]) {
        let Self {
            check, name: runs, ..
        } = self;
        let stages = self.worst.stages();
        let near = Rational::new(BigInt::from(9), BigInt::from(10));
        let here = Location::caller();
        for (stage, share) in stages {
            let shown = rational::shortly(share);
            let reason = reasons.iter().find(|(name, _)| name == stage);
            let text = format!(
                "{runs}: {stage}: {shown} of its promise is taken, no more is searched for"
            );
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
    use crate::coins::{ChaCha, Coins, CoinsError, Meter, Outcomes, Promise, Stage};
    use crate::law::Noise;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::{Budget, NeighbouringRelation};
    use crate::sample::DiscreteLaplace;
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
            let mut family = check.family("bits");
            for (distance, scale) in distances.into_iter().zip(scales) {
                let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
                let learner = |bit: &i64, coins: &mut Meter| noisy(*bit, scale, coins);
                family.run("two bits", learner, (&0, &distance), outcomes, &claim)?;
            }
            family.near_promises(reasons);
            Ok(())
        };
        Check::run(check, Effort::default()).unwrap()
    }

    fn status(distances: [i64; 2], scales: [i64; 2]) -> Status {
        pairs(distances, scales, &[]).status()
    }

    #[test]
    fn the_worst_pair_of_a_family_is_near_and_no_pair_beyond() {
        assert_eq!(status([0, 1], [2, 2]), Status::Verified);
        assert_eq!(status([0, 0], [2, 2]), Status::Refuted);
        assert_eq!(status([1, 2], [2, 2]), Status::Refuted);
    }

    #[test]
    fn a_promise_that_is_not_nearly_taken_needs_a_reason() {
        let given = [("it", "equal bits")];
        let found = pairs([0, 0], [2, 2], &given);
        assert_eq!(found.status(), Status::Verified);
        assert!(found.figures()[0].1.ends_with("equal bits"));
        // A reason where none is needed, and one for a stage that was not metered.
        assert_eq!(pairs([0, 1], [2, 2], &given).status(), Status::Refuted);
        let other = [("that", "no such stage")];
        assert_eq!(pairs([0, 1], [2, 2], &other).status(), Status::Refuted);
    }

    #[test]
    fn all_pairs_of_a_family_state_the_same_list_of_stages() {
        // One draw in each stage, and the stages in this order.
        let status = |orders: [&[&'static str]; 2]| {
            let check = |check: &mut Check| -> Result<(), Trouble> {
                check.certified("orders");
                let claim = Budget::pure(integer(6), NeighbouringRelation::Substitute)?;
                let mut family = check.family("orders");
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
                family.near_promises(&[]);
                Ok(())
            };
            Check::run(check, Effort::default()).unwrap().status()
        };
        assert_eq!(status([&["a", "b", "a"]; 2]), Status::Verified);
        assert_eq!(
            status([&["a", "b", "a"], &["a", "a", "b"]]),
            Status::Refuted
        );
        assert_eq!(status([&["a", "b"], &["b", "a"]]), Status::Refuted);
        assert_eq!(status([&["a", "b"], &["a", "b", "a"]]), Status::Refuted);
    }

    #[test]
    fn all_pairs_of_a_family_state_the_same_numbers() {
        assert_eq!(status([1, 1], [2, 3]), Status::Refuted);
    }
}
