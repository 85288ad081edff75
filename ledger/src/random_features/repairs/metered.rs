//! A learner with noise that is already calibrated, on the meter.

use crate::claim::{Check, Trouble};
use crate::random_features::metered::SEED;
use dp_assay::coins::{ChaCha, Meter};
use dp_assay::privacy::Budget;
use dp_assay::random_features::{Dataset, Model, RandomFeatureError};

/// The name of a pair, and its two neighbours, the larger one first.
pub(super) type Pair = (&'static str, Dataset, Dataset);

/// The learner keeps its promises on these pairs: with outcomes as they are drawn, and with some that are far out. Each
/// pair is near each promise, or a reason is given that holds for all of them: they differ in their number of records.
pub(super) fn metered(
    check: &mut Check,
    name: &str,
    pairs: &[Pair],
    budget: &Budget,
    reasons: &[(&str, &str)],
    learner: impl Fn(&Dataset, &mut Meter) -> Result<Model, RandomFeatureError> + Sync,
) -> Result<(), Trouble> {
    for (pair, first, second) in pairs {
        let of_pair = format!("{name}, {}, {pair}", budget.neighbours());
        check.family(of_pair, reasons, |family| {
            let steered = (ChaCha::reproducible(SEED, 9), 3);
            family.drawn_and_steered(&learner, (first, second), steered, budget)
        })?;
    }
    Ok(())
}
