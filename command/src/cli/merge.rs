//! `assay merge`: the records of a plan's shards, added up and judged.

use super::Outcome;
use super::auditor::Shown;
use crate::error::Error;
use crate::shards::merge::merge;
use crate::shards::plan::Named;
use crate::shards::report::report;
use clap::Args;
use std::path::PathBuf;

/// Add up the records of the shards of a plan, and judge its claim once.
///
/// The result depends on what was counted, not on how it was cut into shards. Missing units are named, and counted as the worst that they
/// can be. A record of another plan, one that is damaged or has impossible counts, a unit that two records count differently, and two
/// units with one stream of coins are refused. Against counts that somebody made up and that are possible there is no protection: of a
/// seeded program anybody can count a unit again. Exit status: 0 not refuted, 1 violation proved, 2 could not run, 3
/// inconclusive: units are missing, and without them nothing is proved.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The plan, as assay plan wrote it
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// The records that assay count wrote
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

/// Runs `assay merge`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let inputs = arguments.shards.iter().chain([&arguments.plan]);
    let files = arguments.shown.files(inputs.map(PathBuf::as_path))?;
    let plan = Named::read(&arguments.plan)?;
    let merged = merge(&plan, &arguments.shards)?;
    let report = report(&plan, &merged);
    arguments.shown.end(&report, files)
}
