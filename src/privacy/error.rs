//! What can go wrong with a privacy statement.

use super::NeighbouringRelation;
use crate::coins::CoinsError;
use crate::number::{NumberError, Rational};
use num_traits::{One, Signed};
use thiserror::Error;

/// An error of the room `privacy`: each names what was given and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PrivacyError {
    /// A parameter outside its range.
    #[error("{parameter} must be {expected}, got {value}")]
    Parameter {
        /// The parameter's name.
        parameter: &'static str,
        /// What would be right.
        expected: &'static str,
        /// The value as given.
        value: String,
    },
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
    /// An enclosure could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A law could not be built.
    #[error(transparent)]
    Coins(#[from] CoinsError),
}

fn wrong(
    parameter: &'static str,
    expected: &'static str,
    value: impl ToString,
) -> Result<(), PrivacyError> {
    Err(PrivacyError::Parameter {
        parameter,
        expected,
        value: value.to_string(),
    })
}

/// Refuses what is not above 0.
pub(super) fn above_zero(parameter: &'static str, value: &Rational) -> Result<(), PrivacyError> {
    if value.is_positive() {
        return Ok(());
    }
    wrong(parameter, "above 0", value)
}

/// Refuses what is below 0.
pub(super) fn not_negative(parameter: &'static str, value: &Rational) -> Result<(), PrivacyError> {
    if !value.is_negative() {
        return Ok(());
    }
    wrong(parameter, "at least 0", value)
}

/// Refuses what is not strictly between 0 and 1.
pub(super) fn inside_unit(parameter: &'static str, value: &Rational) -> Result<(), PrivacyError> {
    if value.is_positive() && *value < Rational::one() {
        return Ok(());
    }
    wrong(parameter, "above 0 and below 1", value)
}

/// Refuses a delta that is negative, or at least 1 and so promises nothing.
pub(super) fn proper_delta(value: &Rational) -> Result<(), PrivacyError> {
    if !value.is_negative() && *value < Rational::one() {
        return Ok(());
    }
    wrong("delta", "at least 0 and below 1", value)
}

/// Refuses a count of zero.
pub(super) fn at_least_one(parameter: &'static str, value: u64) -> Result<(), PrivacyError> {
    if value >= 1 {
        return Ok(());
    }
    wrong(parameter, "at least 1", value)
}

/// Refuses a count above `limit`.
pub(super) fn at_most(
    parameter: &'static str,
    value: u64,
    limit: u64,
    expected: &'static str,
) -> Result<(), PrivacyError> {
    if value <= limit {
        return Ok(());
    }
    wrong(parameter, expected, value)
}
