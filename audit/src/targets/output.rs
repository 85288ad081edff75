//! What a target answers: values with their exact bits, and how they are read and written.

use super::TargetError;
use dp_assay::number::{Rational, rational};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The deepest nesting of arrays that is read.
const DEEPEST: usize = 64;

/// One output of a mechanism.
///
/// Numbers are compared by their exact value, so that the integer 3 and the float 3.0 are equal; what
/// differs in bits only stays apart: -0.0 is below 0 and not equal to it, and every NaN, with its
/// payload, is above all other numbers. Numbers come before labels, labels before vectors, and
/// errors come last.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// An integer.
    Integer(i128),
    /// An integer that has no 128 bits.
    #[serde(with = "decimal")]
    Large(Box<BigInt>),
    /// A double, by its bits.
    #[serde(with = "hexadecimal")]
    Float(u64),
    /// A text.
    Label(String),
    /// An array.
    Vector(Vec<Output>),
    /// An exception, `{"error": "…"}`: when and how a mechanism fails is something that it releases.
    Error(String),
}

/// What the outputs of one target have in common. Errors may occur among all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// Integers and floats.
    Number,
    /// Texts.
    Label,
    /// Arrays.
    Vector,
}

impl fmt::Display for OutputKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Number => "a number",
            Self::Label => "a label",
            Self::Vector => "an array",
        })
    }
}

/// What a line of a reply holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// An output.
    Output(Output),
    /// What the target believes about its own noise: the object after `"trace"`.
    Trace(serde_json::Value),
}

impl Output {
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

    /// What the outputs beside this one must be too; `None` for an error, which goes with all.
    #[must_use]
    pub fn kind(&self) -> Option<OutputKind> {
        match self {
            Self::Integer(_) | Self::Large(_) | Self::Float(_) => Some(OutputKind::Number),
            Self::Label(_) => Some(OutputKind::Label),
            Self::Vector(_) => Some(OutputKind::Vector),
            Self::Error(_) => None,
        }
    }

    /// The nearest double of a number that is not NaN: monotone, and exact for floats.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Large(value) => value.to_f64(),
            Self::Float(bits) => Some(f64::from_bits(*bits)).filter(|value| !value.is_nan()),
            Self::Label(_) | Self::Vector(_) | Self::Error(_) => None,
        }
    }

    /// Reads an output as it stands on a line.
    ///
    /// A text is a float if it is one of those that Python's `float.hex()` prints: `0x…p…` with or without a minus
    /// before it and with any number of digits, `inf`, `-inf` and `nan`; or `nan:0x…`, which keeps the bits of a NaN.
    /// Every other text is a label, also `Infinity`, `NaN`, `+inf` and `0X1P+0`. A label that would be read as a float
    /// needs a prefix, say `=inf`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { text, place: 0 };
        let output = reader.value(0)?;
        reader.end()?;
        Ok(output)
    }

    /// The output as a line of the protocol, that [`Output::read`] reads back.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Large(value) => value.to_string(),
            Self::Float(bits) => format!("\"{}\"", hex(*bits)),
            Self::Label(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Vector(items) => {
                let items: Vec<String> = items.iter().map(Self::line).collect();
                format!("[{}]", items.join(","))
            }
            Self::Error(text) => serde_json::json!({"error": text}).to_string(),
        }
    }
}

impl Line {
    /// Reads a line of a reply: an output, `{"error": "…"}` or `{"trace": {…}}`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim_matches([' ', '\t', '\r']);
        if !text.starts_with('{') {
            return Output::read(text).map(Self::Output);
        }
        let expected = "{\"error\":\"…\"} or {\"trace\":{…}}";
        let value: serde_json::Value = serde_json::from_str(text)
            .map_err(|error| format!("expected {expected}, got text that is not JSON: {error}"))?;
        let entry = value
            .as_object()
            .filter(|object| object.len() == 1)
            .and_then(|object| object.iter().next());
        match entry {
            Some((name, serde_json::Value::String(message))) if name == "error" => {
                Ok(Self::Output(Output::Error(message.clone())))
            }
            Some((name, trace @ serde_json::Value::Object(_))) if name == "trace" => {
                Ok(Self::Trace(trace.clone()))
            }
            _ => Err(format!("expected {expected}, got another object")),
        }
    }
}

/// A double as Python's `float.hex()` writes it; `nan` with its bits if they are not the usual ones.
#[must_use]
pub fn hex(bits: u64) -> String {
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match (exponent, fraction) {
        (0x7ff, 0) => format!("{sign}inf"),
        (0x7ff, _) if bits == f64::NAN.to_bits() => "nan".to_owned(),
        (0x7ff, _) => format!("nan:{bits:#x}"),
        (0, 0) => format!("{sign}0x0.0p+0"),
        (0, _) => format!("{sign}0x0.{fraction:013x}p-1022"),
        _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent - 1023),
    }
}

