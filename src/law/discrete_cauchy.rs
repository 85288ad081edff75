//! The law of [`DiscreteCauchy`].

use super::discrete_laplace::from_the_middle;
use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::{DiscreteCauchy, Rejection};
use num_bigint::BigInt;
use num_traits::One;

impl Law for DiscreteCauchy {
    type Outcome = BigInt;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, CoinsError> {
        self.draw(coins)
    }

    // The sum over all integers of 1/(a + k^2) is pi coth(pi sqrt(a))/sqrt(a).
    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let weight = self.squared_scale() + outcome * outcome;
        let total = Enclosure::pi(bits).divided_by(&(self.root(bits)? * self.tanh(bits)?))?;
        Enclosure::of(&weight.recip(), bits).divided_by(&total)
    }

    fn outcome(&self, index: u64) -> Option<BigInt> {
        Some(from_the_middle(index))
    }

    fn label(&self) -> String {
        format!("DiscreteCauchy({})", self.squared_scale())
    }
}

impl Rejection for DiscreteCauchy {
    fn attempt<C: Coins>(&self, coins: &mut C) -> Result<Option<BigInt>, CoinsError> {
        self.attempt(coins)
    }

    // Every k comes with probability n/(6 (a + k^2)).
    fn acceptance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let sixth = Rational::new(self.scale().clone().into(), 6.into());
        let total = Enclosure::pi(bits).divided_by(&(self.root(bits)? * self.tanh(bits)?))?;
        Ok(Enclosure::of(&sixth, bits) * total)
    }
}

impl DiscreteCauchy {
    /// `sqrt(a)`.
    fn root(&self, bits: u32) -> Result<Enclosure, NumberError> {
        Enclosure::of(self.squared_scale(), bits).sqrt()
    }

    /// `tanh(pi sqrt(a))`.
    fn tanh(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let power = (-(Enclosure::pi(bits) * self.root(bits)?).shifted(1)).exp()?;
        let one = Enclosure::of(&Rational::one(), bits);
        (&one - &power).divided_by(&(&one + &power))
    }

    /// The average of `cos(t k)` at an angle `0 <= t <= 2 pi`: `cosh(s (pi - t))/cosh(s pi)` with `s = sqrt(a)`, which is
    /// `(e^(-s t) + e^(-s (2 pi - t)))/(1 + e^(-2 pi s))`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn average_cosine(&self, t: &Enclosure) -> Result<Enclosure, NumberError> {
        let bits = t.bits();
        let root = self.root(bits)?;
        let turn = Enclosure::pi(bits).shifted(1);
        let power = |angle: Enclosure| (-(&root * angle)).exp();
        let near = power(t.clone())? + power(&turn - t)?;
        near.divided_by(&(Enclosure::integer(1, bits) + power(turn)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::rational::{integer, ratio};
    use crate::sample::Attempt;

    fn law(squared_scale: Rational) -> DiscreteCauchy {
        DiscreteCauchy::new(squared_scale).unwrap()
    }

    #[test]
    fn an_attempt_has_its_law() {
        for squared in [integer(1), ratio(5, 2), integer(9)] {
            let law = law(squared);
            // Far out a block is wider than what the explorer branches over.
            let explorer = Explorer::new(Layer::Laws, 20_000).until(ratio(1, 16));
            let found = explorer.explore(|coins| law.attempt(coins)).unwrap();
            assert!(found.undecided <= ratio(1, 16), "{}", found.undecided);
            assert_eq!(found.disagreement(&Attempt(law)).unwrap(), None);
        }
    }

    #[test]
    fn probabilities_by_hand() {
        // tanh(pi) = 0.996272, over pi: 0.317123; half of it, and a tenth.
        for (k, least) in [(0, 317_123), (1, 158_561), (-1, 158_561), (3, 31_712)] {
            let p = law(integer(1)).pmf(&BigInt::from(k), 64).unwrap();
            let least = ratio(least, 1_000_000);
            assert!(p.lower() > least && p.upper() < least + ratio(2, 1_000_000));
        }
    }

    #[test]
    fn a_grid_that_is_too_coarse_is_refused() {
        assert!(DiscreteCauchy::new(ratio(99, 100)).is_err());
        assert!(DiscreteCauchy::new(integer(-4)).is_err());
        assert_eq!(law(integer(1)).label(), "DiscreteCauchy(1)");
    }

    #[test]
    fn half_of_the_draws_are_within_the_scale() {
        let (law, mut coins) = (law(integer(10_000)), ChaCha::reproducible(1, 0));
        let near = (0..2000).filter(|_| {
            let k = law.draw(&mut coins).unwrap();
            k.magnitude() <= &100u32.into()
        });
        let near = near.count();
        assert!((850..1150).contains(&near), "{near}");
    }
}
