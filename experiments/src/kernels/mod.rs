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
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay_cli::error::Error;
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
#[derive(Debug)]
pub struct Settings {
    /// What every draw starts from.
    pub seed: u64,
    /// Only these parts; both if there is none.
    pub only: Vec<Part>,
    /// How often each learner is run.
    pub repetitions: usize,
    /// Fewer records and fewer values of epsilon.
    pub quick: bool,
    /// Where the data files are.
    pub data: PathBuf,
    /// Take data files that are not the published ones.
    pub any_data: bool,
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
    Ok(Budget::approximate(
        number(epsilon)?,
        number(DELTA)?,
        NeighbouringRelation::Substitute,
    )?)
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
