//! Liao, Needell, Schaeffer, Xue 2025: the random feature model.
//!
//! - [`learn`]: its repaired learners; [`model`]: the model file;
//! - [`bound`]: its theorems;
//! - [`specimens`]: its mechanisms on tiny data, for the auditor's corpus.

mod bound;
mod figures;
mod learn;
pub mod model;
mod specimens;

use super::{LearnerEntry, Paper};
use crate::error::Error;
use dp_assay::random_features::RandomFeatureError;

/// What the paper gives to the command.
pub const PAPER: Paper = Paper {
    learners: &[LearnerEntry::of::<learn::RandomFeatures>()],
    sessions: &[],
    theorems: bound::THEOREMS,
    datasets: &[],
    specimens: specimens::all,
    due: specimens::DUE,
    figures: figures::FIGURES,
};

impl From<RandomFeatureError> for Error {
    fn from(error: RandomFeatureError) -> Self {
        Self::Paper(Box::new(error))
    }
}
