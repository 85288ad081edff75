//! Why a check could not be run.

use crate::coins::CoinsError;
use crate::geometry::GeometryError;
use crate::halfspaces::HalfspaceError;
use crate::number::NumberError;
use crate::optimise::OptimiseError;
use crate::privacy::PrivacyError;
use crate::random_features::RandomFeatureError;
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
    /// A page of `spec/` is malformed, or does not speak of the claims that are checked.
    #[error("{place}: {reason}")]
    Page {
        /// The page, and the line of the heading.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// An enclosure could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A draw or an exploration failed.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A budget or a calibration could not be.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// An instance could not be built.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A learner could not run.
    #[error(transparent)]
    Halfspace(#[from] HalfspaceError),
    /// A random feature model could not be learned.
    #[error(transparent)]
    RandomFeature(#[from] RandomFeatureError),
    /// An instance has no solution.
    #[error(transparent)]
    Optimise(#[from] OptimiseError),
    /// A test could not be set up.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
