//! Events: predicates of one output, learned on training outputs and counted on fresh ones.
//!
//! Nothing here needs to be right for an audit to be valid: the bound is computed on outputs that the
//! search has not seen. A poor event costs power only.
//!
//! 1. A *feature* is something that can be read off an output: a coordinate, its lowest bit, its last digit, the
//!    length of a vector, a number in a text, the message of an error, a weighted sum.
//! 2. Each feature is read off all training outputs once, into a *column*; afterwards, everything is counting.
//! 3. A *family* gives the best event of a column: thresholds, intervals, sets of values. The weighted sums are
//!    learned themselves, as linear and logistic likelihood-ratio scores.
//! 4. An event's *promise* is the bound on epsilon that its test would give, as predicted from the training
//!    outputs. The event that promises most is refined by further conditions and alternatives.
//! 5. *Cells* are a partition of all outputs, for tests that use more than one event.

mod bits;
mod cells;
mod column;
mod equations;
mod feature;
mod features;
mod interval;
mod kept;
mod learn;
mod linear;
mod logistic;
mod numerals;
mod odds;
mod outcomes;
mod predicate;
mod promise;
mod reading;
mod set;
mod shape;
mod shorten;
mod steps;
mod table;
mod threshold;
mod words;

pub use cells::{Cells, MOST_CELLS};
pub use feature::{Feature, Real, Step, Term};
pub(crate) use kept::bytes;
pub use kept::{Kept, MOST_BYTES};
pub use learn::{Lesson, MOST_OUTPUTS};
pub use odds::Guess;
pub use predicate::Predicate;
pub use promise::Aim;
pub use reading::features_read;
pub use shorten::shorter;

use crate::targets::Output;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two datasets of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// A predicate, and the dataset under which it seemed to hold more often than it may.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
        outputs
            .iter()
            .filter(|output| self.contains(output))
            .count() as u64
    }
}

/// For people, cut where it is long; in full with `{:#}`.
impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.predicate.fmt(formatter)
    }
}

/// The event that promises the largest lower bound on epsilon at `delta`, if it is counted on three times as
/// many outputs: [`Aim::after`]. [`Lesson`] learns for another aim, and cells from the same reading.
///
/// The two slices are outputs on the two datasets of a pair; the event must be counted on others.
#[must_use]
pub fn learn_event(first: &[Output], second: &[Output], delta: f64) -> Event {
    let aim = Aim::after(first.len().max(second.len()), delta);
    Lesson::new(first, second, aim).event()
}

#[cfg(test)]
mod tests;
