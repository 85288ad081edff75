//! Experiments with the learners: those of the paper cannot be run again, these are ours.
//!
//! - [`command`]: the options;
//! - [`data`]: the records, and how they come onto a public grid;
//! - [`trial`]: one split of them, and what is learned from it without noise;
//! - [`learners`]: the learners and what they are compared with, their plans and their runs;
//! - [`compare`]: what every learner reaches; [`figure`]: accuracy against epsilon for Algorithm 2.
//!
//! The learners are those of the library, exact. Errors are measured in floats.

pub mod command;
mod compare;
mod data;
mod figure;
mod learners;
mod trial;

use crate::experiment::{Experiments, Printed, Results, read};
use clap::Args;
use dp_assay::number::{Rational, rational};
use dp_assay::privacy::Budget;
use dp_assay_cli::error::Error;
use dp_assay_cli::options::{whole, whole_in};
use std::path::PathBuf;

/// What `reproduce` runs.
pub const EXPERIMENTS: Experiments = Experiments {
    name: "jt13",
    options: command::Arguments::augment_args,
    run: |matches| command::run(&read(matches)?),
};

/// A part of the experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// What every learner reaches on real records
    Table,
    /// Accuracy against epsilon for Algorithm 2
    Figure,
}

/// How much is run.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Settings {
    /// Where the data files are
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Take files with other SHA-256 sums than the published ones; the table says so
    #[arg(long)]
    pub any_data: bool,
    /// Run only this part; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    pub only: Vec<Part>,
    /// How often each learner is run, from 2 to 1000: in the tables each time on another split, in the figure with other noise
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(2..=1000), allow_hyphen_values = true, default_value_t = 40)]
    pub repetitions: usize,
    /// Fewer records, and fewer values of epsilon
    #[arg(long)]
    pub quick: bool,
    /// The seed of all draws
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    pub seed: u64,
}

impl Settings {
    fn has(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

/// The delta of all budgets.
const DELTA: &str = "1e-6";

/// The budget of every learner: one relation for all.
fn budget(epsilon: &str) -> Result<Budget, Error> {
    Ok(Budget::substituting(&number(epsilon)?, &number(DELTA)?)?)
}

fn number(text: &str) -> Result<Rational, Error> {
    Ok(rational::parse(text)?)
}

/// Runs what the settings ask for; `progress` is told what is about to be run, and what is made is written at once.
pub fn run(
    settings: &Settings,
    printed: &Printed,
    progress: impl Fn(&str),
) -> Result<Results, Error> {
    let mut all = Results {
        tables: Vec::new(),
        plots: Vec::new(),
    };
    let sources = data::Sources::read(settings)?;
    let mut keep = |made: Results| -> Result<(), Error> {
        printed.write(&made)?;
        all.tables.extend(made.tables);
        all.plots.extend(made.plots);
        Ok(())
    };
    if settings.has(Part::Table) {
        for set in data::sets(&sources)? {
            progress(&format!("every learner on {}", set.title));
            let tables = compare::run(&set, settings)?;
            keep(Results {
                tables,
                plots: Vec::new(),
            })?;
        }
    }
    if settings.has(Part::Figure) {
        for set in figure::sets(&sources, settings)? {
            progress(&format!("accuracy against epsilon on {}", set.data.title));
            let (table, plot) = figure::run(&set, settings)?;
            keep(Results {
                tables: vec![table],
                plots: vec![plot],
            })?;
        }
    }
    Ok(all)
}
