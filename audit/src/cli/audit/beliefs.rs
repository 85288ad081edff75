//! What a target said about its own noise.

use dp_assay::number::Rational;
use dp_assay_audit::targets::Beliefs;
use serde_json::json;

/// For programs.
pub fn as_json(beliefs: &Beliefs) -> serde_json::Value {
    let exact = |value: &Option<Rational>| value.as_ref().map(ToString::to_string);
    let range = |ends: &Option<(Rational, Rational)>| {
        ends.as_ref()
            .map(|(least, most)| json!([least.to_string(), most.to_string()]))
    };
    json!({
        "traces": beliefs.traces,
        "without_numbers": beliefs.others,
        "largest_distance": exact(&beliefs.distance),
        "declared_sensitivity": range(&beliefs.sensitivity),
        "declared_scale": range(&beliefs.scale),
        "exceeds_sensitivity": beliefs.violated(),
        "exceeding_traces": beliefs.exceeded,
        "worst": beliefs.worst.as_ref().map(|(distance, sensitivity)| json!({
            "distance": distance.to_string(), "sensitivity": sensitivity.to_string(),
        })),
    })
}

/// For people: one row.
pub fn row(beliefs: &Beliefs) -> (String, String) {
    let value = match (&beliefs.worst, &beliefs.distance) {
        (Some((distance, sensitivity)), _) => format!(
            "a belief is wrong: distance {distance} with a declared sensitivity of {sensitivity}, in {} of {} traces",
            beliefs.exceeded, beliefs.traces
        ),
        (None, Some(distance)) => format!(
            "the largest distance is {distance}, within the declared sensitivity, in {} traces",
            beliefs.traces
        ),
        (None, None) => {
            "none has the numbers sensitivity, scale and distance, so that nothing was checked"
                .to_owned()
        }
    };
    ("traces".to_owned(), value)
}
