//! The law of [`DiscreteGaussian`].

use super::discrete_laplace::from_the_middle;
use super::theta;
use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::{DiscreteGaussian, Rejection};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

impl Law for DiscreteGaussian {
    type Outcome = BigInt;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, CoinsError> {
        self.draw(coins)
    }

    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let exponent = -Rational::from(outcome * outcome) / (self.variance() * BigInt::from(2));
        Enclosure::exp_of(&exponent, bits)?.divided_by(&theta::normaliser(self.variance(), bits)?)
    }

    fn outcome(&self, index: u64) -> Option<BigInt> {
        Some(from_the_middle(index))
    }

    fn label(&self) -> String {
        format!("DiscreteGaussian({})", self.variance())
    }
}

impl Rejection for DiscreteGaussian {
    fn attempt<C: Coins>(&self, coins: &mut C) -> Result<Option<BigInt>, CoinsError> {
        self.attempt(coins)
    }

    // tanh(1/(2t)) exp(-v/(2t^2)) times the normaliser, for the proposals' scale t.
    fn acceptance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let scale = self.proposal().scale();
        let q = Enclosure::exp_of(&-scale.recip(), bits)?;
        let one = Enclosure::integer(1, bits);
        let tanh = q.complement().divided_by(&(one + q))?;
        let exponent = self.variance() / (scale * scale * BigInt::from(2));
        Ok(tanh * Enclosure::exp_of(&-exponent, bits)? * self.normaliser(bits)?)
    }
}

