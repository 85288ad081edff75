//! A random feature model in a model file: its frequencies and coefficients.

use crate::papers::model::{self, ModelFile, integers};
use crate::papers::{Predict, Predicted};
use crate::table::{Label, Scale, Shape};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::optimise::FeatureMatrix;
use dp_assay::random_features::Model;
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

/// Inputs and labels are multiples of 2^-16 in [-1, 1].
pub const GRID_BITS: u32 = 16;

/// Frequencies and features are multiples of 2^-20.
pub const FEATURE_BITS: u32 = 20;

/// Fourier features have so many frequencies, unless told otherwise.
pub const USUAL_FREQUENCIES: usize = 50;

/// The variance of each coordinate of a frequency, unless told otherwise: one over this. Both were chosen on white wine and
/// on made-up records.
pub const USUAL_INVERSE_VARIANCE: i64 = 4;

/// The weights.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    feature_grid_bits: u32,
    coefficient_grid_bits: u32,
    // Of each frequency its coordinates, and of each feature its coefficient: integers. No frequencies: linear features.
    frequencies: Vec<Vec<String>>,
    coefficients: Vec<String>,
}

/// The weights of a model, as they stand in a model file; without frequencies its features are linear.
pub fn weights(frequencies: Option<&Frequencies>, model: &Model) -> serde_json::Value {
    let texts =
        |frequency: &[i64]| -> Vec<String> { frequency.iter().map(i64::to_string).collect() };
    let frequencies: Vec<Vec<String>> = frequencies
        .into_iter()
        .flat_map(Frequencies::iter)
        .map(texts)
        .collect();
    let coefficients: Vec<String> = model.coefficients.iter().map(BigInt::to_string).collect();
    serde_json::json!({
        "feature_grid_bits": FEATURE_BITS,
        "coefficient_grid_bits": model.grid.bits(),
        "frequencies": frequencies,
        "coefficients": coefficients,
    })
}

/// The label of a point, in the units of the file that was learned from; it may lie outside of the label's interval.
pub fn predictor(model: &ModelFile) -> Result<Predict, String> {
    let weights: Weights = model.weights()?;
    if model.columns.grid_bits != GRID_BITS {
        return Err(format!(
            "grid_bits must be {GRID_BITS}, got {}",
            model.columns.grid_bits
        ));
    }
    if model.columns.shape != Shape::Cube {
        return Err("the shape of its columns must be \"cube\"".to_owned());
    }
    let Label::Interval(label) = model.label.clone() else {
        return Err("its label must have an interval, not classes".to_owned());
    };
    let dimension = model.columns.dimension();
    let grid = |bits| Grid::new(bits).map_err(|error| error.to_string());
    let (inputs, features) = (grid(GRID_BITS)?, grid(weights.feature_grid_bits)?);
    let map = if weights.frequencies.is_empty() {
        FeatureMap::linear(dimension, inputs, features)
    } else {
        let drawn = model::frequencies(&weights.frequencies, dimension, FEATURE_BITS)?;
        FeatureMap::new(drawn, inputs, features)
    };
    let map = map.map_err(|error| error.to_string())?;
    let coefficients = integers::<BigInt>("coefficients", &weights.coefficients)?;
    if coefficients.len() != map.dimension() {
        return Err(format!(
            "it must have {} coefficients, two a frequency (or, without frequencies, one a coordinate and one more), got {}",
            map.dimension(),
            coefficients.len()
        ));
    }
    let bits = grid(weights.coefficient_grid_bits)?.bits();
    Ok(Predict::Listed(Box::new(move |point| {
        let row = map.features(point)?;
        let t = FeatureMatrix::value(map.feature_grid(), &row, &coefficients, bits);
        Ok(Predicted {
            label: rational::to_f64_for_display(&in_units(&label.scale, &t)).to_string(),
            score: None,
        })
    })))
}

/// A label of [-1, 1] in the units of its interval.
fn in_units(scale: &Scale, t: &Rational) -> Rational {
    let (lo, hi) = (scale.lo(), scale.hi());
    (lo + hi + (hi - lo) * t) / BigInt::from(2)
}
