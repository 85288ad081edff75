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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use num_bigint::BigInt;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Mine {
        #[serde(with = "crate::number::exact_text")]
        epsilon: Rational,
    }

    fn read(text: &str) -> Result<Rational, String> {
        let mine: Result<Mine, _> = serde_json::from_str(&format!("{{\"epsilon\":{text}}}"));
        mine.map(|mine| mine.epsilon)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_number_is_written_as_a_fraction_and_read_exactly() {
        let written = |epsilon| serde_json::to_string(&Mine { epsilon }).unwrap();
        assert_eq!(written(ratio(-7, 3)), r#"{"epsilon":"-7/3"}"#);
        assert_eq!(written(integer(12)), r#"{"epsilon":"12"}"#);
        for (text, value) in [
            (r#""14/6""#, ratio(7, 3)),
            (r#""0.1""#, ratio(1, 10)),
            (r#""1e-6""#, ratio(1, 1_000_000)),
            (r#""0x1.8p+0""#, ratio(3, 2)),
        ] {
            assert_eq!(read(text), Ok(value));
        }
    }

    #[test]
    fn a_number_without_quotes_is_refused() {
        for (text, found) in [
            ("0.1", "floating point `0.1`"),
            ("2", "integer `2`"),
            ("null", "null"),
            ("[1]", "sequence"),
        ] {
            let says = read(text).unwrap_err();
            let expected = format!(
                "invalid type: {found}, expected the number in quotes, such as \"7/3\" or \"0.1\""
            );
            assert!(says.starts_with(&expected), "{says}");
        }
        let says = read(r#""seven""#).unwrap_err();
        assert!(
            says.starts_with("the number: 'seven' is not an exact"),
            "{says}"
        );
    }

    #[test]
    fn what_is_written_is_read_again_and_nothing_longer_is_written() {
        let power = |digits: u32| BigInt::from(10).pow(digits - 1);
        for epsilon in [
            Rational::from_integer(-power(10_000)),
            Rational::new(1.into(), power(10_000)),
        ] {
            let mine = Mine { epsilon };
            let text = serde_json::to_string(&mine).unwrap();
            assert_eq!(serde_json::from_str::<Mine>(&text).unwrap(), mine);
            let epsilon = if mine.epsilon.is_integer() {
                Rational::from_integer(power(10_001))
            } else {
                Rational::new(1.into(), power(10_001))
            };
            let error = serde_json::to_string(&Mine { epsilon }).unwrap_err();
            assert!(
                error.to_string().contains("more than 10000 digits"),
                "{error}"
            );
        }
    }
}
