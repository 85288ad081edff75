//! Exact reference implementations of differentially private learning, and a ledger that re-checks
//! the claims of the papers they come from.

pub mod number;
