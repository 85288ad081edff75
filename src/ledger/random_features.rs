//! The claims of Liao, Needell, Schaeffer, Xue 2025 (`lnsx25`): `spec/random-features.md`, row by row.
//!
//! They stand beside their checks, in three files: [`algorithms`] (the algorithm as printed, its repairs),
//! [`theorems`] (bounds with every constant) and [`instances`] (exact small instances, baselines, fairness).

mod algorithms;
mod instances;
mod theorems;

use super::old::{Claim, Effort, Evidence, LedgerError, Status, ours, printed, refuted, verified};

/// The claims of `spec/random-features.md`.
pub(super) fn claims() -> Vec<Claim> {
    [algorithms::CLAIMS, theorems::CLAIMS, instances::CLAIMS].concat()
}
