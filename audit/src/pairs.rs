//! Neighbouring datasets: given, generated from a description of the domain, and shrunk.

use dp_assay::privacy::NeighbouringRelation;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What is wrong with a pair or a domain.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PairError {
    /// A file that could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A text that is not JSON, or not a domain.
    #[error("{name}, line {line}: {reason}")]
    Json {
        /// The file, or what stands for it.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A field of a domain outside its range.
    #[error("the domain's {field} must be {expected}, got {got}")]
    Field {
        /// The field.
        field: String,
        /// What would be right.
        expected: &'static str,
        /// The value as given.
        got: String,
    },
    /// Two datasets that are one.
    #[error("the two datasets are equal: expected two that differ in one record")]
    Equal,
    /// Two datasets that are not neighbours.
    #[error("the two datasets are not neighbours ({relation}): {reason}")]
    NotNeighbours {
        /// The relation.
        relation: NeighbouringRelation,
        /// Where they differ too much.
        reason: String,
    },
}

/// Two datasets that a private mechanism may not tell apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair(pub Value, pub Value);

/// What is known of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbourhood {
    /// Two arrays that differ in this record.
    Record(usize),
    /// Something else than two arrays: that they are neighbours is the caller's word.
    Unchecked,
}

impl Pair {
    /// Reads two files of JSON.
    ///
    /// # Errors
    /// [`PairError::Read`] and [`PairError::Json`].
    pub fn read(first: &Path, second: &Path) -> Result<Self, PairError> {
        let read = |path: &Path| {
            let text = std::fs::read_to_string(path).map_err(|source| PairError::Read {
                path: path.to_owned(),
                source,
            })?;
            json(&path.display().to_string(), &text)
        };
        Ok(Self(read(first)?, read(second)?))
    }

    /// Checks that two arrays are neighbours: position by position, they differ in one record.
    ///
    /// # Errors
    /// [`PairError::Equal`] and [`PairError::NotNeighbours`].
    pub fn check(&self, relation: NeighbouringRelation) -> Result<Neighbourhood, PairError> {
        if self.0 == self.1 {
            return Err(PairError::Equal);
        }
        let (Value::Array(first), Value::Array(second)) = (&self.0, &self.1) else {
            return Ok(Neighbourhood::Unchecked);
        };
        let wrong = |reason| Err(PairError::NotNeighbours { relation, reason });
        let shared = first.iter().zip(second).take_while(|(a, b)| a == b).count();
        match relation {
            NeighbouringRelation::Substitute => {
                if first.len() != second.len() {
                    return wrong(format!(
                        "expected as many records in both, got {} and {}",
                        first.len(),
                        second.len()
                    ));
                }
                let later = (shared + 1..first.len()).find(|&place| first[place] != second[place]);
                match later {
                    Some(later) => wrong(format!(
                        "expected one record to differ, got records {shared} and {later} (from 0)"
                    )),
                    None => Ok(Neighbourhood::Record(shared)),
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
                    Ok(Neighbourhood::Record(shared))
                } else {
                    wrong(format!(
                        "without record {shared} (from 0) of the longer one, they still differ"
                    ))
                }
            }
        }
    }

    /// The same pair with the two datasets exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self(self.1.clone(), self.0.clone())
    }
}

/// Reads JSON, and names the line where it is wrong.
fn json<T: serde::de::DeserializeOwned>(name: &str, text: &str) -> Result<T, PairError> {
    serde_json::from_str(text).map_err(|error| PairError::Json {
        name: name.to_owned(),
        line: error.line(),
        reason: error.to_string(),
    })
}

