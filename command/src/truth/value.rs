//! A value to so many digits.

use super::second::{agrees, passes};
use super::{Given, Place, Quantity};
use crate::error::Error;
use dp_assay::accountant::Known;
use dp_assay::number::{Enclosure, NumberError, Rational, certify, rational};

/// A number at a working precision in bits.
type Computation<'a> = dyn Fn(u32) -> Result<Enclosure, NumberError> + 'a;

/// Whether a second arithmetic agrees with an enclosure to so many digits; nothing where it does not know.
type Second<'a> = dyn Fn(&Enclosure, u32) -> Option<bool> + 'a;

/// The ends of what is computed in doubles are shown to so many digits.
const MOST_OF_DOUBLES: u32 = 12;

/// A number to so many digits, or as many as can be had.
type Sharpest<'a> = dyn Fn(u32) -> Result<Known, Error> + 'a;

/// What a quantity is.
pub enum Answer<'a> {
    /// This number.
    Exact(Rational),
    /// A number that is enclosed at any precision.
    Enclosed(Box<Computation<'a>>),
    /// The same, and whether a second arithmetic agrees.
    Witnessed(Box<Computation<'a>>, Box<Second<'a>>),
    /// A number of which only so many digits can be had.
    Sharpest(Box<Sharpest<'a>>),
    /// A number that is at most this; how far below is not known.
    AtMost(Rational),
}

impl<'a> Answer<'a> {
    /// An enclosed number.
    pub fn enclosed(function: impl Fn(u32) -> Result<Enclosure, NumberError> + 'a) -> Self {
        Self::Enclosed(Box::new(function))
    }

    /// A number of which only so many digits can be had.
    pub fn sharpest(function: impl Fn(u32) -> Result<Known, Error> + 'a) -> Self {
        Self::Sharpest(Box::new(function))
    }

    /// An enclosed number, computed twice.
    pub fn witnessed(
        function: impl Fn(u32) -> Result<Enclosure, NumberError> + 'a,
        second: impl Fn(u32) -> Option<Enclosure> + 'a,
    ) -> Self {
        let second =
            move |first: &Enclosure, digits: u32| agrees(second(first.bits()), first, digits);
        Self::Witnessed(Box::new(function), Box::new(second))
    }

    /// An enclosed number, at which a rising function passes a value by the second arithmetic too.
    pub fn rising_through(
        function: impl Fn(u32) -> Result<Enclosure, NumberError> + 'a,
        rising: impl Fn(&Rational, u32) -> Option<Enclosure> + 'a,
        value: &Rational,
    ) -> Self {
        let below = -value;
        let second = move |first: &Enclosure, _: u32| {
            passes(|x, bits| Some(-rising(x, bits)?), &below, first)
        };
        Self::Witnessed(Box::new(function), Box::new(second))
    }

    /// An enclosed number, at which a falling function passes a value by the second arithmetic too.
    pub fn falling_through(
        function: impl Fn(u32) -> Result<Enclosure, NumberError> + 'a,
        falling: impl Fn(&Rational, u32) -> Option<Enclosure> + 'a,
        value: &'a Rational,
    ) -> Self {
        let second = move |first: &Enclosure, _: u32| passes(&falling, value, first);
        Self::Witnessed(Box::new(function), Box::new(second))
    }
}

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// It is a rational number, and known.
    Exact,
    /// It lies between two decimals.
    Enclosure,
    /// It is at most a decimal.
    UpperBound,
}

impl Worth {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Enclosure => "enclosure",
            Self::UpperBound => "upper bound",
        }
    }
}

/// A value to so many digits.
#[derive(Debug, Clone)]
pub struct Value {
    /// What is known of it.
    pub worth: Worth,
    /// A decimal that is not above it; absent for a bound.
    pub lo: Option<String>,
    /// A decimal that is not below it.
    pub hi: String,
    /// The rational number that it is, if it is known to be one.
    pub exact: Option<Rational>,
    /// Whether the second arithmetic agreed.
    pub is_witnessed: bool,
    /// Why it has fewer digits than were asked for, if it has.
    pub limit: Option<String>,
}

