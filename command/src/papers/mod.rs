//! How each paper meets the command: its learners, theorems, model files, datasets, and specimens for the
//! auditor's corpus.
//!
//! A paper is a folder here, and an entry in [`PAPERS`]; the command asks that list and knows no paper. Shared by
//! papers:
//!
//! - [`learn`]: how a learner is declared, the run of all of them, the privacy statement; [`report`]: what is printed of it;
//! - [`classifier`]: learners of two classes: how their records are read, and what they are compared with;
//! - [`forecast`]: what is known of a run before a record is read; [`advice`]: which learner to take; [`work`]: how long a run
//!   takes, and how much memory;
//! - [`held_out`]: how a model errs on records that were held out;
//! - [`budget`]: what several runs on one dataset cost together;
//! - [`meter`]: a learner on a table and its neighbour, what it finds and how that is printed;
//! - [`model`]: the model file; [`halfspace_model`]: a halfspace in it;
//! - [`tiny`]: the data of specimens that learn from labelled points;
//! - [`bound`]: theorems, their parameters, and what an evaluation says.

pub mod advice;
pub mod bound;
mod budget;
pub mod classifier;
pub mod forecast;
mod halfspace_model;
mod halfspaces;
mod held_out;
pub mod kernels;
pub mod learn;
pub mod margin;
pub mod meter;
pub mod model;
pub mod random_features;
mod report;
mod tiny;
mod work;

use crate::book::figure::Figure;
use crate::error::Error;
use advice::{Advice, Question};
use bound::Theorem;
use clap::{ArgMatches, Command};
use dp_assay::geometry::{GeometryError, Point};
use dp_assay_audit::specimen::{Due, Specimen};
use dp_assay_audit::targets::TargetError;
use learn::Learner;
use meter::Metered;
use model::ModelFile;

/// All papers.
pub const PAPERS: &[Paper] = &[
    halfspaces::PAPER,
    kernels::PAPER,
    margin::PAPER,
    random_features::PAPER,
];

/// What a paper gives to the command.
pub struct Paper {
    /// Its learners, for `assay learn` and `assay predict`.
    pub learners: &'static [LearnerEntry],
    /// Its sessions, for `assay answer`.
    pub sessions: &'static [Subcommand],
    /// Its theorems, for `assay bound`.
    pub theorems: &'static [Theorem],
    /// Datasets that are made, for `assay generate`.
    pub datasets: &'static [Subcommand],
    /// Mechanisms of known privacy, sound and broken, for the corpus on which the auditor is audited.
    pub specimens: fn() -> Result<Vec<Specimen>, TargetError>,
    /// What an audit must say of each of them.
    pub due: &'static [(&'static str, Due)],
    /// Figures of its claims, for the book.
    pub figures: &'static [Figure],
}

/// The figures of all papers.
pub fn figures() -> impl Iterator<Item = &'static Figure> {
    PAPERS.iter().flat_map(|paper| paper.figures)
}

/// A subcommand whose options and work the paper knows.
#[derive(Clone, Copy)]
pub struct Subcommand {
    /// Its name.
    pub name: &'static str,
    /// Adds its help and its options.
    pub options: fn(Command) -> Command,
    /// Does the work with the options as given.
    pub run: fn(&ArgMatches) -> Result<(), Error>,
}

/// A learner in the command's list: what learns, what meters it, and what predicts by its models.
pub struct LearnerEntry {
    /// Its name, which stands in the model file.
    pub name: &'static str,
    /// Names that it had before; the command and its models may still have them.
    pub aliases: &'static [&'static str],
    /// Adds its help and its own options; those of [`learn`] or [`meter`] are there already.
    pub options: fn(Command) -> Command,
    /// Learns.
    pub learn: fn(&ArgMatches) -> Result<(), Error>,
    /// Learns from two neighbouring datasets, and compares.
    pub meter: fn(&ArgMatches) -> Result<Metered, Error>,
    /// What is known of it for a question; nothing if it is no advice.
    pub advice: fn(&Question) -> Result<Option<Advice>, Error>,
    /// Reads a predictor from a model of this learner; the error names the fault of the file.
    pub predictor: fn(&ModelFile) -> Result<Predict, String>,
}

impl LearnerEntry {
    /// The learner that is declared so.
    const fn of<L: Learner>() -> Self {
        Self {
            name: L::NAME,
            aliases: L::ALIASES,
            options: |command| L::command(command).aliases(L::ALIASES),
            learn: learn::run::<L>,
            meter: learn::compare::<L>,
            advice: advice::of::<L>,
            predictor: L::predictor,
        }
    }
}

/// What a model says of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicted {
    /// As it is printed: a class, "undecided", or a number.
    pub label: String,
    /// Of two classes the decision value: above 0 for the positive class, below for the negative one, 0 for neither.
    /// Where labels are numbers there is none.
    pub score: Option<f64>,
}

