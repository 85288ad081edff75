//! Privacy amplification by subsampling: a step on a random part of the records costs the whole
//! less.
//!
//! All under [`Substitute`](NeighbouringRelation::Substitute), and for `m` of `n` records drawn
//! uniformly *without replacement*, by fresh coins that stay hidden (Balle, Barthe, Gaboardi 2018,
//! Theorem 9). Why: with `q = m/n` the output law is `(1 - q) A + q B` on one dataset and
//! `(1 - q) A + q B'` on its neighbour, where `A` is the law given that the differing record is not
//! drawn. With `e^eps1 = 1 + q (e^eps0 - 1)` the divergence of order `e^eps1` between the two is
//! `q` times that of order `e^eps0` of `B` from the mixture `(1 - beta) A + beta B'`,
//! `beta = e^(eps1 - eps0)` (advanced joint convexity, Theorem 2). Replacing the differing record
//! in the sample by another one couples `B` to `A`, so that `B` is one substitution away from both
//! parts of the mixture, and its divergence is at most `delta0`.

use super::search::{BITS, rounded_down, rounded_up};
use super::{Budget, NeighbouringRelation, PrivacyError};
use crate::number::range::{at_least_one, require};
use crate::number::{Enclosure, NumberError, Rational};

/// What a step with budget `step` on `m` random records costs the whole of `n`, under substitution:
/// `(ln(1 + (m/n) (e^epsilon - 1)), (m/n) delta)`, epsilon rounded up.
///
/// # Errors
/// [`PrivacyError::OtherNeighbours`] unless the step is under substitution;
/// [`PrivacyError::Parameter`] unless `1 <= m <= n`; those of the real functions.
pub fn amplified(step: &Budget, m: u64, n: u64) -> Result<Budget, PrivacyError> {
    let rate = sampling_rate(step, m, n)?;
    if m == n {
        return Ok(step.clone());
    }
    let epsilon = rounded_up(&rescaled(step.epsilon(), &rate)?);
    Budget::approximate(epsilon, step.delta() * rate, step.neighbours())
}

/// The largest budget of a step on `m` random records that costs the whole of `n` at most `target`,
/// under substitution: `(ln(1 + (n/m) (e^epsilon - 1)), (n/m) delta)`, epsilon rounded down.
///
/// # Errors
/// [`PrivacyError::Parameter`] if `(n/m) delta` reaches 1, and those of [`amplified`].
pub fn step_for(target: &Budget, m: u64, n: u64) -> Result<Budget, PrivacyError> {
    let rate = sampling_rate(target, m, n)?;
    let epsilon = step_epsilon_for(target.epsilon(), &rate)?;
    Budget::approximate(epsilon, target.delta() / rate, target.neighbours())
}

/// `ln(1 + (e^epsilon - 1) / rate)`, rounded down.
pub(super) fn step_epsilon_for(
    epsilon: &Rational,
    rate: &Rational,
) -> Result<Rational, NumberError> {
    Ok(rounded_down(&rescaled(epsilon, &rate.recip())?))
}

/// `ln(1 + factor (e^epsilon - 1))`, without cancellation for small epsilon.
fn rescaled(epsilon: &Rational, factor: &Rational) -> Result<Enclosure, NumberError> {
    let gained = Enclosure::of(epsilon, BITS).exp_minus_one()?;
    (Enclosure::of(factor, BITS) * gained).ln_1p()
}

fn sampling_rate(budget: &Budget, m: u64, n: u64) -> Result<Rational, PrivacyError> {
    budget.under(NeighbouringRelation::Substitute)?;
    at_least_one("the number of records drawn", m)?;
    require(
        m <= n,
        "the number of records drawn",
        &m,
        "at most the number of records",
    )?;
    Ok(Rational::new(m.into(), n.into()))
}

