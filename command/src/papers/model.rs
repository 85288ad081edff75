//! The model file: how records come onto the grid, the weights that were learned, and the privacy that they were
//! learned with. One envelope for all learners; what the weights are the paper knows.
//!
//! Everything in it is public: no error on the data, no count. All numbers are exact, as texts.

use super::held_out::Told;
use crate::error::Error;
use crate::options::{MOST_DIGITS, number};
use crate::output::{self, Destination, Kind};
use crate::table::{Columns, Label};
use dp_assay::geometry::Frequencies;
use dp_assay::number::shortened;
use dp_assay::number::{Grid, Rational};
use num_traits::{One, Signed};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The format that is written and read.
const FORMAT: &str = "dp-assay-model-2";

/// What the first bytes of every model file have, of older formats too.
const KIND: Kind = Kind {
    is: |first| {
        let first = first.get(..256).unwrap_or(first);
        String::from_utf8_lossy(first).contains("\"format\": \"dp-assay-")
    },
    name: "a model file",
};

/// The name that a model gives to the software that wrote it, before its version.
const SOFTWARE: &str = "dp-assay ";

/// A larger file is refused: of 2^24 coefficients a model has 20 to 30 bytes each.
const LARGEST: u64 = 1 << 29;

/// A model file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    format: String,
    software: String,
    /// The learner's name.
    pub algorithm: String,
    /// What the model was learned with.
    pub privacy: Privacy,
    /// The learner's parameters by name.
    pub parameters: BTreeMap<String, String>,
    /// `theorem`, or `overridden: ` and which.
    pub parameters_from: String,
    /// How records come onto the grid.
    pub columns: Columns,
    /// What is predicted.
    pub label: Label,
    /// What was learned, in the learner's own form.
    pub weights: Value,
    /// What was told of its errors on records that were held out, if some were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Told>,
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
    /// Whether that holds: not where somebody can draw the coins again. Written where it does not.
    #[serde(default = "holds", skip_serializing_if = "is_private")]
    pub private: bool,
    /// Where the coins came from.
    pub coins: String,
    /// What is guaranteed, in a sentence.
    pub statement: String,
}

fn holds() -> bool {
    true
}

fn is_private(private: &bool) -> bool {
    *private
}

/// What the privacy statement says of two numbers.
pub fn guarantee(epsilon: &str, delta: &str) -> String {
    format!("({epsilon}, {delta})-differentially private")
}

impl Privacy {
    fn check(&self) -> Result<(), String> {
        let read =
            |name: &str, text: &str, range: &str, fits: fn(&Rational) -> bool| match number(text) {
                Ok(value) if fits(&value) => Ok(()),
                _ => Err(format!(
                    "privacy.{name} must be a number {range}, got '{}'",
                    shortened(text)
                )),
            };
        read("epsilon", &self.epsilon, "above 0", Signed::is_positive)?;
        read("delta", &self.delta, "from 0 on and below 1", |delta| {
            !delta.is_negative() && *delta < Rational::one()
        })?;
        for (name, text) in [("neighbours", &self.neighbours), ("coins", &self.coins)] {
            if text.is_empty() {
                return Err(format!("privacy.{name} must say something, and is empty"));
            }
        }
        let guarantee = guarantee(&self.epsilon, &self.delta);
        if !self.statement.contains(&guarantee) {
            return Err(format!(
                "privacy.statement must say '{guarantee}', as privacy.epsilon and privacy.delta do"
            ));
        }
        Ok(())
    }
}

