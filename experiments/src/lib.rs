//! Measurements: the papers' experiments run again, beside their printed figures and beside the repaired learners.
//!
//! A paper is a folder here, and an entry in [`EXPERIMENTS`]. Much of this runs in floats: nobody's privacy rests on it.
//! Shared by papers:
//!
//! - [`experiment`]: the experiments of a paper, their results, and how these are printed;
//! - [`assay`]: the command, which this program is too;
//! - [`data`]: the files with real records; [`draws`]: reproducible draws;
//! - [`lent`]: learners that papers lend to each other's experiments; [`lenders`]: all of them;
//! - [`table`]: tables of results; [`plot`]: line charts.

mod assay;
mod data;
mod draws;
mod experiment;
mod kernels;
mod lenders;
mod lent;
mod margin;
mod plot;
mod random_features;
mod table;

use clap::{ArgMatches, Command};
use dp_assay_cli::error::Error;
use dp_assay_cli::{Outcome, ended, main_of};
use experiment::Experiments;
use std::process::ExitCode;

/// All of them.
const EXPERIMENTS: &[Experiments] = &[
    kernels::EXPERIMENTS,
    margin::EXPERIMENTS,
    random_features::EXPERIMENTS,
];

fn command() -> Command {
    let papers = EXPERIMENTS.iter();
    let papers = papers.map(|paper| (paper.options)(Command::new(paper.name)));
    Command::new("reproduce")
        .about("Run a paper's experiments again, beside its printed figures and beside the repaired learners")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(papers)
}

/// Reads the command line, runs the experiments, and says what went wrong.
#[must_use]
pub fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1).peekable();
    if words.peek().is_some_and(|word| word == assay::WORD) {
        return main_of(words);
    }
    ended(match command().try_get_matches() {
        Ok(matches) => run(&matches).map(|()| Outcome::AsExpected),
        Err(error) => Err(Error::CommandLine(error)),
    })
}

fn run(matches: &ArgMatches) -> Result<(), Error> {
    let chosen = matches.subcommand().and_then(|(name, matches)| {
        let paper = EXPERIMENTS.iter().find(|paper| paper.name == name)?;
        Some((paper, matches))
    });
    match chosen {
        Some((paper, matches)) => (paper.run)(matches),
        None => Err(Error::Usage("reproduce needs a paper".to_owned())),
    }
}
