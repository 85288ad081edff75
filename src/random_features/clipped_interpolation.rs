//! Repair R1: interpolate, clip, add noise. The paper's Algorithm 1 with the bound that it needs enforced.
//!
//! The paper bounds the norm of the interpolation by `1/sqrt(N (1 - 2 eta))`, in the units of our features (rows
//! of norm 1) by `R = 1/sqrt(1 - 2 eta)`, for data that it hopes to get. Here the vector is clipped to that
//! ball, on all data; and two points of a ball are at most `2 R` apart, neighbours or not. Any function of
//! the data into the ball would be as private, so that nothing rests on the solver; and as the noise hides
//! *any* two datasets from each other, little is learned (`spec/random-features.md`, `lnsx25.r1`).

use super::steps::Fit;
use super::{Dataset, Model, RandomFeatureError};
use crate::coins::Coins;
use crate::geometry::FeatureMap;
use crate::number::range::{OutOfRange, require};
use crate::number::{Enclosure, Grid, Rational, grid, rational};
use crate::optimise::{FeatureMatrix, minimum_norm};
use crate::privacy::Budget;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// Learns by R1: (epsilon, delta)-differentially private under the data's relation (ledger: `lnsx25.r1`).
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
    // 2. The interpolation of minimum norm, clipped.
    let fit = fit(data, &features, parameters)?;
    // 3. Noise in every coordinate, for the diameter of the ball.
    fit.release(budget, coins)
}

/// The coefficients before the noise, for the features of the data: **not private**.
///
/// Where the interpolation fails (equal rows, more rows than columns, rows too close to dependent) the
/// vector is zero: to stop there would tell what the data are.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `0 < eta < 1/2`, or for a grid on which the ball is a point.
pub fn fit(
    data: &Dataset,
    features: &FeatureMatrix,
    parameters: &Parameters,
) -> Result<Fit, RandomFeatureError> {
    let radius = radius_in_steps(&parameters.eta, parameters.coefficient_grid)?;
    // 1. The interpolation, roughly: privacy does not rest on how well.
    let labels = data.labels();
    let tolerance = rational::ratio(1, 1 << 16);
    let grid = data.domain().label_grid;
    let solved = minimum_norm::solve(features, &labels, grid, &tolerance)
        .ok()
        .and_then(|solution| solution.rounded(parameters.coefficient_grid).ok());
    let mut coefficients = solved.unwrap_or_else(|| vec![0; features.columns()]);
    // 2. Clipped to the ball, in integers.
    grid::clip_to_radius(&mut coefficients, radius);
    Ok(Fit {
        coefficients,
        grid: parameters.coefficient_grid,
        sensitivity: Rational::new(
            BigInt::from(2 * radius),
            parameters.coefficient_grid.one().into(),
        ),
        neighbours: data.domain().neighbours,
    })
}

/// The parameters of R1. All are public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// The paper's `eta`, above 0 and below 1/2: 3/8 gives its `Delta = 4/sqrt(N)`, here 4.
    pub eta: Rational,
    /// The grid of the coefficients, on which the noise lies.
    pub coefficient_grid: Grid,
}

/// `1/sqrt(1 - 2 eta)` in steps, rounded down.
fn radius_in_steps(eta: &Rational, grid: Grid) -> Result<u64, RandomFeatureError> {
    let rest = Rational::one() - eta * BigInt::from(2);
    let right = eta.is_positive() && rest.is_positive();
    require(right, "eta", eta, "above 0 and below 1/2")?;
    let radius = Enclosure::of(&rest.recip(), 96).sqrt()?.lower();
    let expected = "such that the ball has between 1 and 2^60 steps";
    Ok((radius * BigInt::from(grid.one()))
        .floor()
        .to_integer()
        .to_u64()
        .filter(|radius| (1..1 << 60).contains(radius))
        .ok_or_else(|| OutOfRange::new("eta", eta, expected))?)
}
