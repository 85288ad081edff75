//! A pair of datasets, and whether they are neighbours.

use super::{PairError, json, read_text};
use dp_assay::privacy::NeighbouringRelation;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::path::Path;

/// Two datasets that a private mechanism may not tell apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair(pub Value, pub Value);

/// What is known of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbourhood {
    /// Two arrays that differ in this record.
    Record(usize),
    /// Two objects of columns, all of one length in each, that differ in this row.
    Row(usize),
    /// Something else: that they are neighbours is the caller's word.
    Unchecked,
}

/// What was checked, in words that follow on the relation: `record 3 (from 0)`.
impl fmt::Display for Neighbourhood {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(place) => write!(formatter, "record {place} (from 0)"),
            Self::Row(place) => write!(formatter, "row {place} of the columns (from 0)"),
            Self::Unchecked => formatter.write_str(
                "your word, not checked: the datasets are neither arrays nor columns of one length",
            ),
        }
    }
}

/// Reads a dataset from a file of JSON. Its integers have at most 64 bits, and its floats are doubles: they reach the
/// program as they are.
///
/// # Errors
/// [`PairError::Read`] and [`PairError::Json`], the latter also for an integer of more than 64 bits.
pub fn read_dataset(path: &Path) -> Result<Value, PairError> {
    let advice = "write it in quotes, and let the program read the text";
    json(&path.display().to_string(), &read_text(path)?, advice)
}

impl Pair {
    /// Reads two files of JSON.
    ///
    /// # Errors
    /// [`PairError::Read`] and [`PairError::Json`].
    pub fn read(first: &Path, second: &Path) -> Result<Self, PairError> {
        Ok(Self(read_dataset(first)?, read_dataset(second)?))
    }

    /// Checks that two arrays are neighbours: position by position, they differ in one record. Two objects with the
    /// same names and a column under each, all columns of one dataset of one length, are taken as arrays of rows.
    ///
    /// # Errors
    /// [`PairError::Equal`] and [`PairError::NotNeighbours`].
    pub fn check(&self, relation: NeighbouringRelation) -> Result<Neighbourhood, PairError> {
        if self.0 == self.1 {
            return Err(PairError::Equal);
        }
        match (&self.0, &self.1) {
            (Value::Array(first), Value::Array(second)) => {
                place(first, second, relation).map(Neighbourhood::Record)
            }
            (Value::Object(first), Value::Object(second)) if first.keys().eq(second.keys()) => {
                match (rows(first), rows(second)) {
                    (Some(first), Some(second)) => {
                        place(&first, &second, relation).map(Neighbourhood::Row)
                    }
                    _ => Ok(Neighbourhood::Unchecked),
                }
            }
            (Value::Object(first), Value::Object(second))
                if relation == NeighbouringRelation::AddOrRemove
                    && (one_more(first, second) || one_more(second, first)) =>
            {
                Ok(Neighbourhood::Unchecked)
            }
            (Value::Object(first), Value::Object(second)) => {
                let lone = |of: &Map<String, Value>, other: &Map<String, Value>| {
                    of.keys().find(|name| !other.contains_key(*name)).cloned()
                };
                let name = lone(first, second).or_else(|| lone(second, first));
                Err(PairError::NotNeighbours {
                    relation,
                    reason: format!(
                        "expected two objects with the same names, got {:?} in one of them",
                        name.unwrap_or_default()
                    ),
                })
            }
            (Value::Array(_), other) | (other, Value::Array(_)) => Err(PairError::NotNeighbours {
                relation,
                reason: format!("expected two arrays, got one and {}", kind(other)),
            }),
            _ => Ok(Neighbourhood::Unchecked),
        }
    }
}

/// Whether the first has what the second has and one name more, which may be that of a record.
fn one_more(first: &Map<String, Value>, second: &Map<String, Value>) -> bool {
    first.len() == second.len() + 1
        && second
            .iter()
            .all(|(name, value)| first.get(name) == Some(value))
}

/// What a dataset is that is no array.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The rows of a table that is given by columns; `None` if it is not.
fn rows(table: &Map<String, Value>) -> Option<Vec<Value>> {
    let columns: Vec<&Vec<Value>> = table.values().map(Value::as_array).collect::<Option<_>>()?;
    let length = columns.first()?.len();
    if columns.iter().any(|column| column.len() != length) {
        return None;
    }
    let row = |index: usize| columns.iter().map(|column| column[index].clone()).collect();
    Some((0..length).map(row).map(Value::Array).collect())
}

/// The place of the one record in which two datasets differ.
fn place(
    first: &[Value],
    second: &[Value],
    relation: NeighbouringRelation,
) -> Result<usize, PairError> {
    let wrong = |reason| Err(PairError::NotNeighbours { relation, reason });
    let shared = first.iter().zip(second).take_while(|(a, b)| a == b).count();
    match relation {
        NeighbouringRelation::Substitute => {
            if first.len() != second.len() {
                return wrong(format!(
                    "expected as many records in both, got {} and {} (one record more in one of them: --neighbours add-remove)",
                    first.len(),
                    second.len()
                ));
            }
            let later = (shared + 1..first.len()).find(|&place| first[place] != second[place]);
            match later {
                Some(later) => wrong(format!(
                    "expected one record to differ, got records {shared} and {later} (from 0)"
                )),
                None => Ok(shared),
            }
        }
        NeighbouringRelation::AddOrRemove => {
            if first.len().abs_diff(second.len()) != 1 {
                return wrong(format!(
                    "expected one record more in one of them, got {} and {}",
                    first.len(),
                    second.len()
                ));
            }
            let (longer, shorter) = if first.len() > second.len() {
                (first, second)
            } else {
                (second, first)
            };
            if longer[shared + 1..] == shorter[shared..] {
                Ok(shared)
            } else {
                wrong(format!(
                    "without record {shared} (from 0) of the longer one, they still differ"
                ))
            }
        }
    }
}
