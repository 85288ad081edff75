//! The laws that the layers of [`Coins`] draw from, as laws: what the meter records when code asks for them; and tables.

use super::{Coins, CoinsError, Law, Table, layers};
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

/// `count` fair coins, as an integer below `2^count`; `count` is at most 64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FairBits {
    pub(super) count: u32,
}

impl Law for FairBits {
    type Outcome = u64;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<u64, CoinsError> {
        coins.bits(self.count)
    }

    fn pmf(&self, outcome: &u64, bits: u32) -> Result<Enclosure, NumberError> {
        let inside = self.count >= 64 || outcome >> self.count == 0;
        Ok(Enclosure::integer(u64::from(inside), bits).shifted(-i64::from(self.count)))
    }

    /// All 0 or all 1, every other time. Words are left as they are drawn: no code waits for one of 2^64.
    fn far_out<C: Coins>(&self, _: u32, coins: &mut C) -> Result<Option<u64>, CoinsError> {
        let short = (1..=32).contains(&self.count);
        Ok(match coins.bits(2)? {
            0 if short => Some(0),
            1 if short => Some((1 << self.count) - 1),
            _ => None,
        })
    }
}

/// A uniform integer in `0..n`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UniformBelow {
    pub(super) n: BigUint,
}

impl Law for UniformBelow {
    type Outcome = BigUint;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigUint, CoinsError> {
        layers::uniform_below(coins, &self.n)
    }

    fn pmf(&self, outcome: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        if *outcome >= self.n {
            return Ok(Enclosure::integer(0, bits));
        }
        Ok(Enclosure::of(
            &Rational::new(BigInt::one(), self.n.clone().into()),
            bits,
        ))
    }

    /// The least or the largest, every other time.
    fn far_out<C: Coins>(&self, _: u32, coins: &mut C) -> Result<Option<BigUint>, CoinsError> {
        let largest = (!self.n.is_zero()).then(|| &self.n - 1u32);
        Ok(match coins.bits(2)? {
            0 => largest.map(|_| BigUint::zero()),
            1 => largest,
            _ => None,
        })
    }
}

/// True with probability `p`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bernoulli {
    pub(super) p: Rational,
}

impl Law for Bernoulli {
    type Outcome = bool;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<bool, CoinsError> {
        layers::bernoulli(coins, &self.p)
    }

    fn pmf(&self, outcome: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(match outcome {
            true => Enclosure::of(&self.p, bits),
            false => Enclosure::of(&(Rational::one() - &self.p), bits),
        })
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        [true, false].get(index as usize).copied()
    }
}

/// True with probability `exp(-x)`, `x >= 0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BernoulliExp {
    pub(super) x: Rational,
}

impl Law for BernoulliExp {
    type Outcome = bool;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<bool, CoinsError> {
        layers::bernoulli_exp(coins, &self.x)
    }

    fn pmf(&self, outcome: &bool, bits: u32) -> Result<Enclosure, NumberError> {
        if self.x.is_negative() {
            return Ok(Enclosure::integer(0, bits));
        }
        match (outcome, self.x.is_zero()) {
            (true, true) => Ok(Enclosure::integer(1, bits)),
            (false, true) => Ok(Enclosure::integer(0, bits)),
            (true, false) => Enclosure::exp_of(&-&self.x, bits),
            (false, false) => Ok(-Enclosure::of(&-&self.x, bits).exp_minus_one()?),
        }
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        [true, false].get(index as usize).copied()
    }
}

impl Law for Table {
    type Outcome = usize;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<usize, CoinsError> {
        coins.pick(self)
    }

    fn pmf(&self, place: &usize, bits: u32) -> Result<Enclosure, NumberError> {
        let cumulative = self.cumulative(bits)?;
        let none = Enclosure::integer(0, bits);
        let Some(end) = cumulative.get(*place) else {
            return Ok(none);
        };
        let start = place.checked_sub(1).map(|before| &cumulative[before]);
        Ok((end - start.unwrap_or(&none)).max(&none))
    }

