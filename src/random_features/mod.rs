//! Liao, Needell, Schaeffer, Xue 2025, "Differentially Private Random Feature Model" (`lnsx25`).
//!
//! Neighbouring datasets differ in one record, which is substituted, or added or removed: the two
//! relations have two sensitivities.
//!
//! - [`Dataset`] on a public [`Domain`], [`Frequencies`] and the [`FeatureMap`] they make;
//! - [`ridge_of_bounded_labels`]: repair R3; [`sensitivity`]: what it rests on;
//! - [`release`]: noise for a vector of known sensitivity.

#![deny(clippy::float_arithmetic)]

mod dataset;
mod error;
mod feature_map;
pub mod release;
pub mod ridge_of_bounded_labels;
pub mod sensitivity;

pub use dataset::{Dataset, Domain, Record};
pub use error::RandomFeatureError;
pub use feature_map::{FeatureMap, Frequencies};
pub use release::{Fit, Model};
