//! A noisy answer that is told only where it lies outside a public interval.

use super::{Around, Noise};
use crate::coins::{Coins, CoinsError, Divergence, Law, Loss};
use crate::number::{Enclosure, NumberError, OutOfRange};
use crate::sample::DiscreteLaplace;
use num_bigint::BigInt;

/// The law of a value with discrete Laplace noise that tells only `None`, *quietly*, where it lies in a public
/// interval (ledger: `sample.censored`).
///
/// A draw of the noisy value that is then compared with the interval would show the meter the whole value. What is
/// published is this law, so this law is drawn. If neighbours move the value by at most `D` steps, under either relation,
/// it is `(D/scale, 0)`-private, and no less: values beyond the interval are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Censored {
    told: Around<DiscreteLaplace>,
    least: BigInt,
    largest: BigInt,
}

impl Censored {
    /// `value` with noise, quiet from `least` to `largest`, all three in steps of one grid. The value depends on the data;
    /// the interval and the noise may not.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] if the interval is empty.
    pub fn new(
        value: impl Into<BigInt>,
        noise: &DiscreteLaplace,
        [least, largest]: [BigInt; 2],
    ) -> Result<Self, CoinsError> {
        if least > largest {
            let wrong = OutOfRange::new("the least quiet answer", &least, "at most the largest");
            let law = "censored";
            return Err(CoinsError::Parameter { law, wrong });
        }
        Ok(Self {
            told: noise.around(value),
            least,
            largest,
        })
    }

    /// What is told if the noise is this, in steps. Not private: noise is drawn, by [`Law::sample`].
    #[must_use]
    pub fn with_noise(&self, noise: &BigInt) -> Option<BigInt> {
        self.tell(&self.told.value + noise)
    }

    /// What is told of a noisy value.
    fn tell(&self, noisy: BigInt) -> Option<BigInt> {
        let quiet = self.least <= noisy && noisy <= self.largest;
        (!quiet).then_some(noisy)
    }

    fn same_interval(&self, other: &Self) -> bool {
        self.least == other.least && self.largest == other.largest
    }
}

impl Law for Censored {
    type Outcome = Option<BigInt>;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Option<BigInt>, CoinsError> {
        let noise = coins.draw(&self.told.noise)?;
        Ok(self.with_noise(&noise))
    }

    fn pmf(&self, outcome: &Option<BigInt>, bits: u32) -> Result<Enclosure, NumberError> {
        let Around { value, noise } = &self.told;
        match outcome {
            None => noise.between(&(&self.least - value), &(&self.largest - value), bits),
            Some(told) if self.tell(told.clone()).is_none() => Ok(Enclosure::integer(0, bits)),
            Some(told) => self.told.pmf(told, bits),
        }
    }

    /// Quiet; then outwards from the interval, above and below.
    fn outcome(&self, index: u64) -> Option<Option<BigInt>> {
        let away = BigInt::from(index.div_ceil(2));
        Some(match index % 2 {
            _ if index == 0 => None,
            1 => Some(&self.largest + away),
            _ => Some(&self.least - away),
        })
    }

    fn label(&self) -> String {
        let Around { value, noise } = &self.told;
        let (least, largest) = (&self.least, &self.largest);
        let noise = noise.label();
        format!("Censored({value} + {noise}, quiet {least} to {largest})")
    }

    // Of a value that is told, that of the noise: the interval and the normalisers cancel.
    fn loss(&self, other: &Self, outcome: &Option<BigInt>, bits: u32) -> Result<Loss, NumberError> {
        match outcome {
            Some(told) if self.same_interval(other) => self.told.loss(&other.told, told, bits),
            _ => Loss::of_probabilities(&self.pmf(outcome, bits)?, &other.pmf(outcome, bits)?),
        }
    }

    // Attained far out, where values are told; what is quiet together loses no more than what it is made of.
    fn divergence(&self, other: &Self, bits: u32) -> Result<Divergence, NumberError> {
        if !self.same_interval(other) {
            return Ok(Divergence::Unbounded(
                "the quiet interval depends on the data",
            ));
        }
        self.told.divergence(&other.told, bits)
    }

    fn is_quiet(&self, outcome: &Option<BigInt>) -> bool {
        outcome.is_none()
    }

