//! Section 4: random Fourier features, how near their inner products come to the kernel, and how many a learner needs.

use crate::claim::{Check, Trouble};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::margin::bounds::features::{
    closeness, closeness_as_printed, frequencies, frequencies_as_printed,
};
use dp_assay::number::rational::{integer, ratio, to_scientific};
use dp_assay::number::{Enclosure, Grid, Rational, grid};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// The working precision, in bits.
const BITS: u32 = 96;

/// Twice the cosine of so many sixths of a turn: an integer.
const TWICE_THE_COSINE: [i64; 6] = [2, 1, -1, -2, -1, 1];

/// A law of frequencies on the line: multiples of a sixth of a turn, `k` and `-k` equally likely. Of them only the cosine
/// counts, so that there are four classes, `k = 0, 1, 2, 3`, with these weights.
type Weights = [u64; 4];

/// Twice `cos(<w, z>)` for the class `k` and an integer `z`.
fn twice_cosine(k: usize, z: i64) -> i64 {
    TWICE_THE_COSINE[(k as i64 * z).rem_euclid(6) as usize]
}

/// `2 K(z)` for `r = 1`, times the sum of the weights.
fn twice_kernel(weights: &Weights, z: i64) -> i64 {
    (0..4).map(|k| weights[k] as i64 * twice_cosine(k, z)).sum()
}

/// The sum of the weights.
fn total(weights: &Weights) -> i64 {
    weights.iter().sum::<u64>() as i64
}

/// The sum over the frequencies drawn of a value that their class decides.
fn sum_of(classes: &Weights, value: impl Fn(usize) -> i64) -> i64 {
    (0..4).map(|k| classes[k] as i64 * value(k)).sum()
}

/// All ways in which `count` frequencies fall into the classes, with their probabilities times `total^count`.
fn draws(weights: &Weights, count: u64) -> Vec<(Weights, BigUint)> {
    let mut all = Vec::new();
    let choose =
        |n: u64, k: u64| -> BigUint { (0..k).fold(BigUint::one(), |c, i| c * (n - i) / (i + 1)) };
    let power = |class: usize, times: u64| BigUint::from(weights[class]).pow(times as u32);
    for a in 0..=count {
        let of_a = choose(count, a) * power(0, a);
        for b in 0..=count - a {
            let of_b = &of_a * choose(count - a, b) * power(1, b);
            for c in 0..=count - a - b {
                let d = count - a - b - c;
                let ways = &of_b * choose(count - a - b, c) * power(2, c) * power(3, d);
                if !ways.is_zero() {
                    all.push(([a, b, c, d], ways));
                }
            }
        }
    }
    all
}

/// The law of an integer that the classes decide.
fn law_of(
    weights: &Weights,
    draws: &[(Weights, BigUint)],
    value: impl Fn(&Weights) -> i64,
) -> BTreeMap<i64, Rational> {
    let mut ways_of: BTreeMap<i64, BigUint> = BTreeMap::new();
    for (classes, ways) in draws {
        *ways_of.entry(value(classes)).or_default() += ways;
    }
    let count: u64 = draws.first().map_or(0, |(classes, _)| classes.iter().sum());
    let all = BigUint::from(total(weights).unsigned_abs()).pow(count as u32);
    let share = |ways: BigUint| Rational::new(ways.into(), all.clone().into());
    let laws = ways_of.into_iter();
    laws.map(|(value, ways)| (value, share(ways))).collect()
}

const LAWS: [Weights; 3] = [[1, 2, 2, 1], [1, 0, 0, 1], [1, 4, 0, 3]];

