//! The algorithm's repairs: how far one record moves them, on all small datasets, where that is attained, and what
//! the shipped learners release.

use super::Largest;
use crate::claim::{Check, Trouble};
use crate::coins::{ChaCha, CoinsError, Explored, Explorer, Layer};
use crate::geometry::{FeatureMap, Frequencies};
use crate::number::rational::{integer, parse, ratio, to_scientific, to_scientific_above};
use crate::number::{Enclosure, Grid, NumberError, Rational};
use crate::optimise::{FeatureMatrix, kaczmarz::clipped_pass, minimum_norm};
use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use crate::privacy::{Budget, NeighbouringRelation, discrete_gaussian};
use crate::random_features::bounds::ridge_sensitivity;
use crate::random_features::steps::{self, Fit, RidgeParameters};
use crate::random_features::{
    Dataset, Domain, Model, RandomFeatureError, Record, clipped_interpolation, clipped_kaczmarz,
    ridge_of_bounded_labels, ridge_of_normed_labels,
};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};

const BITS: u32 = 96;

/// All integer points of the disc of radius `2^bits`: the rows of norm at most 1 on that grid.
fn disc(bits: u32) -> Vec<[i64; 2]> {
    let one = 1i64 << bits;
    (-one..=one)
        .flat_map(|x| (-one..=one).map(move |y| [x, y]))
        .filter(|[x, y]| x * x + y * y <= one * one)
        .collect()
}

/// All multisets of `size` of the points.
fn multisets(points: &[[i64; 2]], size: usize) -> Vec<Vec<[i64; 2]>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    points
        .iter()
        .enumerate()
        .flat_map(|(place, point)| {
            let rest = multisets(&points[place..], size - 1);
            rest.into_iter().map(move |mut set| {
                set.push(*point);
                set
            })
        })
        .collect()
}

/// A ridge minimum in two dimensions as a vector over a common denominator, in units of `2^b`.
///
/// Rows and labels of at most 8 steps, at most 8 of them and `4^b Lambda <= 64`: all products of two minima,
/// squared, fit in 128 bits.
struct Minimum {
    numerators: [i128; 2],
    denominator: i128,
}

impl Minimum {
    /// By Cramer's rule, for rows in steps of `2^-b` with their labels, in steps of any size, and `4^b Lambda`.
    fn of(records: impl Iterator<Item = ([i64; 2], i64)>, penalty: i64) -> Self {
        let (mut a, mut b, mut d) = (i128::from(penalty), 0, i128::from(penalty));
        let mut right = [0, 0];
        for (row, label) in records {
            let [x, y] = row.map(i128::from);
            a += x * x;
            b += x * y;
            d += y * y;
            right[0] += x * i128::from(label);
            right[1] += y * i128::from(label);
        }
        Self {
            numerators: [d * right[0] - b * right[1], a * right[1] - b * right[0]],
            denominator: a * d - b * b,
        }
    }

    /// The squared distance, in the squared unit.
    fn squared_distance(&self, other: &Self) -> Ratio<i128> {
        let gap = |k: usize| {
            self.numerators[k] * other.denominator - other.numerators[k] * self.denominator
        };
        let squared = gap(0).pow(2) + gap(1).pow(2);
        Ratio::new(squared, (self.denominator * other.denominator).pow(2))
    }
}

/// The same number in the library's type.
fn widened(value: Ratio<i128>) -> Rational {
    Rational::new((*value.numer()).into(), (*value.denom()).into())
}

/// The square root, rounded down, for a figure.
fn root(value: &Rational) -> Result<Rational, NumberError> {
    Ok(Enclosure::of(value, BITS).sqrt()?.lower())
}

/// Three budgets, or one if it is quick.
fn budgets(neighbours: NeighbouringRelation, quick: bool) -> Result<Vec<Budget>, Trouble> {
    [("1", "1e-5"), ("0.1", "1e-6"), ("8", "1e-9")]
        .into_iter()
        .take(if quick { 1 } else { 3 })
        .map(|(epsilon, delta)| {
            Ok(Budget::approximate(
                parse(epsilon)?,
                parse(delta)?,
                neighbours,
            )?)
        })
        .collect()
}

