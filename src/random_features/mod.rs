//! Liao, Needell, Schaeffer, Xue 2025, "Differentially Private Random Feature Model" (`lnsx25`).
//!
//! Neighbouring datasets differ in one record, which is substituted, or added or removed: the two
//! relations have two sensitivities.
//!
//! | of the paper | file |
//! |---|---|
//! | datasets and their public bounds | [`Dataset`], [`Domain`] in `data.rs`; the features in [`crate::geometry`] |
//! | Algorithm 1, as printed and as the public code has it: **not private**, for audit only | [`as_printed`], [`as_coded`] |
//! | Algorithm 1 with the norm that it needs enforced (R1) | [`clipped`] |
//! | ridge regression instead: labels of norm 1 together (R2), labels bounded one by one (R3, the one of use as data grow) | [`ridge_of_normed_labels`], [`ridge_of_bounded_labels`] |
//! | how far ridge regression moves with one record: what R2 and R3 rest on | [`sensitivity`] |
//! | Kaczmarz's method, as in the experiments, with clipped residuals (R4) | [`kaczmarz`] |
//! | the release: noise for a vector of known sensitivity, and the model | [`release`] |
//! | the baselines: least squares with Gamma noise; stochastic gradient descent | [`least_squares`], [`sgd`] |
//! | Lemmas and Theorems, with every constant | [`bounds`] |
//! | all claims, and the small exact instances they are checked on | [`checks`] |

#![deny(clippy::float_arithmetic)]

pub mod as_coded;
pub mod as_printed;
pub mod bounds;
pub mod checks;
pub mod clipped;
mod data;
mod error;
pub mod kaczmarz;
pub mod least_squares;
pub mod release;
pub mod ridge_of_bounded_labels;
pub mod ridge_of_normed_labels;
pub mod sensitivity;
pub mod sgd;

pub use crate::geometry::{FeatureMap, Frequencies};
pub use data::{Dataset, Domain, Record};
pub use error::RandomFeatureError;
pub use release::{Fit, Model};
