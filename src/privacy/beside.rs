//! The runs beside the one that is reported: what one run of a program does not show.
//!
//! A learner is a function of the data and of what it draws. So the same outcomes give the same results in a second run,
//! on other threads; a promise is kept whatever is drawn; and which stages there are does not depend on it
//! (`spec/meter.md`, Theorem 2). Each of these is tried here, a few times.

use super::meter::judge;
use super::{Budget, PrivacyError, Published};
use crate::coins::{Account, Fresh, Lockstep, Meter, Outcomes, Stage, lockstep, lockstep_of};

/// So many times other outcomes are tried.
const OTHER_OUTCOMES: u64 = 8;

/// A learner that panicked. That is a result too, and a fault.
#[derive(Debug)]
pub(super) struct Panicked;
crate::published_in_words!(Panicked);

/// What is wrong that the first run did not show. Nothing more is run once something is found.
pub(super) fn found_beside<D: Sync + ?Sized, T: Published + Send>(
    learner: &(impl Fn(&D, &mut Meter) -> Result<T, Panicked> + Sync),
    pair: [&D; 2],
    outcomes: &Outcomes,
    (runs, claim): (&Lockstep<Result<T, Panicked>>, &Budget),
) -> Result<Option<String>, PrivacyError> {
    if runs.first.is_err() || runs.second.is_err() {
        return Ok(Some(
            "the learner panicked: it must return its errors".to_owned(),
        ));
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
        if let Some(fault) = judge(&other, claim)?.faults().into_iter().next() {
            return Ok(Some(format!("with other outcomes {fault}")));
        }
        if !are_one_list(&runs.accounts, &other.accounts) {
            return Ok(Some(
                "which stages there are depends on what was drawn".to_owned(),
            ));
        }
    }
    // 3. The other way round, where a hidden threshold has one direction only.
    if runs
        .accounts
        .iter()
        .any(|account| account.threshold.is_some())
    {
        let [first, second] = pair;
        for k in 0..2 {
            let back = lockstep(learner, second, first, outcomes.elsewhere(k));
            if let Some(fault) = judge(&back, claim)?.faults().into_iter().next() {
                return Ok(Some(format!(
                    "from the second dataset to the first {fault}"
                )));
            }
        }
    }
    Ok(None)
}

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
