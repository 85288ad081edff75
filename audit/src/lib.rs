//! The engine of `assay audit`: what is audited, on which pairs of datasets, by which events.
//!
//! - [`targets`]: programs and functions that are asked for samples, and [`targets::Output`], what they
//!   answer, bit for bit;
//! - [`pairs`]: neighbouring datasets, given, generated, searched and shrunk;
//! - [`events`]: predicates of one output, learned on a training half;
//! - [`refute`]: the audit of a claim, from samples to a verdict;
//! - [`conform`]: whether a program's noise has the law that it should have;
//! - [`named_law`]: the laws that can be asked for;
//! - [`corpus`]: mechanisms with exactly known privacy, on which the auditor is audited.

pub mod conform;
pub mod corpus;
pub mod events;
pub mod named_law;
pub mod pairs;
pub mod refute;
pub mod targets;
