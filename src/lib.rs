//! Exact reference implementations of differentially private learning, and a ledger that re-checks
//! the claims of the papers they come from.

pub mod coins;
pub mod law;
pub mod number;
pub mod privacy;
pub mod sample;
pub mod stats;

#[cfg(feature = "learners")]
pub mod geometry;
#[cfg(feature = "learners")]
pub mod ledger;
