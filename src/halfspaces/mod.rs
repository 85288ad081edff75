//! Nguyen, Ullman, Zakynthinou 2020, "Efficient Private Algorithms for Learning Large-Margin
//! Halfspaces" (`nuz20`).
//!
//! - [`bounds`]: the sample complexities with every constant, and what a given run guarantees;
//! - [`lower_bound`]: the lower bound for pure privacy, its false claim and two repairs;
//! - [`errata`]: small exact facts that contradict the text.

#![deny(clippy::float_arithmetic)]

pub mod bounds;
pub mod errata;
pub mod lower_bound;
