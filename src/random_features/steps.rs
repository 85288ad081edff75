//! From a vector of known sensitivity to a private one: discrete Gaussian noise on the coefficient grid.

use super::{FeatureMap, RandomFeatureError};
use crate::coins::Coins;
use crate::number::{Grid, Rational};
use crate::optimise::FeatureMatrix;
use crate::privacy::{Budget, NeighbouringRelation, PrivacyError, discrete_gaussian, release};
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
        if budget.neighbours() != self.neighbours {
            return Err(PrivacyError::OtherNeighbours {
                expected: self.neighbours,
                found: budget.neighbours(),
            }
            .into());
        }
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
        self.release_with(&self.noise(budget)?, coins)
    }

    /// The same with noise that is already calibrated: **private only if it is that of [`Fit::noise`]**, for a fit
    /// with this sensitivity on this grid, and only once for each budget.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn release_with(
        &self,
        noise: &DiscreteGaussian,
        coins: &mut impl Coins,
    ) -> Result<Model, RandomFeatureError> {
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

/// A model that may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The noisy coefficients, in steps of their grid.
    pub coefficients: Vec<BigInt>,
    /// The grid of the coefficients.
    pub grid: Grid,
    /// The law of the noise of each, in steps.
    pub noise: DiscreteGaussian,
}

impl Model {
    /// `phi(x) . c`, exactly, in units of the labels.
    ///
    /// # Errors
    /// Those of [`FeatureMap::features`].
    pub fn predict(&self, map: &FeatureMap, point: &[i64]) -> Result<Rational, RandomFeatureError> {
        let row = map.features(point)?;
        let (grid, bits) = (map.feature_grid(), self.grid.bits());
        Ok(FeatureMatrix::value(grid, &row, &self.coefficients, bits))
    }
}
