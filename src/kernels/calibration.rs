//! What each of several draws may cost, if all of them together may cost a budget.

use super::KernelError;
use super::bounds::test_dependent::closed_loss;
use crate::coins::Promise;
use crate::number::Rational;
use crate::number::range::at_least_one;
use crate::privacy::{Budget, NeighbouringRelation, composition};
use num_bigint::BigInt;

/// How the loss of each of `k` draws is found. Their noise has the scale `S'/loss`, with `S'` the sensitivity of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibration {
    /// `epsilon/sqrt(8 k ln(1/delta))`, for `epsilon <= 2 ln(1/delta)`: the paper's formula with the constant `4 sqrt(2)`
    /// (`jt13.thm4.corrected`).
    Closed,
    /// The largest loss of which `k` draws are (epsilon, delta)-private (`jt13.thm4.exact`).
    Exact,
    /// `epsilon/k`: (epsilon, 0)-private, whatever the delta of the budget.
    Pure,
}

impl Calibration {
    /// The loss of a draw.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for no draw; [`KernelError::Privacy`] for a budget under another relation than
    /// substitution; those of [`closed_loss`] and [`composition::step_for`].
    pub fn loss(self, draws: u64, budget: &Budget) -> Result<Rational, KernelError> {
        at_least_one("the draws", draws)?;
        budget.under(NeighbouringRelation::Substitute)?;
        Ok(match self {
            Self::Closed => closed_loss(draws, budget)?,
            Self::Exact => composition::step_for(budget, draws)?,
            Self::Pure => budget.epsilon() / BigInt::from(draws),
        })
    }

    /// What all draws together promise.
    #[must_use]
    pub fn whole(self, budget: &Budget) -> Promise {
        match self {
            Self::Closed | Self::Exact => budget.promise(),
            Self::Pure => Promise::Pure(budget.epsilon().clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};

    #[test]
    fn every_calibration_asks_for_a_draw_and_for_substitution() {
        let budget = |relation| Budget::approximate(integer(1), ratio(1, 1000), relation).unwrap();
        for calibration in [Calibration::Closed, Calibration::Exact, Calibration::Pure] {
            assert!(calibration.loss(1, &budget(Substitute)).is_ok());
            assert!(calibration.loss(0, &budget(Substitute)).is_err());
            assert!(calibration.loss(1, &budget(AddOrRemove)).is_err());
        }
    }
}
