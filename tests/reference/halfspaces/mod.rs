//! The paper: each algorithm of the reference beside what ships.

mod algorithm_1;
mod algorithm_2;
mod algorithm_2_as_printed;
mod algorithm_3;
mod algorithm_3_as_printed;
mod common;
mod full_batch_descent;
mod hinge_loss;
mod projection;
