//! What a target answers: values with their exact bits, and their order.

use super::floats::hex;
use crate::hexadecimal::hexadecimal;
use dp_assay::number::Rational;
use dp_assay::number::rational::{self, from_f64, integer};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Whole numbers up to this are doubles, each of its own.
pub(crate) const EXACT: f64 = (1u64 << 53) as f64;

/// One output of a mechanism.
///
/// Numbers are compared by their exact value, so that the integer 3 and the float 3.0 are equal; what
/// differs in bits only stays apart: -0.0 is below 0 and not equal to it, and every NaN, with its
/// payload, is above all other numbers. What is of different kinds is ordered by [`OutputKind`].
#[derive(Debug, Clone)]
pub enum Output {
    /// An integer.
    Integer(i128),
    /// An integer that has no 128 bits.
    Large(Box<BigInt>),
    /// A double, by its bits.
    Float(u64),
    /// A text.
    Label(String),
    /// Bytes, `{"bytes": "0aff"}`.
    Bytes(Vec<u8>),
    /// An array.
    Vector(Vec<Output>),
    /// An object: its names and their values, in the order in which they were answered, which may tell something too.
    Object(Vec<String>, Vec<Output>),
    /// `true` or `false`.
    Boolean(bool),
    /// `null`.
    Null,
    /// An exception, `{"error": "…"}`: when and how a mechanism fails is something that it releases.
    Error(String),
}

/// The memory of an output and of all that is in it.
pub(crate) fn bytes(output: &Output) -> usize {
    let inner = match output {
        Output::Integer(_) | Output::Float(_) | Output::Boolean(_) | Output::Null => 0,
        Output::Large(value) => value.bits().div_ceil(8) as usize + size_of_val(&**value),
        Output::Label(text) | Output::Error(text) => text.len(),
        Output::Bytes(bytes) => bytes.len(),
        Output::Vector(items) => items.iter().map(bytes).sum(),
        Output::Object(names, values) => {
            let names = names.iter().map(|name| size_of_val(name) + name.len());
            names.sum::<usize>() + values.iter().map(bytes).sum::<usize>()
        }
    };
    size_of::<Output>() + inner
}

/// What an output is. One program may answer with outputs of several kinds, and which of them it is may leak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutputKind {
    /// An integer or a float.
    Number,
    /// A text.
    Label,
    /// Bytes.
    Bytes,
    /// An array.
    Vector,
    /// An object.
    Object,
    /// `true` or `false`.
    Boolean,
    /// `null`.
    Null,
    /// An exception.
    Error,
}

impl fmt::Display for OutputKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Number => "a number",
            Self::Label => "a text",
            Self::Bytes => "bytes",
            Self::Vector => "an array",
            Self::Object => "an object",
            Self::Boolean => "true or false",
            Self::Null => "null",
            Self::Error => "an exception",
        })
    }
}

impl Output {
    /// The finite number that it is, exactly.
    #[must_use]
    pub fn exact_number(&self) -> Option<Rational> {
        match self {
            Self::Integer(value) => Some(integer(*value)),
            Self::Large(value) => Some(integer((**value).clone())),
            Self::Float(bits) => from_f64(f64::from_bits(*bits)).ok(),
            _ => None,
        }
    }

    /// The output for a double.
    #[must_use]
    pub fn float(value: f64) -> Self {
        Self::Float(value.to_bits())
    }

