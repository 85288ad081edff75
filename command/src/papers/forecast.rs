//! What is known of a run before a record is read: its noise, its guarantee, its time and memory. Public numbers alone say it.

use super::report::Bound;
use super::work::Work;

/// So many records in so many coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The records that are learned from.
    pub records: usize,
    /// The coordinates of each.
    pub coordinates: usize,
}

/// How a learner finds its model: what the rule of [`advice`](super::advice) goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// It chooses among public candidates.
    Candidates,
    /// It takes noisy gradients of all records, many times.
    Gradients,
    /// It goes through the records a few times, and takes noisy gradients of parts.
    Parts,
    /// It releases a minimiser, or what a minimiser is made of, once.
    Release,
}

/// What is known of a run.
#[derive(Debug)]
pub struct Forecast {
    /// How it finds its model.
    pub way: Way,
    /// The noise, in a few words.
    pub noise: String,
    /// What its theorem promises, if one does.
    pub bound: Option<Bound>,
    /// What it takes.
    pub work: Work,
}
