//! The command and what it is made of, run as its users run it. Without the papers what needs them is left out.

#[path = "../../audit/tests/nightly/mod.rs"]
mod nightly;
#[path = "../../audit/tests/programs/mod.rs"]
mod programs;
mod room;

mod audit;
mod campaign;
mod claims;
mod conformance;
mod formats;
mod maps;
mod refusals;
mod replay;
mod scores;
mod scripts;
mod shards;
mod suites;
mod truth;
mod vectors;

#[cfg(feature = "papers")]
mod book;
#[cfg(feature = "papers")]
mod command;
#[cfg(feature = "papers")]
mod explain;
#[cfg(feature = "papers")]
mod files;
#[cfg(feature = "papers")]
mod insurance;
#[cfg(feature = "papers")]
mod learned;
#[cfg(feature = "papers")]
mod made_up_records;
#[cfg(feature = "papers")]
mod random_features;

/// What is run.
const PROGRAM: &str = env!("CARGO_BIN_EXE_assay");