/// The noise of this fit is certified anew to be within each budget, and an eighth of its variance is not certified.
fn calibrated(check: &mut Check, name: &str, fit: &Fit) -> Result<(), Trouble> {
    let steps = &fit.sensitivity * integer(fit.grid.one());
    // The squared norm of an integer vector is an integer.
    let squared = (&steps * &steps).floor().to_integer();
    let dimension = fit.coefficients.len() as u64;
    for budget in budgets(fit.neighbours, check.quick())? {
        let noise = fit.noise(&budget)?;
        let reached = |variance: &Rational| {
            discrete_gaussian::delta(variance, &squared, dimension, budget.epsilon())
        };
        let enough = reached(noise.variance())?;
        let eighth = reached(&(noise.variance() / integer(8)))?;
        check.holds(
            enough <= *budget.delta() && eighth > *budget.delta(),
            format_args!(
                "{name}, {}, epsilon = {}: delta {enough}, with an eighth of the variance {eighth}",
                fit.neighbours,
                budget.epsilon()
            ),
        );
    }
    Ok(())
}

fn domain(neighbours: NeighbouringRelation, records: usize) -> Result<Domain, NumberError> {
    Ok(Domain {
        input_grid: Grid::new(1)?,
        dimension: 1,
        largest_feature: 2,
        label_grid: Grid::new(1)?,
        largest_label: 2,
        neighbours,
        records,
    })
}

/// The dataset with these labels, and the matrix of these rows in its place.
fn dataset(
    domain: Domain,
    bits: u32,
    rows: &[[i64; 2]],
    labels: &[i64],
) -> Result<(Dataset, FeatureMatrix), RandomFeatureError> {
    let record = |&label: &i64| Record {
        features: vec![0],
        label,
    };
    let data = Dataset::new(domain, labels.iter().map(record).collect())?;
    let rows: Vec<Vec<i32>> = rows
        .iter()
        .map(|row| row.map(|x| x as i32).to_vec())
        .collect();
    let features = FeatureMatrix::new(Grid::new(bits)?, 2, &rows)?;
    Ok((data, features))
}

type FitOf<'a> =
    dyn Fn(&Dataset, &FeatureMatrix, &mut ChaCha) -> Result<Fit, RandomFeatureError> + 'a;
type LearnOf<'a> =
    dyn Fn(&Dataset, &FeatureMap, &Budget, &mut ChaCha) -> Result<Model, RandomFeatureError> + 'a;

/// What is said of the check of a learner by [`privately`].
const LEARNER: &str = "the learner on one record at 0 with the largest label or its opposite, or without it: both relations at (1, 1/10), every outcome of the noise";