/// `bms22.thm4_1`.
pub(super) fn kernel_of_all_pairs(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "three laws of frequencies, multiples of a sixth of a turn; 2, 3 and 4 points of the line; 1 to 12 frequencies; beta = 9/10, \
         1/2, 1/10, 1/100: the exact probability that a pair is farther off than is promised, as printed and with the sharper \
         constants; and for every pair and every value attained, Hoeffding's bound",
    );
    let betas = [ratio(9, 10), ratio(1, 2), ratio(1, 10), ratio(1, 100)];
    let mut worst = [Rational::zero(), Rational::zero(), Rational::zero()];
    for weights in &LAWS {
        for points in [&[0, 1][..], &[0, 1, 3], &[0, 1, 2, 4]] {
            let m = points.len() as u64;
            let mut differences = Vec::new();
            for (place, x) in points.iter().enumerate() {
                differences.extend(points[..place].iter().map(|y| x - y));
            }
            for count in [1, 2, 5, 12] {
                let draws = draws(weights, count);
                // How far the kernel of a pair is off, in steps of 1/unit.
                let unit = 2 * count as i64 * total(weights);
                let gap = |classes: &Weights, z: i64| {
                    let sum = sum_of(classes, |k| twice_cosine(k, z)) * total(weights);
                    (sum - twice_kernel(weights, z) * count as i64).abs()
                };
                let farthest = law_of(weights, &draws, |classes| {
                    let gaps = differences.iter().map(|&z| gap(classes, z));
                    gaps.max().unwrap_or(0)
                });
                let beyond = |squared: Rational| -> Rational {
                    let far = |gap: i64| ratio(gap, unit) * ratio(gap, unit) > squared;
                    let failed = farthest.iter().filter(|(gap, _)| far(**gap));
                    failed.map(|(_, share)| share).sum()
                };
                for beta in &betas {
                    let printed = beyond(closeness_as_printed(m, count, beta)?);
                    let sharp = beyond(closeness(m, count, beta)?);
                    let instance = format!("{weights:?}, {points:?}, D = {count}, beta = {beta}");
                    let squared = beta * beta;
                    check.holds(printed <= squared, format_args!("{instance}: {printed}"));
                    check.holds(sharp <= *beta, format_args!("{instance}: {sharp}"));
                    worst[0] = worst[0].clone().max(printed / squared);
                    worst[1] = worst[1].clone().max(sharp / beta);
                }
                for &z in &differences {
                    let law = law_of(weights, &draws, |classes| gap(classes, z));
                    let mut share = Rational::zero();
                    // From the largest gap down: the probability of at least it.
                    for (&gap, p) in law.iter().rev() {
                        share += p;
                        let gap = ratio(gap, unit);
                        let exponent = -(&gap * &gap) * integer(count) / integer(2);
                        let bound = Enclosure::exp_of(&exponent, BITS)?.shifted(1);
                        let quotient = Enclosure::of(&share, BITS).divided_by(&bound)?.upper();
                        check.holds(
                            quotient <= Rational::one(),
                            format_args!("{weights:?}, z = {z}, D = {count}: {share} beyond {gap}"),
                        );
                        worst[2] = worst[2].clone().max(quotient);
                    }
                }
            }
        }
    }
    let names = [
        "largest probability over beta^2, as printed",
        "largest probability over beta, sharper",
        "largest share of Hoeffding's bound",
    ];
    for (name, worst) in names.iter().zip(&worst) {
        check.figure(name, to_scientific(worst, 3));
    }
    let printed = closeness_as_printed(1000, 1, &ratio(1, 20))?;
    let sharper = Enclosure::of(&(printed / closeness(1000, 1, &ratio(1, 20))?), BITS).sqrt()?;
    check.figure(
        "printed over sharper, m = 1000, beta = 1/20",
        to_scientific(&sharper.upper(), 4),
    );
    of_the_grid(check)
}

