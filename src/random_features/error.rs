//! What can go wrong in learning a random feature model.

use crate::coins::CoinsError;
use crate::geometry::GeometryError;
use crate::number::{NumberError, OutOfRange};
use crate::optimise::OptimiseError;
use crate::privacy::PrivacyError;
use thiserror::Error;

/// An error of the room `random_features`: each names the field, its value and what would be right.
///
/// The features and the label of a record are private: no error repeats them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RandomFeatureError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A vector of the wrong length.
    #[error("{what} must have {expected} features, got {found}")]
    Length {
        /// Which vector.
        what: String,
        /// The length that fits.
        expected: usize,
        /// The length as given.
        found: usize,
    },
    /// A record with a feature or a label beyond its public bound, which is refused rather than clipped.
    #[error(
        "the {what} of record {record} must be within the public bound: clip every record, or widen it"
    )]
    BeyondBound {
        /// "label" or "features".
        what: &'static str,
        /// The number of the record, from 0.
        record: usize,
    },
    /// More or fewer records than the public description of the data allows.
    #[error("there must be {expected} {limit} records, got {found}")]
    Count {
        /// "exactly" or "at most".
        expected: &'static str,
        /// How many.
        limit: usize,
        /// How many there are.
        found: usize,
    },
    /// The labels are longer than 1 as a vector, where a method was promised that they are not.
    #[error("the vector of the labels must have norm at most 1: scale them by a public factor")]
    LabelsTooLong,
    /// A sum that might not fit in its integers.
    #[error("{what} might not fit in its integers: use coarser grids")]
    Overflow {
        /// What was to be computed.
        what: &'static str,
    },
    /// Features could not be made of a point.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A solver failed, for a public reason.
    #[error(transparent)]
    Optimise(#[from] OptimiseError),
    /// A budget or a calibration could not be.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// A draw failed.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A computation of an enclosure failed.
    #[error(transparent)]
    Number(#[from] NumberError),
}
crate::published_in_words!(RandomFeatureError);
