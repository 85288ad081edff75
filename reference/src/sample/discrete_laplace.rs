//! The discrete Laplace law.

use super::Geometric;
use crate::Error;
use crate::coins::{Coins, Law};
use crate::error::require;
use crate::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, Zero};

/// The discrete Laplace law on the integers, `Pr[k] = (1 - q) / (1 + q) q^|k|` with `q = e^(-1/scale)`, for a rational
/// `scale > 0` (ledger: `sample.discrete-laplace`).
///
/// Added to an integer query of sensitivity D (under either neighbouring relation) it is `(D / scale, 0)`-differentially
/// private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscreteLaplace {
    /// The scale, above 0, counted in integers (on a grid: in grid steps).
    scale: Rational,
    magnitude: Geometric,
}

impl DiscreteLaplace {
    /// The law with this scale.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless `scale > 0`.
    pub fn new(scale: Rational) -> Result<Self, Error> {
        require(scale.is_positive(), "the scale of a discrete Laplace law")?;
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

    /// `q^k`
    fn power(&self, k: &BigUint, bits: u32) -> Result<Enclosure, Error> {
        let exponent = Rational::from(BigInt::from(k.clone())) / &self.scale;
        Enclosure::exp_of(&-exponent, bits)
    }

    /// `1 + q`
    fn one_plus_q(&self, bits: u32) -> Result<Enclosure, Error> {
        Ok(Enclosure::integer(1, bits) + self.power(&1u32.into(), bits)?)
    }

    /// `Pr[Y <= k]`: `q^-k / (1 + q)` for `k <= 0`, and `1 - q^(k+1) / (1 + q)` for `k >= 0`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn cdf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, Error> {
        let one_plus_q = self.one_plus_q(bits)?;
        if !k.is_positive() {
            return self.power(k.magnitude(), bits)?.divided_by(&one_plus_q);
        }
        let above = self.power(&(k.magnitude() + 1u32), bits)?;
        Ok(above.divided_by(&one_plus_q)?.complement())
    }
}

impl Law for DiscreteLaplace {
    type Outcome = BigInt;

    /// Canonne, Kamath, Steinke 2020, Algorithm 2.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, Error> {
        loop {
            // 1. A sign and a geometric magnitude.
            let negative = coins.bits(1)? == 1;
            let magnitude = coins.draw(&self.magnitude)?;
            // 2. Zero has two signs, and would come twice as often as it should: -0 is rejected.
            if negative && magnitude.is_zero() {
                continue;
            }
            let value = BigInt::from(magnitude);
            return Ok(if negative { -value } else { value });
        }
    }

    // (1 - q) / (1 + q) q^|k|
    fn pmf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, Error> {
        let miss = self.magnitude.miss(&1u32.into(), bits)?;
        (miss * self.power(k.magnitude(), bits)?).divided_by(&self.one_plus_q(bits)?)
    }
}
