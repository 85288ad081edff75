//! The options of `assay reproduce lnsx25`, and what it writes.

use super::{Part, Results, Settings, Table};
use crate::error::Error;
use crate::options::{Format, whole};
use crate::output::{self, Destination};
use clap::Args;
use std::path::{Path, PathBuf};

/// Liao, Needell, Schaeffer, Xue 2025: their experiments as their code has them, beside the printed figures and
/// beside the repaired learners.
///
/// Needs insurance.csv, winequality-red.csv and winequality-white.csv in DIR, as the authors publish them: their SHA-256
/// sums are compared. Everything is drawn from the seed, and the data are taken to be public: the tables are
/// measurements, not private releases.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the data files are
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Take files with other SHA-256 sums than the published ones; the tables say so
    #[arg(long)]
    any_data: bool,
    /// Also write each table as CSV and each plot as SVG into this directory, which must exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run only this part; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<Part>,
    /// Fewer repetitions: about a minute
    #[arg(long)]
    quick: bool,
    /// The seed of all draws
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    seed: u64,
    /// How to print the tables
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Runs `assay reproduce lnsx25`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(directory) = &arguments.out
        && !directory.is_dir()
    {
        return Err(Error::Usage(format!(
            "--out {}: it must be a directory that exists",
            directory.display()
        )));
    }
    let settings = Settings {
        seed: arguments.seed,
        only: arguments.only.clone(),
        quick: arguments.quick,
        any_data: arguments.any_data,
    };
    let results = super::run(&arguments.data, &settings, |what| {
        output::progress(&format!("running {what}"));
    })?;
    if let Some(directory) = &arguments.out {
        write(directory, &results)?;
    }
    match arguments.format {
        Format::Json => output::print_json(&results),
        Format::Table => {
            let tables: Vec<String> = results.tables.iter().map(Table::render).collect();
            output::print(&tables.join("\n"))
        }
    }
}

/// Writes every table and plot: each file as a whole, and none before all can be written.
fn write(directory: &Path, results: &Results) -> Result<(), Error> {
    let mut files: Vec<(Destination, Vec<u8>)> = Vec::new();
    for table in &results.tables {
        let path = directory.join(format!("{}.csv", table.name));
        let mut contents = Vec::new();
        table.write_csv(&path, &mut contents)?;
        files.push((Destination::new(&path, &[])?, contents));
    }
    for (name, svg) in &results.plots {
        let path = directory.join(name);
        files.push((Destination::new(&path, &[])?, svg.clone().into_bytes()));
    }
    for (destination, contents) in &files {
        destination.write(|out| {
            out.write_all(contents)
                .map_err(|error| Error::write(destination.path(), error))
        })?;
    }
    Ok(())
}
