//! A smaller pair that shows the same.

use super::domain::Domain;
use super::pair::Pair;
use super::parts::Parts;
use dp_assay::privacy::NeighbouringRelation;
use serde_json::Value;

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
