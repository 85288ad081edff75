//! Sums of Gaussian terms `exp(-a k^2)` over integers `k`, with proven remainders.
//!
//! Three ways, each with its proof in `spec/samplers.md` (`sample.discrete-gaussian`): directly, with a
//! geometric bound on what is left out; by Poisson's summation formula, for wide laws; and by the
//! Euler-Maclaurin formula, for one-sided tails of wide laws.

use crate::number::enclosure::UNDERFLOW;
use crate::number::{Dyadic, Enclosure, NumberError, Rational, rational::ratio};
use num_bigint::BigInt;
use num_traits::One;

/// `sum over k >= first of k^power exp(-rate k^2)`, for `first >= 0` and `power` 0 or 2, term by term.
pub(super) fn direct_tail(
    first: &BigInt,
    power: u32,
    rate: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    // Each step of the recurrence loses less than two units in the last place.
    let bits = bits + 32;
    let mut k = first.clone();
    // term = exp(-rate k^2), and step = exp(-rate (2k + 1)) takes it to k + 1.
    let mut term = Enclosure::exp_of(&(-rate * &k * &k), bits)?;
    let mut step = Enclosure::exp_of(&(-rate * (BigInt::from(2) * &k + BigInt::one())), bits)?;
    let shrink = Enclosure::exp_of(&(-rate * BigInt::from(2)), bits)?;
    let mut sum = Enclosure::integer(0, bits);
    loop {
        let weighted = if power == 0 {
            term.clone()
        } else {
            &term * Enclosure::integer(&k * &k, bits)
        };
        sum = sum + &weighted;
        term = &term * &step;
        step = &step * &shrink;
        k += 1;
        // From here on each term is at most `ratio` times the one before: for power 0 because the
        // steps shrink; for power 2 because ((k+1)/k)^2 shrinks too.
        let mut ratio = step.clone();
        if power == 2 {
            let growth = Rational::new(&k + 1, k.clone()).pow(2);
            ratio = ratio * Enclosure::of(&growth, bits);
        }
        let next = if power == 0 {
            term.clone()
        } else {
            &term * Enclosure::integer(&k * &k, bits)
        };
        // Below 2^UNDERFLOW it counts as nothing even beside a sum that is not known to be above zero.
        let negligible = |rest: &Dyadic| {
            rest.magnitude()
                < sum
                    .lo()
                    .magnitude()
                    .saturating_sub(i64::from(bits))
                    .max(UNDERFLOW)
        };
        let gap = ratio.complement();
        if negligible(next.hi()) && gap.lo().is_positive() {
            // The rest is at most next (1 + ratio + ratio^2 + ...).
            let rest = next.divided_by(&gap)?;
            return Ok(Enclosure::new(sum.lo(), &(sum.hi() + rest.hi()), bits - 32));
        }
    }
}

/// `sum over all integers k of exp(-k^2 / (2 variance))`.
pub(super) fn normaliser(variance: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    if *variance < Rational::one() {
        let rate = variance.recip() / BigInt::from(2);
        let tail = direct_tail(&BigInt::one(), 0, &rate, bits)?;
        return Ok(Enclosure::integer(1, bits) + tail.shifted(1));
    }
    // Poisson: sqrt(2 pi variance) (1 + 2 sum over j >= 1 of exp(-2 pi^2 variance j^2)).
    let (ripple, _) = dual_sums(variance, bits)?;
    let root = (Enclosure::pi(bits).shifted(1) * Enclosure::of(variance, bits)).sqrt()?;
    Ok(root * (Enclosure::integer(1, bits) + ripple.shifted(1)))
}

/// `sum of k^2 exp(-k^2 / (2 variance))` over the normaliser: the variance of the law.
pub(super) fn variance_of_law(variance: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    if *variance < Rational::one() {
        let rate = variance.recip() / BigInt::from(2);
        let squares = direct_tail(&BigInt::one(), 2, &rate, bits)?.shifted(1);
        return squares.divided_by(&normaliser(variance, bits)?);
    }
    // The logarithmic derivative of Poisson's formula: with v the parameter,
    // v - 4 pi^2 v^2 (2 sum j^2 e_j) / (1 + 2 sum e_j), where e_j = exp(-2 pi^2 v j^2).
    let (plain, weighted) = dual_sums(variance, bits)?;
    let v = Enclosure::of(variance, bits);
    let pi_v = Enclosure::pi(bits) * &v;
    let correction = (pi_v.squared().shifted(3) * weighted)
        .divided_by(&(Enclosure::integer(1, bits) + plain.shifted(1)))?;
    Ok(v - correction)
}

