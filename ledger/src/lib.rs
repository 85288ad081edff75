//! The claims of four papers on differentially private learning and of our own samplers, and the check of each.
//!
//! - [`claim`]: what a claim, a check and its evidence are;
//! - `samplers`, `accounting`, [`halfspaces`], [`kernels`], [`margin`], [`random_features`]: the checks of a page each, in the page's order;
//! - [`pages`]: the registry; it reads the claims, runs their checks, and weakens what rests on weaker claims;
//! - [`relations`]: how a claim hangs together with others;
//! - [`bibliography`]: the works that are cited.
//!
//! Of an algorithm of `dp_assay` a check runs the code that ships.

mod accounting;
pub mod bibliography;
mod budgets;
pub mod claim;
mod common;
mod failing;
pub mod halfspaces;
pub mod kernels;
pub mod margin;
pub mod pages;
pub mod random_features;
pub mod relations;
mod samplers;
mod twins;

pub use pages::{
    Accepted, Entry, Ground, Ledger, LedgerError, Recheck, Weakness, entries, meaning, notation,
    pages, planted, repairs_of, select, title, verdict,
};
pub use relations::{Relations, find};
