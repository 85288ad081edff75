//! Exact samplers, plain and proved first.
//!
//! Each is a law with rational parameters, built on the layers of [`crate::coins`]; its
//! probabilities stand in [`crate::law`], and the proof that the code has exactly that law in
//! `spec/samplers.md`. No float, no modular bias, no truncated tail.
//!
//! - [`Geometric`], [`DiscreteLaplace`], [`DiscreteGaussian`] (Canonne, Kamath, Steinke 2020), on the
//!   integers; on the grid 2^-b the same with the scale counted in steps of 2^-b;
//! - [`ExponentialMechanism`] over finitely many outcomes, grouped by score;
//! - [`GammaNoise`]: a vector whose mass falls with its l2 norm, in low dimension;
//! - [`spherical_gaussian`]: independent discrete Gaussian coordinates;
//! - [`Attempt`]: one attempt of those that are drawn by rejection.

#![deny(clippy::float_arithmetic)]

mod attempt;
mod discrete_gaussian;
mod discrete_laplace;
mod exponential_mechanism;
pub(crate) mod gamma;
mod geometric;

pub use attempt::{Attempt, Rejection};
pub use discrete_gaussian::{DiscreteGaussian, spherical_gaussian};
pub use discrete_laplace::DiscreteLaplace;
pub use exponential_mechanism::{ExponentialMechanism, LARGEST_EXPONENT, ScoreClass};
pub use gamma::{GammaNoise, LARGEST_GAMMA_DIMENSION};
pub use geometric::Geometric;
pub(crate) use geometric::{Remainder, WholePart};

use crate::coins::CoinsError;
use crate::number::{Rational, range::above_zero};

/// `value` if it is above zero, and otherwise the error that says so.
fn positive(
    law: &'static str,
    parameter: &'static str,
    value: Rational,
) -> Result<Rational, CoinsError> {
    above_zero(parameter, &value).map_err(|wrong| CoinsError::Parameter { law, wrong })?;
    Ok(value)
}