#[cfg(test)]
mod tests {
    use super::NeighbouringRelation::{AddOrRemove, Substitute};
    use super::*;
    use crate::number::rational::{integer, parse, ratio, to_scientific};
    use num_traits::{One, Zero};
    use proptest::prelude::*;

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    /// The exact delta at `epsilon` of: draw one of `n` bits, answer by randomised response. The
    /// two datasets are all zeros, and one of them one.
    fn randomised_response_on_one_of(n: i64, step: &Rational, epsilon: &Rational) -> Enclosure {
        let one = Enclosure::integer(1, 128);
        let lie = Enclosure::exp_of(&-step, 128).unwrap();
        let truth = one.divided_by(&(&one + &lie)).unwrap();
        let rate = Enclosure::of(&ratio(1, n), 128);
        // Pr[answer 1] under the two.
        let without = truth.complement();
        let with = &without + rate * (&truth - &without);
        let factor = Enclosure::exp_of(epsilon, 128).unwrap();
        let gain =
            |p: &Enclosure, q: &Enclosure| (p - &factor * q).max(&Enclosure::integer(0, 128));
        let up = gain(&with, &without) + gain(&with.complement(), &without.complement());
        let down = gain(&without, &with) + gain(&without.complement(), &with.complement());
        up.max(&down)
    }

    #[test]
    fn randomised_response_on_one_record_is_as_private_as_claimed_and_no_more() {
        for (n, epsilon) in [(2, "1"), (10, "3"), (100, "1/10")] {
            let step = budget(epsilon, "0");
            let whole = amplified(&step, 1, n as u64).unwrap();
            let at = randomised_response_on_one_of(n, step.epsilon(), whole.epsilon());
            assert!(at.lower() <= Rational::zero() && at.upper() < ratio(1, 1 << 60));
            // Tight: at a millionth less epsilon it fails.
            let less = whole.epsilon() * ratio(999_999, 1_000_000);
            let missed = randomised_response_on_one_of(n, step.epsilon(), &less);
            assert!(missed.lower() > Rational::zero());
        }
    }

    #[test]
    fn amplification_that_multiplies_epsilon_by_the_rate_is_not_private() {
        // The broken twin: epsilon m/n.
        let step = integer(3);
        let linear = &step / num_bigint::BigInt::from(10);
        assert!(randomised_response_on_one_of(10, &step, &linear).lower() > Rational::zero());
    }

    #[test]
    fn drawing_all_records_amplifies_nothing() {
        let step = budget("1", "1e-6");
        assert_eq!(amplified(&step, 7, 7).unwrap(), step);
    }

    #[test]
    fn known_values() {
        // ln(1 + (e - 1)/100)
        let whole = amplified(&budget("1", "1e-6"), 1, 100).unwrap();
        assert_eq!(to_scientific(whole.epsilon(), 6), "0.0170369");
        assert_eq!(whole.delta(), &parse("1e-8").unwrap());
        let two = amplified(&budget("1", "1e-6"), 2, 200).unwrap();
        assert_eq!(whole, two);
    }

    #[test]
    fn what_the_theorem_does_not_cover_is_refused() {
        let other = Budget::pure(integer(1), AddOrRemove).unwrap();
        assert!(matches!(
            amplified(&other, 1, 10),
            Err(PrivacyError::OtherNeighbours { .. })
        ));
        assert!(amplified(&budget("1", "0"), 0, 10).is_err());
        assert!(amplified(&budget("1", "0"), 11, 10).is_err());
        assert!(amplified(&budget("1", "0"), 0, 0).is_err());
        assert!(step_for(&budget("1", "0.5"), 1, 2).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_step_costs_at_most_the_target(e in 1i64..2000, m in 1u64..100, more in 0u64..10_000) {
            let target = Budget::approximate(ratio(e, 100), parse("1e-9").unwrap(), Substitute).unwrap();
            let step = step_for(&target, m, m + more).unwrap();
            let back = amplified(&step, m, m + more).unwrap();
            // On the safe side, at a precision that tells it from the rounding.
            let gain = |e: &Rational| Enclosure::of(e, 300).exp_minus_one().unwrap();
            let rate = Enclosure::of(&Rational::new(m.into(), (m + more).into()), 300);
            let exactly = rate * gain(step.epsilon());
            prop_assert!(exactly.is_below(&gain(target.epsilon())));
            // And back it is equal but for the two roundings.
            prop_assert!(*back.epsilon() <= target.epsilon() * ratio((1 << 60) + 1, 1 << 60));
            prop_assert!(*back.epsilon() >= target.epsilon() * ratio((1 << 60) - 1, 1 << 60));
            prop_assert!(step.epsilon() >= target.epsilon() || more == 0);
            prop_assert!(*back.delta() == *target.delta() && *step.delta() < Rational::one());
        }
    }
}
