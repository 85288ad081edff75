//! Features: what can be read off an output. Every one is defined on every output, if only as "not there".

use super::{bits, numerals};
pub(super) use crate::targets::EXACT;
use crate::targets::{Output, hex, read_hex};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Ordering;

/// A double that is compared by its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Real(u64);

impl Real {
    /// This double.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Self(value.to_bits())
    }

    /// As a double.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// To so many significant digits.
    pub(in crate::events) fn rounded(self, digits: usize) -> Self {
        let value = self.get();
        let text = format!("{value:.*e}", digits.saturating_sub(1));
        Self::new(text.parse().unwrap_or(value))
    }
}

/// In hexadecimal, with all its bits.
impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(self.0))
    }
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match read_hex(&text) {
            Some(Ok(bits)) => Ok(Self(bits)),
            _ => Err(D::Error::custom(
                "expected a double in hexadecimal, such as \"0x1.8p+0\"",
            )),
        }
    }
}

/// A term of a weighted sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The weight.
    pub weight: Real,
    /// What is weighted.
    pub feature: Feature,
}

/// A place in a text or in bytes, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// From the start.
    First(usize),
    /// From the end.
    Last(usize),
}

/// A step from an output to a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// To an entry of a vector.
    Entry(usize),
    /// To the value under a name of an object: the first one, if it stands there twice.
    Name(String),
    /// To a number that is written in a label, from the first, which is 0.
    Numeral(usize),
    /// The same from the last, which is 0.
    LastNumeral(usize),
}

