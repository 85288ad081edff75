//! Measurements: the papers' experiments run again, beside their printed figures and beside the repaired learners.
//!
//! A paper is a folder here, and an entry in [`EXPERIMENTS`]. Much of this runs in floats: nobody's privacy rests on it.
//! Shared by papers:
//!
//! - [`data`]: the files with real records;
//! - [`draws`]: reproducible draws; [`lent`]: learners that papers lend to each other's experiments;
//! - [`table`]: tables of results; [`plot`]: line charts.

mod data;
mod draws;
mod kernels;
mod lent;
mod margin;
mod plot;
mod random_features;
mod table;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use dp_assay_cli::error::Error;
use dp_assay_cli::options::Format;
use dp_assay_cli::output::{self, Destination};
use dp_assay_cli::{Outcome, ended};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use table::Table;

/// The experiments of a paper.
struct Experiments {
    /// The paper's key.
    name: &'static str,
    options: fn(Command) -> Command,
    run: fn(&ArgMatches) -> Result<(), Error>,
    /// Learners that the experiments of other papers compare with.
    lends: &'static [lent::Lent],
}

/// All of them.
const EXPERIMENTS: &[Experiments] = &[
    kernels::EXPERIMENTS,
    margin::EXPERIMENTS,
    random_features::EXPERIMENTS,
];

/// The learners that papers lend to each other.
fn lent_learners() -> Vec<&'static lent::Lent> {
    EXPERIMENTS.iter().flat_map(|paper| paper.lends).collect()
}

fn command() -> Command {
    let papers = EXPERIMENTS.iter();
    let papers = papers.map(|paper| (paper.options)(Command::new(paper.name)));
    Command::new("reproduce")
        .about("Run a paper's experiments again, beside its printed figures and beside the repaired learners")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(papers)
}

/// Reads the command line, runs the experiments, and says what went wrong.
#[must_use]
pub fn main() -> ExitCode {
    ended(match command().try_get_matches() {
        Ok(matches) => run(&matches).map(|()| Outcome::AsExpected),
        Err(error) => Err(Error::CommandLine(error)),
    })
}

fn run(matches: &ArgMatches) -> Result<(), Error> {
    let chosen = matches.subcommand().and_then(|(name, matches)| {
        let paper = EXPERIMENTS.iter().find(|paper| paper.name == name)?;
        Some((paper, matches))
    });
    match chosen {
        Some((paper, matches)) => (paper.run)(matches),
        None => Err(Error::Usage("reproduce needs a paper".to_owned())),
    }
}

/// The options of a paper, which were checked when the command line was read.
fn read<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Error> {
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
