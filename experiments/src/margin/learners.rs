//! Every learner of two classes that the command has, and how it is run here: as its users run it.

use super::DELTA;
use crate::assay;
use dp_assay_cli::error::Error;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A learner of the command, by name: another paper's is not known here.
pub struct Learner {
    /// What the table calls it.
    pub label: &'static str,
    /// What the command calls it.
    name: &'static str,
    /// The option for the margin, or the one that chooses it.
    margin: &'static str,
    /// Whether it takes a delta.
    pub delta: bool,
    /// Its other options.
    options: &'static [&'static str],
}

/// All of them. Where the theorem's own parameters cannot be run, smaller ones are taken: privacy is the same.
pub const LEARNERS: &[Learner] = &[
    Learner {
        label: "Gibbs learner (margin-gibbs)",
        name: "margin-gibbs",
        margin: "--margin",
        delta: false,
        options: &["--candidates", CANDIDATES, "--candidates-seed", SEED],
    },
    Learner {
        label: "the same, margin chosen privately (margin-gibbs --choose-margin)",
        name: "margin-gibbs",
        margin: CHOOSE,
        delta: false,
        options: &["--candidates", CANDIDATES, "--candidates-seed", SEED],
    },
    Learner {
        label: "the same, labels alone private (margin-labels)",
        name: "margin-labels",
        margin: "--margin",
        delta: false,
        options: &["--candidates-seed", SEED],
    },
    Learner {
        label: "network of two layers, 1 neuron, 3 dimensions, radius 1 (margin-network)",
        name: "margin-network",
        margin: "--margin",
        delta: false,
        options: &["--dimension", "3", "--radius", "1"],
    },
    Learner {
        label: "Algorithm 2 (margin-descent)",
        name: "margin-descent",
        margin: "--margin",
        delta: true,
        options: &[],
    },
    Learner {
        label: "Algorithm 2, margin chosen privately (margin-descent --choose-margin)",
        name: "margin-descent",
        margin: CHOOSE,
        delta: true,
        options: &["--candidates-seed", SEED],
    },
    Learner {
        label: "Algorithm 3, exp(-|z|^2/2), 200 frequencies (margin-kernel)",
        name: "margin-kernel",
        margin: "--margin",
        delta: true,
        options: &["--kernel", "gaussian=1", "--frequencies", "200"],
    },
    Learner {
        label: "Algorithm 3, (<x, x'> + 1)^2, a grid of 2^-12 (margin-kernel)",
        name: "margin-kernel",
        margin: "--margin",
        delta: true,
        options: &["--kernel", "polynomial=2,1", "--grid-bits", "12"],
    },
    Learner {
        label: "Algorithm 1, 5 dimensions, radius 1/3 (margin-cover)",
        name: "margin-cover",
        margin: "--margin",
        delta: false,
        options: &["--dimension", "5", "--radius", "1/3"],
    },
    Learner {
        label: "cover of the sphere, 5 dimensions, radius 1/3 (halfspaces-cover)",
        name: "halfspaces-cover",
        margin: "--gamma",
        delta: false,
        options: &["--dimension", "5", "--radius", "1/3", "--threshold", "0"],
    },
    Learner {
        label: "noisy gradients of all records (halfspaces-descent)",
        name: "halfspaces-descent",
        margin: "--gamma",
        delta: true,
        options: &[],
    },
    Learner {
        label: "noisy gradients of one record, 5000 steps (halfspaces-descent)",
        name: "halfspaces-descent",
        margin: "--gamma",
        delta: true,
        options: &["--variant", "one-record", "--steps", "5000", "--runs", "1"],
    },
];

/// Takes the place of the option for the margin, and has no value.
const CHOOSE: &str = "--choose-margin";

/// Stands for the number of candidates of a data set.
const CANDIDATES: &str = "CANDIDATES";

/// Stands for the seed of a repetition.
const SEED: &str = "SEED";

/// A data set on which all of them are run.
pub struct DataSet {
    /// The name of its table.
    pub name: &'static str,
    /// What it is.
    pub title: String,
    /// The file with its records.
    pub file: PathBuf,
    /// How they are read.
    pub options: Vec<String>,
    /// The margin that the learners are told.
    pub margin: &'static str,
    /// The candidates of the Gibbs learner.
    pub candidates: &'static str,
}

/// What came of a run.
pub enum Outcome {
    /// The share of the held-out records that the model has wrong.
    Error(f64),
    /// Why it was refused.
    Refused(String),
}

impl DataSet {
    /// The arguments that name its records, in one repetition.
    pub fn arguments(&self, repetition: u64) -> Vec<String> {
        let file = [self.file.display().to_string()];
        let split =
            ["--held-out", "1/5", "--split-seed", &repetition.to_string()].map(str::to_owned);
        let options = self.options.iter().cloned();
        file.into_iter().chain(options).chain(split).collect()
    }
}

impl Learner {
    /// Runs it once, with a model file in `directory`.
    pub fn run(
        &self,
        data: &DataSet,
        epsilon: &str,
        repetition: u64,
        directory: &Path,
    ) -> Result<Outcome, Error> {
        let seed = repetition.to_string();
        let mut command = assay::command()?;
        command.args(["learn", self.name]);
        command.args(data.arguments(repetition));
        command.arg(self.margin);
        if self.margin != CHOOSE {
            command.arg(data.margin);
        }
        command.args(["--epsilon", epsilon]);
        command.args(["--seed", &seed, "--format", "json"]);
        command.args(["--force", "--unsafe-report", "--out"]);
        command.arg(directory.join(format!("{seed}.json")));
        if self.delta {
            command.args(["--delta", DELTA]);
        }
        for option in self.options {
            command.arg(match *option {
                CANDIDATES => data.candidates,
                SEED => &seed,
                option => option,
            });
        }
        let output = command.output().map_err(|error| {
            Error::Usage(format!("{} could not be started: {error}", self.name))
        })?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let reason = message.lines().find(|line| line.starts_with("error: "));
            let reason = reason.map_or("it failed", |line| &line["error: ".len()..]);
            return Ok(Outcome::Refused(reason.to_owned()));
        }
        held_out_error(&output.stdout).ok_or_else(|| {
            Error::Usage(format!(
                "assay learn {} printed no held-out error",
                self.name
            ))
        })
    }
}

/// The share that a report names.
fn held_out_error(report: &[u8]) -> Option<Outcome> {
    let report: Value = serde_json::from_slice(report).ok()?;
    let found = &report["not_private"];
    let wrong = found["held_out"]["this_model"].as_f64()?;
    let records = found["held_out_records"].as_f64()?;
    Some(Outcome::Error(wrong / records))
}
