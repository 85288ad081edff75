//! `assay campaign`: many mechanisms, each against what is expected of it.

use super::progress_bar::progress_bar;
use super::{Format, Outcome, command, has};
use crate::campaign::plan::{Plan, Whose, share_level};
use crate::campaign::record::{Record, counts};
use crate::campaign::run::{Settings, run as run_all};
use crate::campaign::{junit, table};
use crate::error::Error;
use crate::options::{number, whole_in};
use crate::output::{self, printable};
use crate::report_files::ReportFiles;
use crate::screen;
use clap::Args;
use dp_assay::number::Rational;
use dp_assay::number::rational::ratio;
use dp_assay_audit::ending::before_the_end;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread::available_parallelism;

/// The form of a plan; `docs/campaign.md` has more.
const PLAN: &str = r#"A PLAN
  is a TOML file, for one library:
    library = "my-library"
    about = "version 1.2"                   optional, for the page
    prepare = ["sh", "environment.sh"]      optional: run once, before all
    uses = ["requirements.txt"]             optional: if one of these files
                                            changes, all run again
    target = ["python3", "adapter.py"]      how its mechanisms are started
    options = { calls = 20000 }             for all whose command has them
    [[mechanism]]
    name = "count"
    command = "audit"                       optional; or conform, stable, replay
    arguments = ["count"]                   added to the target
    pair = ['[0, 1]', '[0, 0]']             two datasets; or domain, or data
    options = { epsilon = 1, delta = "1e-6" }
    expected = { verdict = "not-refuted", why = "discrete Laplace noise" }
  Options are those of that command by their long names: true stands for the
  option alone, a list for one that comes several times. Commands run beside
  the plan. A verdict is that of the report in JSON. expected may also have
  epsilon_lower, a bound to be reached, and report, values by JSON pointer.
  Instead of target, check names a program that prints a report of its own:
  a JSON object with a verdict.
"#;

/// Audit many mechanisms, and hold each verdict against what a plan expects.
///
/// What cannot be read, started or finished is recorded, and the rest goes on. Exit status: 0 all as expected, 1 something
/// is not, 2 something could not run.
#[derive(Debug, Args)]
#[command(after_long_help = PLAN)]
pub struct Arguments {
    /// Plans, one for a library
    #[arg(value_name = "PLAN.toml", required = true)]
    plans: Vec<PathBuf>,
    /// Keep one record a mechanism in this directory, and write campaign.json, campaign.md and campaign.xml (JUnit) there. A
    /// mechanism whose entry and scripts are unchanged since its record was finished does not run again
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many mechanisms run at once; the processors of this machine, if it is not given
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(1..=1024), allow_hyphen_values = true)]
    jobs: Option<usize>,
    /// Share this level over all audits, instead of the level that some have in their plans. Without it, 1/1000 is shared over
    /// those that have none
    #[arg(long, value_name = "ALPHA", value_parser = number, allow_hyphen_values = true)]
    level: Option<Rational>,
    /// How to print the table
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// The level that is shared if none is given.
const LEVEL: (i64, i64) = (1, 1000);

/// Runs `assay campaign`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    // First: also what is refused leaves no table of another run.
    let inputs: Vec<&Path> = arguments.plans.iter().map(PathBuf::as_path).collect();
    let files = ReportFiles::asked(arguments.out.as_deref(), &FILES, &inputs)?;
    let mut plans = Vec::new();
    let mut unread = Vec::new();
    let command = command();
    let has = |name: &str, option: &str| has(&command, name, option);
    for path in &arguments.plans {
        match Plan::read(path, &has) {
            Ok(plan)
                if plans
                    .iter()
                    .any(|other: &Plan| other.library == plan.library) =>
            {
                let reason = format!(
                    "{}: another plan has the library '{}' already",
                    path.display(),
                    plan.library
                );
                unread.push(refused(path, reason));
            }
            Ok(plan) => plans.push(plan),
            Err(reason) => unread.push(refused(path, reason)),
        }
    }
    let level = arguments
        .level
        .clone()
        .unwrap_or_else(|| ratio(LEVEL.0, LEVEL.1));
    let whose = match &arguments.level {
        Some(_) => Whose::All,
        None => Whose::WithoutOne,
    };
    share_level(&mut plans, &level, whose).map_err(Error::Usage)?;
    let temporary;
    let directory: &Path = match &arguments.out {
        Some(directory) => directory,
        None => {
            temporary = tempfile::tempdir()
                .map_err(|source| Error::write(&std::env::temp_dir(), source))?;
            remove_at_the_end(temporary.path())?;
            temporary.path()
        }
    };
    let settings = Settings {
        program: std::env::current_exe().map_err(|error| {
            Error::Usage(format!("cannot find the command assay itself: {error}"))
        })?,
        directory,
        jobs: arguments
            .jobs
            .unwrap_or_else(|| available_parallelism().map_or(1, usize::from)),
    };
    let mechanisms = plans.iter().map(|plan| plan.entries.len()).sum();
    let bar = progress_bar(mechanisms, "mechanisms");
    let ran = run_all(&plans, &settings, |record, is_old| {
        let again = if is_old { ", from its record" } else { "" };
        bar.set_message(format!(
            "{}/{}: {}{again}",
            record.library,
            record.name,
            record.judgement.says()
        ));
        bar.inc(1);
    });
    bar.finish_and_clear();
    let mut records = [ran?, unread].concat();
    if arguments.out.is_none() {
        // The datasets that they name are gone.
        records.iter_mut().for_each(|record| record.replay.clear());
    }
    if let Some(files) = files {
        files.write(&texts(&plans, &records)?)?;
    }
    match arguments.format {
        Format::Json => output::print_json(&table::as_json(&records))?,
        Format::Table => screen::print(&table::text(&records))?,
    }
    Ok(outcome(&records))
}

