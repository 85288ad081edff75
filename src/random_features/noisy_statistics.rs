//! Repair R5: noisy sufficient statistics. The Gram matrix of the features and their products with the labels are
//! released with noise; ridge regression on them is then nobody's secret.
//!
//! Both are sums over the records, in integers: there is no solver whose gap must be bounded, and what one record adds
//! is known exactly (`spec/random-features.md`, `lnsx25.r5`). It has a number for every pair of features, so that it
//! suits few features: linear ones, or some dozens of frequencies.

use super::{Dataset, Domain, Model, RandomFeatureError};
use crate::coins::{Coins, Stage};
use crate::geometry::FeatureMap;
use crate::number::range::{above_zero, require};
use crate::number::rational::ratio;
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::noisy_equations::{Equations, Negative};
use crate::privacy::{Budget, NeighbouringRelation, discrete_gaussian, release_in_bulk};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

/// Learns by R5: (epsilon, delta)-differentially private under the data's relation (ledger: `lnsx25.r5`).
///
/// # Errors
/// Those of [`statistics`], [`noise`] and of the coins; none depends on the records.
pub fn learn(
    data: &Dataset,
    map: &FeatureMap,
    parameters: &Parameters,
    budget: &Budget,
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    // 1. The noise for what a record moves of all the statistics.
    let shape = Shape::new(data.domain(), map, &parameters.label_weight)?;
    let noise = noise(&shape, budget)?;
    learn_with(data, map, parameters, (&noise, budget), coins)
}

/// The same with noise that is already calibrated: **private only if it is that of [`noise`]** for this budget, and only
/// once for each.
///
/// # Errors
/// Those of [`statistics`] and of the coins.
pub fn learn_with(
    data: &Dataset,
    map: &FeatureMap,
    parameters: &Parameters,
    (noise, budget): (&DiscreteGaussian, &Budget),
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    coins.stage(&Stage::once("the statistics", budget.promise()));
    let shape = Shape::new(data.domain(), map, &parameters.label_weight)?;
    // 2. Phi^T Phi on and above the diagonal, then w Phi^T y: integers, and the noise around every one.
    let noisy = release_in_bulk(statistics(data, map, &shape)?, noise, coins)?;
    // 3. (G + Lambda)^-1 r with the noisy G and r, where the negative eigenvalues of G are raised to 0.
    let penalty = shape.penalty(&parameters.penalty, noise)?;
    let equations = shape.equations(&noisy);
    Ok(Model {
        coefficients: equations.solve(&penalty, Negative::Raised, parameters.coefficient_grid),
        grid: parameters.coefficient_grid,
        noise: noise.clone(),
    })
}

/// The statistics before the noise, `D (D + 1)/2` and `D` integers: **not private**.
///
/// # Errors
/// Those of [`Dataset::features`].
pub fn statistics(
    data: &Dataset,
    map: &FeatureMap,
    shape: &Shape,
) -> Result<Vec<BigInt>, RandomFeatureError> {
    let features = data.features(map)?;
    let dimension = shape.dimension;
    let mut gram = vec![0i128; dimension * (dimension + 1) / 2];
    let mut right = vec![0i128; dimension];
    for (row, label) in features.iter().zip(data.labels()) {
        let label = i128::from(label) * i128::from(shape.weight);
        let mut place = 0;
        for (i, &a) in row.iter().enumerate() {
            for &b in &row[i..] {
                // At most 4^24 a record.
                gram[place] += i128::from(i64::from(a) * i64::from(b));
                place += 1;
            }
            right[i] += i128::from(a) * label;
        }
    }
    Ok(gram.into_iter().chain(right).map(BigInt::from).collect())
}

/// The noise around each of the statistics: the least that the calibration certifies for their sensitivity.
///
/// # Errors
/// [`RandomFeatureError::Privacy`] for a budget with `delta = 0` or under another relation than the data's, and those
/// of the calibration.
pub fn noise(shape: &Shape, budget: &Budget) -> Result<DiscreteGaussian, RandomFeatureError> {
    budget.under(shape.neighbours)?;
    let squared = shape.squared_sensitivity();
    let variance = discrete_gaussian::variance(budget, &squared, shape.numbers())?;
    Ok(DiscreteGaussian::new(variance)?)
}

