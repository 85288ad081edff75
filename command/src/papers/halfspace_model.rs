//! A halfspace in a model file, and predictions of two classes.

use super::Predict;
use super::model::{ModelFile, integers};
use crate::error::Error;
use crate::table::{Label, Shape};
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

/// A prediction for a point on the grid, true for the positive class.
pub type Prediction = Box<dyn Fn(&[i64]) -> Result<Option<bool>, Error>>;

/// The prediction by a halfspace.
pub fn by_halfspace(halfspace: Halfspace) -> Prediction {
    Box::new(move |point| Ok(halfspace.predict(point)?))
}

/// The prediction of a model of two classes as it is printed; where it does not decide, "undecided".
pub fn printed(model: &ModelFile, predict: Prediction) -> Result<Predict, String> {
    if model.columns.shape != Shape::Ball {
        return Err("the shape of its columns must be \"ball\"".to_owned());
    }
    let Label::Classes(classes) = model.label.clone() else {
        return Err("its label must have classes, not an interval".to_owned());
    };
    Ok(Predict::Listed(Box::new(move |point| {
        let label = match predict(point)? {
            Some(true) => &classes.positive,
            Some(false) => &classes.negative,
            None => "undecided",
        };
        Ok(label.to_owned())
    })))
}
