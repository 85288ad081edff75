//! What can go wrong in learning with a margin guarantee.

use crate::coins::CoinsError;
use crate::geometry::GeometryError;
use crate::number::{NumberError, OutOfRange};
use crate::privacy::PrivacyError;
use thiserror::Error;

/// An error of the room `margin`: each names the field, its value and what would be right.
///
/// The features of a record are private: no error repeats them.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MarginError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A vector of the wrong length.
    #[error("{what} must have {expected} coordinates, got {found}")]
    Length {
        /// Which vector.
        what: String,
        /// The length that fits.
        expected: usize,
        /// The length as given.
        found: usize,
    },
    /// A record outside the domain, which is refused rather than clipped.
    #[error(
        "record {record} must have norm at most the public radius: clip every record, or scale all by a public factor"
    )]
    OutsideTheBall {
        /// The number of the record, from 0.
        record: usize,
    },
    /// A score that might not fit in its integers.
    #[error("{what} might not fit in its integers: use a coarser grid")]
    Overflow {
        /// What was to be computed.
        what: &'static str,
    },
    /// More candidates than are held in memory.
    #[error(
        "{count} candidates in dimension {dimension} would take {gibibytes} GiB, more than {limit}: \
         take fewer, or project to fewer dimensions"
    )]
    TooManyCandidates {
        /// How many candidates.
        count: usize,
        /// The dimension of each.
        dimension: usize,
        /// What they would take.
        gibibytes: u64,
        /// What may be taken.
        limit: u64,
    },
    /// More values of candidates on records than are held in memory.
    #[error(
        "the values of {count} candidates on {records} records would take {gibibytes} GiB, more than {limit}: take fewer \
         candidates, or fewer records"
    )]
    TooManyValues {
        /// How many candidates.
        count: usize,
        /// How many records.
        records: usize,
        /// What the values would take.
        gibibytes: u64,
        /// What may be taken.
        limit: u64,
    },
    /// A cover that is too large to go through.
    #[error(
        "the cover has {points} points, more than the limit of {limit}: project to fewer dimensions, take a larger radius, \
         or raise the limit"
    )]
    CoverTooLarge {
        /// How many points: a number, or a bound from below.
        points: String,
        /// How many may be gone through.
        limit: u128,
    },
    /// More networks than are gone through.
    #[error(
        "the networks are {networks}, more than the limit of {limit}: take narrower or fewer layers, project to fewer \
         dimensions, take a larger radius, or raise the limit"
    )]
    TooManyNetworks {
        /// How many there are: a number, or a bound from below as a product of the layers' matrices.
        networks: String,
        /// How many networks may be gone through.
        limit: u128,
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
crate::published_in_words!(MarginError);
