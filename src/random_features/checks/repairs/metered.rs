//! A learner's draws on two neighbouring datasets, by the meter.

use crate::claim::{Check, Trouble};
use crate::coins::{ChaCha, Meter, Outcomes};
use crate::privacy::Budget;
use crate::privacy::meter::{Worst, meter};
use crate::random_features::{Dataset, Model, RandomFeatureError};

/// The shipped learner keeps what it promises on these two datasets, of which the first is the larger, with outcomes as
/// they are drawn and with some that are far out; what it takes of its promises is entered.
pub(super) fn metered(
    check: &mut Check,
    name: &str,
    (first, second): (&Dataset, &Dataset),
    budget: &Budget,
    worst: &mut Worst,
    learner: impl Fn(&Dataset, &mut Meter) -> Result<Model, RandomFeatureError> + Sync,
) -> Result<(), Trouble> {
    let coins = || ChaCha::reproducible(check.seed(), 9);
    let outcomes = [Outcomes::drawn(coins()), Outcomes::far_out(coins(), 3)];
    for (outcomes, which) in outcomes.into_iter().zip(["as drawn", "far out"]) {
        let report = meter(&learner, first, second, outcomes, budget)?;
        check.sound(
            &report,
            format_args!("{name}, {}, outcomes {which}", budget.neighbours()),
        );
        worst.enter(&report);
    }
    Ok(())
}
