//! What the algorithms of the paper share.

use super::{KernelError, Sensitivity};
use crate::number::range::at_least_one;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::Zero;

/// The grid that predictions are rounded to before noise: its step divides their sensitivity `S'`.
///
/// Two numbers that differ by at most `t` steps are rounded down to integers that differ by at most `t`, since
/// `floor(x) - floor(y) <= ceil(x - y)`: such a rounding costs no privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerGrid {
    step: Rational,
    per_sensitivity: u64,
}

impl AnswerGrid {
    /// The grid of `per_sensitivity` steps to `S'`, the sensitivity of predictions.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for no step.
    pub fn new(sensitivity: &Sensitivity, per_sensitivity: u64) -> Result<Self, KernelError> {
        at_least_one("the steps to a sensitivity", per_sensitivity)?;
        Ok(Self {
            step: sensitivity.predictions() / BigInt::from(per_sensitivity),
            per_sensitivity,
        })
    }

    /// A step, in the units of predictions.
    #[must_use]
    pub fn step(&self) -> &Rational {
        &self.step
    }

    /// `t`: by so many steps the rounded predictions of two neighbours differ at most.
    #[must_use]
    pub fn per_sensitivity(&self) -> u64 {
        self.per_sensitivity
    }

    /// The prediction in steps, rounded to the nearest, halves up.
    #[must_use]
    pub fn round(&self, prediction: &Rational) -> BigInt {
        nearest(&(prediction / &self.step))
    }

    /// How many steps rounding and evaluation add to a difference of two predictions, that of the optimum and that of a public
    /// model which is evaluated within `model`: half a step twice, and what either is off by.
    pub(super) fn slack(&self, sensitivity: &Sensitivity, model: &Rational) -> BigInt {
        let evaluated = (sensitivity.predictions() - &sensitivity.exact) / BigInt::from(2);
        ((evaluated + model) / &self.step).ceil().to_integer() + 1
    }

    /// What so many steps are.
    #[must_use]
    pub fn value(&self, steps: &BigInt) -> Rational {
        &self.step * steps
    }
}

/// The least `w` with which so many draws of discrete Laplace noise are all within `w` but with probability `failure`, up to
/// the precision of the logarithm: `2 draws a^(w+1)/(1+a) <= failure`, `a = e^(-1/scale)`.
pub fn noise_within(
    scale: &Rational,
    draws: u64,
    failure: &Rational,
) -> Result<BigInt, NumberError> {
    const BITS: u32 = 128;
    let one_plus = Enclosure::exp_of(&-scale.recip(), BITS)? + Enclosure::integer(1, BITS);
    let allowed = Enclosure::of(&(integer(draws) * integer(2) / failure), BITS);
    let needed = allowed.divided_by(&one_plus)?.ln()? * Enclosure::of(scale, BITS);
    let least: BigInt = needed.upper().ceil().to_integer() - 1;
    Ok(least.max(BigInt::zero()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use crate::sample::DiscreteLaplace;

    #[test]
    fn a_step_divides_the_sensitivity() {
        let sensitivity = Sensitivity {
            exact: ratio(1, 2),
            solver: ratio(1, 8),
            evaluation: ratio(1, 8),
            squared_bound: integer(1),
        };
        assert_eq!(sensitivity.predictions(), integer(1));
        assert_eq!(sensitivity.squared_vectors(), ratio(9, 16));
        let grid = AnswerGrid::new(&sensitivity, 4).unwrap();
        assert_eq!((grid.step(), grid.per_sensitivity()), (&ratio(1, 4), 4));
        assert_eq!(grid.round(&ratio(3, 8)), BigInt::from(2));
        assert_eq!(grid.round(&ratio(-3, 8)), BigInt::from(-1));
        assert_eq!(grid.value(&BigInt::from(-3)), ratio(-3, 4));
        assert!(AnswerGrid::new(&sensitivity, 0).is_err());
    }

    #[test]
    fn the_slack_has_room_for_rounding_and_for_evaluation() {
        // r + eta = 1/4 is a step. Two numbers are rounded, each by half a step.
        let sensitivity = Sensitivity {
            exact: ratio(1, 2),
            solver: ratio(1, 8),
            evaluation: ratio(1, 8),
            squared_bound: integer(1),
        };
        let grid = AnswerGrid::new(&sensitivity, 4).unwrap();
        let slack = |model| grid.slack(&sensitivity, &model);
        assert_eq!(slack(integer(0)), BigInt::from(2));
        // A model that is off by half a step, too.
        assert_eq!(slack(ratio(1, 8)), BigInt::from(3));
    }

    #[test]
    fn noise_is_within_the_least_number_of_steps() {
        let (scale, failure) = (ratio(5, 2), ratio(1, 20));
        let noise = DiscreteLaplace::new(scale.clone()).unwrap();
        let some_beyond = |within: &BigInt| {
            let inside = noise.between(&-within, within, 128).unwrap();
            inside.complement() * Enclosure::integer(7, 128)
        };
        let within = noise_within(&scale, 7, &failure).unwrap();
        assert!(some_beyond(&within).upper() <= failure);
        assert!(some_beyond(&(within - 1)).lower() > failure);
    }
}
