//! The options of `reproduce lnsx25`, and what it writes.

use super::{Part, Settings};
use crate::experiment::Printed;
use clap::Args;
use dp_assay_cli::error::Error;
use dp_assay_cli::options::whole;
use dp_assay_cli::output;
use std::path::PathBuf;

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
    /// Run only this part; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<Part>,
    /// Fewer repetitions: about a minute
    #[arg(long)]
    quick: bool,
    /// The seed of all draws
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `reproduce lnsx25`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.printed.check()?;
    let settings = Settings {
        seed: arguments.seed,
        only: arguments.only.clone(),
        quick: arguments.quick,
        any_data: arguments.any_data,
    };
    let results = super::run(&arguments.data, &settings, |what| {
        output::progress(&format!("running {what}"));
    })?;
    arguments.printed.finish(&results)
}
