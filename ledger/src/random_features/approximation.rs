//! Lemmas 14 to 16, and the quantifiers of (14) and (15).

use super::two_valued_targets::{Truncation, TwoValued, pointwise_and_in_the_mean};
use super::{Largest, list};
use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::exact::{Complex, product, solve};
use dp_assay::random_features::RandomFeatureError;
use dp_assay::random_features::bounds::approximation::{approximation, squared_norm};
use num_traits::Zero;

const BITS: u32 = 128;

pub(super) fn lemma_14(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "alpha = 1/10 with probability 1/20 and 0 otherwise, N = 100, x = 0, with both cuts",
    );
    let target = TwoValued::new(100, ratio(1, 10), ratio(1, 20))?;
    let claimed = target.squared_norm() / integer(100);
    let bias = target.squared_bias(Truncation::Printed);
    check.refutes(
        bias > claimed,
        "alpha = 1/10 with probability 1/20, otherwise 0; N = 100, x = 0: all of f is cut off",
    );
    check.figure("|f(0) - E f*(0)|^2", bias);
    check.figure("claimed at most |f|^2/N", &claimed);
    // What is meant: T = sqrt(N) |f|.
    let meant = target.squared_bias(Truncation::Corrected);
    check.holds(
        meant <= claimed,
        format_args!("T = sqrt(N) |f|: {meant}, at most {claimed}"),
    );
    check.figure("with T = sqrt(N) |f|", meant);
    Ok(())
}

/// Targets of two values, and the name of each: N, the large value, and its probability.
fn targets() -> Result<Vec<(String, TwoValued, u64)>, RandomFeatureError> {
    let mut targets = Vec::new();
    for n in [1u64, 10, 100, 1000] {
        for size in [ratio(1, 10), integer(1), integer(50)] {
            for probability in [ratio(1, 2000), ratio(1, 50), ratio(3, 7), ratio(99, 100)] {
                let name = format!("N = {n}, alpha = {size} with probability {probability}");
                targets.push((name, TwoValued::new(n, size.clone(), probability)?, n));
            }
        }
    }
    Ok(targets)
}

pub(super) fn lemma_14_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.exact("48 targets of two values at the point where the bias is largest");
    let mut cut = 0;
    let mut worst = Largest::from(Rational::zero());
    for (name, target, n) in targets()? {
        cut += u32::from(target.is_cut(Truncation::Corrected));
        let bias = target.squared_bias(Truncation::Corrected);
        let share = bias * integer(n) / target.squared_norm();
        worst.see(share, name);
    }
    check.holds(cut > 0, format_args!("{cut} of the targets are cut off"));
    check.attained(
        format_args!("bias over |f|^2/N ({})", worst.instance),
        &worst.value,
        &integer(1),
    );
    check.figure("targets that are cut off", cut);
    Ok(())
}

pub(super) fn lemma_15(check: &mut Check) -> Result<(), Trouble> {
    check.certified("N = 1, alpha = 10^4 with probability 1.5e-4; N = 1000, alpha = 10^6 with probability 1.5e-7; delta = 1e-4, exact binomial tails");
    let failure = ratio(1, 10_000);
    let log = Enclosure::of(&(integer(2) / &failure), BITS).ln()?;
    let factor = log.squared().shifted(5) + log.shifted(2);
    for (n, size, probability) in [
        (1, 10_000, ratio(15, 100_000)),
        (1000, 1_000_000, ratio(15, 100_000_000)),
    ] {
        let target = TwoValued::new(n, integer(size), probability.clone())?;
        let printed = target.deviates(Truncation::Printed, &factor)?;
        check.refutes(
            printed.is_above_rational(&failure),
            "delta = 1e-4, alpha = 10^4 with probability 1.5e-4, otherwise 0, N = 1, and 10^6 with 1.5e-7, N = 1000: it is drawn with probability N p > delta, and not cut off",
        );
        check.figure(
            format_args!(
                "N = {n}, alpha = {size} with probability {probability}: fails with probability"
            ),
            printed,
        );
        // What is meant: T = sqrt(N) |f|.
        let meant = target.deviates(Truncation::Corrected, &factor)?;
        check.holds(
            meant.upper() <= failure,
            format_args!("N = {n}, T = sqrt(N) |f|: fails with probability {meant}"),
        );
        check.figure(format_args!("N = {n}: with T = sqrt(N) |f|"), meant);
    }
    Ok(())
}

/// Probabilities of failure for the corrected lemmas.
fn failures() -> [Rational; 4] {
    [
        ratio(1, 2),
        ratio(1, 10),
        ratio(1, 1000),
        ratio(1, 1_000_000),
    ]
}

