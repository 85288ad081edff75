//! The claims of Liao, Needell, Schaeffer, Xue 2025 (`lnsx25`): `spec/random-features.md`, row by row.
//!
//! They stand beside their checks, in three files: [`algorithms`] (the algorithm as printed, its repairs),
//! [`theorems`] (bounds with every constant) and [`instances`] (exact small instances, baselines, fairness).

mod algorithms;
mod instances;
mod theorems;

use super::{Claim, Effort, Evidence, LedgerError, Status, refuted, verified};

/// The claims of `spec/random-features.md`.
pub(super) fn claims() -> Vec<Claim> {
    [algorithms::CLAIMS, theorems::CLAIMS, instances::CLAIMS].concat()
}

/// A claim as the paper prints it.
const fn printed(
    id: &'static str,
    item: &'static str,
    statement: &'static str,
    expects: Status,
    check: fn(&Effort) -> Result<Evidence, LedgerError>,
) -> Claim {
    Claim {
        id,
        paper: "lnsx25",
        item,
        statement,
        as_printed: true,
        expects,
        check,
    }
}

/// A claim of ours about the paper: repaired, or explicit.
const fn ours(
    id: &'static str,
    item: &'static str,
    statement: &'static str,
    expects: Status,
    check: fn(&Effort) -> Result<Evidence, LedgerError>,
) -> Claim {
    Claim {
        as_printed: false,
        ..printed(id, item, statement, expects, check)
    }
}