impl DiscreteGaussian {
    /// `Pr[Y >= k]`.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn upper_tail(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        self.upper_tail_with(k, &self.normaliser(bits)?, bits)
    }

    /// The sum of `exp(-k^2 / (2 v))` over all `k`, by which every probability is divided.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn normaliser(&self, bits: u32) -> Result<Enclosure, NumberError> {
        theta::normaliser(self.variance(), bits)
    }

    /// `Pr[Y >= k]`, where [`Self::normaliser`] is known: for many values of one law.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn upper_tail_with(
        &self,
        k: &BigInt,
        normaliser: &Enclosure,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        if k.is_positive() {
            theta::tail(k, self.variance(), bits)?.divided_by(normaliser)
        } else {
            // By symmetry Pr[Y < k] = Pr[Y >= 1 - k].
            let below = theta::tail(&(1 - k), self.variance(), bits)?.divided_by(normaliser)?;
            Ok(below.complement())
        }
    }

    /// `Pr[Y <= k]`.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn cdf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        self.upper_tail(&-k, bits)
    }

    /// The mean: zero, by symmetry.
    #[must_use]
    pub fn mean(&self) -> Rational {
        Rational::zero()
    }

    /// The variance of the law: below its parameter.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn variance_of_law(&self, bits: u32) -> Result<Enclosure, NumberError> {
        theta::variance_of_law(self.variance(), bits)
    }

    /// The privacy profile `delta(epsilon)` between shifts 0 and `shift`, for `epsilon >= 0`:
    /// one dimension only. (In several dimensions the profile at the l2 norm is *not* a bound:
    /// `spec/samplers.md`, `sample.discrete-gaussian.multivariate`.)
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn profile(
        &self,
        shift: &BigInt,
        epsilon: &Rational,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        let shift = shift.abs();
        if shift.is_zero() {
            // Without a shift both laws are the same: max(0, 1 - e^epsilon) = 0.
            return Ok(Enclosure::integer(0, bits));
        }
        // The privacy loss at k of noise around D against noise around 0 is (2 k D - D^2) / (2 v): above
        // epsilon for k > epsilon v / D + D / 2.
        let d = Rational::from(shift.clone());
        let threshold = epsilon * self.variance() / &d + d / BigInt::from(2);
        let first = threshold.floor().to_integer() + 1;
        let likely = self.upper_tail(&(&first - shift), bits)?;
        let unlikely = self.upper_tail(&first, bits)?;
        Ok(likely - Enclosure::exp_of(epsilon, bits)? * unlikely)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    fn law(variance: Rational) -> DiscreteGaussian {
        DiscreteGaussian::new(variance).unwrap()
    }

    #[test]
    fn probabilities_add_up_to_the_distribution_function() {
        for variance in [
            ratio(1, 1_000_000),
            ratio(1, 4),
            ratio(4, 1),
            ratio(200, 3),
            integer(1 << 20),
        ] {
            let law = law(variance);
            for k in -12..12i64 {
                let step =
                    law.cdf(&k.into(), 128).unwrap() - law.cdf(&(k - 1).into(), 128).unwrap();
                assert!(step.meets(&law.pmf(&k.into(), 128).unwrap()), "{k}");
            }
        }
    }

    #[test]
    fn a_certified_value_of_the_literature_is_met() {
        // variance 4, at 0: 0.19947114020071633896997302996719091380...
        let value = law(integer(4)).pmf(&0.into(), 128).unwrap();
        assert!(
            value.contains(
                &crate::number::rational::parse("0.199471140200716338969973029967190913802")
                    .unwrap()
            ) || {
                let (lo, hi) = value.to_decimals(25);
                lo.starts_with("0.1994711402007163389699730")
                    && hi.starts_with("0.199471140200716338969973")
            }
        );
    }

    #[test]
    fn the_profile_is_the_sum_over_the_set_where_the_loss_exceeds_epsilon() {
        for (variance, shift, epsilon) in [
            (ratio(25, 1), 1, ratio(0, 1)),
            (ratio(1, 4), 1, ratio(1, 2)),
            (ratio(1, 1), 2, ratio(4, 1)),
            (ratio(9, 1), -3, ratio(1, 1)),
        ] {
            let law = law(variance);
            let factor = Enclosure::exp_of(&epsilon, 128).unwrap();
            let mut sum = Enclosure::integer(0, 128);
            for k in -80..80i64 {
                let gain = law.pmf(&(k - shift).into(), 128).unwrap()
                    - &factor * law.pmf(&k.into(), 128).unwrap();
                sum = sum + gain.max(&Enclosure::integer(0, 128));
            }
            let profile = law.profile(&shift.into(), &epsilon, 128).unwrap();
            assert!(
                (&sum - &profile).abs().upper() < ratio(1, 1 << 40),
                "{sum} {profile}"
            );
        }
    }

    #[test]
    fn the_law_of_a_billion_is_enclosed_tightly() {
        let law = law(integer(1_000_000_000_000_000_000i64));
        let k = BigInt::from(1_000_000_000);
        let value = law.cdf(&k, 200).unwrap();
        assert!(value.has_digits(45), "{value}");
        // Phi(1 + 1/(2 10^9)) to the order of 1/sigma^2.
        let shifted = ratio(2_000_000_001, 2_000_000_000);
        let normal = Enclosure::of(&shifted, 200).normal_cdf();
        assert!((value - normal).abs().upper() < ratio(1, 1_000_000_000_000_000));
    }

    #[test]
    fn both_tails_are_sums_of_probabilities() {
        for variance in [ratio(1, 3), ratio(9, 2)] {
            let law = law(variance);
            for k in [-3i64, 0, 1, 4] {
                let sum = |range: std::ops::Range<i64>| {
                    let each = range.map(|k| law.pmf(&k.into(), 128).unwrap());
                    each.fold(Enclosure::integer(0, 128), |sum, p| sum + p)
                };
                let close = |a: Enclosure, b: Enclosure| (a - b).abs().upper() < ratio(1, 1 << 60);
                assert!(
                    close(law.upper_tail(&k.into(), 128).unwrap(), sum(k..60)),
                    "{k}"
                );
                assert!(
                    close(law.cdf(&k.into(), 128).unwrap(), sum(-60..k + 1)),
                    "{k}"
                );
            }
        }
    }

    #[test]
    fn without_a_shift_nothing_is_lost() {
        let profile = law(integer(1)).profile(&0.into(), &integer(0), 64).unwrap();
        assert!(profile.hi().is_zero());
    }
}
