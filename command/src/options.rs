//! What options of several commands are: exact numbers and their ranges, the form of a result, the coins.

use clap::ValueEnum;
use dp_assay::coins::{ChaCha, CoinsError};
use dp_assay::number::rational::ratio;
use dp_assay::number::{NumberError, Rational, rational};
use num_bigint::BigUint;
use num_traits::{One, Signed, ToPrimitive};
use std::ops::RangeInclusive;

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// No number on the command line or in a model file has more digits, above or below its fraction's line.
pub const MOST_DIGITS: u32 = 300;

/// No number of a [`Range`] has more digits, above or below its fraction's line.
const MOST_DIGITS_IN_A_RANGE: u32 = 120;

/// An exact number on the command line.
pub fn number(text: &str) -> Result<Rational, String> {
    match rational::parse(text) {
        Ok(value) if has_digits(&value, MOST_DIGITS) => Ok(value),
        Ok(_) | Err(NumberError::ExponentTooLarge { .. }) => Err(
            "it must be 0 or from 1e-300 to 1e300 in absolute value, and have at most 300 digits"
                .to_owned(),
        ),
        Err(_) => Err("it must be an exact number, such as 3/2, 0.1, 1e-6 or 0x1.8p+0".to_owned()),
    }
}

/// Whether numerator and denominator are at most `10^digits`.
fn has_digits(value: &Rational, digits: u32) -> bool {
    let most = BigUint::from(10u32).pow(digits);
    *value.numer().magnitude() <= most && *value.denom().magnitude() <= most
}

/// What a number on the command line may be: where it makes sense, and within that where everything is computed quickly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Above 0 and below 1.
    Probability,
    /// Above 0 and at most 1/2: above, next to nothing is promised.
    Delta,
    /// Above 0 and below 1; not as small.
    Accuracy,
    /// Above 0 and at most 1.
    Margin,
    /// Above 0 and at most 1; not as small, since a learner's projection must have fewer than 2^64 rows.
    LearnedMargin,
    /// From 0 to 1.
    Threshold,
    /// From 0 on and below 1.
    Fraction,
    /// Above 0.
    Epsilon,
    /// Above 0 and below 1/2.
    BelowHalf,
    /// Above 0 and whole.
    Count,
    /// Above 0.
    Positive,
    /// Above 0, in units of half the label's interval, which has 2^16 steps.
    Residual,
}

impl Range {
    /// Reads numbers of this range.
    pub fn parser(self) -> impl Fn(&str) -> Result<Rational, String> + Clone + Send + Sync {
        move |text| {
            let value = number(text)?;
            self.check(&value)?;
            Ok(value)
        }
    }

    /// Refuses what is out of range, and says what would be right.
    fn check(self, value: &Rational) -> Result<(), String> {
        let ten = |exponent: i32| rational::integer(10).pow(exponent);
        let one = Rational::one();
        let (fits, range) = match self {
            Self::Probability => (
                *value >= ten(-100) && *value < one,
                "above 0 and below 1, and here at least 1e-100",
            ),
            Self::Delta => (
                *value >= ten(-100) && *value <= ratio(1, 2),
                "above 0 and at most 1/2, and here at least 1e-100",
            ),
            Self::Accuracy => (
                *value >= ten(-9) && *value < one,
                "above 0 and below 1, and here at least 1e-9",
            ),
            Self::Margin => (
                *value >= ten(-9) && *value <= one,
                "above 0 and at most 1, and here at least 1e-9",
            ),
            Self::LearnedMargin => (
                *value >= ten(-5) && *value <= one,
                "above 0 and at most 1, and here at least 1e-5",
            ),
            Self::Threshold => (
                !value.is_negative() && *value <= one,
                "at least 0 and at most 1",
            ),
            Self::Fraction => (
                !value.is_negative() && *value < one,
                "at least 0 and below 1",
            ),
            Self::Epsilon => (
                (ten(-9)..=ten(4)).contains(value),
                "above 0, and here from 1e-9 to 1e4",
            ),
            Self::BelowHalf => (
                *value >= ten(-9) && *value < ratio(1, 2),
                "above 0 and below 1/2, and here at least 1e-9",
            ),
            Self::Count => (
                value.is_integer() && (one..=rational::integer(1u64 << 63)).contains(value),
                "a whole number from 1 to 2^63",
            ),
            Self::Positive => (
                (ten(-9)..=ten(9)).contains(value),
                "above 0, and here from 1e-9 to 1e9",
            ),
            Self::Residual => (
                (ratio(1, 1 << 16)..=ratio(1 << 10, 1)).contains(value),
                "above 0, and here from 1/65536 to 1024",
            ),
        };
        if !fits {
            return Err(format!("it must be {range}"));
        }
        if !has_digits(value, MOST_DIGITS_IN_A_RANGE) {
            return Err("it must have at most 120 digits".to_owned());
        }
        Ok(())
    }
}

