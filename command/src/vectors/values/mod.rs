//! Class A: certified values, from the enclosures of the library's laws.

mod laws;
mod mechanisms;

use super::mistakes::notes;
use super::numbers::{self, DIGITS, fraction};
use super::{File, document};
use crate::error::Error;
use dp_assay::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use serde_json::{Map, Value, json};

/// The files of this class, one a law with its parameters.
///
/// # Errors
/// Those of the real functions.
pub fn files() -> Result<Vec<File>, Error> {
    let mut files = laws::files()?;
    files.extend(mechanisms::files()?);
    Ok(files)
}

/// The method of what is a closed form.
const CLOSED: &str = "closed form; the exponential by a series with an enclosed remainder";

/// A mistake that values show: its word, its effect, and both in a sentence.
type Bug = (&'static str, &'static str, &'static str);

/// The values of one quantity.
struct Group {
    id: String,
    quantity: &'static str,
    meaning: &'static str,
    method: &'static str,
    bug: Bug,
    values: Vec<Value>,
}

impl Group {
    fn json(&self, flags: &[&str]) -> Value {
        json!({
            "id": format!("dpv:{}-{}", self.id, self.quantity),
            "quantity": self.quantity,
            "meaning": self.meaning,
            "method": self.method,
            "flags": flags,
            "bug": self.bug.0,
            "effect": self.bug.1,
            "values": self.values,
        })
    }
}

/// A file of certified values.
struct Table {
    law: &'static str,
    definition: String,
    parameters: Value,
    /// The name of the file in the folder of its law.
    name: String,
    flags: Vec<&'static str>,
    groups: Vec<Group>,
}

impl Table {
    fn file(&self) -> File {
        let groups: Vec<Value> = self
            .groups
            .iter()
            .map(|group| group.json(&self.flags))
            .collect();
        let bugs = self.groups.iter().map(|group| group.bug);
        let content = json!({
            "law": self.law,
            "definition": self.definition,
            "parameters": self.parameters,
            "digits": DIGITS,
            "notes": notes(self.flags.iter().copied(), meaning, bugs),
            "groups": groups,
        });
        let cases = self.groups.iter().map(|group| group.values.len()).sum();
        let path = format!("values/{}/{}.json", self.law, self.name);
        document(path, "certified_values_v1", content, cases)
    }
}

/// What is said of parameters by their flags.
fn meaning(flag: &str) -> &'static str {
    match flag {
        "Ordinary" => "parameters as everybody tries them",
        "HugeScale" => "noise of scale 1000 and more",
        "TinyScale" => "noise that is nearly always 0",
        "OffGrid" => "parameters off the beaten grid",
        _ => "",
    }
}

/// A value at these arguments.
fn certified(
    at: Value,
    function: impl Fn(u32) -> Result<Enclosure, NumberError>,
) -> Result<Value, Error> {
    let mut fields: Map<String, Value> = numbers::certified(function)?;
    fields.insert("at".to_owned(), at);
    Ok(Value::Object(fields))
}

/// An integer at the argument `p`.
fn exact(p: &Rational, value: &BigInt) -> Value {
    json!({"at": {"p": fraction(p)}, "exact": value.to_string()})
}
