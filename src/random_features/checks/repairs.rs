//! The algorithm's repairs: how far one record moves them, on all small datasets, and where that is attained.

use super::{Claim, Effort, Evidence, LedgerError, Status, ours, verified};
use crate::coins::ChaCha;
use crate::number::rational::{integer, parse, ratio, to_scientific, to_scientific_above};
use crate::number::{Enclosure, Grid, Rational};
use crate::optimise::{FeatureMatrix, kaczmarz::clipped_pass, minimum_norm};
use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use crate::privacy::{Budget, NeighbouringRelation, discrete_gaussian};
use crate::random_features::{
    Dataset, Domain, Fit, RandomFeatureError, Record, clipped, kaczmarz, release,
    ridge_of_bounded_labels, ridge_of_normed_labels, sensitivity,
};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};

/// The claims of this file.
pub(super) const CLAIMS: &[Claim] = &[
    ours(
        "lnsx25.alg1.corrected",
        "Algorithm 1",
        "With cosine and sine features on a grid, the interpolation clipped to a public ball, a failed interpolation read as 0, and calibrated discrete Gaussian noise in all 2 N coordinates, Algorithm 1 is (epsilon, delta)-private on all data, under substitution and under removal.",
        Status::Verified,
        algorithm_1,
    ),
    ours(
        "lnsx25.r1",
        "repair R1 (ours)",
        "Coefficients clipped to radius R on the grid move by at most 2 R between any two datasets, and 2 R is attained by neighbours.",
        Status::Verified,
        clipping,
    ),
    ours(
        "lnsx25.r2",
        "repair R2 (ours)",
        "Where the label vector has norm at most 1, the ridge minimum moves by at most 1/sqrt(Lambda) under substitution and half of that under removal, for rows of any length; both are attained.",
        Status::Verified,
        normed_labels,
    ),
    ours(
        "lnsx25.r3",
        "repair R3 (ours)",
        "With labels of magnitude at most B, rows of norm at most 1 and a fixed Lambda, the removal sensitivity of the ridge minimum is exactly the stated maximum, and under substitution it is at most the smaller of twice that and B (2 h + sqrt(m - 1)/(2 Lambda^(3/2))); the solver's gap and the rounding, twice each, are all that is added.",
        Status::Verified,
        bounded_labels,
    ),
    ours(
        "lnsx25.r4",
        "repair R4 (ours)",
        "One pass of Kaczmarz with residuals clipped to [-tau, tau] moves by at most 2 tau under substitution and tau under removal, plus m (sqrt(D) + 1) grid steps for the rounding; 2 tau and tau are attained.",
        Status::Verified,
        clipped_kaczmarz,
    ),
];

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
fn root(value: &Rational) -> Result<Rational, LedgerError> {
    Ok(Enclosure::of(value, BITS).sqrt()?.lower())
}

/// Three budgets, or one if it is quick.
fn budgets(neighbours: NeighbouringRelation, effort: &Effort) -> Result<Vec<Budget>, LedgerError> {
    [("1", "1e-5"), ("0.1", "1e-6"), ("8", "1e-9")]
        .into_iter()
        .take(if effort.quick { 1 } else { 3 })
        .map(|(epsilon, delta)| {
            Ok(Budget::approximate(
                parse(epsilon)?,
                parse(delta)?,
                neighbours,
            )?)
        })
        .collect()
}

/// Whether the noise of this fit is certified anew to be within each budget, and an eighth of its variance
/// is not certified.
fn calibrated(fit: &Fit, effort: &Effort) -> Result<bool, LedgerError> {
    let steps = &fit.sensitivity * integer(fit.grid.one());
    // The squared norm of an integer vector is an integer.
    let squared = (&steps * &steps).floor().to_integer();
    let dimension = fit.coefficients.len() as u64;
    let mut holds = true;
    for budget in budgets(fit.neighbours, effort)? {
        let noise = fit.noise(&budget)?;
        let reached = |variance: &Rational| {
            discrete_gaussian::delta(variance, &squared, dimension, budget.epsilon())
        };
        holds &= reached(noise.variance())? <= *budget.delta();
        holds &= reached(&(noise.variance() / integer(8)))? > *budget.delta();
    }
    Ok(holds)
}

