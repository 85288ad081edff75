//! A noisy test, and a noisy answer where it passes.

use super::{Around, Noise};
use crate::coins::{Coins, CoinsError, Divergence, Forward, Law, Loss};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::DiscreteLaplace;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The law of a value with fresh noise that is told where an integer, the *excess*, and noise of its own come to 0 or more.
/// Otherwise nothing is told, `None`, *quietly* (ledger: `sample.above-then-answer`).
///
/// It is one round of the sparse vector technique: the excess is how far the question is above a threshold. The two noises
/// are independent. To tell the noise of the test instead of a fresh one is another mechanism, which is not private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AboveThenAnswer {
    excess: BigInt,
    test: DiscreteLaplace,
    answer: Around<DiscreteLaplace>,
}

impl AboveThenAnswer {
    /// `answer` with `noise` where `excess` with `test` is not negative. Both integers depend on the data; the noises may
    /// not.
    #[must_use]
    pub fn new(
        [excess, answer]: [BigInt; 2],
        test: &DiscreteLaplace,
        noise: &DiscreteLaplace,
    ) -> Self {
        Self {
            excess,
            test: test.clone(),
            answer: noise.around(answer),
        }
    }

    /// What is told if the two noises are these. Not private: noise is drawn, by [`Law::sample`].
    #[must_use]
    pub fn with_noise(&self, [test, noise]: [&BigInt; 2]) -> Option<BigInt> {
        self.passes(test).then(|| &self.answer.value + noise)
    }

    fn passes(&self, noise: &BigInt) -> bool {
        !(&self.excess + noise).is_negative()
    }

    /// `Pr[None]`, or that of the contrary.
    fn of_test(&self, passes: bool, bits: u32) -> Result<Enclosure, NumberError> {
        // Y <= -excess - 1, and Y >= -excess, which is as likely as Y <= excess.
        let largest = if passes {
            self.excess.clone()
        } else {
            -&self.excess - 1
        };
        self.test.cdf(&largest, bits)
    }

    fn same_noise(&self, other: &Self) -> bool {
        self.test == other.test && self.answer.noise == other.answer.noise
    }

    /// How far the answers are apart, over the scale of their noise.
    fn answers_apart(&self, other: &Self) -> Rational {
        let apart = (&self.answer.value - &other.answer.value).abs();
        Rational::from_integer(apart) / self.answer.noise.scale()
    }
}

impl Law for AboveThenAnswer {
    type Outcome = Option<BigInt>;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Option<BigInt>, CoinsError> {
        // 1. The test.
        let noise = coins.draw(&self.test)?;
        if !self.passes(&noise) {
            return Ok(None);
        }
        // 2. The answer, with noise of its own.
        let fresh = coins.draw(&self.answer.noise)?;
        Ok(Some(&self.answer.value + fresh))
    }

    fn pmf(&self, outcome: &Option<BigInt>, bits: u32) -> Result<Enclosure, NumberError> {
        let test = self.of_test(outcome.is_some(), bits)?;
        match outcome {
            None => Ok(test),
            Some(told) => Ok(test * self.answer.pmf(told, bits)?),
        }
    }

    /// Quiet; then from the answer outwards.
    fn outcome(&self, index: u64) -> Option<Option<BigInt>> {
        match index.checked_sub(1) {
            None => Some(None),
            Some(index) => self.answer.outcome(index).map(Some),
        }
    }

    fn label(&self) -> String {
        let Around { value, noise } = &self.answer;
        let (excess, test, noise) = (&self.excess, self.test.label(), noise.label());
        format!("AboveThenAnswer({value} + {noise} if {excess} + {test} >= 0)")
    }

    // An upper bound: attained far out where the answers move with the test.
    fn divergence(&self, other: &Self, _bits: u32) -> Result<Divergence, NumberError> {
        if !self.same_noise(other) {
            return Ok(Divergence::Unbounded("the noise depends on the data"));
        }
        let apart = (&self.excess - &other.excess).abs();
        let test = Rational::from_integer(apart) / self.test.scale();
        Ok(Divergence::Pure(test + self.answers_apart(other)))
    }

    fn is_quiet(&self, outcome: &Option<BigInt>) -> bool {
        outcome.is_none()
    }

    // A test that passes the less easily on the second dataset, the more it costs to be told; and the other way round.
    fn forward(&self, other: &Self, _bits: u32) -> Result<Option<Forward>, NumberError> {
        if !self.same_noise(other) {
            return Ok(None);
        }
        let zero = BigInt::zero();
        let apart = &self.excess - &other.excess;
        let test = |apart: &BigInt| Rational::from_integer(apart.clone()) / self.test.scale();
        Ok(Some(Forward {
            quiet: test((&-&apart).max(&zero)),
            loud: test((&apart).max(&zero)) + self.answers_apart(other),
        }))
    }

    fn loss(&self, other: &Self, outcome: &Option<BigInt>, bits: u32) -> Result<Loss, NumberError> {
        let passes = outcome.is_some();
        let own = self.of_test(passes, bits)?;
        let test = Loss::of_probabilities(&own, &other.of_test(passes, bits)?)?;
        match outcome {
            None => Ok(test),
            Some(told) => Ok(test.plus(&self.answer.loss(&other.answer, told, bits)?)),
        }
    }

