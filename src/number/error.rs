//! What can go wrong with a number.

use thiserror::Error;

/// An error of the room `number`: each names what was given, shortened where it is long, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NumberError {
    /// A text that is not a number.
    #[error(
        "'{}' is not an exact number: write 3/2, 0.1, 1e-6 or 0x1.8p+0",
        shortened(text)
    )]
    NotANumber {
        /// The text as given.
        text: String,
    },
    /// A number whose exponent would need more memory than is reasonable.
    #[error(
        "'{}' is too large or too small: its exponent must be between -{limit} and {limit}",
        shortened(text)
    )]
    ExponentTooLarge {
        /// The text as given.
        text: String,
        /// The largest exponent accepted, in absolute value.
        limit: u32,
    },
    /// A float that is not finite.
    #[error("a float must be finite, got {text}")]
    NotFinite {
        /// `NaN`, `inf` or `-inf`.
        text: String,
    },
    /// A division by an enclosure that contains zero.
    #[error("division by an enclosure that contains zero")]
    DivisionByZero,
    /// An argument outside the domain of a function.
    #[error("{function} is not defined at {argument}: {expected}")]
    OutOfDomain {
        /// The function.
        function: &'static str,
        /// The argument, as an outward-rounded interval.
        argument: String,
        /// The domain, in words.
        expected: &'static str,
    },
    /// A number so small that it is not told from zero.
    #[error("the number is below 2^{exponent}, where numbers are not told from 0")]
    Underflow {
        /// A power of two above it.
        exponent: i64,
    },
    /// The requested digits were not reached.
    #[error("{digits} digits were not reached with {bits} bits of working precision")]
    PrecisionExhausted {
        /// The number of significant decimal digits asked for.
        digits: u32,
        /// The working precision at which we gave up.
        bits: u32,
    },
    /// A sum of too many terms.
    #[error(
        "the sum has {terms}, and at most {most} are summed: ask for fewer digits or for narrower laws"
    )]
    TooManyTerms {
        /// How many terms it has, in words.
        terms: String,
        /// How many are summed at most.
        most: u64,
    },
    /// A grid that does not leave room for its coordinates.
    #[error("a grid of 2^-{bits} is too fine: at most {limit} bits")]
    GridTooFine {
        /// The number of bits asked for.
        bits: u32,
        /// The largest number of bits accepted.
        limit: u32,
    },
    /// A value that does not fit on the grid in 64-bit integers.
    #[error("{} does not fit on the grid 2^-{bits}", shortened(value))]
    OffGrid {
        /// The value as given.
        value: String,
        /// The grid's bits.
        bits: u32,
    },
}

/// `text` as it is, if it has at most 40 letters, and otherwise its first 30 and how many there are: for errors, which
/// repeat what was given.
#[must_use]
pub fn shortened(text: &str) -> String {
    let letters = text.chars().count();
    if letters <= 40 {
        return text.to_owned();
    }
    let first: String = text.chars().take(30).collect();
    format!("{first}... ({letters} letters)")
}