fn domain(neighbours: NeighbouringRelation, records: usize) -> Result<Domain, LedgerError> {
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
) -> Result<(Dataset, FeatureMatrix), LedgerError> {
    let record = |&label: &i64| Record {
        features: vec![0],
        label,
    };
    let data = Dataset::new(domain, labels.iter().map(record).collect())?;
    let rows: Vec<Vec<i32>> = rows
        .iter()
        .map(|row| row.map(|x| x as i32).to_vec())
        .collect();
    let features =
        FeatureMatrix::new(Grid::new(bits)?, 2, &rows).map_err(RandomFeatureError::from)?;
    Ok((data, features))
}

fn algorithm_1(effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut evidence = verified(
        true,
        "certified arithmetic",
        "3 budgets (1 if quick), 3 cases of eta, relation, grid and 2 or 20,000 coordinates: the noise certified anew, and not an eighth of its variance; proof for all in spec/random-features.md",
    );
    // 1. The noise for the ball, whose diameter is the sensitivity under either relation.
    for (neighbours, eta, bits, columns) in [
        (Substitute, ratio(3, 8), 20, 20_000),
        (Substitute, ratio(1, 8), 2, 2),
        (AddOrRemove, ratio(3, 8), 2, 2),
    ] {
        let (fit, _) = fits_of_opposite_labels(neighbours, eta.clone(), bits, columns)?;
        holds &= calibrated(&fit, effort)?;
        evidence = evidence.figure(
            format!("{neighbours}, eta = {eta}, steps of 2^-{bits}, {columns} coordinates"),
            format!("sensitivity {}", to_scientific(&fit.sensitivity, 6)),
        );
    }
    // 2. In every coordinate: where only a sine is not 0, opposite labels move that coordinate alone, and noise
    //    on the cosines would leave it in clear.
    let (one, other) = fits_of_opposite_labels(Substitute, ratio(3, 8), 2, 2)?;
    holds &= one.coefficients == [0, 8] && other.coefficients == [0, -8];
    // 3. In two dimensions the exact profile of the longest shifts, computed otherwise, is below delta as well.
    let budget = Budget::approximate(integer(1), ratio(1, 1000), Substitute)?;
    let grid = Grid::new(1)?;
    let noise = release::noise(&integer(4), grid, 2, &budget)?;
    let mut worst = Rational::zero();
    for shift in [[8, 0], [0, 8], [6, 5], [5, 6]] {
        let exact =
            discrete_gaussian::profile_of_shift(noise.variance(), &shift, budget.epsilon(), 40)?;
        worst = worst.max(exact.upper());
    }
    holds &= worst <= *budget.delta();
    if !holds {
        evidence.status = Status::Refuted;
    }
    evidence = evidence.figure(
        "a row with sine 1/2 alone, labels 1 and -1: coefficients in quarters",
        format!("{:?} and {:?}", one.coefficients, other.coefficients),
    );
    Ok(evidence.figure(
        "exact delta of the longest shifts, two coordinates, steps of 1/2, (1, 1/1000)",
        to_scientific_above(&worst, 4),
    ))
}

/// R1 on one record whose features are 0 but for the second, 1/2, with label 1 and with label -1.
fn fits_of_opposite_labels(
    neighbours: NeighbouringRelation,
    eta: Rational,
    bits: u32,
    columns: usize,
) -> Result<(Fit, Fit), LedgerError> {
    let mut row = vec![0; columns];
    row[1] = 1;
    let features =
        FeatureMatrix::new(Grid::new(1)?, columns, &[row]).map_err(RandomFeatureError::from)?;
    let parameters = clipped::Parameters {
        eta,
        coefficient_grid: Grid::new(bits)?,
    };
    let fit = |label: i64| -> Result<Fit, LedgerError> {
        let (data, _) = dataset(domain(neighbours, 1)?, 1, &[[0, 1]], &[label])?;
        Ok(clipped::fit(&data, &features, &parameters)?)
    };
    Ok((fit(2)?, fit(-2)?))
}