    /// The output for an integer of any size.
    #[must_use]
    pub fn integer(value: &BigInt) -> Self {
        match value.to_i128() {
            Some(small) => Self::Integer(small),
            None => Self::Large(Box::new(value.clone())),
        }
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> OutputKind {
        match self {
            Self::Integer(_) | Self::Large(_) | Self::Float(_) => OutputKind::Number,
            Self::Label(_) => OutputKind::Label,
            Self::Bytes(_) => OutputKind::Bytes,
            Self::Vector(_) => OutputKind::Vector,
            Self::Object(..) => OutputKind::Object,
            Self::Boolean(_) => OutputKind::Boolean,
            Self::Null => OutputKind::Null,
            Self::Error(_) => OutputKind::Error,
        }
    }

    /// The entries of an array, or the values of an object.
    #[must_use]
    pub fn entries(&self) -> Option<&[Output]> {
        match self {
            Self::Vector(items) | Self::Object(_, items) => Some(items),
            _ => None,
        }
    }

    /// The nearest double of a number that is not NaN: monotone, and exact for floats.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Large(value) => value.to_f64(),
            Self::Float(bits) => Some(f64::from_bits(*bits)).filter(|value| !value.is_nan()),
            _ => None,
        }
    }

    /// The nearest double of the difference of a number that is not NaN and an integer: monotone, and exact for
    /// integers that are near each other.
    pub(crate) fn minus(&self, integer: &Self) -> Option<f64> {
        match (self, integer) {
            (Self::Integer(a), Self::Integer(b)) if a.checked_sub(*b).is_some() => {
                Some((a - b) as f64)
            }
            (Self::Float(bits), _) => {
                let value = f64::from_bits(*bits);
                if !value.is_finite() {
                    return Some(value).filter(|value| !value.is_nan());
                }
                let floor = Self::float(value.floor() + 0.0).whole()?;
                let difference = (floor - integer.whole()?).to_f64()?;
                Some(difference + (value - value.floor()))
            }
            _ => (self.whole()? - integer.whole()?).to_f64(),
        }
    }

    /// What remains of a whole number, also of a double that is one, divided by `modulus`: at least 0. Above 2^53 not all integers
    /// are doubles, and their remainders are those of their roundings: there are none.
    pub(crate) fn residue(&self, modulus: u32) -> Option<u32> {
        if modulus == 0 {
            return None;
        }
        match self {
            Self::Integer(value) => {
                // Division of 128 bits is slow, and most numbers are small.
                if let Ok(small) = i64::try_from(*value) {
                    return small.rem_euclid(modulus.into()).to_u32();
                }
                value.rem_euclid(modulus.into()).to_u32()
            }
            Self::Large(value) => {
                let rest = &**value % modulus;
                let positive = if rest < BigInt::ZERO {
                    rest + modulus
                } else {
                    rest
                };
                positive.to_u32()
            }
            Self::Float(bits) => {
                let value = f64::from_bits(*bits);
                // The remainder of doubles is exact.
                (value.abs() <= EXACT && value.fract() == 0.0)
                    .then(|| value.rem_euclid(modulus.into()))
                    .and_then(|rest| rest.to_u32())
            }
            _ => None,
        }
    }
}

impl fmt::Display for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Large(value) => write!(formatter, "{value}"),
            Self::Float(bits) => match f64::from_bits(*bits) {
                value if value.is_nan() => formatter.write_str(&hex(*bits)),
                // The shortest decimal that is read back as the same double.
                value => write!(formatter, "{value:?}"),
            },
            Self::Label(text) => write!(formatter, "{text:?}"),
            Self::Bytes(bytes) => write!(formatter, "bytes \"{}\"", hexadecimal(bytes)),
            Self::Vector(items) => {
                formatter.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(formatter, "{comma}{item}")?;
                }
                formatter.write_str("]")
            }
            Self::Object(names, values) => {
                formatter.write_str("{")?;
                for (index, (name, value)) in names.iter().zip(values).enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(formatter, "{comma}{name:?}: {value}")?;
                }
                formatter.write_str("}")
            }
            Self::Boolean(value) => write!(formatter, "{value}"),
            Self::Null => formatter.write_str("null"),
            Self::Error(text) => write!(formatter, "error {text:?}"),
        }
    }
}

