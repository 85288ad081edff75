//! The options of `reproduce jt13`.

use super::Settings;
use crate::experiment::Printed;
use clap::Args;
use dp_assay_cli::error::Error;
use dp_assay_cli::output;

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
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    printed: Printed,
}

/// Runs `reproduce jt13`.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    arguments.printed.check()?;
    let settings = &arguments.settings;
    let results = super::run(settings, &arguments.printed, |what| {
        output::progress(&format!("running {what}"));
    })?;
    arguments.printed.finish(&results)
}
