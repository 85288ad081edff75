//! Exact and certified tests: level and power are computed, not assumed.
//!
//! - [`binomial`]: tails of the binomial distribution, as enclosures;
//! - [`chi_square`]: tails of the chi-square distribution, as enclosures;
//! - [`FrequencyTest`]: does an event come as often as it should? Of stated level and power;
//! - [`clopper_pearson`]: confidence bounds for the probability of an event;
//! - [`NoisySum`]: confidence intervals for a mean, from a sum with noise;
//! - [`TwoSample`]: is an event too frequent on one of two data sets, for an epsilon and a delta?
//! - [`EProcess`]: the same question for outputs that keep coming, at any stopping time;
//! - [`OneRun`]: how many guesses of who was in the data may be right, of one run of a private program;
//! - [`OrderBand`]: confidence bounds for the probabilities of all half-lines at once;
//! - [`Wealth`]: what bets have won, rounded down: both kinds of bets decide on it;
//! - [`power`]: what a test could have missed.
//!
//! [`TwoSample`], [`EProcess`], [`Wealth`], [`clopper_pearson`] and [`power`] judge somebody else's program, many times over, and so compute in floats, rounded
//! to the side on which they accuse less. Each such file says how its errors are bounded.

#![deny(clippy::float_arithmetic)]

pub mod binomial;
pub mod chi_square;
pub mod clopper_pearson;
mod directed;
mod e_process;
mod e_variable;
mod frequency;
mod noisy_sum;
mod null;
pub mod one_run;
pub mod order_band;
pub mod power;
mod two_sample;
mod wealth;
mod window;

pub use e_process::{CellCounts, EProcess, Laws};
pub use e_variable::{EVariable, Side, careful_laws, guessed_laws};
pub use frequency::{FrequencyTest, StatsError};
pub use noisy_sum::{Ends, NoisySum};
pub use null::Null;
pub use one_run::OneRun;
pub use order_band::OrderBand;
pub use two_sample::{TwoSample, delta_lower, simple_epsilon_lower};
pub use wealth::Wealth;

/// The most trials that are spent at once: where more are counted, one machine is not enough.
pub const TRIALS_LIMIT: u64 = 1 << 24;

/// The most canaries of one run: each guess is a step of the bound.
pub const MOST_CANARIES: u64 = 100_000;

/// The most trials on a side that the tests in floats take: their error bounds are proved up to here (`window.rs`).
pub const MOST_TRIALS: u64 = 1 << 40;