/// What one record may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Records {
    /// An integer between two bounds.
    Integer {
        /// The least.
        lo: i64,
        /// The largest.
        hi: i64,
        /// Values between them at which the mechanism may change its mind.
        #[serde(default)]
        thresholds: Vec<i64>,
    },
    /// A number between two bounds.
    Number {
        /// The least.
        lo: Number,
        /// The largest.
        hi: Number,
        /// Values between them at which the mechanism may change its mind.
        #[serde(default)]
        thresholds: Vec<Number>,
    },
    /// One of these values.
    Choice {
        /// At least two, the simplest first.
        values: Vec<Value>,
    },
    /// An array of these fields, in this order.
    Tuple {
        /// The fields.
        fields: Vec<Records>,
    },
}

/// The relation, as it is written in a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// One record is another one.
    Substitute,
    /// One record more or less.
    AddRemove,
}

impl From<Neighbours> for NeighbouringRelation {
    fn from(neighbours: Neighbours) -> Self {
        match neighbours {
            Neighbours::Substitute => Self::Substitute,
            Neighbours::AddRemove => Self::AddOrRemove,
        }
    }
}

/// The datasets that a mechanism takes: arrays of records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// What one record may be.
    pub records: Records,
    /// The least and the largest number of records.
    pub size: (usize, usize),
    /// The relation.
    pub neighbours: Neighbours,
}

/// The most values of one record that are tried.
const MOST_VALUES: usize = 32;

/// The largest dataset that is generated: what shows on more records shows on fewer.
const LARGEST: usize = 1000;

impl Records {
    fn check(&self, path: &str) -> Result<(), PairError> {
        let wrong = |field: &str, expected, got: String| {
            Err(PairError::Field {
                field: format!("{path}{field}"),
                expected,
                got,
            })
        };
        match self {
            Self::Integer { lo, hi, thresholds } => {
                if lo >= hi {
                    return wrong(".lo", "below hi", lo.to_string());
                }
                match thresholds.iter().find(|t| !(lo..=hi).contains(t)) {
                    Some(t) => wrong(".thresholds", "between lo and hi", t.to_string()),
                    None => Ok(()),
                }
            }
            Self::Number { lo, hi, thresholds } => {
                if double(lo) >= double(hi) {
                    return wrong(".lo", "below hi", lo.to_string());
                }
                let outside = |t: &&Number| double(t) < double(lo) || double(t) > double(hi);
                match thresholds.iter().find(outside) {
                    Some(t) => wrong(".thresholds", "between lo and hi", t.to_string()),
                    None => Ok(()),
                }
            }
            Self::Choice { values } => {
                let distinct: BTreeSet<String> = values.iter().map(Value::to_string).collect();
                if distinct.len() < 2 {
                    return wrong(
                        ".values",
                        "at least two different values",
                        distinct.len().to_string(),
                    );
                }
                Ok(())
            }
            Self::Tuple { fields } => {
                if fields.is_empty() {
                    return wrong(".fields", "at least one", "0".to_owned());
                }
                (fields.iter().enumerate())
                    .try_for_each(|(index, field)| field.check(&format!("{path}.fields[{index}]")))
            }
        }
    }

