//! Privacy budgets, and what noise they ask for: exact accounting, always rounded to the safe side.
//!
//! Every figure that a guarantee rests on is a rational: an `epsilon` or `delta` that is promised
//! is rounded up, one that may be spent is rounded down, and noise is rounded up. Every statement
//! is under a [`NeighbouringRelation`], which travels with the budget and is never converted
//! silently.
//!
//! - [`Budget`] (epsilon, delta) and [`Zcdp`] (rho), with [`composition`] and the conversions of
//!   [`zcdp`];
//! - [`gaussian`]: the exact privacy profile of Gaussian noise and the analytic Gaussian mechanism;
//! - [`HalfPlane`]: what a claim in any measure allows the probabilities of one event;
//! - [`discrete_gaussian`]: the noise that is actually drawn, in one and in several dimensions;
//! - [`release`](fn@release): an exact value and the noise around it;
//! - [`HeldOut`]: how a model errs on records that were held out from it, at no further cost;
//! - [`subsampling`]: what a step on a random part of the records costs the whole;
//! - [`LossDistribution`]: the exact law of the privacy loss of a discrete mechanism, its profile in both directions, and
//!   compositions by exact convolution; [`mechanisms`] makes it of randomised response, the exponential mechanism, discrete noise
//!   and the Laplace threshold;
//! - [`laplace`]: the profile of continuous Laplace noise;
//! - [`noisy_answers`]: what rounds cost where only few tell anything (Theorem A of `spec/kernels.md`);
//! - [`one_record_descent`]: noise for gradient descent that reads one record a step;
//! - [`with_replacement`]: what noisy rounds cost that read records drawn with replacement;
//! - [`meter`](meter::meter): what a run of any mechanism costs on two neighbouring datasets, and whether it keeps
//!   what it promises;
//! - [`Published`]: results as the bytes that are published, which the meter compares;
//! - [`neighbour_pairs`]: neighbouring datasets for property tests of it.

#![deny(clippy::float_arithmetic)]

mod alone;
mod beside;
mod budget;
pub mod composition;
mod convolution;
pub mod discrete_gaussian;
mod error;
pub mod gaussian;
mod half_plane;
mod held_out;
mod inverse;
pub mod laplace;
mod led;
mod loss_distribution;
mod loss_grid;
pub mod mechanisms;
pub mod meter;
pub mod neighbour_pairs;
mod neighbours;
pub mod noisy_answers;
pub mod one_record_descent;
mod published;
mod release;
mod search;
pub mod subsampling;
pub mod with_replacement;
pub mod zcdp;

pub use budget::{Budget, Zcdp};
pub use error::PrivacyError;
pub use half_plane::HalfPlane;
pub use held_out::HeldOut;
pub use loss_distribution::{LeastEpsilon, LossDistribution};
pub use loss_grid::MOST_LOSSES;
pub use neighbours::NeighbouringRelation;
pub use one_record_descent::OneRecordDescent;
pub use published::Published;
pub use release::{release, release_in_bulk};
pub use search::certified;
