//! Is the claim false? From a claim and a pair of datasets to a verdict with a proof.

mod answers;
mod bets;
mod exact_test;
mod pair;
mod power;
mod shorten;

pub use answers::Answers;
pub use bets::BETTORS;
pub use pair::*;
pub use power::*;
pub use shorten::{CANDIDATES, MOST_CALLS, shorten_event};
