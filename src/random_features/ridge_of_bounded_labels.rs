//! Repair R3: ridge regression with bounded labels, the repair that is of use as data grow.
//!
//! Labels have magnitude at most `B` record by record, features norm at most 1, and `Lambda` is fixed. Then
//! one record moves the minimum by an amount that is known exactly under removal, and up to a factor below
//! two under substitution ([`super::sensitivity`]); nothing is assumed of the data
//! (`spec/random-features.md`, `lnsx25.r3`).

use super::steps::{Fit, Model};
use super::{Dataset, FeatureMap, RandomFeatureError, sensitivity};
use crate::coins::Coins;
use crate::number::range::above_zero;
use crate::number::{Enclosure, Grid, Rational};
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
    parameters: &Parameters,
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
/// bits on its grid; those of [`ridge::of_ridge`].
pub fn fit(
    data: &Dataset,
    features: &FeatureMatrix,
    parameters: &Parameters,
) -> Result<Fit, RandomFeatureError> {
    let domain = data.domain();
    // 1. How far the exact minimum moves with one record.
    let exact = ridge::of_ridge(
        &domain.label_grid.value(domain.largest_label),
        &parameters.penalty,
        domain.records,
        domain.neighbours,
    )?;
    // 2. The minimum, within a tolerance that is fixed by what is public.
    let tolerance = &exact / (BigInt::from(1) << TOLERANCE_BITS);
    let label = domain.label_grid.value(domain.largest_label);
    let squared = &label * &label * BigInt::from(domain.records);
    check_coefficients_fit(&squared, &tolerance, parameters)?;
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

/// The coefficients of a solution rounded to the nearest of `grid`, and the most that this moves any vector
/// of that dimension.
///
/// # Errors
/// [`RandomFeatureError::Number`], for coefficients that do not fit: never after [`check_coefficients_fit`].
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

/// Whether every minimum for labels of this squared norm, found within the tolerance, fits in 64 bits on the
/// coefficient grid: decided by what is public, since an error for the coefficients found would depend on the
/// records, and its text would show one.
///
/// # Errors
/// [`RandomFeatureError::Overflow`]; [`RandomFeatureError::Parameter`] unless `Lambda > 0`.
pub(super) fn check_coefficients_fit(
    squared_labels: &Rational,
    tolerance: &Rational,
    parameters: &Parameters,
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
pub(super) fn half_a_step(dimension: usize, grid: Grid) -> Result<Rational, RandomFeatureError> {
    let root = Enclosure::integer(dimension, 64).sqrt()?.upper();
    Ok(root / BigInt::from(2 * grid.one()))
}