/// The shipped learner is (1, 1/10)-private on one record at 0 with label `label` against the opposite label, and
/// against no record: what `learn` returns is `fit` and its release, from the same coins; and the release is run on
/// every outcome of its noise (but for a tail that is added), on both.
fn privately(
    check: &mut Check,
    name: &str,
    label: i64,
    fit: &FitOf<'_>,
    learn: &LearnOf<'_>,
) -> Result<(), Trouble> {
    let map = FeatureMap::new(
        Frequencies::new(Grid::new(0)?, 1, vec![1])?,
        Grid::new(1)?,
        Grid::new(4)?,
    )?;
    for neighbours in [Substitute, AddOrRemove] {
        let budget = Budget::approximate(integer(1), ratio(1, 10), neighbours)?;
        let domain = Domain {
            largest_label: label,
            ..domain(neighbours, 1)?
        };
        let with = |labels: &[i64]| {
            let record = |&label: &i64| Record {
                features: vec![0],
                label,
            };
            Dataset::new(domain, labels.iter().map(record).collect())
        };
        let other = match neighbours {
            Substitute => with(&[-label])?,
            AddOrRemove => with(&[])?,
        };
        let mut laws = Vec::new();
        for (place, data) in [with(&[label])?, other].into_iter().enumerate() {
            // 1. The learner is its fit and the release of that.
            for seed in 1..=3 {
                let mut coins = ChaCha::reproducible(seed, 5);
                let learned = learn(&data, &map, &budget, &mut coins)?;
                let mut coins = ChaCha::reproducible(seed, 5);
                let fitted = fit(&data, &data.features(&map)?, &mut coins)?;
                let released = fitted.release(&budget, &mut coins)?;
                check.holds(
                    learned == released,
                    format_args!("{name}, {neighbours}, dataset {place}, seed {seed}: {learned:?}, of the fit {released:?}"),
                );
            }
            // 2. The law of the release.
            let fitted = fit(
                &data,
                &data.features(&map)?,
                &mut ChaCha::reproducible(1, 5),
            )?;
            laws.push(law_of_release(&fitted, &budget)?);
        }
        // 3. Pr[o] - e^epsilon Pr'[o], added over the outputs where it is positive, both ways.
        let odds = Enclosure::exp_of(budget.epsilon(), 64)?.lower();
        for (one, two) in [(&laws[0], &laws[1]), (&laws[1], &laws[0])] {
            let gain = |(output, mass): (&Vec<BigInt>, &Rational)| {
                (mass - &odds * two.lower(output)).max(Rational::zero())
            };
            let reached = one.lower.iter().map(gain).sum::<Rational>() + &one.undecided;
            check.holds(
                reached <= *budget.delta(),
                format_args!(
                    "{name}, {neighbours}: delta(1) = {}, promised 1/10",
                    to_scientific_above(&reached, 5)
                ),
            );
            check.figure(
                format_args!(
                    "{name}, {neighbours}: delta(1) of the learner, at most (promised 1/10)"
                ),
                to_scientific_above(&reached, 3),
            );
        }
    }
    Ok(())
}

/// The law of what a fit releases, over all outcomes of its noise but a tail of 2^-9 in each coordinate.
fn law_of_release(fit: &Fit, budget: &Budget) -> Result<Explored<Vec<BigInt>>, Trouble> {
    let noise = fit.noise(budget)?;
    let explorer = Explorer::new(Layer::Laws, 1 << 16).with_tail(ratio(1, 1 << 9));
    Ok(
        explorer.explore(|coins| match fit.release_with(&noise, coins) {
            Ok(model) => Ok(model.coefficients),
            Err(RandomFeatureError::Coins(error)) => Err(error),
            // The release has no other error once its noise is known.
            Err(_) => Err(CoinsError::NoOutcome),
        })?,
    )
}

/// That the sensitivity of a fit in two columns is `exact`, and twice the tolerance and twice the rounding.
fn adds_gap_and_rounding(
    check: &mut Check,
    name: &str,
    fit: &Fit,
    exact: &Rational,
) -> Result<(), Trouble> {
    // The tolerance is exact/2^12, the rounding sqrt(2)/2 steps.
    let step = Rational::new(1.into(), fit.grid.one().into());
    let rounding = Enclosure::integer(2, BITS).sqrt()? * Enclosure::of(&step, BITS);
    let added = &fit.sensitivity - exact * ratio((1 << 11) + 1, 1 << 11);
    let slack = ratio(1, 1 << 40);
    check.holds(
        !rounding.is_above_rational(&added)
            && rounding.is_above_rational(&(&added - &slack)),
        format_args!("{name}, {}: beyond the exact sensitivity and twice the tolerance {added}, twice the rounding {rounding}", fit.neighbours),
    );
    Ok(())
}

pub(super) fn algorithm_1(check: &mut Check) -> Result<(), Trouble> {
    check.exact(LEARNER);
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(1, 8),
        coefficient_grid: Grid::new(0)?,
    };
    // Labels up to 4: the interpolations are (4, 0) and (-4, 0), which are clipped to (1, 0) and (-1, 0).
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
        if check.quick() { 1 } else { 3 }
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
    let budget = Budget::approximate(integer(1), ratio(1, 1000), Substitute)?;
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
    Ok(())
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