    /// The values that are tried, the extremes first.
    fn values(&self) -> Vec<Value> {
        let mut values = match self {
            Self::Integer { lo, hi, thresholds } => {
                let middle = lo.midpoint(*hi);
                let mut values = vec![*lo, *hi];
                values.extend(thresholds);
                values.extend([0, 1, middle, lo.saturating_add(1), hi.saturating_sub(1)]);
                let near = |t: &i64| [t.saturating_sub(1), t.saturating_add(1)];
                values.extend(thresholds.iter().flat_map(near));
                values.retain(|v| (lo..=hi).contains(&v));
                values.into_iter().map(Value::from).collect()
            }
            Self::Number { lo, hi, thresholds } => {
                let (low, high) = (double(lo), double(hi));
                let thresholds: Vec<f64> = thresholds.iter().map(double).collect();
                let mut values = vec![low, high];
                values.extend(&thresholds);
                // A tenth is on no binary grid; then, next to the bounds and the thresholds.
                let tenth = low + (high - low) * 0.1;
                let middle = low / 2.0 + high / 2.0;
                values.extend([0.0, 1.0, middle, tenth, low.next_up(), high.next_down()]);
                values.extend(thresholds.iter().flat_map(|t| [t.next_down(), t.next_up()]));
                values.retain(|v| (low..=high).contains(v));
                values.into_iter().map(number).collect()
            }
            Self::Choice { values } => values.clone(),
            Self::Tuple { fields } => {
                let columns: Vec<Vec<Value>> = fields.iter().map(Self::values).collect();
                let record = |pick: &dyn Fn(usize, &[Value]) -> Value| {
                    let fields = columns
                        .iter()
                        .enumerate()
                        .map(|(i, column)| pick(i, column));
                    Value::Array(fields.collect())
                };
                let at = |column: &[Value], index: usize| column[index % column.len()].clone();
                let mut records = vec![
                    record(&|_, column| at(column, 0)),
                    record(&|_, column| at(column, 1)),
                    record(&|index, column| at(column, index % 2)),
                ];
                // One field after the other takes each of its values.
                for (place, column) in columns.iter().enumerate() {
                    for value in column {
                        records.push(record(&|index, other| {
                            if index == place {
                                value.clone()
                            } else {
                                at(other, 0)
                            }
                        }));
                    }
                }
                records
            }
        };
        dedup(&mut values);
        values.truncate(MOST_VALUES);
        values
    }

    /// Simpler values to put in the place of `value`, the simplest first.
    fn simpler(&self, value: &Value) -> Vec<Value> {
        match self {
            Self::Tuple { fields } => {
                let Value::Array(items) = value else {
                    return Vec::new();
                };
                let mut simpler = Vec::new();
                for (place, (field, item)) in fields.iter().zip(items).enumerate() {
                    for candidate in field.simpler(item) {
                        let mut items = items.clone();
                        items[place] = candidate;
                        simpler.push(Value::Array(items));
                    }
                }
                simpler
            }
            Self::Choice { values } => values
                .iter()
                .take_while(|other| *other != value)
                .cloned()
                .collect(),
            Self::Integer { lo, hi, .. } => {
                let mut candidates = vec![0, 1, *lo, *hi];
                candidates.retain(|v| (lo..=hi).contains(&v));
                simpler_than(value, candidates.into_iter().map(Value::from))
            }
            Self::Number { lo, hi, .. } => {
                let (low, high) = (double(lo), double(hi));
                let truncated = value.as_f64().map_or(0.0, f64::trunc);
                let mut candidates = vec![0.0, 1.0, low, high, 0.5, truncated];
                candidates.retain(|v| (low..=high).contains(v));
                simpler_than(value, candidates.into_iter().map(number))
            }
        }
    }
}

/// The candidates that are easier to read than `value`.
fn simpler_than(value: &Value, candidates: impl Iterator<Item = Value>) -> Vec<Value> {
    let limit = complexity(value);
    candidates
        .filter(|candidate| complexity(candidate) < limit)
        .collect()
}

/// A double in JSON, without a point if it is a small integer.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        Value::from(value as i64)
    } else {
        Value::from(value)
    }
}

/// How hard a value is to read.
fn complexity(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(complexity).sum::<usize>(),
        // 0 before 1, and short numbers before long ones; 1.0 is as simple as 1, and comes later.
        Value::Number(number) if number.as_f64() == Some(0.0) => usize::from(!number.is_u64()),
        Value::Number(number) => 1 + number.to_string().len() + usize::from(number.is_f64()),
        other => other.to_string().len(),
    }
}

/// The double nearest to a number of JSON.
fn double(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Removes what came before.
fn dedup(values: &mut Vec<Value>) {
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.to_string()));
}

