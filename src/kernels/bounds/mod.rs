//! The theorems of the paper with explicit constants, and the guarantee of a run.

pub mod noisy_answers;
