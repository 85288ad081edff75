//! Small changes of a pair, that keep it a pair of neighbours of its domain.

use super::domain::{Domain, Neighbours};
use super::draws::Draws;
use super::pair::Pair;
use super::parts::Parts;
use super::random_pairs::moved;
use super::records::{RecordType, number};
use serde_json::Value;

/// A pair with one change; `None` if it is then none of the domain, or the same.
pub(super) fn mutated(pair: &Pair, domain: &Domain, draws: &mut Draws) -> Option<Pair> {
    let (mut parts, larger) = Parts::of(pair, domain.relation())?;
    let slots = parts.slots();
    let (least, largest) = domain.larger_sizes();
    let slot = *draws.one_of(&slots)?;
    match draws.below(15) {
        // A record becomes another one.
        0..4 => parts = parts.with(slot, domain.records.drawn(draws)),
        // It moves a little: by so much, or by so many doubles.
        4..7 => {
            let moved = nudged(&domain.records, parts.get(slot)?, draws.between(-3, 3));
            parts = parts.with(slot, moved);
        }
        // It becomes a copy of another one: a tie.
        7..9 => {
            let other = *draws.one_of(&slots)?;
            let value = parts.get(other)?.clone();
            parts = parts.with(slot, value);
        }
        // Both datasets have a record, or a copy of one of theirs, once more.
        9..11 => {
            if larger >= largest {
                return None;
            }
            let value = match draws.one_in(2) {
                true => domain.records.drawn(draws),
                false => parts.get(slot)?.clone(),
            };
            let place = draws.below(parts.common.len() + 1);
            parts.common.insert(place, value);
        }
        // Both lose one that they share.
        11..13 => {
            if larger <= least || parts.common.is_empty() {
                return None;
            }
            parts = parts.without(draws.below(parts.common.len()), 1);
        }
        // They differ at another place.
        13 => parts.place = draws.below(parts.common.len() + 1),
        // They are exchanged. With a record more or less, the one with it stays the second.
        _ => {
            if domain.neighbours == Neighbours::Substitute {
                std::mem::swap(&mut parts.first, &mut parts.second);
            }
        }
    }
    parts.pair().filter(|changed| changed != pair)
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
