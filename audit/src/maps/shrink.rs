//! A smaller pair that shows the same: fewer records, then simpler ones.
//!
//! Every smaller pair is measured anew, datasets and outputs: a step that shortens the distance of the datasets lowers what
//! is allowed with it.

use super::claim::Compared;
use super::distance::{Measure, Metric};
use crate::pairs::{Domain, Pair};
use serde_json::Value;
use std::collections::HashMap;

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
    loop {
        let palette = given(&smallest.pair);
        let mut smaller = None;
        for pair in steps(&smallest.pair, room, &palette).take(left) {
            left -= 1;
            smaller = measure(&pair)?.filter(Compared::violates);
            if smaller.is_some() {
                break;
            }
        }
        match smaller {
            Some(smaller) => smallest = smaller,
            None => return Ok(smallest),
        }
    }
}

/// The pairs that are one step smaller, the largest steps first, one at a time: datasets may be large. Each step leaves fewer records,
/// or simpler ones: of the domain, or of those of the pair.
fn steps<'a>(
    pair: &'a Pair,
    room: &'a Room<'_>,
    palette: &'a [Value],
) -> Box<dyn Iterator<Item = Pair> + 'a> {
    let simpler = move |value: &Value| match room.domain {
        Some(domain) => domain.records.simpler(value).into_iter(),
        None => crate::pairs::simpler_of(value, palette).into_iter(),
    };
    let (Value::Array(first), Value::Array(second)) = (&pair.0, &pair.1) else {
        let first = simpler(&pair.0).map(|other| Pair(other, pair.1.clone()));
        let second = simpler(&pair.1).map(|other| Pair(pair.0.clone(), other));
        return Box::new(first.chain(second).filter(differs));
    };
    let longest = first.len().max(second.len());
    let most = if room.may_lose_records() { longest } else { 0 };
    let counts = std::iter::successors(Some(most), |count| Some(count / 2));
    let shorter = counts
        .take_while(|count| *count > 0)
        .flat_map(move |count| {
            let starts = (0..longest).step_by(count);
            starts.flat_map(move |start| fewer(first, second, start, count, room))
        });
    let shorter = shorter.filter(|pair| {
        let fits = |data: &Value| {
            data.as_array()
                .is_some_and(|records| room.has_size(records))
        };
        fits(&pair.0) && fits(&pair.1)
    });
    let mut values: Vec<&Value> = first.iter().chain(second).collect();
    values.sort_by_cached_key(|value| std::cmp::Reverse(value.to_string().len()));
    values.dedup();
    let everywhere = values.into_iter().flat_map(move |value| {
        simpler(value).map(move |other| {
            let replaced = |records: &[Value]| -> Value {
                let new = records.iter().map(|r| if r == value { &other } else { r });
                new.cloned().collect()
            };
            Pair(replaced(first), replaced(second))
        })
    });
    let at = |records: &[Value], place: usize, other: Value| {
        let mut records = records.to_vec();
        records[place] = other;
        Value::Array(records)
    };
    let in_one_place = (0..longest).flat_map(move |place| {
        let of = move |records: &'a [Value]| records.get(place).into_iter().flat_map(simpler);
        let first = of(first).map(move |other| Pair(at(first, place, other), pair.1.clone()));
        let second = of(second).map(move |other| Pair(pair.0.clone(), at(second, place, other)));
        first.chain(second)
    });
    Box::new(
        shorter
            .chain(everywhere)
            .chain(in_one_place)
            .filter(differs),
    )
}

fn differs(pair: &Pair) -> bool {
    pair.0 != pair.1
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
        let mut gone_of: HashMap<String, usize> = HashMap::new();
        for record in gone {
            *gone_of.entry(record.to_string()).or_default() += 1;
        }
        let kept = records
            .iter()
            .filter(|record| match gone_of.get_mut(&record.to_string()) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    false
                }
                _ => true,
            });
        kept.cloned().collect()
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

/// The records of a pair, each once, the simplest first.
fn given(pair: &Pair) -> Vec<Value> {
    let records = [&pair.0, &pair.1].map(|data| data.as_array().cloned().unwrap_or_default());
    crate::pairs::simplest_first(records.concat())
}
