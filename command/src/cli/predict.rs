//! `assay predict`: labels new records by a model.

use crate::error::Error;
use crate::options::Format;
use crate::output::{self, Destination, Kind};
use crate::papers::model::ModelFile;
use crate::papers::{Predict, Predicted, predictor};
use crate::table::{Form, Label, NumberedRecords, Placement, Records};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the label that a model gives to each record, one a line.
///
/// Columns are found by the model's names for them; others are not looked at. A record on the
/// boundary between two classes is "undecided", and one that lacks a value, which the model was not told how to fill, "missing". A model that was learned with --libsvm reads records in
/// that format; their labels are not looked at, and may be missing.
///
/// With --scores each label has its decision value beside it. It is larger where the positive class is likelier, above 0
/// where that is the label, below 0 where the other one is, and 0 where a record is undecided; it is no probability. Of a
/// halfspace it is the distance of the record from the boundary, in the unit ball that the margin is measured in; of
/// margin-kernel the same among its features; of a network what it puts out; of a kernel the prediction, where the classes
/// are -1 and 1. It is a double, in the fewest digits that read back as this double.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The records, a CSV file, or one in the LIBSVM format, as the model says
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The form of the file
    #[command(flatten)]
    form: Form,
    /// Clip numbers onto their intervals, and let unknown names be none, instead of refusing
    #[arg(long)]
    clip: bool,
    /// Print the decision value of each record beside its label: CSV, with the columns prediction and score. Of models of
    /// two classes
    #[arg(long)]
    scores: bool,
    /// Write a CSV file with the column prediction, and with --scores the column score, instead of printing
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// Replace the file at --out even if it is not a file of predictions
    #[arg(long, requires = "out")]
    force: bool,
    /// How to print the labels
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// The first line of a file of predictions, and of one with scores.
const HEADERS: [&str; 2] = ["prediction", "prediction,score"];

/// What stands for a prediction of a record that lacks a value.
const MISSING: &str = "missing";

/// A file of predictions.
const KIND: Kind = Kind {
    is: |first| {
        let line = first.split(|&byte| byte == b'\n').next();
        line.is_some_and(|line| HEADERS.map(str::as_bytes).contains(&line))
    },
    name: "a file of predictions",
};

#[derive(Debug, serde::Serialize)]
struct Predictions {
    predictions: Vec<String>,
    /// With --scores; null of a record that lacks a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<Option<f64>>>,
}

impl Predictions {
    fn new(all: Vec<Predicted>, with_scores: bool) -> Self {
        let (predictions, scores) = all.into_iter().map(|one| (one.label, one.score)).unzip();
        Self {
            predictions,
            scores: Some(scores).filter(|_| with_scores),
        }
    }

    /// As a CSV file; a score that is not there is empty.
    fn write(&self, out: &mut dyn Write) -> Result<(), csv::Error> {
        let mut writer = csv::Writer::from_writer(out);
        match &self.scores {
            None => {
                writer.write_record(["prediction"])?;
                for label in &self.predictions {
                    writer.write_record([label])?;
                }
            }
            Some(scores) => {
                writer.write_record(["prediction", "score"])?;
                for (label, score) in self.predictions.iter().zip(scores) {
                    let score = score.map_or(String::new(), |score| score.to_string());
                    writer.write_record([label, &score])?;
                }
            }
        }
        Ok(writer.flush()?)
    }
}

/// Runs `assay predict`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let inputs = [arguments.model.as_path(), arguments.data.as_path()];
    let destination = match &arguments.out {
        Some(path) => Some(Destination::of_kind(path, &inputs, &KIND, arguments.force)?),
        None => None,
    };
    // All of them before the first is printed: a bad record leaves nothing half done.
    let predictions = predict(arguments)?;
    match (&destination, arguments.format) {
        (Some(destination), _) => destination.write(|out| {
            let wrong = |error: csv::Error| Error::write(destination.path(), error.into());
            predictions.write(out).map_err(wrong)
        }),
        (None, Format::Json) => output::print_json(&predictions),
        (None, Format::Table) if arguments.scores => {
            let wrong = |error: csv::Error| Error::Print(error.into());
            predictions.write(&mut io::stdout().lock()).map_err(wrong)
        }
        (None, Format::Table) => {
            let mut text = predictions.predictions.join("\n");
            text.push('\n');
            output::print(&text)
        }
    }
}

/// The label of each record of the file, and its score.
fn predict(arguments: &Arguments) -> Result<Predictions, Error> {
    let model = ModelFile::read(&arguments.model)?;
    let predict = predictor(&model).map_err(|reason| Error::Model {
        path: arguments.model.clone(),
        reason,
    })?;
    if let (true, Label::Interval(_)) = (arguments.scores, &model.label) {
        return Err(Error::Usage(format!(
            "--scores: {} predicts numbers, which need no score: leave --scores out (models of two classes have scores: those \
             of every learner but random-features, with a kernel those learned with --positive and --negative)",
            arguments.model.display()
        )));
    }
    let placement = Placement::new(model.columns, arguments.clip)?;
    let mut predictions = Vec::new();
    match predict {
        Predict::Listed(predict) => {
            let mut records = Records::open(&arguments.data, &arguments.form)?;
            let places = placement.find(&records)?;
            while let Some(line) = records.advance()? {
                if placement.lacks(&records, &places) {
                    predictions.push(Predicted {
                        label: MISSING.to_owned(),
                        score: None,
                    });
                    continue;
                }
                let (point, _) = placement.place(&records, line, &places)?;
                predictions.push(predict(&point)?);
            }
        }
        Predict::Numbered(predict) => {
            let mut records = NumberedRecords::open(&arguments.data, &arguments.form)?;
            while let Some(line) = records.advance()? {
                let (point, _) = placement.point(&records, line)?;
                predictions.push(predict(&point)?);
            }
        }
    }
    if predictions.is_empty() {
        return Err(Error::data(
            &arguments.data,
            "at least one record is needed, got 0",
        ));
    }
    Ok(Predictions::new(predictions, arguments.scores))
}
