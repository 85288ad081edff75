//! What options of several commands are: exact numbers, the form of a result, the coins.

use clap::ValueEnum;
use dp_assay::coins::{ChaCha, CoinsError};
use dp_assay::number::{NumberError, Rational, rational};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

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

/// A whole number on the command line, also as 1e3.
pub fn whole(text: &str) -> Result<u64, String> {
    rational::parse(text)
        .ok()
        .filter(Rational::is_integer)
        .and_then(|value| value.to_integer().to_u64())
        .ok_or_else(|| format!("it must be a whole number from 0 to {}", u64::MAX))
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