impl Domain {
    /// Reads a domain, as in
    /// `{"records": {"type": "number", "lo": 0, "hi": 1}, "size": [1, 10], "neighbours": "substitute"}`.
    /// `name` stands for the text in errors.
    ///
    /// # Errors
    /// [`PairError::Json`], and [`PairError::Field`] for a domain without two neighbours.
    pub fn read(name: &str, text: &str) -> Result<Self, PairError> {
        let domain: Self = json(name, text)?;
        domain.check()?;
        Ok(domain)
    }

    fn check(&self) -> Result<(), PairError> {
        let (least, largest) = self.size;
        let expected = match self.neighbours {
            _ if least > largest => Some("[least, largest] with least <= largest"),
            Neighbours::Substitute if largest == 0 => {
                Some("at least one record, so that one can be substituted")
            }
            Neighbours::AddRemove if least == largest => {
                Some("a range, so that a record can be added or removed")
            }
            _ => None,
        };
        if let Some(expected) = expected {
            return Err(PairError::Field {
                field: "size".to_owned(),
                expected,
                got: format!("[{least}, {largest}]"),
            });
        }
        self.records.check("records")
    }

    /// The relation.
    #[must_use]
    pub fn relation(&self) -> NeighbouringRelation {
        self.neighbours.into()
    }

    /// At most `limit` pairs of neighbours that often show violations: extremes, duplicates, the empty
    /// dataset, one outlier, ties at thresholds. The small ones come first; none comes twice, in either
    /// order.
    #[must_use]
    pub fn pairs(&self, limit: usize) -> Vec<Pair> {
        let values = self.records.values();
        let mut seen = BTreeSet::new();
        let mut pairs = Vec::new();
        // Values in rounds, so that the extremes meet on every size before the others are tried.
        for round in 1..values.len() {
            for size in self.sizes() {
                for common in self.bases(&values, size, round) {
                    for pair in self.differing(&common, &values[..=round]) {
                        if pairs.len() >= limit {
                            return pairs;
                        }
                        let mut texts = [pair.0.to_string(), pair.1.to_string()];
                        texts.sort();
                        if seen.insert(texts) {
                            pairs.push(pair);
                        }
                    }
                }
            }
        }
        pairs
    }

    /// The sizes of the larger dataset that are tried.
    fn sizes(&self) -> Vec<usize> {
        let (least, largest) = (self.size.0.min(LARGEST), self.size.1.min(LARGEST));
        let least = match self.neighbours {
            Neighbours::Substitute => least.max(1),
            Neighbours::AddRemove => least + 1,
        };
        let sizes = [least, least + 1, least + 2, 10, largest];
        let sizes: BTreeSet<usize> = sizes
            .into_iter()
            .filter(|size| (least..=largest.max(least)).contains(size))
            .collect();
        sizes.into_iter().collect()
    }

    /// The records that both datasets have.
    fn bases(&self, values: &[Value], size: usize, round: usize) -> Vec<Vec<Value>> {
        let others = size - 1;
        let values = &values[..=round];
        let mut bases = Vec::new();
        // Duplicates of each value; then, half of each extreme; then, one of each.
        for value in values {
            bases.push(vec![value.clone(); others]);
        }
        bases.push((0..others).map(|i| values[i % 2].clone()).collect());
        bases.push(
            (0..others)
                .map(|i| values[i % values.len()].clone())
                .collect(),
        );
        bases
    }

    /// The pairs in which a record is appended to the common ones.
    fn differing(&self, common: &[Value], values: &[Value]) -> Vec<Pair> {
        let with = |record: &Value| {
            let mut records = common.to_vec();
            records.push(record.clone());
            Value::Array(records)
        };
        let mut pairs = Vec::new();
        for (index, value) in values.iter().enumerate().rev() {
            match self.neighbours {
                Neighbours::Substitute => {
                    pairs.extend(
                        values[..index]
                            .iter()
                            .map(|other| Pair(with(other), with(value))),
                    );
                }
                Neighbours::AddRemove => {
                    pairs.push(Pair(Value::Array(common.to_vec()), with(value)));
                }
            }
        }
        pairs.retain(|pair| pair.0 != pair.1);
        pairs
    }

