//! Exact samplers, plain and proved first.
//!
//! Each is a law with rational parameters, built on the layers of [`crate::coins`]; its
//! probabilities stand in [`crate::law`], and the proof that the code has exactly that law in
//! `spec/samplers.md`. No float, no modular bias, no truncated tail.
//!
//! - [`Geometric`], [`DiscreteLaplace`], [`DiscreteGaussian`] (Canonne, Kamath, Steinke 2020), on the
//!   integers; on the grid 2^-b the same with the scale counted in steps of 2^-b;
//! - [`DiscreteCauchy`], for public frequencies;
//! - [`ExponentialMechanism`] over finitely many outcomes, grouped by score; [`ScoredChoice`] of the number of one;
//! - [`GammaNoise`]: a vector whose mass falls with its l2 norm, in low dimension;
//! - [`WithReplacement`]: which records a pass reads, drawn hidden;
//! - [`spherical_gaussian`]: independent discrete Gaussian coordinates;
//! - [`Attempt`]: one attempt of those that are drawn by rejection.

#![deny(clippy::float_arithmetic)]

mod attempt;
mod discrete_cauchy;
mod discrete_gaussian;
mod discrete_laplace;
mod exponential_mechanism;
pub(crate) mod gamma;
mod geometric;
mod scored_choice;
mod with_replacement;

pub use attempt::{Attempt, Rejection};
pub use discrete_cauchy::DiscreteCauchy;
pub use discrete_gaussian::{DiscreteGaussian, spherical_gaussian};
pub use discrete_laplace::DiscreteLaplace;
pub use exponential_mechanism::{
    ExponentialMechanism, LARGEST_EXPONENT, ScoreClass, check_exponent,
};
pub use gamma::{GammaNoise, LARGEST_GAMMA_DIMENSION};
pub use geometric::Geometric;
pub use geometric::{Remainder, WholePart};
pub use scored_choice::ScoredChoice;
pub use with_replacement::WithReplacement;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn a_parameter_that_is_not_above_zero_is_refused() {
        for bad in [integer(0), ratio(-1, 2)] {
            let says = |error: CoinsError, start: &str| {
                let text = error.to_string();
                assert!(
                    text.starts_with(start) && text.ends_with(&bad.to_string()),
                    "{text}"
                );
            };
            says(Geometric::new(bad.clone()).unwrap_err(), "geometric: rate");
            says(
                DiscreteLaplace::new(bad.clone()).unwrap_err(),
                "discrete Laplace: scale",
            );
            says(
                DiscreteGaussian::new(bad.clone()).unwrap_err(),
                "discrete Gaussian: variance",
            );
            let class = || ScoreClass {
                loss: integer(0),
                count: 1u32.into(),
            };
            let mechanism = |epsilon: &Rational, sensitivity: &Rational| {
                ExponentialMechanism::new(epsilon.clone(), sensitivity.clone(), vec![class()])
                    .unwrap_err()
            };
            says(
                mechanism(&bad, &integer(1)),
                "exponential mechanism: epsilon",
            );
            says(
                mechanism(&integer(1), &bad),
                "exponential mechanism: sensitivity",
            );
        }
    }

    #[test]
    fn of_discrete_laplace_noise_the_first_coin_is_the_sign() {
        use crate::coins::{ChaCha, Coins};
        use num_traits::{Signed, Zero};
        let law = DiscreteLaplace::new(integer(1)).unwrap();
        let mut seen = [0; 3];
        for stream in 0..50 {
            let mut coins = ChaCha::reproducible(1, stream);
            let minus = coins.clone().bits(1).unwrap() == 1;
            match law.attempt(&mut coins).unwrap() {
                // Only minus zero is rejected.
                None => {
                    assert!(minus);
                    seen[0] += 1;
                }
                Some(k) if k.is_zero() => {
                    assert!(!minus);
                    seen[1] += 1;
                }
                Some(k) => {
                    assert_eq!(k.is_negative(), minus);
                    seen[2] += 1;
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    }
}
