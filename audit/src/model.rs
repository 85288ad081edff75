//! The model file: a halfspace on the grid, how records come onto that grid, and the privacy that it
//! was learned with.
//!
//! Everything in it is public: no error on the data, no count. All numbers are exact, as texts.

use crate::data::{Feature, Labels, Scale};
use crate::error::Error;
use crate::output::{self, Destination};
use dp_assay::halfspaces::Halfspace;
use dp_assay::number::{grid::FINEST, rational};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

/// The format that is written and read.
const FORMAT: &str = "dp-assay-model-1";

/// A model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    format: String,
    /// The learner's name.
    pub algorithm: String,
    /// What the model was learned with.
    pub privacy: Privacy,
    /// The learner's parameters by name.
    pub parameters: BTreeMap<String, String>,
    /// `theorem`, or `overridden: ` and which.
    pub parameters_from: String,
    /// The features, in the order of the coordinates.
    pub features: Vec<Feature>,
    /// Whether a constant coordinate comes after the features.
    pub intercept: bool,
    /// The grid is the multiples of 2^-grid_bits.
    pub grid_bits: u32,
    /// What the two sides of the halfspace are called.
    pub label: Labels,
    // Each an integer.
    direction: Vec<String>,
}

/// The privacy of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Privacy {
    /// The privacy parameter epsilon.
    pub epsilon: String,
    /// The privacy parameter delta.
    pub delta: String,
    /// What differs between neighbours.
    pub neighbours: String,
    /// Where the coins came from.
    pub coins: String,
    /// What is guaranteed, in a sentence.
    pub statement: String,
}

/// What a model says besides its direction.
#[derive(Debug)]
pub struct Description {
    /// The learner's name.
    pub algorithm: String,
    /// What the model was learned with.
    pub privacy: Privacy,
    /// The learner's parameters by name.
    pub parameters: BTreeMap<String, String>,
    /// `theorem`, or `overridden: ` and which.
    pub parameters_from: String,
    /// The features, in the order of the coordinates.
    pub features: Vec<Feature>,
    /// Whether a constant coordinate comes after the features.
    pub intercept: bool,
    /// The grid is the multiples of 2^-grid_bits.
    pub grid_bits: u32,
    /// What the two sides of the halfspace are called.
    pub label: Labels,
}

impl Model {
    /// The model of this halfspace.
    pub fn new(description: Description, halfspace: &Halfspace) -> Self {
        Self {
            format: FORMAT.to_owned(),
            algorithm: description.algorithm,
            privacy: description.privacy,
            parameters: description.parameters,
            parameters_from: description.parameters_from,
            features: description.features,
            intercept: description.intercept,
            grid_bits: description.grid_bits,
            label: description.label,
            direction: halfspace.direction.iter().map(i64::to_string).collect(),
        }
    }

    /// Writes the model file, as a whole or not at all.
    pub fn write(&self, destination: &Destination) -> Result<(), Error> {
        destination.write_text(&output::json(self)?)
    }

