//! Liao, Needell, Schaeffer, Xue 2025, "Differentially Private Random Feature Model" (`lnsx25`).
//!
//! Neighbouring datasets differ in one record, which is substituted, or added or removed: the two
//! relations have two sensitivities.
//!
//! Where each item of the paper is:
//!
//! - records, datasets, their public bounds, and models: [`Dataset`], [`Domain`], [`Model`] in `data.rs`; the
//!   features: [`crate::geometry::FeatureMap`];
//! - Algorithm 1 as printed, and as the public code has it, **not private**: [`as_printed`], [`as_coded`];
//! - Algorithm 1 with the norm that it needs enforced (R1): [`clipped_interpolation`];
//! - ridge regression instead: the vector of labels of norm at most 1 (R2), [`ridge_of_normed_labels`]; labels
//!   bounded one by one (R3, the one of use as data grow), [`ridge_of_bounded_labels`];
//! - Kaczmarz's method, as in the experiments, with clipped residuals (R4): [`clipped_kaczmarz`], and the law of its
//!   order, [`HiddenOrder`];
//! - what serves users better than those: noisy sufficient statistics (R5), [`noisy_statistics`]; clipped
//!   gradient descent (R6, the one to take unless you know better), [`clipped_gradient_descent`];
//! - the baselines: AdaSSP, [`adassp`]; least squares with Gamma noise, [`ridge_with_gamma_noise`]; stochastic gradient descent, as
//!   coded, [`stochastic_gradient_descent`];
//! - the steps that the learners share (the coefficient grid, the noise): [`steps`];
//! - where a learner is not worth its noise: [`worth`];
//! - Lemmas and Theorems with every constant, and how far ridge regression moves with one record: [`bounds`];
//! - every claim of the paper, and the evidence for it: `dp_assay_ledger::random_features`.

#![deny(clippy::float_arithmetic)]

pub mod adassp;
pub mod as_coded;
pub mod as_printed;
pub mod bounds;
pub mod clipped_gradient_descent;
pub mod clipped_interpolation;
pub mod clipped_kaczmarz;
mod data;
mod error;
mod hidden_order;
pub mod noisy_statistics;
pub mod ridge_of_bounded_labels;
pub mod ridge_of_normed_labels;
pub mod ridge_with_gamma_noise;
pub mod steps;
pub mod stochastic_gradient_descent;
pub mod worth;

pub use data::{Dataset, Domain, Model, Record};
pub use error::RandomFeatureError;
pub use hidden_order::HiddenOrder;
