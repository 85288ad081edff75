//! Algorithm 1 repaired, and R1: coefficients clipped to a ball.

use super::fit::calibrated;
use super::release::{LEARNER, privately};
use super::{dataset, disc, domain, root};
use crate::budgets;
use crate::claim::{Check, Trouble};
use crate::random_features::edges;
use crate::random_features::{Largest, metered};
use dp_assay::number::rational::{integer, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Grid, Rational};
use dp_assay::optimise::{FeatureMatrix, minimum_norm};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::privacy::{NeighbouringRelation, discrete_gaussian};
use dp_assay::random_features::steps::{self, Fit};
use dp_assay::random_features::{RandomFeatureError, clipped_interpolation};
use num_bigint::BigInt;
use num_traits::{One, Zero};

pub(in crate::random_features) fn algorithm_1(check: &mut Check) -> Result<(), Trouble> {
    check.exact(LEARNER);
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(1, 8),
        coefficient_grid: Grid::new(1)?,
    };
    // Labels up to 4: the interpolations are opposite and longer than the radius, to which they are clipped.
    privately(
        check,
        "R1",
        8,
        &|data, features, _| clipped_interpolation::fit(data, features, &parameters),
        &|data, map, budget, coins| {
            clipped_interpolation::learn(data, map, &parameters, budget, coins)
        },
    )?;
    check.certified(format_args!(
        "{} budgets, 3 cases of eta, relation, grid and 2 or 20,000 coordinates: the noise certified anew, and not an eighth of its variance; the exact profile of four longest shifts in two coordinates at (1, 1/1000)",
        if check.thorough() { 3 } else { 1 }
    ));
    // 1. The noise for the ball, whose diameter is the sensitivity under either relation.
    for (neighbours, eta, bits, columns) in [
        (Substitute, ratio(3, 8), 20, 20_000),
        (Substitute, ratio(1, 8), 2, 2),
        (AddOrRemove, ratio(3, 8), 2, 2),
    ] {
        let (fit, _) = fits_of_opposite_labels(neighbours, eta.clone(), bits, columns)?;
        let name = format!("eta = {eta}, steps of 2^-{bits}, {columns} coordinates");
        calibrated(check, &name, &fit)?;
        check.figure(
            format_args!("{neighbours}, {name}: sensitivity"),
            to_scientific(&fit.sensitivity, 6),
        );
    }
    // 2. In every coordinate: where only a sine is not 0, opposite labels move that coordinate alone, and noise
    //    on the cosines would leave it in clear.
    let (one, other) = fits_of_opposite_labels(Substitute, ratio(3, 8), 2, 2)?;
    check.holds(
        one.coefficients == [0, 8] && other.coefficients == [0, -8],
        format_args!(
            "a row with sine 1/2 alone, labels 1 and -1: {:?} and {:?} quarters",
            one.coefficients, other.coefficients
        ),
    );
    // 3. In two dimensions the exact profile of the longest shifts, computed otherwise, is below delta as well.
    let budget = budgets::approximate(integer(1), ratio(1, 1000))?;
    let noise = steps::noise(&integer(4), Grid::new(1)?, 2, &budget)?;
    let mut worst = Largest::from(Rational::zero());
    for shift in [[8, 0], [0, 8], [6, 5], [5, 6]] {
        let exact =
            discrete_gaussian::profile_of_shift(noise.variance(), &shift, budget.epsilon(), 40)?;
        worst.see(exact.upper(), format_args!("{shift:?}"));
    }
    check.holds(
        worst.value <= *budget.delta(),
        format_args!("shift {}: delta(1) = {}", worst.instance, worst.value),
    );
    check.figure(
        "exact delta of the longest shifts, two coordinates, steps of 1/2, (1, 1/1000)",
        to_scientific_above(&worst.value, 4),
    );
    metered::clipped_interpolation(check)
}

/// R1 on one record whose features are 0 but for the second, 1/2, with label 1 and with label -1.
fn fits_of_opposite_labels(
    neighbours: NeighbouringRelation,
    eta: Rational,
    bits: u32,
    columns: usize,
) -> Result<(Fit, Fit), RandomFeatureError> {
    let mut row = vec![0; columns];
    row[1] = 1;
    let features = FeatureMatrix::new(Grid::new(1)?, columns, &[row])?;
    let parameters = clipped_interpolation::Parameters {
        eta,
        coefficient_grid: Grid::new(bits)?,
    };
    let fit = |label: i64| -> Result<Fit, RandomFeatureError> {
        let (data, _) = dataset(domain(neighbours, 1)?, 1, &[[0, 1]], &[label])?;
        clipped_interpolation::fit(&data, &features, &parameters)
    };
    Ok((fit(2)?, fit(-2)?))
}

