//! The runs beside the one that is reported: what one run of a program does not show.
//!
//! A learner is a function of the data and of what it draws. So the same outcomes give the same results in a second run,
//! on other threads; a promise is kept whatever is drawn; and which stages there are does not depend on it
//! (`spec/meter.md`, Theorem 2). Each of these is tried here, a few times.

use super::{PrivacyError, Published};
use crate::coins::{
    Account, Fresh, Lockstep, Meter, NO_COUPLING, NOT_ENCLOSED, Outcomes, Probe, Stage, Steering,
    lockstep, lockstep_of,
};
use num_bigint::BigInt;

/// So many times other outcomes are tried: one end of a draw is missed with probability 3/4 each time, so below 1/500 in all.
const OTHER_OUTCOMES: u64 = 24;

/// A learner that panicked. That is a result too, and a fault.
#[derive(Debug)]
pub(super) struct Panicked;
crate::published_in_words!(Panicked);

/// What two runs are judged by: the first fault that they show.
type FirstFault<'a, T> = dyn Fn(&Runs<T>) -> Result<Option<String>, PrivacyError> + 'a;

/// Two runs of a learner that may panic.
type Runs<T> = Lockstep<Result<T, Panicked>>;

/// What is wrong that the first run did not show. Nothing more is run once something is found.
pub(super) fn found_beside<D: Sync + ?Sized, T: Published + Send>(
    learner: &(impl Fn(&D, &mut Meter) -> Result<T, Panicked> + Sync),
    pair: [&D; 2],
    outcomes: &Outcomes,
    (runs, first_fault): (&Runs<T>, &FirstFault<'_, T>),
) -> Result<Option<String>, PrivacyError> {
    let fault_of = |runs: &Runs<T>| -> Result<Option<String>, PrivacyError> {
        Ok(first_fault(runs)?.or_else(|| panicked(runs)))
    };
    if let Some(fault) = panicked(runs) {
        return Ok(Some(fault));
    }
    // 1. The same outcomes, on other threads.
    let again = lockstep_of(Fresh::Second, learner, pair, outcomes.clone());
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
        if let Some(fault) = other_stages(&runs.accounts, &other.accounts) {
            return Ok(Some(fault));
        }
    }
    // 3. The other way round, where hidden draws have a coupling that way.
    let [first, second] = pair;
    for k in 0..2 {
        let back = lockstep(learner, second, first, outcomes.elsewhere(k));
        if let Some(fault) = fault_of(&back)?
            && !back.is_unbounded(NO_COUPLING)
        {
            return Ok(Some(format!(
                "from the second dataset to the first {fault}"
            )));
        }
    }
    // 4. One of the first draws led elsewhere.
    found_by_one_draw(learner, pair, outcomes, (runs, &fault_of))
}

/// So often one draw is led elsewhere, divided by how many there are: at most so many draws are made.
const MOST_DRAWS: u64 = 1 << 13;

