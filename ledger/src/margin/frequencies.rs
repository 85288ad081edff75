//! Section 4: kernels as average cosines, and the laws of frequencies that are drawn.

use super::{BITS, of, of_the_coins};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Explorer, Law, Layer};
use dp_assay::geometry::{FeatureMap, Frequencies, ShiftInvariantKernel};
use dp_assay::number::rational::{integer, ratio, to_scientific, to_scientific_above};
use dp_assay::number::{Dyadic, Enclosure, Grid, Rational};
use dp_assay::sample::{Attempt, DiscreteCauchy, DiscreteGaussian, DiscreteLaplace};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// `bms22.bochner`.
pub(super) fn bochner(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "X = {0, 1, 3} on the line, K(0,1) = 9/10, K(0,3) = K(1,3) = 0: the minors of its matrix; and 2 K(1)^2 - 1 beside K(2)",
    );
    let (near, far) = (ratio(9, 10), Rational::zero());
    let points = [0i64, 1, 3];
    // K(z): the differences 1, 2, 3 belong to one pair of points each.
    let kernel = |z: i64| match z.abs() {
        0 => Rational::one(),
        1 => near.clone(),
        _ => far.clone(),
    };
    let entry = |i: usize, j: usize| kernel(points[i] - points[j]);
    let two = entry(0, 0) * entry(1, 1) - entry(0, 1) * entry(1, 0);
    let cofactor = |j: usize| {
        let (a, b) = ((j + 1) % 3, (j + 2) % 3);
        entry(0, j) * (entry(1, a) * entry(2, b) - entry(1, b) * entry(2, a))
    };
    let three: Rational = (0..3).map(cofactor).sum();
    let definite = entry(0, 0) > far && two > far && three > far;
    let least = integer(2) * &near * &near - Rational::one();
    check.holds(
        definite && kernel(2) < least,
        "X = {0, 1, 3}, K(1) = 9/10, K(2) = K(3) = 0: positive definite on X, but E cos 2w >= 2 (E cos w)^2 - 1",
    );
    check.figure("K(2)", kernel(2));
    check.figure(
        "E cos 2w of every probability distribution, at least",
        least,
    );
    check.figure(
        "K-bar positive definite on all of R^d, as is usual",
        "has one, by Bochner's theorem",
    );
    // What the features of any frequencies give at these points is on the other side.
    check.certified(
        "features of 1 to 40 drawn frequencies of three kernels, 64 draws each, at these points: their inner products satisfy the \
         inequality up to rounding, and are not within 1/10 of this K",
    );
    let input = Grid::new(0)?;
    let kernels = [
        ShiftInvariantKernel::Gaussian {
            variance: integer(1),
        },
        ShiftInvariantKernel::Laplacian { rate: ratio(1, 2) },
        ShiftInvariantKernel::Cauchy { scale: ratio(1, 2) },
    ];
    let mut least_excess = integer(4);
    for (stream, kernel) in (13..).zip(&kernels) {
        let mut coins = ChaCha::reproducible(check.seed(), stream);
        for draw in 0..64usize {
            let count = 1 + draw * 39 / 63;
            let frequencies = Frequencies::of_kernel(count, 1, kernel, Grid::new(8)?, &mut coins)?;
            let map = FeatureMap::new(frequencies, input, Grid::new(20)?)?;
            let features = [
                map.features(&[0])?,
                map.features(&[1])?,
                map.features(&[3])?,
            ];
            let product = |a: usize, b: usize| {
                let terms = features[a].iter().zip(&features[b]);
                let sum: i64 = terms.map(|(a, b)| i64::from(*a) * i64::from(*b)).sum();
                ratio(sum, 1 << 40)
            };
            let (one, two) = (product(0, 1), product(1, 2));
            // Features are short by at most 3 steps of 2^-20 for each of at most 80 entries: products by less than 2^-11.
            let excess = &two + Rational::one() - integer(2) * &one * &one;
            let allowed = ratio(5, 1 << 11);
            let off = (&one - &near).max(&near - &one);
            let beyond = off > ratio(1, 10) || two.clone().max(-two.clone()) > ratio(1, 10);
            check.holds(
                excess >= -allowed && beyond,
                format_args!("{kernel:?}, {count} frequencies: K(1) = {one}, K(2) = {two}"),
            );
            least_excess = least_excess.min(excess);
        }
    }
    check.figure(
        "least K(2) - 2 K(1)^2 + 1 of features",
        to_scientific(&least_excess, 3),
    );
    Ok(())
}

