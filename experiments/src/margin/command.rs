//! The options of `reproduce bms22`.

use super::{Part, Settings};
use crate::experiment::Printed;
use clap::Args;
use dp_assay_cli::error::Error;
use dp_assay_cli::output;

/// Bassily, Mohri, Suresh 2022 has no experiments. Ours: what every learner of two classes reaches on the wine data and
/// on made-up records, error against the dimension at a fixed margin, and how far the upper bounds are above the lower
/// bound.
///
/// The table needs winequality-red.csv and winequality-white.csv in the directory of --data, as UCI has them: their
/// SHA-256 sums are compared. Everything is drawn from the seed, and the data are taken to be public: the tables are
/// measurements, not private releases.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `reproduce bms22`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.printed.check()?;
    let settings = &arguments.settings;
    if settings.has(Part::Table) && settings.data.is_none() {
        return Err(Error::Usage(
            "--data DIR is missing: the table needs the files of the wines; --only dimension and --only bounds need \
             none"
                .to_owned(),
        ));
    }
    let results = super::run(settings, |what| {
        output::progress(&format!("running {what}"));
    })?;
    arguments.printed.finish(&results)
}