/// Something that can be read off an output. `at` is a coordinate, or nothing for the whole output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Feature {
    /// The number itself, or its nearest double; not for NaN.
    Number {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The number less an integer: exact near it, where doubles are far apart. What is compared with a bound is
    /// the difference itself, and only sums and cells take its nearest double.
    Offset {
        /// The coordinate.
        at: Option<usize>,
        /// The integer.
        from: Output,
    },
    /// The exponent of the lowest set bit of a number other than zero.
    LowBit {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The exponent of the highest set bit of a number other than zero.
    Exponent {
        /// The coordinate.
        at: Option<usize>,
    },
    /// How many entries a vector or an object has, letters a label, or bytes there are.
    Length,
    /// The sum of the numbers in a vector, and in the vectors in it.
    Sum,
    /// The sum of their squares: noise of another scale shows in it.
    Squares,
    /// The largest of their magnitudes.
    Largest,
    /// What remains of their sum, divided by the modulus, if all of them are whole: at least 0.
    SumResidue {
        /// The modulus.
        modulus: u32,
    },
    /// A weighted sum of features that have an order, such as coordinates. A term that is not there counts
    /// as 0; the sum is not there if none of its terms is, or if it is NaN.
    Weighted {
        /// The terms, added in this order.
        terms: Vec<Term>,
    },
    /// The output, or its coordinate, bit for bit.
    Exact {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The same but for what the bits of doubles tell beside their values: -0 is 0, and all NaN are one.
    Value {
        /// The coordinate.
        at: Option<usize>,
    },
    /// Which of NaN, -0, 0, inf, -inf or finite a number is.
    Class {
        /// The coordinate.
        at: Option<usize>,
    },
    /// Which of NaN, inf, -inf or finite a number is.
    Finiteness {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The bits of a NaN; nothing if it is none.
    Payload {
        /// The coordinate.
        at: Option<usize>,
    },
    /// What it is: a number, a text, an array, ...: [`crate::targets::OutputKind`].
    Kind {
        /// The coordinate.
        at: Option<usize>,
    },
    /// The remainder of a whole number, at least 0.
    Residue {
        /// The coordinate.
        at: Option<usize>,
        /// What it is divided by; nothing remains if this is 0.
        modulus: u32,
    },
    /// The first entries of a vector or an object, as values; or letters of a label, or bytes.
    Prefix {
        /// How many; fewer if there are not so many.
        length: usize,
    },
    /// The last letters of a label, or bytes.
    Suffix {
        /// How many; fewer if there are not so many.
        length: usize,
    },
    /// A letter of a label.
    Character {
        /// Where.
        place: Place,
    },
    /// Whether a word is in a label: letters and digits, between other characters.
    Word {
        /// The word.
        word: String,
    },
    /// A byte, as a number from 0 to 255.
    Byte {
        /// Where.
        place: Place,
    },
    /// A bit of a byte, 0 or 1.
    Bit {
        /// Where the byte is.
        place: Place,
        /// Which bit of it, from the lowest, 0.
        bit: u32,
    },
    /// Whether an object has a name.
    Has {
        /// The name.
        name: String,
    },
    /// The names of an object, in their order.
    Names,
    /// The message of an error; nothing if there is none.
    Error,
    /// A feature of a part of the output.
    Within {
        /// The steps to the part.
        path: Vec<Step>,
        /// What is read there.
        feature: Box<Feature>,
    },
}

impl Feature {
    /// Whether its values have an order that means something: [`Feature::value`], and otherwise
    /// [`Feature::key`].
    pub(in crate::events) fn is_ordered(&self) -> bool {
        match self {
            Self::Number { .. }
            | Self::Offset { .. }
            | Self::LowBit { .. }
            | Self::Exponent { .. }
            | Self::Length
            | Self::Sum
            | Self::Squares
            | Self::Largest
            | Self::Byte { .. }
            | Self::Weighted { .. } => true,
            Self::Exact { .. }
            | Self::Value { .. }
            | Self::Class { .. }
            | Self::Finiteness { .. }
            | Self::Payload { .. }
            | Self::Character { .. }
            | Self::Word { .. }
            | Self::Bit { .. }
            | Self::Has { .. }
            | Self::Names
            | Self::Kind { .. }
            | Self::Residue { .. }
            | Self::SumResidue { .. }
            | Self::Prefix { .. }
            | Self::Suffix { .. }
            | Self::Error => false,
            Self::Within { feature, .. } => feature.is_ordered(),
        }
    }

    /// Whether it is a number in the output.
    pub(in crate::events) fn is_number(&self) -> bool {
        match self {
            Self::Number { .. } | Self::Offset { .. } => true,
            Self::Within { feature, .. } => feature.is_number(),
            _ => false,
        }
    }

    /// Whether it is the place of a bit.
    pub(in crate::events) fn is_bit(&self) -> bool {
        match self {
            Self::LowBit { .. } | Self::Exponent { .. } => true,
            Self::Within { feature, .. } => feature.is_bit(),
            _ => false,
        }
    }

    /// How an ordered feature compares with a bound: exactly, also for integers that are no doubles.
    pub(in crate::events) fn compare(&self, output: &Output, bound: f64) -> Option<Ordering> {
        let value = self.value(output)?;
        // Rounding keeps the order: only what was rounded to the bound itself may be on either side of it.
        match value.partial_cmp(&bound)? {
            Ordering::Equal if value.abs() >= EXACT => {
                Some(self.exactly(output, bound).unwrap_or(Ordering::Equal))
            }
            order => Some(order),
        }
    }

    /// How a whole number compares with a whole bound; `None` for others.
    fn exactly(&self, output: &Output, bound: f64) -> Option<Ordering> {
        let whole = || Output::float(bound + 0.0).whole();
        match self {
            Self::Number { at } => Some(place(output, *at)?.whole()?.cmp(&whole()?)),
            Self::Offset { at, from } => {
                let number = place(output, *at)?.whole()?;
                Some(number.cmp(&(from.whole()? + whole()?)))
            }
            Self::Within { path, feature } => feature.exactly(&*part(output, path)?, bound),
            _ => None,
        }
    }

    /// The value of an ordered feature; never NaN.
    pub(in crate::events) fn value(&self, output: &Output) -> Option<f64> {
        match self {
            Self::Number { at } => place(output, *at)?.number(),
            Self::Offset { at, from } => place(output, *at)?.minus(from),
            Self::LowBit { at } => bits::lowest(place(output, *at)?).map(f64::from),
            Self::Exponent { at } => bits::highest(place(output, *at)?).map(f64::from),
            Self::Length => match output {
                Output::Label(text) => Some(text.chars().count() as f64),
                Output::Bytes(bytes) => Some(bytes.len() as f64),
                _ => output.entries().map(|items| items.len() as f64),
            },
            Self::Sum => output.entries().map(sum),
            Self::Squares => output.entries().and_then(squares),
            Self::Largest => output.entries().and_then(largest),
            Self::Byte { place } => byte(output, *place).map(f64::from),
            Self::Weighted { terms } => {
                let weigh = |term: &Term| Some(term.weight.get() * term.feature.value(output)?);
                let there = terms.iter().filter_map(weigh);
                there.reduce(|sum, weighed| sum + weighed)
            }
            Self::Within { path, feature } => feature.value(&*part(output, path)?),
            _ => None,
        }
        .filter(|value| !value.is_nan())
    }

    /// The value of a feature without order.
    pub(crate) fn key<'a>(&self, output: &'a Output) -> Option<Cow<'a, Output>> {
        match self {
            Self::Exact { at } => place(output, *at).map(Cow::Borrowed),
            Self::Value { at } => place(output, *at).map(Output::as_value),
            Self::Finiteness { at } => {
                let name = match Class::of(place(output, *at)?)? {
                    Class::Zero | Class::NegativeZero => Class::Finite,
                    other => other,
                };
                Some(Cow::Owned(Output::Label(name.name().to_owned())))
            }
            Self::Payload { at } => match place(output, *at)? {
                nan @ Output::Float(bits) if f64::from_bits(*bits).is_nan() => {
                    Some(Cow::Borrowed(nan))
                }
                _ => None,
            },
            Self::Character { place } => {
                let Output::Label(text) = output else {
                    return None;
                };
                let letter = match place {
                    Place::First(place) => text.chars().nth(*place)?,
                    Place::Last(place) => text.chars().nth_back(*place)?,
                };
                Some(Cow::Owned(Output::Label(letter.to_string())))
            }
            Self::Word { word } => match output {
                Output::Label(text) => {
                    let is_there = words(text).any(|other| other == word);
                    Some(Cow::Owned(Output::Boolean(is_there)))
                }
                _ => None,
            },
            Self::Bit { place, bit } => {
                let bit = u32::from(byte(output, *place)?).checked_shr(*bit)? & 1;
                Some(Cow::Owned(Output::Integer(bit.into())))
            }
            Self::Has { name } => match output {
                Output::Object(names, _) => Some(Cow::Owned(Output::Boolean(names.contains(name)))),
                _ => None,
            },
            Self::Names => match output {
                Output::Object(names, _) => {
                    let names = names.iter().cloned().map(Output::Label).collect();
                    Some(Cow::Owned(Output::Vector(names)))
                }
                _ => None,
            },
            Self::Class { at } => {
                let class = Class::of(place(output, *at)?)?;
                Some(Cow::Owned(Output::Label(class.name().to_owned())))
            }
            Self::Kind { at } => {
                let kind = place(output, *at)?.kind();
                Some(Cow::Owned(Output::Label(kind.to_string())))
            }
            Self::Residue { at, modulus } => {
                let residue = place(output, *at)?.residue(*modulus)?;
                Some(Cow::Owned(Output::Integer(residue.into())))
            }
            Self::SumResidue { modulus } => {
                let residue = sum_residue(output.entries()?, *modulus)?;
                Some(Cow::Owned(Output::Integer(residue.into())))
            }
            Self::Prefix { length } => match output {
                Output::Vector(items) => {
                    let first = items.iter().take(*length).cloned().collect();
                    Some(Cow::Owned(Output::Vector(first).as_value().into_owned()))
                }
                Output::Object(names, items) => {
                    let names = names.iter().take(*length).cloned().collect();
                    let items = items.iter().take(*length).cloned().collect();
                    let first = Output::Object(names, items);
                    Some(Cow::Owned(first.as_value().into_owned()))
                }
                Output::Bytes(bytes) => {
                    let first = bytes[..bytes.len().min(*length)].to_vec();
                    Some(Cow::Owned(Output::Bytes(first)))
                }
                Output::Label(text) => Some(Cow::Owned(Output::Label(
                    text.chars().take(*length).collect(),
                ))),
                _ => None,
            },
            Self::Suffix { length } => match output {
                Output::Label(text) => {
                    let from = text.char_indices().rev().take(*length).last();
                    let last = &text[from.map_or(text.len(), |(start, _)| start)..];
                    Some(Cow::Owned(Output::Label(last.to_owned())))
                }
                Output::Bytes(bytes) => {
                    let last = bytes[bytes.len().saturating_sub(*length)..].to_vec();
                    Some(Cow::Owned(Output::Bytes(last)))
                }
                _ => None,
            },
            Self::Error => matches!(output, Output::Error(_)).then_some(Cow::Borrowed(output)),
            Self::Within { path, feature } => match part(output, path)? {
                Cow::Borrowed(part) => feature.key(part),
                Cow::Owned(part) => feature.key(&part).map(|key| Cow::Owned(key.into_owned())),
            },
            _ => None,
        }
    }
}

fn sum(items: &[Output]) -> f64 {
    let numbers = items.iter().filter_map(|item| match item.entries() {
        Some(items) => Some(sum(items)),
        None => item.number(),
    });
    numbers.sum()
}

/// The numbers in a vector, and in the vectors in it.
fn numbers<'a>(items: &'a [Output], into: &mut impl FnMut(&'a Output)) {
    for item in items {
        match item.entries() {
            Some(items) => numbers(items, into),
            None if item.number().is_some() => into(item),
            None => (),
        }
    }
}

/// The sum of the squares of the numbers; `None` if there are none.
fn squares(items: &[Output]) -> Option<f64> {
    let mut sum = None;
    numbers(items, &mut |item| {
        let x = item.number().unwrap_or_default();
        *sum.get_or_insert(0.0) += x * x;
    });
    sum
}

/// The largest magnitude of the numbers; `None` if there are none.
fn largest(items: &[Output]) -> Option<f64> {
    let mut largest: Option<f64> = None;
    numbers(items, &mut |item| {
        let x = item.number().unwrap_or_default().abs();
        largest = Some(largest.map_or(x, |before| before.max(x)));
    });
    largest
}

/// What remains of the sum of the numbers; `None` if there are none, or one of them is not whole.
fn sum_residue(items: &[Output], modulus: u32) -> Option<u32> {
    let (mut sum, mut count) = (Some(0_u64), 0);
    numbers(items, &mut |item| {
        count += 1;
        let residue = item.residue(modulus).map(u64::from);
        sum = sum
            .zip(residue)
            .map(|(sum, more)| (sum + more) % u64::from(modulus));
    });
    sum.filter(|_| count > 0)
        .and_then(|sum| u32::try_from(sum).ok())
}

/// What kind of number a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    Nan,
    Infinity,
    NegativeInfinity,
    Zero,
    NegativeZero,
    Finite,
}