pub(super) fn clipping(check: &mut Check) -> Result<(), Trouble> {
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

pub(super) fn normed_labels(check: &mut Check) -> Result<(), Trouble> {
    // Rows in steps of 1/2 up to length 1, or to 2, beyond the unit disc; labels in steps of 1/2.
    let rows = if check.quick() { disc(1) } else { disc(2) };
    let labels = disc(1);
    // Every pair if it is quick, every seventh otherwise.
    let stride = if check.quick() { 1 } else { 7 };
    check.exact(format_args!(
        "{} neighbours of two records on {} rows in steps of 1/2, labels in steps of 1/2 with norm at most 1, Lambda in {{1/4, 1, 4}}: one row removed, or substituted with its label; {LEARNER}",
        if check.quick() {
            "all"
        } else {
            "all removals and every seventh substitution among"
        },
        rows.len()
    ));
    let mut pairs = 0u64;
    for penalty in [1i64, 4, 16] {
        // 4^1 Lambda = penalty; a squared distance in units of (2^1)^2, labels in halves.
        let lambda = ratio(penalty, 4);
        let mut substituted = Largest::from(Ratio::zero());
        let mut removed = Largest::from(Ratio::zero());
        for other in &rows {
            for kept in [0, 1, 2] {
                let alone = Minimum::of([(*other, kept)].into_iter(), penalty);
                let all: Vec<([i64; 2], i64, Minimum)> = rows
                    .iter()
                    .flat_map(|row| {
                        labels
                            .iter()
                            .filter(|l| l[1] == kept)
                            .map(move |l| (*row, l[0]))
                    })
                    .map(|(row, label)| {
                        let records = [(*other, kept), (row, label)];
                        (row, label, Minimum::of(records.into_iter(), penalty))
                    })
                    .collect();
                for (place, (row, label, one)) in all.iter().enumerate() {
                    let name = format_args!("beside {other:?} with {kept}: {row:?} with {label}");
                    removed.see(one.squared_distance(&alone), name);
                    for (second, of_second, two) in all[place..].iter().step_by(stride) {
                        substituted.see(
                            one.squared_distance(two),
                            format_args!("{name}, or {second:?} with {of_second}"),
                        );
                        pairs += 1;
                    }
                }
            }
        }
        // Units: rows and labels are both in halves.
        for (found, neighbours, factor) in [(substituted, Substitute, 1), (removed, AddOrRemove, 4)]
        {
            let squared = widened(found.value);
            let share = &squared * &lambda * integer(factor);
            // At Lambda = 4 the bound is attained by rows of length 2.
            if penalty <= 4 || !check.quick() {
                check.attained(
                    format_args!("Lambda = {lambda}, {neighbours}: squared distance over the bound ({}, in halves)", found.instance),
                    &share,
                    &Rational::one(),
                );
            } else {
                check.holds(
                    share <= Rational::one(),
                    format_args!("Lambda = {lambda}, {neighbours}: {}", found.instance),
                );
            }
            // And within what the library's sensitivities say.
            let bound = ridge_sensitivity::of_normed_labels(&lambda, neighbours)?;
            check.holds(
                squared <= bound.pow(2),
                format_args!(
                    "Lambda = {lambda}, {neighbours}, {}: {squared}, bound {bound}",
                    found.instance
                ),
            );
        }
    }
    check.figure("pairs compared under substitution", pairs);
    // The learner: its noise is calibrated, and it refuses longer labels.
    let parameters = RidgeParameters {
        penalty: ratio(1, 4),
        coefficient_grid: Grid::new(16)?,
    };
    for neighbours in [Substitute, AddOrRemove] {
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[1, 1])?;
        let fit = ridge_of_normed_labels::fit(&data, &features, &parameters)?;
        let exact = ridge_sensitivity::of_normed_labels(&parameters.penalty, neighbours)?;
        adds_gap_and_rounding(check, "R2", &fit, &exact)?;
        calibrated(check, "R2", &fit)?;
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[2, 1])?;
        let refused = ridge_of_normed_labels::fit(&data, &features, &parameters);
        check.holds(
            refused == Err(RandomFeatureError::LabelsTooLong),
            format_args!("R2, {neighbours}, labels (1, 1/2): {refused:?}"),
        );
    }
    let coarse = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(1)?,
    };
    privately(
        check,
        "R2",
        2,
        &|data, features, _| ridge_of_normed_labels::fit(data, features, &coarse),
        &|data, map, budget, coins| {
            ridge_of_normed_labels::learn(data, map, &coarse, budget, coins)
        },
    )
}

