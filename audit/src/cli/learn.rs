//! `assay learn`: runs a reference learner on CSV files, and writes a model.

mod efficient;
mod pure;
mod random_features;
mod report;

use super::{Format, Outcome, above_zero, between_zero_and_one, in_unit_interval, number};
use crate::baseline::{errors, majority_class, non_private_baseline};
use crate::data::{self, Loaded};
use crate::error::Error;
use crate::model::{Description, Model, Privacy};
use crate::output::{self, Destination};
use clap::{Args, Subcommand};
use dp_assay::coins::ChaCha;
use dp_assay::halfspaces::bounds::{Guarantee, Projection};
use dp_assay::halfspaces::{Dataset, Halfspace, Record};
use dp_assay::number::{Rational, rational};
use num_traits::One;
use report::{Errors, NotPrivate, Report};
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
    HalfspacesPure(pure::Pure),
    HalfspacesEfficient(efficient::Efficient),
    RandomFeatures(random_features::RandomFeatures),
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
    /// The dimension that is projected to, instead of what the theorem says; nothing is projected from
    /// the data's dimension on
    #[arg(long, value_name = "M")]
    dimension: Option<u32>,
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
    halfspace: Halfspace,
    /// The parameters that were used.
    parameters: Parameters,
    /// What the theorem promises.
    bound: Bound,
}

/// The parameters of a run.
#[derive(Debug, Default)]
struct Parameters {
    /// By name, exactly.
    values: BTreeMap<String, String>,
    /// Those that are not the theorem's.
    overridden: Vec<&'static str>,
}

/// What a theorem promises of the error.
#[derive(Debug, serde::Serialize)]
struct Bound {
    /// The bound in words, with its numbers.
    statement: String,
    /// Whether it says nothing, as an error bound of 1/2 does.
    vacuous: bool,
    /// The bound on the error, if it says something.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_at_most: Option<String>,
}

/// Runs `assay learn`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    match &arguments.algorithm {
        Algorithm::HalfspacesPure(pure) => {
            pure.validate()?;
            let delta = "0".to_owned();
            halfspace(
                "halfspaces-pure",
                &pure.common,
                &pure.load,
                delta,
                |data, coins| pure::train(data, pure, coins),
            )
        }
        Algorithm::HalfspacesEfficient(efficient) => {
            efficient.validate()?;
            let delta = efficient.delta.to_string();
            let (common, load) = (&efficient.common, &efficient.load);
            halfspace(
                "halfspaces-efficient",
                common,
                load,
                delta,
                |data, coins| efficient::train(data, efficient, coins),
            )
        }
        Algorithm::RandomFeatures(random_features) => random_features::run(random_features),
    }
}

/// Learns a halfspace, writes the model and prints the report.
fn halfspace(
    name: &str,
    common: &Common,
    load: &data::Arguments,
    delta: String,
    train: impl FnOnce(&Dataset, &mut ChaCha) -> Result<Trained, Error>,
) -> Result<Outcome, Error> {
    common.validate()?;
    let mut inputs = vec![common.data.as_path()];
    inputs.extend(common.second.as_deref());
    let destination = Destination::new(&common.out, &inputs)?;
    let loaded = data::load(&common.data, common.second.as_ref(), load)?;
    let (mut coins, origin) = coins(common.seed)?;
    if let Some(seed) = common.seed {
        warn_of_seed(seed);
    }
    let trained = train(&loaded.training, &mut coins)?;
    let (model, report) = finish(name, common, delta, origin, loaded, trained)?;
    model.write(&destination)?;
    match common.format {
        Format::Json => output::print_json(&report)?,
        Format::Table => output::print(&report.render())?,
    }
    Ok(Outcome::AsExpected)
}

/// Says that a model with a known seed is not private.
fn warn_of_seed(seed: u64) {
    output::warn(&format!(
        "--seed {seed}: whoever knows the seed can undo the noise; this model is NOT private"
    ));
}

impl Common {
    fn validate(&self) -> Result<(), Error> {
        above_zero("--epsilon", &self.epsilon)?;
        in_unit_interval("--gamma", &self.gamma)?;
        between_zero_and_one("--alpha", &self.alpha)?;
        between_zero_and_one("--beta", &self.beta)?;
        if self.dimension == Some(0) {
            return Err(Error::option("--dimension", "at least 1", 0));
        }
        Ok(())
    }

    /// The rows of the projection that `--dimension` asks for, if it is given: none from the data's
    /// dimension `d` on.
    fn rows(&self, d: usize) -> Option<Option<usize>> {
        self.dimension
            .map(|m| usize::try_from(m).ok().filter(|&m| m < d))
    }