/// `sum over j >= 1 of e_j` and of `j^2 e_j`, with `e_j = exp(-2 pi^2 variance j^2)`, for
/// `variance >= 1`: then `e_(j+1) <= e^-59 e_j`, so that the first term left out, doubled, bounds the rest.
fn dual_sums(variance: &Rational, bits: u32) -> Result<(Enclosure, Enclosure), NumberError> {
    let rate = Enclosure::pi(bits + 8).squared().shifted(1) * Enclosure::of(variance, bits + 8);
    let mut plain = Enclosure::integer(0, bits);
    let mut weighted = Enclosure::integer(0, bits);
    for j in 1u64.. {
        let term = (-(&rate * Enclosure::integer(j * j, bits))).exp()?;
        let square = Enclosure::integer(j * j, bits) * &term;
        if square.hi().magnitude() < -2 * i64::from(bits) {
            // j^2 e_j <= 2^(-2 bits): with it the rest is at most twice that.
            let zero = Dyadic::zero();
            plain = plain + Enclosure::new(&zero, &term.hi().shifted(1), bits);
            weighted = weighted + Enclosure::new(&zero, &square.hi().shifted(1), bits);
            break;
        }
        plain = plain + term;
        weighted = weighted + square;
    }
    Ok((plain, weighted))
}

/// So many terms are summed without asking for a quicker way; and so many at most.
const FEW_TERMS: u32 = 1 << 12;
const MOST_TERMS: u32 = 1 << 17;

/// `sum over k >= first of exp(-k^2 / (2 variance))`, for `first >= 0`.
pub(super) fn tail(
    first: &BigInt,
    variance: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    // After n terms they are below 2^-(bits + 40) of the first, if (2 x n + n^2) / (2 v) >= (bits + 40) ln 2; ln 2 < 7/10.
    let reach = (variance * BigInt::from(14 * (u64::from(bits) + 40)) / BigInt::from(10))
        .ceil()
        .to_integer();
    let terms: BigInt = (first * first + reach).sqrt() + 1 - first;
    if terms > FEW_TERMS.into() {
        let quick = euler_maclaurin_tail(first, variance, bits)?;
        let narrow = quick.width().is_zero()
            || quick.width().magnitude() <= quick.lo().magnitude() - i64::from(bits) + 16;
        if narrow || terms > MOST_TERMS.into() {
            return Ok(quick);
        }
    }
    direct_tail(first, 0, &(variance.recip() / BigInt::from(2)), bits)
}

