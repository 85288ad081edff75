//! Nguyen, Ullman, Zakynthinou 2020: large-margin halfspaces.
//!
//! - [`learn`]: shared by its two learners; [`pure`] and [`efficient`]: their options and parameters;
//! - [`baseline`]: the learner without privacy that they are compared with;
//! - [`bound`]: its theorems;
//! - [`generate`]: records of known margin;
//! - [`specimens`]: its learners on tiny data, for the auditor's corpus.

mod baseline;
mod bound;
mod efficient;
mod figures;
mod generate;
mod learn;
mod pure;
mod specimens;

use super::{LearnerEntry, Paper, Subcommand, read};
use crate::error::Error;
use clap::Args;
use dp_assay::halfspaces::HalfspaceError;

/// What the paper gives to the command.
pub const PAPER: Paper = Paper {
    learners: &[
        LearnerEntry::of::<pure::Pure>(),
        LearnerEntry::of::<efficient::Efficient>(),
    ],
    sessions: &[],
    theorems: bound::THEOREMS,
    datasets: &[Subcommand {
        name: "halfspace",
        options: generate::Halfspace::augment_args,
        run: |matches| generate::run(&read(matches)?),
    }],
    specimens: specimens::all,
    due: specimens::DUE,
    figures: figures::FIGURES,
};

impl From<HalfspaceError> for Error {
    fn from(error: HalfspaceError) -> Self {
        Self::Paper(Box::new(error))
    }
}
