//! `assay meter`: what a learner costs between a table and its neighbour.

use super::Outcome;
use crate::error::Error;
use crate::options::Format;
use crate::output;
use crate::papers::meter::Options;
use crate::papers::{PAPERS, classifier};
use crate::screen;
use clap::{ArgMatches, Args, Command, FromArgMatches};

/// Its name.
pub const NAME: &str = "meter";

/// The command: a subcommand for each learner, with the options of `assay learn`.
pub fn command() -> Command {
    let learners = PAPERS.iter().flat_map(|paper| paper.learners);
    let learners = learners.map(|learner| {
        let options = (learner.options)(Options::augment_args(Command::new(learner.name)));
        of_one_file(options)
    });
    Command::new(NAME)
        // Before the subcommand of the command's own list that has this number.
        .display_order(3)
        .about("Run a learner on a CSV file and on its neighbour with the same outcomes, and print what each draw costs. NOT PRIVATE")
        .after_help(
            "Exit status: 0 no fault; 1 a fault: unequal results, a draw beyond its promise, or more than the claim; 2 \
             could not run.",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("ALGORITHM")
        .subcommand_help_heading("Algorithms")
        .subcommands(learners)
}

/// The help without a second file, which the meter always refuses: it edits one.
fn of_one_file(command: Command) -> Command {
    if !command
        .get_arguments()
        .any(|argument| argument.get_id() == "second")
    {
        return command;
    }
    classifier::of_one_file(command)
}

/// Runs `assay meter`.
pub fn run(matches: &ArgMatches) -> Result<Outcome, Error> {
    let chosen = matches.subcommand().and_then(|(name, matches)| {
        let mut learners = PAPERS.iter().flat_map(|paper| paper.learners);
        let learner = learners.find(|learner| learner.name == name)?;
        Some((learner, matches))
    });
    let Some((learner, matches)) = chosen else {
        return Err(Error::Usage("meter needs an algorithm".to_owned()));
    };
    let metered = (learner.meter)(matches)?;
    match Options::from_arg_matches(matches)?.format {
        Format::Json => output::print_json(&metered.json())?,
        Format::Table => screen::print(&metered.render())?,
    }
    Ok(if metered.is_sound() {
        Outcome::AsExpected
    } else {
        Outcome::NotAsExpected
    })
}
