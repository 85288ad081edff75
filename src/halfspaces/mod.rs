//! Nguyen, Ullman, Zakynthinou 2020, "Efficient Private Algorithms for Learning Large-Margin
//! Halfspaces" (`nuz20`).
//!
//! Neighbouring datasets differ in one record, which is substituted; their number is public.
//!
//! Where each item of the paper is:
//!
//! - Algorithm 1 = Algorithm 3 (procedure F, Noise-GD), repaired: [`efficient`]; as printed:
//!   [`as_printed`]; its practical variant F', with full gradients: [`full_batch`];
//! - Algorithm 2, with pure differential privacy: [`pure`];
//! - the steps that these share (the projection, `x_A`, the hinge loss, the choice of a candidate):
//!   [`steps`]; records, datasets and models: [`data`];
//! - Theorems 6, 11 and 12 and Lemma 7 with every constant, and the guarantee of a run: [`bounds`]; Lemma 4:
//!   [`johnson_lindenstrauss`](crate::geometry::johnson_lindenstrauss);
//! - every claim of the paper, and the evidence for it: `dp_assay_ledger::halfspaces`.

#![deny(clippy::float_arithmetic)]

pub mod as_printed;
pub mod bounds;
pub mod data;
pub mod efficient;
mod error;
pub mod full_batch;
mod one_record_gradient;
pub mod pure;
pub mod steps;

pub use data::{Dataset, Halfspace, Record, Shape};
pub use error::HalfspaceError;
