//! `assay predict`: labels new records by a model.

use crate::error::Error;
use crate::options::Format;
use crate::output::{self, Destination, Kind};
use crate::papers::model::ModelFile;
use crate::papers::{Predict, predictor};
use crate::table::{Form, NumberedRecords, Placement, Records};
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Print the label that a model gives to each record, one a line.
///
/// Columns are found by the model's names for them; others are not looked at. A record on the
/// boundary between two classes is "undecided", and one that lacks a value, which the model was not told how to fill, "missing". A model that was learned with --libsvm reads records in
/// that format; their labels are not looked at, and may be missing.
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
    /// Write a CSV file with the column prediction, instead of printing
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// Replace the file at --out even if it is not a file of predictions
    #[arg(long, requires = "out")]
    force: bool,
    /// How to print the labels
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// The first line of a file of predictions.
const HEADER: &str = "prediction";

/// What stands for a prediction of a record that lacks a value.
const MISSING: &str = "missing";

/// A file of predictions.
const KIND: Kind = Kind {
    is: |first| first.split(|&byte| byte == b'\n').next() == Some(HEADER.as_bytes()),
    name: "a file of predictions",
};

#[derive(Debug, serde::Serialize)]
struct Predictions {
    predictions: Vec<String>,
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
            let wrong =
                |error: csv::Error| Error::write(destination.path(), io::Error::other(error));
            let mut writer = csv::Writer::from_writer(out);
            writer.write_record([HEADER]).map_err(wrong)?;
            for label in &predictions {
                writer.write_record([label.as_str()]).map_err(wrong)?;
            }
            writer
                .flush()
                .map_err(|error| Error::write(destination.path(), error))
        }),
        (None, Format::Json) => output::print_json(&Predictions { predictions }),
        (None, Format::Table) => {
            let mut text = predictions.join("\n");
            text.push('\n');
            output::print(&text)
        }
    }
}

/// The label of each record of the file.
fn predict(arguments: &Arguments) -> Result<Vec<String>, Error> {
    let model = ModelFile::read(&arguments.model)?;
    let predict = predictor(&model).map_err(|reason| Error::Model {
        path: arguments.model.clone(),
        reason,
    })?;
    let placement = Placement::new(model.columns, arguments.clip)?;
    let mut predictions = Vec::new();
    match predict {
        Predict::Listed(predict) => {
            let mut records = Records::open(&arguments.data, &arguments.form)?;
            let places = placement.find(&records)?;
            while let Some(line) = records.advance()? {
                if placement.lacks(&records, &places) {
                    predictions.push(MISSING.to_owned());
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
    Ok(predictions)
}
