//! Repair R3: ridge regression with bounded labels, the repair that is of use as data grow.
//!
//! Labels have magnitude at most `B` record by record, features norm at most 1, and `Lambda` is fixed. Then
//! one record moves the minimum by an amount that is known exactly under removal, and up to a factor below
//! two under substitution ([`super::sensitivity`]); nothing is assumed of the data
//! (`spec/random-features.md`, `lnsx25.r3`).

use super::release::{Fit, Model};
use super::{Dataset, FeatureMap, RandomFeatureError, sensitivity};
use crate::coins::Coins;
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::{FeatureMatrix, ridge};
use crate::privacy::Budget;
use num_bigint::BigInt;

/// The parameters of R3. All are public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// `Lambda`, a multiple of `4^-b` for a feature grid of `b` bits. It does not depend on the number of
    /// records: under addition and removal that would break the guarantee.
    pub penalty: Rational,
    /// The grid of the coefficients, on which the noise lies.
    pub coefficient_grid: Grid,
}

/// The solver's tolerance: this part, 2^-12, of the sensitivity of the exact minimum.
pub const TOLERANCE_BITS: u32 = 12;

/// Learns by R3: (epsilon, delta)-differentially private under the data's relation (ledger: `lnsx25.r3`).
///
/// # Errors
/// Those of [`fit`] and of [`Fit::release`]; none depends on the records.
pub fn learn(
    data: &Dataset,
    map: &FeatureMap,
    parameters: &Parameters,
    budget: &Budget,
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    // 1. The features, record by record.
    let features = map.matrix(data)?;
    // 2. The minimum of |Phi c - y|^2 + Lambda |c|^2, within a gap.
    let fit = fit(data, &features, parameters)?;
    // 3. Noise for the sensitivity of the minimum and twice the gap.
    fit.release(budget, coins)
}

/// The coefficients before the noise, for the features of the data: **not private**.
///
/// # Errors
/// [`RandomFeatureError::Optimise`] for a penalty that is not positive or not on its grid, or so small that
/// the solver's integers do not suffice; those of [`sensitivity::of_ridge`].
pub fn fit(
    data: &Dataset,
    features: &FeatureMatrix,
    parameters: &Parameters,
) -> Result<Fit, RandomFeatureError> {
    let domain = data.domain();
    // 1. How far the exact minimum moves with one record.
    let exact = sensitivity::of_ridge(
        &domain.label_grid.value(domain.largest_label),
        &parameters.penalty,
        domain.records,
        domain.neighbours,
    )?;
    // 2. The minimum, within a tolerance that is fixed by what is public.
    let tolerance = &exact / (BigInt::from(1) << TOLERANCE_BITS);
    let solution = ridge::solve(
        features,
        &data.labels(),
        &domain.limits(),
        &parameters.penalty,
        &tolerance,
    )?;
    // 3. On the coefficient grid.
    let (coefficients, rounding) = rounded(&solution, parameters.coefficient_grid)?;
    // 4. Each of two neighbours may be off by the tolerance and by the rounding. The gap that was reached is
    //    smaller, but it is private.
    let off = tolerance + rounding;
    Ok(Fit {
        coefficients,
        grid: parameters.coefficient_grid,
        sensitivity: exact + off * BigInt::from(2),
        neighbours: domain.neighbours,
    })
}

/// The coefficients of a solution rounded to the nearest of `grid`, and the most that this moves any vector
/// of that dimension.
///
/// # Errors
/// [`RandomFeatureError::Number`], for coefficients that do not fit; the solver's do.
pub(super) fn rounded(
    solution: &ridge::Solution,
    grid: Grid,
) -> Result<(Vec<i64>, Rational), RandomFeatureError> {
    let coefficients = solution.rounded(grid)?;
    Ok((
        coefficients,
        half_a_step(solution.coefficients.len(), grid)?,
    ))
}

/// `sqrt(D) / 2` steps of `grid`, rounded up: half a step in each of `D` coordinates.
pub(super) fn half_a_step(dimension: usize, grid: Grid) -> Result<Rational, RandomFeatureError> {
    let root = Enclosure::integer(dimension, 64).sqrt()?.upper();
    Ok(root / BigInt::from(2 * grid.one()))
}