/// A whole number on the command line, also as 1e3.
pub fn whole(text: &str) -> Result<u64, String> {
    rational::parse(text)
        .ok()
        .filter(Rational::is_integer)
        .and_then(|value| value.to_integer().to_u64())
        .ok_or_else(|| format!("it must be a whole number from 0 to {}", u64::MAX))
}

/// A whole number of this range on the command line, also as 1e3.
pub fn whole_in<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let (least, most) = (range.start(), range.end());
        let value = whole(text).ok().filter(|value| range.contains(value));
        value
            .and_then(|value| T::try_from(value).ok())
            .ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
    }
}

/// The largest `u32`, where nothing smaller bounds a number.
pub const MOST: u64 = u32::MAX as u64;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_300_digits() {
        for text in ["1e300", "-1e-300", "0", "0e9999", "0x1p-990"] {
            assert!(number(text).is_ok(), "{text}");
        }
        let long = format!("0.{}1", "7".repeat(300));
        for text in ["1e301", "-1e-301", "1e9999", "1e-9999", "1e99999", &long] {
            let message = number(text).unwrap_err();
            assert!(message.contains("from 1e-300 to 1e300"), "{message}");
        }
        for text in ["", "inf", "NaN", "1/0"] {
            let message = number(text).unwrap_err();
            assert!(message.contains("an exact number, such as"), "{message}");
        }
    }

    #[test]
    fn whole_numbers_are_exact_and_within_their_range() {
        let read = whole_in::<u32>(1..=64);
        for (text, value) in [("1", 1), ("64", 64), ("1e1", 10), ("128/2", 64), ("5.0", 5)] {
            assert_eq!(read(text), Ok(value), "{text}");
        }
        for text in ["0", "65", "-5", "2.5", "x", "", "1e18", "1e400", "nan"] {
            let message = read(text).unwrap_err();
            assert_eq!(message, "it must be a whole number from 1 to 64", "{text}");
        }
        let large = whole_in::<u128>(0..=u64::MAX);
        assert_eq!(large("18446744073709551615"), Ok(u128::from(u64::MAX)));
        assert!(large("18446744073709551616").is_err());
    }

    #[test]
    fn each_range_has_its_ends_where_its_words_say() {
        let is = |range: Range, text: &str| range.parser()(text).is_ok();
        for (range, inside, outside) in [
            (Range::Probability, ["1e-100", "0.999"], ["9e-101", "1"]),
            (Range::Delta, ["1e-100", "1/2"], ["9e-101", "0.501"]),
            (Range::Accuracy, ["1e-9", "0.999"], ["9e-10", "1"]),
            (Range::Margin, ["1e-9", "1"], ["9e-10", "1.001"]),
            (Range::LearnedMargin, ["1e-5", "1"], ["9e-6", "1.001"]),
            (Range::Threshold, ["0", "1"], ["-1e-9", "1.001"]),
            (Range::Fraction, ["0", "0.999"], ["-1e-9", "1"]),
            (Range::Epsilon, ["1e-9", "1e4"], ["9e-10", "10001"]),
            (Range::BelowHalf, ["1e-9", "0.499"], ["9e-10", "1/2"]),
            (Range::Count, ["1", "9223372036854775808"], ["0", "3/2"]),
            (Range::Positive, ["1e-9", "1e9"], ["9e-10", "1e10"]),
            (Range::Residual, ["1/65536", "1024"], ["1/65537", "1025"]),
        ] {
            for text in inside {
                assert!(is(range, text), "{range:?}: {text}");
            }
            for text in outside {
                assert!(!is(range, text), "{range:?}: {text}");
            }
        }
        let digits = |count| format!("0.{}", "7".repeat(count));
        assert!(is(Range::Probability, &digits(120)));
        assert!(!is(Range::Probability, &digits(121)));
    }
}
