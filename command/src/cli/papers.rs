//! `assay learn`, `assay answer` and `assay generate`: their subcommands are the papers'.

use super::advise;
use crate::error::Error;
use crate::papers::{LearnerEntry, PAPERS, Paper, Subcommand, learn};
use clap::{ArgMatches, Args, Command};

/// A command whose subcommands the papers give.
pub struct Group {
    /// Its name.
    pub name: &'static str,
    about: &'static str,
    /// Its place in the help: before the subcommand of the command's own list that has this number.
    place: usize,
    /// Adds the options that all of its subcommands take.
    shared: fn(Command) -> Command,
    /// What it takes and does without a subcommand.
    alone: Option<Alone>,
    of: fn(&'static Paper) -> Vec<Subcommand>,
}

/// A command without a subcommand: its options, and what it does.
type Alone = (fn(Command) -> Command, fn(&ArgMatches) -> Result<(), Error>);

/// All of them.
pub const GROUPS: &[Group] = &[
    Group {
        name: "learn",
        about: "Run a reference learner on a CSV file, and write a model with its privacy statement",
        place: 2,
        shared: learn::Options::augment_args,
        alone: Some((advise::adapted, advise::run)),
        of: |paper| {
            let subcommand = |learner: &LearnerEntry| Subcommand {
                name: learner.name,
                options: learner.options,
                run: learner.learn,
            };
            paper.learners.iter().map(subcommand).collect()
        },
    },
    Group {
        name: "answer",
        about: "Answer queries from standard input one by one, with privacy for all answers together",
        place: 3,
        shared: |command| command,
        alone: None,
        of: |paper| paper.sessions.to_vec(),
    },
    Group {
        name: "generate",
        about: "Write a synthetic dataset: public, and the same for the same seed",
        place: 3,
        shared: |command| command,
        alone: None,
        of: |paper| paper.datasets.to_vec(),
    },
];

impl Group {
    fn subcommands(&self) -> impl Iterator<Item = Subcommand> {
        PAPERS.iter().flat_map(self.of)
    }

    /// The command with its subcommands.
    pub fn command(&self) -> Command {
        let subcommands = self
            .subcommands()
            .map(|subcommand| (subcommand.options)((self.shared)(Command::new(subcommand.name))));
        let command = Command::new(self.name)
            .about(self.about)
            .display_order(self.place)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommands(subcommands);
        match self.alone {
            Some((options, _)) => options(command),
            None => command,
        }
    }

    /// Runs the subcommand that was chosen.
    pub fn run(&self, matches: &ArgMatches) -> Result<(), Error> {
        let chosen = matches.subcommand().and_then(|(name, matches)| {
            let subcommand = self
                .subcommands()
                .find(|subcommand| subcommand.name == name)?;
            Some((subcommand, matches))
        });
        match (chosen, self.alone) {
            (Some((subcommand, matches)), _) => (subcommand.run)(matches),
            (None, Some((_, run))) => run(matches),
            (None, None) => Err(Error::Usage(format!("{} needs a subcommand", self.name))),
        }
    }
}