pub(super) fn lemma_15_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("48 targets of two values at one point, delta = 1/2, 1/10, 1e-3, 1e-6, exact binomial tails; the tail of Bernstein's inequality there; 1 + 4 L + sqrt(2 L) <= 7.15 L at delta near 1");
    let mut worst = Largest::from(Rational::zero());
    for failure in failures() {
        // |f* - E f*| <= |f| (4 L + sqrt(2 L))/sqrt(N): without the 1 of the bias.
        let reach = approximation(&failure)? - Enclosure::integer(1, BITS);
        // In units of |f|/sqrt(N) the centred summands are at most 2 N long, with second moment N.
        let tail = bernstein_tail(&reach, &integer(2))?.shifted(1);
        check.holds(
            tail.upper() <= failure,
            format_args!("delta = {failure}: the tail at 4 L + sqrt(2 L) is {tail}"),
        );
        for (name, target, _) in targets()? {
            let found = target.deviates(Truncation::Corrected, &reach.squared())?;
            check.holds(
                found.upper() <= failure,
                format_args!("{name}, delta = {failure}: fails with probability {found}"),
            );
            worst.see(
                found.upper() / &failure,
                format_args!("{name}, delta = {failure}"),
            );
        }
    }
    // The printed simplification: 1 + 4 L + sqrt(2 L) <= 7.15 L for L >= ln 2, and 7.15 < 14. The ratio falls with L.
    let near_one = ratio(99_999, 100_000);
    let log = Enclosure::of(&(integer(2) / &near_one), BITS).ln()?;
    let (left, right) = (
        approximation(&near_one)?,
        log * Enclosure::of(&ratio(715, 100), BITS),
    );
    check.holds(
        left.is_below(&right),
        format_args!("delta = {near_one}: {left} and {right}"),
    );
    check.attained(
        format_args!("largest probability over delta ({})", worst.instance),
        &worst.value,
        &integer(1),
    );
    Ok(())
}

pub(super) fn lemma_16(check: &mut Check) -> Result<(), Trouble> {
    check.certified("alpha = 10^6 with probability 1.5e-5 and 0 otherwise, N = 100, delta = 1e-3, exact binomial tails");
    let failure = ratio(1, 1000);
    let log = Enclosure::of(&(integer(2) / &failure), BITS).ln()?;
    let factor = log * Enclosure::integer(12, BITS);
    let target = TwoValued::new(100, integer(1_000_000), ratio(15, 1_000_000))?;
    let printed = target.norm_exceeds(Truncation::Printed, &factor)?;
    check.refutes(
        printed.is_above_rational(&failure),
        "delta = 1e-3, alpha = 10^6 with probability 1.5e-5, otherwise 0, N = 100: it is drawn with probability N p > delta, and not cut off",
    );
    check.figure("fails with probability, claimed at most 1e-3", printed);
    // What is meant: T = sqrt(N) |f|.
    let meant = target.norm_exceeds(Truncation::Corrected, &factor)?;
    check.holds(
        meant.upper() <= failure,
        format_args!("T = sqrt(N) |f|: fails with probability {meant}"),
    );
    check.figure("with T = sqrt(N) |f|", meant);
    Ok(())
}

pub(super) fn lemma_16_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.certified("48 targets of two values, delta = 1/2, 1/10, 1e-3, 1e-6, exact binomial tails; the tail of Bernstein's inequality there; at most what the paper's route gives");
    let mut worst = Largest::from(Rational::zero());
    for failure in failures() {
        let factor = squared_norm(&failure)?;
        let route = approximation(&failure)?;
        // In units of |f|^2/N the summands are at most N, with variance at most N.
        let above_mean = &factor - &Enclosure::integer(1, BITS);
        let tail = bernstein_tail(&above_mean, &ratio(1, 3))?;
        check.holds(
            tail.upper() <= failure,
            format_args!("delta = {failure}: the tail at 2 l/3 + sqrt(2 l) is {tail}"),
        );
        check.holds(
            factor.is_below(&route),
            format_args!("delta = {failure}: {factor}, the paper's route {route}"),
        );
        for (name, target, _) in targets()? {
            let found = target.norm_exceeds(Truncation::Corrected, &factor)?;
            check.holds(
                found.upper() <= failure,
                format_args!("{name}, delta = {failure}: fails with probability {found}"),
            );
            worst.see(
                found.upper() / &failure,
                format_args!("{name}, delta = {failure}"),
            );
        }
    }
    check.attained(
        format_args!("largest probability over delta ({})", worst.instance),
        &worst.value,
        &integer(1),
    );
    Ok(())
}

