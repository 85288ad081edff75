//! The pairs that often show violations: the same for every mechanism.

use super::domain::{Domain, Neighbours};
use super::pair::Pair;
use super::parts::Parts;
use serde_json::Value;
use std::collections::BTreeSet;

impl Domain {
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

    /// At most `limit` pairs in which a record, or one that both datasets have, is pathological: NaN, null, an infinity, -0,
    /// 2^53, an extreme of the type, where the domain allows them. Small ones; none comes twice.
    #[must_use]
    pub fn pathological(&self, limit: usize) -> Vec<Pair> {
        let values = self.records.values();
        let (Some(simple), Some(other)) = (values.first(), values.get(1)) else {
            return Vec::new();
        };
        let (least, largest) = self.larger_sizes();
        let mut pairs: Vec<Pair> = Vec::new();
        for value in self.records.pathological() {
            let ordinary = if value == *simple { other } else { simple };
            // 1. It is the record in which they differ; 2. Both have it, and differ beside it.
            let common = vec![ordinary.clone(); least - 1];
            pairs.extend(self.ending(&common, ordinary, &value));
            if largest > 1 {
                let mut common = vec![simple.clone(); least.max(2) - 1];
                common[0] = value;
                pairs.extend(self.ending(&common, simple, other));
            }
        }
        pairs.truncate(limit);
        pairs
    }

    /// The pair with these common records that ends in one of these two or, where records are added, in the second or not.
    fn ending(&self, common: &[Value], first: &Value, second: &Value) -> Option<Pair> {
        let with = |record: Option<&Value>| {
            let records = common.iter().chain(record).cloned();
            Value::Array(records.collect())
        };
        let first = match self.neighbours {
            Neighbours::Substitute => with(Some(first)),
            Neighbours::AddRemove => with(None),
        };
        Some(Pair(first, with(Some(second)))).filter(|pair| pair.0 != pair.1)
    }

    /// The sizes of the larger dataset that are tried.
    fn sizes(&self) -> Vec<usize> {
        let (least, largest) = self.larger_sizes();
        let sizes = [least, least + 1, least + 2, 10, largest];
        let sizes: BTreeSet<usize> = sizes
            .into_iter()
            .filter(|size| (least..=largest).contains(size))
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
