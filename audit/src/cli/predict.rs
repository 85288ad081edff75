//! `assay predict`: labels new records by a model.

use super::{Format, Outcome};
use crate::data::{Placement, Records, separator};
use crate::error::Error;
use crate::model::Model;
use crate::output::{self, Destination};
use crate::regression_model::RegressionModel;
use clap::Args;
use dp_assay::number::rational;
use std::io;
use std::path::{Path, PathBuf};

/// Print the label that a model gives to each record, one a line: of a halfspace or of a random feature model.
///
/// Columns are found by the model's names for them; others are not looked at. A record on the
/// boundary of a halfspace is "undecided".
#[derive(Debug, Args)]
pub struct Arguments {
    /// The model file
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The records, a CSV file
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// What separates the fields: one of , ; | : space, or tab; otherwise found from the header
    #[arg(long, value_name = "CHARACTER", value_parser = separator)]
    separator: Option<u8>,
    /// Clip features onto their boxes, instead of refusing
    #[arg(long)]
    clip: bool,
    /// Write a CSV file with the column prediction, instead of printing
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// How to print the labels
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, serde::Serialize)]
struct Predictions<'a> {
    predictions: Vec<&'a str>,
}

/// Runs `assay predict`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let inputs = [arguments.model.as_path(), arguments.data.as_path()];
    let destination = match &arguments.out {
        Some(path) => Some(Destination::new(path, &inputs)?),
        None => None,
    };
    // All of them before the first is printed: a bad record leaves nothing half done.
    if let Some(model) = RegressionModel::read(&arguments.model)? {
        let predictions = predict_numbers(&model, arguments)?;
        let texts = predictions.iter().map(String::as_str).collect();
        return give(texts, destination.as_ref(), arguments.format);
    }
    let model = Model::read(&arguments.model)?;
    let predictions = predict(
        &model,
        &arguments.model,
        &arguments.data,
        arguments.separator,
        arguments.clip,
    )?;
    give(predictions, destination.as_ref(), arguments.format)
}

/// Writes or prints the predictions.
fn give(
    predictions: Vec<&str>,
    destination: Option<&Destination>,
    format: Format,
) -> Result<Outcome, Error> {
    match (destination, format) {
        (Some(destination), _) => destination.write(|out| {
            let wrong =
                |error: csv::Error| Error::write(destination.path(), io::Error::other(error));
            let mut writer = csv::Writer::from_writer(out);
            writer.write_record(["prediction"]).map_err(wrong)?;
            for label in &predictions {
                writer.write_record([label]).map_err(wrong)?;
            }
            writer
                .flush()
                .map_err(|error| Error::write(destination.path(), error))
        })?,
        (None, Format::Json) => output::print_json(&Predictions { predictions })?,
        (None, Format::Table) => {
            let mut text = predictions.join("\n");
            text.push('\n');
            output::print(&text)?;
        }
    }
    Ok(Outcome::AsExpected)
}

/// The prediction of a random feature model for each record of a file, in the label's units.
fn predict_numbers(model: &RegressionModel, arguments: &Arguments) -> Result<Vec<String>, Error> {
    let predictor = model
        .predictor(arguments.clip)
        .map_err(|reason| Error::Model {
            path: arguments.model.clone(),
            reason,
        })?;
    let mut records = Records::open(&arguments.data, arguments.separator)?;
    let columns = predictor.inputs.columns(&records)?;
    let mut predictions = Vec::new();
    while let Some(line) = records.advance()? {
        let point = predictor.inputs.place(&records, line, &columns)?;
        let prediction = predictor.predict(&point)?;
        predictions.push(rational::to_f64_for_display(&prediction).to_string());
    }
    if predictions.is_empty() {
        return Err(none(&arguments.data));
    }
    Ok(predictions)
}

fn none(data: &Path) -> Error {
    Error::data(data, "at least one record is needed, got 0")
}

/// The label of each record of a file.
pub(super) fn predict<'a>(
    model: &'a Model,
    model_path: &Path,
    data: &Path,
    separator: Option<u8>,
    clip: bool,
) -> Result<Vec<&'a str>, Error> {
    let wrong = |reason| Error::Model {
        path: model_path.to_owned(),
        reason,
    };
    let halfspace = model.halfspace().map_err(wrong)?;
    let scales = model.scales().map_err(wrong)?;
    let placement = Placement::new(scales, model.intercept, clip, model.grid_bits)?;
    let mut records = Records::open(data, separator)?;
    let columns = model
        .features
        .iter()
        .map(|feature| {
            records.column(&feature.name).ok_or_else(|| {
                Error::data(
                    data,
                    format!(
                        "the model needs the column '{}', which is not in the header",
                        feature.name
                    ),
                )
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut predictions = Vec::new();
    while let Some(line) = records.advance()? {
        let (features, _) = placement.place(&records, line, &columns)?;
        predictions.push(model.label_of(halfspace.predict(&features)?));
    }
    if predictions.is_empty() {
        return Err(none(data));
    }
    Ok(predictions)
}
