//! `assay learn`: runs a reference learner on CSV files, and writes a model.

use super::{Format, Outcome, above_zero, between_zero_and_one, in_unit_interval, number};
use crate::baseline::{majority_class, non_private_baseline};
use crate::data::{self, Loaded, Table};
use crate::error::Error;
use crate::model::{Description, Direction, Model, Privacy};
use crate::output::{self, Destination};
use crate::report::table::aligned;
use clap::{Args, Subcommand, ValueEnum};
use dp_assay::coins::ChaCha;
use dp_assay::number::{Rational, rational};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Run a reference learner on a CSV file, and write a model with its privacy statement.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    algorithm: Algorithm,
}

#[derive(Debug, Subcommand)]
enum Algorithm {
    HalfspacesPure(Pure),
    HalfspacesEfficient(Efficient),
}

/// The pure private learner of large-margin halfspaces: a random projection, a cover of the sphere,
/// and the exponential mechanism.
#[derive(Debug, Args)]
struct Pure {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    load: data::Arguments,
}

/// The efficient private learner of large-margin halfspaces: a random projection, and noisy gradient
/// descent on the hinge loss.
#[derive(Debug, Args)]
struct Efficient {
    #[command(flatten)]
    common: Common,
    /// The privacy parameter delta, in (0, 1)
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    delta: Rational,
    /// The gradient steps of one run, instead of what the theorem says
    #[arg(long, value_name = "T")]
    steps: Option<u64>,
    /// The number of runs, instead of what the theorem says
    #[arg(long, value_name = "K")]
    runs: Option<u32>,
    /// What a gradient step looks at
    #[arg(long, value_enum, default_value = "full-batch")]
    variant: Variant,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    load: data::Arguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// All records
    FullBatch,
    /// One record, drawn at random: as printed in the paper
    OneRecord,
}

/// What every learner takes.
#[derive(Debug, Args)]
struct Common {
    /// The records, a CSV file; the positive class alone if a second file is given
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The records of the negative class, with the same header
    #[arg(value_name = "DATA2")]
    second: Option<PathBuf>,
    /// The privacy parameter epsilon, above 0
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    epsilon: Rational,
    /// The margin, in (0, 1]
    #[arg(long, value_name = "G", value_parser = number, allow_hyphen_values = true)]
    gamma: Rational,
    /// The accuracy, in (0, 1)
    #[arg(long, value_name = "A", default_value = "1/10", value_parser = number, allow_hyphen_values = true)]
    alpha: Rational,
    /// The probability of failure, in (0, 1)
    #[arg(long, value_name = "B", default_value = "1/10", value_parser = number, allow_hyphen_values = true)]
    beta: Rational,
    /// The dimension that is projected to, instead of what the theorem says
    #[arg(long, value_name = "M")]
    dimension: Option<u32>,
    /// The radius (of the cover, or of the ball that is searched), instead of what the theorem says
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    radius: Option<Rational>,
    /// The model file to write
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,
    /// Reproducible coins instead of those of the operating system: the model is NOT private
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// What a learner hands back.
struct Trained {
    /// The halfspace, in the coordinates of the records.
    direction: Direction,
    /// The privacy statement, in a sentence.
    statement: String,
    /// The parameters that were used, by name.
    parameters: BTreeMap<String, String>,
    /// `theorem`, or `overridden: ` and which.
    parameters_from: String,
    /// A digest of the public randomness, if there is one.
    digest: Option<String>,
    /// What the theorem promises.
    bound: Bound,
}

/// What a theorem promises of the error.
#[derive(Debug, serde::Serialize)]
struct Bound {
    /// The bound in words, with its numbers.
    statement: String,
    /// Whether it says nothing, as an error bound of 1 does.
    vacuous: bool,
}

/// Runs `assay learn`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let (name, common, load, delta) = match &arguments.algorithm {
        Algorithm::HalfspacesPure(pure) => {
            ("halfspaces-pure", &pure.common, &pure.load, "0".to_owned())
        }
        Algorithm::HalfspacesEfficient(efficient) => {
            efficient.validate()?;
            let delta = efficient.delta.to_string();
            (
                "halfspaces-efficient",
                &efficient.common,
                &efficient.load,
                delta,
            )
        }
    };
    common.validate()?;
    let mut inputs = vec![common.data.as_path()];
    inputs.extend(common.second.as_deref());
    let destination = Destination::new(&common.out, &inputs)?;
    let loaded = data::load(&common.data, common.second.as_ref(), load)?;
    let (mut coins, origin) = coins(common.seed)?;
    if let Some(seed) = common.seed {
        output::warn(&format!(
            "--seed {seed}: whoever knows the seed can undo the noise; this model is NOT private"
        ));
    }
    let trained = match &arguments.algorithm {
        Algorithm::HalfspacesPure(pure) => train_pure(&loaded.training, pure, &mut coins)?,
        Algorithm::HalfspacesEfficient(efficient) => {
            train_efficient(&loaded.training, efficient, &mut coins)?
        }
    };
    let (model, report) = finish(name, common, delta, origin, loaded, trained)?;
    model.write(&destination)?;
    match common.format {
        Format::Json => output::print_json(&report)?,
        Format::Table => output::print(&report.render())?,
    }
    Ok(Outcome::AsExpected)
}

