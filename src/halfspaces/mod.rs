//! Nguyen, Ullman, Zakynthinou 2020, "Efficient Private Algorithms for Learning Large-Margin
//! Halfspaces" (`nuz20`).
//!
//! Neighbouring datasets differ in one record, which is substituted; their number is public.
//!
//! - [`Dataset`] and [`Halfspace`]: what is learned from, and what is learned;
//! - [`pure`]: Algorithm 2, with pure differential privacy, exactly; [`score`]: its step 4, the number
//!   of bad records of every point of the cover; [`exhaustive`]: its exact privacy loss on small domains;
//! - [`efficient`]: Algorithm 3 (= Algorithm 1), repaired; [`full_batch`]: its practical variant F';
//!   [`hinge`]: the loss of both;
//! - [`as_printed`]: Algorithm 3 as it is printed, which overspends its budget: for audit only;
//! - [`bounds`]: the sample complexities with every constant, and what a given run guarantees;
//! - [`lower_bound`]: the lower bound for pure privacy, its false claim and two repairs;
//! - [`errata`]: small exact facts that contradict the text.

#![deny(clippy::float_arithmetic)]

pub mod as_printed;
pub mod bounds;
mod dataset;
mod descent;
pub mod efficient;
pub mod errata;
mod error;
pub mod exhaustive;
pub mod full_batch;
mod halfspace;
pub mod hinge;
pub mod lower_bound;
pub mod pure;
pub mod score;

pub use dataset::{Dataset, Record, Shape};
pub use error::HalfspaceError;
pub use halfspace::Halfspace;
