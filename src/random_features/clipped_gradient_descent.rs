//! Repair R6: full-batch gradient descent with clipped residuals and noise in every step.
//!
//! A step asks for `sum over j of psi(y_j - phi_j . c) phi_j`, `psi` the clip to `[-tau, tau]`. One record moves it by
//! at most `tau`, or `2 tau` if substituted, whatever `c` is; so privacy rests on no curvature, no gap of a solver and no
//! penalty (`spec/random-features.md`, `lnsx25.r6`). Of the repairs it serves users best.

use super::{Dataset, Domain, Model, RandomFeatureError};
use crate::coins::{Coins, GaussianShift, Promise, Stage};
use crate::geometry::FeatureMap;
use crate::number::range::{above_zero, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::{FeatureMatrix, inner_product, noisy_descent};
use crate::prepared::DrawnOften;
use crate::privacy::{Budget, NeighbouringRelation, discrete_gaussian, gaussian, release};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

/// Learns by R6: (epsilon, delta)-differentially private under the data's relation (ledger: `lnsx25.r6`).
///
/// # Errors
/// Those of [`noise`] and [`learn_with`]; none depends on the records.
pub fn learn(
    data: &Dataset,
    map: &FeatureMap,
    parameters: &Parameters,
    budget: &Budget,
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    // 1. The noise of a step, for what a record moves in all of them.
    let noise = noise(data.domain(), map, parameters, budget)?;
    learn_with(data, map, parameters, (&noise, budget), coins)
}

/// The same with noise that is already calibrated: **private only if it is that of [`noise`]** for this budget, and only
/// once for each.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for parameters out of range; those of [`Dataset::features`] and of the coins.
pub fn learn_with(
    data: &Dataset,
    map: &FeatureMap,
    parameters: &Parameters,
    (noise, budget): (&DiscreteGaussian, &Budget),
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    coins.stage(&stage(data.domain(), map, parameters, noise, budget)?);
    let features = data.features(map)?;
    let in_steps = InSteps::new(data.domain(), map.feature_grid(), parameters)?;
    let mut c = vec![0; features.columns()];
    let draws = u64::from(parameters.steps).saturating_mul(c.len() as u64);
    let drawn = DrawnOften::new(noise.clone(), draws)?;
    for _ in 0..parameters.steps {
        // 2. sum over j of psi(y_j - phi_j . c) phi_j: integers, and the noise around every one.
        let noisy = release(direction(data, &features, &c, parameters)?, &drawn, coins)?;
        // 3. c <- c + (rate/m) of it, and back into the ball.
        noisy_descent::step(&mut c, &noisy, &in_steps.squared_scale, in_steps.radius);
    }
    Ok(Model {
        coefficients: c.into_iter().map(BigInt::from).collect(),
        grid: parameters.coefficient_grid,
        noise: noise.clone(),
    })
}

/// `sum over j of psi(y_j - phi_j . c) phi_j` before the noise, in steps of the product of the grids of features and
/// labels: **not private**.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for parameters out of range.
pub fn direction(
    data: &Dataset,
    features: &FeatureMatrix,
    c: &[i64],
    parameters: &Parameters,
) -> Result<Vec<i128>, RandomFeatureError> {
    let in_steps = InSteps::new(data.domain(), features.grid(), parameters)?;
    let residual = |(row, label): (&[i32], i64)| {
        // Exactly, and then towards zero to the grid of the labels: a function of this record and of c.
        let exact = (i128::from(label) << in_steps.shift) - inner_product(row, c);
        let rounded = exact / (1 << in_steps.shift);
        rounded.clamp(-in_steps.residual_bound, in_steps.residual_bound)
    };
    let residuals: Vec<i128> = features.iter().zip(data.labels()).map(residual).collect();
    Ok(features.transposed_times(&residuals))
}

/// The noise around each coordinate in each step: the least that is certified for all steps together.
///
/// `T` steps, each on what was released before, are no less private than one release of `T D` coordinates that moves by
/// `sqrt(T)` times as much; the proof is in the specification. The calibration takes the better of the bound for several
/// dimensions and of zero-concentrated privacy, in which the `rho` of the steps add up.
///
/// # Errors
/// [`RandomFeatureError::Privacy`] for a budget with `delta = 0` or under another relation than the data's, and those
/// of the calibration; [`RandomFeatureError::Parameter`] for parameters out of range.
pub fn noise(
    domain: &Domain,
    map: &FeatureMap,
    parameters: &Parameters,
    budget: &Budget,
) -> Result<DiscreteGaussian, RandomFeatureError> {
    budget.under(domain.neighbours)?;
    let steps = parameters.steps;
    let squared = squared_sensitivity(domain, map.feature_grid(), parameters)? * steps;
    let numbers = u64::from(steps) * map.dimension() as u64;
    let variance = discrete_gaussian::variance(budget, &squared, numbers)?;
    Ok(DiscreteGaussian::new(variance)?)
}

/// At least the deviation of the noise of a prediction, in units of the labels: `rate sigma sqrt(T) / m`.
///
/// No later step makes the noise of an earlier one longer, as the clip does not decrease and has slope at most 1, and
/// features have norm at most 1.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for parameters out of range.
pub fn largest_noise(
    domain: &Domain,
    map: &FeatureMap,
    parameters: &Parameters,
    noise: &DiscreteGaussian,
) -> Result<Rational, RandomFeatureError> {
    let in_steps = InSteps::new(domain, map.feature_grid(), parameters)?;
    let one = BigInt::from(parameters.coefficient_grid.one());
    // The divisor takes a direction to steps of the coefficients, of which there are 2^b to one.
    let variance = noise.variance() * BigInt::from(parameters.steps) / in_steps.squared_scale;
    Ok(Enclosure::of(&variance, 64).sqrt()?.upper() / one)
}

/// What the descent promises: each step noise for its sensitivity, and all of them the budget.
fn stage(
    domain: &Domain,
    map: &FeatureMap,
    parameters: &Parameters,
    noise: &DiscreteGaussian,
    budget: &Budget,
) -> Result<Stage, RandomFeatureError> {
    let each = Promise::Gaussian(GaussianShift {
        squared: squared_sensitivity(domain, map.feature_grid(), parameters)?,
        moved: map.dimension() as u64,
        variance: noise.variance().clone(),
    });
    let steps = parameters.steps.into();
    Ok(Stage::steps("the descent", steps, each, budget.promise()))
}

/// The squared l2 sensitivity of [`direction`] under the data's relation: that of `psi phi`, which is at most `tau` long,
/// added, or replaced by another.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for parameters out of range.
pub fn squared_sensitivity(
    domain: &Domain,
    feature_grid: Grid,
    parameters: &Parameters,
) -> Result<BigInt, RandomFeatureError> {
    let in_steps = InSteps::new(domain, feature_grid, parameters)?;
    let tau = BigInt::from(in_steps.residual_bound) * feature_grid.one();
    Ok(match domain.neighbours {
        NeighbouringRelation::AddOrRemove => tau.pow(2),
        NeighbouringRelation::Substitute => tau.pow(2) * 4,
    })
}

/// The parameters of R6. All are public, and chosen without the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// `T`, from 1 to 2^16.
    pub steps: u32,
    /// `tau`: residuals are clipped to `[-tau, tau]`, in units of the labels.
    pub residual_bound: Rational,
    /// How far a step goes, above 0 and at most 2: beyond that it does not settle. Divided by the public number of
    /// records, or the cap on it.
    pub rate: Rational,
    /// The coefficients stay in a ball of this radius.
    pub radius: Rational,
    /// The grid of the coefficients.
    pub coefficient_grid: Grid,
}

