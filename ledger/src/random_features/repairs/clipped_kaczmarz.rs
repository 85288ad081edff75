//! R4: one pass of Kaczmarz with clipped residuals.

use super::fit::calibrated;
use super::release::{LEARNER, privately};
use super::{dataset, disc, domain, root};
use crate::claim::{Check, Trouble};
use crate::random_features::edges;
use crate::random_features::{Largest, metered};
use dp_assay::coins::{ChaCha, CoinsError, Explored, Explorer, Layer};
use dp_assay::number::Grid;
use dp_assay::number::rational::{integer, ratio, to_scientific, to_scientific_above};
use dp_assay::optimise::{FeatureMatrix, kaczmarz::clipped_pass};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::random_features::{RandomFeatureError, clipped_kaczmarz as learner};
use num_traits::Zero;

pub(in crate::random_features) fn clipped_kaczmarz(check: &mut Check) -> Result<(), Trouble> {
    edges::rounding_of_a_pass(check)?;
    edges::kaczmarz_fails(check)?;
    let m = if check.thorough() { 3 } else { 2 };
    let tau = ratio(1, 2);
    let rows = disc(2);
    let labels = [-4, 1, 4];
    // 1. Every dataset of m records, its result, and those of its neighbours.
    let records: Vec<([i64; 2], i64)> = rows
        .iter()
        .filter(|row| m == 2 || (row[0] + row[1]) % 2 == 0)
        .flat_map(|row| labels.map(|label| (*row, label)))
        .collect();
    check.exact(format_args!(
        "all datasets of {m} of {} records ({} of the unit disc in steps of 1/4, labels -1, 1/4, 1) and all their neighbours, tau = 1/2, coefficients in steps of 1/4 and 1/64; the random order of three records, arranged in all ways; {LEARNER}",
        records.len(),
        if check.thorough() {
            "the rows with an even sum of entries"
        } else {
            "all rows"
        }
    ));
    for bits in [2, 6] {
        let coefficient_grid = Grid::new(bits)?;
        let pass = |chosen: &[usize]| -> Result<[i64; 2], Trouble> {
            let rows: Vec<Vec<i32>> = chosen
                .iter()
                .map(|&k| records[k].0.map(|x| x as i32).to_vec())
                .collect();
            let labels: Vec<i64> = chosen.iter().map(|&k| records[k].1).collect();
            let order: Vec<usize> = (0..chosen.len()).collect();
            let grid = Grid::new(2)?;
            let phi = FeatureMatrix::new(grid, 2, &rows)?;
            let run = clipped_pass(&phi, &labels, grid, &order, &tau, coefficient_grid)?;
            Ok([run[0], run[1]])
        };
        let parameters = learner::Parameters {
            residual_bound: tau.clone(),
            order: learner::Order::AsGiven,
            coefficient_grid,
        };
        let n = records.len();
        let results: Vec<[i64; 2]> = (0..n.pow(m as u32))
            .map(|code| pass(&digits(code, n, m)))
            .collect::<Result<_, _>>()?;
        let shorter: Vec<[i64; 2]> = (0..n.pow(m as u32 - 1))
            .map(|code| pass(&digits(code, n, m - 1)))
            .collect::<Result<_, _>>()?;
        let mut substituted = Largest::from(0);
        let mut removed = Largest::from(0);
        for (code, one) in results.iter().enumerate() {
            let chosen = digits(code, n, m);
            for place in 0..m {
                let power = n.pow(place as u32);
                for other in 0..chosen[place] {
                    let neighbour = code - (chosen[place] - other) * power;
                    substituted.see(
                        squared_distance(one, &results[neighbour]),
                        format_args!("records {chosen:?}, {other} for that at place {place}"),
                    );
                }
                let mut left = chosen.clone();
                left.remove(place);
                let neighbour = left.iter().rev().fold(0, |code, digit| code * n + digit);
                removed.see(
                    squared_distance(one, &shorter[neighbour]),
                    format_args!("records {chosen:?} without that at place {place}"),
                );
            }
        }
        let unit = integer(coefficient_grid.one()).pow(2);
        for (neighbours, found, own) in [
            (Substitute, substituted, &tau * integer(2)),
            (AddOrRemove, removed, tau.clone()),
        ] {
            let bound = learner::sensitivity(&parameters, (m, 2), neighbours)?;
            let squared = integer(found.value) / &unit;
            // Attained, and on the coarse grid the rounding goes beyond it.
            check.holds(
                squared <= bound.pow(2) && squared >= own.pow(2),
                format_args!("steps of 2^-{bits}, {neighbours}, {}: {squared}, between {own} and {bound}, squared", found.instance),
            );
            check.figure(
                format_args!(
                    "steps of 2^-{bits}, {neighbours}: largest distance, without rounding, bound"
                ),
                format_args!(
                    "{}, {own}, {}",
                    to_scientific(&root(&squared)?, 5),
                    to_scientific_above(&bound, 5)
                ),
            );
        }
    }
    // 2. A random order hides how the records are arranged: the law of the fit is that of every arrangement.
    hides_the_order(check)?;
    // 3. The learner's noise is certified anew, for both relations and a random order.
    for neighbours in [Substitute, AddOrRemove] {
        let parameters = learner::Parameters {
            residual_bound: integer(1),
            order: learner::Order::Random,
            coefficient_grid: Grid::new(20)?,
        };
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[2, -2])?;
        let mut coins = ChaCha::reproducible(check.seed(), 4);
        let fit = learner::fit(&data, &features, &parameters, &mut coins)?;
        calibrated(check, "R4", &fit)?;
    }
    let parameters = learner::Parameters {
        residual_bound: integer(1),
        order: learner::Order::Random,
        coefficient_grid: Grid::new(1)?,
    };
    privately(
        check,
        "R4",
        2,
        &|data, features, coins| learner::fit(data, features, &parameters, coins),
        &|data, map, budget, coins| learner::learn(data, map, &parameters, budget, coins),
    )?;
    metered::clipped_kaczmarz(check)
}

