//! The discrete Gaussian law.

use super::attempt::until_accepted;
use super::{DiscreteLaplace, positive};
use crate::coins::{Coins, CoinsError};
use crate::number::Rational;
use num_bigint::BigInt;
use num_traits::Signed;

/// The discrete Gaussian law on the integers, `Pr[k]` proportional to `exp(-k^2 / (2 variance))`,
/// for a rational parameter `variance > 0` (ledger: `sample.discrete-gaussian`).
///
/// The parameter is that of the formula; the law's own variance is a little smaller. On a grid of
/// step 2^-b it is counted in squared steps. Added to an integer vector query of l2 sensitivity D,
/// one independent draw a coordinate, it is `D^2 / (2 variance)`-zCDP (Canonne, Kamath, Steinke 2020,
/// Theorem 14; `spec/samplers.md`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscreteGaussian {
    variance: Rational,
    // The scale t = floor(sqrt(variance)) + 1 of the proposals, and the proposals.
    t: BigInt,
    proposal: DiscreteLaplace,
}

impl DiscreteGaussian {
    /// The law with this variance parameter (the *square* of the standard deviation parameter).
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `variance > 0`.
    pub fn new(variance: Rational) -> Result<Self, CoinsError> {
        let variance = positive("discrete Gaussian", "variance", variance)?;
        // The square root of the integer part has the same integer part.
        let t: BigInt = variance.floor().to_integer().sqrt() + 1;
        Ok(Self {
            proposal: DiscreteLaplace::new(Rational::from_integer(t.clone()))?,
            t,
            variance,
        })
    }

    /// The variance parameter.
    #[must_use]
    pub fn variance(&self) -> &Rational {
        &self.variance
    }

    /// The law that proposes.
    pub(crate) fn proposal(&self) -> &DiscreteLaplace {
        &self.proposal
    }

    /// One attempt (Canonne, Kamath, Steinke 2020, Algorithm 3): `None` if rejected.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn attempt(&self, coins: &mut impl Coins) -> Result<Option<BigInt>, CoinsError> {
        // 1. Y from the discrete Laplace law of scale t.
        let y = coins.draw(&self.proposal)?;
        // 2. Accepted with probability exp(-(|Y| - variance/t)^2 / (2 variance)). With
        //    variance = a/b the exponent is (|Y| b t - a)^2 / (2 a b t^2).
        let (a, b, t) = (self.variance.numer(), self.variance.denom(), &self.t);
        let gap = y.abs() * b * t - a;
        let exponent = Rational::new_raw(&gap * &gap, BigInt::from(2) * a * b * t * t);
        Ok(coins.bernoulli_exp(&exponent)?.then_some(y))
    }

    /// Draws an integer: attempts until one is accepted.
    pub(crate) fn draw(&self, coins: &mut impl Coins) -> Result<BigInt, CoinsError> {
        until_accepted(self, coins)
    }
}

/// The spherical Gaussian on the grid: `dimension` independent draws of `law`
/// (ledger: `sample.spherical-gaussian`).
///
/// # Errors
/// Those of the coins.
pub fn spherical_gaussian(
    law: &DiscreteGaussian,
    dimension: usize,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, CoinsError> {
    (0..dimension).map(|_| coins.draw(law)).collect()
}
