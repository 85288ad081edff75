//! What can go wrong in geometry.

use crate::coins::CoinsError;
use crate::number::{NumberError, OutOfRange};
use thiserror::Error;

/// An error of the room `geometry`: each names what was given and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A vector of the wrong length.
    #[error("the vector must have {expected} coordinates, got {found}")]
    Length {
        /// The length that fits.
        expected: usize,
        /// The length as given.
        found: usize,
    },
    /// Coordinates of a point out of order.
    #[error("the indices of a point's coordinates must ascend, and none may occur twice")]
    Order,
    /// A coordinate that the domain does not have.
    #[error("the index {index} of a coordinate must be below the dimension {dimension}")]
    Index {
        /// The index, from 0.
        index: u32,
        /// The dimension of the domain.
        dimension: usize,
    },
    /// A public point outside its domain.
    #[error("the point must have norm at most the radius of the domain")]
    OutsideTheBall,
    /// A vector whose signed sums might not fit in 64 bits.
    #[error(
        "the absolute values of the coordinates must sum to less than 2^63: use a coarser grid"
    )]
    Overflow,
    /// A score that might not fit in 64 bits.
    #[error("a score might not fit in 64 bits: use a coarser grid or a larger radius")]
    ScoreOverflow,
    /// A cover with too many points to visit.
    #[error("the cover has {points} points, more than the limit of {limit}")]
    TooManyPoints {
        /// How many, or a lower bound in words.
        points: String,
        /// The most that are accepted.
        limit: u128,
    },
    /// A random projection could not be drawn.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A computation of an enclosure failed.
    #[error(transparent)]
    Number(#[from] NumberError),
}
crate::published_in_words!(GeometryError);
