//! The law of [`DiscreteLaplace`].

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::{DiscreteLaplace, Rejection};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, Zero};

impl Law for DiscreteLaplace {
    type Outcome = BigInt;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, CoinsError> {
        self.draw(coins)
    }

    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        // (1 - q) / (1 + q) q^|k|
        let miss = self.proposed_magnitude().miss(&1u32.into(), bits)?;
        (miss * self.power(outcome.magnitude(), bits)?).divided_by(&self.one_plus_q(bits)?)
    }

    fn outcome(&self, index: u64) -> Option<BigInt> {
        Some(from_the_middle(index))
    }

    fn label(&self) -> String {
        format!("DiscreteLaplace({})", self.scale())
    }
}

impl Rejection for DiscreteLaplace {
    fn attempt<C: Coins>(&self, coins: &mut C) -> Result<Option<BigInt>, CoinsError> {
        self.attempt(coins)
    }

    // All but minus zero: 1 - (1 - q) / 2.
    fn acceptance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(self.one_plus_q(bits)?.shifted(-1))
    }
}

/// 0, 1, -1, 2, -2, ...: the integers by magnitude.
pub(super) fn from_the_middle(index: u64) -> BigInt {
    let magnitude = BigInt::from(index.div_ceil(2));
    if index % 2 == 1 {
        magnitude
    } else {
        -magnitude
    }
}

impl DiscreteLaplace {
    /// `q^k`.
    fn power(&self, k: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        Enclosure::exp_of(
            &(-Rational::from(BigInt::from(k.clone())) / self.scale()),
            bits,
        )
    }

    fn one_plus_q(&self, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(Enclosure::integer(1, bits) + self.power(&1u32.into(), bits)?)
    }

