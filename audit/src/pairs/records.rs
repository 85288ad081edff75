//! What one record may be, the values of it that are tried, and simpler ones.

use super::{PairError, floats};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use std::collections::BTreeSet;

/// The most values of one record that are tried.
const MOST_VALUES: usize = 32;

/// What one record may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    deny_unknown_fields,
    expecting = "an object with a type: integer, number, choice or tuple"
)]
pub enum RecordType {
    /// An integer between two bounds.
    Integer {
        /// The least.
        lo: i64,
        /// The largest.
        hi: i64,
        /// Values between them at which the mechanism may change its mind.
        #[serde(default)]
        thresholds: Vec<i64>,
        /// Other values that a record may have, such as `null` or `{"float": "nan"}`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Value>,
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
        /// Other values that a record may have, such as `null` or `{"float": "nan"}`.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<Value>,
    },
    /// One of these values.
    Choice {
        /// At least two, the simplest first.
        values: Vec<Value>,
    },
    /// An array of these fields, in this order.
    Tuple {
        /// The fields.
        fields: Vec<RecordType>,
    },
}

impl RecordType {
    pub(super) fn check(&self, path: &str) -> Result<(), PairError> {
        let wrong = |field: &str, expected, got: String| {
            Err(PairError::Field {
                field: format!("{path}{field}"),
                expected,
                got,
            })
        };
        match self {
            Self::Integer {
                lo, hi, thresholds, ..
            } => {
                if lo >= hi {
                    return wrong(".lo", "below hi", format!("lo {lo} and hi {hi}"));
                }
                match thresholds.iter().find(|t| !(lo..=hi).contains(t)) {
                    Some(t) => wrong(".thresholds", "between lo and hi", t.to_string()),
                    None => Ok(()),
                }
            }
            Self::Number {
                lo, hi, thresholds, ..
            } => {
                if double(lo) >= double(hi) {
                    return wrong(".lo", "below hi", format!("lo {lo} and hi {hi}"));
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
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        let mut values = match self {
            Self::Integer {
                lo,
                hi,
                thresholds,
                also,
            } => {
                let middle = lo.midpoint(*hi);
                let mut values = vec![*lo, *hi];
                values.extend(thresholds);
                values.extend([0, 1, middle, lo.saturating_add(1), hi.saturating_sub(1)]);
                let near = |t: &i64| [t.saturating_sub(1), t.saturating_add(1)];
                values.extend(thresholds.iter().flat_map(near));
                values.retain(|v| (lo..=hi).contains(&v));
                let values = values.into_iter().map(Value::from);
                values.chain(also.iter().cloned()).collect()
            }
            Self::Number {
                lo,
                hi,
                thresholds,
                also,
            } => {
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
                let values = values.into_iter().map(number);
                values.chain(also.iter().cloned()).collect()
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

    /// The pathological values that a record may have, which many programs are not made for: those that are no numbers of
    /// the range, -0, whole numbers that are no doubles or the first of these, and the extremes of the type.
    pub(super) fn pathological(&self) -> Vec<Value> {
        match self {
            Self::Integer { lo, hi, also, .. } => {
                let exact = 1_i64 << 53;
                let mut values = vec![exact, exact + 1, -exact - 1, i64::MAX, i64::MIN];
                values.retain(|value| (lo..=hi).contains(&value));
                let values = values.into_iter().map(Value::from);
                also.iter().cloned().chain(values).collect()
            }
            Self::Number { lo, hi, also, .. } => {
                let (low, high) = (double(lo), double(hi));
                let exact = 2f64.powi(53);
                let extremes = [f64::MAX, -f64::MAX, f64::from_bits(1)];
                let mut values = vec![-0.0, exact, -exact];
                values.extend(extremes);
                values.retain(|value| (low..=high).contains(value));
                // Not as an integer, which has no -0.
                let values = values.into_iter().map(Value::from);
                also.iter().cloned().chain(values).collect()
            }
            Self::Choice { values } => {
                let is_odd = |value: &&Value| value.is_null() || floats::text(value).is_some();
                values.iter().filter(is_odd).cloned().collect()
            }
            Self::Tuple { fields } => {
                let simple: Vec<Value> = fields.iter().filter_map(Self::first_value).collect();
                let each = fields.iter().enumerate().flat_map(|(place, field)| {
                    let simple = &simple;
                    field.pathological().into_iter().map(move |value| {
                        let mut record = simple.clone();
                        record[place] = value;
                        Value::Array(record)
                    })
                });
                each.collect()
            }
        }
    }

    /// The first of the values that are tried.
    fn first_value(&self) -> Option<Value> {
        self.values().into_iter().next()
    }

    /// How far two records are apart, as a part of the farthest that two can be: 1 at the ends of a range and for two
    /// choices, and the mean over the fields of a tuple. A record that one dataset lacks is compared with 0.
    pub(super) fn difference(&self, ends: [Option<&Value>; 2]) -> f64 {
        match self {
            Self::Integer { lo, hi, .. } => apart(*lo as f64, *hi as f64, ends),
            Self::Number { lo, hi, .. } => apart(double(lo), double(hi), ends),
            Self::Choice { .. } => f64::from(u8::from(ends[0] != ends[1])),
            Self::Tuple { fields } => {
                let field = |(index, field): (usize, &Self)| {
                    field.difference(ends.map(|end| end.and_then(|record| record.get(index))))
                };
                fields.iter().enumerate().map(field).sum::<f64>() / fields.len() as f64
            }
        }
    }

    /// Simpler values to try instead of `value`, the simplest first.
    #[must_use]
    pub fn simpler(&self, value: &Value) -> Vec<Value> {
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

/// How far two numbers of a range are apart, as a part of its length; halved, since the length may be infinite.
fn apart(lo: f64, hi: f64, ends: [Option<&Value>; 2]) -> f64 {
    let [one, other] = ends.map(|end| end.and_then(Value::as_f64));
    match (one, other) {
        (Some(one), Some(other)) => (one / 2.0 - other / 2.0).abs() / (hi / 2.0 - lo / 2.0),
        (Some(alone), None) | (None, Some(alone)) => alone.abs() / lo.abs().max(hi.abs()),
        (None, None) => 0.0,
    }
}

/// Records, each once, the simplest first.
pub(crate) fn simplest_first(mut given: Vec<Value>) -> Vec<Value> {
    dedup(&mut given);
    given.sort_by_cached_key(|value| (complexity(value), value.to_string()));
    given
}

/// The most records that are tried instead of one.
const MOST_SIMPLER: usize = 8;

/// Those of `given` that have the form of `value` and are easier to read, in their order: a few.
pub(crate) fn simpler_of(value: &Value, given: &[Value]) -> Vec<Value> {
    let like = given.iter().filter(|other| same_form(value, other));
    simpler_than(value, like.take(MOST_SIMPLER).cloned())
}

/// Whether two records have the same fields, of the same kinds.
fn same_form(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same_form(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            let has = |(name, value)| other.get(name).is_some_and(|other| same_form(value, other));
            one.len() == other.len() && one.iter().all(has)
        }
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

/// A double in JSON, without a point if it is a small integer.
pub(super) fn number(value: f64) -> Value {
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
        Value::Object(fields) => 1 + fields.values().map(complexity).sum::<usize>(),
        // 0 before 1, and short numbers before long ones; 1.0 is as simple as 1, and comes later.
        Value::Number(number) if number.as_f64() == Some(0.0) => usize::from(!number.is_u64()),
        Value::Number(number) => 1 + number.to_string().len() + usize::from(number.is_f64()),
        other => other.to_string().len(),
    }
}

/// The double nearest to a number of JSON.
pub(super) fn double(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Removes what came before.
fn dedup(values: &mut Vec<Value>) {
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.to_string()));
}
