//! Exact numbers as text, for `serde` (feature `serde`): `"7/3"`, `"12"`, never a float.
//!
//! For a field of your own: `#[serde(with = "dp_assay::number::exact_text")]`. Read is what [`rational::parse`] reads,
//! `"0.1"` as one tenth, but no number without quotes: other programs make floats of those.

use super::rational::{self, EXPONENT_LIMIT};
use super::{NumberError, Rational};
use num_bigint::BigUint;
use serde::de::{self, Deserializer, Visitor};
use serde::ser::{self, Serializer};
use std::fmt;

/// Writes `7/3`, or `12` where it is an integer.
///
/// # Errors
/// Those of the format; a number of more than [`EXPONENT_LIMIT`] digits, which would not be read again.
pub fn serialize<S: Serializer>(value: &Rational, to: S) -> Result<S::Ok, S::Error> {
    let text = value.to_string();
    let is_long = |digits: &str| digits.trim_start_matches('-').len() > EXPONENT_LIMIT as usize;
    if text.split('/').any(is_long) {
        let limit = format_args!("a number of more than {EXPONENT_LIMIT} digits is not written");
        return Err(ser::Error::custom(limit));
    }
    to.serialize_str(&text)
}

/// Reads what [`rational::parse`] reads.
///
/// # Errors
/// Those of the format; a number without quotes; and those of [`rational::parse`].
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rational, D::Error> {
    named(from, "the number")
}

/// A number, whose name is said in an error.
pub(crate) fn named<'de, D: Deserializer<'de>>(
    from: D,
    name: &'static str,
) -> Result<Rational, D::Error> {
    from.deserialize_str(Text { name })
}

/// A whole number of at least 0, whose name is said in an error.
pub(crate) fn named_count<'de, D: Deserializer<'de>>(
    from: D,
    name: &'static str,
) -> Result<BigUint, D::Error> {
    let value = named(from, name)?;
    let whole = value.is_integer().then(|| value.to_integer());
    whole.and_then(|whole| whole.to_biguint()).ok_or_else(|| {
        let value = rational::shortly(&value);
        let wrong = format_args!("{name} must be a whole number of at least 0, got {value}");
        de::Error::custom(wrong)
    })
}

struct Text {
    name: &'static str,
}

impl Visitor<'_> for Text {
    type Value = Rational;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name;
        write!(formatter, "{name} in quotes, such as \"7/3\" or \"0.1\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Rational, E> {
        let named = |error: NumberError| E::custom(format_args!("{}: {error}", self.name));
        rational::parse(text).map_err(named)
    }
}
