//! The command `assay`: [`main`] is all of it. What else is public is for the experiments and the page of this repository.
//!
//! - `cli`: the subcommands, a file each; `options`, `output`, `screen`, `error`, `junit` and `report_files`: what they share;
//! - `audit_report`: the files of an audit's report;
//! - `truth`: certified values of functions, laws, statistics and guarantees;
//! - `vectors`: the certified values and vectors that others adopt;
//! - `corpus`: the corpus of the auditor, with the specimens of the papers;
//! - `campaign`: many programs by one command, each against what is expected of it;
//! - `shards`: one program on many machines: a plan, counts, and one verdict;
//! - `scores`: files of scores, and plans of who is in;
//!
//! and with the feature `papers`, which is on by default:
//!
//! - `papers`: how each paper meets the command, and `table`: the records that the learners take;
//! - `report`: the ledger for people, programs and continuous integration; `explain`: one claim; `book`: all of it as static pages.

#![cfg_attr(
    target_family = "wasm",
    allow(
        dead_code,
        reason = "a page of a browser asks for certified values alone, and there is no command"
    )
)]

mod audit_report;
#[cfg(feature = "papers")]
#[doc(hidden)]
pub mod book;
mod campaign;
#[cfg(not(target_family = "wasm"))]
mod cli;
#[doc(hidden)]
pub mod corpus;
#[doc(hidden)]
pub mod error;
#[cfg(feature = "papers")]
mod explain;
mod junit;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod output;
#[cfg(feature = "papers")]
#[doc(hidden)]
pub mod papers;
#[cfg(feature = "papers")]
mod report;
mod report_files;
mod scores;
#[cfg_attr(
    not(feature = "papers"),
    expect(dead_code, reason = "only the ledger has columns and colours")
)]
mod screen;
mod shards;
mod start_target;
#[cfg(feature = "papers")]
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod truth;
mod vectors;

#[cfg(not(target_family = "wasm"))]
pub use cli::main;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub use cli::{Outcome, ended, main_of};