/// The same tail by the Euler-Maclaurin formula at `x = first`, with `f(x) = exp(-x^2/(2 v))`:
///
/// `integral from x of f + f(x)/2 - sum over i = 1..p of B_2i / (2i)! f^(2i-1)(x) + R`, where
/// `|R| <= 2 zeta(2p) / (2 pi)^(2p) integral from x of |f^(2p)|`. The derivatives are
/// `f^(n)(x) = (-1)^n v^(-n/2) He_n(x / sqrt v) f(x)`, and Cramer's inequality
/// `|He_n(u)| <= 1.0865 sqrt(n!) e^(u^2/4)` bounds the integral by `1.0865 sqrt((2p)!) v^-p` times that of
/// `e^(-t^2/(4v))` from `x` on, which is at most `e^(-x^2/(4v)) sqrt(4 pi v)/2`, as `t^2 >= x^2 + (t-x)^2`. As `f` falls,
/// the tail lies between the integral and `f(x)` more.
fn euler_maclaurin_tail(
    first: &BigInt,
    variance: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let bits = bits + 32;
    let v = Enclosure::of(variance, bits);
    let sigma = v.sqrt()?;
    let x = Enclosure::integer(first.clone(), bits);
    let u = x.divided_by(&sigma)?;
    let f = Enclosure::exp_of(
        &(-Rational::from(first * first) / (variance * BigInt::from(2))),
        bits,
    )?;
    let root_two_pi = Enclosure::pi(bits).shifted(1).sqrt()?;
    let integral = &sigma * &root_two_pi * u.normal_upper();
    let mut sum = &integral + f.shifted(-1);
    let root_f = Enclosure::exp_of(
        &(-Rational::from(first * first) / (variance * BigInt::from(4))),
        bits,
    )?;
    // Hermite polynomials at u by their recurrence; hermite[n] = He_n(u).
    let mut before = Enclosure::integer(1, bits);
    let mut hermite = u.clone();
    // v^(-(2i-1)/2) / (2i)!, and v^((1-2i)/2) sqrt((2i)!) for the remainder.
    let inverse_v = Enclosure::integer(1, bits).divided_by(&v)?;
    let mut coefficient = Enclosure::integer(1, bits).divided_by(&sigma)?.shifted(-1);
    let mut factorial = BigInt::from(2);
    let mut scale = Enclosure::integer(1, bits).divided_by(&sigma)?;
    let two_pi_squared = Enclosure::pi(bits).shifted(1).squared();
    let mut two_pi_power = two_pi_squared.clone();
    let bernoulli = crate::number::bernoulli_numbers();
    let mut best: Option<Enclosure> = None;
    for (index, number) in bernoulli.iter().enumerate() {
        let i = index as u64 + 1;
        // - B_2i/(2i)! f^(2i-1)(x), and f^(2i-1) = - v^(-(2i-1)/2) He_(2i-1)(u) f.
        sum = sum + Enclosure::of(number, bits) * &coefficient * &hermite * &f;
        // |R| <= 2 zeta(2i) (2 pi)^(-2i) 1.0865 sqrt(pi) sqrt((2i)!) v^((1-2i)/2) sqrt(f); 2 zeta(2) 1.0865 sqrt(pi) < 6.35
        let remainder = (Enclosure::of(&ratio(635, 100), bits)
            * &root_f
            * Enclosure::integer(factorial.clone(), bits).sqrt()?
            * &scale)
            .divided_by(&two_pi_power)?;
        let candidate = sum.widened(remainder.hi());
        if best.as_ref().is_none_or(|b| candidate.width() < b.width()) {
            best = Some(candidate);
        }
        // He_(n+1) = u He_n - n He_(n-1), twice.
        for n in [2 * i - 1, 2 * i] {
            let next = &u * &hermite - Enclosure::integer(n, bits) * &before;
            before = hermite;
            hermite = next;
        }
        let growth = (2 * i + 1) * (2 * i + 2);
        coefficient = (coefficient * &inverse_v).divided_by(&Enclosure::integer(growth, bits))?;
        factorial *= growth;
        scale = scale * &inverse_v;
        two_pi_power = two_pi_power * &two_pi_squared;
    }
    let best = best.unwrap_or(sum);
    // A sum of falling positive terms: at least its first one, at least the integral, at most both.
    let above = integral.hi() + f.hi();
    let lo = best.lo().max(f.lo()).max(integral.lo());
    let hi = best.hi().min(&above);
    Ok(Enclosure::new(lo, hi, bits - 32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::integer;

    #[test]
    fn there_is_no_cliff_at_any_variance() {
        // Far out, to many digits, and far out in a very wide law: the width falls with the precision.
        for (variance, first, bits) in [
            (integer(65_536), 8000, 160),
            (integer(65_537), 8000, 160),
            (integer(65_537), 3, 760),
            (integer(1_000_000_000), 10_000_000, 256),
        ] {
            let value = tail(&BigInt::from(first), &variance, bits).unwrap();
            assert!(
                value.has_digits((bits - 24) * 3 / 10),
                "{variance} {first}: {value}"
            );
        }
        // And beyond reach it is still known to some digits.
        let wide = tail(
            &BigInt::from(100_000_000_000i64),
            &integer(1_000_000_000_000_000_000i64),
            128,
        )
        .unwrap();
        assert!(wide.has_digits(5), "{wide}");
    }

    #[test]
    fn poisson_and_direct_sums_agree() {
        for variance in [ratio(1, 1), ratio(3, 2), ratio(50, 1)] {
            let rate = variance.recip() / BigInt::from(2);
            let direct = Enclosure::integer(1, 128)
                + direct_tail(&BigInt::one(), 0, &rate, 128)
                    .unwrap()
                    .shifted(1);
            let poisson = normaliser(&variance, 128).unwrap();
            assert!(direct.meets(&poisson), "{direct} {poisson}");
            assert!(direct.has_digits(30) && poisson.has_digits(30));
            let squares = direct_tail(&BigInt::one(), 2, &rate, 128)
                .unwrap()
                .shifted(1);
            let moment = squares.divided_by(&direct).unwrap();
            assert!(moment.meets(&variance_of_law(&variance, 128).unwrap()));
        }
    }

    #[test]
    fn euler_maclaurin_and_direct_tails_agree() {
        for variance in [1000, 40_000] {
            for first in [0, 1, 17, 300] {
                let variance = integer(variance);
                let rate = variance.recip() / BigInt::from(2);
                let direct = direct_tail(&first.into(), 0, &rate, 160).unwrap();
                let quick = euler_maclaurin_tail(&first.into(), &variance, 160).unwrap();
                // Far out as well.
                let (far, x) = (BigInt::from(first + 3000), 160);
                let (one, other) = (
                    direct_tail(&far, 0, &rate, x).unwrap(),
                    euler_maclaurin_tail(&far, &variance, x).unwrap(),
                );
                assert!(one.meets(&other), "{variance} {far}: {one} {other}");
                assert!(direct.meets(&quick), "{variance} {first}: {direct} {quick}");
                assert!(
                    direct.has_digits(40) && quick.has_digits(25),
                    "{direct} {quick}"
                );
            }
        }
    }

    #[test]
    fn the_terms_that_are_left_out_of_the_dual_sums_are_within_them() {
        // e_1 = exp(-20 pi^2), about 2^-285, is left out at 64 bits, and is the first term of both sums.
        let (plain, weighted) = dual_sums(&integer(10), 64).unwrap();
        let first = (-(Enclosure::pi(128).squared() * Enclosure::integer(20, 128)))
            .exp()
            .unwrap();
        for sum in [plain, weighted] {
            assert!(sum.lo() <= first.lo() && sum.hi() > first.hi(), "{sum}");
        }
    }

    #[test]
    fn as_many_terms_as_the_most_are_still_summed_one_by_one() {
        // At 1000 bits the tail from 3 on takes 2^17 terms for the first of these variances, and one more for the second.
        let known = |variance: i64| {
            let value = tail(&3.into(), &integer(variance), 1000).unwrap();
            value.has_digits(290)
        };
        assert!(known(11_799_900));
        assert!(!known(11_799_901));
    }

    #[test]
    fn the_quick_tail_is_sharp_and_right_where_its_remainder_counts() {
        // The variance, the first term, and how many digits the least remainder leaves: all but its 6.35 is a quotient
        // of powers and factorials.
        for (variance, first, digits) in [
            (1, 0, 7),
            (1, 2, 6),
            (4, 0, 24),
            (4, 5, 23),
            (4, 12, 20),
            (25, 0, 50),
            (25, 20, 47),
            (25, 40, 42),
            (100, 60, 64),
        ] {
            let (first, variance) = (BigInt::from(first), integer(variance));
            let rate = variance.recip() / BigInt::from(2);
            let direct = direct_tail(&first, 0, &rate, 600).unwrap();
            let quick = euler_maclaurin_tail(&first, &variance, 512).unwrap();
            assert!(quick.lo() <= direct.lo() && direct.hi() <= quick.hi());
            let is_sharp = quick.has_digits(digits) && !quick.has_digits(digits + 1);
            assert!(is_sharp, "{variance} {first}: {quick}");
        }
    }

    #[test]
    fn the_quick_tail_is_taken_where_it_is_sharp_and_many_terms_are_spared() {
        // About 460 terms, so few that they are summed; and 13,000, where the quick way has 582 bits: up to 16 bits
        // fewer than asked for are sharp enough.
        for (variance, first, bits, is_quick) in [
            (1000, 300, 310, false),
            (200_000, 3, 590, true),
            (200_000, 3, 610, false),
        ] {
            let variance = integer(variance);
            let first = BigInt::from(first);
            let rate = variance.recip() / BigInt::from(2);
            let ends = |sum: Enclosure| (sum.lower(), sum.upper());
            let found = ends(tail(&first, &variance, bits).unwrap());
            let direct = ends(direct_tail(&first, 0, &rate, bits).unwrap());
            let quick = ends(euler_maclaurin_tail(&first, &variance, bits).unwrap());
            assert!(direct != quick);
            assert_eq!(found == quick, is_quick, "{variance}");
            assert_eq!(found == direct, !is_quick, "{variance}");
        }
    }
}
