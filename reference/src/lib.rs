//! What dp-assay asks you to believe, in plain code: exact numbers, coins, samplers with their laws, certificates of privacy,
//! and every algorithm of four papers, a file each. `README.md` is the tour.
//!
//! Nothing here is fast, and nothing else is needed to read it: the library `dp-assay` has the same things as they ship, and
//! its tests hold them equal to these.

#![deny(clippy::float_arithmetic)]

pub mod coins;
pub mod data;
mod error;
pub mod halfspaces;
pub mod kernels;
pub mod margin;
pub mod number;
pub mod privacy;
pub mod random_features;
pub mod sample;
pub mod vector;

pub use error::Error;
