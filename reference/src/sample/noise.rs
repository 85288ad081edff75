//! Noise around an exact integer or integer vector, as one law: what a release draws.
//!
//! Noise is never added to a value after the draw: the value is the centre of the law that is drawn. So whoever watches the
//! draws sees what the data decide.

use super::{DiscreteGaussian, DiscreteLaplace, GammaNoise};
use crate::Error;
use crate::coins::{Coins, Law};
use crate::error::require;
use crate::number::Enclosure;
use num_bigint::BigInt;

/// Additive noise on integer vectors.
pub trait Noise: Clone + PartialEq + 'static {
    /// Noise for a vector of this many coordinates.
    ///
    /// # Errors
    /// Those of the coins; [`Error::OutOfRange`] for noise of another fixed dimension.
    fn draw_vector<C: Coins>(&self, dimension: usize, coins: &mut C) -> Result<Vec<BigInt>, Error>;

    /// `Pr[noise = k]`.
    ///
    /// # Errors
    /// Those of the real functions.
    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, Error>;

    /// The law of `value + noise`.
    #[must_use]
    fn around(&self, value: impl Into<BigInt>) -> Around<Self> {
        Around {
            value: value.into(),
            noise: self.clone(),
        }
    }

    /// The law of `values + noise`, coordinate by coordinate.
    #[must_use]
    fn around_all(&self, values: impl IntoIterator<Item = impl Into<BigInt>>) -> AroundAll<Self> {
        AroundAll {
            values: values.into_iter().map(Into::into).collect(),
            noise: self.clone(),
        }
    }
}

/// Independent draws, one a coordinate.
macro_rules! coordinate_by_coordinate {
    ($($law:ident),*) => {$(
        impl Noise for $law {
            fn draw_vector<C: Coins>(
                &self,
                dimension: usize,
                coins: &mut C,
            ) -> Result<Vec<BigInt>, Error> {
                (0..dimension).map(|_| coins.draw(self)).collect()
            }

            fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, Error> {
                let one = Enclosure::integer(1, bits);
                k.iter().try_fold(one, |all, k| Ok(all * self.pmf(k, bits)?))
            }
        }
    )*};
}
coordinate_by_coordinate!(DiscreteLaplace, DiscreteGaussian);

impl Noise for GammaNoise {
    fn draw_vector<C: Coins>(&self, dimension: usize, coins: &mut C) -> Result<Vec<BigInt>, Error> {
        require(dimension == self.dimension(), "the dimension of the noise")?;
        coins.draw(self)
    }

    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, Error> {
        self.pmf(&k.to_vec(), bits)
    }
}

/// The law of an exact integer and noise. Made by [`Noise::around`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around<N> {
    /// The exact value.
    pub value: BigInt,
    /// The noise.
    pub noise: N,
}

impl<N: Noise + Law<Outcome = BigInt>> Law for Around<N> {
    type Outcome = BigInt;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, Error> {
        Ok(&self.value + self.noise.sample(coins)?)
    }

    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, Error> {
        self.noise.pmf(&(outcome - &self.value), bits)
    }
}

/// The law of an exact integer vector and noise. Made by [`Noise::around_all`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AroundAll<N> {
    /// The exact values.
    pub values: Vec<BigInt>,
    /// The noise.
    pub noise: N,
}

impl<N: Noise> Law for AroundAll<N> {
    type Outcome = Vec<BigInt>;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<BigInt>, Error> {
        let noise = self.noise.draw_vector(self.values.len(), coins)?;
        Ok(self
            .values
            .iter()
            .zip(noise)
            .map(|(x, noise)| x + noise)
            .collect())
    }

    fn pmf(&self, outcome: &Vec<BigInt>, bits: u32) -> Result<Enclosure, Error> {
        if outcome.len() != self.values.len() {
            return Ok(Enclosure::integer(0, bits));
        }
        let noise: Vec<BigInt> = outcome
            .iter()
            .zip(&self.values)
            .map(|(y, x)| y - x)
            .collect();
        self.noise.pmf_of_vector(&noise, bits)
    }
}