/// The features as they are computed, on a grid: their inner product beside the average cosine of the difference.
fn of_the_grid(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "FeatureMap, 1 and 3 frequencies in two dimensions, grids of 12 and 20 bits, all pairs of five points: the inner product of \
         features beside the average cosine, up to the rounding",
    );
    let input = Grid::new(4)?;
    let steps = [7, -20, 33, 5, -64, 11];
    let points = [[0, 0], [16, 0], [-9, 5], [3, 15], [-16, -1]];
    for count in [1usize, 3] {
        let frequencies = Frequencies::new(Grid::new(4)?, 2, steps[..2 * count].to_vec())?;
        for bits in [12, 20] {
            let map = FeatureMap::new(frequencies.clone(), input, Grid::new(bits)?)?;
            let radius = i64::from(map.largest_entry());
            for x in &points {
                for y in &points {
                    let (a, b) = (map.certified_features(x)?, map.certified_features(y)?);
                    let product: i64 = a
                        .iter()
                        .zip(&b)
                        .map(|(a, b)| i64::from(*a) * i64::from(*b))
                        .sum();
                    let mut sum = Enclosure::integer(0, BITS);
                    for w in frequencies.iter() {
                        let angle = w[0] * (x[0] - y[0]) + w[1] * (x[1] - y[1]);
                        sum = sum + Enclosure::of(&ratio(angle, 256), BITS).cos()?;
                    }
                    // Each entry is within a step of R cos or R sin, so each pair within 2 sqrt(2) R + 2 of R^2 cos.
                    let exact = sum * Enclosure::integer(radius * radius, BITS);
                    let gap = (exact - Enclosure::integer(product, BITS)).abs();
                    let allowed = integer(count) * integer(3 * radius + 2);
                    check.holds(
                        gap.is_below_rational(&allowed),
                        format_args!("{count} frequencies, {bits} bits, {x:?}, {y:?}: {gap}"),
                    );
                }
            }
        }
    }
    Ok(())
}

/// `bms22.thm4_1.norm`.
pub(super) fn norm_of_features(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "FeatureMap, 1, 2 and 5 frequencies, feature grids of 6, 12 and 24 bits: all 1025 points of a grid of the line from -2 to 2, \
         and all 289 of one of the plane",
    );
    let steps = vec![1, -3, 50, 7, 1000, -77, 12_345, 2, 65_536, 31];
    let mut least = Rational::one();
    for count in [1usize, 2, 5] {
        for dimension in [1usize, 2] {
            let input = Grid::new(if dimension == 1 { 8 } else { 3 })?;
            let reach = 2 * input.one() / dimension as i64;
            let line: Vec<i64> = (-reach..=reach).collect();
            let points: Vec<Vec<i64>> = if dimension == 1 {
                line.iter().map(|&x| vec![x]).collect()
            } else {
                let plane = line
                    .iter()
                    .flat_map(|&x| line.iter().map(move |&y| vec![x, y]));
                plane.collect()
            };
            let steps = steps[..count * dimension].to_vec();
            let frequencies = Frequencies::new(Grid::new(6)?, dimension, steps)?;
            for bits in [6, 12, 24] {
                let map = FeatureMap::new(frequencies.clone(), input, Grid::new(bits)?)?;
                let radius = i128::from(map.largest_entry());
                for point in &points {
                    let features = map.features(point)?;
                    let wide: Vec<i64> = features.iter().map(|&v| i64::from(v)).collect();
                    let squared = grid::squared_norm(&wide) as i128;
                    // No pair is shorter than R - 2 sqrt(2) steps.
                    let shortest = count as i128 * (radius - 3).pow(2);
                    check.holds(
                        squared <= 1 << (2 * bits) && squared >= shortest,
                        format_args!("{count} frequencies, {bits} bits, {point:?}: {squared}"),
                    );
                    if bits == 24 {
                        least = least.min(Rational::new(squared.into(), BigInt::one() << 48));
                    }
                }
            }
        }
    }
    check.figure("least squared norm at 24 bits", to_scientific(&least, 12));
    Ok(())
}

/// `bms22.thm4_2.d`.
pub(super) fn number_of_features(check: &mut Check) -> Result<(), Trouble> {
    super::printed::kernel(check)?;
    bernstein(check)?;
    small_samples(check)?;
    check.certified("m = 6 to 40 and 10^2 to 10^6, beta = 9/10, 1/20, 1e-6: fewer than as printed");
    let counts = (6..=40).chain((2..=6).map(|power| 10u64.pow(power)));
    for m in counts {
        for beta in [ratio(9, 10), ratio(1, 20), ratio(1, 1_000_000)] {
            let (ours, printed) = (frequencies(m, &beta)?, frequencies_as_printed(m, &beta)?);
            check.holds(ours < printed, format_args!("m = {m}, beta = {beta}"));
        }
    }
    let beta = ratio(1, 20);
    check.figure("D, m = 1000, beta = 1/20", frequencies(1000, &beta)?);
    let printed = frequencies_as_printed(1000, &beta)?;
    check.figure("D as printed", printed);
    Ok(())
}