    fn outcome(&self, index: u64) -> Option<usize> {
        usize::try_from(index).ok().filter(|k| *k < self.places())
    }

    fn label(&self) -> String {
        self.name().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Divergence, Explorer, Layer};
    use crate::number::rational::ratio;

    #[test]
    fn fair_bits_are_equally_likely_below_their_power_of_two() {
        let probability = |count, outcome| FairBits { count }.pmf(&outcome, 64).unwrap();
        for outcome in 0..4 {
            assert!(probability(2, outcome).contains(&ratio(1, 4)));
        }
        assert!(probability(2, 4).hi().is_zero());
        assert!(probability(2, u64::MAX).hi().is_zero());
        // No word is too large for 64 bits.
        assert!(probability(64, u64::MAX).lo().is_positive());
    }

    #[test]
    fn two_coins_are_as_far_apart_as_on_their_rarer_side() {
        // ln 2, once where they are true and once where they are not; 3/4 to 1/2 is less.
        let ln_2 = Enclosure::integer(2, 128).ln().unwrap();
        let coin = |p| Bernoulli { p };
        for other in [ratio(1, 4), ratio(3, 4)] {
            let found = coin(ratio(1, 2)).divergence(&coin(other), 128).unwrap();
            let Divergence::Pure(worst) = found else {
                panic!("{found:?}");
            };
            let above = worst - ln_2.lower();
            assert!(!above.is_negative() && above < ratio(1, 1 << 60), "{above}");
        }
    }

    /// Explored on the layers below, the sampler has the probabilities of the law.
    fn is_sampled_as_it_says<L: Law>(law: &L) {
        let found = Explorer::new(Layer::Bernoulli, 400)
            .explore(|coins| law.sample(coins))
            .unwrap();
        assert!(found.undecided < ratio(1, 1 << 20), "{}", found.undecided);
        assert_eq!(found.disagreement(law).unwrap(), None);
        // The law has no other outcomes.
        let all = found
            .lower
            .keys()
            .map(|outcome| law.pmf(outcome, 64).unwrap());
        let sum = all.fold(Enclosure::integer(0, 64), |sum, p| sum + p);
        assert!((sum - Enclosure::integer(1, 64)).abs().upper() < ratio(1, 1 << 20));
    }

    #[test]
    fn small_laws_have_the_probabilities_of_their_samplers() {
        is_sampled_as_it_says(&FairBits { count: 3 });
        for n in [1u32, 3, 4] {
            is_sampled_as_it_says(&UniformBelow { n: n.into() });
        }
        for p in [ratio(0, 1), ratio(2, 7), ratio(1, 1)] {
            is_sampled_as_it_says(&Bernoulli { p });
        }
        for x in [ratio(0, 1), ratio(1, 2), ratio(5, 3)] {
            is_sampled_as_it_says(&BernoulliExp { x });
        }
    }

    #[test]
    fn no_integer_from_the_bound_on_is_drawn_below_it() {
        let law = UniformBelow { n: 5u32.into() };
        let probability = |outcome: u32| law.pmf(&outcome.into(), 64).unwrap();
        assert!(probability(4).contains(&ratio(1, 5)));
        assert!(probability(5).hi().is_zero() && probability(6).hi().is_zero());
    }

    #[test]
    fn coins_number_both_of_their_sides() {
        let coin = Bernoulli { p: ratio(1, 2) };
        let exponential = BernoulliExp { x: ratio(1, 2) };
        assert!(
            (0..)
                .map_while(|index| coin.outcome(index))
                .eq([true, false])
        );
        assert!(
            (0..)
                .map_while(|index| exponential.outcome(index))
                .eq([true, false])
        );
    }

    #[test]
    fn a_negative_exponent_has_no_probabilities() {
        let law = BernoulliExp { x: ratio(-1, 2) };
        for outcome in [true, false] {
            assert!(law.pmf(&outcome, 64).unwrap().hi().is_zero());
        }
    }
}