/// `bms22.rff.laws`.
pub(super) fn laws(check: &mut Check) -> Result<(), Trouble> {
    sampler(check)?;
    drawn(check)?;
    let mut share = Rational::zero();
    laplacian(check, &mut share)?;
    cauchy(check, &mut share)?;
    gaussian(check, &mut share)?;
    check.figure(
        "largest distance from the kernel, over its bound",
        to_scientific(&share, 4),
    );
    // A kernel as one would use it: a coordinate at |z| <= 2, a grid of 2^-10.
    let (h, z) = (ratio(1, 1024), integer(2));
    let turn = Enclosure::pi(BITS).shifted(1) - of(&(&h * &z));
    let laplacian = (-(turn * of(&h.recip()))).exp()?.upper();
    check.figure(
        "rate 1, |z| <= 2, grid 2^-10: Laplacian kernel off by at most",
        to_scientific_above(&laplacian, 3),
    );
    let cauchy = &h * &h * (&z * &z + Rational::one()) / integer(12);
    check.figure(
        "scale 1, |z| <= 2, grid 2^-10: Cauchy kernel off by at most",
        to_scientific_above(&cauchy, 3),
    );
    Ok(())
}

/// The sampler of discrete Cauchy laws: one attempt, over the layers below.
fn sampler(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "one attempt at DiscreteCauchy(a), a = 1, 5/2, 9, over uniform integers and Bernoulli draws: undecided at most 2^-4",
    );
    let mut undecided = Rational::zero();
    for squared in [integer(1), ratio(5, 2), integer(9)] {
        let law = DiscreteCauchy::new(squared.clone())?;
        // Far out a block is wider than what the explorer branches over.
        let explorer = Explorer::new(Layer::Laws, 20_000).until(ratio(1, 16));
        let found = explorer.explore(|coins| law.attempt(coins))?;
        let wrong = found.disagreement(&Attempt(law))?;
        check.holds(
            wrong.is_none() && found.undecided <= ratio(1, 16),
            format_args!("a = {squared}: {wrong:?}, undecided {}", found.undecided),
        );
        undecided = undecided.max(found.undecided);
    }
    check.figure("undecided", to_scientific(&undecided, 2));
    Ok(())
}

/// Each kernel draws its own law, with the parameter in steps of the grid, and coordinates are independent.
fn drawn(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "a frequency of two coordinates on a grid of 1/2, drawn for each kernel: the probabilities of all outcomes, up to 1/4",
    );
    let grid = Grid::new(1)?;
    let mut compare = |kernel: &ShiftInvariantKernel,
                       pmf: &dyn Fn(i64) -> Result<Enclosure, Trouble>|
     -> Result<(), Trouble> {
        let explorer = Explorer::new(Layer::Laws, 6000).with_tail(ratio(1, 16));
        let found = explorer.explore(|coins| {
            let drawn = Frequencies::of_kernel(1, 2, kernel, grid, coins);
            let drawn = drawn.map_err(|error| of_the_coins(error.into()))?;
            Ok(drawn.iter().flatten().copied().collect::<Vec<i64>>())
        })?;
        for outcome in found.lower.keys() {
            let p = pmf(outcome[0])? * pmf(outcome[1])?;
            check.holds(
                found.allows(outcome, &p) && outcome.len() == 2,
                format_args!("{kernel:?}: {outcome:?}"),
            );
        }
        check.holds(
            found.undecided < ratio(1, 4) && found.lower.len() > 20,
            format_args!("{kernel:?}: undecided {}", found.undecided),
        );
        Ok(())
    };
    // In steps of 1/2: the variance 1 is 4, the rate 1 is 2, with the square 4, and the scale 1 is 2.
    let kernel = ShiftInvariantKernel::Gaussian {
        variance: integer(1),
    };
    let law = DiscreteGaussian::new(integer(4))?;
    compare(&kernel, &|k| Ok(law.pmf(&k.into(), BITS)?))?;
    let kernel = ShiftInvariantKernel::Laplacian { rate: integer(1) };
    let law = DiscreteCauchy::new(integer(4))?;
    compare(&kernel, &|k| Ok(law.pmf(&k.into(), BITS)?))?;
    let kernel = ShiftInvariantKernel::Cauchy { scale: integer(1) };
    let law = DiscreteLaplace::new(integer(2))?;
    compare(&kernel, &|k| Ok(law.pmf(&k.into(), BITS)?))
}

/// `Pr[0] + 2 (Pr[1] cos t + ... + Pr[N] cos N t)`, for a law that is symmetric.
fn truncated(law: &impl Law<Outcome = BigInt>, t: &Rational, n: i64) -> Result<Enclosure, Trouble> {
    let mut sum = law.pmf(&BigInt::ZERO, BITS)?;
    for k in 1..=n {
        let cosine = of(&(t * integer(k))).cos()?;
        sum = sum + (law.pmf(&BigInt::from(k), BITS)? * cosine).shifted(1);
    }
    Ok(sum)
}

/// That a law's average cosine is at least the kernel, and above it by at most the bound; `share` becomes the largest part of
/// a bound that is taken.
fn between(
    check: &mut Check,
    name: &str,
    average: &Enclosure,
    kernel: &Enclosure,
    bound: &Enclosure,
    share: &mut Rational,
) -> Result<(), Trouble> {
    let gap = average - kernel;
    check.holds(
        !gap.is_below_rational(&Rational::zero()) && !bound.is_below(&gap),
        format_args!("{name}: off by {gap}, allowed {bound}"),
    );
    *share = share.clone().max(gap.divided_by(bound)?.lower());
    Ok(())
}

