//! `assay learn random-features`: repairs R3 and R4 of the random feature model.

use super::model::{FEATURE_BITS, GRID_BITS, weights};
use crate::error::Error;
use crate::options::number;
use crate::papers::learn::{Learned, Options, Parameters, Public};
use crate::papers::report::{NotPrivate, Score, Scores};
use crate::table::{self, Count, DeclaredBox, Row, Shape, declared_box};
use clap::{Args, ValueEnum};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::range::{above_zero, above_zero_below_one};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::steps::RidgeParameters;
use dp_assay::random_features::{
    Dataset, Domain, Model, Record, clipped_kaczmarz, ridge_of_bounded_labels,
};
use std::path::PathBuf;

/// The learner's name.
pub const NAME: &str = "random-features";

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
    /// What every learner takes
    #[command(flatten)]
    learn: Options,
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
    /// The public interval of the labels
    #[arg(long, value_name = "LO:HI", value_parser = declared_box, allow_hyphen_values = true, help_heading = "Data")]
    label_box: DeclaredBox,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    table: table::Options,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Solver {
    /// Repair R3
    Ridge,
    /// Repair R4
    Kaczmarz,
}

/// Runs `assay learn random-features`.
pub fn run(arguments: &RandomFeatures) -> Result<(), Error> {
    arguments.validate()?;
    let mut run = arguments.learn.start(&[&arguments.data])?;
    // 1. What is public, and the frequencies, before any record is looked at.
    let opened = arguments
        .table
        .open(&arguments.data, None, Shape::Cube, GRID_BITS, false)?;
    let frequencies = Frequencies::draw(
        arguments.frequencies,
        opened.placement.columns().dimension(),
        &arguments.variance,
        Grid::new(FEATURE_BITS)?,
        &mut run.coins,
    )?;
    let map = FeatureMap::new(
        frequencies.clone(),
        opened.placement.grid(),
        Grid::new(FEATURE_BITS)?,
    )?;
    // 2. The records.
    let count = arguments.at_most.map_or(Count::Public, Count::AtMost);
    let table = opened.numbers(&arguments.label_box, count)?;
    let public = Public::of(&table);
    let clipped = table.clipped;
    let domain = domain(&table, public.records());
    let training = Dataset::new(domain, records(table.training))?;
    let held_out = records(table.held_out);
    // 3. The learner.
    let budget = Budget::approximate(
        arguments.learn.epsilon.clone(),
        arguments.delta.clone(),
        domain.neighbours,
    )?;
    let mut parameters = Parameters::default();
    let model = arguments.learn(&training, &map, &budget, &mut parameters, &mut run.coins)?;
    parameters.set("frequencies", arguments.frequencies);
    parameters.set("variance", &arguments.variance);
    // 4. Its errors, which are not private and stand nowhere in the model.
    let errors = if arguments.learn.unsafe_report {
        let label = arguments.label_box.scale();
        let half_width = rational::to_f64_for_display(&(label.hi() - label.lo())) / 2.0;
        let errors =
            |records: &[Record]| errors(&model, &map, training.records(), records, half_width);
        Some(NotPrivate {
            training_records: training.records().len(),
            held_out_records: held_out.len(),
            clipped,
            training: errors(training.records())?,
            held_out: errors(&held_out)?,
        })
    } else {
        None
    };
    let learned = Learned {
        algorithm: NAME,
        delta: arguments.delta.clone(),
        parameters,
        public: "parameters, intervals, categories and frequencies",
        bound: None,
        weights: weights(&frequencies, &model),
        errors,
    };
    run.finish(public, learned)
}

/// The public facts about the records: there are this many, or at most this many.
fn domain(table: &table::Table, records: usize) -> Domain {
    let grid = table.placement.grid();
    Domain {
        input_grid: grid,
        dimension: table.placement.columns().dimension(),
        largest_feature: grid.one(),
        label_grid: grid,
        largest_label: grid.one(),
        neighbours: match table.count {
            Count::Public => NeighbouringRelation::Substitute,
            Count::AtMost(_) => NeighbouringRelation::AddOrRemove,
        },
        records,
    }
}

fn records(rows: Vec<Row>) -> Vec<Record> {
    rows.into_iter()
        .map(|row| Record {
            features: row.features,
            label: row.label,
        })
        .collect()
}

impl RandomFeatures {
    fn validate(&self) -> Result<(), Error> {
        above_zero_below_one("--delta", &self.delta)?;
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
        named: &mut Parameters,
        coins: &mut ChaCha,
    ) -> Result<Model, Error> {
        match self.solver {
            Solver::Ridge => {
                let eighth = data.domain().records.div_ceil(8);
                let penalty = self
                    .penalty
                    .clone()
                    .unwrap_or_else(|| rational::integer(eighth as u64));
                named.set("solver", "ridge of bounded labels (R3)");
                named.set("penalty", &penalty);
                let parameters = RidgeParameters {
                    penalty,
                    coefficient_grid: Grid::new(24)?,
                };
                Ok(ridge_of_bounded_labels::learn(
                    data,
                    map,
                    &parameters,
                    budget,
                    coins,
                )?)
            }
            Solver::Kaczmarz => {
                named.set("solver", "one pass of clipped Kaczmarz (R4)");
                named.set("residual", &self.residual);
                let parameters = clipped_kaczmarz::Parameters {
                    residual_bound: self.residual.clone(),
                    order: clipped_kaczmarz::Order::Random,
                    // Finer: each step of the pass rounds to it.
                    coefficient_grid: Grid::new(30)?,
                };
                Ok(clipped_kaczmarz::learn(
                    data,
                    map,
                    &parameters,
                    budget,
                    coins,
                )?)
            }
        }
    }
}

/// Root mean squared errors on `records`, in floats.
fn errors(
    model: &Model,
    map: &FeatureMap,
    training: &[Record],
    records: &[Record],
    half_width: f64,
) -> Result<Scores, Error> {
    if records.is_empty() {
        return Ok(Scores::default());
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
    Ok(Scores(vec![
        ("this_model", Score::RootMeanSquare(root(ours))),
        (
            "mean_of_training_labels",
            Score::RootMeanSquare(root(means)),
        ),
    ]))
}