pub(super) fn bounded_labels(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 3 } else { 4 };
    check.exact(format_args!(
        "all neighbours of up to {most} records on the 13 rows of the unit disc in steps of 1/2 with label 1 (a label -1 is a row turned round, and a distance is convex in the labels), Lambda in {{1/4, 1, 4, 16}}; attained in one dimension for m up to 10,000; {LEARNER}"
    ));
    // 1. No neighbours on the grid are farther apart than the bounds.
    let rows = disc(1);
    let mut pairs = 0u64;
    for penalty in [1i64, 4, 16, 64] {
        let lambda = ratio(penalty, 4);
        for m in 1..=most {
            let mut removed = Largest::from(Ratio::zero());
            let mut substituted = Largest::from(Ratio::zero());
            for others in multisets(&rows, m - 1) {
                let labelled = |row: Option<[i64; 2]>| {
                    Minimum::of(
                        others.iter().copied().chain(row).map(|row| (row, 1)),
                        penalty,
                    )
                };
                let without = labelled(None);
                let with: Vec<Minimum> = rows.iter().map(|&row| labelled(Some(row))).collect();
                for (place, one) in with.iter().enumerate() {
                    let name = format_args!("beside {others:?}: {:?}", rows[place]);
                    removed.see(one.squared_distance(&without), name);
                    for (other, two) in with.iter().enumerate().skip(place) {
                        substituted.see(
                            one.squared_distance(two),
                            format_args!("{name} or {:?}", rows[other]),
                        );
                        pairs += 1;
                    }
                }
            }
            for (found, neighbours) in [(removed, AddOrRemove), (substituted, Substitute)] {
                let bound =
                    ridge_sensitivity::of_bounded_labels(&integer(1), &lambda, m, neighbours)?;
                // In units of 2^1.
                let squared = widened(found.value) * integer(4);
                check.holds(
                    squared <= bound.pow(2),
                    format_args!("Lambda = {lambda}, m = {m}, {neighbours}, {} in halves: {squared}, bound {bound}", found.instance),
                );
                if m == 3 {
                    check.figure(
                        format_args!(
                            "Lambda = {lambda}, m = 3, {neighbours}: largest distance / bound"
                        ),
                        format_args!(
                            "{} / {}",
                            to_scientific(&root(&squared)?, 5),
                            to_scientific_above(&bound, 5)
                        ),
                    );
                }
            }
        }
    }
    check.figure("pairs compared under substitution", pairs);
    // 2. The removal formula is attained for small Lambda = m/k^2, k >= 2 m - 1: m - 1 rows 1/k with label 1,
    //    the removed row (2 m - 1)/k with label -1, distance exactly k/2.
    for m in [1i64, 2, 3, 10, 1338, 10_000] {
        for k in [2 * m - 1, 2 * m, 10 * m] {
            let lambda = ratio(m, k * k);
            let removal = ridge_sensitivity::removal(&integer(1), &lambda, m as usize)?;
            let distance = one_dimension(&lambda, m - 1, &ratio(1, k), &ratio(2 * m - 1, k));
            check.holds(
                distance == ratio(k, 2)
                    && removal >= distance
                    && &removal * ratio((1 << 30) - 1, 1 << 30) <= distance,
                format_args!(
                    "m = {m}, Lambda = {lambda}: removal moves by {distance}, formula {removal}"
                ),
            );
        }
    }
    // 3. For larger Lambda, m - 1 rows r with label 1 and a removed row 1 with label -1, best r = p/2048.
    for lambda in [1i64, 10, 100] {
        for m in [10i64, 1338, 10_000] {
            let penalty = integer(lambda);
            let removal = ridge_sensitivity::removal(&integer(1), &penalty, m as usize)?;
            let best = (0..=2048)
                .map(|p| one_dimension(&penalty, m - 1, &ratio(p, 2048), &integer(1)))
                .fold(Rational::zero(), Rational::max);
            check.holds(
                &best * ratio(1001, 1000) >= removal,
                format_args!(
                    "Lambda = {lambda}, m = {m}: removal moves by {best}, formula {removal}"
                ),
            );
            check.attained(
                format_args!("Lambda = {lambda}, m = {m}: distance by removal, and the formula"),
                &best,
                &removal,
            );
        }
    }
    // 4. How much the substitution bound may still be improved.
    for lambda in [1i64, 10, 100, 1000] {
        let bound = ridge_sensitivity::substitution(&integer(1), &integer(lambda), 10_000)?;
        let attack = mirrored_rows(&integer(lambda), 9_999);
        check.holds(
            attack <= bound,
            format_args!("Lambda = {lambda}, m = 10,000, mirrored rows: {attack}, bound {bound}"),
        );
        check.figure(
            format_args!("Lambda = {lambda}, m = 10,000: attained by substitution / bound"),
            format_args!(
                "{} / {}",
                to_scientific(&attack, 5),
                to_scientific_above(&bound, 5)
            ),
        );
    }
    // 5. The learner's fits on all datasets of one record stay within their sensitivity, gap and rounding
    //    included, on a grid so coarse that the exact sensitivity alone is exceeded.
    for neighbours in [Substitute, AddOrRemove] {
        fits_of_one_record(check, neighbours)?;
    }
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(1)?,
    };
    privately(
        check,
        "R3",
        2,
        &|data, features, _| ridge_of_bounded_labels::fit(data, features, &parameters),
        &|data, map, budget, coins| {
            ridge_of_bounded_labels::learn(data, map, &parameters, budget, coins)
        },
    )
}

