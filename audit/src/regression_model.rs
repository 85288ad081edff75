//! The model file of a random feature learner: everything that is needed to predict, and the privacy that it
//! was learned with. Everything in it is public; all numbers are exact, as texts.

use crate::data::regression::{Category, GRID_BITS, Inputs};
use crate::data::{Feature, Scale};
use crate::error::Error;
use crate::model::Privacy;
use crate::output::{self, Destination};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::optimise::FeatureMatrix;
use dp_assay::random_features::{FeatureMap, Frequencies, Model};
use num_bigint::BigInt;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The format that is written and read.
const FORMAT: &str = "dp-assay-regression-1";

/// Frequencies and features are multiples of 2^-20.
pub const FEATURE_BITS: u32 = 20;

/// A model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegressionModel {
    format: String,
    /// The learner's name.
    pub algorithm: String,
    /// What the model was learned with.
    pub privacy: Privacy,
    /// The learner's parameters by name.
    pub parameters: BTreeMap<String, String>,
    numeric: Vec<Feature>,
    categories: Vec<Category>,
    label: Feature,
    input_grid_bits: u32,
    feature_grid_bits: u32,
    coefficient_grid_bits: u32,
    // Of each frequency its coordinates, and of each feature its coefficient: integers.
    frequencies: Vec<Vec<String>>,
    coefficients: Vec<String>,
}

/// What is public besides the coefficients.
pub struct Description<'a> {
    /// The learner's name.
    pub algorithm: String,
    /// What the model was learned with.
    pub privacy: Privacy,
    /// The learner's parameters by name.
    pub parameters: BTreeMap<String, String>,
    /// How inputs come onto the grid.
    pub inputs: &'a Inputs,
    /// The label's column and interval.
    pub label: &'a (String, Scale),
}

/// Predicts labels.
pub struct Predictor {
    /// How inputs come onto the grid.
    pub inputs: Inputs,
    map: FeatureMap,
    coefficients: Vec<BigInt>,
    coefficient_bits: u32,
    label: Scale,
}

fn feature(name: &str, scale: &Scale) -> Feature {
    Feature {
        name: name.to_owned(),
        lo: scale.lo().to_string(),
        hi: scale.hi().to_string(),
    }
}

impl RegressionModel {
    /// The file of a model.
    pub fn new(description: Description, frequencies: &Frequencies, model: &Model) -> Self {
        let texts = |frequency: &[i64]| frequency.iter().map(i64::to_string).collect();
        let numeric = description.inputs.numeric.iter();
        Self {
            format: FORMAT.to_owned(),
            algorithm: description.algorithm,
            privacy: description.privacy,
            parameters: description.parameters,
            numeric: numeric.map(|(name, scale)| feature(name, scale)).collect(),
            categories: description.inputs.categories.clone(),
            label: feature(&description.label.0, &description.label.1),
            input_grid_bits: GRID_BITS,
            feature_grid_bits: FEATURE_BITS,
            coefficient_grid_bits: model.grid.bits(),
            frequencies: frequencies.iter().map(texts).collect(),
            coefficients: model.coefficients.iter().map(BigInt::to_string).collect(),
        }
    }

    /// Writes the model file, as a whole or not at all.
    pub fn write(&self, destination: &Destination) -> Result<(), Error> {
        destination.write_text(&output::json(self)?)
    }

    /// Reads a model file; `None` if it is readable JSON of another format.
    pub fn read(path: &Path) -> Result<Option<Self>, Error> {
        let text = fs::read_to_string(path).map_err(|source| Error::read(path, source))?;
        let wrong = |reason: String| Error::Model {
            path: path.to_owned(),
            reason,
        };
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if value.get("format").and_then(serde_json::Value::as_str) != Some(FORMAT) {
            return Ok(None);
        }
        let model: Self =
            serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
        Ok(Some(model))
    }

    /// What predicts; with `clip` inputs beyond their intervals are clipped.
    pub fn predictor(&self, clip: bool) -> Result<Predictor, String> {
        let scale = |feature: &Feature| {
            let ends = (rational::parse(&feature.lo), rational::parse(&feature.hi));
            match ends {
                (Ok(lo), Ok(hi)) => Scale::new(lo, hi),
                _ => None,
            }
            .ok_or_else(|| {
                format!(
                    "the interval of '{}' must be two numbers, lo below hi, got {}:{}",
                    feature.name, feature.lo, feature.hi
                )
            })
        };
        let numeric = self.numeric.iter();
        let inputs = Inputs {
            numeric: numeric
                .map(|feature| Ok((feature.name.clone(), scale(feature)?)))
                .collect::<Result<_, String>>()?,
            categories: self.categories.clone(),
            clip,
        };
        if self.input_grid_bits != GRID_BITS {
            return Err(format!(
                "input_grid_bits must be {GRID_BITS}, got {}",
                self.input_grid_bits
            ));
        }
        let dimension = inputs.dimension();
        let mut steps = Vec::new();
        for frequency in &self.frequencies {
            if frequency.len() != dimension {
                return Err(format!(
                    "each frequency must have {dimension} coordinates, got {}",
                    frequency.len()
                ));
            }
            for text in frequency {
                steps.push(
                    text.parse()
                        .map_err(|_| not_an_integer("frequencies", text))?,
                );
            }
        }
        let grid = |bits| Grid::new(bits).map_err(|error| error.to_string());
        let map = Frequencies::new(grid(FEATURE_BITS)?, dimension, steps)
            .and_then(|frequencies| {
                FeatureMap::new(
                    frequencies,
                    Grid::new(GRID_BITS)?,
                    Grid::new(self.feature_grid_bits)?,
                )
            })
            .map_err(|error| error.to_string())?;
        let coefficients = self
            .coefficients
            .iter()
            .map(|text| {
                text.parse()
                    .map_err(|_| not_an_integer("coefficients", text))
            })
            .collect::<Result<Vec<BigInt>, String>>()?;
        if coefficients.len() != map.dimension() {
            return Err(format!(
                "it must have {} coefficients, two a frequency, got {}",
                map.dimension(),
                coefficients.len()
            ));
        }
        grid(self.coefficient_grid_bits)?;
        Ok(Predictor {
            inputs,
            map,
            coefficients,
            coefficient_bits: self.coefficient_grid_bits,
            label: scale(&self.label)?,
        })
    }
}

fn not_an_integer(what: &str, text: &str) -> String {
    format!("its {what} must be integers as texts, got '{text}'")
}

impl Predictor {
    /// The label of a point, exactly, in the units of the file that was learned from; it may lie outside of
    /// the label's interval.
    pub fn predict(&self, point: &[i64]) -> Result<Rational, Error> {
        let row = self.map.features(point)?;
        let grid = self.map.feature_grid();
        let t = FeatureMatrix::value(grid, &row, &self.coefficients, self.coefficient_bits);
        let two = BigInt::from(2);
        let (lo, hi) = (self.label.lo(), self.label.hi());
        Ok((lo + hi + (hi - lo) * t) / two)
    }
}