fn clipping(effort: &Effort) -> Result<Evidence, LedgerError> {
    let bits = if effort.quick { 1 } else { 2 };
    let rows = disc(bits);
    let parameters = clipped::Parameters {
        eta: ratio(3, 8),
        coefficient_grid: Grid::new(6)?,
    };
    let radius = 2 * 64i64;
    let domain = domain(Substitute, 2)?;
    let mut holds = true;
    let (mut fits, mut clipped_fits, mut failed) = (0, 0, 0);
    // 1. Every pair of rows with every pair of labels stays in the ball.
    let mut least = [0i64; 2];
    let mut most = [0i64; 2];
    for a in &rows {
        for b in &rows {
            for labels in [[2, 2], [2, -2], [1, -2]] {
                let (data, features) = dataset(domain, bits, &[*a, *b], &labels)?;
                let fit = clipped::fit(&data, &features, &parameters)?;
                let c = &fit.coefficients;
                let squared = c[0] * c[0] + c[1] * c[1];
                holds &= squared <= radius * radius;
                fits += 1;
                // Rounded towards zero, a clipped vector is at most two steps short of the sphere.
                clipped_fits += usize::from(squared >= (radius - 2) * (radius - 2));
                failed += usize::from(squared == 0);
                for k in 0..2 {
                    least[k] = least[k].min(c[k]);
                    most[k] = most[k].max(c[k]);
                }
            }
        }
    }
    // 2. The diameter is attained by neighbours, and is the sensitivity: rows (1/2, 0) and (0, 1/2), labels
    //    (1, 0) and (-1, 0), c = (2, 0) and (-2, 0).
    let half = 1i64 << (bits - 1);
    let attained = |label: i64| -> Result<Fit, LedgerError> {
        let rows = [[half, 0], [0, half]];
        let (data, features) = dataset(domain, bits, &rows, &[label, 0])?;
        Ok(clipped::fit(&data, &features, &parameters)?)
    };
    let (one, other) = (attained(2)?, attained(-2)?);
    holds &= one.coefficients == [radius, 0] && other.coefficients == [-radius, 0];
    holds &= one.sensitivity == integer(4);
    // 3. Without the clip, near-duplicates with opposite labels move without a bound: rows (1, 0) and
    //    (1 - t, 0) + t' e2 on a grid of 2^-12.
    let rows = vec![vec![4096, 0], vec![4095, 64]];
    let near = FeatureMatrix::new(Grid::new(12)?, 2, &rows).map_err(RandomFeatureError::from)?;
    let far = |labels: &[i64]| minimum_norm::solve(&near, labels, Grid::new(1)?, &ratio(1, 1000));
    let (same, opposite) = (
        far(&[2, 2]).map_err(RandomFeatureError::from)?,
        far(&[2, -2]).map_err(RandomFeatureError::from)?,
    );
    let unclipped: Rational = same
        .coefficients
        .iter()
        .zip(&opposite.coefficients)
        .map(|(a, b)| Rational::new((a - b).into(), BigInt::one() << same.bits).pow(2))
        .sum();
    holds &= unclipped > integer(100);
    Ok(verified(
        holds,
        "exhaustive enumeration",
        format!("all {fits} datasets of two rows in the disc of radius 1 with steps of 2^-{bits}, labels (1, 1), (1, -1), (1/2, -1), R = 2, steps of 1/64; the bound is that of a ball, for all"),
    )
    .figure("datasets whose interpolation is clipped", clipped_fits)
    .figure("datasets that cannot be interpolated, or are 0", failed)
    .figure("largest and least coordinates, in 1/64", format!("{most:?}, {least:?}"))
    .figure("attained", "rows (1/2, 0), (0, 1/2), labels (1, 0) and (-1, 0): distance 4 = 2 R")
    .figure(
        "the same without the clip: rows (1, 0) and (4095, 64)/4096, label 1 for -1, distance",
        to_scientific(&root(&unclipped)?, 5),
    ))
}