/// The fit of three records in a random order, over all its draws: the same law for all six arrangements of the records,
/// and not that of one order.
fn hides_the_order(check: &mut Check) -> Result<(), Trouble> {
    let parameters = learner::Parameters {
        residual_bound: integer(1),
        order: learner::Order::Random,
        coefficient_grid: Grid::new(6)?,
    };
    let records = [([2, 0], 2), ([1, 1], -2), ([0, 2], 1)];
    let mut first: Option<Explored<Vec<i64>>> = None;
    for arrangement in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let rows = arrangement.map(|k| records[k].0);
        let labels = arrangement.map(|k| records[k].1);
        let (data, features) = dataset(domain(Substitute, 3)?, 1, &rows, &labels)?;
        let explorer = Explorer::new(Layer::UniformBelow, 1 << 10);
        let law = explorer.explore(|coins| {
            match learner::fit(&data, &features, &parameters, coins) {
                Ok(fit) => Ok(fit.coefficients),
                Err(RandomFeatureError::Coins(error)) => Err(error),
                // What else is refused is refused before a coin is drawn.
                Err(_) => Err(CoinsError::NoOutcome),
            }
        })?;
        let same = first.as_ref().is_none_or(|first| first.lower == law.lower);
        check.holds(
            same && law.undecided.is_zero() && law.lower.len() > 1,
            format_args!(
                "R4, records in the order {arrangement:?}: the fits {:?}",
                law.lower
            ),
        );
        first.get_or_insert(law);
    }
    Ok(())
}

/// The `count` digits of a number to a base, lowest first.
fn digits(mut code: usize, base: usize, count: usize) -> Vec<usize> {
    (0..count)
        .map(|_| {
            let digit = code % base;
            code /= base;
            digit
        })
        .collect()
}

fn squared_distance(a: &[i64; 2], b: &[i64; 2]) -> i64 {
    (a[0] - b[0]).pow(2) + (a[1] - b[1]).pow(2)
}