/// No more steps are taken by default.
const MOST_STEPS: u32 = 400;

impl Parameters {
    /// What to take for such data and such a budget: residuals clipped to a quarter of the labels' bound, rate 1, and
    /// `T = m / (s z)` steps, rounded up and at most 400, where `z` is the noise multiplier of the budget and `s` is 2
    /// under substitution and 1 under addition and removal.
    ///
    /// In `T` steps the noise of a coefficient grows to at most `tau s z T / m`, so that these many keep it at `tau`.
    /// The two constants were the best, on the average over budgets, on white wine and on made-up records.
    ///
    /// # Errors
    /// [`RandomFeatureError::Privacy`] for a budget with `delta = 0`, and those of the real functions.
    pub fn suggested(domain: &Domain, budget: &Budget) -> Result<Self, RandomFeatureError> {
        let multiplier = gaussian::noise_multiplier(budget)?;
        let apart = match domain.neighbours {
            NeighbouringRelation::Substitute => 2,
            NeighbouringRelation::AddOrRemove => 1,
        };
        let steps = integer(domain.records as u64) / (multiplier * BigInt::from(apart));
        let steps = steps.ceil().to_integer().to_u32().unwrap_or(MOST_STEPS);
        Ok(Self {
            steps: steps.clamp(1, MOST_STEPS),
            residual_bound: domain.label_grid.value(domain.largest_label) * ratio(1, 4),
            rate: Rational::one(),
            radius: integer(64),
            coefficient_grid: Grid::new(24)?,
        })
    }
}

