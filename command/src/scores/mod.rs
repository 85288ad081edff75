//! Scores of membership as files, and plans of who is in.
//!
//! - [`read`]: the scores of a file, decimal text that is compared exactly;
//! - [`plan`]: who is in, by coins of the operating system, and the file that says so.

pub mod plan;
pub mod read;
