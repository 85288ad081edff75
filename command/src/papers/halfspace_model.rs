//! A halfspace in a model file, and predictions of two classes.

use super::model::{ModelFile, integers};
use super::{Predict, Predicted};
use crate::error::Error;
use crate::table::{Classes, Label, Shape};
use dp_assay::geometry::Halfspace;
use dp_assay::number::Grid;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

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
    let weights: Weights = model.weights()?;
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

/// What a model of two classes says of a point: the side is decided in exact numbers, the value is for people to read.
#[derive(Debug, Clone, Copy)]
pub struct Decision {
    /// True for the positive class; nothing on the boundary.
    pub side: Option<bool>,
    /// How far on that side, rounded to a double: above 0 for the positive class.
    pub value: f64,
}

impl Decision {
    /// By the order of a number beside 0, and the number.
    pub fn new(order: Ordering, value: f64) -> Self {
        let side = match order {
            Ordering::Greater => Some(true),
            Ordering::Less => Some(false),
            Ordering::Equal => None,
        };
        Self { side, value }
    }
}

/// A decision for a point on the grid.
pub type Prediction = Box<dyn Fn(&[i64]) -> Result<Decision, Error>>;

/// The prediction by a halfspace.
pub fn by_halfspace(halfspace: Halfspace) -> Prediction {
    Box::new(move |point| Ok(by_product(halfspace.inner_product(point)?)))
}

/// The decision by an inner product.
pub fn by_product(product: i128) -> Decision {
    Decision::new(product.cmp(&0), product as f64)
}

/// What the inner product of a direction with a point of the grid is where the point is at distance 1 from the boundary.
pub fn unit(direction: &[i64], grid: Grid) -> f64 {
    let squared: f64 = direction.iter().map(|&w| (w as f64).powi(2)).sum();
    squared.sqrt() * grid.one() as f64
}

/// What is printed of a decision between two classes; on the boundary, "undecided". The score has the sign of the side, however
/// small it is.
pub fn of_classes(classes: &Classes, decision: Decision) -> Predicted {
    let least = f64::MIN_POSITIVE;
    let (label, score) = match decision.side {
        Some(true) => (&*classes.positive, decision.value.max(least)),
        Some(false) => (&*classes.negative, decision.value.min(-least)),
        None => ("undecided", 0.0),
    };
    Predicted {
        label: label.to_owned(),
        score: Some(score),
    }
}

/// The predictions of a model of two classes; their scores are in units of this value of a decision.
pub fn printed(model: &ModelFile, predict: Prediction, unit: f64) -> Result<Predict, String> {
    if model.columns.shape != Shape::Ball {
        return Err("the shape of its columns must be \"ball\"".to_owned());
    }
    let Label::Classes(classes) = model.label.clone() else {
        return Err("its label must have classes, not an interval".to_owned());
    };
    Ok(Predict::Listed(Box::new(move |point| {
        let Decision { side, value } = predict(point)?;
        let value = value / unit;
        Ok(of_classes(&classes, Decision { side, value }))
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_the_sign_of_its_side_though_the_double_is_0() {
        let classes = Classes {
            positive: "yes".to_owned(),
            negative: "no".to_owned(),
        };
        for (order, label, sign) in [
            (Ordering::Greater, "yes", 1.0),
            (Ordering::Less, "no", -1.0),
            (Ordering::Equal, "undecided", 0.0),
        ] {
            let said = of_classes(&classes, Decision::new(order, 0.0));
            let score = said.score.unwrap();
            assert_eq!(said.label, label);
            assert!(score == 0.0 && sign == 0.0 || score * sign > 0.0, "{score}");
        }
    }
}
