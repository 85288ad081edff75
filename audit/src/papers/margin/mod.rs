//! Bassily, Mohri, Suresh 2022: learning with margin guarantees.
//!
//! - [`learn`]: shared by its learners; [`pure`], [`gibbs`]: their options and parameters;
//! - [`svm`]: the learner without privacy that they are compared with;
//! - [`bound`]: its theorems;
//! - [`specimens`]: its learners on tiny data, for the auditor's corpus.

mod bound;
mod gibbs;
mod learn;
mod pure;
mod specimens;
mod svm;

use super::{Learner, Paper, halfspace_model, read};
use crate::error::Error;
use clap::Args;
use dp_assay::margin::MarginError;

/// What the paper gives to the command.
pub const PAPER: Paper = Paper {
    learners: &[
        Learner {
            name: pure::NAME,
            options: pure::Pure::augment_args,
            learn: |matches| pure::run(&read(matches)?, &read(matches)?),
            meter: |matches| pure::meter(&read(matches)?, &read(matches)?),
            predictor: halfspace_model::predictor,
        },
        Learner {
            name: gibbs::NAME,
            options: gibbs::Gibbs::augment_args,
            learn: |matches| gibbs::run(&read(matches)?, &read(matches)?),
            meter: |matches| gibbs::meter(&read(matches)?, &read(matches)?),
            predictor: halfspace_model::predictor,
        },
    ],
    theorems: bound::THEOREMS,
    datasets: &[],
    experiments: &[],
    specimens: specimens::all,
    due: specimens::DUE,
};

impl From<MarginError> for Error {
    fn from(error: MarginError) -> Self {
        Self::Paper(Box::new(error))
    }
}
