//! Regularised empirical risk with a kernel: `(1/n) sum of l(<w, phi(x_i)>; y_i) + (lambda/2) |w|^2`.
//!
//! Source: Jain and Thakurta 2013, problem (2). Proofs: `spec/kernels.md`, `jt13.eq2.gap` and `jt13.eq2.arrives`.
//!
//! - [`Loss`]: the losses; [`Products`]: the kernel's values between the records;
//! - [`Erm`]: the problem, and the certified gap of a dual point; [`Erm::solve`]: floats guess a dual point, integers go on
//!   until its gap is within the tolerance, which they reach on all data;
//! - [`SmallProblem`]: the exact minimum over the rationals, for at most 8 records.

mod active_set;
mod ascent;
mod guess;
mod loss;
mod problem;
mod products;
mod solve;
mod sums;

pub use active_set::SmallProblem;
pub use loss::Loss;
pub use problem::Erm;
pub use products::{Matrix, Products};
pub use solve::{Dual, attainable_tolerance};
