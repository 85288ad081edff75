//! What the learners share: ridge regression on the coefficient grid, and discrete Gaussian noise on a vector of known
//! sensitivity.

use super::{Dataset, Model, RandomFeatureError};
use crate::coins::{Coins, Stage};
use crate::number::range::above_zero;
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::{FeatureMatrix, OptimiseError, ridge};
use crate::privacy::{Budget, NeighbouringRelation, discrete_gaussian, release};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::One;

/// The coefficients that a learner found, before any noise: **not private**, never to be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit {
    /// The coefficients, in steps of their grid.
    pub coefficients: Vec<i64>,
    /// The grid of the coefficients; public.
    pub grid: Grid,
    /// At least the distance between the coefficients of two neighbouring datasets, everything that the
    /// arithmetic adds included; public.
    pub sensitivity: Rational,
    /// The relation for which the sensitivity is meant.
    pub neighbours: NeighbouringRelation,
}

impl Fit {
    /// The noise that makes these coefficients private: [`noise`].
    ///
    /// # Errors
    /// Those of [`noise`].
    pub fn noise(&self, budget: &Budget) -> Result<DiscreteGaussian, RandomFeatureError> {
        budget.under(self.neighbours)?;
        noise(
            &self.sensitivity,
            self.grid,
            self.coefficients.len(),
            budget,
        )
    }

    /// The coefficients with noise in every coordinate: (epsilon, delta)-private under the budget's relation.
    ///
    /// # Errors
    /// Those of [`noise`] and of the coins; [`RandomFeatureError::Privacy`] for a budget under another relation.
    pub fn release(
        &self,
        budget: &Budget,
        coins: &mut impl Coins,
    ) -> Result<Model, RandomFeatureError> {
        self.release_with((&self.noise(budget)?, budget), coins)
    }

    /// The same with noise that is already calibrated: **private only if it is that of [`Fit::noise`]** for this budget
    /// and a fit of this sensitivity on this grid, and only once for each.
    ///
    /// # Errors
    /// Those of the coins; [`RandomFeatureError::Privacy`] for a budget under another relation.
    pub fn release_with(
        &self,
        (noise, budget): (&DiscreteGaussian, &Budget),
        coins: &mut impl Coins,
    ) -> Result<Model, RandomFeatureError> {
        budget.under(self.neighbours)?;
        coins.stage(&Stage::once("the release", budget.promise()));
        Ok(Model {
            coefficients: release(self.coefficients.iter().copied(), noise, coins)?,
            grid: self.grid,
            noise: noise.clone(),
        })
    }
}

/// The noise a coordinate, in steps of `grid`, for a vector of `dimension` coordinates on that grid that
/// moves by at most `sensitivity`: by the certified bound for several dimensions, or by zero-concentrated
/// privacy where that is smaller.
///
/// # Errors
/// [`RandomFeatureError::Privacy`] for a budget with `delta = 0`, and those of the calibration.
pub fn noise(
    sensitivity: &Rational,
    grid: Grid,
    dimension: usize,
    budget: &Budget,
) -> Result<DiscreteGaussian, RandomFeatureError> {
    let steps = sensitivity * BigInt::from(grid.one());
    // The vector moves by an integer vector, whose squared norm is an integer.
    let squared = (&steps * &steps).floor().to_integer().max(BigInt::one());
    let variance = discrete_gaussian::variance(budget, &squared, dimension as u64)?;
    Ok(DiscreteGaussian::new(variance)?)
}

/// The parameters of ridge regression, R2 and R3. All are public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RidgeParameters {
    /// `Lambda`, a multiple of `4^-b` for a feature grid of `b` bits. It does not depend on the number of
    /// records: under addition and removal that would break the guarantee.
    pub penalty: Rational,
    /// The grid of the coefficients, on which the noise lies.
    pub coefficient_grid: Grid,
}

