//! The paper's algorithms with the parameters that it prints.

pub mod interactive;