/// `e^(-t^2/(2 (1 + b t)))`, Bernstein's bound on one tail: of the mean of `N` terms of variance `N`, with `b N` for their
/// size, or a third of it if they are real and bounded. In Hilbert space it is twice that.
fn bernstein_tail(t: &Enclosure, b: &Rational) -> Result<Enclosure, Trouble> {
    let spread = Enclosure::integer(1, BITS) + Enclosure::of(b, BITS) * t.clone();
    let exponent = t.squared().divided_by(&spread.shifted(1))?;
    Ok((-exponent).exp()?)
}

/// The space on the inputs 0 to 3 of the frequencies 0, pi/2, pi, 3 pi/2 with probabilities 1/2, 1/4, 1/8, 1/8.
pub(super) fn function_space(check: &mut Check) -> Result<(), Trouble> {
    check.exact("four frequencies of different probabilities, four inputs: 81 targets, and the kernel at every input expanded in the frequencies");
    let probabilities = [ratio(1, 2), ratio(1, 4), ratio(1, 8), ratio(1, 8)];
    let wave = |k: usize, x: usize| Complex::quarter_turns((k * x) as u32);
    // f(x) = sum_k rho_k alpha_k e^(i w_k x), as a matrix: its values determine alpha.
    let matrix: Vec<Vec<Complex>> = (0..4)
        .map(|x| {
            (0..4)
                .map(|k| wave(k, x).scaled(&probabilities[k]))
                .collect()
        })
        .collect();
    let inner = |alpha: &[Complex], beta: &[Complex]| -> Complex {
        (0..4)
            .map(|k| (&alpha[k] * &beta[k].conjugate()).scaled(&probabilities[k]))
            .fold(Complex::zero(), |sum, term| &sum + &term)
    };
    // The kernel k(x, t), a sum over the differences of the inputs.
    let kernel = |x: usize, t: usize| -> Complex {
        (0..4)
            .map(|k| wave(k, x + 4 - t).scaled(&probabilities[k]))
            .fold(Complex::zero(), |sum, term| &sum + &term)
    };
    let sections = (0..4)
        .map(|t| solve(&matrix, &(0..4).map(|x| kernel(x, t)).collect::<Vec<_>>()))
        .collect::<Result<Vec<_>, _>>()?;
    let choices = [0, 1, 2].map(|k| match k {
        0 => Complex::zero(),
        k => Complex::quarter_turns(k),
    });
    for code in 0..81usize {
        let alpha: Vec<Complex> = (0..4)
            .map(|place| choices[code / 3usize.pow(place) % 3].clone())
            .collect();
        let squared = inner(&alpha, &alpha).re;
        for (x, section) in sections.iter().enumerate() {
            // 1. f(x) = <f, k(., x)>, and so |f(x)|^2 <= |f|^2 k(x, x).
            let value = product(&matrix[x], &alpha);
            let reproduced = inner(&alpha, section);
            check.holds(
                value == reproduced && value.squared() <= &squared * kernel(x, x).re,
                format_args!("target {code}, x = {x}: f(x) = {value}, <f, k_x> = {reproduced}"),
            );
        }
        // 2. The norm is one of the function: its values determine alpha.
        let values: Vec<Complex> = matrix.iter().map(|row| product(row, &alpha)).collect();
        check.holds(
            solve(&matrix, &values)? == alpha,
            format_args!(
                "target {code}: the values {} determine alpha",
                list(&values)
            ),
        );
    }
    // 3. The kernel is the inner product of its sections.
    for (x, of_x) in sections.iter().enumerate() {
        for (t, of_t) in sections.iter().enumerate() {
            let found = inner(of_t, of_x);
            check.holds(
                found == kernel(x, t),
                format_args!("<k_t, k_x> = {found} at x = {x}, t = {t}"),
            );
        }
    }
    Ok(())
}

pub(super) fn quantifiers(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "2, 20 and 1000 points, one of them drawn, by enumeration; the inference, not the bounds",
    );
    for points in [2, 20, 1000] {
        let (pointwise, in_the_mean) = pointwise_and_in_the_mean(points)?;
        check.refutes(
            in_the_mean > pointwise && pointwise == ratio(1, points as i64),
            "one of n points is drawn, g is sqrt(n) there and 0 elsewhere: its mean square is 1, always",
        );
        check.figure(
            format_args!(
                "{points} points: reaches 1 at each point, and in the mean, with probability"
            ),
            format_args!("{pointwise}, {in_the_mean}"),
        );
    }
    Ok(())
}
