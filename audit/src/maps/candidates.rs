//! The pairs that are tried: pathological records first, then random ones.
//!
//! A pair differs as its metric counts: by records added, by a place that changes, by all places that change at once.
//! None leaves the domain.

use super::distance::{Measure, Metric, UserField};
use super::error::MapError;
use crate::pairs::{Domain, Pair, RandomRecords, RecordType};
use serde_json::Value;
use std::rc::Rc;

/// The most records of a dataset that is tried, if the domain has smaller ones.
const LARGEST: usize = 1000;

/// The most values of a record that are tried in the first stage.
const MOST_VALUES: usize = 24;

/// So many records of others, each of a user of its own, does a new user copy.
const COPIED: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// Numbers that programs are known to stumble over, where a range has them: -0, the last integers that all doubles
/// tell apart, ends of types, the least doubles.
const ODD_INTEGERS: [i64; 12] = [
    -1,
    2,
    1 << 53,
    (1 << 53) + 1,
    -(1 << 53) - 1,
    i64::MAX,
    i64::MIN,
    i32::MAX as i64,
    i32::MIN as i64,
    1 << 32,
    255,
    256,
];
const ODD_NUMBERS: [f64; 10] = [
    -0.0,
    9_007_199_254_740_992.0,
    -9_007_199_254_740_994.0,
    f64::MAX,
    f64::MIN,
    5e-324,
    f64::MIN_POSITIVE,
    1e-9,
    -1.0,
    0.1,
];

/// The values of a record that are tried: the ends of its range, what is odd in it, and the rest of what every search tries.
fn values(records: &RecordType) -> Vec<Value> {
    let usual = records.values();
    let mut values: Vec<Value> = usual.iter().take(2).cloned().collect();
    if let RecordType::Integer { lo, hi, .. } = records {
        let odd = ODD_INTEGERS.into_iter().filter(|v| (lo..=hi).contains(&v));
        values.extend(odd.map(Value::from));
    }
    if let RecordType::Number { lo, hi, .. } = records {
        let (lo, hi) = (lo.as_f64(), hi.as_f64());
        let within = |v: &f64| lo.is_some_and(|lo| lo <= *v) && hi.is_some_and(|hi| *v <= hi);
        values.extend(ODD_NUMBERS.into_iter().filter(within).map(Value::from));
    }
    if let RecordType::Tuple { fields } = records {
        let columns: Vec<Vec<Value>> = fields.iter().map(self::values).collect();
        let plain: Vec<Value> = columns.iter().map(|column| column[0].clone()).collect();
        // By turns, so that each field takes its first values before any takes its last.
        for rank in 0..MOST_VALUES {
            for (place, column) in columns.iter().enumerate() {
                values.extend(column.get(rank).map(|value| {
                    let mut fields = plain.clone();
                    fields[place] = value.clone();
                    Value::Array(fields)
                }));
            }
        }
    }
    values.extend(usual);
    let mut seen = std::collections::BTreeSet::new();
    values.retain(|value| seen.insert(value.to_string()));
    values.truncate(MOST_VALUES);
    values
}

/// Pairs of a domain, for a metric of its datasets.
pub(super) struct Candidates<'a> {
    domain: &'a Domain,
    measure: &'a Measure,
    values: Vec<Value>,
    random: RandomRecords,
}

impl<'a> Candidates<'a> {
    /// # Errors
    /// [`MapError::Question`] if a user is asked for whom no record names.
    pub(super) fn new(
        domain: &'a Domain,
        measure: &'a Measure,
        seed: u64,
    ) -> Result<Self, MapError> {
        if measure.metric == Metric::ByUser && user(domain, measure).is_none() {
            return Err(MapError::Question(
                "--input-metric by-user over a domain needs records of type tuple and --user POSITION, one of their fields from 0".to_owned(),
            ));
        }
        let adds = matches!(measure.metric, Metric::Symmetric | Metric::InsertDelete);
        if adds && domain.size.0 >= domain.size.1 {
            return Err(MapError::Question(format!(
                "the domain's size must be a range, so that a record can be added, for the input metric {}",
                measure.metric
            )));
        }
        Ok(Self {
            domain,
            measure,
            values: values(&domain.records),
            random: RandomRecords::new(&domain.records, seed),
        })
    }

    /// The least and the largest number of records of a dataset.
    fn sizes(&self) -> (usize, usize) {
        let (least, largest) = self.domain.size;
        (least, largest.min(LARGEST).max(least))
    }

