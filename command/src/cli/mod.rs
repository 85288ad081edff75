//! The subcommands, one file each, and their exit status.

mod account;
#[cfg(feature = "papers")]
mod advise;
mod audit;
mod auditor;
#[cfg(feature = "papers")]
mod book;
#[cfg(feature = "papers")]
mod bound;
mod campaign;
#[cfg(feature = "papers")]
mod claims;
#[cfg(feature = "papers")]
mod columns;
mod conform;
mod count;
#[cfg(feature = "papers")]
mod explain;
mod manual;
mod merge;
#[cfg(feature = "papers")]
mod meter;
mod moved;
#[cfg(feature = "papers")]
mod papers;
mod plan;
#[cfg(feature = "papers")]
mod predict;
mod progress_bar;
mod replay;
mod sample;
mod scores;
mod self_test;
mod stable;
mod truth;
mod vectors;
#[cfg(feature = "papers")]
mod verify;

use crate::error::Error;
use crate::options::Format;
use crate::output::{self, printable};
use crate::{audit_report, report_files};
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use dp_assay::number::shortened;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// Audits of differential privacy, certified values and exact noise; learners and re-checked claims of four papers.
///
/// Numbers are exact: 3/2, 0.1 (one tenth), 1e-6.
///
/// Exit status: 0 done, and every claim as expected; 1 a claim is not as expected, an audit proved a
/// violation, or the meter found a fault; 2 could not run; 3 an audit is inconclusive.
#[derive(Debug, Parser)]
#[command(name = "assay", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What `assay` alone says.
#[cfg(feature = "papers")]
const FIRST: &str = "\
assay: proof that you can run, for differentially private learning

  assay verify '*.thm*'       re-check the theorems of the papers (all claims: assay verify)
  assay explain ID            one claim: its verdict, the paper's words, counterexample or proof (ids: assay claims)
  assay audit --help          hold your own program against its claim, in any language
  assay sample 'discrete-laplace scale=2' -n 5
  assay truth 'discrete-gaussian variance=4' --quantity pmf --at 0 --digits 30
  assay generate --help       make a small data set; then: assay learn --help

'assay help' lists all commands, 'assay help COMMAND' explains one.
";

/// The same without the papers.
#[cfg(not(feature = "papers"))]
const FIRST: &str = "\
assay: hold a program against its claim of differential privacy

  assay audit --help          in any language
  assay sample 'discrete-laplace scale=2' -n 5
  assay truth 'discrete-gaussian variance=4' --quantity pmf --at 0 --digits 30

'assay help' lists all commands, 'assay help COMMAND' explains one. The claims and learners of the papers are not in this
build (feature papers of dp-assay-cli).
";

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "papers")]
    Verify(verify::Arguments),
    #[cfg(feature = "papers")]
    Claims(claims::Arguments),
    #[cfg(feature = "papers")]
    Explain(explain::Arguments),
    #[cfg(feature = "papers")]
    Book(book::Arguments),
    #[cfg(feature = "papers")]
    Predict(predict::Arguments),
    #[cfg(feature = "papers")]
    Columns(columns::Arguments),
    Truth(Box<truth::Arguments>),
    Account(account::Arguments),
    Sample(sample::Arguments),
    Audit(Box<audit::Arguments>),
    Conform(Box<conform::Arguments>),
    Stable(Box<stable::Arguments>),
    Replay(Box<replay::Arguments>),
    Scores(Box<scores::Arguments>),
    SelfTest(self_test::Arguments),
    Campaign(campaign::Arguments),
    Plan(Box<plan::Arguments>),
    Count(count::Arguments),
    Merge(merge::Arguments),
    Vectors(vectors::Arguments),
    Completions(manual::Completions),
    Manual(manual::Manual),
}

/// What a command found, as an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done, and as expected.
    AsExpected,
    /// A claim is not as expected, or the meter found a fault.
    NotAsExpected,
    /// A part could not be run; said on standard error already.
    CouldNotRun,
    /// An audit that says nothing, because the target failed.
    Inconclusive,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::AsExpected => 0,
            Outcome::NotAsExpected => 1,
            Outcome::CouldNotRun => 2,
            Outcome::Inconclusive => 3,
        })
    }
}

/// The command with all of its subcommands: those of this list, and those that the papers give.
fn command() -> clap::Command {
    let command = Cli::command();
    #[cfg(feature = "papers")]
    let command = command
        .subcommand(bound::command())
        .subcommand(meter::command())
        .subcommands(papers::GROUPS.iter().map(papers::Group::command));
    command
}

