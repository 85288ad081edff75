//! The engine of `assay audit`, which holds a program against its privacy claim, and the command `assay` around it.
//!
//! - [`targets`]: programs and functions that are asked for samples, and [`targets::Output`], one answer bit for
//!   bit;
//! - [`pairs`]: neighbouring datasets, given, generated, searched and shrunk;
//! - [`events`]: predicates of one output, learned on a training half;
//! - [`refute`]: the audit of a claim, from samples to a verdict;
//! - [`assert_not_refuted`]: the same as an assertion in a test;
//! - [`conform`]: whether a program's noise has a named law;
//! - [`maps`]: whether a transformation is as stable as it is claimed to be, by one pair;
//! - [`replay`]: whether noise that a program records hides what it claims to hide;
//! - `papers`: how each paper meets the command, and `table`: the records that they learn from;
//! - [`corpus`]: mechanisms with exactly known privacy, on which the auditor is audited;
//! - `truth`: certified values of functions, laws, statistics and guarantees;
//! - `vectors`: the certified values and vectors that others adopt;
//! - `campaign`: many programs by one command, each against what is expected of it;
//! - `shards`: one program on many machines: a plan, counts, and one verdict.

mod assertion;
mod campaign;
mod cli;
pub mod conform;
pub mod corpus;
mod ending;
mod error;
pub mod events;
mod group;
mod hexadecimal;
mod input;
pub mod maps;
mod options;
mod output;
pub mod pairs;
mod papers;
pub mod refute;
pub mod replay;
mod report;
mod shards;
mod specimen;
mod start_target;
mod table;
pub mod targets;
mod truth;
mod vectors;

pub use assertion::assert_not_refuted;
pub use cli::main;