    /// The sizes of the smaller dataset in the first stage.
    fn tried_sizes(&self) -> Vec<usize> {
        let (least, largest) = self.sizes();
        let mut sizes = vec![least, least + 1, least + 2, 10, 16, 100, largest];
        sizes.push(largest.saturating_sub(1));
        sizes.retain(|size| (least..=largest).contains(size));
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The pairs of the first stage, one at a time: datasets may be large.
    pub(super) fn pathological(&self) -> Box<dyn Iterator<Item = Pair> + '_> {
        if self.measure.metric == Metric::Absolute {
            return Box::new(self.values.iter().enumerate().flat_map(|(place, second)| {
                let others = self.values[..place].iter();
                others.map(|first| Pair(first.clone(), second.clone()))
            }));
        }
        let copying = (self.measure.metric == Metric::ByUser).then(|| self.copying());
        let copying = copying.into_iter().flatten();
        // Duplicates of the ends, of the first odd ones, and one of each.
        let mut fills: Vec<Vec<&Value>> = self.values.iter().take(4).map(|v| vec![v]).collect();
        fills.push(self.values.iter().collect());
        let around = fills.into_iter().flat_map(move |fill| {
            self.tried_sizes().into_iter().flat_map(move |size| {
                let records = fill.iter().cycle().take(size);
                self.around(records.map(|record| (*record).clone()).collect())
            })
        });
        Box::new(copying.chain(around))
    }

    /// A new user whose records are copies of those of others, put first, or last: what credits a value to the first or the
    /// last user that has it moves by more than one.
    fn copying(&self) -> Vec<Pair> {
        let Some((place, users)) = user(self.domain, self.measure) else {
            return Vec::new();
        };
        let users = users.values();
        let Some((new, others)) = users.split_first().filter(|(_, others)| !others.is_empty())
        else {
            return Vec::new();
        };
        // Records that differ beside their user.
        let mut different: Vec<Value> = self.values.iter().map(|r| self.owned(r, new)).collect();
        let mut seen = std::collections::BTreeSet::new();
        different.retain(|record| seen.insert(record.to_string()));
        let (least, largest) = self.sizes();
        let mut pairs = Vec::new();
        for copied in COPIED {
            let copies: Vec<Value> = different.iter().cycle().take(copied).cloned().collect();
            let each = copies.iter().zip(others.iter().cycle());
            let base: Vec<Value> = each
                .map(|(record, other)| self.owned(record, other))
                .collect();
            debug_assert!(base.iter().all(|record| record[place] != *new));
            if base.len() < least || base.len() + copies.len() > largest {
                continue;
            }
            let first = copies.iter().chain(&base).cloned().collect();
            let last = base.iter().chain(&copies).cloned().collect();
            pairs.extend(
                [first, last]
                    .into_iter()
                    .filter_map(|all| pair(base.clone(), all)),
            );
        }
        pairs
    }

