//! Bassily, Mohri, Suresh 2022, "Differentially Private Learning with Margin Guarantees" (`bms22`).
//!
//! Neighbouring datasets differ in one record, which is substituted; their number is public.
//!
//! Where each item is:
//!
//! - records, datasets and the margin at which bounds are stated: [`Dataset`], [`Margin`] in `data.rs`; the public domain
//!   is [`crate::geometry::Domain`];
//! - Algorithm 1, pure, by a projection and a cover: [`pure`];
//! - instead of Algorithm 1 the learner to take for pure privacy, ours: [`gibbs`], the exponential mechanism on public
//!   candidates, without projection or cover;
//! - Algorithm 2, in nearly linear time, with approximate privacy: [`efficient`], and its maps: [`map`]; Algorithm 4, which it
//!   runs on the projected records: [`erm`], and a round of it without noise: [`descent`];
//! - Algorithm 6, a margin chosen privately: [`choice_of_margin`];
//! - Algorithm 4 of the first version, private labels: [`labels`];
//! - Algorithm 3, with a kernel, by features that are drawn without the data: [`kernel`];
//! - the features of a polynomial kernel, [`crate::geometry::PolynomialMap`], fast projections, sketches and random Fourier
//!   features are in [`crate::geometry`];
//! - Section 5, neural networks, pure: [`network`]; what such a network is, and the sign of its output: [`feed_forward`];
//! - the theorems with every constant, and the guarantee of a run: [`bounds`];
//! - every claim of the paper, and the evidence for it: `dp_assay_ledger::margin`.

#![deny(clippy::float_arithmetic)]

pub mod bounds;
pub mod choice_of_margin;
mod data;
pub mod descent;
pub mod efficient;
pub mod erm;
mod error;
pub mod feed_forward;
pub mod gibbs;
pub mod kernel;
pub mod labels;
pub mod map;
pub mod network;
pub mod pure;

pub use crate::geometry::{Domain, FINEST_GRID};
pub use data::{Dataset, Margin};
pub use error::MarginError;
