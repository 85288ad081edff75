//! Liao, Needell, Schaeffer, Xue 2025, "Differentially Private Random Feature Model" (`lnsx25`).
//!
//! Neighbouring datasets differ in one record, which is substituted, or added or removed: the two
//! relations have two sensitivities.
//!
//! - [`Dataset`] on a public [`Domain`], [`Frequencies`] and the [`FeatureMap`] they make;
//! - the repairs: [`clipped`] (R1), [`ridge_of_normed_labels`] (R2), [`ridge_of_bounded_labels`] (R3, the one
//!   of use as data grow), [`kaczmarz`] (R4); [`sensitivity`]: what R2 and R3 rest on;
//! - [`release`]: noise for a vector of known sensitivity;
//! - [`as_printed`], [`as_coded`]: Algorithm 1 as it is printed and as its public code has it, neither of them
//!   private: for audit only;
//! - the baselines: [`gamma`], [`least_squares`], [`sgd`];
//! - [`bounds`]: the theorems with every constant;
//! - [`checks`]: the checks of all claims, and the small exact instances they run on.

#![deny(clippy::float_arithmetic)]

pub mod as_coded;
pub mod as_printed;
pub mod bounds;
pub mod checks;
pub mod clipped;
mod dataset;
mod error;
mod feature_map;
pub mod gamma;
pub mod kaczmarz;
pub mod least_squares;
pub mod release;
pub mod ridge_of_bounded_labels;
pub mod ridge_of_normed_labels;
pub mod sensitivity;
pub mod sgd;

pub use dataset::{Dataset, Domain, Record};
pub use error::RandomFeatureError;
pub use feature_map::{FeatureMap, Frequencies};
pub use release::{Fit, Model};
