//! Learning halfspaces with a large margin (Nguyen, Ullman, Zakynthinou 2020).
//!
//! Neighbouring datasets differ in one record, which is substituted; their number is public.
//!
//! - [`Dataset`] and [`Halfspace`]: what is learned from, and what is learned;
//! - [`pure`]: Algorithm 2, with pure differential privacy, exactly;
//! - [`score`]: its step 4, the number of bad records of every point of the cover;
//! - [`exhaustive`]: the exact privacy loss of Algorithm 2 on small domains.

#![deny(clippy::float_arithmetic)]

mod dataset;
mod error;
pub mod exhaustive;
mod halfspace;
pub mod pure;
pub mod score;

pub use dataset::{Dataset, Record};
pub use error::HalfspaceError;
pub use halfspace::Halfspace;
