//! A pair taken apart, so that it can be changed and stay a pair of neighbours.

use super::pair::{Neighbourhood, Pair};
use dp_assay::privacy::NeighbouringRelation;
use serde_json::Value;

/// A pair taken apart: the records that both have, and the place and the records in which they differ.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) common: Vec<Value>,
    pub(super) place: usize,
    pub(super) first: Option<Value>,
    pub(super) second: Option<Value>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    Common(usize),
    First,
    Second,
}

impl Parts {
    pub(super) fn of(pair: &Pair, relation: NeighbouringRelation) -> Option<(Self, usize)> {
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
    pub(super) fn pair(&self) -> Option<Pair> {
        let with = |record: &Option<Value>| {
            let mut records = self.common.clone();
            records.splice(self.place..self.place, record.clone());
            Value::Array(records)
        };
        Some(Pair(with(&self.first), with(&self.second))).filter(|pair| pair.0 != pair.1)
    }

    pub(super) fn slots(&self) -> Vec<Slot> {
        let first = self.first.iter().map(|_| Slot::First);
        let second = self.second.iter().map(|_| Slot::Second);
        let common = (0..self.common.len()).map(Slot::Common);
        first.chain(second).chain(common).collect()
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Value> {
        match slot {
            Slot::Common(index) => self.common.get(index),
            Slot::First => self.first.as_ref(),
            Slot::Second => self.second.as_ref(),
        }
    }

    pub(super) fn with(&self, slot: Slot, value: Value) -> Self {
        let mut parts = self.clone();
        match slot {
            Slot::Common(index) => parts.common[index] = value,
            Slot::First => parts.first = Some(value),
            Slot::Second => parts.second = Some(value),
        }
        parts
    }

    /// Without `count` common records from `start` on.
    pub(super) fn without(&self, start: usize, count: usize) -> Self {
        let mut parts = self.clone();
        parts.common.drain(start..start + count);
        // The place moves with the records before it.
        parts.place -= parts.place.clamp(start, start + count) - start;
        parts
    }
}