fn normed_labels(effort: &Effort) -> Result<Evidence, LedgerError> {
    // Rows in steps of 1/2 up to length 1, or to 2, beyond the unit disc; labels in steps of 1/2.
    let rows = if effort.quick { disc(1) } else { disc(2) };
    let labels = disc(1);
    let mut holds = true;
    let mut pairs = 0u64;
    let mut evidence = verified(
        true,
        "exhaustive enumeration",
        format!(
            "{} neighbours of two records on {} rows in steps of 1/2, labels in steps of 1/2 with norm at most 1, Lambda in {{1/4, 1, 4}}: one row removed, or substituted with its label",
            if effort.quick {
                "all"
            } else {
                "all removals and every seventh substitution among"
            },
            rows.len()
        ),
    );
    for penalty in [1i64, 4, 16] {
        // 4^1 Lambda = penalty; a squared distance in units of (2^1)^2, labels in halves.
        let lambda = ratio(penalty, 4);
        let (mut substituted, mut removed) = (Ratio::zero(), Ratio::zero());
        for other in &rows {
            for kept in [0, 1, 2] {
                let alone = Minimum::of([(*other, kept)].into_iter(), penalty);
                let all: Vec<Minimum> = rows
                    .iter()
                    .flat_map(|row| {
                        labels
                            .iter()
                            .filter(|l| l[1] == kept)
                            .map(move |l| (*row, l[0]))
                    })
                    .map(|record| Minimum::of([(*other, kept), record].into_iter(), penalty))
                    .collect();
                for (place, one) in all.iter().enumerate() {
                    removed = removed.max(one.squared_distance(&alone));
                    // Every pair if it is quick, every seventh otherwise.
                    let stride = if effort.quick { 1 } else { 7 };
                    for two in all[place..].iter().step_by(stride) {
                        substituted = substituted.max(one.squared_distance(two));
                        pairs += 1;
                    }
                }
            }
        }
        // Units: rows and labels are both in halves.
        let (substituted, removed) = (widened(substituted), widened(removed));
        holds &= &substituted * &lambda <= Rational::one();
        holds &= &removed * &lambda * integer(4) <= Rational::one();
        // And within what the library's sensitivities say.
        for (found, neighbours) in [(&substituted, Substitute), (&removed, AddOrRemove)] {
            let bound = sensitivity::of_ridge_with_labels_in_the_ball(&lambda, neighbours)?;
            holds &= *found <= bound.pow(2);
        }
        evidence = evidence.figure(
            format!(
                "Lambda = {lambda}: largest distances times sqrt(Lambda), substituted and removed"
            ),
            format!(
                "{}, {}",
                to_scientific(&root(&(substituted * &lambda))?, 6),
                to_scientific(&root(&(removed * &lambda))?, 6)
            ),
        );
    }
    // Attained at one record with |phi| = sqrt(Lambda) = 1 and labels 1 and -1: c = 1/2 and -1/2, 0 without it.
    let at = |label| Minimum::of([([2, 0], label)].into_iter(), 4);
    let none = Minimum::of([].into_iter(), 4);
    holds &= at(2).squared_distance(&at(-2)) == Ratio::one();
    holds &= at(2).squared_distance(&none) == Ratio::new(1, 4);
    // The learner: its noise is calibrated, and it refuses longer labels.
    for neighbours in [Substitute, AddOrRemove] {
        let parameters = ridge_of_normed_labels::Parameters {
            penalty: ratio(1, 4),
            coefficient_grid: Grid::new(16)?,
        };
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[1, 1])?;
        let fit = ridge_of_normed_labels::fit(&data, &features, &parameters)?;
        holds &= calibrated(&fit, effort)?;
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[2, 1])?;
        holds &= ridge_of_normed_labels::fit(&data, &features, &parameters)
            == Err(RandomFeatureError::LabelsTooLong);
    }
    if !holds {
        evidence.status = Status::Refuted;
    }
    Ok(evidence
        .figure("pairs compared under substitution", pairs)
        .figure(
            "attained",
            "one record, |phi| = sqrt(Lambda) = 1, labels 1 and -1: 1/2 and -1/2",
        ))
}