/// Cauchy frequencies: the closed form of their average cosine, from their probabilities, beside `e^(-s t)`.
fn laplacian(check: &mut Check, share: &mut Rational) -> Result<(), Trouble> {
    check.certified(
        "DiscreteCauchy(a), a = 1, 2, 4, angles 0, 1/2, 1, 2, 3, 6: the sum of 100 terms and the exact rest up to 10^-5, beside the \
         closed form; and its distance from the kernel",
    );
    let terms = 100i64;
    for a in [1i64, 2, 4] {
        let law = DiscreteCauchy::new(integer(a))?;
        let root = of(&integer(a)).sqrt()?;
        for t in [
            ratio(0, 1),
            ratio(1, 2),
            integer(1),
            integer(2),
            integer(3),
            integer(6),
        ] {
            let angle = of(&t);
            // The rest is 2 p(0) a times the sum over k > N of cos(kt)/(a + k^2). With 1/k^2 for 1/(a + k^2) it is known from the
            // sum over all k >= 1, pi^2/6 - pi t/2 + t^2/4; the difference is at most a/(3 N^3).
            let pi = Enclosure::pi(BITS);
            let sixth = of(&ratio(1, 6));
            let mut rest =
                pi.squared() * sixth - (&pi * &angle).shifted(-1) + angle.squared().shifted(-2);
            for k in 1..=terms {
                let cosine = of(&(&t * integer(k))).cos()?;
                rest = rest - cosine * of(&ratio(1, k * k));
            }
            let cut = Enclosure::of(&ratio(a, 3 * terms.pow(3)), BITS);
            let rest = rest.widened(cut.hi());
            let weight = law.pmf(&BigInt::ZERO, BITS)? * of(&integer(2 * a));
            let average = truncated(&law, &t, terms)? + weight * rest;
            let stated = law.average_cosine(&angle)?;
            check.holds(
                average.meets(&stated) && average.width() < Dyadic::new(1, -16),
                format_args!("a = {a}, t = {t}: {average}, in closed form {stated}"),
            );
            let kernel = (-(&root * &angle)).exp()?;
            let turn = pi.shifted(1);
            let bound = (-(root.clone() * (turn - angle))).exp()?;
            between(
                check,
                &format!("a = {a}, t = {t}"),
                &stated,
                &kernel,
                &bound,
                share,
            )?;
        }
    }
    Ok(())
}

/// Laplace frequencies: their average cosine beside `1/(1 + s^2 t^2)`.
fn cauchy(check: &mut Check, share: &mut Rational) -> Result<(), Trouble> {
    check.certified(
        "DiscreteLaplace(s), s = 1, 2, 5, angles 0, 1/8, 1/2, 1, 3: the average cosine up to 10^-17, and its distance from the kernel",
    );
    for s in [1i64, 2, 5] {
        let law = DiscreteLaplace::new(integer(s))?;
        for t in [
            ratio(0, 1),
            ratio(1, 8),
            ratio(1, 2),
            integer(1),
            integer(3),
        ] {
            let sum = truncated(&law, &t, 40 * s)?;
            let average = sum.widened(Enclosure::exp_of(&integer(-40), BITS)?.hi());
            let squared = &t * &t;
            let kernel = of(&(Rational::one() + &squared * integer(s * s)).recip());
            let bound = of(&((squared + ratio(1, s * s)) / integer(12)));
            between(
                check,
                &format!("s = {s}, t = {t}"),
                &average,
                &kernel,
                &bound,
                share,
            )?;
        }
    }
    Ok(())
}

/// Normal frequencies: their average cosine beside `e^(-v t^2/2)`.
fn gaussian(check: &mut Check, share: &mut Rational) -> Result<(), Trouble> {
    check.certified(
        "DiscreteGaussian(v), v = 1, 2, angles 0, 1/2, 1: the average cosine up to 10^-100, and its distance from the kernel",
    );
    for v in [1i64, 2] {
        let law = DiscreteGaussian::new(integer(v))?;
        for t in [ratio(0, 1), ratio(1, 2), integer(1)] {
            let beyond = law.upper_tail(&BigInt::from(41), BITS)?.shifted(1);
            let average = truncated(&law, &t, 40)?.widened(beyond.hi());
            let kernel = Enclosure::exp_of(&(-(&t * &t) * ratio(v, 2)), BITS)?;
            let bound = Enclosure::exp_of(&integer(-13 * v), BITS)? * of(&integer(3));
            let gap = (average - kernel).abs();
            check.holds(
                !bound.is_below(&gap),
                format_args!("v = {v}, t = {t}: off by {gap}, allowed {bound}"),
            );
            *share = share.clone().max(gap.divided_by(&bound)?.lower());
        }
    }
    Ok(())
}