/// The parameters of R5. All are public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// How much of the budget goes to the labels: the largest product of a feature and a label, in units of the
    /// largest product of two features.
    pub label_weight: Rational,
    /// `kappa`: the penalty, in units of `sqrt(D)` deviations of the noise.
    pub penalty: Rational,
    /// The grid of the coefficients.
    pub coefficient_grid: Grid,
}

impl Parameters {
    /// What to take: label weight 7/10 and penalty 1, the best on white wine and on made-up records.
    ///
    /// # Errors
    /// Never: the grid is a legal one.
    pub fn suggested() -> Result<Self, RandomFeatureError> {
        Ok(Self {
            label_weight: ratio(7, 10),
            penalty: Rational::one(),
            coefficient_grid: Grid::new(24)?,
        })
    }
}

/// What is public about the statistics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// `D`.
    dimension: usize,
    feature_grid: Grid,
    label_grid: Grid,
    /// No feature is larger in magnitude, in steps.
    largest_entry: i64,
    /// `w`: what labels are multiplied by.
    weight: i64,
    /// `w B`: no label times `w` is larger in magnitude, in steps.
    largest_label: i64,
    pub(super) neighbours: NeighbouringRelation,
}

impl Shape {
    /// The shape of the statistics of such data under such a map; labels are multiplied by the largest integer `w` with
    /// `w B <= label_weight`, where `B` and 1 are in the steps of their grids.
    ///
    /// # Errors
    /// [`RandomFeatureError::Parameter`] for a weight so small that there is no such integer, or above 2^16.
    pub fn new(
        domain: &Domain,
        map: &FeatureMap,
        label_weight: &Rational,
    ) -> Result<Self, RandomFeatureError> {
        let one = BigInt::from(map.feature_grid().one());
        let largest = domain.largest_label;
        let weight = (label_weight * one / BigInt::from(largest)).floor();
        let weight = weight.to_integer().to_i64().unwrap_or(0);
        let right = weight >= 1 && *label_weight <= Rational::from_integer(BigInt::from(1 << 16));
        let expected = "at most 2^16, and enough that a step of the features is not above it times that of the labels";
        require(right, "the weight of the labels", label_weight, expected)?;
        Ok(Self {
            dimension: map.dimension(),
            feature_grid: map.feature_grid(),
            label_grid: domain.label_grid,
            largest_entry: i64::from(map.largest_entry()),
            weight,
            largest_label: weight * largest,
            neighbours: domain.neighbours,
        })
    }

    /// How many numbers are released.
    #[must_use]
    pub fn numbers(&self) -> u64 {
        (self.dimension * (self.dimension + 1) / 2 + self.dimension) as u64
    }

    /// The squared l2 sensitivity of the statistics under the data's relation, in squared steps.
    ///
    /// With `u` the square of the integer that is 1 on the feature grid, `l` that of the largest feature, `b` that of
    /// the largest label times `w`: a record adds a vector of squared norm at most `(u^2 + u l)/2 + u b`. One that is
    /// substituted moves them by at most, squared, `u^2 + u l + 2 b u + b^2 D/(D + 1)`, or, if `b D > u (D + 1)`,
    /// `u l + 4 u b - u^2/D`. The proof is in the specification. What moves is a vector of integers, and so the bound
    /// may be rounded down.
    #[must_use]
    pub fn squared_sensitivity(&self) -> BigInt {
        let square = |value: i64| BigInt::from(value).pow(2);
        let (u, l, b) = (
            square(self.feature_grid.one()),
            square(self.largest_entry),
            square(self.largest_label),
        );
        let dimension = BigInt::from(self.dimension);
        match self.neighbours {
            NeighbouringRelation::AddOrRemove => &u * (&u + l + b * 2) / 2,
            NeighbouringRelation::Substitute if &b * &dimension <= &u * (&dimension + 1) => {
                &u * (&u + l + &b * 2) + &b * &b * &dimension / (dimension + 1)
            }
            NeighbouringRelation::Substitute => {
                &u * (l * &dimension + b * 4 * &dimension - &u) / dimension
            }
        }
    }