/// The variance that suggested parameters leave the noise of a prediction, in squares of the bound of the labels: one over
/// this. It was chosen on white wine and on made-up records.
pub const INVERSE_NOISE_VARIANCE: i64 = 50;

/// Whether noise for this squared sensitivity is as small as suggested parameters want it: `s^2 z^2 <= 1/50`, where `s`
/// is in units of the bound of the labels and `z` is the noise multiplier of the budget.
///
/// Features have norm at most 1, so that a prediction has no more noise than a coefficient.
pub(super) fn is_quiet(squared_sensitivity: &Rational, noise_multiplier: &Rational) -> bool {
    let variance = squared_sensitivity * noise_multiplier * noise_multiplier;
    variance * BigInt::from(INVERSE_NOISE_VARIANCE) <= Rational::one()
}

/// The solver's tolerance: this part, 2^-12, of the sensitivity of the exact minimum.
const TOLERANCE_BITS: u32 = 12;

/// What solves ridge regression within a tolerance: features, labels, limits, penalty, tolerance. The learners have
/// [`ridge::solve`]; their checks also one that errs by all of the tolerance.
pub(super) type RidgeSolver = fn(
    &FeatureMatrix,
    &[i64],
    &ridge::Limits,
    &Rational,
    &Rational,
) -> Result<ridge::Solution, OptimiseError>;

/// The minimum of `|Phi c - y|^2 + Lambda |c|^2` on the coefficient grid, for labels of this squared norm at most, where
/// the exact minimum moves by at most `exact`.
///
/// # Errors
/// [`RandomFeatureError::Overflow`] if a coefficient *might* not fit; [`RandomFeatureError::Optimise`] for a penalty that
/// is not positive or not on its grid, or so small that the solver's integers do not suffice.
pub(super) fn fit_ridge(
    data: &Dataset,
    features: &FeatureMatrix,
    limits: &ridge::Limits,
    squared_labels: &Rational,
    exact: Rational,
    parameters: &RidgeParameters,
    solve: RidgeSolver,
) -> Result<Fit, RandomFeatureError> {
    let grid = parameters.coefficient_grid;
    // 1. The minimum, within a tolerance that is fixed by what is public.
    let tolerance = &exact / (BigInt::from(1) << TOLERANCE_BITS);
    check_coefficients_fit(squared_labels, &tolerance, parameters)?;
    let penalty = &parameters.penalty;
    let solution = solve(features, &data.labels(), limits, penalty, &tolerance)?;
    // 2. On the coefficient grid.
    let coefficients = solution.rounded(grid)?;
    // 3. Each of two neighbours may be off by the tolerance and by the rounding. The gap that was reached is
    //    smaller, but it is private.
    let off = tolerance + half_a_step(coefficients.len(), grid)?;
    Ok(Fit {
        coefficients,
        grid,
        sensitivity: exact + off * BigInt::from(2),
        neighbours: data.domain().neighbours,
    })
}

/// Whether every minimum for labels of this squared norm, found within the tolerance, fits in 64 bits on the
/// coefficient grid: decided by what is public, since an error for the coefficients found would depend on the
/// records, and its text would show one.
///
/// # Errors
/// [`RandomFeatureError::Overflow`]; [`RandomFeatureError::Parameter`] unless `Lambda > 0`.
fn check_coefficients_fit(
    squared_labels: &Rational,
    tolerance: &Rational,
    parameters: &RidgeParameters,
) -> Result<(), RandomFeatureError> {
    above_zero("the penalty", &parameters.penalty)?;
    // |c*| <= |y|/(2 sqrt(Lambda)), in steps: at most 2^61 with (2 |c*|)^2 <= 2^124, and as much for the tolerance.
    let one = BigInt::from(parameters.coefficient_grid.one());
    let squared = squared_labels * one.pow(2) / &parameters.penalty;
    let limit = |bits: u32| Rational::from_integer(BigInt::from(1) << bits);
    if squared <= limit(124) && tolerance * one <= limit(61) {
        return Ok(());
    }
    Err(RandomFeatureError::Overflow {
        what: "a coefficient",
    })
}

