//! Repair R3: ridge regression with bounded labels, the repair that is of use as data grow.
//!
//! Labels have magnitude at most `B` record by record, features norm at most 1, and `Lambda` is fixed. Then
//! one record moves the minimum by an amount that is known exactly under removal, and up to a factor below
//! two under substitution ([`ridge_sensitivity`]); nothing is assumed of the data
//! (`spec/random-features.md`, `lnsx25.r3`).

use super::bounds::ridge_sensitivity;
use super::steps::{Fit, RidgeParameters, RidgeSolver, fit_ridge, is_quiet};
use super::{Dataset, Domain, Model, RandomFeatureError};
use crate::coins::Coins;
use crate::geometry::FeatureMap;
use crate::number::{Grid, Rational};
use crate::optimise::{FeatureMatrix, ridge};
use crate::privacy::{Budget, gaussian};
use num_bigint::BigInt;
use num_traits::One;

/// Learns by R3: (epsilon, delta)-differentially private under the data's relation (ledger: `lnsx25.r3`).
///
/// # Errors
/// Those of [`fit`] and of [`Fit::release`]; none depends on the records.
pub fn learn(
    data: &Dataset,
    map: &FeatureMap,
    parameters: &RidgeParameters,
    budget: &Budget,
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    // 1. The features, record by record.
    let features = data.features(map)?;
    // 2. The minimum of |Phi c - y|^2 + Lambda |c|^2, within a gap.
    let fit = fit(data, &features, parameters)?;
    // 3. Noise for the sensitivity of the minimum and twice the gap.
    fit.release(budget, coins)
}

/// The coefficients before the noise, for the features of the data: **not private**.
///
/// # Errors
/// [`RandomFeatureError::Optimise`] for a penalty that is not positive or not on its grid, or so small that
/// the solver's integers do not suffice; [`RandomFeatureError::Overflow`] if a coefficient *might* not fit in 64
/// bits on its grid; those of [`ridge_sensitivity::of_bounded_labels`].
pub fn fit(
    data: &Dataset,
    features: &FeatureMatrix,
    parameters: &RidgeParameters,
) -> Result<Fit, RandomFeatureError> {
    fit_with(data, features, parameters, ridge::solve)
}

/// What to take for such data and such a budget: the penalty is the least `m 2^k / 512`, `k = 0, 1, ...`, at which the
/// noise of a prediction is small ([`INVERSE_NOISE_VARIANCE`](super::steps::INVERSE_NOISE_VARIANCE)), `m` the public
/// number of records or the cap on it.
/// For features on a grid of 5 bits or more.
///
/// # Errors
/// [`RandomFeatureError::Privacy`] for a budget with `delta = 0`, and those of the real functions.
pub fn suggested(domain: &Domain, budget: &Budget) -> Result<RidgeParameters, RandomFeatureError> {
    let multiplier = gaussian::noise_multiplier(budget)?;
    let one = Rational::one();
    let mut penalty = Rational::new(domain.records.into(), 512.into());
    loop {
        let sensitivity = ridge_sensitivity::of_bounded_labels(
            &one,
            &penalty,
            domain.records,
            domain.neighbours,
        )?;
        if is_quiet(&(&sensitivity * &sensitivity), &multiplier) {
            break;
        }
        penalty *= BigInt::from(2);
    }
    Ok(RidgeParameters {
        penalty,
        coefficient_grid: Grid::new(24)?,
    })
}

/// The same by another solver. For the ledger, whose solver errs by all of its tolerance: that a solver keeps it is not looked at,
/// and privacy rests on it.
#[doc(hidden)]
pub fn fit_with(
    data: &Dataset,
    features: &FeatureMatrix,
    parameters: &RidgeParameters,
    solve: RidgeSolver,
) -> Result<Fit, RandomFeatureError> {
    let domain = data.domain();
    let label = domain.label_grid.value(domain.largest_label);
    // 1. How far the exact minimum moves with one record.
    let exact = ridge_sensitivity::of_bounded_labels(
        &label,
        &parameters.penalty,
        domain.records,
        domain.neighbours,
    )?;
    // 2. The minimum, on the coefficient grid: |y|^2 <= m B^2.
    let squared = &label * &label * BigInt::from(domain.records);
    let limits = domain.limits();
    fit_ridge(data, features, &limits, &squared, exact, parameters, solve)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};

    /// The variance of the noise of a coefficient, in squares of the bound of the labels, with this penalty.
    fn variance(domain: &Domain, budget: &Budget, penalty: &Rational) -> Rational {
        let record = |_| crate::random_features::Record {
            features: vec![1],
            label: domain.largest_label,
        };
        let data = Dataset::new(*domain, (0..domain.records).map(record).collect()).unwrap();
        let grid = Grid::new(5).unwrap();
        let map = FeatureMap::linear(1, domain.input_grid, grid).unwrap();
        let parameters = RidgeParameters {
            penalty: penalty.clone(),
            coefficient_grid: Grid::new(24).unwrap(),
        };
        let fit = fit(&data, &data.features(&map).unwrap(), &parameters).unwrap();
        let noise = fit.noise(budget).unwrap();
        let bound = domain.label_grid.value(domain.largest_label) * BigInt::from(1 << 24);
        noise.variance() / (&bound * &bound)
    }

    #[test]
    fn the_suggested_penalty_is_the_least_with_little_noise() {
        for (neighbours, label) in [(Substitute, 4), (Substitute, 12), (AddOrRemove, 4)] {
            let grid = Grid::new(2).unwrap();
            let domain = Domain {
                input_grid: grid,
                dimension: 1,
                largest_feature: 4,
                label_grid: grid,
                largest_label: label,
                neighbours,
                records: 1000,
            };
            let budget = Budget::approximate(integer(1), ratio(1, 100_000), neighbours).unwrap();
            let penalty = suggested(&domain, &budget).unwrap().penalty;
            assert!(penalty > ratio(1000, 512));
            // What the solver and the calibration add is less than a hundredth.
            let quiet = ratio(101, 5000);
            assert!(variance(&domain, &budget, &penalty) <= quiet);
            assert!(variance(&domain, &budget, &(penalty / BigInt::from(2))) > quiet);
        }
    }
}