    /// Reads a model file, and checks that its parts fit together.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(|source| Error::read(path, source))?;
        let model = Self::from_json(&text).map_err(|reason| Error::Model {
            path: path.to_owned(),
            reason,
        })?;
        Ok(model)
    }

    fn from_json(text: &str) -> Result<Self, String> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        match value.get("format").and_then(serde_json::Value::as_str) {
            Some(FORMAT) => {}
            Some(other) => return Err(format!("its format must be \"{FORMAT}\", got \"{other}\"")),
            None => return Err(format!("its format must be \"{FORMAT}\", and it has none")),
        }
        let model: Self = serde_json::from_value(value).map_err(|error| error.to_string())?;
        if model.features.is_empty() {
            return Err("it has no features".to_owned());
        }
        let mut names = HashSet::new();
        for feature in &model.features {
            if !names.insert(&feature.name) {
                return Err(format!("it has the feature '{}' twice", feature.name));
            }
        }
        if model.grid_bits > FINEST {
            return Err(format!(
                "grid_bits must be at most {FINEST}, got {}",
                model.grid_bits
            ));
        }
        if model.label.positive == model.label.negative {
            return Err("its two labels must differ".to_owned());
        }
        let dimension = model.features.len() + usize::from(model.intercept);
        if model.direction.len() != dimension {
            return Err(format!(
                "its direction must have {dimension} coordinates, one a feature and one for the \
                 intercept if there is one, got {}",
                model.direction.len()
            ));
        }
        model.scales()?;
        model.halfspace()?;
        Ok(model)
    }

    /// The interval of each feature.
    pub fn scales(&self) -> Result<Vec<Scale>, String> {
        self.features
            .iter()
            .map(|feature| {
                let wrong = || {
                    format!(
                        "the box of '{}' must be two numbers, lo below hi, got {}:{}",
                        feature.name, feature.lo, feature.hi
                    )
                };
                match (rational::parse(&feature.lo), rational::parse(&feature.hi)) {
                    (Ok(lo), Ok(hi)) => Scale::new(lo, hi).ok_or_else(wrong),
                    _ => Err(wrong()),
                }
            })
            .collect()
    }

    /// The halfspace.
    pub fn halfspace(&self) -> Result<Halfspace, String> {
        let direction = self
            .direction
            .iter()
            .map(|text| {
                text.parse().map_err(|_| {
                    format!("its direction must be integers of 64 bits as texts, got '{text}'")
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Halfspace { direction })
    }

    /// What the model calls a prediction of its halfspace.
    pub fn label_of(&self, prediction: Option<bool>) -> &str {
        match prediction {
            Some(true) => &self.label.positive,
            Some(false) => &self.label.negative,
            None => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        let text = |text: &str| text.to_owned();
        Model::new(
            Description {
                algorithm: text("halfspaces-pure"),
                privacy: Privacy {
                    epsilon: text("1"),
                    delta: text("0"),
                    neighbours: text("substitution of one record; n public"),
                    coins: text("ChaCha20 seeded by the operating system"),
                    statement: text("(1, 0)-differentially private"),
                },
                parameters: BTreeMap::from([(text("gamma"), text("1/10"))]),
                parameters_from: text("theorem"),
                features: vec![Feature {
                    name: text("a"),
                    lo: text("-1/2"),
                    hi: text("3"),
                }],
                intercept: true,
                grid_bits: 20,
                label: Labels {
                    positive: text("yes"),
                    negative: text("no"),
                },
            },
            &Halfspace {
                direction: vec![i64::MAX, -3],
            },
        )
    }

    #[test]
    fn a_model_survives_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.json");
        model()
            .write(&Destination::new(&path, &[]).unwrap())
            .unwrap();
        assert_eq!(Model::read(&path).unwrap(), model());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_no_model_is_refused() {
        let good = output::json(&model()).unwrap();
        assert!(Model::from_json(&good).is_ok());
        for length in 0..good.len() - 1 {
            if good.is_char_boundary(length) {
                assert!(Model::from_json(&good[..length]).is_err(), "{length}");
            }
        }
        for (from, to, part) in [
            ("model-1", "model-2", "must be \"dp-assay-model-1\""),
            ("\"format\"", "\"fermat\"", "it has none"),
            ("\"-3\"", "\"-3.5\"", "integers of 64 bits as texts"),
            ("\"-3\"", "\"9223372036854775808\"", "of 64 bits"),
            ("\"-3\"", "\"-3\", \"1\"", "must have 2 coordinates"),
            ("\"3\"", "\"-3\"", "lo below hi"),
            ("\"3\"", "\"x\"", "must be two numbers"),
            ("\"no\"", "\"yes\"", "must differ"),
            (": 20", ": 99", "at most 40"),
            ("\"algorithm\"", "\"algorism\"", "algorism"),
        ] {
            assert!(good.contains(from), "{from}");
            let message = Model::from_json(&good.replace(from, to)).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
