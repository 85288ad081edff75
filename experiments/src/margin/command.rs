//! The options of `reproduce bms22`.

use super::{Part, Settings};
use crate::experiment::Printed;
use clap::Args;
use dp_assay_cli::error::Error;
use dp_assay_cli::options::{whole, whole_in};
use dp_assay_cli::output;
use std::path::PathBuf;

/// Bassily, Mohri, Suresh 2022 has no experiments. Ours: what every learner of two classes reaches on the wine data and
/// on made-up records, error against the dimension at a fixed margin, and how far the upper bounds are above the lower
/// bound.
///
/// The table needs winequality-red.csv and winequality-white.csv in the directory of --data, as UCI has them: their
/// SHA-256 sums are compared. Everything is drawn from the seed, and the data are taken to be public: the tables are
/// measurements, not private releases.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the data files are
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Take files with other SHA-256 sums than the published ones; the table says so
    #[arg(long)]
    any_data: bool,
    /// Run only this part; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<Part>,
    /// How often each learner is run, from 2 to 1000: each time on another split or other records
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(2..=1000), allow_hyphen_values = true, default_value_t = 40)]
    repetitions: usize,
    /// Fewer dimensions, and fewer ratios
    #[arg(long)]
    quick: bool,
    /// A program to compare with, such as scripts/diffprivlib; what it is asked, and what it answers, is explained there
    #[arg(long, value_name = "COMMAND")]
    peer: Option<String>,
    /// The seed of all draws
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `reproduce bms22`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.printed.check()?;
    let settings = Settings {
        seed: arguments.seed,
        only: arguments.only.clone(),
        repetitions: arguments.repetitions,
        quick: arguments.quick,
        data: arguments.data.clone(),
        any_data: arguments.any_data,
        peer: arguments.peer.clone(),
    };
    if settings.has(Part::Table) && settings.data.is_none() {
        return Err(Error::Usage(
            "--data DIR is missing: the table needs the files of the wines; --only dimension and --only bounds need \
             none"
                .to_owned(),
        ));
    }
    let results = super::run(&settings, |what| {
        output::progress(&format!("running {what}"));
    })?;
    arguments.printed.finish(&results)
}