    /// Pairs close to one on which a violation nearly showed: each record takes each other value that is
    /// tried, in both datasets where they share it.
    #[must_use]
    pub fn near(&self, pair: &Pair, limit: usize) -> Vec<Pair> {
        let mut found = Vec::new();
        let Some((parts, _)) = Parts::of(pair, self.relation()) else {
            return found;
        };
        let values = self.records.values();
        for slot in parts.slots() {
            for value in &values {
                if found.len() >= limit {
                    return found;
                }
                let changed = parts.with(slot, value.clone());
                if let Some(changed) = changed.pair().filter(|changed| changed != pair) {
                    found.push(changed);
                }
            }
        }
        found
    }
}

/// A pair taken apart: the records that both have, and the place and the records in which they differ.
#[derive(Debug, Clone)]
struct Parts {
    common: Vec<Value>,
    place: usize,
    first: Option<Value>,
    second: Option<Value>,
}

#[derive(Debug, Clone, Copy)]
enum Slot {
    Common(usize),
    First,
    Second,
}

impl Parts {
    fn of(pair: &Pair, relation: NeighbouringRelation) -> Option<(Self, usize)> {
        let Ok(Neighbourhood::Record(place)) = pair.check(relation) else {
            return None;
        };
        let (mut first, mut second) = (pair.0.as_array()?.clone(), pair.1.as_array()?.clone());
        let longest = first.len().max(second.len());
        let first_record = (first.len() == longest).then(|| first.remove(place));
        let second_record = (second.len() == longest).then(|| second.remove(place));
        let parts = Self {
            common: first,
            place,
            first: first_record,
            second: second_record,
        };
        Some((parts, longest))
    }

    /// The pair; `None` if its datasets are equal.
    fn pair(&self) -> Option<Pair> {
        let with = |record: &Option<Value>| {
            let mut records = self.common.clone();
            records.splice(self.place..self.place, record.clone());
            Value::Array(records)
        };
        Some(Pair(with(&self.first), with(&self.second))).filter(|pair| pair.0 != pair.1)
    }

    fn slots(&self) -> Vec<Slot> {
        let first = self.first.iter().map(|_| Slot::First);
        let second = self.second.iter().map(|_| Slot::Second);
        let common = (0..self.common.len()).map(Slot::Common);
        first.chain(second).chain(common).collect()
    }

    fn get(&self, slot: Slot) -> Option<&Value> {
        match slot {
            Slot::Common(index) => self.common.get(index),
            Slot::First => self.first.as_ref(),
            Slot::Second => self.second.as_ref(),
        }
    }

    fn with(&self, slot: Slot, value: Value) -> Self {
        let mut parts = self.clone();
        match slot {
            Slot::Common(index) => parts.common[index] = value,
            Slot::First => parts.first = Some(value),
            Slot::Second => parts.second = Some(value),
        }
        parts
    }

    /// Without `count` common records from `start` on.
    fn without(&self, start: usize, count: usize) -> Self {
        let mut parts = self.clone();
        parts.common.drain(start..start + count);
        // The place moves with the records before it.
        parts.place -= parts.place.clamp(start, start + count) - start;
        parts
    }
}

