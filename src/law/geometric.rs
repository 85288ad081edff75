//! The law of [`Geometric`].

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::{Geometric, Rejection, Remainder, WholePart};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

impl Law for Geometric {
    type Outcome = BigUint;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigUint, CoinsError> {
        self.draw(coins)
    }

    fn pmf(&self, outcome: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        // (1 - q) q^k with q = e^-rate.
        let power = Enclosure::exp_of(&(-self.rate() * BigInt::from(outcome.clone())), bits)?;
        Ok(self.miss(&1u32.into(), bits)? * power)
    }

    fn outcome(&self, index: u64) -> Option<BigUint> {
        Some(index.into())
    }

    fn label(&self) -> String {
        format!("Geometric({})", self.rate())
    }
}

/// `1 - e^-x`
fn miss(x: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    Ok(-Enclosure::of(&-x, bits).exp_minus_one()?)
}

impl Law for Remainder {
    type Outcome = BigUint;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigUint, CoinsError> {
        self.draw(coins)
    }

    // e^(-u/t) (1 - e^(-1/t)) / (1 - e^-1) for u < t.
    fn pmf(&self, u: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        if *u >= self.t {
            return Ok(Enclosure::integer(0, bits));
        }
        let power = Enclosure::exp_of(
            &-Rational::new(u.clone().into(), self.t.clone().into()),
            bits,
        )?;
        (power * miss(&self.step(), bits)?).divided_by(&miss(&Rational::one(), bits)?)
    }

    fn outcome(&self, index: u64) -> Option<BigUint> {
        Some(BigUint::from(index)).filter(|u| *u < self.t)
    }

    fn label(&self) -> String {
        format!("Remainder({})", self.t)
    }
}

impl Remainder {
    fn step(&self) -> Rational {
        Rational::new(BigInt::one(), self.t.clone().into())
    }
}

impl Rejection for Remainder {
    fn attempt<C: Coins>(&self, coins: &mut C) -> Result<Option<BigUint>, CoinsError> {
        self.attempt(coins)
    }

    // The mean of e^(-u/t): (1 - e^-1) / (t (1 - e^(-1/t))).
    fn acceptance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let t = Enclosure::integer(BigInt::from(self.t.clone()), bits);
        miss(&Rational::one(), bits)?.divided_by(&(t * miss(&self.step(), bits)?))
    }
}

impl Law for WholePart {
    type Outcome = BigUint;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigUint, CoinsError> {
        self.draw(coins)
    }

    // (1 - e^-1) e^-v
    fn pmf(&self, v: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        let power = Enclosure::exp_of(&-Rational::from(BigInt::from(v.clone())), bits)?;
        Ok(power * miss(&Rational::one(), bits)?)
    }

    fn outcome(&self, index: u64) -> Option<BigUint> {
        Some(index.into())
    }

    fn label(&self) -> String {
        "WholePart".to_owned()
    }
}

impl Geometric {
    /// `1 - q^k` with `q = e^-rate`, without cancellation for small rates.
    pub(crate) fn miss(&self, k: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        miss(&(self.rate() * BigInt::from(k.clone())), bits)
    }

    /// `q / (1 - q)^2` with `q = e^-rate`.
    pub(crate) fn spread(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let miss = self.miss(&1u32.into(), bits)?;
        Enclosure::exp_of(&-self.rate(), bits)?.divided_by(&miss.squared())
    }

    /// `Pr[K <= k] = 1 - e^(-rate (k + 1))`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn cdf(&self, k: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        self.miss(&(k + 1u32), bits)
    }

    /// The mean, `1 / (e^rate - 1)`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn mean(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let miss = self.miss(&1u32.into(), bits)?;
        Enclosure::exp_of(&-self.rate(), bits)?.divided_by(&miss)
    }

    /// The variance, `e^-rate / (1 - e^-rate)^2`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn variance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        self.spread(bits)
    }
}
