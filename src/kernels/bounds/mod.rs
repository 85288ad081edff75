//! The theorems of the paper with explicit constants, and the guarantee of a run.

pub mod gaussian_process;
pub mod noisy_answers;
pub mod test_dependent;
pub mod test_independent;
