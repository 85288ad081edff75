//! Why there is no ledger, or no such claim.

use thiserror::Error;

/// A ledger that does not fit together, or a pattern without a claim.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// No claim has such an id.
    #[error("no claim matches '{pattern}'")]
    NoSuchClaim {
        /// The pattern as given.
        pattern: String,
    },
    /// A page of `spec/` is malformed, or does not speak of the claims that are checked.
    #[error("{place}: {reason}")]
    Page {
        /// The page, and the line of the heading.
        place: String,
        /// What is wrong.
        reason: String,
    },
}
