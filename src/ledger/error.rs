//! Why a check could not be run.

use crate::coins::CoinsError;
use crate::number::NumberError;
use crate::stats::StatsError;
use thiserror::Error;

/// A check that could not be run: not the same as one that failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// No claim has such an id.
    #[error("no claim matches '{pattern}': 'assay claims' lists them all")]
    NoSuchClaim {
        /// The pattern as given.
        pattern: String,
    },
    /// An enclosure could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A draw or an exploration failed.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A test could not be set up.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
