//! Bernoulli(exp(-x)), prepared.

use super::cumulative::GUARD;
use crate::coins::layers::require_exponent;
use crate::coins::{Against, Coins, CoinsError, Sharp, Uniform};
use crate::number::{Enclosure, Rational};
use num_traits::{ToPrimitive, Zero};

/// True with probability `exp(-x)`, for one rational `x >= 0`, prepared (ledger: `sample.prepared-bernoulli-exp`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedBernoulliExp {
    x: Rational,
    // below <= 2^64 exp(-x) <= last + 1
    below: u64,
    last: u64,
}

impl PreparedBernoulliExp {
    /// Prepares the draw for `x`.
    ///
    /// # Errors
    /// [`CoinsError::NegativeExponent`] for `x < 0`; those of the enclosures.
    pub fn new(x: Rational) -> Result<Self, CoinsError> {
        require_exponent(&x)?;
        let p = Enclosure::exp_of(&-&x, 64 + GUARD)?;
        let below = p.lo().shifted(64).floor().to_u64();
        let last = p.hi().shifted(64).ceil().to_u64();
        Ok(Self {
            x,
            below: below.unwrap_or(u64::MAX),
            last: last.unwrap_or(u64::MAX),
        })
    }

    /// The exponent.
    #[must_use]
    pub fn exponent(&self) -> &Rational {
        &self.x
    }

    /// Draws.
    ///
    /// # Errors
    /// Those of the coins.
    #[inline]
    pub fn draw(&self, coins: &mut impl Coins) -> Result<bool, CoinsError> {
        if self.x.is_zero() {
            return Ok(true);
        }
        match coins.against(self.below, || self.sharp())? {
            Against::Below => Ok(true),
            Against::NotBelow => Ok(false),
            Against::Between { place, parts } => self.settle(Uniform::within(place, parts), coins),
        }
    }

    fn sharp(&self) -> Sharp {
        Sharp {
            below: self.below,
            last: self.last,
        }
    }

    #[cold]
    fn settle(&self, uniform: Uniform, coins: &mut impl Coins) -> Result<bool, CoinsError> {
        uniform.falls_below(|| coins.bits(1), |bits| Enclosure::exp_of(&-&self.x, bits))
    }
}
