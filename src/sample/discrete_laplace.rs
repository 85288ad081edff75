//! The discrete Laplace law.

use super::attempt::until_accepted;
use super::{Geometric, positive};
use crate::coins::{Coins, CoinsError};
use crate::number::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

/// The discrete Laplace law on the integers, `Pr[k] = (1 - q) / (1 + q) q^|k|` with
/// `q = e^(-1/scale)`, for a rational `scale > 0` (ledger: `sample.discrete-laplace`).
///
/// Added to an integer query of sensitivity D (under either neighbouring relation) it is
/// `(D / scale, 0)`-differentially private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscreteLaplace {
    scale: Rational,
    magnitude: Geometric,
}

impl DiscreteLaplace {
    /// The law with this scale, counted in integers (on a grid: in grid steps).
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `scale > 0`.
    pub fn new(scale: Rational) -> Result<Self, CoinsError> {
        let scale = positive("discrete Laplace", "scale", scale)?;
        Ok(Self {
            magnitude: Geometric::new(scale.recip())?,
            scale,
        })
    }

    /// The scale.
    #[must_use]
    pub fn scale(&self) -> &Rational {
        &self.scale
    }

    /// The law of the magnitude, before the sign.
    pub fn proposed_magnitude(&self) -> &Geometric {
        &self.magnitude
    }

    /// One attempt (Canonne, Kamath, Steinke 2020, Algorithm 2): `None` if rejected.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn attempt(&self, coins: &mut impl Coins) -> Result<Option<BigInt>, CoinsError> {
        // 1. A sign and a geometric magnitude.
        let negative = coins.bits(1)? == 1;
        let magnitude = coins.draw(&self.magnitude)?;
        // 2. Zero has two signs, and would come twice as often as it should: -0 is rejected.
        if negative && magnitude.is_zero() {
            return Ok(None);
        }
        let value = BigInt::from(magnitude);
        Ok(Some(if negative { -value } else { value }))
    }

    /// Draws an integer: attempts until one is accepted.
    pub(crate) fn draw(&self, coins: &mut impl Coins) -> Result<BigInt, CoinsError> {
        until_accepted(self, coins)
    }
}
