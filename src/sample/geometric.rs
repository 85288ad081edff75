//! The geometric law.

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
    pub(crate) fn draw(&self, coins: &mut impl Coins) -> Result<BigUint, CoinsError> {
        // rate = s / t in lowest terms.
        let s = self.rate.numer().magnitude();
        let t = self.rate.denom().magnitude();
        // 1. U in 0..t with Pr[U = u] proportional to exp(-u/t), by rejection.
        let u = loop {
            let candidate = coins.uniform_below(t)?;
            let exponent = Rational::new_raw(candidate.clone().into(), t.clone().into());
            if coins.bernoulli_exp(&exponent)? {
                break candidate;
            }
        };
        // 2. V with Pr[V = v] proportional to exp(-v): the trues of Bernoulli(exp(-1)) before a false.
        let mut v = BigUint::zero();
        while coins.bernoulli_exp(&rational::integer(1))? {
            v += 1u32;
        }
        // 3. U + t V is geometric with rate 1/t, and its quotient by s has rate s/t.
        Ok((u + t * v) / s)
    }
}