/// Reads what [`hex`] writes, and `0x…p…` with other numbers of digits; `None` if the text is a label.
fn read_hex(text: &str) -> Option<Result<u64, String>> {
    match text {
        "inf" => return Some(Ok(f64::INFINITY.to_bits())),
        "-inf" => return Some(Ok(f64::NEG_INFINITY.to_bits())),
        "nan" => return Some(Ok(f64::NAN.to_bits())),
        _ => {}
    }
    if let Some(payload) = text.strip_prefix("nan:0x") {
        return u64::from_str_radix(payload, 16)
            .ok()
            .filter(|bits| f64::from_bits(*bits).is_nan())
            .map(Ok);
    }
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let sign = u64::from(text.starts_with('-')) << 63;
    if let Some(bits) = common_hex(unsigned) {
        return Some(Ok(sign | bits));
    }
    if !is_hex(unsigned) {
        return None;
    }
    // The exact value; and back, since the conversion of a rational is for display only.
    let bits = rational::parse(unsigned)
        .ok()
        .and_then(|value| exact_bits(&value));
    let wrong =
        || format!("'{text}' is not exactly a double; a label that looks like one needs a prefix");
    Some(bits.map(|bits| sign | bits).ok_or_else(wrong))
}

/// Whether the text is `0x`, hexadecimal digits, perhaps with a point, `p`, perhaps a sign, and decimal digits.
fn is_hex(unsigned: &str) -> bool {
    let parts = unsigned
        .strip_prefix("0x")
        .and_then(|text| text.split_once('p'));
    let Some((digits, exponent)) = parts else {
        return false;
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let all = |text: &str, is_digit: fn(&u8) -> bool| text.bytes().all(|byte| is_digit(&byte));
    !(whole.is_empty() && fraction.is_empty())
        && all(whole, u8::is_ascii_hexdigit)
        && all(fraction, u8::is_ascii_hexdigit)
        && !exponent.is_empty()
        && all(exponent, u8::is_ascii_digit)
}

/// The bits of `0x1.….p…`, with at most 13 digits and the exponent of a normal double: how almost all doubles are written.
/// `None` for everything else.
fn common_hex(unsigned: &str) -> Option<u64> {
    let (digits, exponent) = unsigned.strip_prefix("0x1")?.split_once('p')?;
    let digits = match digits.strip_prefix('.') {
        Some(digits) if !digits.is_empty() => digits,
        None if digits.is_empty() => "0",
        _ => return None,
    };
    // Signs are no digits, and from_str_radix takes them.
    if digits.len() > 13 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let fraction = u64::from_str_radix(digits, 16).ok()? << (4 * (13 - digits.len()));
    let exponent: i32 = exponent.parse().ok()?;
    (-1022..=1023)
        .contains(&exponent)
        .then(|| ((exponent + 1023) as u64) << 52 | fraction)
}

/// The bits of the double that is exactly `value`, for `value >= 0`.
fn exact_bits(value: &Rational) -> Option<u64> {
    let (numerator, denominator) = (value.numer().magnitude(), value.denom().magnitude());
    if numerator.bits() == 0 {
        return Some(0);
    }
    // The denominator must be a power of two: value = mantissa 2^exponent with an odd mantissa.
    let below = denominator.trailing_zeros().unwrap_or(0);
    if denominator.bits() != below + 1 {
        return None;
    }
    let above = numerator.trailing_zeros().unwrap_or(0);
    let mantissa = (numerator >> above).to_u64().filter(|m| m >> 53 == 0)?;
    let exponent = i64::try_from(above).ok()? - i64::try_from(below).ok()?;
    let width = i64::from(64 - mantissa.leading_zeros());
    // The exponent of the leading bit.
    let leading = exponent + width - 1;
    if leading > 1023 || exponent < -1074 {
        return None;
    }
    if leading < -1022 {
        return Some(mantissa << (exponent + 1074));
    }
    let fraction = (mantissa << (53 - width)) & ((1 << 52) - 1);
    Some(((leading + 1023) as u64) << 52 | fraction)
}

/// Reads JSON values as outputs: what `serde_json` does, but for integers of any size.
struct Reader<'a> {
    text: &'a str,
    place: usize,
}

