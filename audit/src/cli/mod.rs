//! The subcommands, one file each, and what they share: the exit status and exact options.

mod audit;
mod bound;
mod claims;
mod generate;
mod learn;
mod manual;
mod predict;
mod reproduce;
mod sample;
mod truth;
mod verify;

use crate::error::Error;
use crate::output;
use clap::{Parser, Subcommand, ValueEnum};
use dp_assay::number::{NumberError, Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::io::{self, Write};
use std::process::ExitCode;

/// Exact reference implementations of differentially private learning, and a ledger of re-checked
/// claims.
///
/// Numbers are exact: 3/2, 0.1 (one tenth), 1e-6.
///
/// Exit status: 0 done, and every claim as expected; 1 a claim is not as expected, or an audit proved a
/// violation; 2 could not run; 3 an audit is inconclusive.
#[derive(Debug, Parser)]
#[command(name = "assay", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What `assay` alone says.
const FIRST: &str = "\
assay: proof that you can run, for differentially private learning

  assay verify 'nuz20.*'      re-check the claims of a paper (all papers: assay verify)
  assay audit --help          hold your own program against its claim, in any language
  assay sample 'discrete-laplace scale=2' -n 5
  assay truth 'discrete-gaussian variance=4' --quantity pmf --at 0 --digits 30
  assay generate --help       make a small data set; then: assay learn --help

'assay help' lists all commands, 'assay help COMMAND' explains one.
";

#[derive(Debug, Subcommand)]
enum Command {
    Verify(verify::Arguments),
    Claims(claims::Arguments),
    Learn(Box<learn::Arguments>),
    Predict(predict::Arguments),
    Bound(Box<bound::Arguments>),
    Reproduce(reproduce::Arguments),
    Generate(generate::Arguments),
    Truth(truth::Arguments),
    Sample(sample::Arguments),
    Audit(Box<audit::Arguments>),
    Completions(manual::Completions),
    Manual(manual::Manual),
}

/// What a command found, as an exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done, and as expected.
    AsExpected,
    /// A claim is not as expected.
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

/// Reads the command line, runs the command, and says what went wrong.
pub fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(Cli {
            command: Some(command),
        }) => command,
        Ok(Cli { command: None }) => {
            return match output::print(FIRST) {
                Ok(()) => Outcome::AsExpected.into(),
                Err(_) => Outcome::CouldNotRun.into(),
            };
        }
        Err(error) => {
            // Help and version come this way too, with status 0; a wrong usage has 2.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match command {
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Claims(arguments) => claims::run(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Predict(arguments) => predict::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Bound(arguments) => bound::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Truth(arguments) => truth::run(&arguments),
        Command::Sample(arguments) => sample::run(&arguments),
        Command::Audit(arguments) => audit::run(&arguments),
        Command::Completions(arguments) => manual::complete(&arguments),
        Command::Manual(arguments) => manual::write(&arguments),
    };
    match result {
        Ok(outcome) => outcome.into(),
        // The reader of a pipe has seen enough.
        Err(Error::Print(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Outcome::CouldNotRun.into()
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            Outcome::CouldNotRun.into()
        }
    }
}

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// An exact number on the command line.
fn number(text: &str) -> Result<Rational, NumberError> {
    rational::parse(text)
}

/// An integer of any size on the command line.
fn integer(text: &str) -> Result<BigInt, String> {
    text.parse()
        .map_err(|_| format!("'{text}' is not an integer: write -12 or 40"))
}

/// Refuses an option that is not above zero.
fn above_zero(option: &'static str, value: &Rational) -> Result<(), Error> {
    if value.is_positive() {
        Ok(())
    } else {
        Err(Error::option(option, "above 0", value))
    }
}

/// Refuses an option that is not strictly between zero and one.
fn between_zero_and_one(option: &'static str, value: &Rational) -> Result<(), Error> {
    if value.is_positive() && *value < Rational::one() {
        Ok(())
    } else {
        Err(Error::option(option, "above 0 and below 1", value))
    }
}

/// Refuses an option that is not above zero and at most one.
fn in_unit_interval(option: &'static str, value: &Rational) -> Result<(), Error> {
    if value.is_positive() && *value <= Rational::one() {
        Ok(())
    } else {
        Err(Error::option(option, "above 0 and at most 1", value))
    }
}