/// What is wrong if one of the first draws, and nothing else, has another outcome: each outcome of a small law; of a law on
/// integers those on both sides of where the result changes. So a comparison of a public number with one that the data
/// decide is found: where the result changes on one dataset only, the results differ.
fn found_by_one_draw<D: Sync + ?Sized, T: Published + Send>(
    learner: &(impl Fn(&D, &mut Meter) -> Result<T, Panicked> + Sync),
    [first, second]: [&D; 2],
    outcomes: &Outcomes,
    (runs, first_fault): (&Runs<T>, &FirstFault<'_, T>),
) -> Result<Option<String>, PrivacyError> {
    let draws: u64 = runs
        .accounts
        .iter()
        .map(|account| account.draws + account.hidden)
        .sum();
    let mut runs_left = MOST_DRAWS / (1 + draws);
    for (number, probe) in runs.probes.iter().enumerate() {
        // What the draws before left of their equal parts.
        let mut left = runs_left / (runs.probes.len() - number) as u64;
        runs_left -= left;
        let mut run = |steering: Steering| -> Result<Led, PrivacyError> {
            left = left.saturating_sub(1);
            let other = lockstep(learner, first, second, outcomes.but_for(number, steering));
            // So far out laws may have no digits left, and numbers no room.
            let beyond = other.first.is_err() || other.is_unbounded(NOT_ENCLOSED);
            let fault = match probe {
                Probe::Moved if beyond => unequal(&other),
                _ => first_fault(&other)?.or_else(|| other_stages(&runs.accounts, &other.accounts)),
            };
            Ok(Led {
                fault,
                shown: shown(&other),
                left,
            })
        };
        let found = match probe {
            Probe::Each(size) => each_outcome(*size, &mut run)?,
            Probe::Moved => sides_of_a_change(&shown(runs), &mut run)?,
            Probe::Fixed => None,
        };
        runs_left += left;
        if let Some(fault) = found {
            return Ok(Some(format!(
                "with another outcome of draw {} {fault}",
                number + 1
            )));
        }
    }
    Ok(None)
}

/// A panic is a fault, also where both runs panic: its message is no part of the results.
fn panicked<T>(runs: &Runs<T>) -> Option<String> {
    let panicked = runs.first.is_err() || runs.second.is_err();
    panicked.then(|| "the learner panicked: it must return its errors".to_owned())
}

fn other_stages(accounts: &[Account], others: &[Account]) -> Option<String> {
    let other = !are_one_list(accounts, others);
    other.then(|| "which stages there are depends on what was drawn".to_owned())
}

fn unequal<T: Published>(runs: &Lockstep<T>) -> Option<String> {
    let unequal = runs.parted.is_none() && runs.first.page() != runs.second.page();
    unequal.then(|| "equal outcomes gave different results".to_owned())
}

/// What the first dataset gives: the result, and how many draws each stage took.
fn shown<T: Published>(runs: &Lockstep<T>) -> Vec<u8> {
    let draws = |account: &Account| account.draws + account.hidden;
    let draws: Vec<u64> = runs.accounts.iter().map(draws).collect();
    (&runs.first, draws).page()
}

/// A run that is led elsewhere: what is wrong, what the first dataset gives, and how many more there may be.
struct Led {
    fault: Option<String>,
    shown: Vec<u8>,
    left: u64,
}

/// What is wrong with one of so many outcomes.
fn each_outcome(
    size: u64,
    run: &mut impl FnMut(Steering) -> Result<Led, PrivacyError>,
) -> Result<Option<String>, PrivacyError> {
    for outcome in 0..size {
        let led = run(Steering::To(outcome))?;
        if led.fault.is_some() || led.left == 0 {
            return Ok(led.fault);
        }
    }
    Ok(None)
}

/// What is wrong where the result or the number of draws changes: farther and farther up and down until it does, and then in
/// between.
fn sides_of_a_change(
    here: &[u8],
    run: &mut impl FnMut(Steering) -> Result<Led, PrivacyError>,
) -> Result<Option<String>, PrivacyError> {
    for side in [1, -1] {
        // At `near` it is as in the run; at `far` it is not.
        let (mut near, mut far) = (BigInt::ZERO, None);
        for doublings in 0..FARTHEST {
            let by = BigInt::from(side) << doublings;
            let led = run(Steering::By(by.clone()))?;
            if led.fault.is_some() || led.left == 0 {
                return Ok(led.fault);
            }
            if led.shown != here {
                far = Some(by);
                break;
            }
            near = by;
        }
        let Some(mut far) = far else { continue };
        while (&far - &near).magnitude() > &1u32.into() {
            let between: BigInt = (&near + &far) / 2;
            let led = run(Steering::By(between.clone()))?;
            if led.fault.is_some() || led.left == 0 {
                return Ok(led.fault);
            }
            match led.shown == here {
                true => near = between,
                false => far = between,
            }
        }
    }
    Ok(None)
}

/// So often the distance is doubled: a word of 64 bits and more.
const FARTHEST: u32 = 66;

/// Whether two runs state the same stages in the same order, as far as the one goes that ends first.
fn are_one_list(one: &[Account], other: &[Account]) -> bool {
    let stated = |accounts: &[Account]| -> Vec<Stage> {
        accounts
            .iter()
            .filter_map(|account| account.stage.clone())
            .collect()
    };
    stated(one).iter().zip(&stated(other)).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use crate::coins::{ChaCha, Coins, CoinsError, Meter, Outcomes, Promise, Stage};
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

    /// The record is told where public noise is far out on this side, and nothing elsewhere.
    fn far_out(side: i64) -> Vec<String> {
        faults(|data, coins| {
            coins.stage(&Stage::public("a public number"));
            let number = coins.draw(&DiscreteLaplace::new(integer(5))?)?;
            let is_far = &number * side > BigInt::from(100_000);
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
