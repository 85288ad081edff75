//! `assay merge`: the records of a plan's shards, added up and judged.

use super::audit::ended_with;
use super::{Format, Outcome};
use crate::audit_report;
use crate::error::Error;
use crate::shards::merge::merge;
use crate::shards::plan::Named;
use crate::shards::report::report;
use clap::Args;
use std::path::{Path, PathBuf};

/// Add up the records of the shards of a plan, and judge its claim once.
///
/// The result depends on what was counted, not on how it was cut into shards. Missing units are named, and counted as the worst that they
/// can be. A record of another plan, one that is damaged or has impossible counts, a unit that two records count differently, and two
/// units with one stream of coins are refused. Against counts that somebody made up and that are possible there is no protection: of a
/// seeded program anybody can count a unit again. Exit status: 0 not refuted, 1 violation proved, 2 could not run, 3
/// inconclusive: units are missing, and without them nothing is proved.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The plan, as assay audit --plan wrote it
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// The records that assay count wrote
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
    /// Also write report.json, report.html, report.xml (JUnit) and report.sarif (SARIF 2.1.0) into this directory. Files of an
    /// earlier run are removed at the start
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Print all rows of the report
    #[arg(long)]
    verbose: bool,
    /// How to print the report
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Runs `assay merge`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    // First: also what is refused leaves no report of another run.
    let read = arguments.shards.iter().chain([&arguments.plan]);
    let inputs: Vec<&Path> = read.map(PathBuf::as_path).collect();
    let files = audit_report::files(arguments.report.as_deref(), &inputs)?;
    let plan = Named::read(&arguments.plan)?;
    let merged = merge(&plan, &arguments.shards)?;
    let report = report(&plan, &merged);
    ended_with(&report, files, arguments.format, arguments.verbose)
}