/// `sqrt(D) / 2` steps of `grid`, rounded up: half a step in each of `D` coordinates.
fn half_a_step(dimension: usize, grid: Grid) -> Result<Rational, RandomFeatureError> {
    let root = Enclosure::integer(dimension, 64).sqrt()?.upper();
    Ok(root / BigInt::from(2 * grid.one()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    fn budget(neighbours: NeighbouringRelation) -> Budget {
        Budget::approximate(integer(1), ratio(1, 1000), neighbours).unwrap()
    }

    #[test]
    fn noise_is_quiet_up_to_a_fiftieth() {
        // 2 (1/10)^2 = 1/50.
        assert!(is_quiet(&integer(2), &ratio(1, 10)));
        assert!(!is_quiet(&ratio(201, 100), &ratio(1, 10)));
        assert!(is_quiet(&ratio(1, 2), &ratio(1, 5)));
        assert!(!is_quiet(&ratio(1, 2), &ratio(21, 100)));
    }

    #[test]
    fn noise_is_calibrated_for_the_sensitivity_in_steps() {
        let (grid, budget) = (
            Grid::new(3).unwrap(),
            budget(NeighbouringRelation::Substitute),
        );
        let variance = |sensitivity| {
            let noise = noise(&sensitivity, grid, 4, &budget).unwrap();
            noise.variance().clone()
        };
        let of = |squared: i64| discrete_gaussian::variance(&budget, &squared.into(), 4).unwrap();
        // 3/8 and 7/16 are 3 and 3 1/2 steps: 9 and 12 1/4, squared. Nothing moves by less than a step.
        assert_eq!(variance(ratio(3, 8)), of(9));
        assert_eq!(variance(ratio(7, 16)), of(12));
        assert_eq!(variance(ratio(1, 100)), of(1));
    }

    #[test]
    fn a_fit_is_released_under_its_own_relation_only() {
        let fit = Fit {
            coefficients: vec![1, 2],
            grid: Grid::new(3).unwrap(),
            sensitivity: ratio(1, 2),
            neighbours: NeighbouringRelation::AddOrRemove,
        };
        assert!(
            fit.noise(&budget(NeighbouringRelation::AddOrRemove))
                .is_ok()
        );
        assert!(
            fit.noise(&budget(NeighbouringRelation::Substitute))
                .is_err()
        );
    }

    #[test]
    fn coefficients_fit_up_to_two_to_the_61_steps() {
        let fits = |squared_labels: Rational, tolerance: Rational, penalty: i64| {
            let parameters = RidgeParameters {
                penalty: integer(penalty),
                coefficient_grid: Grid::new(40).unwrap(),
            };
            check_coefficients_fit(&squared_labels, &tolerance, &parameters)
        };
        // |y|/sqrt(Lambda) = 2^22 is 2^62 steps, and a tolerance of 2^21 is 2^61.
        let (labels, tolerance) = (integer(1i64 << 46), integer(1 << 21));
        assert_eq!(fits(labels.clone(), tolerance.clone(), 4), Ok(()));
        let overflow = Err(RandomFeatureError::Overflow {
            what: "a coefficient",
        });
        assert_eq!(fits(&labels + integer(1), tolerance.clone(), 4), overflow);
        assert_eq!(fits(labels.clone(), &tolerance + ratio(1, 9), 4), overflow);
        assert!(fits(labels, tolerance, 0).is_err());
    }

    #[test]
    fn rounding_four_coordinates_is_off_by_at_most_a_step() {
        assert_eq!(half_a_step(4, Grid::new(3).unwrap()).unwrap(), ratio(1, 8));
        assert_eq!(half_a_step(1, Grid::new(3).unwrap()).unwrap(), ratio(1, 16));
    }
}
