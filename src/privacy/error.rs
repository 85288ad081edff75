//! What can go wrong with a privacy statement.

use super::NeighbouringRelation;
use crate::coins::CoinsError;
use crate::number::{NumberError, OutOfRange, Rational, range::require};
use num_traits::{One, Signed};
use thiserror::Error;

/// An error of the room `privacy`: each names what was given and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrivacyError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// Guarantees under different neighbouring relations, which do not add up.
    #[error("the guarantee must be under '{expected}', but it is under '{found}'")]
    OtherNeighbours {
        /// The relation that is needed.
        expected: NeighbouringRelation,
        /// The relation that was given.
        found: NeighbouringRelation,
    },
    /// A composition of no mechanisms.
    #[error("a composition needs at least one mechanism")]
    NothingToCompose,
    /// A delta below what the composed mechanisms already spend.
    #[error("no epsilon reaches delta = {delta}: the steps alone fail with probability {least}")]
    DeltaOutOfReach {
        /// The delta asked for.
        delta: String,
        /// A figure close to the least that is possible.
        least: String,
    },
    /// A calibration that found nothing in its range.
    #[error("no value up to 2^{limit} is enough")]
    OutOfRange {
        /// The end of the search, as a power of two.
        limit: i64,
    },
    /// A composition whose losses are too many to hold.
    #[error(
        "too many privacy losses to convolve, {points}: compose fewer mechanisms, ask for fewer digits, or take a bound \
         such as optimal composition or rho"
    )]
    TooManyLosses {
        /// How many it would need, in words.
        points: String,
    },
    /// An enclosure could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A law could not be built.
    #[error(transparent)]
    Coins(#[from] CoinsError),
}

/// Refuses a delta that is negative, or at least 1 and so promises nothing.
pub(super) fn proper_delta(value: &Rational) -> Result<(), OutOfRange> {
    let right = !value.is_negative() && *value < Rational::one();
    require(right, "delta", value, "at least 0 and below 1")
}
