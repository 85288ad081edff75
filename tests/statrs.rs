//! The crate `statrs` as an independent opinion, where floats suffice.
//!
//! It computes by other means: incomplete beta and gamma functions by continued fractions, the error function by
//! rational approximations. Each test states how far the two may lie apart, as a share of the number unless it says
//! otherwise; it is the error that we allow `statrs`, since our numbers are enclosed far more tightly.

use dp_assay::coins::Law;
use dp_assay::number::rational::{from_f64, integer, ratio, to_f64_for_display};
use dp_assay::number::{Enclosure, Rational, ln_factorial};
use dp_assay::privacy::gaussian;
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use dp_assay::stats::{binomial, chi_square, clopper_pearson};
use statrs::distribution::{
    Beta, Binomial, ChiSquared, Continuous, ContinuousCDF, Discrete, DiscreteCDF, Gamma, Normal,
};

const BITS: u32 = 128;

fn float(value: &Enclosure) -> f64 {
    to_f64_for_display(&value.lower())
}

/// The two agree to this share of the number.
fn agree(name: &str, ours: &Enclosure, theirs: f64, share: f64) {
    assert!(ours.has_digits(15) || ours.hi().is_zero(), "{name}: {ours}");
    let ours = float(ours);
    assert!(
        (ours - theirs).abs() <= share * ours.abs(),
        "{name}: {ours:e} here, {theirs:e} in statrs"
    );
}

#[test]
fn binomial_probabilities_and_tails() {
    // Tails down to 1e-300; the incomplete beta function loses digits as n grows.
    for (n, p) in [
        (1, (1, 2)),
        (10, (1, 3)),
        (200, (1, 50)),
        (1000, (9, 10)),
        (5000, (1, 2)),
    ] {
        let p = ratio(p.0, p.1);
        let theirs = Binomial::new(to_f64_for_display(&p), n).unwrap();
        let enclosed = Enclosure::of(&p, BITS);
        for step in 0..=20 {
            let k = n * step / 20;
            let name = format!("binomial n = {n}, p = {p}, k = {k}");
            let mass = binomial::pmf(n, k, &enclosed).unwrap();
            if float(&mass) > 1e-280 {
                agree(&name, &mass, theirs.pmf(k), 1e-9);
            }
            // sf(k - 1) is the probability of k and more.
            let tail = binomial::upper_tail(n, k, &enclosed).unwrap();
            if k > 0 && float(&tail) > 1e-280 {
                agree(&name, &tail, theirs.sf(k - 1), 1e-9);
            }
            let below = binomial::lower_tail(n, k, &enclosed).unwrap();
            if float(&below) > 1e-280 {
                agree(&name, &below, theirs.cdf(k), 1e-9);
            }
        }
    }
}

#[test]
fn clopper_pearson_bounds_are_quantiles_of_the_beta_law() {
    // The lower bound p of x in n has I_p(x, n - x + 1) = level. Both are steep: the bound is right to 1e-12.
    for n in [1u64, 7, 40, 1000] {
        for x in [1, n / 3, n / 2, n - 1, n] {
            if x == 0 || x > n {
                continue;
            }
            for level in [(1, 2), (1, 20), (1, 1_000_000)] {
                let level = ratio(level.0, level.1);
                let bound = clopper_pearson::lower(n, x, &level).unwrap();
                let beta = Beta::new(x as f64, (n - x + 1) as f64).unwrap();
                let reached = beta.cdf(bound);
                let wanted = to_f64_for_display(&level);
                assert!(
                    (reached - wanted).abs() <= 1e-7 * wanted,
                    "{x} of {n} at {level}: {bound}, {reached:e}"
                );
                let upper = clopper_pearson::upper(n, n - x, &level).unwrap();
                assert!((upper - (1.0 - bound)).abs() <= 1e-12);
            }
        }
    }
}

#[test]
fn chi_square_tails() {
    for degrees in [1u64, 2, 3, 10, 55, 400] {
        let theirs = ChiSquared::new(degrees as f64).unwrap();
        for quarter in [1i64, 2, 4, 6, 10] {
            let x = ratio(degrees as i64 * quarter, 4);
            let name = format!("chi-square, {degrees} degrees at {x}");
            let (at, x) = (to_f64_for_display(&x), Enclosure::of(&x, BITS));
            let upper = chi_square::upper_tail(degrees, &x).unwrap();
            let lower = chi_square::lower_tail(degrees, &x).unwrap();
            if float(&upper) > 1e-10 {
                agree(&name, &upper, theirs.sf(at), 1e-9);
            }
            if float(&lower) > 1e-10 {
                agree(&name, &lower, theirs.cdf(at), 1e-9);
            }
        }
    }
}