/// The parameters in steps of the grids.
struct InSteps {
    /// `tau`, in steps of the labels.
    residual_bound: i128,
    /// From the grid of the labels to the product of those of features and coefficients, in bits.
    shift: u32,
    /// Of the coefficients.
    radius: i64,
    /// The square of the divisor that takes a direction to a step of the coefficients.
    squared_scale: Rational,
}

impl InSteps {
    fn new(
        domain: &Domain,
        feature_grid: Grid,
        parameters: &Parameters,
    ) -> Result<Self, RandomFeatureError> {
        let Parameters {
            steps,
            residual_bound,
            rate,
            radius,
            coefficient_grid,
        } = parameters;
        require(
            (1..=1 << 16).contains(steps),
            "the number of steps",
            steps,
            "from 1 to 2^16",
        )?;
        above_zero("the rate", rate)?;
        require(*rate <= integer(2), "the rate", rate, "at most 2")?;
        let tau = (residual_bound * BigInt::from(domain.label_grid.one())).floor();
        let tau = tau
            .to_integer()
            .to_i64()
            .filter(|tau| (1..=1 << 40).contains(tau));
        let expected = "from a step of the labels to 2^40 steps";
        require(
            tau.is_some(),
            "the bound of the residuals",
            residual_bound,
            expected,
        )?;
        let one = BigInt::from(coefficient_grid.one());
        let length = (radius * &one).floor().to_integer().to_i64();
        let length = length.filter(|length| (1..1 << 50).contains(length));
        let expected = "from a step of the coefficients to 2^50 steps";
        require(length.is_some(), "the radius", radius, expected)?;
        let (labels, products) = (
            domain.label_grid.bits(),
            feature_grid.bits() + coefficient_grid.bits(),
        );
        let expected = "such that its product with the features' is no coarser than the labels'";
        require(
            labels <= products,
            "the coefficient grid",
            &coefficient_grid.bits(),
            expected,
        )?;
        let product = BigInt::from(feature_grid.one()) * domain.label_grid.one() * domain.records;
        let scale = Rational::new(product, one) / rate;
        Ok(Self {
            residual_bound: tau.unwrap_or(1).into(),
            shift: products - labels,
            radius: length.unwrap_or(1),
            squared_scale: &scale * &scale,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
    use crate::random_features::Record;

    /// Labels in quarters up to 4.
    fn domain(neighbours: NeighbouringRelation, records: usize) -> Domain {
        Domain {
            input_grid: Grid::new(3).unwrap(),
            dimension: 1,
            largest_feature: 8,
            label_grid: Grid::new(2).unwrap(),
            largest_label: 16,
            neighbours,
            records,
        }
    }

    fn features() -> Grid {
        Grid::new(3).unwrap()
    }

    fn parameters() -> Parameters {
        Parameters {
            steps: 4,
            residual_bound: integer(2),
            rate: ratio(1, 2),
            radius: integer(64),
            coefficient_grid: Grid::new(4).unwrap(),
        }
    }

    #[test]
    fn residuals_are_rounded_towards_zero_to_the_labels_and_clipped() {
        // phi = 3/4 and c = 1/2. Labels 5/4, -5/4 and 4: residuals 7/8, -13/8 and 29/8, in quarters 3, -6 and 14.
        let sum = |label: i64, residual_bound: Rational| {
            let record = Record {
                features: vec![6],
                label,
            };
            let data = Dataset::new(domain(Substitute, 1), vec![record]).unwrap();
            let phi = FeatureMatrix::new(features(), 1, &[vec![6]]).unwrap();
            let parameters = Parameters {
                residual_bound,
                ..parameters()
            };
            direction(&data, &phi, &[8], &parameters).unwrap()
        };
        assert_eq!(sum(5, integer(2)), [3 * 6]);
        assert_eq!(sum(-5, integer(2)), [-6 * 6]);
        assert_eq!(sum(-5, integer(1)), [-4 * 6]);
        assert_eq!(sum(16, integer(2)), [8 * 6]);
    }

    #[test]
    fn one_record_moves_a_direction_by_the_clip_or_twice_that() {
        // tau = 2 is 64 products of an eighth and a quarter.
        let squared = |relation| {
            squared_sensitivity(&domain(relation, 1), features(), &parameters()).unwrap()
        };
        assert_eq!(squared(AddOrRemove), (64 * 64).into());
        assert_eq!(squared(Substitute), (128 * 128).into());
    }

    #[test]
    fn the_largest_noise_of_a_prediction_is_that_of_all_steps_in_a_row() {
        let map = FeatureMap::linear(1, features(), features()).unwrap();
        // sigma = 3 is 96 products; (1/2) 3 sqrt(4) / 2 records.
        let noise = DiscreteGaussian::new(integer(96 * 96)).unwrap();
        let found = largest_noise(&domain(Substitute, 2), &map, &parameters(), &noise).unwrap();
        assert_eq!(found, ratio(3, 2));
    }

    #[test]
    fn as_many_steps_are_suggested_as_the_budget_pays_for() {
        let suggested = |neighbours, records| {
            let budget = Budget::approximate(integer(1), ratio(1, 100_000), neighbours).unwrap();
            Parameters::suggested(&domain(neighbours, records), &budget).unwrap()
        };
        // 1/z = 0.26805...: 268.05 and half of it.
        assert_eq!(suggested(AddOrRemove, 1000).steps, 269);
        assert_eq!(suggested(Substitute, 1000).steps, 135);
        assert_eq!(suggested(AddOrRemove, 1).steps, 1);
        assert_eq!(suggested(AddOrRemove, 10_000).steps, 400);
        // A quarter of 4.
        assert_eq!(suggested(AddOrRemove, 1).residual_bound, integer(1));
    }

    #[test]
    fn parameters_outside_their_range_are_refused_by_name() {
        let with = |change: fn(&mut Parameters)| {
            let mut parameters = parameters();
            change(&mut parameters);
            squared_sensitivity(&domain(Substitute, 1), features(), &parameters)
        };
        for (found, name) in [
            (with(|own| own.steps = 0), "the number of steps must"),
            (
                with(|own| own.steps = (1 << 16) + 1),
                "the number of steps must",
            ),
            (with(|own| own.rate = integer(0)), "the rate must"),
            (with(|own| own.rate = ratio(21, 10)), "the rate must"),
            (
                with(|own| own.residual_bound = ratio(1, 5)),
                "the bound of the residuals must",
            ),
            (
                with(|own| own.residual_bound = integer(1i64 << 39)),
                "the bound of the residuals must",
            ),
            (with(|own| own.radius = ratio(1, 17)), "the radius must"),
            (
                with(|own| own.radius = integer(1i64 << 46)),
                "the radius must",
            ),
        ] {
            let refused = found.unwrap_err().to_string();
            assert!(refused.starts_with(name), "{refused}");
        }
        for right in [
            with(|own| own.steps = 1 << 16),
            with(|own| own.rate = integer(2)),
            with(|own| own.residual_bound = ratio(1, 4)),
            with(|own| own.residual_bound = integer(1i64 << 38)),
            with(|own| own.radius = ratio(1, 16)),
        ] {
            assert!(right.is_ok());
        }
        // Labels on a grid that is finer than all products.
        let fine = Domain {
            label_grid: Grid::new(8).unwrap(),
            ..domain(Substitute, 1)
        };
        let refused = squared_sensitivity(&fine, features(), &parameters()).unwrap_err();
        assert!(refused.to_string().starts_with("the coefficient grid must"));
    }
}
