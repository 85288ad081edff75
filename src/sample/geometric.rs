//! The geometric law.

use super::attempt::until_accepted;
use super::positive;
use crate::coins::{Coins, CoinsError};
use crate::number::{Rational, rational};
use num_bigint::BigUint;
use num_traits::Zero;

/// The geometric law on 0, 1, 2, ... with `Pr[k] = (1 - e^-rate) e^(-rate k)`, for a rational
/// `rate > 0` (ledger: `sample.geometric`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Geometric {
    rate: Rational,
}

impl Geometric {
    /// The law with this rate.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `rate > 0`.
    pub fn new(rate: Rational) -> Result<Self, CoinsError> {
        Ok(Self {
            rate: positive("geometric", "rate", rate)?,
        })
    }

    /// The rate: the probability falls by `e^-rate` from one integer to the next.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// Draws an integer (Canonne, Kamath, Steinke 2020, Algorithm 2, steps 1 to 3).
    pub fn draw(&self, coins: &mut impl Coins) -> Result<BigUint, CoinsError> {
        // rate = s / t in lowest terms.
        let s = self.rate.numer().magnitude();
        let t = self.rate.denom().magnitude();
        // 1. U in 0..t with Pr[U = u] proportional to exp(-u/t).
        let u = coins.draw(&Remainder { t: t.clone() })?;
        // 2. V with Pr[V = v] proportional to exp(-v).
        let v = coins.draw(&WholePart)?;
        // 3. U + t V is geometric with rate 1/t, and its quotient by s has rate s/t.
        Ok((u + t * v) / s)
    }
}

/// The law on `0..t` with `Pr[u]` proportional to `exp(-u/t)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remainder {
    /// `t`, at least 1.
    pub t: BigUint,
}

impl Remainder {
    /// One attempt: a uniform candidate `u`, accepted with probability `exp(-u/t)`.
    pub fn attempt(&self, coins: &mut impl Coins) -> Result<Option<BigUint>, CoinsError> {
        let u = coins.uniform_below(&self.t)?;
        let exponent = Rational::new_raw(u.clone().into(), self.t.clone().into());
        Ok(coins.bernoulli_exp(&exponent)?.then_some(u))
    }

    /// Attempts until one is accepted.
    pub fn draw(&self, coins: &mut impl Coins) -> Result<BigUint, CoinsError> {
        until_accepted(self, coins)
    }
}

/// The law on 0, 1, 2, ... with `Pr[v]` proportional to `exp(-v)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholePart;

impl WholePart {
    /// The trues of Bernoulli(exp(-1)) before the first false.
    pub fn draw(&self, coins: &mut impl Coins) -> Result<BigUint, CoinsError> {
        let mut v = BigUint::zero();
        while coins.bernoulli_exp(&rational::integer(1))? {
            v += 1u32;
        }
        Ok(v)
    }
}