/// The distance that removal makes in one dimension: `others` rows `r` with label 1, and one row `a` with label -1.
fn one_dimension(penalty: &Rational, others: i64, r: &Rational, a: &Rational) -> Rational {
    let square = penalty + r * r * integer(others);
    let before = r * integer(others) / &square;
    let after = (r * integer(others) - a) / (square + a * a);
    (before - after).abs()
}

/// The largest distance found when, beside rows `r e1` with label 1, a row `(cos, sin)` with label -1 becomes
/// `(cos, -sin)`: `2 sin (1 + cos M r / s) / (Lambda (1 + cos^2/s + sin^2/Lambda))` with `s = Lambda + M r^2`.
fn mirrored_rows(penalty: &Rational, others: i64) -> Rational {
    let mut best = Rational::zero();
    for p in 1..=128 {
        let r = ratio(p, 128);
        let s = penalty + &r * &r * integer(others);
        for n in 1..32 {
            // A Pythagorean angle: tan of its half is n/32.
            let t = ratio(n, 32);
            let whole = Rational::one() + &t * &t;
            let (cos, sin) = (
                (Rational::one() - &t * &t) / &whole,
                integer(2) * &t / whole,
            );
            let q = &cos * &cos / &s + &sin * &sin / penalty;
            let residual = Rational::one() + cos * &r * integer(others) / &s;
            best = best.max(integer(2) * sin * residual / (penalty * (Rational::one() + q)));
        }
    }
    best
}

