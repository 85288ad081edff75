//! Exact and certified tests: level and power are computed, not assumed.
//!
//! - [`binomial`]: tails of the binomial distribution, as enclosures;
//! - [`FrequencyTest`]: does an event come as often as it should? Of stated level and power.

#![deny(clippy::float_arithmetic)]

pub mod binomial;
mod frequency;

pub use frequency::{FrequencyTest, StatsError};
