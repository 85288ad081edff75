//! R6: clipped gradient descent.

use super::farthest::{self, farthest};
use super::fit;
use super::metered::metered;
use super::noisy_statistics::{at_full_size, few_records, maps};
use crate::claim::{Check, Trouble};
use crate::random_features::{Largest, domain, edges, record};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::FeatureMap;
use dp_assay::number::Grid;
use dp_assay::number::rational::{integer, ratio, to_scientific_above};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::privacy::{Budget, discrete_gaussian};
use dp_assay::random_features::clipped_gradient_descent::{
    Parameters, direction, learn, learn_with, noise, squared_sensitivity,
};
use dp_assay::random_features::{Dataset, Domain};
use dp_assay::sample::{DiscreteGaussian, spherical_gaussian};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

pub(in crate::random_features) fn clipped_gradient_descent(
    check: &mut Check,
) -> Result<(), Trouble> {
    edges::gradient_descent_fails(check)?;
    check.exact(
        "the shipped direction of all pairs of records with x in {-1, -3/4, ..., 1} and label in {-1, 0, 1/2, 1}, alone and beside a third, at three coefficients, clipped to 1/2 and 1: linear and Fourier features, both relations; the shipped learner on three seeds is three steps made here with independent noise around every coordinate, once for each map and relation; its noise certified anew for the largest distance found, in all steps together; two steps that move as far as they can, by the exact profile of their four coordinates; the learner metered where one record moves a step as far as one can, of one and of three, removed or with its label turned, and, unless it is quick, with one label of 1,000 turned, in 20 coordinates",
    );
    for (name, map) in maps()? {
        for tau in [ratio(1, 2), integer(1)] {
            for neighbours in [Substitute, AddOrRemove] {
                let about = format!("{name}, clipped to {tau}, {neighbours}");
                let parameters = Parameters {
                    steps: 3,
                    residual_bound: tau.clone(),
                    rate: ratio(3, 2),
                    radius: integer(1 << 20),
                    coefficient_grid: Grid::new(6)?,
                };
                // 1. How far one record moves a step, alone and beside another, wherever the descent stands.
                let all = farthest::records(&[-2, 0, 1, 2]);
                let mut most = Largest::from(BigInt::zero());
                for c in [[0, 0], [96, -40], [-200, 9000]] {
                    let released = |data: &Dataset| {
                        let direction = direction(data, &data.features(&map)?, &c, &parameters)?;
                        Ok(direction.into_iter().map(BigInt::from).collect())
                    };
                    let found = farthest(neighbours, &all, &record(1, -2), released)?;
                    most.see(found.value, format_args!("at {c:?}: {}", found.instance));
                }
                let own = domain(neighbours, 2)?;
                let promised = squared_sensitivity(&own, map.feature_grid(), &parameters)?;
                let what = "distance, and the sensitivity of a step";
                farthest::within(check, (&about, what), &most, &promised)?;
                // Calibrations take time: one of each relation, and of each map.
                if tau.is_one() || (name == "linear") != (neighbours == Substitute) {
                    continue;
                }
                // 2. The noise, certified anew for the distance that was found, in all three steps.
                let budget = &fit::budgets(neighbours, true)?[0];
                let law = noise(&own, &map, &parameters, budget)?;
                let all_steps = most.value * 3;
                fit::certified_anew(check, &about, (&all_steps, 3 * 2), &law, budget)?;
                // 3. The learner, on coins of its own.
                let data = Dataset::new(own, vec![record(3, 2), record(-2, 1)])?;
                let whole = learn(
                    &data,
                    &map,
                    &parameters,
                    budget,
                    &mut ChaCha::reproducible(1, 7),
                )?;
                let learned = |seed| {
                    let (noise, mut coins) = ((&law, budget), ChaCha::reproducible(seed, 7));
                    Ok(learn_with(&data, &map, &parameters, noise, &mut coins)?)
                };
                let expected = |seed| three_steps(&data, &map, &parameters, &law, seed);
                farthest::has_noise_of_its_own(check, &about, (&whole, &law), learned, expected)?;
            }
        }
    }
    composed(check)?;
    // 4. The meter, on records that move a step as far as one can: one removed, and one whose label is turned.
    let [_, (name, map)] = maps()?;
    let parameters = Parameters {
        steps: 3,
        residual_bound: ratio(1, 2),
        rate: integer(1),
        radius: integer(4),
        coefficient_grid: Grid::new(6)?,
    };
    for neighbours in [AddOrRemove, Substitute] {
        let budget = &fit::budgets(neighbours, true)?[0];
        let law = noise(&domain(neighbours, 3)?, &map, &parameters, budget)?;
        metered(
            check,
            name,
            &few_records(neighbours)?,
            budget,
            &[],
            |data, coins| learn_with(data, &map, &parameters, (&law, budget), coins),
        )?;
    }
    if !check.quick() {
        let budget = &fit::budgets(Substitute, true)?[0];
        let (map, [one, other]) = at_full_size()?;
        let parameters = Parameters::suggested(one.domain(), budget)?;
        let law = noise(one.domain(), &map, &parameters, budget)?;
        metered(
            check,
            "n = 1,000, 20 coordinates",
            &[("the label turned", one, other)],
            budget,
            &[],
            |data, coins| learn_with(data, &map, &parameters, (&law, budget), coins),
        )?;
    }
    Ok(())
}

