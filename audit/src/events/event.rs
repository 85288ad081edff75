//! An event: a predicate, and where it is the more likely.

use super::predicate::Predicate;
use crate::targets::Output;
use dp_assay::stats::Side;
use std::fmt;

/// A predicate, and the dataset under which it seemed to hold more often than it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Where the predicate is the more likely.
    pub likelier: Side,
    /// The predicate.
    pub predicate: Predicate,
}

impl Event {
    /// Whether `output` is in the event.
    #[must_use]
    pub fn contains(&self, output: &Output) -> bool {
        self.predicate.holds(output)
    }

    /// How many of `outputs` are in the event.
    #[must_use]
    pub fn count(&self, outputs: &[Output]) -> u64 {
        self.predicate.count(outputs)
    }
}

/// For people, cut where it is long; in full with `{:#}`.
impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.predicate.fmt(formatter)
    }
}
