//! Random records of a domain, a function of a seed.

use super::draws::Draws;
use super::records::RecordType;
use serde_json::Value;

/// Draws records that a domain may have: half of them are values that are tried anyway, or close to them.
pub struct RandomRecords {
    records: RecordType,
    draws: Draws,
}

impl RandomRecords {
    /// The same seed draws the same records.
    #[must_use]
    pub fn new(records: &RecordType, seed: u64) -> Self {
        Self {
            records: records.clone(),
            draws: Draws::new(seed),
        }
    }

    /// A record.
    pub fn record(&mut self) -> Value {
        self.records.drawn(&mut self.draws)
    }

    /// A whole number below `n`; 0 for no `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.draws.below(n)
    }
}
