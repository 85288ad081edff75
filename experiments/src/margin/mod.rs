//! Experiments with the learners. The paper has none: these are ours.
//!
//! - [`command`]: the options;
//! - [`compare`]: what every learner of two classes reaches; [`learners`]: which they are, and how they are run;
//! - [`dimension`]: error against the dimension at a fixed margin; [`sphere`]: the records of it;
//! - [`ratio`]: how far the upper bounds are above the lower bound;
//! - [`descent`]: noisy gradient descent, to compare with; [`peer`]: a program of somebody else.
//!
//! The paper's learners are those of the library, exact. What they are compared with runs in floats, and nobody's privacy
//! rests on it.

pub mod command;
mod compare;
mod descent;
mod dimension;
mod learners;
mod peer;
mod ratio;
mod sphere;

use crate::experiment::{Experiments, Results, read};
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio as fraction};
use dp_assay_cli::error::Error;
use peer::Peer;
use std::path::PathBuf;

/// What `reproduce` runs.
pub const EXPERIMENTS: Experiments = Experiments {
    name: "bms22",
    options: command::Arguments::augment_args,
    run: |matches| command::run(&read(matches)?),
};

/// A part of the experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// What every learner of two classes reaches on real and on made-up records
    Table,
    /// Error against the dimension at a fixed margin
    Dimension,
    /// How far the upper bounds are above the lower bound
    Bounds,
}

/// How much is run.
#[derive(Debug)]
pub struct Settings {
    /// What every draw starts from.
    pub seed: u64,
    /// Only these parts; all of them if there is none.
    pub only: Vec<Part>,
    /// How often each learner is run.
    pub repetitions: usize,
    /// Fewer dimensions and fewer ratios.
    pub quick: bool,
    /// Where the files of the wines are.
    pub data: Option<PathBuf>,
    /// Take data files that are not the published ones.
    pub any_data: bool,
    /// A program to compare with.
    pub peer: Option<String>,
}

impl Settings {
    fn has(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

/// The delta of learners that are not pure.
const DELTA: &str = "1e-6";

/// The budgets that are compared: how they are written, and their values.
fn epsilons() -> [(&'static str, Rational); 3] {
    [
        ("1/4", fraction(1, 4)),
        ("1", integer(1)),
        ("4", integer(4)),
    ]
}

/// Runs what the settings ask for; `progress` is told what is about to be run.
pub fn run(settings: &Settings, progress: impl Fn(&str)) -> Result<Results, Error> {
    let peer = settings.peer.as_deref().map(Peer::start).transpose()?;
    let mut results = Results {
        tables: Vec::new(),
        plots: Vec::new(),
    };
    if settings.has(Part::Table) {
        results
            .tables
            .extend(compare::run(settings, peer.as_ref(), &progress)?);
    }
    if settings.has(Part::Dimension) {
        progress("error against the dimension");
        let (table, plots) = dimension::run(settings, peer.as_ref())?;
        results.tables.push(table);
        results.plots.extend(plots);
    }
    if settings.has(Part::Bounds) {
        progress("the ratio of the bounds");
        let (table, plot) = ratio::run(settings)?;
        results.tables.push(table);
        results.plots.push(plot);
    }
    Ok(results)
}
