//! Shared by the two learners of halfspaces: options, the table as a dataset, errors, and the bound.

use super::baseline::{errors, majority_class, non_private_baseline};
use super::model;
use crate::error::Error;
use crate::options::Range;
use crate::papers::learn::{Learned, Options, Parameters, Public};
use crate::papers::meter::{self, Metered};
use crate::papers::report::Bound;
use crate::papers::report::{NotPrivate, Score, Scores};
use crate::table::{self, DeclaredClasses, Row, Shape, Table};
use clap::Args;
use dp_assay::coins::{ChaCha, Meter};
use dp_assay::halfspaces::bounds::Guarantee;
use dp_assay::halfspaces::{Dataset, Halfspace, Record};
use dp_assay::number::{Rational, rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use num_traits::One;
use std::path::{Path, PathBuf};

/// What both learners take.
#[derive(Debug, Args)]
pub struct Common {
    /// The records, a CSV file; the positive class alone if a second file is given
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// The records of the negative class, with the same header
    #[arg(value_name = "DATA2")]
    pub second: Option<PathBuf>,
    /// The privacy parameter epsilon, above 0
    #[arg(long, value_name = "E", value_parser = Range::Epsilon.parser(), allow_hyphen_values = true)]
    pub epsilon: Rational,
    /// The margin, in (0, 1]
    #[arg(long, value_name = "G", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true)]
    pub gamma: Rational,
    /// The accuracy, in (0, 1)
    #[arg(long, value_name = "A", default_value = "1/10", value_parser = Range::Accuracy.parser(), allow_hyphen_values = true)]
    pub alpha: Rational,
    /// The probability of failure, in (0, 1)
    #[arg(long, value_name = "B", default_value = "1/10", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    pub beta: Rational,
    /// The dimension of the projection, instead of the theorem's; there is none if this is at least the
    /// dimension of the data
    #[arg(long, value_name = "M")]
    pub dimension: Option<u32>,
}

/// How the records are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct Data {
    /// The two classes
    #[command(flatten)]
    classes: DeclaredClasses,
    /// Add a constant coordinate, so that the halfspace need not pass through the middle of the box
    #[arg(long)]
    intercept: bool,
    /// Place the data on the multiples of 2^-B
    #[arg(long, value_name = "B", default_value_t = 20)]
    pub grid_bits: u32,
    /// The table
    #[command(flatten)]
    table: table::Options,
}

/// What a learner finds.
pub struct Trained {
    /// The halfspace, in the coordinates of the records.
    pub halfspace: Halfspace,
    /// The parameters that were used.
    pub parameters: Parameters,
    /// What the theorem promises.
    pub bound: Bound,
}

/// Learns a halfspace, writes the model and prints the report.
pub fn run(
    algorithm: &'static str,
    options: &Options,
    (common, data): (&Common, &Data),
    delta: Rational,
    train: impl FnOnce(&Dataset, &mut ChaCha) -> Result<Trained, Error>,
) -> Result<(), Error> {
    common.validate()?;
    let mut inputs = vec![common.data.as_path()];
    inputs.extend(common.second.as_deref());
    let mut run = options.start(&common.epsilon, &inputs)?;
    let table = data
        .table
        .open(
            &common.data,
            common.second.as_deref(),
            Shape::Ball,
            data.grid_bits,
            data.intercept,
        )?
        .classes(&data.classes)?;
    let public = Public::of(&table);
    let (dataset, held_out, clipped) = dataset(table)?;
    let trained = train(&dataset, &mut run.coins)?;
    let errors = if options.unsafe_report {
        Some(not_private(
            &trained.halfspace,
            &dataset,
            &held_out,
            clipped,
        )?)
    } else {
        None
    };
    let learned = Learned {
        algorithm,
        delta,
        parameters: trained.parameters,
        public: "parameters, intervals, categories and label values",
        bound: Some(trained.bound),
        weights: model::weights(&trained.halfspace),
        errors,
    };
    run.finish(public, learned)
}

/// Meters a learner on two neighbouring datasets.
pub fn meter(
    algorithm: &'static str,
    options: &meter::Options,
    (common, data): (&Common, &Data),
    delta: &Rational,
    train: impl Fn(&Dataset, &mut Meter) -> Result<Trained, Error> + Sync,
) -> Result<Metered, Error> {
    common.validate()?;
    if common.second.is_some() {
        return Err(Error::Usage(
            "assay meter takes one data file: put both classes into it, and name the label's column with --label"
                .to_owned(),
        ));
    }
    let open = |path: &Path| {
        let bits = data.grid_bits;
        data.table
            .open(path, None, Shape::Ball, bits, data.intercept)
    };
    let tables = options.tables(&common.data, open, |opened| opened.classes(&data.classes))?;
    let [first, second] = tables.map(|table| dataset(table).map(|(dataset, ..)| dataset));
    let pair = [first?, second?];
    let claim = Budget::approximate(
        common.epsilon.clone(),
        delta.clone(),
        NeighbouringRelation::Substitute,
    )?;
    let learner = |data: &Dataset, coins: &mut Meter| {
        let trained = train(data, coins)?;
        let parameters = trained.parameters.values().clone();
        Ok((model::weights(&trained.halfspace), parameters))
    };
    options.run(algorithm, &common.data, learner, &pair, &claim)
}

/// The records to learn from, those held out, and how many of both were clipped.
pub fn dataset(table: Table) -> Result<(Dataset, Vec<Record>, u64), Error> {
    let records = |rows: Vec<Row>| -> Vec<Record> {
        rows.into_iter()
            .map(|row| Record {
                features: row.features,
                positive: row.label == 1,
            })
            .collect()
    };
    let (grid, dimension) = (
        table.placement.grid(),
        table.placement.columns().dimension(),
    );
    let dataset = Dataset::new(grid, dimension, records(table.training))?;
    Ok((dataset, records(table.held_out), table.clipped))
}

