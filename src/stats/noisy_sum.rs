//! What a sum with discrete Laplace noise says of its terms: confidence intervals whose level is proved.
//!
//! The terms are integers from 0 to the largest; their mean is given in units of the largest, from 0 to 1.

use super::{StatsError, clopper_pearson};
use crate::number::range::{above_zero, above_zero_below_one};
use crate::number::{Enclosure, Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The working precision.
const BITS: u32 = 128;

/// A sum of so many terms, as it was told: with discrete Laplace noise of this scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoisySum {
    told: BigInt,
    terms: u64,
    largest: u64,
    scale: Rational,
}

/// Both ends of an interval, in `[0, 1]`.
pub type Ends = [Rational; 2];

impl NoisySum {
    /// A sum that was told, of `terms` integers from 0 to `largest`.
    ///
    /// # Errors
    /// [`StatsError::Parameter`] unless the scale is above 0; [`StatsError::Counts`] for no terms or too many.
    pub fn new(
        told: BigInt,
        (terms, largest): (u64, u64),
        scale: &Rational,
    ) -> Result<Self, StatsError> {
        above_zero("scale", scale)?;
        clopper_pearson::check(terms, 0)?;
        Ok(Self {
            told,
            terms,
            largest: largest.max(1),
            scale: scale.clone(),
        })
    }

    /// The mean as told, put into `[0, 1]`.
    #[must_use]
    pub fn mean(&self) -> Rational {
        self.share(&self.told)
    }

    /// The mean of these terms is between, but for a probability of at most `level`, that of the noise.
    ///
    /// # Errors
    /// [`StatsError::Parameter`] unless `0 < level < 1`; those of the enclosures.
    pub fn mean_of_these(&self, level: &Rational) -> Result<Ends, StatsError> {
        let noise = self.noise_within(level)?;
        Ok([&self.told - &noise, &self.told + &noise].map(|end| self.share(&end)))
    }

    /// The mean of the law that the terms were drawn from independently is between, but for a probability of at most
    /// `level`: half of it that of the noise, and half that of the terms. Of terms that are 0 or 1 by Clopper and Pearson,
    /// of others by Hoeffding's inequality.
    ///
    /// # Errors
    /// [`StatsError::Parameter`] unless `0 < level < 1`; those of the enclosures.
    pub fn mean_of_all(&self, level: &Rational) -> Result<Ends, StatsError> {
        let half = level / BigInt::from(2);
        let [low, high] = self.mean_of_these(&half)?;
        // A quarter for each side.
        let side = &half / BigInt::from(2);
        if self.largest == 1 {
            let count = |share: &Rational| {
                let sum = share * BigInt::from(self.terms);
                sum.to_integer().to_u64().unwrap_or(self.terms)
            };
            let low = clopper_pearson::lower(self.terms, count(&low), &side)?;
            let high = clopper_pearson::upper(self.terms, count(&high), &side)?;
            return Ok([rational::from_f64(low)?, rational::from_f64(high)?]);
        }
        // Pr[mean - expectation >= x] <= e^(-2 n x^2).
        let twice = Enclosure::integer(BigInt::from(self.terms) * 2, BITS);
        let squared = Enclosure::of(&side.recip(), BITS)
            .ln()?
            .divided_by(&twice)?;
        let width = squared.sqrt()?.upper();
        Ok([within(low - &width), within(high + width)])
    }

    /// The least `t` such that the noise is at most `t` in size, but for a probability of at most `level`:
    /// `Pr[|Z| > t] = 2 q^(t + 1)/(1 + q)` with `q = e^(-1/scale)`.
    fn noise_within(&self, level: &Rational) -> Result<BigInt, StatsError> {
        above_zero_below_one("level", level)?;
        let q = Enclosure::exp_of(&-self.scale.recip(), BITS)?;
        let tail = Enclosure::of(&(Rational::from_integer(2.into()) / level), BITS).ln()?;
        let steps = (tail - q.ln_1p()?).upper() * &self.scale;
        let most: BigInt = steps.ceil().to_integer() - 1;
        Ok(most.max(BigInt::zero()))
    }

    /// A sum as a mean, put into `[0, 1]`.
    fn share(&self, sum: &BigInt) -> Rational {
        let all = BigInt::from(self.terms) * self.largest;
        within(Rational::new(sum.clone(), all))
    }
}

fn within(mean: Rational) -> Rational {
    if mean.is_negative() {
        Rational::zero()
    } else {
        mean.min(Rational::one())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Law;
    use crate::law::named::NamedLaw;
    use crate::number::rational::{integer, ratio};
    use crate::sample::DiscreteLaplace;
    use crate::stats::binomial;

    fn told(sum: i64, terms: u64, largest: u64, scale: Rational) -> NoisySum {
        NoisySum::new(sum.into(), (terms, largest), &scale).unwrap()
    }

    #[test]
    fn the_noise_is_within_and_no_smaller_number_would_do() {
        for (scale, level) in [
            (integer(1), ratio(1, 20)),
            (ratio(1, 3), ratio(1, 2)),
            (integer(1000), ratio(1, 1_000_000)),
        ] {
            let noise = NamedLaw::DiscreteLaplace(DiscreteLaplace::new(scale.clone()).unwrap());
            let t = told(0, 1, 1, scale).noise_within(&level).unwrap();
            // Both tails beyond t, of the law itself.
            let beyond = |t: &BigInt| {
                let outside = noise.upper_tail(&(t + 1), 128).unwrap();
                &outside + &outside
            };
            assert!(beyond(&t).upper() <= level, "{t}");
            assert!(t.is_zero() || beyond(&(&t - 1)).lower() > level, "{t}");
        }
    }

    #[test]
    fn an_interval_misses_at_most_as_often_as_it_says() {
        // Exactly: over all counts and all noise, at a level at which a wrong half would show.
        let (terms, scale, level) = (12u64, ratio(2, 1), ratio(1, 5));
        let noise = DiscreteLaplace::new(scale.clone()).unwrap();
        for p in [ratio(1, 10), ratio(1, 2), ratio(19, 20)] {
            let mut missed = Enclosure::integer(0, 128);
            for count in 0..=terms {
                let weight = binomial::pmf(terms, count, &Enclosure::of(&p, 128)).unwrap();
                for z in -60i64..=60 {
                    let sum = told(count as i64 + z, terms, 1, scale.clone());
                    let [low, high] = sum.mean_of_all(&level).unwrap();
                    if p < low || p > high {
                        let z = noise.pmf(&z.into(), 128).unwrap();
                        missed = missed + &weight * &z;
                    }
                }
            }
            assert!(missed.upper() < level, "{p}: {missed:?}");
        }
    }

    #[test]
    fn terms_that_are_not_0_or_1_have_wider_intervals_and_all_stay_within_0_and_1() {
        let [low, high] = told(500, 1000, 1, integer(1))
            .mean_of_all(&ratio(1, 20))
            .unwrap();
        let [lower, higher] = told(5000, 1000, 10, integer(10))
            .mean_of_all(&ratio(1, 20))
            .unwrap();
        assert!(lower < low && high < higher && higher - lower < ratio(1, 9));
        let beyond = told(-7, 10, 1, integer(1));
        assert_eq!(beyond.mean(), Rational::zero());
        assert_eq!(
            beyond.mean_of_these(&ratio(1, 20)).unwrap()[0],
            Rational::zero()
        );
        assert!(beyond.mean_of_these(&integer(0)).is_err());
        assert!(NoisySum::new(0.into(), (0, 1), &integer(1)).is_err());
        assert!(NoisySum::new(0.into(), (1, 1), &integer(0)).is_err());
    }
}
