//! `assay count`: one shard of a plan.

use super::auditor::Limits;
use super::{Format, Outcome};
use crate::error::Error;
use crate::output;
use crate::screen;
use crate::shards::count::{Run, run as count};
use crate::shards::plan::{Named, Shard};
use crate::shards::program::Program;
use crate::shards::report::many;
use clap::Args;
use dp_assay_audit::report::aligned;
use dp_assay_audit::report::short;
use dp_assay_audit::targets::Reply;
use serde_json::json;
use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Count the event of a plan in one shard of its units, on this machine.
///
/// The record is written as a whole after each unit. The same command goes on where it was interrupted, however that was, and what is
/// complete is not counted again. Start it beside the files that the plan's program names. Exit status: 0 all units of the
/// shard are counted, 2 could not run, 3 units failed: the record says why, and the same command tries them again.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The plan, as assay plan wrote it
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Which shard, from 1, of how many
    #[arg(long, value_name = "i/N", allow_hyphen_values = true)]
    shard: Shard,
    /// The record of this shard, which assay merge reads
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// How to print what was done
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// How long between two words on a terminal, at least.
const NEXT: Duration = Duration::from_secs(5);

/// Runs `assay count`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let plan = Named::read(&arguments.plan)?;
    let settings = arguments.limits.settings(match &plan.plan.program {
        Program::Command { reply, .. } | Program::Seeded { reply, .. } => *reply,
        Program::Specimen { .. } => Reply::Lines,
    });
    let told = Cell::new(Instant::now());
    let run = count(&plan, arguments.shard, &arguments.out, settings, |units| {
        if told.get().elapsed() >= NEXT {
            told.set(Instant::now());
            output::progress(&format!(
                "shard {}: {units} units are counted",
                arguments.shard
            ));
        }
    })?;
    print(arguments, &plan, &run)?;
    Ok(match run.is_complete() {
        true => Outcome::AsExpected,
        false => Outcome::Inconclusive,
    })
}

fn print(arguments: &Arguments, plan: &Named, run: &Run) -> Result<(), Error> {
    let seconds = run.seconds.as_secs_f64();
    let draws = 2 * plan.plan.draws * run.counted;
    let rate = draws as f64 / seconds.max(1e-9);
    let left: Vec<_> = run
        .record
        .failed
        .values()
        .filter(|failed| !run.record.counted.contains_key(&failed.unit))
        .collect();
    if arguments.format == Format::Json {
        return output::print_json(&json!({
            "plan": plan.name(),
            "shard": arguments.shard.to_string(),
            "record": arguments.out.display().to_string(),
            "units": run.units,
            "counted": run.record.counted.len(),
            "counted_now": run.counted,
            "failed": left,
            "draws_now": draws,
            "seconds": seconds,
            "draws_per_second": rate,
            "version": env!("CARGO_PKG_VERSION"),
        }));
    }
    let mut rows = vec![(
        "units".to_owned(),
        format!(
            "{} of {}, {} of them now",
            run.record.counted.len(),
            run.units,
            run.counted
        ),
    )];
    if run.counted > 0 {
        rows.push((
            "draws".to_owned(),
            format!(
                "{} in {} s, {} a second",
                many(draws),
                short(seconds),
                many(rate as u64)
            ),
        ));
    }
    for failed in left.iter().take(3) {
        rows.push((
            "failed".to_owned(),
            format!("unit {}: {}", failed.unit, failed.reason),
        ));
    }
    let says = match run.is_complete() {
        true => "complete",
        false => "not complete: the same command tries the rest again",
    };
    screen::print(&format!(
        "shard {}: {says}\n{}",
        arguments.shard,
        aligned(&rows, "  ")
    ))
}
