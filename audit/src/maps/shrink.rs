//! A smaller pair that shows the same: fewer records, then simpler ones.
//!
//! Every smaller pair is measured anew, datasets and outputs: a step that shortens the distance of the datasets lowers what
//! is allowed with it.

use super::claim::Compared;
use super::distance::{Measure, Metric};
use crate::pairs::{Domain, Pair};
use serde_json::Value;

/// What a smaller pair may be.
pub(super) struct Room<'a> {
    /// How datasets are measured.
    pub(super) input: &'a Measure,
    /// What they may be; without it, those of the records of the pair itself.
    pub(super) domain: Option<&'a Domain>,
}

impl Room<'_> {
    /// Whether datasets may have other numbers of records than those of the pair that was found.
    fn may_lose_records(&self) -> bool {
        let counted = matches!(
            self.input.metric,
            Metric::Symmetric | Metric::InsertDelete | Metric::ByUser
        );
        self.domain.is_some() || counted
    }

    fn has_size(&self, records: &[Value]) -> bool {
        self.domain
            .is_none_or(|domain| (domain.size.0..=domain.size.1).contains(&records.len()))
    }
}

/// The smallest pair to which single steps lead on which `measure` still finds a violation; it is asked `budget` times at
/// most, and says `None` where there is none.
///
/// # Errors
/// Those of `measure`.
pub(super) fn shrink<E>(
    found: &Compared,
    room: &Room<'_>,
    budget: usize,
    mut measure: impl FnMut(&Pair) -> Result<Option<Compared>, E>,
) -> Result<Compared, E> {
    let mut smallest = found.clone();
    let mut left = budget;
    'smaller: loop {
        for pair in steps(&smallest.pair, room) {
            if left == 0 {
                return Ok(smallest);
            }
            left -= 1;
            if let Some(compared) = measure(&pair)?.filter(Compared::violates) {
                smallest = compared;
                continue 'smaller;
            }
        }
        return Ok(smallest);
    }
}

/// The pairs that are one step smaller, the largest steps first. Each step leaves fewer records or simpler ones.
fn steps(pair: &Pair, room: &Room<'_>) -> Vec<Pair> {
    let mut steps = Vec::new();
    if let (Value::Array(first), Value::Array(second)) = (&pair.0, &pair.1) {
        if room.may_lose_records() {
            let mut count = first.len().max(second.len());
            while count > 0 {
                for start in (0..first.len().max(second.len())).step_by(count) {
                    let shorter = fewer(first, second, start, count, room);
                    steps.extend(shorter.into_iter().filter(|pair| {
                        let fits = |data: &Value| data.as_array().is_some_and(|r| room.has_size(r));
                        fits(&pair.0) && fits(&pair.1)
                    }));
                }
                count /= 2;
            }
        }
        let mut values: Vec<&Value> = first.iter().chain(second).collect();
        values.sort_by_cached_key(|value| std::cmp::Reverse(value.to_string().len()));
        values.dedup();
        for value in values {
            for other in simpler(value, pair, room) {
                let replaced = |records: &[Value]| -> Value {
                    let new = records.iter().map(|r| if r == value { &other } else { r });
                    new.cloned().collect()
                };
                steps.push(Pair(replaced(first), replaced(second)));
            }
        }
        for place in 0..first.len().max(second.len()) {
            let at = |records: &[Value], other: &Value| -> Value {
                let mut records = records.to_vec();
                records[place] = other.clone();
                Value::Array(records)
            };
            if let Some(value) = first.get(place) {
                let simpler = simpler(value, pair, room).into_iter();
                steps.extend(simpler.map(|other| Pair(at(first, &other), pair.1.clone())));
            }
            if let Some(value) = second.get(place) {
                let simpler = simpler(value, pair, room).into_iter();
                steps.extend(simpler.map(|other| Pair(pair.0.clone(), at(second, &other))));
            }
        }
    } else {
        let first = simpler(&pair.0, pair, room).into_iter();
        steps.extend(first.map(|other| Pair(other, pair.1.clone())));
        let second = simpler(&pair.1, pair, room).into_iter();
        steps.extend(second.map(|other| Pair(pair.0.clone(), other)));
    }
    steps.retain(|step| step.0 != step.1);
    steps
}

/// Both datasets without some records: of places, the same in both; of sets, those of one dataset and as many of the same
/// in the other.
fn fewer(
    first: &[Value],
    second: &[Value],
    start: usize,
    count: usize,
    room: &Room<'_>,
) -> Vec<Pair> {
    let without = |records: &[Value]| -> Vec<Value> {
        let end = (start + count).min(records.len());
        let kept = records.iter().enumerate();
        let kept = kept.filter(|(place, _)| !(start..end).contains(place));
        kept.map(|(_, record)| record.clone()).collect()
    };
    let dropped = |records: &[Value]| -> Vec<Value> {
        let records = records.iter().skip(start).take(count);
        records.cloned().collect()
    };
    let less = |records: &[Value], gone: Vec<Value>| -> Vec<Value> {
        let mut records = records.to_vec();
        for record in gone {
            if let Some(place) = records.iter().position(|other| *other == record) {
                records.remove(place);
            }
        }
        records
    };
    let pair = |first, second| Pair(Value::Array(first), Value::Array(second));
    match room.input.metric {
        Metric::Symmetric | Metric::InsertDelete | Metric::ByUser => vec![
            pair(less(first, dropped(second)), without(second)),
            pair(without(first), less(second, dropped(first))),
        ],
        _ => vec![pair(without(first), without(second))],
    }
    .into_iter()
    .filter(|pair| {
        let length = |data: &Value| data.as_array().map_or(0, Vec::len);
        length(&pair.0) + length(&pair.1) < first.len() + second.len()
    })
    .collect()
}

/// Simpler values: of the domain, or among the records of the pair.
fn simpler(value: &Value, pair: &Pair, room: &Room<'_>) -> Vec<Value> {
    match room.domain {
        Some(domain) => domain.records.simpler(value),
        None => crate::pairs::simpler_of(value, &given(pair)),
    }
}

fn given(pair: &Pair) -> Vec<Value> {
    let records = [&pair.0, &pair.1].map(|data| data.as_array().cloned().unwrap_or_default());
    crate::pairs::simplest_first(records.concat())
}
