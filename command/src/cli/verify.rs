//! `assay verify`: re-checks the claims and prints the ledger.

use super::Outcome;
use super::progress_bar::progress_bar;
use crate::error::Error;
use crate::options::whole;
use crate::output;
use crate::report::times::{Times, timed};
use crate::report::{json::LedgerReport, junit, table};
use crate::report_files::ReportFiles;
use crate::screen::Screen;
use clap::{Args, ValueEnum};
use dp_assay_ledger::claim::Effort;
use dp_assay_ledger::{Entry, Ledger};
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::PathBuf;

/// Re-check the claims and print the ledger.
///
/// Exit status: 0 every claim is as expected, 1 a claim is not, 2 a check could not be run.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Ids of claims, in which * stands for any text; all claims if none is given
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// Check smaller instances
    #[arg(long)]
    quick: bool,
    /// Check larger instances too, which takes many minutes
    #[arg(long, conflicts_with = "quick")]
    thorough: bool,
    /// The seed of the statistical tests
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = Effort::default().seed)]
    seed: u64,
    /// How to print the ledger
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Also write ledger.json, ledger.xml, ledger.txt and times.json into this directory: files of these names are removed
    /// first. Of two runs ledger.json and ledger.txt are the same bytes; times are in ledger.xml and times.json
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// In the table, also print statement, method, figures and time
    #[arg(long)]
    figures: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For programs
    Json,
    /// For continuous integration
    Junit,
}

/// Runs `assay verify`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    // First: also what is refused leaves no report of another run.
    let report = ReportFiles::asked(arguments.report.as_deref(), &FILES, &[])?;
    let entries = super::claims::select(&arguments.patterns)?;
    let effort = Effort {
        quick: arguments.quick,
        thorough: arguments.thorough,
        seed: arguments.seed,
    };
    let (ledger, times) = check(&entries, effort);
    if let Some(report) = report {
        report.write(&texts(&ledger, &times)?)?;
    }
    output::print(&match arguments.format {
        Format::Table => table::render(
            &ledger,
            arguments.figures,
            Some(&times),
            Screen::of_output(),
        ),
        Format::Json => output::json(&LedgerReport::from(&ledger))?,
        Format::Junit => junit::render(&ledger, &times)?,
    })?;
    for recheck in &ledger.rechecks {
        if let Err(reason) = &recheck.result {
            let _ = writeln!(
                io::stderr(),
                "error: {} could not run: {reason}",
                recheck.claim.id
            );
        }
    }
    Ok(outcome(&ledger))
}

/// The report of a run of all claims, as JSON.
pub fn whole_report(effort: Effort) -> Result<String, Error> {
    let (ledger, _) = check(&super::claims::select(&[])?, effort);
    output::json(&LedgerReport::from(&ledger))
}

/// A run that is not complete says so first: what it would have found is not known.
pub(super) fn outcome(ledger: &Ledger) -> Outcome {
    if ledger.could_not_run() > 0 {
        Outcome::CouldNotRun
    } else if ledger.not_as_expected() > 0 {
        Outcome::NotAsExpected
    } else {
        Outcome::AsExpected
    }
}

/// Runs all checks, in parallel, each on one thread.
fn check(entries: &[&Entry], effort: Effort) -> (Ledger, Times) {
    let bar = progress_bar(entries.len(), "claims");
    // One at a time to whoever is free: a claim may take a hundred times as long as the next.
    let (rechecks, times) = entries
        .par_iter()
        .with_max_len(1)
        .map(|entry| {
            let (recheck, time) = timed(|| entry.run(effort));
            bar.inc(1);
            let id = recheck.claim.id.clone();
            (recheck, (id, time))
        })
        .unzip();
    bar.finish_and_clear();
    (Ledger { rechecks, effort }, Times(times))
}

/// The names of the files of `--report`.
pub const FILES: [&str; 4] = ["ledger.json", "ledger.xml", "ledger.txt", "times.json"];

/// What they say, in their order.
fn texts(ledger: &Ledger, times: &Times) -> Result<[String; FILES.len()], Error> {
    Ok([
        output::json(&LedgerReport::from(ledger))?,
        junit::render(ledger, times)?,
        table::render(ledger, true, None, Screen::FILE),
        times.json()?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_ledger as ledger;
    use dp_assay_ledger::Recheck;
    use dp_assay_ledger::claim::Status;

    fn found(id: &str) -> Recheck {
        ledger::select(&[id.to_owned()]).unwrap()[0].run(Effort {
            quick: true,
            ..Effort::default()
        })
    }

    fn outcome_of(rechecks: Vec<Recheck>) -> Outcome {
        outcome(&Ledger {
            rechecks,
            effort: Effort::default(),
        })
    }

    #[test]
    fn the_exit_status_tells_the_three_outcomes_apart() {
        let id = "sample.uniform-below";
        assert_eq!(outcome_of(vec![found(id)]), Outcome::AsExpected);
        let mut unexpected = found(id);
        unexpected.claim.expected = Status::Refuted;
        assert_eq!(
            outcome_of(vec![found(id), unexpected]),
            Outcome::NotAsExpected
        );
        let mut broken = found(id);
        broken.result = Err("no luck".to_owned());
        assert_eq!(outcome_of(vec![broken]), Outcome::CouldNotRun);
    }
}
