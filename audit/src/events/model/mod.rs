//! What is fitted to the numbers in the outputs: one logistic model, of two kinds of rows.
//!
//! 1. `logistic.rs`: the design matrix, and the fit by Newton's method.
//! 2. `weighted.rs`: fitted to the numbers themselves, its weights make a feature that people can read: a weighted sum.
//! 3. `line.rs`: fitted to one number, it says where to cut.
//! 4. `odds.rs`: fitted to the steps of the numbers, it believes something of every output, for bets.

mod line;
mod logistic;
mod odds;
mod weighted;

pub(super) use line::Line;
pub(super) use odds::Odds;
pub(super) use weighted::weighted_sum;
