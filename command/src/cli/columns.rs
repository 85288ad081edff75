//! `assay columns`: a file for `--columns`, to be filled in.

use crate::error::Error;
use crate::output;
use crate::table::{Form, Records, skeleton};
use clap::Args;
use std::path::PathBuf;

/// Print a file for --columns that has the columns of a CSV file, to be filled in with what is public of each.
///
/// Nothing but the header is looked at. The intervals and names are to be chosen without the records.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The CSV file
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The form of the file
    #[command(flatten)]
    form: Form,
}

/// Runs `assay columns`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let records = Records::open(&arguments.data, &arguments.form)?;
    let columns: Vec<(String, bool)> = records
        .header()
        .iter()
        .map(|name| (name.clone(), !records.is_unnamed(name)))
        .collect();
    output::print(&skeleton(&columns)?)
}