fn bounded_labels(effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let mut pairs = 0u64;
    let mut evidence = verified(
        true,
        "exhaustive enumeration, exact instances",
        "all neighbours of up to 3 records (4 if not quick) on the 13 rows of the unit disc in steps of 1/2 with label 1 (a label -1 is a row turned round, and a distance is convex in the labels), Lambda in {1/4, 1, 4, 16}; attained in one dimension for m up to 10,000; proof for all in spec/random-features.md",
    );
    // 1. No neighbours on the grid are farther apart than the bounds.
    let rows = disc(1);
    for penalty in [1i64, 4, 16, 64] {
        let lambda = ratio(penalty, 4);
        for m in 1..=(if effort.quick { 3 } else { 4 }) {
            let removal = sensitivity::removal(&integer(1), &lambda, m)?;
            let substitution = sensitivity::substitution(&integer(1), &lambda, m)?;
            let (mut removed, mut substituted) = (Ratio::zero(), Ratio::zero());
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
                    removed = removed.max(one.squared_distance(&without));
                    for two in &with[place..] {
                        substituted = substituted.max(one.squared_distance(two));
                        pairs += 1;
                    }
                }
            }
            // In units of 2^1.
            let removed = widened(removed) * integer(4);
            let substituted = widened(substituted) * integer(4);
            holds &= removed <= removal.pow(2) && substituted <= substitution.pow(2);
            if m == 3 {
                evidence = evidence.figure(
                    format!("Lambda = {lambda}, m = 3: largest distance / bound, removed and substituted"),
                    format!(
                        "{} / {}, {} / {}",
                        to_scientific(&root(&removed)?, 5),
                        to_scientific_above(&removal, 5),
                        to_scientific(&root(&substituted)?, 5),
                        to_scientific_above(&substitution, 5)
                    ),
                );
            }
        }
    }
    // 2. The removal formula is attained for small Lambda = m/k^2, k >= 2 m - 1: m - 1 rows 1/k with label 1,
    //    the removed row (2 m - 1)/k with label -1, distance exactly k/2.
    for m in [1i64, 2, 3, 10, 1338, 10_000] {
        for k in [2 * m - 1, 2 * m, 10 * m] {
            let lambda = ratio(m, k * k);
            let removal = sensitivity::removal(&integer(1), &lambda, m as usize)?;
            let distance = one_dimension(&lambda, m - 1, &ratio(1, k), &ratio(2 * m - 1, k));
            holds &= distance == ratio(k, 2);
            holds &= removal >= distance && &removal * ratio((1 << 30) - 1, 1 << 30) <= distance;
        }
    }
    // 3. For larger Lambda, m - 1 rows r with label 1 and a removed row 1 with label -1, best r = p/2048.
    for lambda in [1i64, 10, 100] {
        for m in [10i64, 1338, 10_000] {
            let penalty = integer(lambda);
            let removal = sensitivity::removal(&integer(1), &penalty, m as usize)?;
            let best = (0..=2048)
                .map(|p| one_dimension(&penalty, m - 1, &ratio(p, 2048), &integer(1)))
                .fold(Rational::zero(), Rational::max);
            holds &= best <= removal && &best * ratio(1001, 1000) >= removal;
            if m == 1338 {
                evidence = evidence.figure(
                    format!("Lambda = {lambda}, m = 1338: attained by removal / formula"),
                    format!(
                        "{} / {}",
                        to_scientific(&best, 6),
                        to_scientific_above(&removal, 6)
                    ),
                );
            }
        }
    }
    // 4. How much the substitution bound may still be improved.
    for lambda in [1i64, 10, 100, 1000] {
        let bound = sensitivity::substitution(&integer(1), &integer(lambda), 10_000)?;
        let attack = mirrored_rows(&integer(lambda), 9_999);
        holds &= attack <= bound;
        evidence = evidence.figure(
            format!("Lambda = {lambda}, m = 10,000: attained by substitution / bound"),
            format!(
                "{} / {}",
                to_scientific(&attack, 5),
                to_scientific_above(&bound, 5)
            ),
        );
    }
    // 5. The learner's fits on all datasets of one record stay within their sensitivity, gap and rounding
    //    included, on a grid so coarse that the exact sensitivity alone is exceeded.
    for neighbours in [Substitute, AddOrRemove] {
        let found = largest_of_fits(neighbours, effort)?;
        holds &= found.largest <= found.promised.pow(2) && found.largest > found.exact.pow(2);
        holds &= found.calibrated;
        evidence = evidence.figure(
            format!("the learner, steps of 1/2, {neighbours}: largest distance, exact sensitivity, promised"),
            format!(
                "{}, {}, {}",
                to_scientific(&root(&found.largest)?, 5),
                to_scientific_above(&found.exact, 5),
                to_scientific_above(&found.promised, 5)
            ),
        );
    }
    if !holds {
        evidence.status = Status::Refuted;
    }
    Ok(evidence.figure("pairs compared under substitution", pairs))
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