impl Class {
    /// `None` for what is not a number.
    pub(in crate::events) fn of(output: &Output) -> Option<Self> {
        match output {
            Output::Float(bits) => Some(match f64::from_bits(*bits) {
                x if x.is_nan() => Self::Nan,
                f64::INFINITY => Self::Infinity,
                f64::NEG_INFINITY => Self::NegativeInfinity,
                0.0 if *bits == 0 => Self::Zero,
                0.0 => Self::NegativeZero,
                _ => Self::Finite,
            }),
            Output::Integer(0) => Some(Self::Zero),
            Output::Integer(_) | Output::Large(_) => Some(Self::Finite),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nan => "NaN",
            Self::Infinity => "inf",
            Self::NegativeInfinity => "-inf",
            Self::Zero => "0",
            Self::NegativeZero => "-0",
            Self::Finite => "finite",
        }
    }
}

/// The output, or its coordinate.
pub fn place(output: &Output, at: Option<usize>) -> Option<&Output> {
    match at {
        None => Some(output),
        Some(index) => output.entries()?.get(index),
    }
}

/// The byte at a place of bytes.
fn byte(output: &Output, place: Place) -> Option<u8> {
    let Output::Bytes(bytes) = output else {
        return None;
    };
    match place {
        Place::First(place) => bytes.get(place).copied(),
        Place::Last(place) => bytes.iter().nth_back(place).copied(),
    }
}