impl Value {
    /// The value of a quantity at a place, to so many significant digits.
    ///
    /// # Errors
    /// A place where the quantity is not defined, a value too near 0, digits that are out of reach.
    pub fn of(
        quantity: &Quantity,
        given: &Given,
        place: &Place,
        digits: u32,
    ) -> Result<Self, Error> {
        let given = given.at_place(place.clone());
        let label = || quantity.label(place);
        let mut is_witnessed = false;
        let mut shown = digits;
        let mut limit = None;
        let known = |value: &Computation| {
            certified(digits, value).map_err(|shortfall| match shortfall {
                Shortfall::NearZero(exponent) => near_zero(quantity, &label(), exponent),
                Shortfall::Digits => Error::option(
                    "--digits",
                    "fewer: this value is not known so exactly",
                    digits,
                ),
                Shortfall::Number(error) => error.into(),
            })
        };
        let value = match (quantity.answer)(&given)? {
            Answer::Exact(value) => return Ok(Self::exactly(value, digits)),
            Answer::AtMost(bound) => {
                return Ok(Self {
                    worth: Worth::UpperBound,
                    lo: None,
                    hi: rational::to_scientific_above(&bound, digits),
                    exact: None,
                    is_witnessed,
                    limit: None,
                });
            }
            Answer::Enclosed(value) => known(&*value)?,
            Answer::Sharpest(value) => {
                shown = digits.min(MOST_OF_DOUBLES);
                let known = value(digits)?;
                limit = limited(&known);
                known.value
            }
            Answer::Witnessed(value, second) => {
                let value = known(&*value)?;
                let agreed = second(&value, digits);
                if agreed == Some(false) {
                    return Err(Error::Usage(format!(
                        "{}: the two arithmetics disagree about {value}: a defect, please report it",
                        label()
                    )));
                }
                is_witnessed = agreed == Some(true);
                value
            }
        };
        // An enclosure without a width is a number.
        if value.lo() == value.hi() {
            let mut value = Self::exactly(value.lower(), digits);
            value.is_witnessed = is_witnessed;
            return Ok(value);
        }
        let (lo, hi) = value.to_decimals(shown);
        Ok(Self {
            worth: Worth::Enclosure,
            lo: Some(lo),
            hi,
            exact: None,
            is_witnessed,
            limit,
        })
    }

    fn exactly(value: Rational, digits: u32) -> Self {
        Self {
            worth: Worth::Exact,
            lo: Some(rational::to_scientific_below(&value, digits)),
            hi: rational::to_scientific_above(&value, digits),
            exact: Some(value),
            is_witnessed: false,
            limit: None,
        }
    }

    /// Whether the other enclosure lies in this one.
    #[cfg(test)]
    pub fn contains(&self, other: &Self) -> bool {
        let read = |text: &str| rational::parse(text).unwrap();
        let lo = |value: &Self| value.lo.as_deref().map(read);
        lo(self) <= lo(other) && read(&other.hi) <= read(&self.hi)
    }
}

/// Why a value has no more digits, and how many it has.
fn limited(known: &Known) -> Option<String> {
    let digits = (1..=MOST_OF_DOUBLES)
        .rev()
        .find(|digits| known.value.has_digits(*digits));
    known.limit.map(|limit| match digits {
        Some(1) => format!("only 1 digit can be had: {}", limit.words()),
        Some(digits) => format!("only {digits} digits can be had: {}", limit.words()),
        None => format!("no digit can be had: {}", limit.words()),
    })
}

fn near_zero(quantity: &Quantity, label: &str, exponent: i64) -> Error {
    // The options that move it.
    let options: Vec<&str> = quantity.takes.iter().map(|takes| takes.option()).collect();
    let options = match options[..] {
        [] => "the parameters".to_owned(),
        _ => options.join(" or "),
    };
    Error::Usage(format!(
        "{label} is below 2^{exponent}, and its digits are not known at this precision: change {options} so that it is larger"
    ))
}

/// Why a value is not known to so many digits.
enum Shortfall {
    /// It is below this power of two.
    NearZero(i64),
    Digits,
    Number(NumberError),
}

/// The value to so many digits, and a little sharper, so that rounding outward costs one unit in the last digit.
///
/// The precision is bounded: beyond the digits asked for it allows for 4,096 bits of cancellation, as of a fraction
/// with numbers of 1,024 bits against another.
fn certified(digits: u32, value: &Computation) -> Result<Enclosure, Shortfall> {
    let most = 8 * (digits + 4) + 4096;
    let known = certify(digits + 4, |bits| match bits > most {
        true => Err(NumberError::PrecisionExhausted { digits, bits }),
        false => value(bits),
    });
    match known {
        Err(NumberError::PrecisionExhausted { .. }) => match value(4096) {
            Ok(rough) if !rough.has_digits(1) && rough.hi().magnitude() < 0 => {
                Err(Shortfall::NearZero(rough.hi().magnitude()))
            }
            Ok(_) | Err(NumberError::PrecisionExhausted { .. }) => Err(Shortfall::Digits),
            Err(error) => Err(Shortfall::Number(error)),
        },
        Err(NumberError::Underflow { exponent }) => Err(Shortfall::NearZero(exponent)),
        known => known.map_err(Shortfall::Number),
    }
}