impl Output {
    /// This output without what the bits of its doubles tell beside their values: -0 is 0, and all NaN are one.
    pub(crate) fn as_value(&self) -> Cow<'_, Self> {
        if !self.has_odd_bits() {
            return Cow::Borrowed(self);
        }
        let all = |items: &[Self]| {
            items
                .iter()
                .map(|item| item.as_value().into_owned())
                .collect()
        };
        Cow::Owned(match self {
            Self::Float(bits) if f64::from_bits(*bits).is_nan() => Self::float(f64::NAN),
            Self::Float(_) => Self::float(0.0),
            Self::Vector(items) => Self::Vector(all(items)),
            Self::Object(names, values) => Self::Object(names.clone(), all(values)),
            other => other.clone(),
        })
    }

    /// Whether there is a -0 in it, or a NaN of other bits than the usual ones.
    fn has_odd_bits(&self) -> bool {
        match self {
            Self::Float(bits) => {
                let is_nan = f64::from_bits(*bits).is_nan();
                *bits == 1 << 63 || is_nan && *bits != f64::NAN.to_bits()
            }
            _ => self
                .entries()
                .is_some_and(|items| items.iter().any(Self::has_odd_bits)),
        }
    }

    /// Whether there is a double in it that is no whole number: such bits may tell more than its value does.
    pub(crate) fn has_fraction(&self) -> bool {
        match self {
            Self::Float(bits) => {
                let value = f64::from_bits(*bits);
                !value.is_finite() || value.fract() != 0.0 || *bits == 1 << 63
            }
            _ => self
                .entries()
                .is_some_and(|items| items.iter().any(Self::has_fraction)),
        }
    }

    /// The integer that a number is, if it is one; not for -0.0.
    pub(crate) fn whole(&self) -> Option<BigInt> {
        match self {
            Self::Integer(value) => Some((*value).into()),
            Self::Large(value) => Some((**value).clone()),
            Self::Float(bits) => {
                let value = f64::from_bits(*bits);
                (value.is_finite() && value.fract() == 0.0 && *bits != 1 << 63)
                    .then(|| rational::from_f64(value).ok())
                    .flatten()
                    .map(|exact| exact.to_integer())
            }
            _ => None,
        }
    }
}

impl Ord for Output {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Large(a), Self::Large(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => compare_floats(*a, *b),
            (Self::Integer(a), Self::Large(b)) => BigInt::from(*a).cmp(b),
            (Self::Large(a), Self::Integer(b)) => (**a).cmp(&BigInt::from(*b)),
            (Self::Float(a), Self::Integer(b)) => compare_mixed(*a, &BigInt::from(*b)),
            (Self::Float(a), Self::Large(b)) => compare_mixed(*a, b),
            (Self::Integer(a), Self::Float(b)) => compare_mixed(*b, &BigInt::from(*a)).reverse(),
            (Self::Large(a), Self::Float(b)) => compare_mixed(*b, a).reverse(),
            (Self::Label(a), Self::Label(b)) | (Self::Error(a), Self::Error(b)) => a.cmp(b),
            (Self::Bytes(a), Self::Bytes(b)) => a.cmp(b),
            (Self::Vector(a), Self::Vector(b)) => a.cmp(b),
            (Self::Object(a, x), Self::Object(b, y)) => a.cmp(b).then_with(|| x.cmp(y)),
            (Self::Boolean(a), Self::Boolean(b)) => a.cmp(b),
            _ => self.kind().cmp(&other.kind()),
        }
    }
}

/// By value, then -0 below 0; NaN above all, by its bits.
fn compare_floats(a: u64, b: u64) -> Ordering {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    match x.partial_cmp(&y) {
        Some(Ordering::Equal) => (b >> 63).cmp(&(a >> 63)),
        Some(order) => order,
        None => x.is_nan().cmp(&y.is_nan()).then(a.cmp(&b)),
    }
}

fn compare_mixed(bits: u64, integer: &BigInt) -> Ordering {
    let value = f64::from_bits(bits);
    match rational::from_f64(value) {
        Ok(exact) => exact
            .cmp(&rational::integer(integer.clone()))
            .then(if bits == 1 << 63 {
                Ordering::Less
            } else {
                Ordering::Equal
            }),
        Err(_) if value == f64::NEG_INFINITY => Ordering::Less,
        Err(_) => Ordering::Greater,
    }
}

