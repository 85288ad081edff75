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
use dp_assay_cli::options::{whole, whole_in};
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
#[derive(Debug, Args)]
#[group(skip)]
pub struct Settings {
    /// Where the data files are
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Take files with other SHA-256 sums than the published ones; the table says so
    #[arg(long)]
    pub any_data: bool,
    /// Run only this part; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    pub only: Vec<Part>,
    /// How often each learner is run, from 2 to 1000: each time on another split or other records
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(2..=1000), allow_hyphen_values = true, default_value_t = 40)]
    pub repetitions: usize,
    /// Fewer dimensions, and fewer ratios
    #[arg(long)]
    pub quick: bool,
    /// A program to compare with, such as scripts/diffprivlib; what it is asked, and what it answers, is explained there
    #[arg(long, value_name = "COMMAND")]
    pub peer: Option<String>,
    /// The seed of all draws
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    pub seed: u64,
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