struct Fits {
    // Squared.
    largest: Rational,
    exact: Rational,
    promised: Rational,
    calibrated: bool,
}

/// All datasets of one record of the disc, or of none, on a coefficient grid of halves.
fn largest_of_fits(neighbours: NeighbouringRelation, effort: &Effort) -> Result<Fits, LedgerError> {
    let parameters = ridge_of_bounded_labels::Parameters {
        penalty: integer(2),
        coefficient_grid: Grid::new(1)?,
    };
    let fit = |rows: &[[i64; 2]], labels: &[i64]| -> Result<Fit, LedgerError> {
        let (data, features) = dataset(domain(neighbours, 1)?, 3, rows, labels)?;
        Ok(ridge_of_bounded_labels::fit(&data, &features, &parameters)?)
    };
    let mut fits = Vec::new();
    for row in disc(3) {
        for label in [-2, -1, 2] {
            fits.push(fit(&[row], &[label])?);
        }
    }
    let others = match neighbours {
        Substitute => fits.clone(),
        AddOrRemove => vec![fit(&[], &[])?],
    };
    let mut largest = 0;
    for one in &fits {
        for two in &others {
            let gap = |k: usize| one.coefficients[k] - two.coefficients[k];
            largest = largest.max(gap(0) * gap(0) + gap(1) * gap(1));
        }
    }
    Ok(Fits {
        largest: ratio(largest, 4),
        exact: sensitivity::of_ridge(&integer(1), &parameters.penalty, 1, neighbours)?,
        promised: fits[0].sensitivity.clone(),
        calibrated: calibrated(&fits[0], effort)?,
    })
}

