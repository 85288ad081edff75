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
        Learner {
            name: labels::NAME,
            options: |command| {
                // It refuses a second file.
                let command = labels::Labels::augment_args(command);
                command
                    .mut_arg("data", |data| data.help("The records, a CSV file"))
                    .mut_arg("second", |second| second.hide(true))
            },
            learn: |matches| labels::run(&read(matches)?, &read(matches)?),
            meter: |matches| labels::meter(&read(matches)?, &read(matches)?),
            predictor: halfspace_model::predictor,
        },
        Learner {
            name: network::NAME,
            options: network::NetworkOptions::augment_args,
            learn: |matches| network::run(&read(matches)?, &read(matches)?),
            meter: |matches| network::meter(&read(matches)?, &read(matches)?),
            predictor: network::predictor,
        },
        Learner {
            name: efficient::NAME,
            options: efficient::Efficient::augment_args,
            learn: |matches| efficient::run(&read(matches)?, &read(matches)?),
            meter: |matches| efficient::meter(&read(matches)?, &read(matches)?),
            predictor: halfspace_model::predictor,
        },
        Learner {
            name: kernel::NAME,
            options: kernel::KernelOptions::augment_args,
            learn: |matches| kernel::run(&read(matches)?, &read(matches)?),
            meter: |matches| kernel::meter(&read(matches)?, &read(matches)?),
            predictor: kernel::predictor,
        },
    ],
    sessions: &[],
    theorems: bound::THEOREMS,
    datasets: &[],
    specimens: specimens::all,
    due: specimens::DUE,
};

impl From<MarginError> for Error {
    fn from(error: MarginError) -> Self {
        Self::Paper(Box::new(error))
    }
}
