//! Exact reference implementations of differentially private learning.
//!
//! A room imports what stands above it in this list, never what stands below:
//!
//! - [`pattern`]: names in which `*` stands for any text;
//! - [`number`]: rationals, the public grid that data lives on, certified enclosures of real functions;
//! - [`coins`]: where randomness comes from, and the explorer that runs sampling code on every outcome;
//! - [`sample`]: exact samplers; [`law`]: their exact laws; [`prepared`]: the same laws, drawn fast;
//! - [`privacy`]: neighbours, budgets, composition, calibration, rounded to the safe side;
//! - [`stats`]: certified tests, of computed level and power;
//! - [`accountant`]: epsilon and delta of many steps, between two certified ends;
//! - `geometry`, `optimise`, `halfspaces`, `kernels`, `margin`, `random_features`: the learners of the papers (feature
//!   `learners`, on by default).
//!
//! The package `dp-assay-ledger` has the papers' claims, and the check of each.
//!
//! | feature | adds |
//! |---|---|
//! | `learners` | the learners of the papers; on by default: without it the crate is the exact core |
//! | `rand` | every law as a `rand` distribution, for simulations: `generator.sample(&law)` |
//! | `serde` | laws, and exact numbers in structures of your own, written and read as text: `{"scale":"7/3"}` |
//! | `proptest`, `quickcheck` | neighbouring datasets, laws and exact parameters for property tests |
//!
//! Coins come from the operating system, from a seed, or from any cryptographic generator of the `rand` ecosystem.
//!
//! ```
//! use dp_assay::coins::{ChaCha, Coins};
//! use dp_assay::number::rational::ratio;
//! use dp_assay::sample::DiscreteLaplace;
//!
//! let mut coins = ChaCha::from_operating_system()?;
//! let noise = coins.draw(&DiscreteLaplace::new(ratio(7, 3))?)?;
//! # let _ = noise;
//! # Ok::<(), dp_assay::coins::CoinsError>(())
//! ```

pub mod accountant;
pub mod coins;
pub mod law;
pub mod number;
pub mod pattern;
pub mod prepared;
pub mod privacy;
pub mod sample;
pub mod stats;

#[cfg(feature = "learners")]
pub mod geometry;
#[cfg(feature = "learners")]
pub mod halfspaces;
#[cfg(feature = "learners")]
pub mod kernels;
#[cfg(feature = "learners")]
pub mod margin;
#[cfg(feature = "learners")]
pub mod optimise;
#[cfg(feature = "learners")]
pub mod random_features;
