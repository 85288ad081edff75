//! What a target said about its own noise.

use crate::targets::Beliefs;
use dp_assay::number::Rational;
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
        "least_noise": beliefs.loosest.as_ref().map(|(sensitivity, scale)| json!({
            "sensitivity": sensitivity.to_string(), "scale": scale.to_string(),
        })),
        "worst": beliefs.worst.as_ref().map(|(distance, sensitivity)| json!({
            "distance": distance.to_string(), "sensitivity": sensitivity.to_string(),
        })),
    })
}

/// How the traces contradict the data, or a claim of pure privacy: for the first line and for continuous integration. With a delta above 0 the quotient of sensitivity and scale bounds nothing by itself.
pub fn contradiction(beliefs: &Beliefs, pure_epsilon: Option<&Rational>) -> Option<String> {
    let mut said = Vec::new();
    if let Some((distance, sensitivity)) = &beliefs.worst {
        said.push(format!(
            "a distance of {distance} with a declared sensitivity of {sensitivity}, in {} of {} traces",
            beliefs.exceeded, beliefs.traces
        ));
    }
    if let Some(epsilon) = pure_epsilon
        && let Some((sensitivity, scale)) = beliefs.too_little_for(epsilon)
    {
        said.push(format!(
            "a declared sensitivity of {sensitivity} with noise of scale {scale}, for a claim of epsilon = {epsilon}, unless that rests on sampling"
        ));
    }
    (!said.is_empty()).then(|| format!("the program contradicts itself: {}", said.join("; ")))
}

/// The verdict, and what is contradicted.
pub fn with(verdict: String, contradiction: Option<&str>) -> String {
    match contradiction {
        Some(contradiction) => format!("{verdict}; but {contradiction}"),
        None => verdict,
    }
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
            "nothing was checked: no trace has a sensitivity, a scale and a distance that are all numbers of at least 0"
                .to_owned()
        }
    };
    ("traces".to_owned(), value)
}
