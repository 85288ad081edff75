//! Jain, Thakurta 2013: learning with kernels.
//!
//! - [`kernel`]: kernels and losses on the command line;
//! - [`learn`]: shared by its learners; [`release`]: the coefficients, once, with noise; [`test_dependent`]: Algorithm 2;
//!   [`test_independent`]: Algorithm 3;
//! - [`answer`]: sessions, the interactive model;
//! - [`bound`]: its theorems; [`specimens`]: its mechanisms for the corpus;
//! - [`generate`]: made-up records in the shape of the paper's data;

mod answer;
mod bound;
mod figures;
pub mod generate;
mod kernel;
mod learn;
mod release;
mod specimens;
mod test_dependent;
mod test_independent;

use super::{LearnerEntry, Paper, Subcommand, read};
use crate::error::Error;
use clap::Args;
use dp_assay::kernels::KernelError;

/// What the paper gives to the command.
pub const PAPER: Paper = Paper {
    learners: &[
        LearnerEntry::of::<release::Release>(),
        LearnerEntry::of::<test_dependent::Tddl>(),
        LearnerEntry::of::<test_independent::Tdil>(),
    ],
    sessions: answer::SESSIONS,
    theorems: bound::THEOREMS,
    datasets: &[
        Subcommand {
            name: "covertype-shaped",
            options: generate::Covertype::augment_args,
            run: |matches| generate::covertype(&read(matches)?),
        },
        Subcommand {
            name: "kdd-shaped",
            options: generate::Kdd::augment_args,
            run: |matches| generate::kdd(&read(matches)?),
        },
    ],
    specimens: specimens::all,
    due: specimens::DUE,
    figures: figures::FIGURES,
};

impl From<KernelError> for Error {
    fn from(error: KernelError) -> Self {
        Self::Paper(Box::new(error))
    }
}