    /// The parameters that all learners have, for data of dimension `d` projected to `rows`.
    fn parameters(&self, rows: Option<usize>, d: usize) -> Parameters {
        let mut parameters = Parameters::default();
        parameters.set("alpha", &self.alpha);
        parameters.set("beta", &self.beta);
        parameters.set("gamma", &self.gamma);
        let overridden = self.dimension.is_some();
        parameters.choose("dimension", rows.unwrap_or(d), overridden);
        let projection = match (rows, self.dimension) {
            (Some(_), _) => "random signs".to_owned(),
            (None, None) => "none".to_owned(),
            (None, Some(m)) => format!("none, since --dimension {m} is not below {d}"),
        };
        parameters.set("projection", projection);
        parameters
    }
}

impl Parameters {
    /// A parameter that no theorem chooses.
    fn set(&mut self, name: &str, value: impl ToString) {
        self.values.insert(name.to_owned(), value.to_string());
    }

    /// A parameter that a theorem chooses unless it is overridden.
    fn choose(&mut self, name: &'static str, value: impl ToString, overridden: bool) {
        self.set(name, value);
        if overridden {
            self.overridden.push(name);
        }
    }

    /// `theorem`, or `overridden: ` and which.
    fn origin(&self) -> String {
        if self.overridden.is_empty() {
            "theorem".to_owned()
        } else {
            format!("overridden: {}", self.overridden.join(", "))
        }
    }
}

impl Bound {
    /// The guarantee of a run.
    fn new(guarantee: Guarantee, common: &Common) -> Self {
        let Some(alpha) = guarantee.alpha else {
            return Self::vacuous(guarantee.reason);
        };
        let alpha = rational::to_scientific_above(&alpha, 4);
        Self {
            statement: format!(
                "on every distribution of margin {}, error at most {alpha} with probability {}: {}; other \
                 distributions may have more",
                common.gamma,
                Rational::one() - &common.beta,
                guarantee.reason
            ),
            vacuous: false,
            error_at_most: Some(alpha),
        }
    }

    /// A bound that says nothing, and why.
    fn vacuous(reason: String) -> Self {
        Self {
            statement: reason
                .strip_prefix("vacuous: ")
                .map_or_else(|| reason.clone(), str::to_owned),
            vacuous: true,
            error_at_most: None,
        }
    }
}

/// The projection, as the bounds have it.
fn projection(rows: Option<usize>) -> Projection {
    match rows {
        Some(rows) => Projection::Signs { rows: rows as u64 },
        None => Projection::None,
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
    let training = loaded.training.records();
    let baseline = non_private_baseline(loaded.training.dimension(), training)?;
    let majority = majority_class(training);
    let count = |records: &[Record]| -> Result<Errors, Error> {
        let of_majority = records.iter().filter(|record| record.positive != majority);
        Ok(Errors {
            records: records.len() as u64,
            private_model: errors(&trained.halfspace, records)?,
            non_private_baseline: errors(&baseline, records)?,
            majority_class: of_majority.count() as u64,
        })
    };
    let not_private = NotPrivate {
        training: count(training)?,
        held_out: match loaded.held_out.as_slice() {
            [] => None,
            held_out => Some(count(held_out)?),
        },
        clipped: loaded.clipped,
    };
    let private = format!(
        "({}, {delta})-differentially private under {}; parameters, boxes and label values are public; \
         running time is not covered",
        common.epsilon, loaded.neighbours
    );
    let statement = match common.seed {
        None => private,
        Some(_) => format!("NOT private, since a seed is given; with secret coins: {private}"),
    };
    let description = Description {
        algorithm: algorithm.to_owned(),
        privacy: Privacy {
            epsilon: common.epsilon.to_string(),
            delta,
            neighbours: loaded.neighbours.to_owned(),
            coins,
            statement,
        },
        parameters_from: trained.parameters.origin(),
        parameters: trained.parameters.values,
        features: loaded.features,
        intercept: loaded.intercept,
        grid_bits: loaded.training.grid().bits(),
        label: loaded.labels,
    };
    let model = Model::new(description, &trained.halfspace);
    let report = Report {
        model: common.out.display().to_string(),
        algorithm: model.algorithm.clone(),
        privacy: model.privacy.clone(),
        parameters: model.parameters.clone(),
        parameters_from: model.parameters_from.clone(),
        training_records: training.len(),
        held_out_records: loaded.held_out.len(),
        coordinates: loaded.training.dimension(),
        grid_bits: model.grid_bits,
        bound: trained.bound,
        not_private,
    };
    Ok((model, report))
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
        let trained = Trained {
            halfspace: non_private_baseline(table.dimension(), table.records()).unwrap(),
            parameters: common.parameters(None, table.dimension()),
            bound: Bound {
                statement: "error at most 7".to_owned(),
                vacuous: true,
                error_at_most: None,
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
            "The bound (vacuous here)\n  error at most 7",
            "projection        none",
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
