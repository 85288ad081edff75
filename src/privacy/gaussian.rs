//! Gaussian noise: its exact privacy profile, its inverse, and the least noise for a budget.

use super::error::proper_delta;
use super::inverse::least_epsilon;
use super::search::{smallest, surely_at_most};
use super::{Budget, LeastEpsilon, PrivacyError};
use crate::number::range::{above_zero, above_zero_below_one, at_least_zero};
use crate::number::rational::shortly;
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::Zero;

/// The exact `delta(epsilon)` of continuous Gaussian noise, for `epsilon >= 0`, in any dimension:
/// `Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)` with
/// `mu = sensitivity / standard deviation` (Balle, Wang 2018, Theorem 8), under the relation for
/// which the l2 sensitivity is meant.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `mu > 0` and `epsilon >= 0`; those of the real functions
/// (`epsilon` at most 2^22).
pub fn profile(mu: &Rational, epsilon: &Rational, bits: u32) -> Result<Enclosure, PrivacyError> {
    above_zero("mu", mu)?;
    at_least_zero("epsilon", epsilon)?;
    Ok(hockey_stick(mu, epsilon, bits)?)
}

/// The hockey-stick divergence of order `e^epsilon` between normal laws of variance 1 at distance
/// `mu > 0`; the formula holds for negative `epsilon` as well.
pub(super) fn hockey_stick(
    mu: &Rational,
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, NumberError> {
    let half = mu / BigInt::from(2);
    let slope = epsilon / mu;
    let likely = upper_tail(&(&slope - &half), bits);
    let unlikely = upper_tail(&(slope + half), bits);
    let difference = likely - Enclosure::exp_of(epsilon, bits)? * unlikely;
    Ok(difference.max(&Enclosure::integer(0, bits)))
}

/// The least `epsilon >= 0` with `delta(epsilon) <= delta`, for `0 <= delta < 1`: the inverse of [`profile`], whose best event at `epsilon` has the
/// masses `Phi(mu/2 - epsilon/mu)` and `Phi(-mu/2 - epsilon/mu)`. Exactly 0 where `delta(0) <= delta`; infinite at `delta = 0`.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `mu > 0` and `0 <= delta < 1`; [`NumberError::OutOfDomain`] where more bits are needed; those of the real
/// functions.
pub fn epsilon(mu: &Rational, delta: &Rational, bits: u32) -> Result<LeastEpsilon, PrivacyError> {
    above_zero("mu", mu)?;
    proper_delta(delta)?;
    if delta.is_zero() {
        return Ok(LeastEpsilon::Infinite);
    }
    let zero = Rational::zero();
    if profile(mu, &zero, bits)?.upper() <= *delta {
        return Ok(LeastEpsilon::Finite(Enclosure::integer(0, bits)));
    }
    let half = mu / BigInt::from(2);
    let rise = |from: &Rational| {
        let slope = from / mu;
        let gain = upper_tail(&(&slope - &half), bits) - Enclosure::of(delta, bits);
        let on_second = upper_tail(&(slope + &half), bits);
        if !gain.lo().is_positive() || !on_second.lo().is_positive() {
            return Ok(None);
        }
        Ok(Some(gain.divided_by(&on_second)?.ln()?))
    };
    let found = least_epsilon(
        delta,
        None,
        bits,
        |epsilon| profile(mu, epsilon, bits),
        rise,
    )?;
    found.map(LeastEpsilon::Finite).ok_or_else(|| {
        NumberError::OutOfDomain {
            function: "the inverse of the Gaussian profile",
            argument: shortly(delta),
            expected: "more bits are needed to tell the profile from it",
        }
        .into()
    })
}

/// `Pr[Z >= x]` for a standard normal `Z`, without cancellation far above.
#[must_use]
pub fn upper_tail(x: &Rational, bits: u32) -> Enclosure {
    // In the tail the relative error is x^2 times that of x.
    let guard = 16 + 2 * x.to_integer().bits().min(64) as u32;
    Enclosure::of(x, bits + guard)
        .normal_upper()
        .with_bits(bits)
}

/// The least noise multiplier `z` = standard deviation / l2 sensitivity (rounded up, within one
/// part in 2^20) with which continuous Gaussian noise is within the budget, under its relation: the
/// analytic Gaussian mechanism of Balle and Wang (2018, Algorithm 1), by bisection with certified
/// profiles.
///
/// For any `epsilon > 0` and any `0 < delta < 1`; there is no condition `epsilon <= 1`.
///
/// # Errors
/// [`PrivacyError::Parameter`] if `delta = 0`: Gaussian noise is never purely private; those of the
/// real functions.
pub fn noise_multiplier(budget: &Budget) -> Result<Rational, PrivacyError> {
    above_zero_below_one("delta", budget.delta())?;
    smallest(|z| {
        let mu = z.recip();
        surely_at_most(budget.delta(), |bits| profile(&mu, budget.epsilon(), bits))
    })
}

/// The least standard deviation a coordinate for a query of this l2 sensitivity under the budget's
/// relation: the sensitivity times [`noise_multiplier`].
///
/// # Errors
/// [`PrivacyError::Parameter`] unless the sensitivity is above 0, and those of
/// [`noise_multiplier`].
pub fn standard_deviation(
    budget: &Budget,
    l2_sensitivity: &Rational,
) -> Result<Rational, PrivacyError> {
    above_zero("the l2 sensitivity", l2_sensitivity)?;
    Ok(noise_multiplier(budget)? * l2_sensitivity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio, to_scientific};
    use crate::privacy::NeighbouringRelation::Substitute;
    use proptest::prelude::*;

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    #[test]
    fn the_published_value_of_the_analytic_mechanism_is_met() {
        // mu at epsilon 1 and delta 1e-5 is 0.26805112329...
        let (below, above) = (
            parse("0.2680511232").unwrap(),
            parse("0.2680511233").unwrap(),
        );
        let delta = parse("1e-5").unwrap();
        assert!(profile(&below, &integer(1), 128).unwrap().upper() < delta);
        assert!(profile(&above, &integer(1), 128).unwrap().lower() > delta);
        let mu = noise_multiplier(&budget("1", "1e-5")).unwrap().recip();
        assert!(mu < above && mu > below * ratio((1 << 20) - 1, 1 << 20));
    }

    #[test]
    fn at_epsilon_zero_the_profile_is_the_total_variation() {
        // 2 Phi(mu/2) - 1
        let value = profile(&integer(2), &Rational::zero(), 128).unwrap();
        let inside = Enclosure::integer(1, 128).normal_cdf().shifted(1);
        assert!(value.meets(&(inside - Enclosure::integer(1, 128))));
        assert_eq!(to_scientific(&value.upper(), 10), "0.6826894921");
    }

    #[test]
    fn a_variance_taken_for_a_standard_deviation_is_not_private() {
        // The broken twin, where the multiplier is below 1 so that its square is smaller.
        let budget = budget("10", "1e-3");
        let z = noise_multiplier(&budget).unwrap();
        assert!(z < integer(1));
        let right = profile(&z.recip(), budget.epsilon(), 128).unwrap();
        assert!(right.upper() <= *budget.delta());
        let wrong = profile(&(&z * &z).recip(), budget.epsilon(), 128).unwrap();
        assert!(wrong.lower() > *budget.delta());
    }

    #[test]
    fn the_classical_formula_is_not_private_for_large_epsilon() {
        // sqrt(2 ln(1.25/delta)) / epsilon (Dwork, Roth 2014, Theorem A.1) is stated for epsilon <
        // 1 only.
        let (epsilon, delta) = (integer(100), parse("1e-3").unwrap());
        let root = Enclosure::of(&(ratio(5, 4) / &delta), 128).ln().unwrap();
        let z = root.shifted(1).sqrt().unwrap().upper() / &epsilon;
        let value = profile(&z.recip(), &epsilon, 128).unwrap();
        assert!(value.lower() > delta);
    }

    #[test]
    fn extreme_budgets_are_answered() {
        for (epsilon, delta) in [
            ("1e-9", "1e-12"),
            ("1000", "1e-300"),
            ("1", "0.999999"),
            ("1e-100", "1e-100"),
            ("1e6", "1/2"),
        ] {
            let budget = budget(epsilon, delta);
            let z = noise_multiplier(&budget).unwrap();
            let enough = profile(&z.recip(), budget.epsilon(), 2048).unwrap();
            assert!(enough.upper() <= *budget.delta(), "{budget}");
            let less = z * ratio((1 << 19) - 1, 1 << 19);
            let missed = profile(&less.recip(), budget.epsilon(), 2048).unwrap();
            assert!(missed.lower() > *budget.delta(), "{budget}");
        }
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        let pure = Budget::pure(integer(1), Substitute).unwrap();
        assert!(noise_multiplier(&pure).is_err());
        assert!(standard_deviation(&budget("1", "0.1"), &integer(0)).is_err());
        assert!(profile(&integer(0), &integer(1), 64).is_err());
        assert!(profile(&integer(1), &integer(-1), 64).is_err());
        assert!(profile(&integer(1), &integer(1 << 23), 64).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn the_profile_falls_with_epsilon_and_grows_with_mu(m in 1i64..400, e in 0i64..500, step in 1i64..100) {
            let base = profile(&ratio(m, 100), &ratio(e, 100), 160).unwrap();
            let stricter = profile(&ratio(m, 100), &ratio(e + step, 100), 160).unwrap();
            let louder = profile(&ratio(m + step, 100), &ratio(e, 100), 160).unwrap();
            prop_assert!(stricter.hi() < base.hi() && louder.lo() > base.lo());
        }

        #[test]
        fn more_budget_needs_less_noise(e in 1i64..500, d in 1i64..1_000_000) {
            let small = Budget::approximate(ratio(e, 100), ratio(d, 1_000_000_000), Substitute).unwrap();
            let large = Budget::approximate(ratio(2 * e, 100), ratio(2 * d, 1_000_000_000), Substitute).unwrap();
            prop_assert!(noise_multiplier(&large).unwrap() < noise_multiplier(&small).unwrap());
        }
    }

    #[test]
    fn a_query_that_moves_by_three_needs_three_times_the_noise() {
        let budget = budget("1", "1e-5");
        let three = standard_deviation(&budget, &integer(3)).unwrap();
        assert_eq!(three, noise_multiplier(&budget).unwrap() * integer(3));
    }

    #[test]
    fn the_inverse_is_certified_from_both_sides() {
        for (mu, delta, digits) in [("1", "1e-5", 40), ("1/3", "0.1", 40), ("5", "1e-100", 20)] {
            let (mu, delta) = (parse(mu).unwrap(), parse(delta).unwrap());
            let found = crate::privacy::certified(digits, |bits| {
                Ok(epsilon(&mu, &delta, bits)?.finite().unwrap())
            });
            let found = found.unwrap();
            let step = found.lower() / integer(1i64 << 40);
            assert!(profile(&mu, &(found.upper() + &step), 800).unwrap().upper() <= delta);
            assert!(profile(&mu, &(found.lower() - step), 800).unwrap().lower() > delta);
        }
        let at = |delta| epsilon(&integer(1), &delta, 64).unwrap();
        assert_eq!(at(Rational::zero()), LeastEpsilon::Infinite);
        assert!(at(ratio(1, 2)).finite().unwrap().hi().is_zero());
        assert!(epsilon(&integer(0), &ratio(1, 2), 64).is_err());
    }
}