/// CONNECT HERE: `dp_assay::halfspaces::pure`, with `pure.common.{epsilon, gamma, alpha, beta}` and, if
/// given, `pure.common.{dimension, radius}` in place of the theorem's.
fn train_pure(table: &Table, pure: &Pure, _coins: &mut ChaCha) -> Result<Trained, Error> {
    let _ = (table.grid, table.dimension, &pure.common.epsilon);
    Err(Error::NotConnected("assay learn halfspaces-pure"))
}

/// CONNECT HERE: `dp_assay::halfspaces::{efficient, full_batch}` by `efficient.variant`, with the
/// parameters of `efficient.common`, `efficient.delta` and, if given, `efficient.{steps, runs}`.
fn train_efficient(
    table: &Table,
    efficient: &Efficient,
    _coins: &mut ChaCha,
) -> Result<Trained, Error> {
    let _ = (table.grid, table.dimension, &efficient.delta);
    match efficient.variant {
        Variant::FullBatch => Err(Error::NotConnected("assay learn halfspaces-efficient")),
        Variant::OneRecord => Err(Error::NotConnected(
            "assay learn halfspaces-efficient --variant one-record",
        )),
    }
}

impl Common {
    fn validate(&self) -> Result<(), Error> {
        above_zero("--epsilon", &self.epsilon)?;
        in_unit_interval("--gamma", &self.gamma)?;
        between_zero_and_one("--alpha", &self.alpha)?;
        between_zero_and_one("--beta", &self.beta)?;
        if let Some(radius) = &self.radius {
            above_zero("--radius", radius)?;
        }
        if self.dimension == Some(0) {
            return Err(Error::option("--dimension", "at least 1", 0));
        }
        Ok(())
    }
}

impl Efficient {
    fn validate(&self) -> Result<(), Error> {
        between_zero_and_one("--delta", &self.delta)?;
        if self.steps == Some(0) {
            return Err(Error::option("--steps", "at least 1", 0));
        }
        if self.runs == Some(0) {
            return Err(Error::option("--runs", "at least 1", 0));
        }
        Ok(())
    }
}

/// The coins, and where they come from in words.
pub(super) fn coins(seed: Option<u64>) -> Result<(ChaCha, String), Error> {
    Ok(match seed {
        None => (
            ChaCha::from_operating_system()?,
            "ChaCha20 seeded by the operating system".to_owned(),
        ),
        Some(seed) => (
            ChaCha::reproducible(seed, 0),
            format!("seed {seed} given: reproducible, NOT private"),
        ),
    })
}

/// The model, and what is printed about it.
fn finish(
    algorithm: &str,
    common: &Common,
    delta: String,
    coins: String,
    loaded: Loaded,
    trained: Trained,
) -> Result<(Model, Report), Error> {
    let baseline = non_private_baseline(loaded.training.dimension, &loaded.training.records)?;
    let majority = majority_class(&loaded.training.records);
    let errors = |table: &Table| Errors {
        records: table.records.len() as u64,
        private_model: trained.direction.errors(&table.records),
        non_private_baseline: baseline.errors(&table.records),
        majority_class: table
            .records
            .iter()
            .map(|(_, label)| u64::from(*label != majority))
            .sum(),
    };
    let not_private = NotPrivate {
        training: errors(&loaded.training),
        held_out: (!loaded.held_out.records.is_empty()).then(|| errors(&loaded.held_out)),
        clipped: loaded.clipped,
    };
    let description = Description {
        algorithm: algorithm.to_owned(),
        privacy: Privacy {
            epsilon: common.epsilon.to_string(),
            delta,
            neighbours: loaded.neighbours.to_owned(),
            coins,
            statement: trained.statement,
        },
        parameters: trained.parameters,
        parameters_from: trained.parameters_from,
        features: loaded.features,
        intercept: loaded.intercept,
        grid_bits: loaded.training.grid.bits(),
        label: loaded.labels,
        digest: trained.digest,
    };
    let model = Model::new(description, &trained.direction);
    let report = Report {
        model: common.out.display().to_string(),
        algorithm: model.algorithm.clone(),
        privacy: model.privacy.clone(),
        parameters: model.parameters.clone(),
        parameters_from: model.parameters_from.clone(),
        training_records: loaded.training.records.len(),
        held_out_records: loaded.held_out.records.len(),
        coordinates: loaded.training.dimension,
        bound: trained.bound,
        not_private,
    };
    Ok((model, report))
}

/// What is printed about a model.
#[derive(Debug, serde::Serialize)]
struct Report {
    model: String,
    algorithm: String,
    privacy: Privacy,
    parameters: BTreeMap<String, String>,
    parameters_from: String,
    training_records: usize,
    held_out_records: usize,
    coordinates: usize,
    bound: Bound,
    not_private: NotPrivate,
}

/// What is computed from the data without noise.
#[derive(Debug, serde::Serialize)]
struct NotPrivate {
    training: Errors,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<Errors>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clipped: Option<u64>,
}

