//! The options of `reproduce lnsx25`, and what it writes.

use super::Settings;
use crate::experiment::Printed;
use clap::Args;
use dp_assay_cli::error::Error;
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
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `reproduce lnsx25`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.printed.check()?;
    let settings = &arguments.settings;
    let results = super::run(&arguments.data, settings, |what| {
        output::progress(&format!("running {what}"));
    })?;
    arguments.printed.finish(&results)
}
