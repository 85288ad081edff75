//! A parameter and its range.
//!
//! Every room refuses a parameter outside its range by the same error, which names the parameter, what it
//! must be and the value, shortened where it is long. A value that stands in the data is private: give a description
//! instead.

use super::Rational;
use super::rational::shortly;
use num_traits::{One, Signed};
use std::fmt;
use thiserror::Error;

/// A parameter outside its range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{parameter} must be {}, got {value}{}", parts(.expected).0, parts(.expected).1)]
pub struct OutOfRange {
    /// The parameter's name.
    pub parameter: &'static str,
    /// What it must be; after a colon, why, or what to do about it.
    pub expected: &'static str,
    /// The value as given.
    pub value: String,
}

impl OutOfRange {
    /// `parameter` must be `expected`, but is `value`.
    #[must_use]
    pub fn new(parameter: &'static str, value: &impl ToString, expected: &'static str) -> Self {
        Self {
            parameter,
            expected,
            value: value.to_string(),
        }
    }
}

/// What a parameter must be, and what comes after the colon, which is said after the value.
fn parts(expected: &str) -> (&str, &str) {
    expected.split_at(expected.find(": ").unwrap_or(expected.len()))
}

/// Refuses `value` unless `right`.
///
/// # Errors
/// [`OutOfRange`], and so for all functions here.
pub fn require(
    right: bool,
    parameter: &'static str,
    value: &impl ToString,
    expected: &'static str,
) -> Result<(), OutOfRange> {
    if right {
        return Ok(());
    }
    Err(OutOfRange::new(parameter, value, expected))
}

/// A value as an error shows it: written only if there is one, since calibrations ask in their innermost loops.
struct Shown<'a>(&'a Rational);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shortly(self.0))
    }
}

/// Refuses a value that is not above 0.
///
/// # Errors
/// [`OutOfRange`].
pub fn above_zero(parameter: &'static str, value: &Rational) -> Result<(), OutOfRange> {
    require(value.is_positive(), parameter, &Shown(value), "above 0")
}

/// Refuses a value below 0.
///
/// # Errors
/// [`OutOfRange`].
pub fn at_least_zero(parameter: &'static str, value: &Rational) -> Result<(), OutOfRange> {
    require(!value.is_negative(), parameter, &Shown(value), "at least 0")
}

/// Refuses a value that is not strictly between 0 and 1.
///
/// # Errors
/// [`OutOfRange`].
pub fn above_zero_below_one(parameter: &'static str, value: &Rational) -> Result<(), OutOfRange> {
    let right = value.is_positive() && *value < Rational::one();
    require(right, parameter, &Shown(value), "above 0 and below 1")
}

/// Refuses a value outside (0, 1].
///
/// # Errors
/// [`OutOfRange`].
pub fn above_zero_at_most_one(parameter: &'static str, value: &Rational) -> Result<(), OutOfRange> {
    let right = value.is_positive() && *value <= Rational::one();
    require(right, parameter, &Shown(value), "above 0 and at most 1")
}

/// Refuses a value outside [0, 1].
///
/// # Errors
/// [`OutOfRange`].
pub fn zero_to_one(parameter: &'static str, value: &Rational) -> Result<(), OutOfRange> {
    let right = !value.is_negative() && *value <= Rational::one();
    require(right, parameter, &Shown(value), "at least 0 and at most 1")
}

/// Refuses a count of zero.
///
/// # Errors
/// [`OutOfRange`].
pub fn at_least_one(parameter: &'static str, count: u64) -> Result<(), OutOfRange> {
    require(count >= 1, parameter, &count, "at least 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn each_range_has_its_ends_where_its_words_say() {
        let (zero, half, one) = (integer(0), ratio(1, 2), integer(1));
        let (below, above) = (ratio(-1, 1000), ratio(1001, 1000));
        type Range = fn(&'static str, &Rational) -> Result<(), OutOfRange>;
        let ranges: [(Range, [bool; 5]); 5] = [
            (above_zero, [false, false, true, true, true]),
            (at_least_zero, [false, true, true, true, true]),
            (above_zero_below_one, [false, false, true, false, false]),
            (above_zero_at_most_one, [false, false, true, true, false]),
            (zero_to_one, [false, true, true, true, false]),
        ];
        for (range, inside) in ranges {
            for (value, inside) in [&below, &zero, &half, &one, &above].into_iter().zip(inside) {
                assert_eq!(range("x", value).is_ok(), inside, "{value}");
            }
        }
        assert!(at_least_one("n", 0).is_err() && at_least_one("n", 1).is_ok());
    }

    #[test]
    fn the_error_names_parameter_range_and_value() {
        assert_eq!(
            above_zero_below_one("beta", &ratio(3, 2))
                .unwrap_err()
                .to_string(),
            "beta must be above 0 and below 1, got 3/2"
        );
        assert_eq!(
            OutOfRange::new("the degree", &9, "at most 8: take a sketch").to_string(),
            "the degree must be at most 8, got 9: take a sketch"
        );
    }
}
