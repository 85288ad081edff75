//! The geometric law.

use crate::Error;
use crate::coins::{Coins, Law};
use crate::error::require;
use crate::number::{Enclosure, Rational, rational::integer};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, Zero};

/// The geometric law on 0, 1, 2, ... with `Pr[k] = (1 - e^-rate) e^(-rate k)`, for a rational `rate > 0`
/// (ledger: `sample.geometric`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Geometric {
    rate: Rational,
}

impl Geometric {
    /// The law with this rate.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless `rate > 0`.
    pub fn new(rate: Rational) -> Result<Self, Error> {
        require(rate.is_positive(), "the rate of a geometric law")?;
        Ok(Self { rate })
    }

    /// The rate.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// `1 - q^k` with `q = e^-rate`, without cancellation for small rates.
    pub(crate) fn miss(&self, k: &BigUint, bits: u32) -> Result<Enclosure, Error> {
        let exponent = &self.rate * BigInt::from(k.clone());
        Ok(-Enclosure::of(&-exponent, bits).exp_minus_one()?)
    }
}

impl Law for Geometric {
    type Outcome = BigUint;

    /// Canonne, Kamath, Steinke 2020, Algorithm 2, steps 1 to 3.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigUint, Error> {
        // rate = s / t in lowest terms.
        let (s, t) = (self.rate.numer().magnitude(), self.rate.denom().magnitude());
        // 1. U in 0..t with Pr[U = u] proportional to exp(-u/t).
        let u = remainder(t, coins)?;
        // 2. V with Pr[V = v] proportional to exp(-v).
        let v = whole_part(coins)?;
        // 3. U + t V is geometric with rate 1/t, and its quotient by s has rate s/t.
        Ok((u + t * v) / s)
    }

    // (1 - q) q^k with q = e^-rate.
    fn pmf(&self, k: &BigUint, bits: u32) -> Result<Enclosure, Error> {
        let power = Enclosure::exp_of(&(-&self.rate * BigInt::from(k.clone())), bits)?;
        Ok(self.miss(&1u32.into(), bits)? * power)
    }
}

/// `u` in `0..t` with probability proportional to `exp(-u/t)`: uniform candidates, each accepted with that probability.
fn remainder(t: &BigUint, coins: &mut impl Coins) -> Result<BigUint, Error> {
    loop {
        let u = coins.uniform_below(t)?;
        let exponent = Rational::new_raw(u.clone().into(), t.clone().into());
        if coins.bernoulli_exp(&exponent)? {
            return Ok(u);
        }
    }
}

/// `v` in 0, 1, 2, ... with probability proportional to `exp(-v)`: the trues of Bernoulli(exp(-1)) before the first false.
fn whole_part(coins: &mut impl Coins) -> Result<BigUint, Error> {
    let mut v = BigUint::zero();
    while coins.bernoulli_exp(&integer(1))? {
        v += 1u32;
    }
    Ok(v)
}