const EXPECTED: &str =
    "expected an integer, a float (\"0x1.8p+0\" or a JSON number), a \"label\" or an array";

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.place..]
    }

    fn space(&mut self) {
        let blank = self.rest().iter().take_while(|b| b" \t\r\n".contains(b));
        self.place += blank.count();
    }

    fn end(&mut self) -> Result<(), String> {
        self.space();
        match self.rest() {
            [] => Ok(()),
            _ => Err(format!(
                "expected one JSON value, got more after it: {}",
                excerpt(&self.text[self.place..])
            )),
        }
    }

    fn wrong(&self) -> String {
        let rest = self.text.get(self.place..).unwrap_or("");
        let hints = [
            ("true", "\"true\", as a label"),
            ("false", "\"false\", as a label"),
            ("null", "\"null\", as a label"),
            ("None", "\"None\", as a label"),
            ("NaN", "\"nan\""),
            ("nan", "\"nan\""),
            ("-Infinity", "\"-inf\""),
            ("-inf", "\"-inf\""),
            ("Infinity", "\"inf\""),
            ("inf", "\"inf\""),
        ];
        let hint = hints.iter().find(|(got, _)| rest.starts_with(got));
        let hint = hint.map_or(String::new(), |(_, right)| format!(": write {right}"));
        match excerpt(rest) {
            text if text.is_empty() => format!("{EXPECTED}, got nothing"),
            text => format!("{EXPECTED}, got: {text}{hint}"),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Output, String> {
        self.space();
        match self.rest().first() {
            Some(b'"') => self.label(),
            Some(b'[') if depth < DEEPEST => self.vector(depth),
            Some(b'[') => Err(format!("expected arrays at most {DEEPEST} deep")),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.wrong()),
        }
    }

    fn number(&mut self) -> Result<Output, String> {
        let length = self
            .rest()
            .iter()
            .take_while(|b| b.is_ascii_digit() || b"+-.eE".contains(b))
            .count();
        let token = &self.text[self.place..self.place + length];
        let digits = token.strip_prefix('-').unwrap_or(token);
        let leading_zero =
            digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        if leading_zero {
            return Err(self.wrong());
        }
        // "-0" can only be meant as a float.
        let output = if digits.bytes().all(|b| b.is_ascii_digit()) && token != "-0" {
            match token.parse::<i128>() {
                Ok(small) => Output::Integer(small),
                Err(_) => {
                    let large = token.parse::<BigInt>().map_err(|_| self.wrong())?;
                    Output::integer(&large)
                }
            }
        } else {
            // The grammar of JSON is narrower than that of Rust, and serde_json knows it.
            let _: serde_json::Number = serde_json::from_str(token).map_err(|_| self.wrong())?;
            Output::float(token.parse::<f64>().map_err(|_| self.wrong())?)
        };
        self.place += length;
        Ok(output)
    }

    fn label(&mut self) -> Result<Output, String> {
        let bytes = self.rest();
        let mut length = 1;
        loop {
            match bytes.get(length) {
                Some(b'"') => break,
                Some(b'\\') => length += 2,
                Some(_) => length += 1,
                None => return Err(format!("{}: the quote is not closed", self.wrong())),
            }
        }
        let token = self
            .text
            .get(self.place..=self.place + length)
            .ok_or_else(|| self.wrong())?;
        let text: String = serde_json::from_str(token).map_err(|_| self.wrong())?;
        self.place += length + 1;
        match read_hex(&text) {
            Some(bits) => bits.map(Output::Float),
            None => Ok(Output::Label(text)),
        }
    }

    fn vector(&mut self, depth: usize) -> Result<Output, String> {
        self.place += 1;
        let mut items = Vec::new();
        self.space();
        if self.rest().first() == Some(&b']') {
            self.place += 1;
            return Ok(Output::Vector(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.rest().first() {
                Some(b',') => self.place += 1,
                Some(b']') => {
                    self.place += 1;
                    return Ok(Output::Vector(items));
                }
                _ => {
                    let got = excerpt(self.text.get(self.place..).unwrap_or(""));
                    return Err(format!("expected ',' or ']' in an array, got: {got}"));
                }
            }
        }
    }
}

/// The first characters of `text`, for an error. What a terminal would obey is escaped.
pub(super) fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    let end = if start.len() < text.len() { "…" } else { "" };
    let mut short = String::new();
    for letter in start.chars() {
        match letter {
            // Not control characters, and usual in JSON.
            '"' | '\'' | '\\' => short.push(letter),
            _ => short.extend(letter.escape_debug()),
        }
    }
    short + end
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
            Self::Vector(items) => {
                formatter.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(formatter, "{comma}{item}")?;
                }
                formatter.write_str("]")
            }
            Self::Error(text) => write!(formatter, "error {text:?}"),
        }
    }
}

