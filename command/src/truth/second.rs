//! The second arithmetic: values once more, with each real function by MPFR.
//!
//! The formulas are written again, in another form where there is one, and share the first arithmetic's sums, products
//! and quotients of enclosures alone. Without the feature `mpfr`, and where a formula has no second writing, there is
//! nothing to say.

use dp_assay::law::named::NamedLaw;
use dp_assay::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// Whether a second arithmetic agrees with an enclosure to so many digits; nothing where it does not know so many.
pub fn agrees(second: Option<Enclosure>, first: &Enclosure, digits: u32) -> Option<bool> {
    let second = second?;
    match second.meets(first) {
        false => Some(false),
        true => second.has_digits(digits).then_some(true),
    }
}

/// Whether a falling function passes a value inside an enclosure, by its values at the two ends; nothing where they are
/// not known well enough.
pub fn passes(
    falling: impl Fn(&Rational, u32) -> Option<Enclosure>,
    value: &Rational,
    inside: &Enclosure,
) -> Option<bool> {
    let bits = 2 * inside.bits() + 64;
    let (left, right) = (
        falling(&inside.lower(), bits)?,
        falling(&inside.upper(), bits)?,
    );
    if left.is_below_rational(value) || right.is_above_rational(value) {
        return Some(false);
    }
    let is_known = !left.contains(value) && !right.contains(value);
    is_known.then_some(true)
}

/// Whether a falling function of numbers that are not negative is at most a value where it begins, at 0; nothing where
/// that is not known at so many bits.
pub fn begins_at_most(
    falling: impl Fn(&Rational, u32) -> Option<Enclosure>,
    value: &Rational,
    bits: u32,
) -> Option<bool> {
    let at_zero = falling(&Rational::zero(), bits)?;
    match at_zero.is_above_rational(value) {
        true => Some(false),
        false => (at_zero.upper() <= *value).then_some(true),
    }
}

/// A function of one number, of those that MPFR has: by the name of its subject.
#[cfg(feature = "mpfr")]
pub fn function(name: &str, x: &Rational, bits: u32) -> Option<Enclosure> {
    use dp_assay_witness as witness;
    let value = match name {
        "exp" => witness::exp(x, bits),
        "expm1" => witness::exp_m1(x, bits),
        "ln" => witness::ln(x, bits),
        "ln1p" => witness::ln_1p(x, bits),
        "sqrt" => witness::sqrt(x, bits),
        "sin" => witness::sin(x, bits),
        "cos" => witness::cos(x, bits),
        "atan" => witness::atan(x, bits),
        "acos" => witness::acos(x, bits),
        "tanh" => witness::tanh(x, bits),
        "erfc" => witness::erfc(x, bits),
        "normal-cdf" => witness::normal_cdf(x, bits),
        // Not 1 - cdf, which cancels: by symmetry.
        "normal-tail" => witness::normal_cdf(&-x, bits),
        "pi" => witness::pi(bits),
        _ => return None,
    };
    Some(value)
}

/// Without MPFR there is one arithmetic.
#[cfg(not(feature = "mpfr"))]
pub fn function(_: &str, _: &Rational, _: u32) -> Option<Enclosure> {
    None
}

/// The density of Laplace noise of scale 1 at `x`.
pub fn laplace_density(x: &Rational, bits: u32) -> Option<Enclosure> {
    Some(function("exp", &-x.abs(), bits)?.shifted(-1))
}

/// `Pr[Y >= x]` for Laplace noise of scale 1.
pub fn laplace_tail(x: &Rational, bits: u32) -> Option<Enclosure> {
    let half = laplace_density(x, bits)?;
    Some(match x.is_negative() {
        true => half.complement(),
        false => half,
    })
}

/// The privacy profile of Laplace noise at a distance in scales: `1 - e^((epsilon - distance) / 2)`, or 0.
pub fn laplace_profile(distance: &Rational, epsilon: &Rational, bits: u32) -> Option<Enclosure> {
    if epsilon >= distance {
        return Some(Enclosure::integer(0, bits));
    }
    let half = (epsilon - distance) / BigInt::from(2);
    Some(-function("expm1", &half, bits)?)
}

/// The standard normal density.
pub fn normal_density(x: &Rational, bits: u32) -> Option<Enclosure> {
    let pi = function("pi", &Rational::zero(), bits)?;
    let root = |of: Rational| function("sqrt", &(of * BigInt::from(2)), bits);
    let root = root(pi.lower())?.hull(&root(pi.upper())?);
    let exponent = -(x * x) / BigInt::from(2);
    function("exp", &exponent, bits)?.divided_by(&root).ok()
}