    /// Quiet, or so many usual sizes beyond the interval or the value, above or below.
    fn far_out<C: Coins>(
        &self,
        stretch: u32,
        coins: &mut C,
    ) -> Result<Option<Option<BigInt>>, CoinsError> {
        let Around { value, noise } = &self.told;
        let far = noise.usual_size() * stretch + 1;
        Ok(match coins.bits(2)? {
            0 => Some(Some((&self.largest).max(value) + far)),
            1 => Some(Some((&self.least).min(value) - far)),
            // What can't be told from impossible is not steered to.
            _ if self.pmf(&None, 64)?.lo().is_zero() => None,
            _ => Some(None),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Tape;
    use crate::number::Rational;
    use crate::number::rational::{integer, ratio};

    fn law(value: i64, scale: Rational, quiet: [i64; 2]) -> Censored {
        let noise = DiscreteLaplace::new(scale).unwrap();
        Censored::new(value, &noise, quiet.map(BigInt::from)).unwrap()
    }

    #[test]
    fn quiet_is_all_of_the_interval_and_nothing_else() {
        let law = law(3, ratio(5, 2), [-2, 4]);
        let mut sum = Enclosure::integer(0, 128);
        for k in -400..=400i64 {
            let told = law.pmf(&Some(k.into()), 128).unwrap();
            let noisy = law.told.pmf(&k.into(), 128).unwrap();
            if (-2..=4).contains(&k) {
                assert!(told.hi().is_zero(), "{k}");
                sum = sum + noisy;
            } else {
                assert_eq!(told, noisy, "{k}");
            }
        }
        assert!(law.pmf(&None, 128).unwrap().meets(&sum));
        let outcomes = (0..5).map_while(|index| law.outcome(index));
        let expected = [None, Some(5), Some(-3), Some(6), Some(-4)];
        assert!(outcomes.eq(expected.map(|told| told.map(BigInt::from))));
        assert!(law.is_quiet(&None) && !law.is_quiet(&Some(5.into())));
    }

    #[test]
    fn losses_are_those_of_the_probabilities_and_the_worst_is_attained_outside() {
        let (first, second) = (law(3, ratio(5, 2), [-2, 4]), law(1, ratio(5, 2), [-2, 4]));
        let worst = ratio(4, 5);
        let divergence = first.divergence(&second, 128).unwrap();
        assert_eq!(divergence, Divergence::Pure(worst.clone()));
        let mut largest = integer(0);
        for index in 0..20 {
            let outcome = first.outcome(index).unwrap();
            let [p, q] = [&first, &second].map(|law| law.pmf(&outcome, 128).unwrap().ln().unwrap());
            let quotient = p - q;
            let fits = match first.loss(&second, &outcome, 128).unwrap() {
                Loss::Exact(loss) => {
                    largest = largest.max(num_traits::Signed::abs(&loss));
                    outcome.is_some() && quotient.contains(&loss)
                }
                Loss::Enclosed(loss) => {
                    assert!(loss.abs().upper() < worst);
                    outcome.is_none() && quotient.meets(&loss) && loss.has_digits(20)
                }
                Loss::Infinite => false,
            };
            assert!(fits, "{outcome:?}");
        }
        assert_eq!(largest, worst);
    }

    #[test]
    fn another_interval_is_not_bounded_and_none_at_all_is_refused() {
        let (first, second) = (law(3, ratio(5, 2), [-2, 4]), law(3, ratio(5, 2), [-2, 5]));
        let apart = first.divergence(&second, 64).unwrap();
        assert!(matches!(apart, Divergence::Unbounded(_)));
        // 5 is told by the one alone.
        let outcome = Some(5.into());
        assert_eq!(first.loss(&second, &outcome, 64).unwrap(), Loss::Infinite);
        let noise = DiscreteLaplace::new(integer(1)).unwrap();
        let one = Censored::new(0, &noise, [2, 2].map(BigInt::from)).unwrap();
        assert!(one.tell(2.into()).is_none() && one.tell(3.into()).is_some());
        assert!(Censored::new(0, &noise, [2, 1].map(BigInt::from)).is_err());
    }

    #[test]
    fn far_out_is_quiet_or_beyond_interval_and_value() {
        let law = law(9, ratio(5, 2), [-2, 4]);
        let far = |bits: &str| law.far_out(2, &mut Tape::written(bits)).unwrap();
        // Twice the usual 3, and one more.
        assert_eq!(far("00"), Some(Some(16.into())));
        assert_eq!(far("01"), Some(Some((-9).into())));
        assert_eq!((far("10"), far("11")), (Some(None), Some(None)));
    }
}
