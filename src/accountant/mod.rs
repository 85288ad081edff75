//! Certified accounting: epsilon and delta of many steps, between two ends that both are proved.
//!
//! The one privacy-bearing room in which floats are used. Every double carries a proven error that is charged to the
//! answer, which is an interval; `spec/accounting.md` has the theorems.
//!
//! - [`interval`], [`double`], [`normal`]: doubles with their errors;
//! - [`pairs`]: the pair of laws of one step, as [`cells`] along its privacy loss;
//! - [`companions`]: two laws on a grid, one above the pair and one below;
//! - [`sums`]: laws of sums, one above and one below, for what is a mean of many likelihood ratios;
//! - [`tilt`]: what to multiply masses by, so that errors are relative to delta; [`transform`]: Fourier, every error bounded;
//! - [`total`]: the sum of all steps; [`curve`]: its delta at an epsilon, and back;
//! - [`residues`]: the same convolution in exact integers, which tests hold against the transform;
//! - `refine`: finer grids, until the digits are there; [`steps`]: what is asked and answered;
//! - [`budget`]: the least noise and the most steps for a budget.

pub mod budget;
pub mod cells;
pub mod companions;
pub mod curve;
pub mod double;
mod error;
pub mod interval;
pub mod normal;
pub mod pairs;
mod refine;
pub mod residues;
pub mod steps;
pub mod sums;
#[cfg(test)]
mod tests;
pub mod tilt;
pub mod total;
pub mod transform;

pub use budget::{Allowed, Budget, Verdict};
pub use error::AccountantError;
pub use refine::Limit;
pub use steps::{Account, Known, Mechanism, Relation, Step};