    /// The pairs around one dataset.
    fn around(&self, base: Rc<[Value]>) -> Box<dyn Iterator<Item = Pair> + '_> {
        let (_, largest) = self.sizes();
        match self.measure.metric {
            Metric::Symmetric | Metric::InsertDelete => {
                let turns = self.measure.metric == Metric::Symmetric;
                let turned = turns.then(|| base.iter().rev().cloned().collect());
                let turned = turned.and_then(|turned| pair(base.to_vec(), turned));
                let added = self.values.iter().filter({
                    let may_grow = base.len() < largest;
                    move |_| may_grow
                });
                let longer = added.flat_map(move |value| {
                    let at = |place| pair(base.to_vec(), with(&base, place, value));
                    [at(base.len()), at(0)]
                });
                Box::new(turned.into_iter().chain(longer.flatten()))
            }
            Metric::ByUser => {
                let (Some(first), Some(second)) = (self.user_value(0), self.user_value(1)) else {
                    return Box::new(std::iter::empty());
                };
                let base: Vec<Value> = base.iter().map(|r| self.owned(r, &first)).collect();
                let room = largest.saturating_sub(base.len());
                let more = [1, 2, 3, 10, 100].into_iter();
                let all = more.take_while(move |more| *more <= room).map(move |more| {
                    let copies = self.values.iter().take(4).map(|value| vec![value; more]);
                    let varied = self.values.iter().cycle().take(more).collect();
                    let added = copies.chain([varied]).map(|records| {
                        let added = records.into_iter().map(|r| self.owned(r, &second));
                        pair(base.clone(), base.iter().cloned().chain(added).collect())
                    });
                    added.flatten().collect::<Vec<_>>()
                });
                Box::new(all.flatten())
            }
            Metric::Hamming | Metric::Absolute => self.one_place(base),
            Metric::L1 | Metric::L2 | Metric::LInfinity => {
                let others = base.clone();
                let all = self.values.iter().filter_map(move |value| {
                    pair(others.to_vec(), vec![value.clone(); others.len()])
                });
                Box::new(all.chain(self.one_place(base)))
            }
        }
    }

    /// The pairs in which the last place, or the first, takes another value.
    fn one_place(&self, base: Rc<[Value]>) -> Box<dyn Iterator<Item = Pair> + '_> {
        let places = base.len().checked_sub(1).map(|last| [last, 0]);
        Box::new(places.into_iter().flatten().flat_map(move |place| {
            let base = base.clone();
            self.values.iter().filter_map(move |value| {
                let mut other = base.to_vec();
                other[place] = value.clone();
                pair(base.to_vec(), other)
            })
        }))
    }

    /// A random pair; `None` for two datasets that came out equal.
    pub(super) fn random(&mut self) -> Option<Pair> {
        if self.measure.metric == Metric::Absolute {
            let (first, second) = (self.random.record(), self.random.record());
            return Some(Pair(first, second)).filter(|pair| pair.0 != pair.1);
        }
        let (least, largest) = self.sizes();
        let more = if self.random.below(4) == 0 { 30 } else { 4 };
        let size = least + self.random.below((largest - least + 1).min(more));
        let palette: Vec<Value> = (0..3).map(|_| self.random.record()).collect();
        let mut base: Vec<Value> = Vec::with_capacity(size);
        for _ in 0..size {
            base.push(palette[self.random.below(palette.len())].clone());
        }
        match self.measure.metric {
            Metric::Symmetric if size < largest && self.random.below(4) > 0 => {
                let (place, record) = (self.random.below(size + 1), self.random.record());
                let other = with(&base, place, &record);
                pair(base, other)
            }
            Metric::InsertDelete if size < largest => {
                let (place, record) = (self.random.below(size + 1), self.random.record());
                let other = with(&base, place, &record);
                pair(base, other)
            }
            Metric::InsertDelete => {
                let mut other = base.clone();
                other.pop();
                pair(base, other)
            }
            Metric::Symmetric => {
                let mut other = base.clone();
                for last in (1..other.len()).rev() {
                    other.swap(last, self.random.below(last + 1));
                }
                pair(base, other)
            }
            Metric::ByUser if self.random.below(2) == 0 => self.random_copies(&base),
            Metric::ByUser => {
                let (first, second) = (self.user_value(0)?, self.user_value(1)?);
                let base: Vec<Value> = base.iter().map(|r| self.owned(r, &first)).collect();
                let mut other = base.clone();
                for _ in 0..=self.random.below(12) {
                    if other.len() < largest {
                        let record = self.random.record();
                        let record = self.owned(&record, &second);
                        other.insert(self.random.below(other.len() + 1), record);
                    }
                }
                pair(base, other)
            }
            metric => {
                let mut other = base.clone();
                if metric != Metric::Hamming && self.random.below(2) == 0 {
                    other.fill_with(|| self.random.record());
                } else if size > 0 {
                    let place = self.random.below(size);
                    other[place] = self.random.record();
                }
                pair(base, other)
            }
        }
    }

    /// Records of random users, and a user whose records are copies of some of them.
    fn random_copies(&mut self, base: &[Value]) -> Option<Pair> {
        let (_, users) = user(self.domain, self.measure)?;
        let users = users.values();
        let (new, others) = users
            .split_first()
            .filter(|(_, others)| !others.is_empty())?;
        let (_, largest) = self.sizes();
        let mut records = Vec::new();
        for record in base {
            let other = &others[self.random.below(others.len())];
            records.push(self.owned(record, other));
        }
        let room = largest.saturating_sub(records.len()).min(records.len());
        let first = self.random.below(2) == 0;
        let mut all = records.clone();
        for record in records.iter().take(self.random.below(room + 1)) {
            let place = match first {
                true => 0,
                false => self.random.below(all.len() + 1),
            };
            all.insert(place, self.owned(record, new));
        }
        pair(records, all)
    }

    /// The record, of this user.
    fn owned(&self, record: &Value, user_value: &Value) -> Value {
        let mut record = record.clone();
        if let (Some((place, _)), Value::Array(fields)) =
            (user(self.domain, self.measure), &mut record)
        {
            fields[place] = user_value.clone();
        }
        record
    }

    /// One of the users that records may have.
    fn user_value(&self, index: usize) -> Option<Value> {
        let (_, field) = user(self.domain, self.measure)?;
        field.values().into_iter().nth(index)
    }
}

