//! What can go wrong in learning a halfspace.

use crate::coins::CoinsError;
use crate::geometry::GeometryError;
use crate::number::{NumberError, OutOfRange};
use crate::privacy::PrivacyError;
use thiserror::Error;

/// An error of the room `halfspaces`: each names the field, its value and what would be right.
///
/// The features of a record are private: no error repeats them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HalfspaceError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A dataset too small to have a neighbour that shares a record with it.
    #[error("a dataset must have at least 2 records, got {count}")]
    TooFewRecords {
        /// How many there are.
        count: usize,
    },
    /// Data of another shape than what was calibrated for.
    #[error("the data must be {expected}, as in the calibration, got {found}")]
    Shape {
        /// The shape of the plan.
        expected: String,
        /// The shape of the data.
        found: String,
    },
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
    /// A record outside the unit ball, which is refused rather than clipped.
    #[error("record {record} must have norm at most 1: scale all records by a public factor")]
    OutsideTheBall {
        /// The number of the record, from 0.
        record: usize,
    },
    /// An inner product or a score that might not fit in its integers.
    #[error("{what} might not fit in its integers: use a coarser grid or a larger radius")]
    Overflow {
        /// What was to be computed.
        what: &'static str,
    },
    /// A cover with too many points to go through.
    #[error(
        "the cover has {points} points, more than the limit of {limit}: \
         override the projection's dimension or the cover's radius, or raise the limit"
    )]
    CoverTooLarge {
        /// How many, or a lower bound in words.
        points: String,
        /// The most that are accepted.
        limit: u128,
    },
    /// A step of an algorithm as printed that has no result.
    #[error("as printed, {what} is undefined")]
    Undefined {
        /// What has no value.
        what: &'static str,
    },
    /// A budget or a calibration that cannot be.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// An error of the geometry.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// An error of the source of coins.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A computation of an enclosure failed.
    #[error(transparent)]
    Number(#[from] NumberError),
}
crate::published_in_words!(HalfspaceError);