    /// Quiet, or an answer far out.
    fn far_out<C: Coins>(
        &self,
        stretch: u32,
        coins: &mut C,
    ) -> Result<Option<Option<BigInt>>, CoinsError> {
        if coins.bits(1)? == 0 {
            return Ok(Some(None));
        }
        Ok(self.answer.far_out(stretch, coins)?.map(Some))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Tape;
    use crate::number::rational::{integer, ratio};

    fn law(excess: i64, answer: i64) -> AboveThenAnswer {
        let noise = |scale| DiscreteLaplace::new(scale).unwrap();
        let values = [excess, answer].map(BigInt::from);
        AboveThenAnswer::new(values, &noise(ratio(5, 2)), &noise(integer(4)))
    }

    #[test]
    fn the_test_passes_from_zero_on() {
        let law = law(-2, 7);
        let told = |test: i64, noise: i64| law.with_noise([&test.into(), &noise.into()]);
        assert_eq!((told(1, 5), told(2, 5)), (None, Some(12.into())));
        let mut passes = Enclosure::integer(0, 128);
        for k in 2..600i64 {
            passes = passes + law.test.pmf(&k.into(), 128).unwrap();
        }
        let quiet = law.pmf(&None, 128).unwrap();
        assert!(quiet.complement().meets(&passes) && passes.has_digits(20));
        let told = law.pmf(&Some(9.into()), 128).unwrap();
        let product = quiet.complement() * law.answer.noise.pmf(&2.into(), 128).unwrap();
        assert!(told.meets(&product) && told.has_digits(20));
        let outcomes = (0..4).map_while(|index| law.outcome(index));
        assert!(outcomes.eq([None, Some(7), Some(8), Some(6)].map(|told| told.map(BigInt::from))));
        assert!(law.is_quiet(&None) && !law.is_quiet(&Some(7.into())));
    }

    #[test]
    fn no_loss_is_above_what_the_law_states_and_some_come_near() {
        for (first, second) in [
            (law(-2, 7), law(1, 6)),
            (law(1, 6), law(-2, 7)),
            (law(40, 6), law(38, 7)),
            (law(-40, 6), law(-38, 7)),
        ] {
            let Divergence::Pure(worst) = first.divergence(&second, 128).unwrap() else {
                panic!("unbounded");
            };
            let forward = first.forward(&second, 128).unwrap().unwrap();
            assert!(forward.quiet <= worst && forward.loud <= worst);
            for index in 0..40 {
                let outcome = first.outcome(index).unwrap();
                let loss = first.loss(&second, &outcome, 128).unwrap();
                let [p, q] = [&first, &second].map(|law| law.pmf(&outcome, 128).unwrap());
                let direct = Loss::of_probabilities(&p, &q).unwrap();
                assert!(!loss.surely_above(&worst), "{outcome:?}");
                let bound = if outcome.is_some() {
                    &forward.loud
                } else {
                    &forward.quiet
                };
                assert!(!loss.surely_more_than(bound) && !direct.surely_more_than(bound));
                match (loss, direct) {
                    (Loss::Enclosed(loss), Loss::Enclosed(direct)) => assert!(loss.meets(&direct)),
                    other => panic!("{other:?}"),
                }
            }
        }
        // Moving the test down by 3 costs nothing where nothing is told.
        let forward = law(-2, 7).forward(&law(1, 6), 64).unwrap().unwrap();
        assert_eq!((forward.quiet, forward.loud), (ratio(6, 5), ratio(1, 4)));
        let forward = law(1, 6).forward(&law(-2, 7), 64).unwrap().unwrap();
        assert_eq!(
            (forward.quiet, forward.loud),
            (integer(0), ratio(6, 5) + ratio(1, 4))
        );
        // The test is in its tail: the loss of an answer below both is all of that.
        let (first, second) = (law(-38, 7), law(-40, 6));
        let loss = first.loss(&second, &Some(50.into()), 128).unwrap();
        let bound = first.forward(&second, 64).unwrap().unwrap().loud;
        assert!(loss.surely_more_than(&(bound * ratio(99, 100))));
    }

    #[test]
    fn other_noise_is_not_bounded() {
        let noise = DiscreteLaplace::new(integer(1)).unwrap();
        let values = [BigInt::from(0), BigInt::from(0)];
        let other = AboveThenAnswer::new(values, &noise, &noise);
        let apart = law(0, 0).divergence(&other, 64).unwrap();
        assert!(matches!(apart, Divergence::Unbounded(_)));
        assert_eq!(law(0, 0).forward(&other, 64), Ok(None));
    }

    #[test]
    fn far_out_is_quiet_or_an_answer_in_the_tail() {
        let law = law(9, 5);
        let far = |bits: &str| law.far_out(2, &mut Tape::written(bits)).unwrap();
        assert_eq!(far("0"), Some(None));
        assert_eq!(
            (far("10"), far("11")),
            (Some(Some((-3).into())), Some(Some(13.into())))
        );
    }
}