impl ModelFile {
    /// The file of a model, of this version of the software.
    pub fn new(
        (algorithm, privacy): (&str, Privacy),
        (parameters, parameters_from): (BTreeMap<String, String>, String),
        (columns, label): (Columns, Label),
        (weights, held_out): (Value, Option<Told>),
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            software: format!("{SOFTWARE}{}", env!("CARGO_PKG_VERSION")),
            algorithm: algorithm.to_owned(),
            privacy,
            parameters,
            parameters_from,
            columns,
            label,
            weights,
            held_out,
        }
    }

    /// Where a model is to be written: everything that can be refused is refused here, before the work. A model that is
    /// there stays, unless with `force`: what it cost the records cannot be had back.
    pub fn destination(path: &Path, inputs: &[&Path], force: bool) -> Result<Destination, Error> {
        let destination = Destination::of_kind(path, inputs, &KIND, force)?;
        let is_there = fs::metadata(destination.path()).is_ok_and(|found| found.len() > 0);
        if is_there && !force {
            return Err(Error::Destination {
                path: path.to_owned(),
                reason: "it is a model, which has been paid for with privacy: to replace it gives none of that back \
                         (take another --out, or --force replaces it)"
                    .to_owned(),
            });
        }
        Ok(destination)
    }

    /// Writes the model file, as a whole or not at all, and returns its path. Without `force` no model is replaced that came
    /// while this one was learned: this one then has another name.
    pub fn write(&self, destination: &Destination, force: bool) -> Result<PathBuf, Error> {
        let text = output::json(self)?;
        if force {
            destination.write_text(&text)?;
            return Ok(destination.path().to_owned());
        }
        destination.write_new(&text)
    }

    /// The weights in a learner's own form.
    pub fn weights<W: DeserializeOwned>(&self) -> Result<W, String> {
        W::deserialize(&self.weights).map_err(|error| format!("weights: {error}"))
    }

    /// Reads a model file, and checks everything but the weights.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
            .map_err(|source| Error::read(path, source))?;
        let wrong = |reason| Error::Model {
            path: path.to_owned(),
            reason,
        };
        if text.len() as u64 > LARGEST {
            return Err(wrong(format!("it has more than {LARGEST} bytes")));
        }
        let value: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        // One of another version is a model file all the same.
        check_version(&value).map_err(|reason| match is_of_a_model(&value) {
            true => Error::data(path, reason),
            false => wrong(reason),
        })?;
        Self::from_value(value).map_err(wrong)
    }

    fn from_value(value: Value) -> Result<Self, String> {
        let model: Self = serde_json::from_value(value).map_err(|error| error.to_string())?;
        model.privacy.check()?;
        model.columns.check()?;
        model.held_out.as_ref().map_or(Ok(()), Told::check)?;
        if let Label::Classes(classes) = &model.label
            && classes.positive == classes.negative
        {
            return Err("its two labels must differ".to_owned());
        }
        Ok(model)
    }
}

/// Whether a file has the format of a model, of this or another version.
fn is_of_a_model(value: &Value) -> bool {
    let format = value.get("format").and_then(Value::as_str);
    format.is_some_and(|format| format.starts_with("dp-assay-model-"))
}

/// Refuses another format, and another software or a later version: before the rest, which these may write otherwise.
fn check_version(value: &Value) -> Result<(), String> {
    match value.get("format").and_then(Value::as_str) {
        Some(FORMAT) => {}
        Some(other) => {
            let other = shortened(other);
            let by = value.get("software").and_then(Value::as_str);
            let by = by.map_or(String::new(), |by| format!(", {}", shortened(by)));
            return Err(format!(
                "its format must be \"{FORMAT}\", got \"{other}\": predict with the version that wrote it{by}"
            ));
        }
        None => return Err(format!("its format must be \"{FORMAT}\", and it has none")),
    }
    let software = value.get("software").and_then(Value::as_str);
    software.map_or(Ok(()), check_software)
}

/// Refuses a software that is not this one, or a later version of it.
fn check_software(software: &str) -> Result<(), String> {
    let numbers = |text: &str| -> Option<Vec<u64>> {
        let numbers: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok()).collect();
        numbers.filter(|numbers| numbers.len() == 3)
    };
    let written = software.strip_prefix(SOFTWARE).and_then(numbers);
    let Some(written) = written else {
        return Err(format!(
            "its software must be \"{SOFTWARE}\" and a version such as 0.1.0, got \"{}\"",
            shortened(software)
        ));
    };
    let ours = env!("CARGO_PKG_VERSION");
    if Some(&written) > numbers(ours).as_ref() {
        return Err(format!(
            "it was written by {}, which is later than this version, {ours}: predict with that one",
            shortened(software)
        ));
    }
    Ok(())
}

/// Integers that a file has as texts.
pub fn integers<T: std::str::FromStr>(what: &str, texts: &[String]) -> Result<Vec<T>, String> {
    let integer = |text: &String| {
        // A sign, and as many digits as a number on the command line.
        let short = text.len() <= 1 + MOST_DIGITS as usize;
        let value = short.then(|| text.parse().ok()).flatten();
        value.ok_or_else(|| {
            format!(
                "its {what} must be integers as texts of at most {MOST_DIGITS} digits, got '{}'",
                shortened(text)
            )
        })
    };
    texts.iter().map(integer).collect()
}