    /// `Pr[Y <= k]`: `q^-k / (1 + q)` for `k <= 0`, and `1 - q^(k+1) / (1 + q)` for `k >= 0`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn cdf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let one_plus_q = self.one_plus_q(bits)?;
        if k.is_negative() || k.is_zero() {
            self.power(k.magnitude(), bits)?.divided_by(&one_plus_q)
        } else {
            let tail = self
                .power(&(k.magnitude() + 1u32), bits)?
                .divided_by(&one_plus_q)?;
            Ok(tail.complement())
        }
    }

    /// `Pr[least <= Y <= largest]`, without cancellation; 0 if `least > largest`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn between(
        &self,
        least: &BigInt,
        largest: &BigInt,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        if least > largest {
            return Ok(Enclosure::integer(0, bits));
        }
        // q^a (1 - q^k) for the k integers a, a + 1, ... of one sign, that of the magnitude a.
        let of_one_sign = |a: &BigUint, k: &BigUint| {
            let miss = self.proposed_magnitude().miss(k, bits)?;
            Ok(self.power(a, bits)? * miss)
        };
        let weight = if least.is_positive() || largest.is_negative() {
            let nearest = least.magnitude().min(largest.magnitude());
            let count = (largest - least).magnitude() + 1u32;
            of_one_sign(nearest, &count)?
        } else {
            let one = BigUint::from(1u32);
            self.proposed_magnitude().miss(&one, bits)?
                + of_one_sign(&one, largest.magnitude())?
                + of_one_sign(&one, least.magnitude())?
        };
        weight.divided_by(&self.one_plus_q(bits)?)
    }

    /// The mean: zero, by symmetry.
    #[must_use]
    pub fn mean(&self) -> Rational {
        Rational::zero()
    }

    /// The variance, `2 q / (1 - q)^2`: close to `2 scale^2`, and below it.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn variance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(self.proposed_magnitude().spread(bits)?.shifted(1))
    }

    /// The privacy profile `delta(epsilon)` between shifts 0 and `shift`, for `epsilon >= 0`.
    ///
    /// Zero from `epsilon = |shift| / scale` on.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn profile(
        &self,
        shift: &BigInt,
        epsilon: &Rational,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        let shift = shift.abs();
        // The privacy loss at k of noise around 0 against noise around D is (|k - D| - |k|) / scale. It
        // is above epsilon for k < (D - epsilon scale) / 2, if that is positive, and nowhere otherwise.
        let threshold = (Rational::from(shift.clone()) - epsilon * self.scale()) / BigInt::from(2);
        if !threshold.is_positive() {
            return Ok(Enclosure::integer(0, bits));
        }
        let last = threshold.ceil().to_integer() - 1;
        let likely = self.cdf(&last, bits)?;
        let unlikely = self.cdf(&(&last - shift), bits)?;
        Ok(likely - Enclosure::exp_of(epsilon, bits)? * unlikely)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    fn law(scale: Rational) -> DiscreteLaplace {
        DiscreteLaplace::new(scale).unwrap()
    }

    #[test]
    fn probabilities_add_up_to_the_distribution_function() {
        for scale in [ratio(1, 1000), ratio(1, 2), ratio(7, 3), ratio(20, 1)] {
            let law = law(scale);
            for k in -30..30i64 {
                let step =
                    law.cdf(&k.into(), 128).unwrap() - law.cdf(&(k - 1).into(), 128).unwrap();
                assert!(step.meets(&law.pmf(&k.into(), 128).unwrap()), "{k}");
            }
        }
    }

    #[test]
    fn between_two_integers_are_all_that_lie_there() {
        for scale in [ratio(1, 50), ratio(7, 3), ratio(1 << 20, 1)] {
            let law = law(scale);
            for least in -5..=5i64 {
                let mut sum = Enclosure::integer(0, 128);
                let empty = law.between(&least.into(), &(least - 1).into(), 128);
                assert!(empty.unwrap().hi().is_zero());
                for largest in least..=5 {
                    sum = sum + law.pmf(&largest.into(), 128).unwrap();
                    let found = law.between(&least.into(), &largest.into(), 128).unwrap();
                    assert!(
                        found.meets(&sum) && found.has_digits(30),
                        "{least} {largest}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_profile_is_the_sum_over_the_set_where_the_loss_exceeds_epsilon() {
        for (scale, shift, epsilon) in [
            (ratio(2, 1), 1, ratio(1, 4)),
            (ratio(3, 2), 4, ratio(1, 1)),
            (ratio(5, 1), 3, ratio(0, 1)),
            (ratio(2, 1), 1, ratio(1, 2)),
        ] {
            let law = law(scale);
            let factor = Enclosure::exp_of(&epsilon, 128).unwrap();
            let mut sum = Enclosure::integer(0, 128);
            for k in -400..400i64 {
                let gain = law.pmf(&k.into(), 128).unwrap()
                    - &factor * law.pmf(&(k - shift).into(), 128).unwrap();
                sum = sum + gain.max(&Enclosure::integer(0, 128));
            }
            let profile = law.profile(&shift.into(), &epsilon, 128).unwrap();
            let difference = (&sum - &profile).abs();
            assert!(difference.upper() < ratio(1, 1 << 40), "{sum} {profile}");
        }
    }

    #[test]
    fn the_profile_vanishes_where_pure_privacy_says_so() {
        let law = law(ratio(2, 1));
        assert!(
            law.profile(&1.into(), &ratio(1, 2), 64)
                .unwrap()
                .upper()
                .is_zero()
        );
        assert!(
            law.profile(&1.into(), &ratio(499, 1000), 64)
                .unwrap()
                .lower()
                .is_positive()
        );
    }

    #[test]
    fn the_variance_is_not_twice_the_squared_scale() {
        // At scale 1/2 it is 0.3621..., not 0.5.
        let variance = law(ratio(1, 2)).variance(64).unwrap();
        assert!(
            variance.is_above_rational(&ratio(3620, 10_000))
                && variance.is_below_rational(&ratio(3622, 10_000))
        );
    }
}
