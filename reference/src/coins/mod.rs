//! Where randomness comes from: the trait [`Coins`], a source of fair bits, and what every sampler is built on.
//!
//! - [`layers`]: uniform integers, Bernoulli(p) and Bernoulli(exp(-x)) from bits, exactly;
//! - [`ChaCha`], the cipher as a generator; [`OperatingSystem`]; [`Tape`], which replays given bits;
//! - [`uniform`]: a uniform number against real numbers, digit by digit.

mod chacha;
pub mod layers;
mod operating_system;
mod tape;
pub mod uniform;

pub use chacha::ChaCha;
pub use operating_system::OperatingSystem;
pub use tape::Tape;

use crate::Error;
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;
use std::fmt::Debug;

/// A source of fair, independent coins, and what is built on them, layer by layer. A real source implements the first two.
pub trait Coins {
    /// `count` fair coins as an integer below `2^count`; `count` is at most 64.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] above 64, and those of the source.
    fn bits(&mut self, count: u32) -> Result<u64, Error>;

    /// How many bits have been drawn so far.
    fn consumed(&self) -> u64;

    /// A uniform integer in `0..n`: [`layers::uniform_below`].
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for `n = 0`, and those of the source.
    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, Error> {
        layers::uniform_below(self, n)
    }

    /// True with probability `p`: [`layers::bernoulli`].
    ///
    /// # Errors
    /// [`Error::OutOfRange`] outside [0, 1], and those of the source.
    fn bernoulli(&mut self, p: &Rational) -> Result<bool, Error> {
        layers::bernoulli(self, p)
    }

    /// True with probability `exp(-x)` for a rational `x >= 0`: [`layers::bernoulli_exp`].
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for `x < 0`, and those of the source.
    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, Error> {
        layers::bernoulli_exp(self, x)
    }

    /// A draw from `law`: what the data decide enters a release here, and nowhere else.
    ///
    /// # Errors
    /// Those of the sampler.
    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, Error>
    where
        Self: Sized,
    {
        law.sample(self)
    }
}

/// A law: what is drawn, and with which probabilities.
pub trait Law: Clone + PartialEq + 'static {
    /// What is drawn.
    type Outcome: Clone + Ord + Debug + 'static;

    /// Draws exactly from the law.
    ///
    /// # Errors
    /// Those of the coins.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Self::Outcome, Error>;

    /// `Pr[outcome]`, enclosed at `bits` significant bits.
    ///
    /// # Errors
    /// Those of the real functions.
    fn pmf(&self, outcome: &Self::Outcome, bits: u32) -> Result<Enclosure, Error>;
}