/// The privacy profile of Gaussian noise at a distance in deviations (Balle, Wang 2018, Theorem 8).
pub fn gaussian_profile(distance: &Rational, epsilon: &Rational, bits: u32) -> Option<Enclosure> {
    if distance.is_zero() {
        return Some(Enclosure::integer(0, bits));
    }
    let (half, slope) = (distance / BigInt::from(2), epsilon / distance);
    let likely = function("normal-cdf", &(&half - &slope), bits)?;
    let unlikely = function("normal-cdf", &-(half + slope), bits)?;
    Some(likely - function("exp", epsilon, bits)? * unlikely)
}

/// The probability of `k`.
pub fn pmf(law: &NamedLaw, k: &BigInt, bits: u32) -> Option<Enclosure> {
    match law {
        // (1 - q) / (1 + q) = tanh(1 / (2 scale)) with q = e^(-1 / scale).
        NamedLaw::DiscreteLaplace(law) => {
            let height = function("tanh", &(law.scale() * BigInt::from(2)).recip(), bits)?;
            let exponent = -Rational::from_integer(k.abs()) / law.scale();
            Some(height * function("exp", &exponent, bits)?)
        }
        NamedLaw::Geometric(law) => {
            if k.is_negative() {
                return Some(Enclosure::integer(0, bits));
            }
            let first = -function("expm1", &-law.rate(), bits)?;
            Some(first * function("exp", &(-law.rate() * k), bits)?)
        }
        NamedLaw::DiscreteGaussian(law) => {
            let total = gaussian_sum(law.variance(), None, bits)?;
            gaussian_term(law.variance(), k, bits)?
                .divided_by(&total)
                .ok()
        }
    }
}

/// `Pr[Y >= k]`.
pub fn tail(law: &NamedLaw, k: &BigInt, bits: u32) -> Option<Enclosure> {
    if !k.is_positive() {
        return match law {
            NamedLaw::Geometric(_) => Some(Enclosure::integer(1, bits)),
            // By symmetry.
            _ => Some(tail(law, &(BigInt::from(1) - k), bits)?.complement()),
        };
    }
    match law {
        // q^k / (1 + q) with q = e^(-1 / scale).
        NamedLaw::DiscreteLaplace(law) => {
            let power = |k: &BigInt| {
                function(
                    "exp",
                    &(-Rational::from_integer(k.clone()) / law.scale()),
                    bits,
                )
            };
            let below = Enclosure::integer(1, bits) + power(&BigInt::from(1))?;
            power(k)?.divided_by(&below).ok()
        }
        NamedLaw::Geometric(law) => function("exp", &(-law.rate() * k), bits),
        NamedLaw::DiscreteGaussian(law) => {
            let beyond = gaussian_sum(law.variance(), Some(k), bits)?;
            let total = gaussian_sum(law.variance(), None, bits)?;
            beyond.divided_by(&total).ok()
        }
    }
}

/// `Pr[Y <= k]`.
pub fn cdf(law: &NamedLaw, k: &BigInt, bits: u32) -> Option<Enclosure> {
    match law {
        NamedLaw::Geometric(law) if !k.is_negative() => {
            let beyond = -law.rate() * (k + BigInt::from(1));
            Some(-function("expm1", &beyond, bits)?)
        }
        NamedLaw::Geometric(_) => Some(Enclosure::integer(0, bits)),
        _ => tail(law, &-k, bits),
    }
}

/// The privacy profile of a symmetric law's noise: what lies below the integers whose loss is above epsilon, on the two
/// inputs.
pub fn profile(law: &NamedLaw, shift: &BigInt, epsilon: &Rational, bits: u32) -> Option<Enclosure> {
    let shift = Rational::from_integer(shift.abs());
    let edge = match law {
        // The loss at k is min(shift, shift - 2 k) / scale.
        NamedLaw::DiscreteLaplace(law) => {
            let gain = &shift - epsilon * law.scale();
            if !gain.is_positive() {
                return Some(Enclosure::integer(0, bits));
            }
            gain / BigInt::from(2)
        }
        // It is (shift^2 - 2 k shift) / (2 variance).
        NamedLaw::DiscreteGaussian(law) => {
            if shift.is_zero() {
                return Some(Enclosure::integer(0, bits));
            }
            &shift / BigInt::from(2) - epsilon * law.variance() / &shift
        }
        NamedLaw::Geometric(_) => return None,
    };
    let last = edge.ceil().to_integer() - BigInt::from(1);
    let on_first = cdf(law, &last, bits)?;
    let on_second = cdf(law, &(last - shift.to_integer()), bits)?;
    Some(on_first - function("exp", epsilon, bits)? * on_second)
}

/// `e^(-k^2 / (2 variance))`.
fn gaussian_term(variance: &Rational, k: &BigInt, bits: u32) -> Option<Enclosure> {
    let exponent = -Rational::from_integer(k * k) / (variance * BigInt::from(2));
    function("exp", &exponent, bits)
}