/// Frequencies that a file has as texts, each with its coordinates, on the grid of so many bits.
pub fn frequencies(
    texts: &[Vec<String>],
    dimension: usize,
    bits: u32,
) -> Result<Frequencies, String> {
    let mut steps = Vec::new();
    for frequency in texts {
        if frequency.len() != dimension {
            return Err(format!(
                "each frequency must have {dimension} coordinates, got {}",
                frequency.len()
            ));
        }
        steps.extend(integers::<i64>("frequencies", frequency)?);
    }
    let grid = Grid::new(bits).map_err(|error| error.to_string())?;
    Frequencies::new(grid, dimension, steps).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, Scale, Shape};
    use dp_assay::number::rational::ratio;
    use serde_json::json;

    fn from_json(text: &str) -> Result<ModelFile, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        check_version(&value)?;
        ModelFile::from_value(value)
    }

    fn model() -> ModelFile {
        let text = |text: &str| text.to_owned();
        ModelFile::new(
            (
                "a-learner",
                Privacy {
                    epsilon: text("1"),
                    delta: text("1/100"),
                    neighbours: text("substitution of one record; n public"),
                    private: true,
                    coins: text("ChaCha20 seeded by the operating system"),
                    statement: text("(1, 1/100)-differentially private"),
                },
            ),
            (
                BTreeMap::from([(text("gamma"), text("1/10"))]),
                text("theorem"),
            ),
            (
                Columns {
                    numeric: vec![Column {
                        name: text("a"),
                        scale: Scale::new(ratio(-1, 2), ratio(3, 1)).unwrap(),
                    }],
                    categories: Vec::new(),
                    intercept: true,
                    shape: Shape::Ball,
                    grid_bits: 20,
                    numbered: None,
                    missing: None,
                },
                serde_json::from_value(json!({"classes": {"positive": "yes", "negative": "no"}}))
                    .unwrap(),
            ),
            (json!({"direction": ["9223372036854775807", "-3"]}), None),
        )
    }

    #[test]
    fn a_model_survives_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.json");
        for replaces in [false, true] {
            let destination = ModelFile::destination(&path, &[], replaces).unwrap();
            model().write(&destination, replaces).unwrap();
            assert_eq!(ModelFile::read(&path).unwrap(), model());
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_no_model_is_refused() {
        let good = output::json(&model()).unwrap();
        assert!(from_json(&good).is_ok());
        for length in 0..good.len() - 1 {
            if good.is_char_boundary(length) {
                assert!(from_json(&good[..length]).is_err(), "{length}");
            }
        }
        for (from, to, part) in [
            ("model-2", "model-1", "must be \"dp-assay-model-2\""),
            ("\"format\"", "\"fermat\"", "it has none"),
            ("\"3\"", "\"-3\"", "lo below hi"),
            ("\"3\"", "\"x\"", "-1/2:x: hi: it must be an exact number"),
            (
                "\"3\"",
                "\"1e9999\"",
                "-1/2:1e9999: hi: it must be 0 or from 1e-300 to 1e300",
            ),
            ("\"no\"", "\"yes\"", "must differ"),
            (": 20", ": 99", "at most 40"),
            ("\"algorithm\"", "\"algorism\"", "algorism"),
            ("\"ball\"", "\"sphere\"", "sphere"),
            ("dp-assay 0", "dp-essay 0", "its software must be"),
            ("dp-assay 0", "dp-assay 999", "later than this version"),
            (
                "\"epsilon\": \"1\"",
                "\"epsilon\": \"banana\"",
                "privacy.epsilon must be a number above 0, got 'banana'",
            ),
            (
                "\"epsilon\": \"1\"",
                "\"epsilon\": \"1/2\"",
                "privacy.statement must say '(1/2, 1/100)-",
            ),
            (
                "\"delta\": \"1/100\"",
                "\"delta\": \"1\"",
                "privacy.delta must be a number from 0 on and below 1, got '1'",
            ),
            ("\"epsilon\": \"1\"", "\"epsilon\": 1", "string"),
        ] {
            assert!(good.contains(from), "{from}");
            let message = from_json(&good.replace(from, to)).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
