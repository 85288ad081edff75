//! The baseline AdaSSP: noisy sufficient statistics with a penalty that adapts to the data (Wang 2018, Algorithm 2).
//!
//! Three releases: the least eigenvalue of the Gram matrix, the matrix, and the products with the labels, each with
//! noise `sqrt(ln(6/delta))/(epsilon/3)` times its sensitivity. As published. One of them alone costs
//! more than `(epsilon/3, delta/3)`; the whole is private all the same (`lnsx25.adassp.steps`, `lnsx25.adassp`). Here
//! the noise is certified for the three together, and the least eigenvalue is found in integers.

use super::noisy_statistics::{Shape, statistics};
use super::{Dataset, Domain, Model, RandomFeatureError};
use crate::coins::{Coins, Stage};
use crate::geometry::FeatureMap;
use crate::number::range::{above_zero_below_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::least_eigenvalue::{LARGEST_DIMENSION, least_eigenvalue};
use crate::optimise::noisy_equations::Negative;
use crate::privacy::{Budget, discrete_gaussian, release_in_bulk};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Learns by AdaSSP: (epsilon, delta)-differentially private under the data's relation (ledger: `lnsx25.adassp`).
///
/// # Errors
/// Those of [`noise`], [`learn_with`] and of the coins; none depends on the records.
pub fn learn(
    data: &Dataset,
    map: &FeatureMap,
    coefficient_grid: Grid,
    budget: &Budget,
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    let noise = noise(data.domain(), map, budget)?;
    learn_with(data, map, coefficient_grid, (&noise, budget), coins)
}

/// The same with noise that is already calibrated: **private only if it is that of [`noise`]** for this budget, or under
/// addition and removal that of [`published_noise`], and only once for each.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for a budget with `delta = 0`; those of [`released`] and of the coins.
pub fn learn_with(
    data: &Dataset,
    map: &FeatureMap,
    coefficient_grid: Grid,
    (noise, budget): (&DiscreteGaussian, &Budget),
    coins: &mut impl Coins,
) -> Result<Model, RandomFeatureError> {
    above_zero_below_one("delta", budget.delta())?;
    coins.stage(&Stage::once("the statistics", budget.promise()));
    let shape = shape(data.domain(), map)?;
    // 1, 2, 4, 5. The least eigenvalue of Phi^T Phi, that matrix and Phi^T y, and the noise around every number.
    let noisy = release_in_bulk(released(data, map)?, noise, coins)?;
    let (least, noisy) = noisy
        .split_first()
        .map_or((BigInt::zero(), &[][..]), |(least, rest)| {
            (least.clone(), rest)
        });
    // 2. Less what the noise adds at most, mostly: l = max(0, l - sigma sqrt(ln(6/delta))).
    let one = BigInt::from(map.feature_grid().one()).pow(2);
    let in_ones = |value: &Rational| value / &one;
    let sigma = in_ones(&root(noise.variance())?);
    let margin = &sigma * root(&logarithm(&(integer(6) / budget.delta()))?)?;
    let least = (in_ones(&Rational::from_integer(least)) - margin).max(Rational::zero());
    // 3. The penalty: max(0, sigma sqrt(D ln(2 D^2/rho)) - l), rho = 1/20.
    let dimension = integer(map.dimension() as u64);
    let tail = logarithm(&(&dimension * &dimension * integer(40)))?;
    let penalty = (sigma * root(&(dimension * tail))? - least).max(Rational::zero());
    // 6. (G + penalty)^-1 r
    Ok(Model {
        coefficients: shape
            .equations(noisy)
            .solve(&penalty, Negative::Kept, coefficient_grid),
        grid: coefficient_grid,
        noise: noise.clone(),
    })
}

/// What is released, before the noise: the least eigenvalue of `Phi^T Phi`, rounded, then the matrix on and above the
/// diagonal and `Phi^T y`, labels in units of their bound. **Not private.**
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for more features than [`LARGEST_DIMENSION`], or features on a coarser grid than the
/// labels; those of [`statistics`].
pub fn released(data: &Dataset, map: &FeatureMap) -> Result<Vec<BigInt>, RandomFeatureError> {
    let mut all = statistics(data, map, &shape(data.domain(), map)?)?;
    let dimension = map.dimension();
    // A sixteenth bit of a 1, or a step: the sensitivity, 1, is a multiple of it, and so the rounding adds nothing.
    let bits = 2 * map.feature_grid().bits();
    let unit = BigInt::one() << bits.saturating_sub(16);
    let gram = &all[..dimension * (dimension + 1) / 2];
    all.insert(0, least_eigenvalue(gram, dimension, &unit));
    Ok(all)
}

/// The noise around each number: the least that is certified for all together, under the data's relation.
///
/// # Errors
/// Those of [`released`] that concern parameters; [`RandomFeatureError::Privacy`] for a budget with `delta = 0` or
/// under another relation than the data's, and those of the calibration.
pub fn noise(
    domain: &Domain,
    map: &FeatureMap,
    budget: &Budget,
) -> Result<DiscreteGaussian, RandomFeatureError> {
    let shape = shape(domain, map)?;
    budget.under(shape.neighbours)?;
    let squared = squared_sensitivity(domain, map)?;
    let variance = discrete_gaussian::variance(budget, &squared, shape.numbers() + 1)?;
    Ok(DiscreteGaussian::new(variance)?)
}

/// The squared l2 sensitivity of [`released`]: that of the statistics, and 1 for the least eigenvalue, which one record
/// of norm at most 1 moves by at most 1, in squared steps.
///
/// # Errors
/// Those of [`released`] that concern parameters.
pub fn squared_sensitivity(
    domain: &Domain,
    map: &FeatureMap,
) -> Result<BigInt, RandomFeatureError> {
    let one = BigInt::from(map.feature_grid().one()).pow(2);
    Ok(shape(domain, map)?.squared_sensitivity() + one.pow(2))
}

/// The noise as published, `sqrt(ln(6/delta))/(epsilon/3)` around every number, for sensitivities 1, rounded up.
///
/// Private under addition and removal for `epsilon <= 1`, and for larger ones as far as the ledger says.
///
/// # Errors
/// [`RandomFeatureError::Parameter`] for a budget with `delta = 0`.
pub fn published_noise(
    map: &FeatureMap,
    budget: &Budget,
) -> Result<DiscreteGaussian, RandomFeatureError> {
    above_zero_below_one("delta", budget.delta())?;
    let one = Rational::from_integer(BigInt::from(map.feature_grid().one()).pow(2));
    let third = budget.epsilon() * ratio(1, 3);
    let variance = logarithm(&(integer(6) / budget.delta()))? * (one / third).pow(2);
    Ok(DiscreteGaussian::new(variance)?)
}

/// Labels in units of their bound, features as they are: both products have sensitivity 1.
fn shape(domain: &Domain, map: &FeatureMap) -> Result<Shape, RandomFeatureError> {
    let dimension = map.dimension();
    let right = dimension <= LARGEST_DIMENSION;
    require(right, "the number of features", &dimension, "at most 64")?;
    Shape::new(domain, map, &Rational::one())
}

fn root(value: &Rational) -> Result<Rational, RandomFeatureError> {
    Ok(Enclosure::of(value, 64).sqrt()?.upper())
}

fn logarithm(value: &Rational) -> Result<Rational, RandomFeatureError> {
    Ok(Enclosure::of(value, 64).ln()?.upper())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::parse;
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};

    #[test]
    fn the_published_noise_is_that_of_a_third_of_the_budget() {
        let grid = Grid::new(3).unwrap();
        let map = FeatureMap::linear(1, grid, grid).unwrap();
        // 6 e^-4, to sixteen digits: sqrt(4) 3/2 in steps of 1/64 is 192.
        let delta = parse("0.1098938333324051").unwrap();
        let budget = Budget::approximate(integer(2), delta, AddOrRemove).unwrap();
        let noise = published_noise(&map, &budget).unwrap();
        let apart = noise.variance() - integer(192 * 192);
        assert!(apart < ratio(1, 1_000_000) && apart > ratio(-1, 1_000_000));
        let pure = Budget::pure(integer(2), AddOrRemove).unwrap();
        assert!(published_noise(&map, &pure).is_err());
    }

    #[test]
    fn the_least_eigenvalue_moves_by_one_more_than_the_statistics() {
        let grid = Grid::new(3).unwrap();
        let map = FeatureMap::linear(3, grid, grid).unwrap();
        let squared = |neighbours| {
            let domain = Domain {
                input_grid: grid,
                dimension: 3,
                largest_feature: 8,
                label_grid: grid,
                largest_label: 4,
                neighbours,
                records: 5,
            };
            squared_sensitivity(&domain, &map).unwrap()
        };
        // Four features of magnitude at most 1/2, labels up to 1: (1 + 1/4)/2 + 1, or 1 + 1/4 + 2 + 4/5, and 1. In squares of
        // a step of 1/64.
        assert_eq!(squared(AddOrRemove), 10_752.into());
        assert_eq!(squared(Substitute), 20_684.into());
    }
}
