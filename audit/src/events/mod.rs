//! Events: predicates of one output, learned on training outputs and counted on fresh ones.
//!
//! Nothing here needs to be right for an audit to be valid: the bound is computed on outputs that the
//! search has not seen. A poor event costs power only.
//!
//! 1. `outputs.rs`: the training outputs; a bounded number is kept.
//! 2. `features/`: a *feature* is something that can be read off an output: a coordinate, its lowest bit, its last digit,
//!    the length of a vector, a number in a text, the message of an error, a weighted sum.
//! 3. `predicate.rs`, `event.rs`: a *predicate* compares features with bounds or values, and an *event* is one that is
//!    likelier on one dataset; `words.rs` prints them.
//! 4. `model/`: a logistic model of the numbers learns the weighted sums, and estimates the odds of every output.
//! 5. `search/`: the event that *promises* the largest bound on epsilon, among thresholds, intervals and sets of values of
//!    each feature; a shorter one that still proves it; and the *partition* of all outputs into cells that bets are made on.

mod event;
mod features;
mod model;
mod outputs;
mod plain;
mod predicate;
mod search;
mod words;

pub use dp_assay::stats::Side;
pub use event::Event;
pub use features::{Aspect, Feature, Place, Real, Step, Term};
pub(crate) use outputs::bytes;
pub use outputs::{Kept, MOST_BYTES, MOST_OUTPUTS};
pub use plain::{Plainness, Subject};
pub use predicate::Predicate;
pub use search::{Aim, Estimator, Lesson, MOST_CELLS, Partition, learn_event, shorter};
pub use words::features_read;

#[cfg(test)]
mod tests;