pub(in crate::random_features) fn clipping(check: &mut Check) -> Result<(), Trouble> {
    edges::interpolation_fails(check)?;
    let bits = if check.quick() { 1 } else { 2 };
    check.exact(format_args!(
        "all datasets of two rows in the disc of radius 1 with steps of 2^-{bits}, labels (1, 1), (1, -1), (1/2, -1), R = 2, steps of 1/64; the bound is that of a ball, for all"
    ));
    let rows = disc(bits);
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(3, 8),
        coefficient_grid: Grid::new(6)?,
    };
    let radius = 2 * 64i64;
    let domain = domain(Substitute, 2)?;
    let (mut fits, mut clipped_fits, mut failed) = (0, 0, 0);
    // 1. Every pair of rows with every pair of labels stays in the ball.
    let mut longest = Largest::from(-1);
    for a in &rows {
        for b in &rows {
            for labels in [[2, 2], [2, -2], [1, -2]] {
                let (data, features) = dataset(domain, bits, &[*a, *b], &labels)?;
                let fit = clipped_interpolation::fit(&data, &features, &parameters)?;
                let c = &fit.coefficients;
                let squared = c[0] * c[0] + c[1] * c[1];
                longest.see(
                    squared,
                    format_args!("rows {a:?}, {b:?}, labels {labels:?}"),
                );
                fits += 1;
                // Rounded towards zero, a clipped vector is at most two steps short of the sphere.
                clipped_fits += usize::from(squared >= (radius - 2) * (radius - 2));
                failed += usize::from(squared == 0);
            }
        }
    }
    check.attained(
        format_args!("largest |c|^2 in steps ({})", longest.instance),
        &integer(longest.value),
        &integer(radius * radius),
    );
    // 2. The diameter is attained by neighbours, and is the sensitivity: rows (1/2, 0) and (0, 1/2), labels
    //    (1, 0) and (-1, 0), c = (2, 0) and (-2, 0).
    let half = 1i64 << (bits - 1);
    let fit = |label: i64| -> Result<Fit, RandomFeatureError> {
        let rows = [[half, 0], [0, half]];
        let (data, features) = dataset(domain, bits, &rows, &[label, 0])?;
        clipped_interpolation::fit(&data, &features, &parameters)
    };
    let (one, other) = (fit(2)?, fit(-2)?);
    let squared: i64 = one
        .coefficients
        .iter()
        .zip(&other.coefficients)
        .map(|(a, b)| (a - b).pow(2))
        .sum();
    check.attained(
        "rows (1/2, 0), (0, 1/2), labels (1, 0) and (-1, 0): squared distance",
        &ratio(squared, 64 * 64),
        &one.sensitivity.pow(2),
    );
    check.holds(
        one.sensitivity == integer(4),
        format_args!("the sensitivity is {}, 2 R = 4", one.sensitivity),
    );
    // 3. Without the clip, near-duplicates with opposite labels move without a bound: rows (1, 0) and
    //    (1 - t, 0) + t' e2 on a grid of 2^-12.
    let rows = vec![vec![4096, 0], vec![4095, 64]];
    let near = FeatureMatrix::new(Grid::new(12)?, 2, &rows)?;
    let tolerance = ratio(1, 1000);
    let far = |labels: &[i64]| minimum_norm::solve(&near, labels, Grid::new(1)?, &tolerance);
    let (same, opposite) = (far(&[2, 2])?, far(&[2, -2])?);
    let unclipped: Rational = same
        .coefficients
        .iter()
        .zip(&opposite.coefficients)
        .map(|(a, b)| Rational::new((a - b).into(), BigInt::one() << same.bits).pow(2))
        .sum();
    check.holds(
        unclipped > integer(100),
        format_args!("rows (1, 0) and (4095, 64)/4096, unclipped: squared distance {unclipped}"),
    );
    check.figure("datasets", fits);
    check.figure("datasets whose interpolation is clipped", clipped_fits);
    check.figure("datasets that cannot be interpolated, or are 0", failed);
    check.figure(
        "without the clip: rows (1, 0) and (4095, 64)/4096, label 1 for -1, distance",
        to_scientific(&root(&unclipped)?, 5),
    );
    Ok(())
}