/// The sum of these terms over all integers, or over those from `least >= 1` on, term by term: where that takes no more
/// than [`MOST_TERMS`].
fn gaussian_sum(variance: &Rational, least: Option<&BigInt>, bits: u32) -> Option<Enclosure> {
    /// More terms would take seconds.
    const MOST_TERMS: u64 = 1000;
    // From the first term on, j steps further a term is below e^(-j^2 / (2 variance)) of it: 2^-(bits + 8) suffices.
    let steps = (variance * BigInt::from(2 * (u64::from(bits) + 8)))
        .ceil()
        .to_integer();
    let steps = steps.sqrt().to_u64().filter(|steps| *steps < MOST_TERMS)? + 1;
    let (from, sides) = match least {
        Some(least) => (least.clone(), 1),
        None => (BigInt::from(1), 2),
    };
    let end = &from + BigInt::from(steps);
    let mut sum = Enclosure::integer(0, bits);
    let mut k = from;
    while k < end {
        sum = sum + gaussian_term(variance, &k, bits)?;
        k += 1;
    }
    // The terms from `end` on fall at least geometrically, each by e^(-end / variance).
    let ratio = -function(
        "expm1",
        &(-Rational::from_integer(end.clone()) / variance),
        bits,
    )?;
    let rest = gaussian_term(variance, &end, bits)?
        .divided_by(&ratio)
        .ok()?;
    sum = sum + Enclosure::integer(0, bits).hull(&rest);
    let middle = u8::from(least.is_none());
    Some(Enclosure::integer(middle, bits) + sum * Enclosure::integer(sides, bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio};

    #[test]
    fn a_second_that_is_apart_disagrees_and_one_that_is_wide_says_nothing() {
        let first = Enclosure::between(&integer(1), &ratio(1001, 1000), 64);
        let point = |value| Some(Enclosure::of(&value, 64));
        assert_eq!(agrees(point(ratio(10_005, 10_000)), &first, 10), Some(true));
        assert_eq!(agrees(point(integer(2)), &first, 10), Some(false));
        let wide = Enclosure::between(&integer(0), &integer(2), 64);
        assert_eq!(agrees(Some(wide), &first, 10), None);
        assert_eq!(agrees(None, &first, 10), None);
    }

    #[test]
    fn an_inverse_that_lies_beside_the_crossing_is_noticed() {
        let line = |x: &Rational, bits: u32| Some(Enclosure::of(&(integer(3) - x), bits));
        let inside = |lo: Rational, hi: Rational| Enclosure::between(&lo, &hi, 64);
        assert_eq!(
            passes(line, &integer(1), &inside(ratio(3, 2), ratio(5, 2))),
            Some(true)
        );
        assert_eq!(
            passes(line, &integer(1), &inside(integer(1), ratio(3, 2))),
            Some(false)
        );
        assert_eq!(
            passes(line, &integer(1), &inside(ratio(5, 2), integer(3))),
            Some(false)
        );
        let vague = |x: &Rational, bits: u32| {
            Some(Enclosure::between(
                &(integer(0) - x),
                &(integer(3) - x),
                bits,
            ))
        };
        assert_eq!(
            passes(vague, &integer(0), &inside(integer(1), integer(2))),
            None
        );
    }

    #[cfg(feature = "mpfr")]
    #[test]
    fn both_arithmetics_agree_on_laws_to_fifty_digits() {
        for law in [
            "discrete-laplace scale=355/113",
            "discrete-laplace scale=1/50",
            "geometric rate=1/7",
            "discrete-gaussian variance=1/20",
            "discrete-gaussian variance=9",
        ] {
            let law: NamedLaw = law.parse().unwrap();
            for k in [-7, -1, 0, 1, 2, 9] {
                let k = BigInt::from(k);
                let firsts = [law.pmf(&k, 400), law.cdf(&k, 400), law.upper_tail(&k, 400)];
                let seconds = [pmf(&law, &k, 400), cdf(&law, &k, 400), tail(&law, &k, 400)];
                for (index, (first, second)) in firsts.into_iter().zip(seconds).enumerate() {
                    assert_eq!(
                        agrees(second, &first.unwrap(), 50),
                        Some(true),
                        "{law} {k} {index}"
                    );
                }
            }
            for (shift, epsilon) in [(1, ratio(1, 10)), (-3, ratio(1, 3)), (4, integer(0))] {
                let shift = BigInt::from(shift);
                let Some(first) = law.profile(&shift, &epsilon, 400) else {
                    continue;
                };
                let second = profile(&law, &shift, &epsilon, 400);
                assert_eq!(
                    agrees(second, &first.unwrap(), 50),
                    Some(true),
                    "{law} {shift} {epsilon}"
                );
            }
        }
    }
}
