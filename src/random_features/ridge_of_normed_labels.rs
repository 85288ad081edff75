//! Repair R2: ridge regression where the *vector* of the labels has norm at most 1.
//!
//! The paper's normalisation, taken as a promise about the data instead of a division by their own norm.
//! The singular values of `(Phi^T Phi + Lambda)^-1 Phi^T` are `s/(s^2 + Lambda) <= 1/(2 sqrt(Lambda))`, so that no
//! minimum is longer than that: what Lemma 9 wants, on all data, with `Lambda = (1 - 2 eta)/4` for its constant
//! (`spec/random-features.md`, `lnsx25.r2`).

use super::bounds::ridge_sensitivity;
use super::steps::{Fit, RidgeParameters, RidgeSolver, fit_ridge};
use super::{Dataset, Model, RandomFeatureError};
use crate::coins::Coins;
use crate::geometry::FeatureMap;
use crate::number::{Rational, grid::squared_norm};
use crate::optimise::{FeatureMatrix, ridge};
use crate::privacy::Budget;
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

/// The same by another solver, which keeps its tolerance.
pub(super) fn fit_with(
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
    use crate::number::Grid;
    use crate::number::rational::integer;
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
}