/// The errors of the halfspace, of a baseline and of the majority class.
fn not_private(
    halfspace: &Halfspace,
    dataset: &Dataset,
    held_out: &[Record],
    clipped: u64,
) -> Result<NotPrivate, Error> {
    let training = dataset.records();
    let baseline = non_private_baseline(dataset.dimension(), training)?;
    let majority = majority_class(training);
    let count = |records: &[Record]| -> Result<Scores, Error> {
        if records.is_empty() {
            return Ok(Scores::default());
        }
        let of_majority = records.iter().filter(|record| record.positive != majority);
        let wrong = |wrong| Score::Wrong(wrong, records.len());
        Ok(Scores(vec![
            ("this_model", wrong(errors(halfspace, records)?)),
            ("non_private_baseline", wrong(errors(&baseline, records)?)),
            ("majority_class", wrong(of_majority.count() as u64)),
        ]))
    };
    Ok(NotPrivate {
        training_records: training.len(),
        held_out_records: held_out.len(),
        clipped,
        training: count(training)?,
        held_out: count(held_out)?,
    })
}

impl Common {
    fn validate(&self) -> Result<(), Error> {
        if self.dimension == Some(0) {
            return Err(Error::option("--dimension", "at least 1", 0));
        }
        Ok(())
    }

    /// The rows of the projection that `--dimension` asks for, if it is given: none from the data's
    /// dimension `d` on.
    pub fn rows(&self, d: usize) -> Option<Option<usize>> {
        self.dimension
            .map(|m| usize::try_from(m).ok().filter(|&m| m < d))
    }

    /// The parameters that both learners have, for data of dimension `d` projected to `rows`.
    pub fn parameters(&self, rows: Option<usize>, d: usize) -> Parameters {
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

    /// The guarantee of a run, in words.
    pub fn bound(&self, guarantee: Guarantee) -> Bound {
        let Some(alpha) = guarantee.alpha else {
            return Bound::vacuous(guarantee.reason);
        };
        let alpha = rational::to_scientific_above(&alpha, 4);
        Bound {
            statement: format!(
                "on every distribution of margin {}, error at most {alpha} with probability {}: {}; other \
                 distributions may have more",
                self.gamma,
                Rational::one() - &self.beta,
                guarantee.reason
            ),
            vacuous: false,
            error_at_most: Some(alpha),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pure::Pure;
    use super::*;
    use crate::papers::model::ModelFile;
    use crate::papers::predictor;
    use crate::table::{Form, Placement, Records};
    use clap::Parser;
    use std::fs;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        learn: Options,
        #[command(flatten)]
        pure: Pure,
    }

    /// The path from data to predictions, with the baseline in the learner's place.
    #[test]
    fn a_model_is_written_read_and_predicts() {
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
        let (common, load) = (&line.pure.common, &line.pure.load);
        run(
            "halfspaces-pure",
            &line.learn,
            (common, load),
            Rational::default(),
            |data, _| {
                Ok(Trained {
                    halfspace: non_private_baseline(data.dimension(), data.records())?,
                    parameters: common.parameters(None, data.dimension()),
                    bound: Bound {
                        statement: "error at most 7".to_owned(),
                        vacuous: true,
                        error_at_most: None,
                    },
                })
            },
        )
        .unwrap();
        let written = fs::read_to_string(file("m.json")).unwrap();
        for part in ["error", "wrong", "33", "41"] {
            assert!(!written.contains(part), "{part} in {written}");
        }
        let model = ModelFile::read(&file("m.json")).unwrap();
        let predict = predictor(&model).unwrap();
        let placement = Placement::new(model.columns.clone(), false).unwrap();
        let mut records = Records::open(&common.data, &Form::default()).unwrap();
        let places = placement.find(&records).unwrap();
        let mut predictions = Vec::new();
        while let Some(line) = records.advance().unwrap() {
            let (point, _) = placement.place(&records, line, &places).unwrap();
            predictions.push(predict(&point).unwrap());
        }
        assert_eq!(predictions.len(), 41);
        assert_eq!((&*predictions[0], &*predictions[40]), ("no", "yes"));
    }

    #[test]
    fn a_model_whose_weights_do_not_fit_is_refused() {
        let model = serde_json::json!({
            "format": "dp-assay-model-2", "software": "dp-assay 0.1.0", "algorithm": "halfspaces-pure",
            "privacy": {"epsilon": "1", "delta": "0", "neighbours": "n", "coins": "c",
                        "statement": "(1, 0)-differentially private"},
            "parameters": {}, "parameters_from": "theorem",
            "columns": {"numeric": [{"name": "a", "lo": "0", "hi": "1"}], "categories": [], "intercept": true,
                        "shape": "ball", "grid_bits": 20},
            "label": {"classes": {"positive": "1", "negative": "0"}},
            "weights": {"direction": ["9223372036854775807", "-3"]}
        })
        .to_string();
        let read = |text: &str| predictor(&serde_json::from_str(text).unwrap()).map(|_| ());
        assert_eq!(read(&model), Ok(()));
        for (from, to, part) in [
            (
                "\"-3\"",
                "\"-3.5\"",
                "must be integers as texts, got '-3.5'",
            ),
            ("\"-3\"", "\"9223372036854775808\"", "must be integers"),
            ("\"-3\"", "\"-3\",\"1\"", "must have 2 coordinates"),
            ("\"direction\"", "\"destination\"", "destination"),
            ("halfspaces-pure", "halfspaces-poor", "no learner is called"),
            ("ball", "cube", "must be \"ball\""),
        ] {
            assert!(model.contains(from), "{from}");
            let message = read(&model.replace(from, to)).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