/// `c <- c + (3/2)/2 (direction + noise)`, three times from 0: the steps of a learner of two records at rate 3/2.
fn three_steps(
    data: &Dataset,
    map: &FeatureMap,
    parameters: &Parameters,
    law: &DiscreteGaussian,
    seed: u64,
) -> Result<Vec<BigInt>, Trouble> {
    let features = data.features(map)?;
    let mut coins = ChaCha::reproducible(seed, 7);
    let mut c = vec![0i64; 2];
    for _ in 0..3 {
        let exact = direction(data, &features, &c, parameters)?;
        let drawn = spherical_gaussian(law, 2, &mut coins)?;
        for ((c, exact), noise) in c.iter_mut().zip(exact).zip(drawn) {
            // Features in steps of 2^-6, labels of 2^-1, coefficients of 2^-6: 3/4 of a direction is 3/8 of its steps,
            // towards zero.
            let moved: BigInt = (noise + exact) * 3 / 8;
            *c += moved.to_i64().unwrap_or(i64::MAX >> 1);
        }
    }
    Ok(c.into_iter().map(BigInt::from).collect())
}

/// Two steps, each of which moves as far as it can along one coordinate: their exact profile is within the budget, and
/// with half of the variance it is not.
fn composed(check: &mut Check) -> Result<(), Trouble> {
    let parameters = Parameters {
        steps: 2,
        residual_bound: integer(1),
        rate: integer(1),
        radius: integer(8),
        coefficient_grid: Grid::new(2)?,
    };
    let map = FeatureMap::linear(1, Grid::new(0)?, Grid::new(1)?)?;
    let domain = Domain {
        input_grid: Grid::new(0)?,
        dimension: 1,
        largest_feature: 1,
        label_grid: Grid::new(0)?,
        largest_label: 1,
        neighbours: AddOrRemove,
        records: 1,
    };
    let budget = Budget::approximate(integer(1), ratio(1, 100), AddOrRemove)?;
    let law = noise(&domain, &map, &parameters, &budget)?;
    let longest = squared_sensitivity(&domain, map.feature_grid(), &parameters)?.sqrt();
    let longest = longest.to_i64().unwrap_or(i64::MAX);
    let shift = [longest, 0, longest, 0];
    let exact =
        |variance| discrete_gaussian::profile_of_shift(variance, &shift, budget.epsilon(), 32);
    let (enough, half) = (
        exact(law.variance())?,
        exact(&(law.variance() * ratio(1, 2)))?,
    );
    check.holds(
        enough.is_below_rational(budget.delta()) && half.is_above_rational(budget.delta()),
        format_args!(
            "two steps by {longest} each: delta(1) {enough}, with half of the variance {half}"
        ),
    );
    check.figure(
        "two steps that move as far as they can: delta(1) (promised 1/100)",
        to_scientific_above(&enough.upper(), 4),
    );
    Ok(())
}
