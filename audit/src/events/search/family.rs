//! The families of events of one column.

use super::column::{Column, Histogram, Values};
use super::interval::interval;
use super::promise::{Counts, Judge, Score};
use super::set::set;
use super::threshold::threshold;
use crate::events::predicate::Predicate;

/// An event and what it promises.
pub type Found = (Score, Predicate);

/// A family of events of one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Family {
    /// Where there is an order.
    Thresholds,
    /// Where there is none.
    Sets,
    /// Intervals and their complements.
    Intervals,
}

/// The simple ones first.
pub const FAMILIES: [Family; 3] = [Family::Thresholds, Family::Sets, Family::Intervals];

impl Family {
    /// The best event of the family on a column, together with the `base`, that is in it anyway.
    pub fn best(
        self,
        column: &Column<'_>,
        histogram: &Histogram,
        base: Counts,
        judge: &Judge,
    ) -> Option<Found> {
        let feature = &column.feature;
        match (self, &column.values) {
            (Self::Thresholds, Values::Ordered(values)) => {
                threshold(feature, values, histogram, base, judge)
            }
            (Self::Sets, Values::Keys(keys)) => set(feature, keys, histogram, base, judge),
            (Self::Intervals, Values::Ordered(values)) => {
                interval(feature, values, histogram, base, judge)
            }
            _ => None,
        }
    }
}
