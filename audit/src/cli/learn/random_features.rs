//! `assay learn random-features`: repairs R3 and R4 of the random feature model.

use super::{Format, Outcome, above_zero, between_zero_and_one, coins, warn_of_seed};
use crate::cli::number;
use crate::data::regression::{Arguments, GRID_BITS, Opened};
use crate::error::Error;
use crate::model::Privacy;
use crate::output::{self, Destination};
use crate::regression_model::{Description, FEATURE_BITS, RegressionModel};
use crate::report::table::aligned;
use clap::{Args, ValueEnum};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::Budget;
use dp_assay::random_features::{
    Dataset, FeatureMap, Frequencies, Model, Record, kaczmarz, ridge_of_bounded_labels,
};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Private regression on random Fourier features: ridge of bounded labels, whose noise falls as records
/// grow in number, or one pass of Kaczmarz with clipped residuals.
///
/// Intervals, categories, the variance, the penalty and the number of frequencies must be chosen without the
/// records.
#[derive(Debug, Args)]
pub struct RandomFeatures {
    /// The records, a CSV file
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The privacy parameter epsilon, above 0
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    epsilon: Rational,
    /// The privacy parameter delta, in (0, 1)
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    delta: Rational,
    /// Neighbours differ by a record added or removed, of at most M; otherwise one is substituted, and their
    /// number is public
    #[arg(long, value_name = "M")]
    at_most: Option<usize>,
    /// How to solve: ridge (repair R3) or kaczmarz (repair R4)
    #[arg(long, value_enum, default_value = "ridge")]
    solver: Solver,
    /// The number of frequencies; each gives a cosine and a sine
    #[arg(long, value_name = "N", default_value_t = 200)]
    frequencies: usize,
    /// The variance of each coordinate of a frequency, for inputs in [-1, 1]
    #[arg(long, value_name = "V", default_value = "1", value_parser = number, allow_hyphen_values = true)]
    variance: Rational,
    /// Ridge: the penalty Lambda; otherwise an eighth of the public number of records or of the cap, rounded up
    #[arg(long, value_name = "L", value_parser = number, allow_hyphen_values = true)]
    penalty: Option<Rational>,
    /// Kaczmarz: residuals are clipped to this, in units of half the label's interval
    #[arg(long, value_name = "T", default_value = "1", value_parser = number, allow_hyphen_values = true)]
    residual: Rational,
    /// The model file to write
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,
    /// Reproducible coins instead of those of the operating system: the model is NOT private
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    load: Arguments,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Solver {
    /// Repair R3
    Ridge,
    /// Repair R4
    Kaczmarz,
}

/// What is printed.
#[derive(Debug, serde::Serialize)]
struct Report {
    model: String,
    algorithm: String,
    privacy: Privacy,
    parameters: BTreeMap<String, String>,
    not_private: NotPrivate,
}

/// Root mean squared errors in the label's units, computed from the data without noise; and how many records
/// there are, which is private where they are added or removed.
#[derive(Debug, serde::Serialize)]
struct NotPrivate {
    training_records: usize,
    held_out_records: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    training: Option<Errors>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_out: Option<Errors>,
}

#[derive(Debug, serde::Serialize)]
struct Errors {
    this_model: f64,
    mean_of_training_labels: f64,
}

/// Runs the learner.
pub(super) fn run(arguments: &RandomFeatures) -> Result<Outcome, Error> {
    arguments.validate()?;
    let destination = Destination::new(&arguments.out, &[&arguments.data])?;
    let (mut coins, origin) = coins(arguments.seed)?;
    // 1. What is public, and the frequencies, before any record is looked at.
    let opened = Opened::new(&arguments.data, &arguments.load)?;
    let frequencies = Frequencies::draw(
        arguments.frequencies,
        opened.inputs.dimension(),
        &arguments.variance,
        Grid::new(FEATURE_BITS)?,
        &mut coins,
    )?;
    let map = FeatureMap::new(
        frequencies.clone(),
        Grid::new(GRID_BITS)?,
        Grid::new(FEATURE_BITS)?,
    )?;
    let (inputs, label) = (opened.inputs.clone(), opened.label.clone());
    // 2. The records.
    let loaded = opened.read(&arguments.load, arguments.at_most)?;
    if let Some(seed) = arguments.seed {
        warn_of_seed(seed);
    }
    // 3. The learner.
    let domain = *loaded.training.domain();
    let budget = Budget::approximate(
        arguments.epsilon.clone(),
        arguments.delta.clone(),
        domain.neighbours,
    )?;
    let (algorithm, model, mut parameters) =
        arguments.learn(&loaded.training, &map, &budget, &mut coins)?;
    parameters.insert("frequencies".to_owned(), arguments.frequencies.to_string());
    parameters.insert("variance".to_owned(), arguments.variance.to_string());
    let neighbours = match arguments.at_most {
        None => "substitution of one record; n public".to_owned(),
        Some(cap) => format!("addition or removal of one record; at most {cap} records"),
    };
    let private = format!(
        "({}, {})-differentially private under {neighbours}; parameters, intervals, categories and frequencies \
         are public; running time is not covered",
        arguments.epsilon, arguments.delta
    );
    let privacy = Privacy {
        epsilon: arguments.epsilon.to_string(),
        delta: arguments.delta.to_string(),
        neighbours,
        coins: origin,
        statement: match arguments.seed {
            None => private,
            Some(_) => format!("NOT private, since a seed is given; with secret coins: {private}"),
        },
    };
    let description = Description {
        algorithm,
        privacy,
        parameters,
        inputs: &inputs,
        label: &label,
    };
    let file = RegressionModel::new(description, &frequencies, &model);
    // 4. Its errors, which are not private and stand nowhere in the model.
    let width = label.1.hi() - label.1.lo();
    let half_width = rational::to_f64_for_display(&width) / 2.0;
    let training = loaded.training.records();
    let errors = |records: &[Record]| errors(&model, &map, training, records, half_width);
    let report = Report {
        model: arguments.out.display().to_string(),
        algorithm: file.algorithm.clone(),
        privacy: file.privacy.clone(),
        parameters: file.parameters.clone(),
        not_private: NotPrivate {
            training_records: training.len(),
            held_out_records: loaded.held_out.len(),
            training: errors(training)?,
            held_out: errors(&loaded.held_out)?,
        },
    };
    file.write(&destination)?;
    match arguments.format {
        Format::Json => output::print_json(&report)?,
        Format::Table => output::print(&report.render())?,
    }
    Ok(Outcome::AsExpected)
}

impl RandomFeatures {
    fn validate(&self) -> Result<(), Error> {
        above_zero("--epsilon", &self.epsilon)?;
        between_zero_and_one("--delta", &self.delta)?;
        above_zero("--variance", &self.variance)?;
        above_zero("--residual", &self.residual)?;
        if let Some(penalty) = &self.penalty {
            above_zero("--penalty", penalty)?;
        }
        for (option, value) in [
            ("--frequencies", Some(self.frequencies)),
            ("--at-most", self.at_most),
        ] {
            if value == Some(0) {
                return Err(Error::option(option, "at least 1", 0));
            }
        }
        Ok(())
    }