/// A smaller pair on which `persists` still says yes: fewer records, then simpler ones.
///
/// Every step is smaller than the one before, and `persists` is asked at most `budget` times. A pair that
/// is not two arrays stays as it is. Without a domain, records are removed and not changed.
///
/// # Errors
/// Those of `persists`.
pub fn shrink<E>(
    pair: &Pair,
    relation: NeighbouringRelation,
    domain: Option<&Domain>,
    budget: usize,
    mut persists: impl FnMut(&Pair) -> Result<bool, E>,
) -> Result<Pair, E> {
    let Some((mut parts, _)) = Parts::of(pair, relation) else {
        return Ok(pair.clone());
    };
    let mut left = budget;
    let mut try_it = |candidate: &Parts| -> Result<bool, E> {
        match candidate.pair() {
            Some(pair) if left > 0 => {
                left -= 1;
                persists(&pair)
            }
            _ => Ok(false),
        }
    };
    // 1. Fewer records: halves, quarters, …, single ones.
    let least = domain.map_or(0, |domain| domain.size.0);
    let least_common = match relation {
        NeighbouringRelation::Substitute => least.saturating_sub(1),
        NeighbouringRelation::AddOrRemove => least,
    };
    let mut count = parts.common.len();
    while count > 0 {
        let mut start = 0;
        while start + count <= parts.common.len() {
            let smaller = parts.without(start, count);
            if smaller.common.len() >= least_common && try_it(&smaller)? {
                parts = smaller;
            } else {
                start += count;
            }
        }
        count /= 2;
    }
    // 2. Simpler records, until none is.
    let Some(domain) = domain else {
        return Ok(parts.pair().unwrap_or_else(|| pair.clone()));
    };
    loop {
        let mut changed = false;
        for slot in parts.slots() {
            let current = parts.get(slot).cloned().unwrap_or(Value::Null);
            for value in domain.records.simpler(&current) {
                let simpler = parts.with(slot, value);
                if try_it(&simpler)? {
                    parts = simpler;
                    changed = true;
                    break;
                }
            }
        }
        if !changed {
            return Ok(parts.pair().unwrap_or_else(|| pair.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::convert::Infallible;

    const SUBSTITUTE: NeighbouringRelation = NeighbouringRelation::Substitute;
    const ADD_REMOVE: NeighbouringRelation = NeighbouringRelation::AddOrRemove;

    fn domain(text: &str) -> Result<Domain, PairError> {
        Domain::read("domain.json", text)
    }

    fn numbers() -> Domain {
        let text = r#"{"records": {"type": "number", "lo": 0, "hi": 1, "thresholds": [0.5]},
                       "size": [1, 10], "neighbours": "substitute"}"#;
        domain(text).unwrap()
    }

    #[test]
    fn neighbours_are_told_from_others() {
        let check = |a, b, relation| Pair(a, b).check(relation);
        let record = Neighbourhood::Record;
        assert_eq!(
            check(json!([1, 2]), json!([1, 3]), SUBSTITUTE).unwrap(),
            record(1)
        );
        assert_eq!(check(json!([]), json!([1]), ADD_REMOVE).unwrap(), record(0));
        assert_eq!(
            check(json!([1, 1, 2]), json!([1, 2]), ADD_REMOVE).unwrap(),
            record(1)
        );
        assert_eq!(
            check(json!(0), json!(1), SUBSTITUTE).unwrap(),
            Neighbourhood::Unchecked
        );
        for (a, b, relation, said) in [
            (json!([1, 2]), json!([2, 3]), SUBSTITUTE, "records 0 and 1"),
            (json!([1, 2]), json!([1]), SUBSTITUTE, "2 and 1"),
            (json!([1, 2]), json!([1, 3]), ADD_REMOVE, "2 and 2"),
            (json!([1, 2, 3]), json!([3, 4]), ADD_REMOVE, "record 0"),
            (json!([1]), json!([1]), SUBSTITUTE, "equal"),
        ] {
            let error = check(a, b, relation).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_wrong_domain_is_refused_by_its_field() {
        let with = |records: &str, size: &str, neighbours: &str| {
            domain(&format!(
                r#"{{"records": {records}, "size": {size}, "neighbours": "{neighbours}"}}"#
            ))
            .unwrap_err()
            .to_string()
        };
        let number = r#"{"type": "number", "lo": 0, "hi": 1}"#;
        for (error, said) in [
            (with(number, "[3, 2]", "substitute"), "size"),
            (with(number, "[0, 0]", "substitute"), "size"),
            (with(number, "[2, 2]", "add-remove"), "size"),
            (with(number, "[1, 2]", "both"), "line 1"),
            (
                with(
                    r#"{"type": "number", "lo": 1, "hi": 1}"#,
                    "[1, 2]",
                    "substitute",
                ),
                "records.lo",
            ),
            (
                with(
                    r#"{"type": "choice", "values": ["a", "a"]}"#,
                    "[1, 2]",
                    "substitute",
                ),
                "values",
            ),
            (
                with(r#"{"type": "tuple", "fields": []}"#, "[1, 2]", "substitute"),
                "fields",
            ),
            (
                with(r#"{"type": "number", "lo": 0}"#, "[1, 2]", "substitute"),
                "hi",
            ),
        ] {
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn generated_pairs_are_neighbours_of_the_domain() {
        for neighbours in [Neighbours::Substitute, Neighbours::AddRemove] {
            let tuple = Records::Tuple {
                fields: vec![
                    numbers().records,
                    Records::Choice {
                        values: vec![json!("a"), json!("b")],
                    },
                ],
            };
            for records in [numbers().records, tuple] {
                let domain = Domain {
                    records,
                    size: (0, 5),
                    neighbours,
                };
                let pairs = domain.pairs(500);
                assert!(pairs.len() > 50, "{}", pairs.len());
                for pair in pairs.iter().chain(&domain.near(&pairs[40], 100)) {
                    pair.check(domain.relation()).unwrap();
                    for data in [&pair.0, &pair.1] {
                        assert!(data.as_array().unwrap().len() <= 5);
                    }
                }
            }
        }
    }

    #[test]
    fn the_obvious_pairs_come_early() {
        let pairs = numbers().pairs(60);
        assert_eq!(pairs[0], Pair(json!([0]), json!([1])));
        let outlier = Pair(
            json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        );
        assert!(pairs.contains(&outlier));
        let added = Domain {
            neighbours: Neighbours::AddRemove,
            size: (0, 3),
            ..numbers()
        };
        assert_eq!(added.pairs(1), [Pair(json!([]), json!([1]))]);
    }

    #[test]
    fn shrinking_ends_at_a_smallest_pair() {
        let pair = Pair(
            json!([0.3, 0.7, 0.9, 0.25, 0.125, 0.75]),
            json!([0.3, 0.7, 0.9, 0.25, 0.875, 0.75]),
        );
        // The violation needs one other record above one half, and any difference.
        let persists = |pair: &Pair| -> Result<bool, Infallible> {
            let first = pair.0.as_array().unwrap();
            let second = pair.1.as_array().unwrap();
            let shared = first.iter().zip(second).filter(|(a, b)| a == b);
            Ok(shared.filter(|(a, _)| a.as_f64() > Some(0.5)).count() >= 1)
        };
        let shrunk = shrink(&pair, SUBSTITUTE, Some(&numbers()), 1000, persists).unwrap();
        let first = shrunk.0.as_array().unwrap();
        assert_eq!(first.len(), 2, "{shrunk:?}");
        assert!(persists(&shrunk).unwrap());
        assert!(shrunk.0.to_string().len() == "[0,1]".len(), "{shrunk:?}");
        // Without a domain, records are removed only; without a budget, nothing is.
        let removed = shrink(&pair, SUBSTITUTE, None, 1000, persists).unwrap();
        assert_eq!(removed.0.as_array().unwrap().len(), 2);
        assert_eq!(shrink(&pair, SUBSTITUTE, None, 0, persists).unwrap(), pair);
        let always = |_: &Pair| Ok::<_, Infallible>(true);
        let added = Pair(json!([1, 2, 3]), json!([1, 2, 5, 3]));
        let smallest = shrink(&added, ADD_REMOVE, None, 100, always).unwrap();
        assert_eq!(smallest, Pair(json!([]), json!([5])));
    }
}