/// The prediction for a point on the grid.
pub enum Predict {
    /// For a point whose coordinates are all listed.
    Listed(PredictFor<[i64]>),
    /// For a point of numbered features, most of them 0.
    Numbered(PredictFor<Point>),
}

/// The prediction for such a point.
type PredictFor<P> = Box<dyn Fn(&P) -> Result<Predicted, Error>>;

/// The predictor of a model of any paper.
pub fn predictor(model: &ModelFile) -> Result<Predict, String> {
    let mut learners = PAPERS.iter().flat_map(|paper| paper.learners);
    let is_of = |learner: &&LearnerEntry| {
        learner.name == model.algorithm || learner.aliases.contains(&model.algorithm.as_str())
    };
    match learners.find(is_of) {
        Some(learner) => match ((learner.predictor)(model)?, &model.columns.numbered) {
            (Predict::Listed(_), Some(_)) => {
                Err("columns.numbered: this learner has no numbered features".to_owned())
            }
            (predict, _) => Ok(predict),
        },
        None => Err(format!("no learner is called '{}'", model.algorithm)),
    }
}

/// The specimens of all papers.
pub mod specimens {
    use super::PAPERS;
    use crate::corpus::List;
    use dp_assay_audit::specimen::Due;

    /// What builds them, a list a paper.
    pub fn lists() -> impl Iterator<Item = List> {
        PAPERS.iter().map(|paper| paper.specimens)
    }

    /// What an audit must say of each.
    pub fn due() -> impl Iterator<Item = &'static (&'static str, Due)> {
        PAPERS.iter().flat_map(|paper| paper.due)
    }
}

impl From<GeometryError> for Error {
    fn from(error: GeometryError) -> Self {
        Self::Paper(Box::new(error))
    }
}

/// The options of a subcommand, which were checked when the command line was read.
fn read<A: clap::FromArgMatches>(matches: &ArgMatches) -> Result<A, Error> {
    Ok(A::from_arg_matches(matches)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    const MAP: &str = include_str!("../../../docs/privacy-map.md");
    const LEARNING: &str = include_str!("../../../docs/learning.md");

    /// The rows of the page's tables whose first cell is a name in code: the names, and the other cells.
    fn rows(page: &'static str) -> BTreeMap<&'static str, Vec<&'static str>> {
        let row = |line: &'static str| {
            let (name, rest) = line.strip_prefix("| `")?.split_once('`')?;
            let cells = rest.split('|').skip(1).map(str::trim);
            Some((name, cells.collect()))
        };
        page.lines().filter_map(row).collect()
    }

    /// What the options of a learner or a session leave it to guarantee.
    fn guarantee(options: fn(Command) -> Command) -> &'static str {
        let command = options(Command::new("learner"));
        let option = |name| {
            command
                .get_arguments()
                .find(|option| option.get_id() == name)
        };
        let is_pure = |option: &clap::Arg| {
            let mut values = option.get_possible_values().into_iter();
            values.any(|value| value.get_name() == "pure")
        };
        // A session without a delta takes 0, and need not be told.
        let has_delta = option("delta").is_some_and(clap::Arg::is_required_set);
        match (has_delta, option("calibration").is_some_and(is_pure)) {
            (false, _) => "(epsilon, 0)",
            (true, false) => "(epsilon, delta)",
            (true, true) => "(epsilon, delta); with `--calibration pure` (epsilon, 0)",
        }
    }

    #[test]
    fn the_privacy_map_has_each_learner_and_session_with_its_guarantee_and_its_claims() {
        let (map, learning) = (rows(MAP), rows(LEARNING));
        let learners = PAPERS.iter().flat_map(|paper| paper.learners);
        let sessions = PAPERS.iter().flat_map(|paper| paper.sessions);
        let learners = learners.map(|learner| (learner.name, learner.options));
        let sessions = sessions.map(|session| (session.name, session.options));
        let mut papers = BTreeSet::new();
        for (name, options) in learners.chain(sessions) {
            let cells = map.get(name).unwrap_or_else(|| panic!("no row of {name}"));
            assert_eq!(cells[0], guarantee(options), "{name}");
            let elsewhere = learning.get(name).unwrap_or_else(|| panic!("no {name}"));
            let agree = elsewhere.iter().any(|cell| cell.starts_with(cells[0]));
            assert!(agree, "{name}: {elsewhere:?}");
            let claims = cells.iter().rev().find(|cell| !cell.is_empty()).unwrap();
            let (ids, page) = claims.rsplit_once(", [").unwrap();
            for id in ids.split(", ").map(|id| id.trim_matches('`').to_owned()) {
                let found = dp_assay_ledger::select(std::slice::from_ref(&id)).unwrap();
                let claim = &found[0].claim;
                let file = claim.source.split(':').next().unwrap();
                assert!(page.ends_with(&format!("(../{file})")), "{name}: {claims}");
                papers.insert(claim.paper);
            }
        }
        assert_eq!(papers.len(), PAPERS.len(), "{papers:?}");
    }
}
