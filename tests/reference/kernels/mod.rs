//! The paper: each algorithm of the reference beside what ships.

mod algorithm_1;
mod algorithm_1_as_printed;
mod algorithm_2;
mod algorithm_2_as_printed;
mod algorithm_3;
mod algorithm_3_as_printed;
mod algorithm_3_linear;
mod coefficients;
mod common;
mod gaussian_process;
mod kernel;
mod minimiser;
mod span;
mod sparse_vector;