/// How many of the records each classifier has wrong.
#[derive(Debug, serde::Serialize)]
struct Errors {
    records: u64,
    private_model: u64,
    non_private_baseline: u64,
    majority_class: u64,
}

impl Report {
    fn render(&self) -> String {
        let row = |name: &str, value: String| (name.to_owned(), value);
        let mut text = format!("{} -> {}\n\nPrivacy\n", self.algorithm, self.model);
        let privacy = &self.privacy;
        text += &aligned(
            &[
                row("statement", privacy.statement.clone()),
                row("epsilon", privacy.epsilon.clone()),
                row("delta", privacy.delta.clone()),
                row("neighbours", privacy.neighbours.clone()),
                row("coins", privacy.coins.clone()),
            ],
            "  ",
        );
        text += &format!("\nParameters (from: {})\n", self.parameters_from);
        let mut parameters = vec![
            row("training records", self.training_records.to_string()),
            row("held-out records", self.held_out_records.to_string()),
            row("coordinates", self.coordinates.to_string()),
        ];
        parameters.extend(
            self.parameters
                .iter()
                .map(|(name, value)| row(name, value.clone())),
        );
        text += &aligned(&parameters, "  ");
        text += "\nNOT PRIVATE: these lines are computed from the data without noise\n";
        let mut lines = self.not_private.training.rows("training error");
        if let Some(held_out) = &self.not_private.held_out {
            lines.extend(held_out.rows("held-out error"));
        }
        if let Some(clipped) = self.not_private.clipped {
            lines.push(row("records clipped onto the box", clipped.to_string()));
        }
        text += &aligned(&lines, "  ");
        let vacuous = if self.bound.vacuous {
            " (vacuous here)"
        } else {
            ""
        };
        text + &format!(
            "\nThe theorem's bound\n  {}{vacuous}\n",
            self.bound.statement
        )
    }
}

impl Errors {
    fn rows(&self, what: &str) -> Vec<(String, String)> {
        let line = |who: &str, wrong: u64| {
            let share = Rational::new(wrong.into(), self.records.max(1).into());
            (
                format!("{what}, {who}"),
                format!(
                    "{} ({wrong} of {})",
                    rational::to_scientific(&share, 4),
                    self.records
                ),
            )
        };
        vec![
            line("this model", self.private_model),
            line("non-private baseline", self.non_private_baseline),
            line("majority class", self.majority_class),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(subcommand)]
        algorithm: Algorithm,
    }

    /// The path from data to predictions, with the baseline in the learner's place.
    #[test]
    fn a_model_is_reported_written_read_and_predicts() {
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str| directory.path().join(name);
        let mut text = "a;b;y\n".to_owned();
        for i in -20..=20i64 {
            let class = if i > 0 { "yes" } else { "no" };
            text += &format!("{i};{};{class}\n", (7 * i) % 20);
        }
        fs::write(file("d.csv"), text).unwrap();
        let line = Line::parse_from([
            "learn",
            "halfspaces-pure",
            &file("d.csv").display().to_string(),
            "--epsilon",
            "1",
            "--gamma",
            "0.1",
            "--label",
            "y",
            "--box",
            "-20:20",
            "--out",
            &file("m.json").display().to_string(),
            "--intercept",
        ]);
        let Algorithm::HalfspacesPure(pure) = &line.algorithm else {
            panic!("another algorithm");
        };
        let common = &pure.common;
        let loaded = data::load(&common.data, None, &pure.load).unwrap();
        let table = &loaded.training;
        let direction = non_private_baseline(table.dimension, &table.records).unwrap();
        let trained = Trained {
            direction,
            statement: "not private: a test".to_owned(),
            parameters: BTreeMap::from([("m".to_owned(), "3".to_owned())]),
            parameters_from: "theorem".to_owned(),
            digest: None,
            bound: Bound {
                statement: "error at most 7".to_owned(),
                vacuous: true,
            },
        };
        let (model, report) = finish(
            "halfspaces-pure",
            common,
            "0".to_owned(),
            "none".to_owned(),
            loaded,
            trained,
        )
        .unwrap();
        let printed = report.render();
        for part in [
            "NOT PRIVATE",
            "held-out error, majority class",
            "of 33)",
            "of 8)",
            "error at most 7 (vacuous here)",
            "Parameters (from: theorem)",
        ] {
            assert!(printed.contains(part), "{printed}");
        }
        assert!(!printed.contains("clipped"));
        model
            .write(&Destination::new(&common.out, &[]).unwrap())
            .unwrap();
        let written = fs::read_to_string(&common.out).unwrap();
        for part in ["error", "wrong", "33", "41"] {
            assert!(!written.contains(part), "{part} in {written}");
        }
        let read = Model::read(&common.out).unwrap();
        assert_eq!(read, model);
        let predictions =
            super::super::predict::predict(&read, &common.out, &common.data, None, false).unwrap();
        assert_eq!(predictions.len(), 41);
        assert_eq!((predictions[0], predictions[40]), ("no", "yes"));
    }
}