/// The command as it was typed.
fn command_line() -> String {
    let words = std::env::args_os().skip(1);
    words.fold("assay".to_owned(), |line, word| {
        format!("{line} {}", word.to_string_lossy())
    })
}

/// The record of a plan that cannot be read.
fn refused(path: &Path, reason: String) -> Record {
    let name = path.to_string_lossy();
    Record::could_not_run(&printable(&name), "plan", reason)
}

/// Removes this directory if a signal ends the process.
fn remove_at_the_end(directory: &Path) -> Result<(), Error> {
    static TEMPORARY: OnceLock<PathBuf> = OnceLock::new();
    let _ = TEMPORARY.set(directory.to_owned());
    before_the_end(|| {
        if let Some(directory) = TEMPORARY.get() {
            let _ = fs::remove_dir_all(directory);
        }
    })
    .map_err(Error::signals)
}

/// A campaign that is not complete says so first: what it would have found is not known.
fn outcome(records: &[Record]) -> Outcome {
    match counts(records) {
        (_, 1..) => Outcome::CouldNotRun,
        (1.., 0) => Outcome::NotAsExpected,
        (0, 0) => Outcome::AsExpected,
    }
}

/// The files of all mechanisms.
const FILES: [&str; 3] = ["campaign.json", "campaign.md", "campaign.xml"];

/// What they say, in their order.
fn texts(plans: &[Plan], records: &[Record]) -> Result<[String; FILES.len()], Error> {
    Ok([
        output::json(&table::as_json(records))?,
        table::markdown(&command_line(), plans, records),
        junit::render(records)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::plan::{LEVEL as ALONE, named_options};
    use crate::campaign::record::Judgement;

    #[test]
    fn the_exit_status_tells_the_three_outcomes_apart() {
        let with = |judgement: Judgement| Record {
            judgement,
            ..Record::could_not_run("a", "m", String::new())
        };
        let outcome_of = |judgements: &[Judgement]| {
            outcome(&judgements.iter().map(|one| with(*one)).collect::<Vec<_>>())
        };
        use Judgement::{AsExpected, CouldNotRun, Differs, Missed, Unexpected, Weaker};
        assert_eq!(outcome_of(&[AsExpected]), Outcome::AsExpected);
        for wrong in [Missed, Unexpected, Weaker, Differs] {
            assert_eq!(outcome_of(&[AsExpected, wrong]), Outcome::NotAsExpected);
            assert_eq!(outcome_of(&[wrong, CouldNotRun]), Outcome::CouldNotRun);
        }
    }

    #[test]
    fn the_level_of_an_audit_without_one_is_that_of_the_command() {
        let command = super::super::command();
        let audit = command.find_subcommand("audit").unwrap();
        let alpha = audit
            .get_arguments()
            .find(|option| option.get_long() == Some("alpha"));
        assert_eq!(alpha.unwrap().get_default_values(), [ALONE]);
    }

    #[test]
    fn the_options_that_the_campaign_knows_are_options_of_the_auditor() {
        let command = super::super::command();
        let commands = ["audit", "stable"];
        // Of every command, or of none any more.
        let others = ["help", "version", "plan", "map", "replay"];
        for name in named_options() {
            let is_one = commands.iter().any(|of| has(&command, of, name));
            assert!(is_one || others.contains(&name), "{name}");
        }
    }
}
