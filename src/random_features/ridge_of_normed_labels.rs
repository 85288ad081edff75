//! Repair R2: ridge regression where the *vector* of the labels has norm at most 1.
//!
//! The paper's normalisation, taken as a promise about the data instead of a division by their own norm.
//! The singular values of `(Phi^T Phi + Lambda)^-1 Phi^T` are `s/(s^2 + Lambda) <= 1/(2 sqrt(Lambda))`, so that no
//! minimum is longer than that: what Lemma 9 wants, on all data, with `Lambda = (1 - 2 eta)/4` for its constant
//! (`spec/random-features.md`, `lnsx25.r2`).

use super::bounds::ridge_sensitivity;
use super::steps::{Fit, RidgeParameters, RidgeSolver, fit_ridge, is_quiet};
use super::{Dataset, Domain, Model, RandomFeatureError};
use crate::coins::Coins;
use crate::geometry::FeatureMap;
use crate::number::root::ceil_sqrt;
use crate::number::{Grid, Rational, grid::squared_norm};
use crate::optimise::{FeatureMatrix, ridge};
use crate::privacy::{Budget, gaussian};
use num_bigint::BigInt;
use num_traits::One;

/// Learns by R2: (epsilon, delta)-differentially private under the data's relation, **among datasets whose
/// labels have norm at most 1** (ledger: `lnsx25.r2`).
///
/// # Errors
/// Those of [`fit`] and of [`Fit::release`].
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
/// [`RandomFeatureError::LabelsTooLong`] if the promise is broken, which is the one error that depends on the
/// records (such a dataset is not legal); otherwise as for R3.
pub fn fit(
    data: &Dataset,
    features: &FeatureMatrix,
    parameters: &RidgeParameters,
) -> Result<Fit, RandomFeatureError> {
    fit_with(data, features, parameters, ridge::solve)
}

/// `sqrt(m)`, rounded up: so many labels of magnitude at most 1, each divided by this, have norm at most 1.
#[must_use]
pub fn divisor(records: usize) -> i64 {
    ceil_sqrt(&records) as i64
}

/// What to take for such data and such a budget, where each label is in `[-1, 1]` and was divided by [`divisor`]: the
/// penalty is the least `m 2^k`, `k = 0, 1, ...`, at which the noise of a prediction is small, multiplied by the divisor
/// again ([`INVERSE_NOISE_VARIANCE`](super::steps::INVERSE_NOISE_VARIANCE)). `m` is the public number of records or the
/// cap on it.
///
/// # Errors
/// [`RandomFeatureError::Privacy`] for a budget with `delta = 0`, [`RandomFeatureError::Parameter`] for a domain without
/// records, and those of the real functions.
pub fn suggested(domain: &Domain, budget: &Budget) -> Result<RidgeParameters, RandomFeatureError> {
    let multiplier = gaussian::noise_multiplier(budget)?;
    let unit = BigInt::from(divisor(domain.records));
    let mut penalty = Rational::from_integer(domain.records.into());
    loop {
        let sensitivity = ridge_sensitivity::of_normed_labels(&penalty, domain.neighbours)? * &unit;
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
    let labels = data.labels();
    // 1. The promise, in integers.
    let one = u128::from(domain.label_grid.one().unsigned_abs());
    if labels.iter().any(|y| u128::from(y.unsigned_abs()) > one)
        || squared_norm(&labels) > one * one
    {
        return Err(RandomFeatureError::LabelsTooLong);
    }
    // 2. How far the exact minimum moves with one record.
    let exact = ridge_sensitivity::of_normed_labels(&parameters.penalty, domain.neighbours)?;
    // 3. The minimum, on the coefficient grid: |y|^2 <= 1.
    let limits = ridge::Limits {
        largest_label: domain.label_grid.one(),
        ..domain.limits()
    };
    fit_ridge(
        data,
        features,
        &limits,
        &Rational::one(),
        exact,
        parameters,
        solve,
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Domain, Record};
    use super::*;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::NeighbouringRelation;

    #[test]
    fn labels_of_norm_one_are_fitted_and_longer_ones_are_refused() {
        // In eighths.
        let fitted = |labels: [i64; 2]| {
            let domain = Domain {
                input_grid: Grid::new(3).unwrap(),
                dimension: 1,
                largest_feature: 8,
                label_grid: Grid::new(3).unwrap(),
                largest_label: 16,
                neighbours: NeighbouringRelation::Substitute,
                records: 2,
            };
            let records = labels.map(|label| Record {
                features: vec![8],
                label,
            });
            let data = Dataset::new(domain, records.to_vec()).unwrap();
            let rows = [vec![8], vec![8]];
            let features = FeatureMatrix::new(Grid::new(3).unwrap(), 1, &rows).unwrap();
            let parameters = RidgeParameters {
                penalty: integer(2),
                coefficient_grid: Grid::new(20).unwrap(),
            };
            fit(&data, &features, &parameters).map(|fit| fit.coefficients)
        };
        // (1 + 0)/(2 + 2) = 1/4.
        assert_eq!(fitted([8, 0]), Ok(vec![1 << 18]));
        assert_eq!(fitted([0, -8]), Ok(vec![-1 << 18]));
        for long in [[9, 0], [0, -9], [8, 1], [6, 6]] {
            assert_eq!(fitted(long), Err(RandomFeatureError::LabelsTooLong));
        }
    }

    #[test]
    fn labels_in_the_unit_interval_have_norm_one_at_most_once_divided() {
        for (records, whole) in [
            (1, 1),
            (2, 2),
            (4, 2),
            (5, 3),
            (1204, 35),
            (1 << 20, 1 << 10),
        ] {
            assert_eq!(divisor(records), whole);
        }
    }

    #[test]
    fn the_suggested_penalty_is_the_least_with_little_noise() {
        for neighbours in [
            NeighbouringRelation::Substitute,
            NeighbouringRelation::AddOrRemove,
        ] {
            let grid = Grid::new(10).unwrap();
            let records = 1000;
            let domain = Domain {
                input_grid: grid,
                dimension: 1,
                largest_feature: 1,
                label_grid: grid,
                largest_label: grid.one(),
                neighbours,
                records,
            };
            let record = Record {
                features: vec![1],
                label: grid.one() / divisor(records),
            };
            let data = Dataset::new(domain, vec![record; records]).unwrap();
            let budget = Budget::approximate(integer(1), ratio(1, 100_000), neighbours).unwrap();
            let map = FeatureMap::linear(1, grid, grid).unwrap();
            let features = data.features(&map).unwrap();
            // The variance of the noise of a coefficient, in squares of the labels before they were divided.
            let variance = |penalty: &Rational| {
                let parameters = RidgeParameters {
                    penalty: penalty.clone(),
                    coefficient_grid: Grid::new(24).unwrap(),
                };
                let fit = fit(&data, &features, &parameters).unwrap();
                let unit = ratio(divisor(records), 1 << 24);
                fit.noise(&budget).unwrap().variance() * &unit * unit
            };
            let penalty = suggested(&domain, &budget).unwrap().penalty;
            assert!(penalty > integer(1000));
            // What the solver and the calibration add is less than a hundredth.
            let quiet = ratio(101, 5000);
            assert!(variance(&penalty) <= quiet);
            assert!(variance(&(penalty / BigInt::from(2))) > quiet);
        }
    }
}
