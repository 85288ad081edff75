//! Small changes of a pair, that keep it a pair of neighbours of its domain.

use super::domain::{Domain, Neighbours};
use super::pair::Pair;
use super::parts::Parts;
use super::records::{RecordType, number};
use super::strategies::moved;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

/// What is changed.
#[derive(Debug, Clone)]
pub(super) enum Mutation {
    /// A record becomes this one.
    Replace(Index, Value),
    /// A record moves a little: by so much, or by so many doubles.
    Move(Index, i64),
    /// A record becomes a copy of another one: a tie.
    Copy(Index, Index),
    /// Both datasets have this record, or a copy of one of theirs, once more.
    Insert(Index, Option<Value>, Index),
    /// Both datasets lose one that they share.
    Remove(Index),
    /// The datasets differ at another place.
    Place(Index),
    /// The two datasets are exchanged.
    Swap,
}

impl Mutation {
    /// A strategy for changes of the pairs of a domain.
    pub(super) fn strategy(domain: &Domain) -> BoxedStrategy<Self> {
        let record = domain.records.strategy();
        let at = any::<Index>;
        prop_oneof![
            4 => (at(), record.clone()).prop_map(|(slot, value)| Self::Replace(slot, value)),
            3 => (at(), -3i64..=3).prop_map(|(slot, by)| Self::Move(slot, by)),
            2 => (at(), at()).prop_map(|(slot, other)| Self::Copy(slot, other)),
            2 => (at(), prop::option::of(record), at())
                .prop_map(|(place, value, other)| Self::Insert(place, value, other)),
            2 => at().prop_map(Self::Remove),
            1 => at().prop_map(Self::Place),
            1 => Just(Self::Swap),
        ]
        .boxed()
    }

    /// The changed pair; `None` if it is none of the domain, or the same.
    pub(super) fn of(&self, pair: &Pair, domain: &Domain) -> Option<Pair> {
        let (mut parts, larger) = Parts::of(pair, domain.relation())?;
        let slots = parts.slots();
        let (least, largest) = domain.larger_sizes();
        match self {
            Self::Replace(slot, value) => parts = parts.with(*slot.get(&slots), value.clone()),
            Self::Move(slot, by) => {
                let slot = *slot.get(&slots);
                let value = nudged(&domain.records, parts.get(slot)?, *by);
                parts = parts.with(slot, value);
            }
            Self::Copy(slot, other) => {
                let value = parts.get(*other.get(&slots))?.clone();
                parts = parts.with(*slot.get(&slots), value);
            }
            Self::Insert(place, value, other) => {
                if larger >= largest {
                    return None;
                }
                let copy = || parts.get(*other.get(&slots)).cloned();
                let value = value.clone().or_else(copy)?;
                let place = place.index(parts.common.len() + 1);
                parts.common.insert(place, value);
            }
            Self::Remove(place) => {
                if larger <= least || parts.common.is_empty() {
                    return None;
                }
                parts = parts.without(place.index(parts.common.len()), 1);
            }
            Self::Place(place) => parts.place = place.index(parts.common.len() + 1),
            // With a record more or less, the one with it stays the second.
            Self::Swap => {
                if domain.neighbours == Neighbours::Substitute {
                    std::mem::swap(&mut parts.first, &mut parts.second);
                }
            }
        }
        parts.pair().filter(|changed| changed != pair)
    }
}

/// The record moved by so much within its range; a record without an order stays.
fn nudged(records: &RecordType, value: &Value, by: i64) -> Value {
    match (records, value) {
        (RecordType::Integer { lo, hi, .. }, value) => value.as_i64().map_or_else(
            || value.clone(),
            |integer| Value::from(integer.saturating_add(by).clamp(*lo, *hi)),
        ),
        (RecordType::Number { lo, hi, .. }, value) => {
            match (value.as_f64(), lo.as_f64(), hi.as_f64()) {
                (Some(double), Some(lo), Some(hi)) => number(moved(double, by).clamp(lo, hi)),
                _ => value.clone(),
            }
        }
        (RecordType::Tuple { fields }, Value::Array(items)) => {
            let nudged = fields
                .iter()
                .zip(items)
                .map(|(field, item)| nudged(field, item, by));
            Value::Array(nudged.collect())
        }
        _ => value.clone(),
    }
}
