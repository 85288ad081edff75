//! What the experiments of a paper are, their results, and how these are printed.

use crate::table::Table;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use dp_assay_cli::error::Error;
use dp_assay_cli::options::Format;
use dp_assay_cli::output::{self, Destination};
use std::path::{Path, PathBuf};

/// The experiments of a paper.
pub struct Experiments {
    /// The paper's key.
    pub name: &'static str,
    /// Adds its help and its options.
    pub options: fn(Command) -> Command,
    /// Runs them.
    pub run: fn(&ArgMatches) -> Result<(), Error>,
}

/// The options of a paper, which were checked when the command line was read.
pub fn read<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Error> {
    Ok(A::from_arg_matches(matches)?)
}

/// All results of an experiment.
#[derive(Debug, serde::Serialize)]
pub struct Results {
    /// The tables, in the order in which they are printed.
    pub tables: Vec<Table>,
    /// Plots as SVG, by file name.
    #[serde(skip)]
    pub plots: Vec<(&'static str, String)>,
}

/// Where results go.
#[derive(Debug, Args)]
pub struct Printed {
    /// Also write each table as CSV and each plot as SVG into this directory, which must exist: files of
    /// these names are replaced
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to print the tables
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

impl Printed {
    /// Refuses, before the work, a directory that is not there.
    pub fn check(&self) -> Result<(), Error> {
        match &self.out {
            Some(directory) if !directory.is_dir() => Err(Error::Usage(format!(
                "--out {}: it must be a directory that exists",
                directory.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Writes the results, if they are to be written.
    pub fn write(&self, results: &Results) -> Result<(), Error> {
        match &self.out {
            Some(directory) => write(directory, results),
            None => Ok(()),
        }
    }

    /// Writes and prints the results.
    pub fn finish(&self, results: &Results) -> Result<(), Error> {
        self.write(results)?;
        match self.format {
            Format::Json => output::print_json(results),
            Format::Table => {
                let tables: Vec<String> = results.tables.iter().map(Table::render).collect();
                output::print(&tables.join("\n"))
            }
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
