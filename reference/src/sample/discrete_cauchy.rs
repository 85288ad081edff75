//! The discrete Cauchy law.

use crate::Error;
use crate::coins::{Coins, Law};
use crate::error::require;
use crate::number::{Enclosure, Rational, rational::integer};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// The discrete Cauchy law on the integers, `Pr[k]` proportional to `1/(a + k^2)`, for a rational `a >= 1`: the square of the
/// scale (ledger: `bms22.rff.laws`). For public frequencies: it is no noise for a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscreteCauchy {
    a: Rational,
}

impl DiscreteCauchy {
    /// The law of this squared scale, counted in integers (on a grid: in grid steps, squared).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless it is at least 1: a coarser grid would not resolve the law.
    pub fn new(squared_scale: Rational) -> Result<Self, Error> {
        let right = squared_scale >= Rational::one();
        require(right, "the squared scale of a discrete Cauchy law")?;
        Ok(Self { a: squared_scale })
    }

    /// The square of the scale.
    #[must_use]
    pub fn squared_scale(&self) -> &Rational {
        &self.a
    }
}

impl Law for DiscreteCauchy {
    type Outcome = BigInt;

    /// With `n = floor(sqrt(a))` the magnitudes fall into blocks: those below `n`, and from `L` to `2L` for
    /// `L = n, 2n, 4n, ...` In a block of length `L` each `k` is proposed with a probability proportional to `1/L^2`, which is
    /// at least `1/(a + k^2)`, and accepted with the quotient of the two.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, Error> {
        let n = self.a.floor().to_integer().magnitude().sqrt();
        loop {
            // 1. The block. The first with probability 1/3; of the others each with half the probability of the one before.
            let (mut start, mut length) = (BigUint::zero(), n.clone());
            if !coins.uniform_below(&3u32.into())?.is_zero() {
                while coins.bits(1)? == 1 {
                    length <<= 1;
                }
                start.clone_from(&length);
            }
            // 2. A uniform magnitude of the block.
            let magnitude = BigInt::from(start + coins.uniform_below(&length)?);
            // 3. Accepted with probability L^2/(a + k^2).
            let weight = &self.a + &magnitude * &magnitude;
            if !coins.bernoulli(&(integer(length).pow(2) / weight))? {
                continue;
            }
            // 4. A sign. Zero has two: -0 is rejected.
            let negative = coins.bits(1)? == 1;
            if negative && magnitude.is_zero() {
                continue;
            }
            return Ok(if negative { -magnitude } else { magnitude });
        }
    }

    // The sum over all integers of 1/(a + k^2) is pi coth(pi s)/s with s = sqrt(a), coth(x) = (1 + e^-2x)/(1 - e^-2x).
    fn pmf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, Error> {
        let (one, pi) = (Enclosure::integer(1, bits), Enclosure::pi(bits));
        let s = Enclosure::of(&self.a, bits).sqrt()?;
        let power = (-(&pi * &s).shifted(1)).exp()?;
        let tanh = (&one - &power).divided_by(&(&one + &power))?;
        let weight = Enclosure::of(&(&self.a + k * k).recip(), bits);
        (weight * s * tanh).divided_by(&pi)
    }
}