fn clipped_kaczmarz(effort: &Effort) -> Result<Evidence, LedgerError> {
    let mut holds = true;
    let m = if effort.quick { 2 } else { 3 };
    let tau = ratio(1, 2);
    let rows = disc(2);
    let labels = [-4, 1, 4];
    // 1. Every dataset of m records, its result, and those of its neighbours.
    let records: Vec<([i64; 2], i64)> = rows
        .iter()
        .filter(|row| m == 2 || (row[0] + row[1]) % 2 == 0)
        .flat_map(|row| labels.map(|label| (*row, label)))
        .collect();
    let mut evidence = verified(
        true,
        "exhaustive enumeration",
        format!(
            "all datasets of {m} of {} records ({} of the unit disc in steps of 1/4, labels -1, 1/4, 1) and all their neighbours, tau = 1/2, coefficients in steps of 1/4 and 1/64; proof for all in spec/random-features.md",
            records.len(),
            if effort.quick {
                "all rows"
            } else {
                "the rows with an even sum of entries"
            }
        ),
    );
    for bits in [2, 6] {
        let coefficient_grid = Grid::new(bits)?;
        let pass = |chosen: &[usize]| -> Result<[i64; 2], LedgerError> {
            let rows: Vec<Vec<i32>> = chosen
                .iter()
                .map(|&k| records[k].0.map(|x| x as i32).to_vec())
                .collect();
            let labels: Vec<i64> = chosen.iter().map(|&k| records[k].1).collect();
            let order: Vec<usize> = (0..chosen.len()).collect();
            let grid = Grid::new(2)?;
            let run = FeatureMatrix::new(grid, 2, &rows)
                .and_then(|phi| clipped_pass(&phi, &labels, grid, &order, &tau, coefficient_grid))
                .map_err(RandomFeatureError::from)?;
            Ok([run[0], run[1]])
        };
        let parameters = kaczmarz::Parameters {
            residual_bound: tau.clone(),
            order: kaczmarz::Order::AsGiven,
            coefficient_grid,
        };
        let n = records.len();
        let results: Vec<[i64; 2]> = (0..n.pow(m as u32))
            .map(|code| pass(&digits(code, n, m)))
            .collect::<Result<_, _>>()?;
        let shorter: Vec<[i64; 2]> = (0..n.pow(m as u32 - 1))
            .map(|code| pass(&digits(code, n, m - 1)))
            .collect::<Result<_, _>>()?;
        let (mut substituted, mut removed) = (0, 0);
        for (code, one) in results.iter().enumerate() {
            let chosen = digits(code, n, m);
            for place in 0..m {
                let power = n.pow(place as u32);
                for other in 0..chosen[place] {
                    let neighbour = code - (chosen[place] - other) * power;
                    substituted = substituted.max(squared_distance(one, &results[neighbour]));
                }
                let mut left = chosen.clone();
                left.remove(place);
                let neighbour = left.iter().rev().fold(0, |code, digit| code * n + digit);
                removed = removed.max(squared_distance(one, &shorter[neighbour]));
            }
        }
        let unit = integer(coefficient_grid.one()).pow(2);
        for (name, neighbours, found, own) in [
            ("substituted", Substitute, substituted, &tau * integer(2)),
            ("removed", AddOrRemove, removed, tau.clone()),
        ] {
            let bound = kaczmarz::sensitivity(&parameters, (m, 2), neighbours)?;
            let found = integer(found) / &unit;
            holds &= found <= bound.pow(2);
            // Attained, and on the coarse grid the rounding goes beyond it.
            holds &= found >= own.pow(2);
            evidence = evidence.figure(
                format!("steps of 2^-{bits}, {name}: largest distance, without rounding, bound"),
                format!(
                    "{}, {own}, {}",
                    to_scientific(&root(&found)?, 5),
                    to_scientific_above(&bound, 5)
                ),
            );
        }
    }
    // 2. The learner's noise is certified anew, for both relations and a random order.
    for neighbours in [Substitute, AddOrRemove] {
        let parameters = kaczmarz::Parameters {
            residual_bound: integer(1),
            order: kaczmarz::Order::Random,
            coefficient_grid: Grid::new(20)?,
        };
        let (data, features) = dataset(domain(neighbours, 2)?, 1, &[[2, 0], [0, 2]], &[2, -2])?;
        let mut coins = ChaCha::reproducible(effort.seed, 4);
        holds &= calibrated(
            &kaczmarz::fit(&data, &features, &parameters, &mut coins)?,
            effort,
        )?;
    }
    if !holds {
        evidence.status = Status::Refuted;
    }
    Ok(evidence)
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