/// The two bounds of the proof at `D = frequencies(m, beta)`, and the one that is printed.
fn bernstein(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "m = 1 to 50, 10^2 to 10^6, beta = 9/10, 1/2, 1/20, 1e-6: Bernstein's bounds at D = ceil(4 m ln(4 m/beta)), and Theorem \
         4.1 at the printed D and beta/2",
    );
    let mut worst = Rational::zero();
    let mut nearest = Rational::zero();
    for m in (1..=50).chain((2..=6).map(|power| 10u64.pow(power))) {
        for beta in [ratio(9, 10), ratio(1, 2), ratio(1, 20), ratio(1, 1_000_000)] {
            let count = Rational::from_integer(frequencies(m, &beta)?.into());
            let per_record = Enclosure::of(&(&count / integer(m)), BITS);
            // Predictions: variance 1, range sqrt(m)/2 + 1, deviation 1/sqrt(m), all over Lambda r.
            let root = Enclosure::integer(m, BITS).sqrt()?;
            let third =
                Enclosure::integer(1, BITS).divided_by(&(root * Enclosure::integer(3, BITS)))?;
            let twice = (Enclosure::of(&ratio(7, 6), BITS) + third).shifted(1);
            let of_one = (-per_record.divided_by(&twice)?).exp()?;
            let predictions = of_one * Enclosure::integer(2 * m, BITS);
            // The norm: mean 1, range m/4, variance m/4, deviation s, all over Lambda^2.
            let s = ratio(3, 8);
            let rate = integer(2) * &s * &s / (Rational::one() + &s / integer(3));
            let norm = (-(per_record * Enclosure::of(&rate, BITS))).exp()?;
            let total = (predictions + norm).upper() / &beta;
            check.holds(
                total <= Rational::one(),
                format_args!("m = {m}, beta = {beta}: {total} of beta"),
            );
            worst = worst.max(total);
            // The kernel of all pairs is kept up to 2 r^2/m at the printed number, with probability 1 - beta/2.
            let printed = frequencies_as_printed(m, &beta)?
                .to_u64()
                .unwrap_or(u64::MAX);
            let squared = closeness_as_printed(m, printed, &(beta / integer(2)))?;
            let share = squared * integer(m) * integer(m) / integer(4);
            check.holds(share <= Rational::one(), format_args!("m = {m}: printed"));
            nearest = nearest.max(share);
        }
    }
    check.figure(
        "largest probability of failure, over beta",
        to_scientific(&worst, 3),
    );
    check.attained(
        "squared closeness at the printed D",
        &nearest,
        &Rational::one(),
    );
    Ok(())
}

