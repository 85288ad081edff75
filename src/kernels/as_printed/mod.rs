//! The paper's algorithms with the parameters that it prints.

pub mod interactive;
pub mod test_dependent;
pub mod test_independent;
