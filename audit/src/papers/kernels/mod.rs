//! Jain, Thakurta 2013: learning with kernels.
//!
//! - [`kernel`]: kernels and losses on the command line;
//! - [`learn`]: shared by its learners; [`release`]: the coefficients, once, with noise;
//! - [`bound`]: its theorems.

mod bound;
mod kernel;
mod learn;
mod release;

use super::{Learner, Paper, read};
use crate::error::Error;
use clap::Args;
use dp_assay::kernels::KernelError;

/// What the paper gives to the command.
pub const PAPER: Paper = Paper {
    learners: &[Learner {
        name: release::NAME,
        options: release::Release::augment_args,
        learn: |matches| release::learn(&read(matches)?, &read(matches)?),
        meter: |matches| release::compare(&read(matches)?, &read(matches)?),
        predictor: release::predictor,
    }],
    theorems: bound::THEOREMS,
    datasets: &[],
    experiments: &[],
    specimens: || Ok(Vec::new()),
    due: &[],
};

impl From<KernelError> for Error {
    fn from(error: KernelError) -> Self {
        Self::Paper(Box::new(error))
    }
}