/// The words of a text: letters and digits, between other characters.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// The part of an output that a path leads to.
pub fn part<'a>(output: &'a Output, path: &[Step]) -> Option<Cow<'a, Output>> {
    let mut here = output;
    for (index, step) in path.iter().enumerate() {
        here = match (step, here) {
            (Step::Entry(entry), _) => here.entries()?.get(*entry)?,
            (Step::Name(name), Output::Object(names, values)) => {
                values.get(names.iter().position(|other| other == name)?)?
            }
            // There is nothing in a number.
            (Step::Numeral(place), Output::Label(text)) if index + 1 == path.len() => {
                return numerals::from_first(text).nth(*place).map(Cow::Owned);
            }
            (Step::LastNumeral(place), Output::Label(text)) if index + 1 == path.len() => {
                return numerals::from_last(text).nth(*place).map(Cow::Owned);
            }
            _ => return None,
        };
    }
    Some(Cow::Borrowed(here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_rounded() {
        let rounded = |value, digits| Real::new(value).rounded(digits).get();
        assert_eq!(rounded(0.123456, 3), 0.123);
        assert_eq!(rounded(-1999.0, 2), -2000.0);
        assert_eq!(rounded(0.0, 3), 0.0);
        assert_eq!(rounded(f64::INFINITY, 3), f64::INFINITY);
    }

    #[test]
    fn the_numbers_in_vectors_are_read_together() {
        let integers =
            |items: &[i128]| Output::Vector(items.iter().copied().map(Output::Integer).collect());
        let nested = Output::Vector(vec![
            integers(&[3, -4]),
            Output::Label("12".into()),
            Output::float(1.0),
        ]);
        assert_eq!(Feature::Squares.value(&nested), Some(26.0));
        assert_eq!(Feature::Largest.value(&nested), Some(4.0));
        let remainder = |output: &Output, modulus| {
            let key = Feature::SumResidue { modulus }.key(output)?.into_owned();
            key.number()
        };
        for (modulus, residue) in [(2, 0.0), (3, 0.0), (5, 0.0), (7, 0.0)] {
            assert_eq!(remainder(&nested, modulus), Some(residue));
        }
        assert_eq!(remainder(&integers(&[1, 2, -5]), 7), Some(5.0));
        // A fraction, a double so large that only some integers are doubles, nothing, and what is no vector.
        let half = Output::Vector(vec![Output::float(0.5)]);
        let large = Output::Vector(vec![Output::float(1e300)]);
        for output in [half, large, integers(&[]), Output::Integer(3)] {
            assert_eq!(remainder(&output, 3), None, "{output}");
        }
        assert_eq!(Feature::Squares.value(&integers(&[])), None);
    }

    #[test]
    fn a_weighted_sum_is_defined_on_every_output() {
        let term = |weight: f64, at: usize| Term {
            weight: Real::new(weight),
            feature: Feature::Number { at: Some(at) },
        };
        let sum = Feature::Weighted {
            terms: vec![term(1.0, 0), term(-2.0, 2)],
        };
        let vector =
            |items: &[f64]| Output::Vector(items.iter().map(|x| Output::float(*x)).collect());
        let infinity = f64::INFINITY;
        for (output, value) in [
            (vector(&[1.0, 5.0, 2.0]), Some(-3.0)),
            // Too short, too long, not a number: what is not there counts as 0.
            (vector(&[1.0, 5.0]), Some(1.0)),
            (vector(&[1.0, 5.0, 2.0, 9.0]), Some(-3.0)),
            (vector(&[f64::NAN, 5.0, 2.0]), Some(-4.0)),
            (vector(&[infinity, 5.0, 2.0]), Some(infinity)),
            // The difference of two infinities is nothing.
            (vector(&[infinity, 5.0, infinity]), None),
            (vector(&[-0.0, 5.0, 0.0]), Some(0.0)),
            (vector(&[]), None),
            (Output::Vector(vec![Output::Label("x".into())]), None),
            (Output::Integer(3), None),
            (Output::Label("text".into()), None),
            (Output::Error("wrong".into()), None),
        ] {
            assert_eq!(sum.value(&output), value, "{output}");
        }
    }
}
