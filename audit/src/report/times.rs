//! How times were told apart, and what is assumed of them.

use super::{Rows, row};
use crate::refute::Buckets;
use serde_json::{Value, json};

/// What is assumed of times, beside what is assumed of all answers.
const ASSUMES: &str = "the program stamps its times truly, and the load of the machine does not depend on the dataset (it may drift: each call is a request of its own, on a dataset that a coin names just before). Nothing is said of another machine, nor of what is slower than the stamps show";

/// For people.
pub fn rows(buckets: &Buckets) -> Rows {
    let many = buckets.begins.len();
    vec![
        row(
            "times",
            format!(
                "in nanoseconds, as the program stamps them: in {many} buckets, learned from {} calls that are then spent. A time in an event is where its bucket begins",
                buckets.calls
            ),
        ),
        row("assumed of times", ASSUMES),
    ]
}

/// For programs.
pub fn as_json(buckets: &Buckets) -> Value {
    json!({
        "buckets": buckets.begins,
        "learned_from": buckets.calls,
        "assumes": ASSUMES,
    })
}
