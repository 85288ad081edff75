//! The options of `reproduce jt13`.

use super::{Part, Settings};
use crate::experiment::Printed;
use clap::Args;
use dp_assay_cli::error::Error;
use dp_assay_cli::options::{whole, whole_in};
use dp_assay_cli::output;
use std::path::PathBuf;

/// The learners of Jain, Thakurta 2013 on real records, all private under the same relation, beside what they are compared
/// with; and accuracy against epsilon for Algorithm 2 with four noises. One of them is not private.
///
/// The paper's own experiments cannot be run again: the split of the data, the number of public points and delta are not
/// reported, and CoverType's licence is not settled. In its place is a made-up stand-in of its shape (assay generate
/// covertype-shaped).
///
/// Both parts need winequality-red.csv and winequality-white.csv in the directory of --data, as UCI has them: their SHA-256
/// sums are compared. Everything is drawn from the seed, and the data are taken to be public: the tables are measurements, not
/// private releases. With --out each table is written as soon as it is made.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the data files are
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Take files with other SHA-256 sums than the published ones; the table says so
    #[arg(long)]
    any_data: bool,
    /// Run only this part; may be repeated
    #[arg(long, value_enum, value_name = "PART")]
    only: Vec<Part>,
    /// How often each learner is run, from 2 to 1000: in the tables each time on another split, in the figure with other noise
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(2..=1000), allow_hyphen_values = true, default_value_t = 40)]
    repetitions: usize,
    /// Fewer records, and fewer values of epsilon
    #[arg(long)]
    quick: bool,
    /// The seed of all draws
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `reproduce jt13`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.printed.check()?;
    let settings = Settings {
        seed: arguments.seed,
        only: arguments.only.clone(),
        repetitions: arguments.repetitions,
        quick: arguments.quick,
        data: arguments.data.clone(),
        any_data: arguments.any_data,
    };
    let results = super::run(&settings, &arguments.printed, |what| {
        output::progress(&format!("running {what}"));
    })?;
    arguments.printed.finish(&results)
}
