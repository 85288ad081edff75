//! A halfspace in a model file.

use super::Predict;
use super::classifier::{by_halfspace, printed};
use super::model::{ModelFile, integers};
use dp_assay::geometry::Halfspace;
use serde::{Deserialize, Serialize};

/// The weights: integers as texts, one a coordinate.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    direction: Vec<String>,
}

/// The weights of a halfspace, as they stand in a model file.
pub fn weights(halfspace: &Halfspace) -> serde_json::Value {
    let direction: Vec<String> = halfspace.direction.iter().map(i64::to_string).collect();
    serde_json::json!({ "direction": direction })
}

/// The label of the side that a point lies on; one on the boundary is "undecided".
pub fn predictor(model: &ModelFile) -> Result<Predict, String> {
    let weights: Weights =
        Weights::deserialize(&model.weights).map_err(|error| format!("weights: {error}"))?;
    let direction = integers("direction", &weights.direction)?;
    let dimension = model.columns.dimension();
    if direction.len() != dimension {
        return Err(format!(
            "its direction must have {dimension} coordinates, one for each that its columns have, got {}",
            direction.len()
        ));
    }
    printed(model, by_halfspace(Halfspace { direction }))
}
