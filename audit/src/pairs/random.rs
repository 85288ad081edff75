//! Random records of a domain, a function of a seed.

use super::records::RecordType;
use super::search::{draw, runner};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// Draws records that a domain may have: half of them are values that are tried anyway, or close to them.
pub struct RandomRecords {
    records: BoxedStrategy<Value>,
    coins: TestRunner,
}

impl RandomRecords {
    /// The same seed draws the same records.
    #[must_use]
    pub fn new(records: &RecordType, seed: u64) -> Self {
        Self {
            records: records.strategy(),
            coins: runner(seed),
        }
    }

    /// A record.
    pub fn record(&mut self) -> Value {
        draw(&self.records, &mut self.coins).unwrap_or(Value::Null)
    }

    /// A whole number below `n`; 0 for no `n`.
    pub fn below(&mut self, n: usize) -> usize {
        let index = draw(&any::<Index>(), &mut self.coins).filter(|_| n > 0);
        index.map_or(0, |index| index.index(n))
    }
}
