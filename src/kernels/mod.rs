//! Jain, Thakurta 2013, "Differentially Private Learning with Kernels" (`jt13`).
//!
//! Neighbouring datasets differ in one record, which is substituted; their number is public.
//!
//! Where each item is:
//!
//! - records and datasets: [`Record`], [`Labels`], [`Dataset`] in `data.rs`; points and their public domain are
//!   [`crate::geometry::Point`] and [`crate::geometry::Domain`];
//! - kernels and their values as integers: [`Kernel`], [`KernelOn`] in `kernel.rs`, and [`Precomputed`], a matrix, in
//!   `precomputed.rs`;
//! - the regularised empirical risk (2), its minimiser and bound (3): [`Problem`], [`fit`], [`Sensitivity`] in `optimum.rs`;
//! - the grid of predictions, which the algorithms share: [`AnswerGrid`] in `steps.rs`;
//! - Algorithm 1 (PINP), repaired, sessions that answer queries: [`noisy_answers`]; its public model: [`Expansion`];
//! - the same with a hidden noisy threshold, purely private: [`sparse_vector`];
//! - what sessions share: [`session`];
//! - Algorithm 1 with the parameters that the paper prints: [`as_printed::interactive`];
//! - Algorithm 2, the learner that knows public test points: [`fn@test_dependent::learn`]; the programme that it solves:
//!   [`InSpan`] in `span.rs`; its theorems: [`bounds::test_dependent`]; as printed: [`as_printed::test_dependent`]; with
//!   Gaussian noise in the shape of the kernel: [`fn@gaussian_targets::learn`];
//! - Algorithm 3, the learner without test points, repaired: [`fn@test_independent::learn`]; as printed:
//!   [`as_printed::test_independent`]; Theorem 8 as printed: [`bounds::test_independent`];
//! - the same for linear kernels, in any dimension: [`fn@linear_test_independent::learn`];
//! - what each of several draws may cost, for both: [`Calibration`];
//! - the release to take, ours: the coefficients of the minimiser once, with Gaussian noise, [`coefficients`], in a public
//!   basis: [`Basis`] in `basis.rs`; its error: [`bounds::gaussian_process`];
//! - the same for kernels without a public basis, for queries that come one by one: [`gaussian_process`], by [`coordinates`];
//! - Theorem A, ours, in the place of Theorem 9, on what rounds of noisy answers cost:
//!   [`crate::privacy::noisy_answers`]; its closed forms and the constants of Algorithm 1: [`bounds::noisy_answers`];
//! - the claims of the paper, and the evidence for them: `dp_assay_ledger::kernels`.

#![deny(clippy::float_arithmetic)]

pub mod as_printed;
mod basis;
pub mod bounds;
mod calibration;
pub mod coefficients;
pub mod coordinates;
mod data;
mod error;
mod expansion;
pub mod gaussian_process;
pub mod gaussian_targets;
mod kernel;
pub mod linear_test_independent;
pub mod noisy_answers;
mod optimum;
mod precomputed;
pub mod session;
mod span;
pub mod sparse_vector;
pub mod steps;
pub mod test_dependent;
pub mod test_independent;

pub use basis::{Basis, of_features, point_of_features};
pub use calibration::Calibration;
pub use data::{Dataset, Labels, Record};
pub use error::KernelError;
pub use expansion::Expansion;
pub use gaussian_targets::{GaussianTargets, GaussianTargetsPlan};
pub use kernel::{Kernel, KernelOn, VALUE_BITS};
pub use optimum::{Optimum, Predictor, Problem, Sensitivity, fit};
pub use precomputed::Precomputed;
pub use span::InSpan;
pub use steps::AnswerGrid;
pub use test_dependent::{TestDependent, TestDependentPlan};
pub use test_independent::{TestIndependent, TestIndependentModel, TestIndependentPlan};