/// Four points of the line, `Lambda = r = 1`, all coefficients `±1/4` whose predictor has norm at most 1: exact laws.
fn small_samples(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "three laws of frequencies, the points 0, 1, 2, 3 of the line, coefficients ±1/4 with a predictor of norm at most 1; 4 and 16 \
         frequencies, and as many as are asked for at beta = 1/2: exact laws of the predictions and of the norm, beside \
         Bernstein's bounds; and the probability that anything fails",
    );
    let points = [0i64, 1, 2, 3];
    let asked = frequencies(4, &ratio(1, 2))?.to_u64().unwrap_or(u64::MAX);
    let mut counts = vec![4, 16];
    if !check.quick() {
        counts.push(asked);
    }
    let mut worst_share = Rational::zero();
    let mut worst_failure = Rational::zero();
    let mut predictors = 0;
    for weights in &LAWS {
        let laws: Vec<_> = counts
            .iter()
            .map(|&count| (count, draws(weights, count)))
            .collect();
        for signs in 0..8u32 {
            // Four times the coefficients; the first is positive, for -h errs as h does.
            let sign = |place: usize| {
                if place > 0 && signs >> (place - 1) & 1 == 1 {
                    -1
                } else {
                    1
                }
            };
            let alpha = [0, 1, 2, 3].map(sign);
            // Eight times the sum over i of alpha_i cos(w (x_i - x_j)).
            let prediction = |k: usize, j: usize| -> i64 {
                (0..4)
                    .map(|i| alpha[i] * twice_cosine(k, points[i] - points[j]))
                    .sum()
            };
            // 32 times |sum over i of alpha_i e^(i w x_i)|^2.
            let norm = |k: usize| -> i64 { (0..4).map(|j| alpha[j] * prediction(k, j)).sum() };
            let total = total(weights);
            if sum_of(weights, norm) > 32 * total {
                continue;
            }
            predictors += 1;
            for (count, draws) in &laws {
                let (count, many) = (*count as i64, integer(*count));
                // A prediction less its mean, in steps of 1/(8 D total).
                let off = |classes: &Weights, j: usize| {
                    let drawn = sum_of(classes, |k| prediction(k, j)) * total;
                    (drawn - sum_of(weights, |k| prediction(k, j)) * count).abs()
                };
                if count as u64 == asked {
                    // Anything fails: a prediction is off by more than 1/sqrt(4), or the squared norm is above 11/8.
                    let failed = law_of(weights, draws, |classes| {
                        let far = (0..4).any(|j| off(classes, j) > 4 * count * total);
                        i64::from(far || sum_of(classes, norm) > 44 * count)
                    });
                    let failure = failed.get(&1).cloned().unwrap_or_else(Rational::zero);
                    check.holds(
                        failure <= ratio(1, 2),
                        format_args!("{weights:?}, {alpha:?}: fails with probability {failure}"),
                    );
                    worst_failure = worst_failure.max(failure);
                    continue;
                }
                // 1. Each prediction: Bernstein's bound at each value that it takes.
                for j in 0..4 {
                    let law = law_of(weights, draws, |classes| off(classes, j));
                    let mut share = Rational::zero();
                    for (&gap, p) in law.iter().rev() {
                        share += p;
                        // Variance at most 1, and no term farther than sqrt(4)/2 + 1 from its mean.
                        let gap = ratio(gap, 8 * count * total);
                        let twice = integer(2) + &gap * ratio(4, 3);
                        let exponent = -(&gap * &gap) * &many / twice;
                        let bound = Enclosure::exp_of(&exponent, BITS)?.shifted(1);
                        let quotient = Enclosure::of(&share, BITS).divided_by(&bound)?.upper();
                        check.holds(
                            quotient <= Rational::one(),
                            format_args!("{weights:?}, {alpha:?}, j = {j}, D = {count}: {share}"),
                        );
                        worst_share = worst_share.max(quotient);
                    }
                }
                // 2. The squared norm: mean at most 1, terms at most 4/4.
                let law = law_of(weights, draws, |classes| sum_of(classes, norm));
                let mut share = Rational::zero();
                for (&value, p) in law.iter().rev() {
                    share += p;
                    let s = ratio(value, 32 * count) - Rational::one();
                    if s.is_positive() {
                        let twice = (Rational::one() + &s / integer(3)) * integer(2);
                        let bound = Enclosure::exp_of(&(-(&s * &s) * &many / twice), BITS)?;
                        check.holds(
                            Enclosure::of(&share, BITS).is_below(&bound),
                            format_args!("{weights:?}, {alpha:?}, D = {count}: norm {value}"),
                        );
                    }
                }
            }
        }
    }
    check.holds(predictors > 0, "there are predictors of norm at most 1");
    check.figure("predictors", predictors);
    check.figure(
        "largest share of Bernstein's bound",
        to_scientific(&worst_share, 3),
    );
    check.figure(
        "largest probability of failure at beta = 1/2",
        to_scientific(&worst_failure, 3),
    );
    Ok(())
}
