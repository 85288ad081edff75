//! Liao, Needell, Schaeffer, Xue 2025: the random feature model.
//!
//! - [`learn`]: its repaired learners; [`model`]: the model file;
//! - [`bound`]: its theorems;
//! - [`specimens`]: its mechanisms on tiny data, for the auditor's corpus.

mod bound;
mod learn;
pub mod model;
mod specimens;

use super::{Learner, Paper, read};
use crate::error::Error;
use clap::Args;
use dp_assay::random_features::RandomFeatureError;

/// What the paper gives to the command.
pub const PAPER: Paper = Paper {
    learners: &[Learner {
        name: learn::NAME,
        options: learn::RandomFeatures::augment_args,
        learn: |matches| learn::run(&read(matches)?, &read(matches)?),
        meter: |matches| learn::meter(&read(matches)?, &read(matches)?),
        predictor: model::predictor,
    }],
    sessions: &[],
    theorems: bound::THEOREMS,
    datasets: &[],
    specimens: specimens::all,
    due: specimens::DUE,
};

impl From<RandomFeatureError> for Error {
    fn from(error: RandomFeatureError) -> Self {
        Self::Paper(Box::new(error))
    }
}
