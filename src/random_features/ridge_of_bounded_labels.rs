//! Repair R3: ridge regression with bounded labels, the repair that is of use as data grow.
//!
//! Labels have magnitude at most `B` record by record, features norm at most 1, and `Lambda` is fixed. Then
//! one record moves the minimum by an amount that is known exactly under removal, and up to a factor below
//! two under substitution ([`ridge_sensitivity`]); nothing is assumed of the data
//! (`spec/random-features.md`, `lnsx25.r3`).

use super::bounds::ridge_sensitivity;
use super::steps::{Fit, RidgeParameters, RidgeSolver, fit_ridge};
use super::{Dataset, Model, RandomFeatureError};
use crate::coins::Coins;
use crate::geometry::FeatureMap;
use crate::optimise::{FeatureMatrix, ridge};
use crate::privacy::Budget;
use num_bigint::BigInt;

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

/// The same by another solver, which keeps its tolerance.
pub(super) fn fit_with(
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
