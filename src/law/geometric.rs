//! The law of [`Geometric`].

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::Geometric;
use num_bigint::{BigInt, BigUint};

impl Law for Geometric {
    type Outcome = BigUint;

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
}

impl Geometric {
    /// `1 - q^k` with `q = e^-rate`, without cancellation for small rates.
    pub(crate) fn miss(&self, k: &BigUint, bits: u32) -> Result<Enclosure, NumberError> {
        let exponent: Rational = -self.rate() * BigInt::from(k.clone());
        Ok(-Enclosure::of(&exponent, bits).exp_minus_one()?)
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
