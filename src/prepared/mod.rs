//! Prepared samplers: built once for a law with exact parameters, drawn from many times, fast.
//!
//! Each has exactly the law of its plain twin in [`crate::sample`], which stays the reference. It rests on tables of certified
//! thresholds ([`Table`](crate::coins::Table)): what a word leaves open is settled by more bits and sharper enclosures. No
//! float, no rounding, no truncated tail. Proofs and scopes: `spec/samplers.md`.
//!
//! - [`PreparedLaplace`], [`PreparedGeometric`]: one table for small scales, and base-512 digits for large ones, which are independent;
//! - [`PreparedGaussian`]: one table for small variances, and cells with an exact squeeze for large ones;
//! - [`PreparedBernoulliExp`]: true with probability `exp(-x)`;
//! - [`PreparedExponentialMechanism`]: repeated draws of one mechanism; [`IntegerScores`]: scores given with each call;
//! - [`RoundedLaplace`], [`RoundedGaussian`], [`RoundedGaussianVector`]: the noise of the real line, added to exact values and then
//!   rounded to a grid;
//! - [`DrawnOften`]: a law of which so many draws are expected, prepared where that pays and can be done, and plain elsewhere.
//!
//! Drawn from [`Recycled`](crate::coins::Recycled) coins they take hardly more bits than the entropy of what they return. A prepared noise
//! is a [`Law`](crate::coins::Law) and [`Noise`](crate::law::Noise), so that it stands wherever its twin stands.
//!
//! The time of a draw depends on what is drawn, a little: `spec/samplers.md` says where.

#![deny(clippy::float_arithmetic)]

mod bernoulli_exp;
mod cumulative;
#[cfg(feature = "rand")]
mod distribution;
mod drawn;
mod drawn_often;
mod exponential_mechanism;
mod gaussian;
mod gaussian_cells;
mod geometric;
mod laplace;
mod named;
mod noise;
mod real;
mod rounded;
mod squeeze;

pub use bernoulli_exp::PreparedBernoulliExp;
pub use drawn_often::{DrawnOften, Preparable, WORTHWHILE};
pub use exponential_mechanism::{IntegerScores, PreparedExponentialMechanism};
pub use gaussian::PreparedGaussian;
pub use geometric::PreparedGeometric;
pub use laplace::PreparedLaplace;
pub use named::NamedDrawnOften;
pub use rounded::{RealNoise, Rounded, RoundedGaussian, RoundedGaussianVector, RoundedLaplace};
