//! Algorithm 1 of `lnsx25` as it is printed: **not private**, for audit only.
//!
//! Coefficients `c` of least norm that are complex, and noise `z` that is real: `c + z` has the imaginary
//! part of `c` (`lnsx25.alg1.complex`). With real features the noise is in place, and its scale is a bound that holds for
//! some datasets only (`lnsx25.alg1`).
//!
//! Where the paper has a normal law we draw the discrete Gaussian on a public grid; the imaginary part is
//! released as it stands, which is what adding a real vector to a complex one does.

use crate::coins::{Coins, Stage};
use crate::number::range::above_zero;
use crate::number::{Enclosure, Rational};
use crate::optimise::OptimiseError;
use crate::optimise::exact::{Complex, minimum_norm, reals};
use crate::privacy::{Budget, release};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::One;

impl Algorithm1 {
    /// Runs Algorithm 1 as printed on rows of `A`: **not private**. The grid has steps of `2^-grid_bits`.
    ///
    /// # Errors
    /// Those of [`minimum_norm`], which depend on the data and so leak; those of the coins.
    pub fn release_not_private(
        &self,
        rows: &[Vec<Complex>],
        labels: &[Rational],
        grid_bits: u32,
        coins: &mut impl Coins,
    ) -> Result<Release, OptimiseError> {
        self.before_noise(rows, labels, grid_bits)?
            .release_not_private(coins)
    }

    /// What Algorithm 1 computes before it tosses a coin: to release it often costs no more solving.
    ///
    /// # Errors
    /// Those of [`minimum_norm`], which depend on the data and so leak.
    pub fn before_noise(
        &self,
        rows: &[Vec<Complex>],
        labels: &[Rational],
        grid_bits: u32,
    ) -> Result<BeforeNoise, OptimiseError> {
        // The non-private coefficients.
        let c = minimum_norm(rows, &reals(labels))?;
        // 1. The variance, in steps of the grid, rounded up.
        let scale = BigInt::one() << grid_bits;
        let variance = self.variance(c.len() as u64)?.upper() * (&scale * &scale);
        let on_grid = |entry: &Complex| (&entry.re * &scale).round().to_integer();
        Ok(BeforeNoise {
            real: c.iter().map(on_grid).collect(),
            imaginary: c.into_iter().map(|entry| entry.im).collect(),
            noise: DiscreteGaussian::new(variance.ceil())?,
            claimed: self.claimed.clone(),
        })
    }
}

impl BeforeNoise {
    /// Steps 2 and 3 of Algorithm 1 as printed: **not private**.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn release_not_private(&self, coins: &mut impl Coins) -> Result<Release, OptimiseError> {
        coins.stage(&Stage::once("the release", self.claimed.promise()));
        // 2. z is real.   3. c + z: nothing is added to the imaginary part.
        Ok(Release {
            real: release(self.real.iter().cloned(), &self.noise, coins)?,
            imaginary: self.imaginary.clone(),
        })
    }
}

/// The coefficients without noise, and the noise: **not private**.
#[derive(Debug, Clone)]
pub struct BeforeNoise {
    /// In steps of the grid.
    real: Vec<BigInt>,
    imaginary: Vec<Rational>,
    noise: DiscreteGaussian,
    /// What is promised of the release.
    claimed: Budget,
}

/// The parameters of Algorithm 1, beside the number of frequencies.
#[derive(Debug, Clone)]
pub struct Algorithm1 {
    /// `eta`, in (0, 1/2): as if all eigenvalues of `A A*/N` were at least `1 - 2 eta`.
    pub eta: Rational,
    /// The budget that is claimed.
    pub claimed: Budget,
}

/// What is released.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release {
    /// The real parts with noise, in steps of the grid.
    pub real: Vec<BigInt>,
    /// The imaginary parts: those of the data.
    pub imaginary: Vec<Rational>,
}
crate::published!(Release { real, imaginary });

const BITS: u32 = 160;

impl Algorithm1 {
    /// Step 1, the sensitivity as printed, squared: `4 / (N (1 - 2 eta))`.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] unless `0 < eta < 1/2`.
    pub fn squared_sensitivity(&self, frequencies: u64) -> Result<Rational, OptimiseError> {
        above_zero("eta", &self.eta)?;
        let gap = Rational::one() - &self.eta * BigInt::from(2);
        above_zero("1 - 2 eta", &gap)?;
        Ok(Rational::from_integer(4.into()) / (gap * BigInt::from(frequencies)))
    }

    /// Step 1, the variance relative to the squared sensitivity: `2 ln(1.25/delta) / epsilon^2`.
    ///
    /// # Errors
    /// Those of the logarithm, for `delta = 0`.
    pub fn squared_multiplier(&self) -> Result<Enclosure, OptimiseError> {
        above_zero("delta", self.claimed.delta())?;
        let ratio = Rational::new(5.into(), 4.into()) / self.claimed.delta();
        let log = Enclosure::of(&ratio, BITS).ln()?;
        let squared_epsilon = self.claimed.epsilon() * self.claimed.epsilon();
        Ok(log
            .shifted(1)
            .divided_by(&Enclosure::of(&squared_epsilon, BITS))?)
    }

    /// Step 1, the variance of the noise a coordinate.
    ///
    /// # Errors
    /// Those of [`Self::squared_sensitivity`] and [`Self::squared_multiplier`].
    pub fn variance(&self, frequencies: u64) -> Result<Enclosure, OptimiseError> {
        let squared = self.squared_sensitivity(frequencies)?;
        Ok(Enclosure::of(&squared, BITS) * self.squared_multiplier()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio};
    use crate::privacy::NeighbouringRelation;

    fn algorithm() -> Algorithm1 {
        let delta = parse("1e-5").unwrap();
        Algorithm1 {
            eta: ratio(3, 8),
            claimed: Budget::approximate(integer(1), delta, NeighbouringRelation::Substitute)
                .unwrap(),
        }
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        let wide = Algorithm1 {
            eta: ratio(1, 2),
            ..algorithm()
        };
        assert!(wide.squared_sensitivity(4).is_err());
        let pure = Algorithm1 {
            claimed: Budget::pure(integer(1), NeighbouringRelation::Substitute).unwrap(),
            ..algorithm()
        };
        assert!(pure.variance(4).is_err());
    }
}