/// The field of the user in the records of a domain.
fn user<'a>(domain: &'a Domain, measure: &Measure) -> Option<(usize, &'a RecordType)> {
    match (&domain.records, &measure.user) {
        (RecordType::Tuple { fields }, Some(UserField::Position(place))) => {
            Some((*place, fields.get(*place)?))
        }
        _ => None,
    }
}

fn with(base: &[Value], place: usize, record: &Value) -> Vec<Value> {
    let mut records = base.to_vec();
    records.insert(place, record.clone());
    records
}

fn pair(first: Vec<Value>, second: Vec<Value>) -> Option<Pair> {
    // -0 and 0 are one number of JSON, and two doubles.
    let pair = Pair(Value::Array(first), Value::Array(second));
    let texts = [&pair.0, &pair.1].map(Value::to_string);
    (texts[0] != texts[1]).then_some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::claim::{Bound, Stability};
    use dp_assay::number::rational::integer;

    fn domain(records: &str) -> Domain {
        let text =
            format!(r#"{{"records": {records}, "size": [0, 20], "neighbours": "add-remove"}}"#);
        Domain::read("domain.json", &text).unwrap()
    }

    #[test]
    fn every_pair_stays_in_its_domain_and_at_a_known_distance() {
        let numbers = domain(r#"{"type": "number", "lo": -1, "hi": 1e300}"#);
        let owned = domain(
            r#"{"type": "tuple", "fields": [{"type": "choice", "values": ["u", "v"]},
                {"type": "integer", "lo": 0, "hi": 9}]}"#,
        );
        for metric in [
            Metric::Symmetric,
            Metric::InsertDelete,
            Metric::Hamming,
            Metric::ByUser,
            Metric::Absolute,
            Metric::L1,
            Metric::L2,
            Metric::LInfinity,
        ] {
            let (domain, user) = match metric {
                Metric::ByUser => (&owned, Some(UserField::Position(0))),
                _ => (&numbers, None),
            };
            let measure = Measure { metric, user };
            let stability = Stability {
                input: measure.clone(),
                output: measure.clone(),
                bound: Bound::Factor(integer(1)),
            };
            let mut candidates = Candidates::new(domain, &measure, 1).unwrap();
            let mut pairs = candidates.pathological().collect::<Vec<_>>();
            assert!(pairs.len() > 100, "{metric}: {}", pairs.len());
            pairs.extend((0..200).filter_map(|_| candidates.random()));
            for pair in &pairs {
                let datasets = stability.of_datasets(pair).unwrap();
                let (input, _) = datasets.unwrap_or_else(|| panic!("{metric}: {pair:?}"));
                let one = [Metric::InsertDelete, Metric::Hamming, Metric::ByUser];
                if one.contains(&metric) {
                    assert!(*input.square() <= integer(1), "{metric}: {pair:?}");
                }
                for data in [&pair.0, &pair.1] {
                    let few = data.as_array().is_none_or(|records| records.len() <= 20);
                    assert!(few, "{metric}: {data}");
                }
            }
        }
    }

    #[test]
    fn odd_values_come_where_the_range_has_them() {
        let numbers = domain(r#"{"type": "number", "lo": -1, "hi": 1e300}"#);
        let texts: Vec<String> = values(&numbers.records)
            .iter()
            .map(Value::to_string)
            .collect();
        for odd in ["-0.0", "9007199254740992.0", "5e-324", "0.1"] {
            assert!(texts.iter().any(|text| text == odd), "{odd}: {texts:?}");
        }
        assert!(!texts.iter().any(|text| text.contains("e308")), "{texts:?}");
        let integers = domain(r#"{"type": "integer", "lo": 0, "hi": 9007199254740993}"#);
        let values = values(&integers.records);
        assert!(
            values.contains(&Value::from((1i64 << 53) + 1)),
            "{values:?}"
        );
    }
}