impl Output {
    fn rank(&self) -> u8 {
        match self {
            Self::Integer(_) | Self::Large(_) | Self::Float(_) => 0,
            Self::Label(_) => 1,
            Self::Vector(_) => 2,
            Self::Error(_) => 3,
        }
    }

    /// The integer that a number is, if it is one; not for -0.0.
    fn whole(&self) -> Option<BigInt> {
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
            (Self::Vector(a), Self::Vector(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
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
        self.rank().hash(state);
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
            Self::Vector(items) => items.hash(state),
        }
    }
}

/// What helps where a label was meant and a float was read.
const LABEL_HINT: &str = ". The texts \"inf\", \"nan\" and \"0x1.8p+0\" are floats: put something before labels that look so";

/// Checks that the outputs of a target are of one kind, as they come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OneKind {
    kind: Option<OutputKind>,
    /// Whether a number came as a text.
    quoted: bool,
}

impl OneKind {
    /// `text` is the line.
    pub(super) fn check(
        &mut self,
        output: &Output,
        line: u64,
        text: &str,
    ) -> Result<(), TargetError> {
        let Some(kind) = output.kind() else {
            return Ok(());
        };
        self.quoted |= matches!(output, Output::Float(_)) && text.contains('"');
        match self.kind {
            Some(before) if before != kind => Err(TargetError::MixedKinds {
                line,
                before,
                got: kind,
                text: excerpt(text),
                hint: match (before, kind) {
                    (OutputKind::Label, OutputKind::Number)
                    | (OutputKind::Number, OutputKind::Label)
                        if self.quoted =>
                    {
                        LABEL_HINT
                    }
                    _ => "",
                },
            }),
            _ => {
                self.kind = Some(kind);
                Ok(())
            }
        }
    }
}

mod decimal {
    use num_bigint::BigInt;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &BigInt, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Box<BigInt>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map(Box::new)
            .map_err(|_| D::Error::custom(format!("expected an integer, got '{text}'")))
    }
}

