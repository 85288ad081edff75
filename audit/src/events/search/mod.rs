//! The search for an event, and for cells to bet on.
//!
//! 1. `promise.rs`: an event's *promise*, the bound on epsilon that its test would give, as predicted from training outputs;
//!    and the cautions and margins of all choices among events.
//! 2. `column.rs`: each feature is read off all training outputs once; afterwards, everything is counting.
//! 3. `family.rs`: a *family* gives the best event of a column: `threshold.rs`, `interval.rs`, `set.rs`, and `outcomes.rs`
//!    where the outputs themselves are few.
//! 4. `lesson.rs`: what training outputs teach; `best_event.rs`: the event that promises most, refined by conditions and
//!    alternatives.
//! 5. `shorten.rs`: shorter events that still prove the same.
//! 6. `partition.rs`, `estimator.rs`: cells, for tests that use more than one event, and how their laws are guessed.

mod best_event;
mod column;
mod estimator;
mod family;
mod interval;
mod lesson;
mod line;
mod outcomes;
mod partition;
mod plain;
mod promise;
mod set;
mod shorten;
mod threshold;

pub use best_event::learn_event;
pub use estimator::Estimator;
pub use lesson::Lesson;
pub use partition::{MOST_CELLS, Partition};
pub use promise::Aim;
pub use shorten::shorter;
