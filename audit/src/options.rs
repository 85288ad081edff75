//! Exact options of the command, and the errors of those that are out of range.

use crate::error::Error;
use clap::ValueEnum;
use dp_assay::coins::{ChaCha, CoinsError};
use dp_assay::number::{NumberError, Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// An exact number on the command line.
pub fn number(text: &str) -> Result<Rational, NumberError> {
    rational::parse(text)
}

/// An integer of any size on the command line.
pub fn integer(text: &str) -> Result<BigInt, String> {
    text.parse()
        .map_err(|_| format!("'{text}' is not an integer: write -12 or 40"))
}

/// A seed on the command line.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        format!(
            "'{text}' is not a seed: it must be a whole number from 0 to {}",
            u64::MAX
        )
    })
}

/// Refuses an option that is not above zero.
pub fn above_zero(option: &'static str, value: &Rational) -> Result<(), Error> {
    if value.is_positive() {
        Ok(())
    } else {
        Err(Error::option(option, "above 0", rational::shortly(value)))
    }
}

/// Refuses an option that is not strictly between zero and one.
pub fn between_zero_and_one(option: &'static str, value: &Rational) -> Result<(), Error> {
    if value.is_positive() && *value < Rational::one() {
        Ok(())
    } else {
        Err(Error::option(
            option,
            "above 0 and below 1",
            rational::shortly(value),
        ))
    }
}

/// Refuses an option that is not above zero and at most one.
pub fn in_unit_interval(option: &'static str, value: &Rational) -> Result<(), Error> {
    if value.is_positive() && *value <= Rational::one() {
        Ok(())
    } else {
        Err(Error::option(
            option,
            "above 0 and at most 1",
            rational::shortly(value),
        ))
    }
}

/// The coins, and where they come from in words.
pub fn coins(seed: Option<u64>) -> Result<(ChaCha, String), CoinsError> {
    Ok(match seed {
        None => (
            ChaCha::from_operating_system()?,
            "ChaCha20 seeded by the operating system".to_owned(),
        ),
        Some(seed) => (
            ChaCha::reproducible(seed, 0),
            format!("seed {seed} given: reproducible, NOT private"),
        ),
    })
}
