//! Repair R4: one pass of Kaczmarz's method with clipped residuals.
//!
//! What the paper's code runs, with a clip: `c <- c + phi_j clip(y_j - phi_j . c)`. A step on a row of norm at
//! most 1 with a clip that does not decrease and has slope at most 1 brings no two points farther apart; so
//! that a substituted record moves the result by its own step, at most `tau` on either side, and a removed one
//! by `tau` (`spec/random-features.md`, `lnsx25.r4`). The sensitivity depends neither on the data nor on `m`,
//! except through the rounding.

use super::hidden_order::HiddenOrder;
use super::steps::{Fit, is_quiet};
use super::{Dataset, Domain, Model, RandomFeatureError};
use crate::coins::Coins;
use crate::geometry::FeatureMap;
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::{FeatureMatrix, kaczmarz};
use crate::privacy::{Budget, NeighbouringRelation, gaussian};
use num_bigint::BigInt;
use num_traits::One;

/// Learns by R4: (epsilon, delta)-differentially private under the data's relation (ledger: `lnsx25.r4`).
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
    // 2. One pass.
    let fit = fit(data, &features, parameters, coins)?;
    // 3. Noise for the steps of one record and for the rounding.
    fit.release(budget, coins)
}

/// The coefficients before the noise, for the features of the data: **not private**.
///
/// # Errors
/// Those of [`kaczmarz::clipped_pass`], [`sensitivity`] and the coins.
pub fn fit(
    data: &Dataset,
    features: &FeatureMatrix,
    parameters: &Parameters,
    coins: &mut impl Coins,
) -> Result<Fit, RandomFeatureError> {
    let domain = data.domain();
    // 0. Decided by the cap: the number of records is private where they are added or removed.
    kaczmarz::check_pass(
        domain.records,
        features.grid().bits(),
        &parameters.residual_bound,
        parameters.coefficient_grid,
    )?;
    // 1. The order of the pass.
    let order = match parameters.order {
        Order::AsGiven => (0..features.rows()).collect(),
        Order::Random => coins.draw_hidden(&HiddenOrder::of(data))?,
    };
    // 2. c <- c + phi_j clip(y_j - phi_j . c), record by record.
    let coefficients = kaczmarz::clipped_pass(
        features,
        &data.labels(),
        domain.label_grid,
        &order,
        &parameters.residual_bound,
        parameters.coefficient_grid,
    )?;
    // 3. How far one record moves the result, the rounding included.
    let shape = (domain.records, features.columns());
    Ok(Fit {
        coefficients,
        grid: parameters.coefficient_grid,
        sensitivity: sensitivity(parameters, shape, domain.neighbours)?,
        neighbours: domain.neighbours,
    })
}

/// In which order the pass goes through the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As they are given. Neighbours are then sequences: a substituted record has the same place, and the
    /// others keep their order when one is removed.
    AsGiven,
    /// A uniformly random order, which is not published ([`HiddenOrder`]). Neighbours are multisets.
    Random,
}

/// The parameters of R4. All are public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// `tau`: residuals are clipped to `[-tau, tau]`, in units of the labels.
    pub residual_bound: Rational,
    /// The order of the pass.
    pub order: Order,
    /// The grid of the coefficients, on which the noise lies; each step of the pass rounds to it.
    pub coefficient_grid: Grid,
}

impl Parameters {
    /// What to take for such data and such a budget: residuals clipped to the bound of the labels times the largest
    /// `2^-k`, `k = 0, 1, ...`, at which the noise of a prediction is small ([`INVERSE_NOISE_VARIANCE`](super::steps::INVERSE_NOISE_VARIANCE),
    /// without the rounding), and a random order.
    ///
    /// # Errors
    /// [`RandomFeatureError::Privacy`] for a budget with `delta = 0`, and those of the real functions.
    pub fn suggested(domain: &Domain, budget: &Budget) -> Result<Self, RandomFeatureError> {
        let multiplier = gaussian::noise_multiplier(budget)?;
        let mut part = Rational::one();
        while !is_quiet(&own_steps(&part, domain.neighbours).pow(2), &multiplier) {
            part /= BigInt::from(2);
        }
        Ok(Self {
            residual_bound: domain.label_grid.value(domain.largest_label) * part,
            order: Order::Random,
            // Finer than the other learners': each step of the pass rounds to it.
            coefficient_grid: Grid::new(30)?,
        })
    }
}

/// How far the steps of one record move the result: `2 tau` under substitution and `tau` under removal.
fn own_steps(residual_bound: &Rational, neighbours: NeighbouringRelation) -> Rational {
    match neighbours {
        NeighbouringRelation::Substitute => residual_bound * BigInt::from(2),
        NeighbouringRelation::AddOrRemove => residual_bound.clone(),
    }
}

/// `2 tau` under substitution and `tau` under removal, and in both cases `m (sqrt(D) + 1)` steps of the grid
/// for the rounding, rounded up; `shape` is `(m, D)`, or a cap on `m`.
///
/// # Errors
/// [`RandomFeatureError::Number`], never in practice.
pub fn sensitivity(
    parameters: &Parameters,
    (records, dimension): (usize, usize),
    neighbours: NeighbouringRelation,
) -> Result<Rational, RandomFeatureError> {
    let own = own_steps(&parameters.residual_bound, neighbours);
    let step = Enclosure::integer(dimension, 64).sqrt()?.upper() + BigInt::from(1);
    let grid = parameters.coefficient_grid;
    Ok(own + step * BigInt::from(records) / BigInt::from(grid.one()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};

    #[test]
    fn the_suggested_clip_is_the_largest_with_little_noise() {
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
            let suggested = Parameters::suggested(&domain, &budget).unwrap();
            let bound = grid.value(label);
            assert!(suggested.residual_bound < bound);
            // In squares of the bound of the labels; the rounding and the calibration add less than a hundredth.
            let variance = |residual_bound: &Rational| {
                let parameters = Parameters {
                    residual_bound: residual_bound.clone(),
                    ..suggested.clone()
                };
                let moved = sensitivity(&parameters, (1000, 2), neighbours).unwrap();
                let grid = parameters.coefficient_grid;
                let noise = super::super::steps::noise(&moved, grid, 2, &budget).unwrap();
                let unit = &bound * BigInt::from(grid.one());
                noise.variance() / (&unit * &unit)
            };
            let quiet = ratio(101, 5000);
            assert!(variance(&suggested.residual_bound) <= quiet);
            assert!(variance(&(&suggested.residual_bound * BigInt::from(2))) > quiet);
        }
    }
}
