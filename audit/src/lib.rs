//! The auditor: it holds a program, in any language, against its privacy claim. It knows no paper.
//!
//! The command `assay` around it is the package `dp-assay-cli`.
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
//! - [`scores`]: what scores of membership prove, of one training or of many;
//! - [`corpus`]: mechanisms with exactly known privacy, on which the auditor is audited;
//! - [`report`]: what was found, for people, programs and continuous integration;
//! - [`specimen`]: what a mechanism of known privacy is.

mod assertion;
pub mod conform;
pub mod corpus;
#[doc(hidden)]
pub mod ending;
pub mod events;
#[doc(hidden)]
pub mod group;
#[doc(hidden)]
pub mod hexadecimal;
#[doc(hidden)]
pub mod input;
pub mod maps;
pub mod pairs;
pub mod refute;
pub mod replay;
pub mod report;
pub mod scores;
pub mod specimen;
mod stopwatch;
pub mod targets;

pub use assertion::assert_not_refuted;
