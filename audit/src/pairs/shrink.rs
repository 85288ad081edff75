//! A smaller pair that shows the same.

use super::domain::Domain;
use super::pair::Pair;
use super::parts::Parts;
use super::records::{simpler_of, simplest_first};
use dp_assay::privacy::NeighbouringRelation;
use serde_json::Value;
use std::cell::Cell;

/// A smaller pair on which `persists` still says yes: fewer records, then simpler ones.
///
/// Every step is smaller than the one before, and `persists` is asked at most `budget` times. A pair that
/// is not two arrays stays as it is.
///
/// What is tried are datasets that the mechanism must take. With a domain, those of the domain. Without one, those that
/// follow from the pair: under substitution the number of records is public, and is kept; where records are added and
/// removed they may be fewer. A record may become another one of the pair, if that one has the same form.
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
    let given: Vec<Value> = parts
        .slots()
        .into_iter()
        .filter_map(|slot| parts.get(slot).cloned())
        .collect();
    let given = simplest_first(given);
    let simpler = |value: &Value| match domain {
        Some(domain) => domain.records.simpler(value),
        None => simpler_of(value, &given),
    };
    // Without any left, nothing is built that would not be tried.
    let left = Cell::new(budget);
    let mut try_it = |candidate: &Parts| -> Result<bool, E> {
        match candidate.pair() {
            Some(pair) if left.get() > 0 => {
                left.set(left.get() - 1);
                persists(&pair)
            }
            _ => Ok(false),
        }
    };
    // 1. Fewer records: halves, quarters, …, single ones.
    let least_common = match (domain, relation) {
        (None, NeighbouringRelation::Substitute) => parts.common.len(),
        (None, NeighbouringRelation::AddOrRemove) => 0,
        (Some(domain), NeighbouringRelation::Substitute) => domain.size.0.saturating_sub(1),
        (Some(domain), NeighbouringRelation::AddOrRemove) => domain.size.0,
    };
    let mut count = parts.common.len();
    while count > 0 && parts.common.len() > least_common && left.get() > 0 {
        let mut start = 0;
        while start + count <= parts.common.len() && left.get() > 0 {
            let smaller = parts.without(start, count);
            if smaller.common.len() >= least_common && try_it(&smaller)? {
                parts = smaller;
            } else {
                start += count;
            }
        }
        count /= 2;
    }
    // 2. Simpler records: all that both datasets have at once, half of them, …
    let mut count = parts.common.len();
    while count > 1 && left.get() > 0 {
        for start in (0..parts.common.len()).step_by(count) {
            if left.get() == 0 {
                break;
            }
            let end = (start + count).min(parts.common.len());
            let mut simplest = parts.clone();
            for value in &mut simplest.common[start..end] {
                if let Some(other) = simpler(value).into_iter().next() {
                    *value = other;
                }
            }
            if simplest.common != parts.common && try_it(&simplest)? {
                parts = simplest;
            }
        }
        count /= 2;
    }
    // 3. And one by one, until none is simpler.
    loop {
        let mut changed = false;
        for slot in parts.slots() {
            if left.get() == 0 {
                break;
            }
            let current = parts.get(slot).cloned().unwrap_or(Value::Null);
            for value in simpler(&current) {
                if left.get() == 0 {
                    break;
                }
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
