//! The discrete Cauchy law.

use super::attempt::until_accepted;
use crate::coins::{Coins, CoinsError};
use crate::number::{Rational, range::require};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// The discrete Cauchy law on the integers, `Pr[k]` proportional to `1/(a + k^2)`, for a rational `a >= 1`: the square of
/// the scale (ledger: `bms22.rff.laws`).
///
/// Its average cosine is `cosh(sqrt(a) (pi - |t|))/cosh(pi sqrt(a))` at an angle `t` of at most a turn, where that of the
/// Cauchy law is `e^(-sqrt(a) |t|)`. No moment exists. For public randomness: it is no noise for a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscreteCauchy {
    squared_scale: Rational,
    // floor(sqrt(a)), at least 1.
    scale: BigUint,
}

impl DiscreteCauchy {
    /// The law of this squared scale, counted in integers (on a grid: in grid steps, squared).
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless it is at least 1: a coarser grid would not resolve the law.
    pub fn new(squared_scale: Rational) -> Result<Self, CoinsError> {
        let right = squared_scale >= Rational::one();
        let parameter = "squared scale";
        require(right, parameter, &squared_scale, "at least 1").map_err(|wrong| {
            CoinsError::Parameter {
                law: "discrete Cauchy",
                wrong,
            }
        })?;
        let scale = squared_scale.floor().to_integer().magnitude().sqrt();
        Ok(Self {
            squared_scale,
            scale,
        })
    }

    /// The square `a` of the scale.
    #[must_use]
    pub fn squared_scale(&self) -> &Rational {
        &self.squared_scale
    }

    /// `floor(sqrt(a))`.
    pub(crate) fn scale(&self) -> &BigUint {
        &self.scale
    }

    /// One attempt: `None` if rejected.
    ///
    /// With `n = floor(sqrt(a))` the magnitudes fall into blocks: those below `n`, and from `L` to `2L` for `L = n, 2n, 4n, ...`
    /// In a block of length `L` each `k` is proposed with a probability proportional to `1/L^2`, which is at least
    /// `1/(a + k^2)`, and accepted with the quotient of the two.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn attempt(&self, coins: &mut impl Coins) -> Result<Option<BigInt>, CoinsError> {
        // 1. The block. The first with probability 1/3; of the others each with half the probability of the one before.
        let first = coins.uniform_below(&BigUint::from(3u32))?.is_zero();
        let mut length = self.scale.clone();
        let mut start = BigUint::zero();
        if !first {
            while coins.bits(1)? == 1 {
                length <<= 1;
            }
            start.clone_from(&length);
        }
        // 2. A uniform magnitude of the block.
        let magnitude = BigInt::from(start + coins.uniform_below(&length)?);
        // 3. Accepted with probability L^2/(a + k^2).
        let weight = &self.squared_scale + &magnitude * &magnitude;
        let kept = Rational::from_integer(BigInt::from(length).pow(2)) / weight;
        if !coins.bernoulli(&kept)? {
            return Ok(None);
        }
        // 4. A sign. Zero has two: -0 is rejected.
        let negative = coins.bits(1)? == 1;
        if negative && magnitude.is_zero() {
            return Ok(None);
        }
        Ok(Some(if negative { -magnitude } else { magnitude }))
    }

    /// Draws an integer: attempts until one is accepted.
    pub(crate) fn draw(&self, coins: &mut impl Coins) -> Result<BigInt, CoinsError> {
        until_accepted(self, coins)
    }
}
