//! A halfspace in a model file, and predictions of two classes.

use super::model::{ModelFile, integers};
use super::{Predict, Predicted};
use crate::error::Error;
use crate::table::{Classes, Label, Shape};
use dp_assay::geometry::Halfspace;
use dp_assay::number::Grid;
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
    let grid = Grid::new(model.columns.grid_bits).map_err(|error| error.to_string())?;
    let unit = unit(&direction, grid);
    printed(model, by_halfspace(Halfspace { direction }), unit)
}

/// A decision value for a point on the grid. Its sign, which is exact, is the class; 0 is neither.
pub type Prediction = Box<dyn Fn(&[i64]) -> Result<f64, Error>>;

/// The prediction by a halfspace: the inner product in integers, rounded to a double. No integer but 0 is rounded to 0.
pub fn by_halfspace(halfspace: Halfspace) -> Prediction {
    Box::new(move |point| Ok(halfspace.inner_product(point)? as f64))
}

/// What the inner product of a direction with a point of the grid is where the point is at distance 1 from the boundary.
pub fn unit(direction: &[i64], grid: Grid) -> f64 {
    let squared: f64 = direction.iter().map(|&w| (w as f64).powi(2)).sum();
    squared.sqrt() * grid.one() as f64
}

/// The side that a decision value says, true for the positive class.
pub fn side(value: f64) -> Option<bool> {
    if value > 0.0 {
        Some(true)
    } else if value < 0.0 {
        Some(false)
    } else {
        None
    }
}

/// What is printed of a decision value of two classes; where it does not decide, "undecided".
pub fn of_classes(classes: &Classes, value: f64) -> Predicted {
    let label = match side(value) {
        Some(true) => &classes.positive,
        Some(false) => &classes.negative,
        None => "undecided",
    };
    Predicted {
        label: label.to_owned(),
        // Not -0.
        score: Some(value + 0.0),
    }
}

/// The predictions of a model of two classes; their scores are in units of this decision value.
pub fn printed(model: &ModelFile, predict: Prediction, unit: f64) -> Result<Predict, String> {
    if model.columns.shape != Shape::Ball {
        return Err("the shape of its columns must be \"ball\"".to_owned());
    }
    let Label::Classes(classes) = model.label.clone() else {
        return Err("its label must have classes, not an interval".to_owned());
    };
    Ok(Predict::Listed(Box::new(move |point| {
        let value = predict(point)?;
        // Where all weights are 0 the unit is 0 too.
        let score = if value == 0.0 { 0.0 } else { value / unit };
        Ok(of_classes(&classes, score))
    })))
}
