//! The runs beside the one that is reported: what one run of a program does not show.
//!
//! A learner is a function of the data and of what it draws. So the same outcomes give the same results in a second run,
//! on other threads; a promise is kept whatever is drawn; and which stages there are does not depend on it
//! (`spec/meter.md`, Theorem 2). Each of these is tried here, a few times.

use super::led::{FirstFault, PANICKED, Panicked, Runs, drawn, found_by_one_draw};
use super::{PrivacyError, Published};
use crate::coins::{
    Account, Fresh, Lockstep, Meter, NO_COUPLING, Outcomes, PROBES, Stage, lockstep, lockstep_of,
};
use std::cell::RefCell;

/// So many times other outcomes are tried: one end of a draw is missed with probability 3/4 each time, so below 1/500 in all.
const OTHER_OUTCOMES: u64 = 24;

/// What is wrong that the first run did not show. Nothing more is run once something is found.
pub(super) fn found_beside<D: Sync + ?Sized, T: Published + Send>(
    learner: &(impl Fn(&D, &mut Meter) -> Result<T, Panicked> + Sync),
    pair: [&D; 2],
    outcomes: &Outcomes,
    (runs, first_fault): (&Runs<T>, &FirstFault<'_, T>),
) -> Result<Option<String>, PrivacyError> {
    let longest = RefCell::new(stated(&runs.accounts));
    let fault_of = |runs: &Runs<T>| -> Result<Option<String>, PrivacyError> {
        let fault = first_fault(runs)?.or_else(|| panicked(runs));
        Ok(fault.or_else(|| other_stages(&mut longest.borrow_mut(), &runs.accounts)))
    };
    if let Some(fault) = panicked(runs) {
        return Ok(Some(fault));
    }
    // 1. The same outcomes, on other threads.
    let late = (drawn(runs) as usize).saturating_sub(PROBES).max(PROBES);
    let again = lockstep_of(Fresh::Second, learner, pair, outcomes.probed_from(late));
    let pages = |runs: &Lockstep<_>| [&runs.first, &runs.second].map(Published::page);
    if again.parted.is_some() || pages(&again) != pages(runs) {
        let why = "the same outcomes gave another result in a second run";
        return Ok(Some(why.to_owned()));
    }
    // 2. Other outcomes.
    for k in 0..OTHER_OUTCOMES {
        let fresh = if k % 2 == 0 {
            Fresh::First
        } else {
            Fresh::Second
        };
        let other = lockstep_of(fresh, learner, pair, outcomes.elsewhere(k));
        if let Some(fault) = fault_of(&other)? {
            return Ok(Some(format!("with other outcomes {fault}")));
        }
    }
    // 3. The other way round.
    for k in 0..2 {
        if let Some(fault) =
            found_on_the_way_back(learner, pair, outcomes.elsewhere(k), (runs, &fault_of))?
        {
            return Ok(Some(fault));
        }
    }
    // 4. One of the first draws, or of the last, led elsewhere.
    let probes: Vec<_> = runs.probes.iter().chain(&again.probes).copied().collect();
    found_by_one_draw(learner, pair, outcomes, (runs, &probes, &fault_of))
}

/// What is wrong on the way from the second dataset to the first. Where a hidden draw has no coupling that way, the second
/// dataset is compared with itself: what a law or a learner does on one side only is done on the other side then, too.
fn found_on_the_way_back<D: Sync + ?Sized, T: Published + Send>(
    learner: &(impl Fn(&D, &mut Meter) -> Result<T, Panicked> + Sync),
    [first, second]: [&D; 2],
    outcomes: Outcomes,
    (runs, fault_of): (&Runs<T>, &FirstFault<'_, T>),
) -> Result<Option<String>, PrivacyError> {
    let back = lockstep(learner, second, first, outcomes.clone());
    let Some(fault) = fault_of(&back)? else {
        return Ok(None);
    };
    if !back.is_unbounded(NO_COUPLING) {
        let fault = format!("from the second dataset to the first {fault}");
        return Ok(Some(fault));
    }
    // Theorem 9 asks for both ways.
    if runs
        .accounts
        .iter()
        .any(|account| account.threshold.is_some())
    {
        let why = "the rounds above a threshold are not compared on the way back";
        return Ok(Some(why.to_owned()));
    }
    let alone = lockstep(learner, second, second, outcomes);
    let fault = fault_of(&alone)?;
    Ok(fault.map(|fault| format!("on the second dataset and itself {fault}")))
}

/// A panic is a fault, also where both runs panic: its message is no part of the results.
fn panicked<T>(runs: &Runs<T>) -> Option<String> {
    let panicked = runs.first.is_err() || runs.second.is_err();
    panicked.then(|| PANICKED.to_owned())
}

/// What is wrong with the stages of a run, given the longest list so far.
fn other_stages(longest: &mut Vec<Stage>, accounts: &[Account]) -> Option<String> {
    let own = stated(accounts);
    let other = own.iter().zip(&*longest).any(|(own, known)| own != known);
    if own.len() > longest.len() {
        *longest = own;
    }
    other.then(|| "which stages there are depends on what was drawn".to_owned())
}

/// The stages of a run, in order.
fn stated(accounts: &[Account]) -> Vec<Stage> {
    let stages = accounts.iter().filter_map(|account| account.stage.clone());
    stages.collect()
}

#[cfg(test)]
mod tests {
    use super::{other_stages, stated};
    use crate::coins::{Account, ChaCha, Coins, CoinsError, Meter, Outcomes, Promise, Stage};
    use crate::law::Noise;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::meter::meter;
    use crate::privacy::{Budget, NeighbouringRelation};
    use crate::sample::DiscreteLaplace;
    use num_bigint::{BigInt, BigUint};

    /// What is found of a program on 0 and on 1.
    fn faults(
        program: impl Fn(&i64, &mut Meter) -> Result<BigInt, CoinsError> + Sync,
    ) -> Vec<String> {
        let claim = Budget::pure(integer(3), NeighbouringRelation::Substitute).unwrap();
        let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
        let learner =
            |data: &i64, coins: &mut Meter| program(data, coins).map_err(|error| error.to_string());
        meter(learner, &0, &1, outcomes, &claim).unwrap().faults()
    }

    /// The record is told where public noise is this far out on this side, and nothing elsewhere.
    fn far_out(side: i64) -> Vec<String> {
        faults(|data, coins| {
            coins.stage(&Stage::public("a public number"));
            let number = coins.draw(&DiscreteLaplace::new(integer(5))?)?;
            let is_far = (100_000..200_000).contains(&i128::try_from(&number * side).unwrap_or(0));
            Ok((if is_far { *data } else { 0 }).into())
        })
    }

    #[test]
    fn what_is_told_far_out_is_found_on_either_side() {
        for side in [1, -1] {
            let found = far_out(side);
            let why = "equal outcomes gave different results";
            assert!(found.iter().any(|fault| fault.contains(why)), "{found:?}");
        }
    }

    #[test]
    fn lists_of_stages_are_compared_with_the_longest_one_so_far() {
        let list = |names: &[&'static str]| -> Vec<Account> {
            let account = |name: &&'static str| Account::new(Some(Stage::public(name)));
            names.iter().map(account).collect()
        };
        let mut longest = stated(&list(&["a"]));
        let mut is_other =
            |names: &[&'static str]| other_stages(&mut longest, &list(names)).is_some();
        assert!(!is_other(&["a", "b", "c"]) && !is_other(&["a"]) && !is_other(&["a", "b"]));
        assert!(is_other(&["a", "c"]) && is_other(&["b"]));
    }

    #[test]
    fn a_stage_that_a_rare_place_leads_to_is_found() {
        let found = faults(|data, coins| {
            coins.stage(&Stage::once("noise", Promise::Pure(ratio(1, 2))));
            let sum = coins.draw(&DiscreteLaplace::new(integer(2))?.around(*data))?;
            coins.stage(&Stage::public("a public place"));
            let is_rare = coins.uniform_below(&500u32.into())? == BigUint::from(317u32);
            let name = if is_rare { "one bit" } else { "another bit" };
            coins.stage(&Stage::public(name));
            coins.bits(1)?;
            Ok(sum)
        });
        let why = "which stages there are depends on what was drawn";
        assert!(found.iter().any(|fault| fault.contains(why)), "{found:?}");
    }
}