#[test]
fn the_normal_law_and_its_quantile() {
    let theirs = Normal::new(0.0, 1.0).unwrap();
    for tenths in -80..=80 {
        let x = ratio(tenths, 10);
        let ours = Enclosure::of(&x, BITS).normal_cdf();
        agree(
            &format!("Phi({x})"),
            &ours,
            theirs.cdf(to_f64_for_display(&x)),
            1e-9,
        );
    }
    for k in 1..200 {
        let p = ratio(k, 200);
        if k == 100 {
            continue;
        }
        let ours = Enclosure::of(&p, BITS).normal_quantile().unwrap();
        let at = theirs.inverse_cdf(to_f64_for_display(&p));
        agree(&format!("the quantile of {p}"), &ours, at, 1e-9);
    }
}

#[test]
fn logarithms_of_factorials() {
    for n in [2u64, 10, 63, 64, 65, 170, 1000, 1_000_000] {
        let theirs = statrs::function::gamma::ln_gamma(n as f64 + 1.0);
        agree(
            &format!("ln {n}!"),
            &ln_factorial(n, BITS).unwrap(),
            theirs,
            1e-13,
        );
    }
}

#[test]
fn the_integers_have_the_laws_that_statrs_gives_them() {
    // Geometric of rate r: statrs counts from 1, with probability 1 - e^-r.
    for rate in [ratio(1, 7), ratio(1, 1), ratio(5, 2)] {
        let ours = Geometric::new(rate.clone()).unwrap();
        let success = -(-to_f64_for_display(&rate)).exp_m1();
        let theirs = statrs::distribution::Geometric::new(success).unwrap();
        for k in 0..30u64 {
            let name = format!("geometric of rate {rate} at {k}");
            agree(
                &name,
                &ours.pmf(&k.into(), BITS).unwrap(),
                theirs.pmf(k + 1),
                1e-11,
            );
            agree(
                &name,
                &ours.cdf(&k.into(), BITS).unwrap(),
                theirs.cdf(k + 1),
                1e-11,
            );
        }
        // Two of them, subtracted, are discrete Laplace.
        let laplace = DiscreteLaplace::new(rate.recip()).unwrap();
        for k in 0..10i64 {
            let convolved: f64 = (1..400u64)
                .map(|i| theirs.pmf(i) * theirs.pmf(i + k as u64))
                .sum();
            let name = format!("discrete Laplace of scale {} at {k}", rate.recip());
            agree(
                &name,
                &laplace.pmf(&k.into(), BITS).unwrap(),
                convolved,
                1e-11,
            );
        }
    }
}

#[test]
fn a_wide_discrete_gaussian_is_a_rounded_normal() {
    // By Poisson's formula and the midpoint rule they differ by less than 1/(10 v), for v >= 1.
    for variance in [100i64, 1_000_000, 1_000_000_000_000] {
        let law = DiscreteGaussian::new(integer(variance)).unwrap();
        let sigma = (variance as f64).sqrt();
        let normal = Normal::new(0.0, sigma).unwrap();
        for tenths in -40..=40 {
            let k = (sigma * f64::from(tenths) / 10.0).round() as i64;
            let ours = float(&law.cdf(&k.into(), BITS).unwrap());
            let theirs = normal.cdf(k as f64 + 0.5);
            let allowed = 0.1 / variance as f64 + 1e-10;
            assert!(
                (ours - theirs).abs() <= allowed,
                "v = {variance}, k = {k}: {ours} {theirs}"
            );
        }
    }
}

#[test]
fn the_profile_of_gaussian_noise() {
    // Absolute: it is a difference of two probabilities.
    let normal = Normal::new(0.0, 1.0).unwrap();
    for (mu, epsilon) in [(0.1, 0.0), (0.5, 0.25), (1.0, 1.0), (2.0, 0.5), (3.0, 4.0)] {
        let exact = |x: f64| -> Rational { from_f64(x).unwrap() };
        let ours = float(&gaussian::profile(&exact(mu), &exact(epsilon), BITS).unwrap());
        let theirs = normal.cdf(mu / 2.0 - epsilon / mu)
            - epsilon.exp() * normal.cdf(-mu / 2.0 - epsilon / mu);
        assert!(
            (ours - theirs).abs() <= 1e-10,
            "mu = {mu}, epsilon = {epsilon}: {ours} {theirs}"
        );
    }
}

#[test]
fn the_gamma_law_has_the_poisson_tail() {
    // A chi-square of 2 n degrees, halved, is a Gamma of shape n and rate 1: what the Gamma mechanism's norm has in
    // n dimensions of R^n.
    for n in [1u64, 4, 30] {
        let theirs = Gamma::new(n as f64, 1.0).unwrap();
        for half in 1..=12i64 {
            let x = ratio(half * n as i64, 4);
            let at = to_f64_for_display(&x);
            let twice = Enclosure::of(&(x * integer(2)), BITS);
            let ours = chi_square::upper_tail(2 * n, &twice).unwrap();
            agree(
                &format!("Gamma of shape {n} at {at}"),
                &ours,
                theirs.sf(at),
                1e-9,
            );
            assert!(theirs.pdf(at) > 0.0);
        }
    }
}