impl PartialOrd for Output {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Output {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Output {}

impl Hash for Output {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            Self::Integer(value) => value.hash(state),
            // As the integer that it is: exact below 2^127.
            Self::Float(bits) => match f64::from_bits(*bits) {
                value if value.fract() == 0.0 && value.abs() < 1e38 && *bits != 1 << 63 => {
                    (value as i128).hash(state);
                }
                _ => match self.whole() {
                    Some(whole) => match whole.to_i128() {
                        Some(small) => small.hash(state),
                        None => whole.hash(state),
                    },
                    None => bits.hash(state),
                },
            },
            Self::Large(value) => value.hash(state),
            Self::Label(text) | Self::Error(text) => text.hash(state),
            Self::Bytes(bytes) => bytes.hash(state),
            Self::Vector(items) => items.hash(state),
            Self::Object(names, values) => (names, values).hash(state),
            Self::Boolean(value) => value.hash(state),
            Self::Null => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_size_stay_integers() {
        assert_eq!(Output::read("-12").unwrap(), Output::Integer(-12));
        let large = format!("1{}", "0".repeat(60));
        assert_eq!(Output::read(&large).unwrap().line(), large);
        assert!(Output::read("9007199254740993").unwrap() != Output::float(9007199254740992.0));
        assert!(Output::read("3").unwrap() == Output::float(3.0));
        assert!(Output::float(-0.0) < Output::Integer(0));
        assert!(Output::float(-0.0) > Output::Integer(-1));
        assert!(Output::float(f64::NAN) > Output::float(f64::INFINITY));
    }

    #[test]
    fn outputs_of_all_kinds_are_read_shown_and_kept_apart() {
        let lines = [
            "3",
            "\"a\"",
            "{\"bytes\":\"0aff\"}",
            "{\"bytes\":\"\"}",
            "[1,null]",
            "{\"a\":1,\"b\":[true]}",
            "{\"b\":[true],\"a\":1}",
            "{\"a\":{\"error\":\"no\"}}",
            "{}",
            "true",
            "false",
            "null",
            "{\"error\":\"no\"}",
        ];
        let outputs = lines.map(|line| match crate::targets::Line::read(line) {
            Ok(crate::targets::Line::Output(output)) => output,
            other => panic!("{line}: {other:?}"),
        });
        for (i, (line, output)) in lines.iter().zip(&outputs).enumerate() {
            assert_eq!(output.line(), *line);
            for (j, other) in outputs.iter().enumerate() {
                assert_eq!(output == other, i == j, "{output} {other}");
            }
        }
        assert_eq!(outputs[2].to_string(), "bytes \"0aff\"");
        assert_eq!(outputs[5].to_string(), "{\"a\": 1, \"b\": [true]}");
        assert_eq!(outputs[12].kind(), OutputKind::Error);
    }

    #[test]
    fn differences_and_remainders_are_exact() {
        let large = |text: &str| Output::read(text).unwrap();
        let ten_to_40 = large(&format!("1{}", "0".repeat(40)));
        let more = large(&format!("1{}57", "0".repeat(38)));
        assert_eq!(more.minus(&ten_to_40), Some(57.0));
        assert_eq!(ten_to_40.minus(&more), Some(-57.0));
        assert_eq!(Output::float(0.75).minus(&Output::Integer(2)), Some(-1.25));
        assert_eq!(Output::float(-0.0).minus(&Output::Integer(0)), Some(0.0));
        let (least, most) = (Output::Integer(i128::MIN), Output::Integer(i128::MAX));
        assert_eq!(most.minus(&least), Some(2f64.powi(128)));
        assert_eq!(Output::float(f64::NAN).minus(&least), None);
        assert_eq!(Output::Label("1".into()).minus(&least), None);

        assert_eq!(more.residue(10), Some(7));
        assert_eq!(Output::Integer(-3).residue(5), Some(2));
        assert_eq!(Output::float(-3.0).residue(5), Some(2));
        assert_eq!(large(&format!("-1{}", "0".repeat(40))).residue(7), Some(3));
        assert_eq!(most.residue(10), Some(7));
        assert_eq!(Output::float(0.5).residue(5), None);
        assert_eq!(Output::float(f64::INFINITY).residue(5), None);
        assert_eq!(Output::Integer(3).residue(0), None);
    }
}
