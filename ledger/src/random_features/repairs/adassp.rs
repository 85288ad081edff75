//! AdaSSP (Wang 2018): its three releases, as published and with certified noise.

use super::farthest::{self, farthest};
use super::metered::{Pair, metered};
use super::{fit, root};
use crate::claim::{Check, Trouble};
use crate::random_features::{domain, edges, record};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::rational::{integer, parse, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::privacy::{Budget, discrete_gaussian, gaussian};
use dp_assay::random_features::adassp::{
    learn, learn_with, noise, published_noise, released, squared_sensitivity,
};
use dp_assay::random_features::{Dataset, Record};
use dp_assay::sample::spherical_gaussian;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// The whole.
pub(in crate::random_features) fn adassp(check: &mut Check) -> Result<(), Trouble> {
    edges::published_noise(check)?;
    edges::adassp_fails(check)?;
    // 1. The noise as published, all three together.
    check.certified(
        "the noise as published for epsilon in {1/100, 1/4, 1, 5, 20} and delta in {1e-2, 1e-5, 1e-6, 1e-10}, but for epsilon = 20 at 1e-2; and discrete noise of that size at (1, 1e-5), in two features",
    );
    for delta in ["1e-2", "1e-5", "1e-6", "1e-10"] {
        for epsilon in ["1/100", "1/4", "1", "5", "20"] {
            if (epsilon, delta) == ("20", "1e-2") {
                continue;
            }
            let (epsilon, delta) = (parse(epsilon)?, parse(delta)?);
            let mu = &epsilon / lower_root(&(logarithm(&(integer(6) / &delta))? * integer(3)))?;
            let reached = gaussian::profile(&mu, &epsilon, 128)?;
            check.holds(
                reached.is_below_rational(&delta),
                format_args!("epsilon = {epsilon}: delta {reached}, promised {delta}"),
            );
        }
    }
    let map = map()?;
    let budget = Budget::approximate(integer(1), parse("1e-5")?, AddOrRemove)?;
    let one = BigInt::from(map.feature_grid().one()).pow(4);
    let published = published_noise(&map, &budget)?;
    let together =
        discrete_gaussian::delta(published.variance(), &(&one * 3), 6, budget.epsilon())?;
    check.holds(
        together <= *budget.delta(),
        format_args!("discrete noise as published: delta(1) = {together}"),
    );
    check.figure(
        "noise as published at (1, 1e-5): delta(1) of the whole, at most",
        to_scientific_above(&together, 3),
    );
    // 2. How far one record moves all that is released, and the learner.
    check.exact(
        "what the shipped learner releases, of all pairs of records with x in {-1, -3/4, ..., 1} and label in {-1, 0, 1}, alone and beside a third, both relations: one frequency; the learner on three seeds, on two records and on some dozens: what it releases is read off its coins, and has noise of its own around every number; its noise certified anew for the largest distance found; the learner metered where one record of two and of three moves all that is released as far as one can, removed or substituted",
    );
    for neighbours in [Substitute, AddOrRemove] {
        let all = farthest::records(&[-2, 0, 2]);
        let farthest = farthest(neighbours, &all, &record(4, 0), |data| {
            Ok(released(data, &map)?)
        })?;
        let own = domain(neighbours, 2)?;
        let promised = squared_sensitivity(&own, &map)?;
        let what = "distance of all that is released, and its sensitivity";
        farthest::within(check, (&neighbours.to_string(), what), &farthest, &promised)?;
        let budget = Budget::approximate(integer(1), parse("1e-5")?, neighbours)?;
        let law = noise(&own, &map, &budget)?;
        fit::certified_anew(
            check,
            &format!("{neighbours}"),
            (&farthest.value, 6),
            &law,
            &budget,
        )?;
        // Two records, whose least eigenvalue is lost in the margin; and so many that the penalty is what the noisy
        // eigenvalue leaves of it: m/2 is five times the noise, where 3.6 times are the margin and 3.2 the penalty.
        let sigma = root(law.variance())? / integer(BigInt::from(map.feature_grid().one()).pow(2));
        let many = 2 * (sigma * integer(5)).to_integer().to_usize().unwrap_or(0);
        let orthogonal = |index: usize| [record(0, 2), record(4, 0)][index % 2].clone();
        for records in [
            vec![record(3, 2), record(-2, 1)],
            (0..many).map(orthogonal).collect(),
        ] {
            let own = domain(neighbours, records.len())?;
            let data = Dataset::new(own, records)?;
            let grid = Grid::new(20)?;
            let whole = learn(&data, &map, grid, &budget, &mut ChaCha::reproducible(1, 8))?;
            for seed in 1..=3 {
                let mut coins = ChaCha::reproducible(seed, 8);
                let learned = learn_with(&data, &map, grid, (&law, &budget), &mut coins)?;
                let drawn = spherical_gaussian(&law, 6, &mut ChaCha::reproducible(seed, 8))?;
                let exact = released(&data, &map)?;
                let noisy: Vec<BigInt> = exact.iter().zip(&drawn).map(|(x, y)| x + y).collect();
                let off = residual(
                    &noisy,
                    &map,
                    law.variance(),
                    budget.delta(),
                    &learned.coefficients,
                    grid,
                )?;
                check.holds(
                    off < ratio(1, 1 << 12) && (seed > 1 || learned == whole),
                    format_args!(
                        "{neighbours}, {} records, seed {seed}: {:?} is off the equations of independent noise by {off}",
                        data.records().len(),
                        learned.coefficients
                    ),
                );
            }
        }
    }
    // 3. The meter: a record that moves all three as far as one can, beside one and beside two others. It is removed, or
    //    it becomes one whose features are orthogonal, with the opposite label.
    for neighbours in [AddOrRemove, Substitute] {
        let pair = |name, others: &[Record]| -> Result<Pair, Trouble> {
            let (records, replaced) = match neighbours {
                AddOrRemove => (3, None),
                Substitute => (1 + others.len(), Some(record(4, -2))),
            };
            let own = domain(neighbours, records)?;
            let with = |own: Option<Record>| own.into_iter().chain(others.to_vec()).collect();
            let first = Dataset::new(own, with(Some(record(0, 2))))?;
            Ok((name, first, Dataset::new(own, with(replaced))?))
        };
        let pairs = [
            pair("m = 2", &[record(4, 0)])?,
            pair("m = 3", &[record(4, 0), record(4, 0)])?,
        ];
        let budget = Budget::approximate(integer(1), parse("1e-5")?, neighbours)?;
        let (grid, law) = (Grid::new(20)?, noise(pairs[0].1.domain(), &map, &budget)?);
        let reasons = [(
            "the statistics",
            "the bound under substitution is not known to be attained at this weight of the labels",
        )];
        metered(
            check,
            "one frequency",
            &pairs,
            &budget,
            if neighbours == Substitute {
                &reasons
            } else {
                &[]
            },
            |data, coins| learn_with(data, &map, grid, (&law, &budget), coins),
        )?;
    }
    Ok(())
}

/// How far the coefficients are from solving the noisy equations with AdaSSP's penalty, all in units of 1: the larger
/// residual of the two.
fn residual(
    noisy: &[BigInt],
    map: &FeatureMap,
    variance: &Rational,
    delta: &Rational,
    coefficients: &[BigInt],
    grid: Grid,
) -> Result<Rational, Trouble> {
    let one = integer(BigInt::from(map.feature_grid().one()).pow(2));
    let unit = |value: &BigInt| integer(value.clone()) / &one;
    let [least, a, b, d, r, s] = noisy else {
        return Ok(one);
    };
    let sigma = lower_root(variance)? / &one;
    // 2. and 3. of Algorithm 2, with sigma for sqrt(ln(6/delta))/(epsilon/3); 2 D^2/rho = 160.
    let margin = &sigma * lower_root(&logarithm(&(integer(6) / delta))?)?;
    let least = (unit(least) - margin).max(Rational::zero());
    let wanted = sigma * lower_root(&(logarithm(&integer(160))? * integer(2)))?;
    let penalty = (wanted - least).max(Rational::zero());
    let c = |k: usize| integer(coefficients[k].clone()) / integer(grid.one());
    let first = (unit(a) + &penalty) * c(0) + unit(b) * c(1) - unit(r);
    let second = unit(b) * c(0) + (unit(d) + penalty) * c(1) - unit(s);
    let magnitude = |value: Rational| {
        if value < Rational::zero() {
            -value
        } else {
            value
        }
    };
    Ok(magnitude(first).max(magnitude(second)))
}

/// What one release costs by itself, with the noise as published.
pub(in crate::random_features) fn steps(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "one release of sensitivity 1 with the noise as published: the exact profile of continuous noise at (1, 1e-5), (1, 1e-6), (1/4, 1e-8) and (2, 1e-5); the shipped least eigenvalue of one record beside another, which moves by 1 up to the rounding of the features",
    );
    // 1. The first release alone moves by 1: cosine 1 beside sine 1.
    let map = map()?;
    let with = |records: Vec<Record>| -> Result<BigInt, Trouble> {
        let data = Dataset::new(domain(AddOrRemove, 2)?, records)?;
        Ok(released(&data, &map)?.swap_remove(0))
    };
    let moved = with(vec![record(4, 0), record(0, 0)])? - with(vec![record(4, 0)])?;
    let moved = Rational::new(moved, BigInt::from(map.feature_grid().one()).pow(2));
    check.holds(
        moved >= ratio(24, 25),
        format_args!("the least eigenvalue moves by {moved}"),
    );
    check.attained("the least eigenvalue moves by", &moved, &integer(1));
    // 2. That, with the published noise, is not (epsilon/3, delta/3)-private by itself.
    for (epsilon, delta) in [("1", "1e-5"), ("1", "1e-6"), ("1/4", "1e-8"), ("2", "1e-5")] {
        let (epsilon, delta) = (parse(epsilon)? / integer(3), parse(delta)? / integer(3));
        let root = logarithm(&(integer(2) / &delta))? + ratio(1, 1 << 40);
        let deviation = Enclosure::of(&root, 128).sqrt()?.upper() / &epsilon;
        let reached = gaussian::profile(&deviation.recip(), &epsilon, 128)?;
        let times = to_scientific(&(reached.lower() / &delta), 4);
        check.holds(
            reached.is_above_rational(&delta),
            format_args!("epsilon/3 = {epsilon}, delta/3 = {delta}: {times} times delta/3"),
        );
        check.figure(
            format_args!("delta(epsilon/3) of one release over delta/3, epsilon/3 = {epsilon}, delta/3 = {delta}"),
            times,
        );
    }
    Ok(())
}

/// One frequency that takes x = 1 to a quarter turn, as nearly as its grid can.
fn map() -> Result<FeatureMap, Trouble> {
    let frequency = Frequencies::new(Grid::new(8)?, 1, vec![402])?;
    Ok(FeatureMap::new(frequency, Grid::new(2)?, Grid::new(10)?)?)
}

/// The natural logarithm, rounded down.
fn logarithm(value: &Rational) -> Result<Rational, Trouble> {
    Ok(Enclosure::of(value, 128).ln()?.lower())
}

/// The square root, rounded down.
fn lower_root(value: &Rational) -> Result<Rational, Trouble> {
    Ok(Enclosure::of(value, 128).sqrt()?.lower())
}