/// All datasets of one record of the disc, or of none, on a coefficient grid of halves.
fn fits_of_one_record(check: &mut Check, neighbours: NeighbouringRelation) -> Result<(), Trouble> {
    let parameters = RidgeParameters {
        penalty: integer(2),
        coefficient_grid: Grid::new(1)?,
    };
    let fit = |rows: &[[i64; 2]], labels: &[i64]| -> Result<Fit, RandomFeatureError> {
        let (data, features) = dataset(domain(neighbours, 1)?, 3, rows, labels)?;
        ridge_of_bounded_labels::fit(&data, &features, &parameters)
    };
    let mut fits = Vec::new();
    for row in disc(3) {
        for label in [-2, -1, 2] {
            fits.push((format!("{row:?} with {label}"), fit(&[row], &[label])?));
        }
    }
    let others = match neighbours {
        Substitute => fits.clone(),
        AddOrRemove => vec![("no record".to_owned(), fit(&[], &[])?)],
    };
    let mut farthest = Largest::from(0);
    for (name, one) in &fits {
        for (other, two) in &others {
            let gap = |k: usize| one.coefficients[k] - two.coefficients[k];
            let squared = gap(0) * gap(0) + gap(1) * gap(1);
            farthest.see(squared, format_args!("{name} or {other}"));
        }
    }
    let largest = ratio(farthest.value, 4);
    let promised = &fits[0].1.sensitivity;
    let exact =
        ridge_sensitivity::of_bounded_labels(&integer(1), &parameters.penalty, 1, neighbours)?;
    check.holds(
        largest <= promised.pow(2) && largest > exact.pow(2),
        format_args!(
            "the learner, steps of 1/2, {neighbours}, {}: squared distance {largest}, promised {promised}, exact {exact}",
            farthest.instance
        ),
    );
    adds_gap_and_rounding(check, "R3", &fits[0].1, &exact)?;
    calibrated(check, "R3", &fits[0].1)?;
    check.figure(
        format_args!(
            "the learner, steps of 1/2, {neighbours}: largest distance, exact sensitivity, promised"
        ),
        format_args!(
            "{}, {}, {}",
            to_scientific(&root(&largest)?, 5),
            to_scientific_above(&exact, 5),
            to_scientific_above(promised, 5)
        ),
    );
    Ok(())
}

pub(super) fn clipped_kaczmarz(check: &mut Check) -> Result<(), Trouble> {
    let m = if check.quick() { 2 } else { 3 };
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
        "all datasets of {m} of {} records ({} of the unit disc in steps of 1/4, labels -1, 1/4, 1) and all their neighbours, tau = 1/2, coefficients in steps of 1/4 and 1/64; {LEARNER}",
        records.len(),
        if check.quick() {
            "all rows"
        } else {
            "the rows with an even sum of entries"
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
        let parameters = clipped_kaczmarz::Parameters {
            residual_bound: tau.clone(),
            order: clipped_kaczmarz::Order::AsGiven,
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
            let bound = clipped_kaczmarz::sensitivity(&parameters, (m, 2), neighbours)?;
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
    // 2. The learner's noise is certified anew, for both relations and a random order.
    for neighbours in [Substitute, AddOrRemove] {
        let parameters = clipped_kaczmarz::Parameters {
            residual_bound: integer(1),
            order: clipped_kaczmarz::Order::Random,
            coefficient_grid: Grid::new(20)?,
        };
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[2, -2])?;
        let mut coins = ChaCha::reproducible(check.seed(), 4);
        let fit = clipped_kaczmarz::fit(&data, &features, &parameters, &mut coins)?;
        calibrated(check, "R4", &fit)?;
    }
    let parameters = clipped_kaczmarz::Parameters {
        residual_bound: integer(1),
        order: clipped_kaczmarz::Order::Random,
        coefficient_grid: Grid::new(1)?,
    };
    privately(
        check,
        "R4",
        2,
        &|data, features, coins| clipped_kaczmarz::fit(data, features, &parameters, coins),
        &|data, map, budget, coins| clipped_kaczmarz::learn(data, map, &parameters, budget, coins),
    )
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
