//! The engine of `assay audit`: what is audited, on which pairs of datasets, by which events; and the command
//! `assay` around it.
//!
//! - [`targets`]: programs and functions that are asked for samples, and [`targets::Output`], what they
//!   answer, bit for bit;
//! - [`events`]: predicates of one output, learned on a training half;
//! - [`pairs`]: neighbouring datasets, given, generated, searched and shrunk;
//! - [`driver`]: the audit of a claim, from samples to a verdict;
//! - [`shortening`]: a shorter event that still proves what was found;
//! - [`conformance`]: whether a program's noise has the law that it should have;
//! - [`named_law`]: the laws that can be asked for;
//! - [`planted`]: violations of known size, by which the power of the whole pipeline is measured;
//! - [`broken`]: mechanisms with exactly known privacy, on which the auditor is audited.

// The command speaks of the engine as everybody does who embeds it.
extern crate self as dp_assay_audit;

pub mod answers;
mod baseline;
mod bettors;
pub mod broken;
mod cli;
pub mod conformance;
mod data;
pub mod driver;
mod error;
pub mod events;
mod model;
pub mod named_law;
mod output;
pub mod pairs;
pub mod planted;
mod proof;
mod regression_model;
mod report;
mod reproduce;
pub mod shortening;
pub mod targets;

pub use cli::main;
