//! The baseline of regularised least squares with Gamma noise, repaired: pure differential privacy.
//!
//! `theta` is the least of `sum_j (<x_j, theta> - y_j)^2 + Lambda |theta|^2`, which the paper writes with `1/m`
//! in front of the sum and `lambda = Lambda/m`. Its baseline takes `2/(m lambda) = 2/Lambda` for the l2
//! sensitivity, a bound for losses of slope 1; the squared loss has none, and the bound is false (`lnsx25.rls`) for
//! labels of at most 1 each, and for labels divided by their own norm. It is true where the *vector* of labels
//! is promised to have norm at most 1 ([`ridge_sensitivity::substitution_of_normed_labels`]). Here the labels are
//! bounded one by one, and the sensitivity is a proved one (`lnsx25.rls.corrected`).
//!
//! Exact rationals: for few columns.

use super::RandomFeatureError;
use super::bounds::ridge_sensitivity;
use crate::coins::{Coins, Promise, Stage};
use crate::law::Noise;
use crate::number::range::{above_zero, require};
use crate::number::{Enclosure, Rational};
use crate::optimise::exact::{Complex, solve};
use crate::sample::GammaNoise;
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// The fit with Gamma noise, in steps of the grid: `(epsilon, 0)`-private under substitution.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for a record beyond the public bounds, which is refused rather than clipped;
/// [`RandomFeatureError::Count`]; [`RandomFeatureError::Length`]; those of [`Parameters::noise`] and of the coins.
pub fn learn(
    data: &[Record],
    parameters: &Parameters,
    epsilon: &Rational,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, RandomFeatureError> {
    // 1. The public bounds: |x| <= 1, |y| <= B, m records.
    parameters.check(data)?;
    // 2. The exact fit, rounded to the grid.
    let theta = fit(data, parameters.dimension, &parameters.penalty)?;
    let scale = BigInt::one() << parameters.grid_bits;
    let on_grid = theta
        .iter()
        .map(|theta| (theta * &scale).round().to_integer());
    // 3. Noise around all of it, for its sensitivity.
    let noise = parameters.noise(epsilon)?;
    coins.stage(&Stage::once("the release", Promise::Pure(epsilon.clone())));
    Ok(coins.draw(&noise.around_all(on_grid))?)
}

/// The least of `sum_j (<x_j, theta> - y_j)^2 + Lambda |theta|^2` over `dimension` columns.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] unless `Lambda > 0`; [`RandomFeatureError::Length`].
pub fn fit(
    records: &[Record],
    dimension: usize,
    penalty: &Rational,
) -> Result<Vec<Rational>, RandomFeatureError> {
    above_zero("the penalty", penalty)?;
    // 1. X^T X + Lambda I and X^T y.
    let mut matrix = vec![vec![Complex::zero(); dimension]; dimension];
    let mut right = vec![Complex::zero(); dimension];
    for (place, row) in matrix.iter_mut().enumerate() {
        row[place].re += penalty;
    }
    for record in records {
        if record.x.len() != dimension {
            return Err(RandomFeatureError::Length {
                what: "an input".to_owned(),
                expected: dimension,
                found: record.x.len(),
            });
        }
        for (i, a) in record.x.iter().enumerate() {
            right[i].re += a * &record.y;
            for (j, b) in record.x.iter().enumerate() {
                matrix[i][j].re += a * b;
            }
        }
    }
    // 2. The normal equations.
    Ok(solve(&matrix, &right)?.into_iter().map(|c| c.re).collect())
}

/// A record: an input of norm at most 1 and a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The input.
    pub x: Vec<Rational>,
    /// The label.
    pub y: Rational,
}

/// What is public about the data and the fit.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// The number of columns, at most [`crate::sample::LARGEST_GAMMA_DIMENSION`].
    pub dimension: usize,
    /// The public number of records.
    pub records: usize,
    /// `B`, a public bound on the labels.
    pub label_bound: Rational,
    /// `Lambda`.
    pub penalty: Rational,
    /// The output is on the grid of steps `2^-grid_bits`.
    pub grid_bits: u32,
}

impl Parameters {
    /// The noise that makes the rounded fit `(epsilon, 0)`-private under substitution.
    ///
    /// In steps of the grid the sensitivity is that of the fit and `sqrt(d)` more: each of the two fits is
    /// rounded by at most half a step a coordinate.
    ///
    /// # Errors
    /// Those of [`ridge_sensitivity::substitution_in_closed_form`] and [`GammaNoise::private`].
    pub fn noise(&self, epsilon: &Rational) -> Result<GammaNoise, RandomFeatureError> {
        let (bound, penalty) = (&self.label_bound, &self.penalty);
        let exact = ridge_sensitivity::substitution_in_closed_form(bound, penalty, self.records)?;
        let rounding = Enclosure::integer(self.dimension, 96).sqrt()?.upper();
        let steps = exact * (BigInt::one() << self.grid_bits) + rounding;
        Ok(GammaNoise::private(epsilon, &steps, self.dimension)?)
    }

    fn check(&self, data: &[Record]) -> Result<(), RandomFeatureError> {
        if data.len() != self.records {
            return Err(RandomFeatureError::Count {
                expected: "exactly",
                limit: self.records,
                found: data.len(),
            });
        }
        for record in data {
            let squared: Rational = record.x.iter().map(|x| x * x).sum();
            let right = squared <= Rational::one() && record.y.abs() <= self.label_bound;
            let expected = "within the public bounds";
            require(right, "a record", &"one beyond them", expected)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn a_release_is_on_the_grid_and_wrong_data_are_refused() {
        let parameters = Parameters {
            dimension: 2,
            records: 4,
            label_bound: integer(1),
            penalty: integer(1),
            grid_bits: 8,
        };
        let record = |x: Rational, z: Rational, y: i64| Record {
            x: vec![x, z],
            y: integer(y),
        };
        let mut data = vec![record(ratio(1, 2), integer(0), 1); 3];
        data.push(record(ratio(3, 5), ratio(4, 5), -1));
        let mut coins = ChaCha::reproducible(3, 0);
        let mut release = |data: &[Record]| learn(data, &parameters, &integer(1), &mut coins);
        assert_eq!(release(&data).unwrap().len(), 2);
        assert!(release(&data[1..]).is_err());
        let mut long = data.clone();
        long[0].x[0] = ratio(11, 10);
        assert!(release(&long).is_err());
        let mut loud = data.clone();
        loud[0].y = ratio(11, 10);
        assert!(release(&loud).is_err());
    }
}