/// Doubles in JSON as hexadecimal text.
pub(crate) mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(bits: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::hex(*bits))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        match super::read_hex(&text) {
            Some(Ok(bits)) => Ok(bits),
            _ => Err(D::Error::custom(format!(
                "expected a double like 0x1.8p+0, got '{text}'"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(text: &str) -> u64 {
        match Output::read(text) {
            Ok(Output::Float(bits)) => bits,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn floats_keep_their_bits() {
        // As Python's float.hex() prints them.
        for (text, value) in [
            ("\"0x1.8000000000000p+0\"", 1.5),
            ("\"-0x0.0p+0\"", -0.0),
            ("\"0x0.0p+0\"", 0.0),
            ("\"0x1.999999999999ap-4\"", 0.1),
            ("\"0x0.0000000000001p-1022\"", 5e-324),
            ("\"0x1.fffffffffffffp+1023\"", f64::MAX),
            ("\"0x1.0000000000000p-1022\"", f64::MIN_POSITIVE),
            ("\"inf\"", f64::INFINITY),
            ("\"-inf\"", f64::NEG_INFINITY),
            ("0.1", 0.1),
            ("-0", -0.0),
            ("-0.0", -0.0),
            ("1e-400", 0.0),
            ("1E+2", 100.0),
            // Halfway cases, where readers round twice.
            ("9007199254740993.0", 9007199254740992.0),
            ("2.2250738585072011e-308", 2.225073858507201e-308),
        ] {
            assert_eq!(bits(text), value.to_bits(), "{text}");
            let output = Output::Float(bits(text));
            assert_eq!(bits(&output.line()), bits(text), "{text} printed");
        }
        assert!(f64::from_bits(bits("\"nan\"")).is_nan());
        let payload = Output::Float(0xfff8_0000_0000_0001);
        assert_eq!(bits(&payload.line()), 0xfff8_0000_0000_0001);
    }

    #[test]
    fn the_texts_of_python_are_floats_and_no_others() {
        for float in [
            "0x1p+0",
            "-0x1p+0",
            "0x1.8p0",
            "0x.8p-3",
            "0x0.0p+0",
            "0xAp1",
            "inf",
            "-inf",
            "nan",
            "nan:0xfff8000000000001",
        ] {
            let read = Output::read(&format!("\"{float}\"")).unwrap();
            assert!(matches!(read, Output::Float(_)), "{float}: {read:?}");
            // And the way out.
            let prefixed = format!("={float}");
            let label = Output::read(&format!("\"{prefixed}\"")).unwrap();
            assert_eq!(label, Output::Label(prefixed));
        }
        for label in [
            "INF",
            "Inf",
            "Infinity",
            "-Infinity",
            "infinity",
            "+inf",
            "NaN",
            "NAN",
            "-nan",
            "+nan",
            "nan:",
            "nan:0x1",
            "0X1P+0",
            "0x1P+0",
            "+0x1p+0",
            "--0x1p+0",
            "0x1p+0 ",
            " 0x1p+0",
            "0x1",
            "0x1.8",
            "0xp+0",
            "0x.p+0",
            "0x1p",
            "0x1p+",
            "0x1p+a",
            "0x1.8.8p+0",
            "0x+8p+0",
            "0xg.8p+0",
            "0xcap",
            "0x1p/3",
            "1.5",
            "1e3",
            "",
            "p",
            "in",
            "0x1p+0p+0",
        ] {
            let read = Output::read(&format!("\"{label}\"")).unwrap();
            assert_eq!(read, Output::Label(label.to_owned()));
            // Written, it is read back.
            assert_eq!(Output::read(&read.line()).unwrap(), read);
        }
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_displayed() {
        let text = "a\nb\u{1b}[31m \u{202e}x";
        for shown in [
            Output::Error(text.to_owned()).to_string(),
            Output::Label(text.to_owned()).to_string(),
            excerpt(text),
            Line::read(&format!("{{{text}")).unwrap_err(),
            Line::read(&format!("1 {text}")).unwrap_err(),
        ] {
            assert!(!shown.contains(['\n', '\u{1b}', '\u{202e}']), "{shown:?}");
        }
        // What is usual stays readable.
        assert_eq!(excerpt("[\"é\", 'x']"), "[\"é\", 'x']");
    }

    #[test]
    fn the_quick_reading_of_doubles_is_the_exact_one() {
        let mut state = 1u64;
        for length in 0..14 {
            for _ in 0..500 {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let digits = &format!("{:013x}", state >> 12)[..length];
                let point = if digits.is_empty() { "" } else { "." };
                let exponent = (state % 2200) as i32 - 1100;
                let text = format!("0x1{point}{digits}p{exponent:+}");
                if let Some(quick) = common_hex(&text) {
                    let exact = exact_bits(&rational::parse(&text).unwrap());
                    assert_eq!(Some(quick), exact, "{text}");
                } else {
                    assert!(!(-1022..=1023).contains(&exponent), "{text}");
                }
            }
        }
        for other in [
            "0x1.+8p0",
            "0x1.p+0",
            "0x1.8",
            "0x2p0",
            "0x1.8p",
            "0x1.00000000000000p0",
            "0x1p1024",
        ] {
            assert_eq!(common_hex(other), None, "{other}");
        }
    }

    #[test]
    fn every_double_survives_its_hexadecimal_text() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let value = Output::Float(state ^ (state >> 29));
            let Output::Float(expected) = value else {
                continue;
            };
            assert_eq!(bits(&value.line()), expected, "{}", value.line());
            let json = serde_json::to_string(&value).unwrap();
            let back: Output = serde_json::from_str(&json).unwrap();
            assert_eq!(back, value);
        }
    }

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
    fn what_is_not_an_output_is_refused() {
        for text in [
            "",
            "nul",
            "null",
            "true",
            "01",
            "1 2",
            "[1,",
            "[1,]",
            "1.",
            ".5",
            "+1",
            "\"a",
            "--1",
            "1e",
            "-",
            "\"\\",
            "\"é\\",
            "{\"error\":3}",
            "{\"a\":1}",
            "{",
            "\"0x1.00000000000001p+0\"",
            "\"0x1p+1024\"",
            "\"0x1p+99999999999999999999999\"",
        ] {
            let error = Line::read(text).unwrap_err();
            assert!(
                error.contains("expected") || error.contains("double"),
                "{text}: {error}"
            );
        }
        assert!(Output::read(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn arrays_labels_errors_and_traces_are_read() {
        assert_eq!(
            Output::read(" [1, \"0x1p-1\",\"a\\\"b\", []] ").unwrap(),
            Output::Vector(vec![
                Output::Integer(1),
                Output::float(0.5),
                Output::Label("a\"b".into()),
                Output::Vector(vec![]),
            ])
        );
        assert_eq!(
            Line::read("{\"error\":\"division by zero\"}\r").unwrap(),
            Line::Output(Output::Error("division by zero".into()))
        );
        assert!(matches!(
            Line::read("{\"trace\":{\"scale\":2}}").unwrap(),
            Line::Trace(_)
        ));
    }
}