    /// `Lambda = kappa sqrt(D) sigma`: noise of deviation `sigma` in each entry of a symmetric matrix has eigenvalues
    /// up to about `2 sqrt(D) sigma`.
    ///
    /// # Errors
    /// [`RandomFeatureError::Parameter`] unless `kappa > 0`.
    pub fn penalty(
        &self,
        kappa: &Rational,
        noise: &DiscreteGaussian,
    ) -> Result<Rational, RandomFeatureError> {
        above_zero("the penalty", kappa)?;
        let squared = noise.variance() * BigInt::from(self.dimension);
        Ok(Enclosure::of(&squared, 64).sqrt()?.upper() * kappa * self.gram_unit())
    }

    /// A step of the Gram matrix.
    fn gram_unit(&self) -> Rational {
        Rational::new(1.into(), BigInt::from(self.feature_grid.one()).pow(2))
    }

    /// The equations that statistics, noisy or not, make for the coefficients.
    pub fn equations<'a>(&self, statistics: &'a [BigInt]) -> Equations<'a> {
        let one = BigInt::from(self.feature_grid.one()) * self.label_grid.one() * self.weight;
        let (gram, right) = statistics.split_at(statistics.len() - self.dimension);
        Equations {
            gram,
            gram_unit: self.gram_unit(),
            right,
            right_unit: Rational::new(1.into(), one),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::integer;
    use num_traits::Zero;

    /// Features in eighths, and labels times the weight up to `largest_label` of them.
    fn shape(dimension: usize, largest_label: i64, neighbours: NeighbouringRelation) -> Shape {
        Shape {
            dimension,
            feature_grid: Grid::new(3).unwrap(),
            label_grid: Grid::new(3).unwrap(),
            largest_entry: 6,
            weight: 1,
            largest_label,
            neighbours,
        }
    }

    #[test]
    fn substitution_is_bounded_at_the_worst_angle_of_two_records() {
        // Two records at <phi, psi> = s, with labels that make the most of it, move the statistics by at most, squared,
        // 1 + l^2 - (1 + 1/D) s^2 + 2 b^2 (1 + s). Labels of 9 in two dimensions are between the two cases' bounds.
        for (dimension, label) in [(1, 4), (1, 12), (2, 8), (2, 9), (2, 10), (3, 9), (50, 8)] {
            let (l, b) = (ratio(6, 8), ratio(label, 8));
            let (squared_l, squared_b) = (&l * &l, &b * &b);
            let bend = integer(1) + ratio(1, dimension as i64);
            let at = |s: Rational| {
                integer(1) + &squared_l - &bend * &s * &s
                    + (integer(1) + s) * integer(2) * &squared_b
            };
            let worst = (0..=1000)
                .map(|s| at(ratio(s, 1000)))
                .fold(Rational::zero(), Rational::max)
                * integer(8i64.pow(4));
            let shape = shape(dimension, label, NeighbouringRelation::Substitute);
            let found = Rational::from_integer(shape.squared_sensitivity());
            assert!(
                found > &worst - integer(1),
                "{dimension} {label}: {found} {worst}"
            );
            assert!(found <= worst * ratio(1001, 1000), "{dimension} {label}");
        }
    }

    #[test]
    fn a_removal_moves_half_of_the_products_and_one_label() {
        // (64^2 + 64 36)/2 + 64 81
        let shape = shape(2, 9, NeighbouringRelation::AddOrRemove);
        assert_eq!(shape.squared_sensitivity(), 8384.into());
    }

    #[test]
    fn the_penalty_is_in_units_of_the_noise_of_a_matrix() {
        // sqrt(4) deviations of 3 are 6 steps of 1/64; half of that.
        let shape = shape(4, 8, NeighbouringRelation::Substitute);
        let noise = DiscreteGaussian::new(integer(9)).unwrap();
        let penalty = shape.penalty(&ratio(1, 2), &noise).unwrap();
        assert_eq!(penalty, ratio(3, 64));
        assert!(shape.penalty(&integer(0), &noise).is_err());
        // 10 products and 4 right sides.
        assert_eq!(shape.numbers(), 14);
    }
}
