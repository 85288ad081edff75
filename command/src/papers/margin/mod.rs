//! Bassily, Mohri, Suresh 2022: learning with margin guarantees.
//!
//! - [`learn`]: shared by its learners; [`pure`], [`gibbs`], [`efficient`], [`kernel`], [`labels`],
//!   [`network`]: their options and parameters;
//! - [`candidates`]: public candidates; [`choice`]: a margin that is given or chosen privately;
//! - [`svm`]: the learner without privacy that they are compared with;
//! - [`bound`]: its theorems;
//! - [`specimens`]: its learners on tiny data, for the auditor's corpus.

mod bound;
pub mod candidates;
mod choice;
mod efficient;
mod gibbs;
mod kernel;
mod labels;
pub mod learn;
mod network;
mod pure;
mod specimens;
pub mod svm;

use super::{LearnerEntry, Paper};
use crate::error::Error;
use dp_assay::margin::MarginError;

/// What the paper gives to the command.
pub const PAPER: Paper = Paper {
    learners: &[
        LearnerEntry::of::<pure::Pure>(),
        LearnerEntry::of::<gibbs::Gibbs>(),
        LearnerEntry::of::<labels::Labels>(),
        LearnerEntry::of::<network::NetworkOptions>(),
        LearnerEntry::of::<efficient::Efficient>(),
        LearnerEntry::of::<kernel::KernelOptions>(),
    ],
    sessions: &[],
    theorems: bound::THEOREMS,
    datasets: &[],
    specimens: specimens::all,
    due: specimens::DUE,
    figures: &[],
};

impl From<MarginError> for Error {
    fn from(error: MarginError) -> Self {
        Self::Paper(Box::new(error))
    }
}