/// Whether this command of `assay` has this option.
fn has(command: &clap::Command, name: &str, option: &str) -> bool {
    let found = command.find_subcommand(name);
    found.is_some_and(|found| {
        found
            .get_arguments()
            .any(|one| one.get_long() == Some(option))
    })
}

/// Reads the command line, runs the command, and says what went wrong.
#[must_use]
pub fn main() -> ExitCode {
    main_of(std::env::args_os())
}

/// The same of these words, the first of which names the command.
#[doc(hidden)]
#[must_use]
pub fn main_of(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let (words, note) = moved::forwarded(words.into_iter().collect());
    if let Some(note) = note {
        let _ = writeln!(io::stderr(), "{note}");
    }
    ended(match command().try_get_matches_from(&words) {
        Ok(matches) => run(&matches),
        Err(error) => {
            if error.use_stderr() {
                report_files::forget(&words, report_of(&words));
            }
            Err(moved::said(&words, &error).unwrap_or(Error::CommandLine(error)))
        }
    })
}

/// The names of the files of a report of this command.
fn report_of(words: &[OsString]) -> &'static [&'static str] {
    match words.get(1).and_then(|word| word.to_str()) {
        #[cfg(feature = "papers")]
        Some("verify") => &verify::FILES,
        _ => &audit_report::FILES,
    }
}

/// The exit status of what was run; what went wrong is said on standard error.
#[doc(hidden)]
#[must_use]
pub fn ended(result: Result<Outcome, Error>) -> ExitCode {
    match result {
        Ok(outcome) => outcome.into(),
        Err(Error::CommandLine(error)) => {
            // Help and version come this way too, with status 0; a wrong usage has 2.
            let error = with_short_values(error);
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
        // The reader of a pipe has seen enough.
        Err(Error::Print(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Outcome::CouldNotRun.into()
        }
        Err(Error::Inconclusive(reason)) => {
            let _ = writeln!(io::stderr(), "inconclusive: {}", printable(&reason));
            Outcome::Inconclusive.into()
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {}", printable(&error.to_string()));
            Outcome::CouldNotRun.into()
        }
    }
}

/// The error with what was given shortened where it is long, and without what a terminal obeys.
fn with_short_values(mut error: clap::Error) -> clap::Error {
    for kind in [
        ContextKind::InvalidValue,
        ContextKind::InvalidArg,
        ContextKind::InvalidSubcommand,
    ] {
        if let Some(ContextValue::String(given)) = error.get(kind) {
            let given = printable(&shortened(given)).into_owned();
            error.insert(kind, ContextValue::String(given));
        }
    }
    error
}

/// Runs the subcommand that was chosen.
fn run(matches: &clap::ArgMatches) -> Result<Outcome, Error> {
    let done = |()| Outcome::AsExpected;
    #[cfg(feature = "papers")]
    if let Some((name, chosen)) = matches.subcommand() {
        if let Some(group) = papers::GROUPS.iter().find(|group| group.name == name) {
            return group.run(chosen).map(done);
        }
        if name == bound::NAME {
            return bound::run(chosen).map(done);
        }
        if name == meter::NAME {
            return meter::run(chosen);
        }
    }
    let Some(command) = Cli::from_arg_matches(matches)?.command else {
        return output::print(FIRST).map(done);
    };
    match command {
        #[cfg(feature = "papers")]
        Command::Verify(arguments) => verify::run(&arguments),
        #[cfg(feature = "papers")]
        Command::Claims(arguments) => claims::run(&arguments),
        #[cfg(feature = "papers")]
        Command::Explain(arguments) => explain::run(&arguments),
        #[cfg(feature = "papers")]
        Command::Book(arguments) => book::run(&arguments),
        #[cfg(feature = "papers")]
        Command::Predict(arguments) => predict::run(&arguments).map(done),
        #[cfg(feature = "papers")]
        Command::Columns(arguments) => columns::run(&arguments).map(done),
        Command::Truth(arguments) => truth::run(&arguments),
        Command::Account(arguments) => account::run(&arguments).map(done),
        Command::Sample(arguments) => sample::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Conform(arguments) => conform::run(&arguments),
        Command::Stable(arguments) => stable::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Scores(arguments) => scores::run(&arguments),
        Command::SelfTest(arguments) => self_test::run(&arguments),
        Command::Campaign(arguments) => campaign::run(&arguments),
        Command::Plan(arguments) => plan::run(&arguments),
        Command::Count(arguments) => count::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Vectors(arguments) => vectors::run(&arguments).map(done),
        Command::Completions(arguments) => manual::complete(&arguments),
        Command::Manual(arguments) => manual::write(&arguments),
    }
}