    fn learn(
        &self,
        data: &Dataset,
        map: &FeatureMap,
        budget: &Budget,
        coins: &mut dp_assay::coins::ChaCha,
    ) -> Result<(String, Model, BTreeMap<String, String>), Error> {
        let mut named = BTreeMap::new();
        Ok(match self.solver {
            Solver::Ridge => {
                let eighth = data.domain().records.div_ceil(8);
                let penalty = self
                    .penalty
                    .clone()
                    .unwrap_or_else(|| rational::integer(eighth as u64));
                named.insert("penalty".to_owned(), penalty.to_string());
                let parameters = ridge_of_bounded_labels::Parameters {
                    penalty,
                    coefficient_grid: Grid::new(24)?,
                };
                let model = ridge_of_bounded_labels::learn(data, map, &parameters, budget, coins)?;
                (
                    "random-features, ridge of bounded labels (R3)".to_owned(),
                    model,
                    named,
                )
            }
            Solver::Kaczmarz => {
                named.insert("residual".to_owned(), self.residual.to_string());
                let parameters = kaczmarz::Parameters {
                    residual_bound: self.residual.clone(),
                    order: kaczmarz::Order::Random,
                    // Finer: each step of the pass rounds to it.
                    coefficient_grid: Grid::new(30)?,
                };
                let model = kaczmarz::learn(data, map, &parameters, budget, coins)?;
                (
                    "random-features, one pass of clipped Kaczmarz (R4)".to_owned(),
                    model,
                    named,
                )
            }
        })
    }
}

/// Root mean squared errors on `records`, in floats; none if there are no records.
fn errors(
    model: &Model,
    map: &FeatureMap,
    training: &[Record],
    records: &[Record],
    half_width: f64,
) -> Result<Option<Errors>, Error> {
    if records.is_empty() {
        return Ok(None);
    }
    let one = f64::from(1u32 << GRID_BITS);
    let label = |record: &Record| record.label as f64 / one;
    let mean = training.iter().map(label).sum::<f64>() / training.len() as f64;
    let (mut ours, mut means) = (0.0, 0.0);
    for record in records {
        let prediction = model.predict(map, &record.features)?;
        ours += (rational::to_f64_for_display(&prediction) - label(record)).powi(2);
        means += (mean - label(record)).powi(2);
    }
    let root = |squares: f64| half_width * (squares / records.len() as f64).sqrt();
    Ok(Some(Errors {
        this_model: root(ours),
        mean_of_training_labels: root(means),
    }))
}

impl Report {
    fn render(&self) -> String {
        let row = |name: &str, value: String| (name.to_owned(), value);
        let privacy = &self.privacy;
        let mut text = format!("{} -> {}\n\nPrivacy\n", self.algorithm, self.model);
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
        text += "\nParameters\n";
        let named = self.parameters.iter();
        let parameters: Vec<_> = named
            .map(|(name, value)| row(name, value.clone()))
            .collect();
        text += &aligned(&parameters, "  ");
        text += "\nNOT PRIVATE: root mean squared errors, computed from the data without noise\n";
        let found = &self.not_private;
        let mut lines = vec![
            row("training records", found.training_records.to_string()),
            row("held-out records", found.held_out_records.to_string()),
        ];
        for (what, errors) in [("training", &found.training), ("held-out", &found.held_out)] {
            if let Some(errors) = errors {
                lines.push(row(
                    &format!("{what}, this model"),
                    format!("{:.4}", errors.this_model),
                ));
                lines.push(row(
                    &format!("{what}, mean of the training labels"),
                    format!("{:.4}", errors.mean_of_training_labels),
                ));
            }
        }
        text + &aligned(&lines, "  ")
    }
}
