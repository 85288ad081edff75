//! The engine of `assay audit`: what is audited, on which pairs of datasets, by which events.
//!
//! - [`targets`]: programs and functions that are asked for samples, and [`targets::Output`], what they
//!   answer, bit for bit;
//! - [`events`]: predicates of one output, learned on a training half;
//! - [`pairs`]: neighbouring datasets, given, generated, searched and shrunk;
//! - [`driver`]: the audit of a claim, from samples to a verdict;
//! - [`shortening`]: a shorter event that still proves what was found;
//! - [`conformance`]: whether a program's noise has the law that it should have;
//! - [`planted`]: violations of known size, by which the power of the whole pipeline is measured;
//! - [`broken`]: mechanisms with exactly known privacy, on which the auditor is audited.

pub mod answers;
mod bettors;
pub mod broken;
pub mod conformance;
pub mod driver;
pub mod events;
pub mod pairs;
pub mod planted;
mod proof;
pub mod shortening;
pub mod targets;
