//! Outputs in files, each with its kind beside it: what is read back is what was written, of every output.
//!
//! The lines of a reply are shorter, and do not tell an exception in an array from an object that looks like one.

use super::Output;
use super::floats::{hex, read_hex};
use crate::hexadecimal::hexadecimal;
use num_bigint::BigInt;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An output as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Written {
    /// In decimal.
    Integer(String),
    /// In hexadecimal.
    Float(String),
    Text(String),
    Bytes(String),
    Array(Vec<Output>),
    Object(Vec<(String, Output)>),
    Boolean(bool),
    Null,
    Error(String),
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Self::Integer(value) => Written::Integer(value.to_string()),
            Self::Large(value) => Written::Integer(value.to_string()),
            Self::Float(bits) => Written::Float(hex(*bits)),
            Self::Label(text) => Written::Text(text.clone()),
            Self::Bytes(bytes) => Written::Bytes(hexadecimal(bytes)),
            Self::Vector(items) => Written::Array(items.clone()),
            Self::Object(names, values) => {
                Written::Object(names.iter().cloned().zip(values.iter().cloned()).collect())
            }
            Self::Boolean(value) => Written::Boolean(*value),
            Self::Null => Written::Null,
            Self::Error(text) => Written::Error(text.clone()),
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Output {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Written::deserialize(deserializer)? {
            Written::Integer(text) => {
                let value: BigInt = text
                    .parse()
                    .map_err(|_| D::Error::custom("expected an integer in decimal"))?;
                Self::integer(&value)
            }
            Written::Float(text) => match read_hex(&text) {
                Some(Ok(bits)) => Self::Float(bits),
                _ => return Err(D::Error::custom("expected a double in hexadecimal")),
            },
            Written::Text(text) => Self::Label(text),
            Written::Bytes(text) => {
                let bytes = super::line::read_bytes(&text).map_err(D::Error::custom)?;
                Self::Bytes(bytes)
            }
            Written::Array(items) => Self::Vector(items),
            Written::Object(entries) => {
                let (names, values) = entries.into_iter().unzip();
                Self::Object(names, values)
            }
            Written::Boolean(value) => Self::Boolean(value),
            Written::Null => Self::Null,
            Written::Error(text) => Self::Error(text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_output_is_read_back_as_it_was_also_an_exception_in_an_array() {
        let large = BigInt::from(10).pow(60);
        let error = Output::Error("no".into());
        let looks_so = Output::Object(vec!["error".into()], vec![Output::Label("no".into())]);
        let one_bytes = Output::Object(vec!["bytes".into()], vec![Output::Label("0a".into())]);
        let all = vec![
            Output::Integer(i128::MIN),
            Output::integer(&-&large),
            Output::float(-0.0),
            Output::Float(0x7ff8_0000_0000_0001),
            Output::float(f64::NEG_INFINITY),
            Output::float(0.1),
            Output::Label("0x1p+0\n\u{202e}".into()),
            Output::Bytes(vec![0, 255]),
            Output::Bytes(Vec::new()),
            Output::Vector(vec![error.clone(), looks_so.clone()]),
            looks_so,
            one_bytes,
            Output::Object(
                vec!["a".into(), "a".into()],
                vec![Output::Null, error.clone()],
            ),
            Output::Boolean(true),
            Output::Null,
            error,
        ];
        let whole = Output::Vector(all);
        let text = serde_json::to_string(&whole).unwrap();
        let back: Output = serde_json::from_str(&text).unwrap();
        assert_eq!(back, whole);
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
        for wrong in [
            "{\"integer\":\"1.5\"}",
            "{\"float\":\"1.5\"}",
            "{\"bytes\":\"0\"}",
            "3",
            "{\"set\":[]}",
        ] {
            assert!(serde_json::from_str::<Output>(wrong).is_err(), "{wrong}");
        }
    }
}
