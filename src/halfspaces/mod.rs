//! Nguyen, Ullman, Zakynthinou 2020, "Efficient Private Algorithms for Learning Large-Margin
//! Halfspaces" (`nuz20`).
//!
//! Neighbouring datasets differ in one record, which is substituted; their number is public.
//!
//! - [`Dataset`] and [`Halfspace`]: what is learned from, and what is learned;
//! - [`pure`]: Algorithm 2, with pure differential privacy, exactly; [`score`]: its step 4, the number
//!   of bad records of every point of the cover;
//! - [`efficient`]: Algorithm 3 (= Algorithm 1), repaired; [`full_batch`]: its practical variant F';
//!   [`hinge`]: the loss of both;
//! - [`as_printed`]: Algorithm 3 as it is printed, which overspends its budget: for audit only;
//! - [`bounds`]: the sample complexities and the lower bound with every constant, and what a given run
//!   guarantees;
//! - [`checks`]: every claim of the paper, and the evidence for it.

#![deny(clippy::float_arithmetic)]

pub mod as_printed;
pub mod bounds;
pub mod checks;
mod dataset;
mod descent;
pub mod efficient;
mod error;
pub mod full_batch;
mod halfspace;
pub mod hinge;
pub mod pure;
pub mod score;

pub use dataset::{Dataset, Record, Shape};
pub use error::HalfspaceError;
pub use halfspace::Halfspace;
