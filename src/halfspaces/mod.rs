//! Nguyen, Ullman, Zakynthinou 2020, "Efficient Private Algorithms for Learning Large-Margin
//! Halfspaces" (`nuz20`).
//!
//! - [`bounds`]: the sample complexities with every constant, and what a given run guarantees;

#![deny(clippy::float_arithmetic)]

pub mod bounds;
