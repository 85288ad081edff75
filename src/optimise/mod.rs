//! Solvers: exact ones on small instances, and fast ones that say by how much they are off.
//!
//! A fast solver may use floats, since nothing private rests on them: what it returns is placed on the
//! grid, and a gap that is certified in integers says how far that is from the optimum.
//!
//! - [`exact`]: all of them in rational complex numbers, for small instances;
//! - [`FeatureMatrix`]: integer rows of norm at most 1;
//! - [`ridge`]: `|Phi c - y|^2 + Lambda |c|^2`, within a gap that is fixed in advance;
//! - [`minimum_norm`]: the shortest `c` with `Phi c = y`, within a certified gap;
//! - [`erm`]: regularised empirical risk with a kernel;
//! - [`kaczmarz`]: a row at a time, in integers;
//! - [`hinge`]: the hinge loss in integers, and the choice among candidates by it;
//! - [`least_eigenvalue`](mod@least_eigenvalue): that of a matrix of integers, without an error;
//! - [`positive`]: certificates that a matrix of integers is positive semi-definite;
//! - [`noisy_equations`]: ridge regression on statistics that are noisy already;
//! - [`noisy_descent`]: a step of projected gradient descent on the grid, for gradients with noise.

#![deny(clippy::float_arithmetic)]

pub mod erm;
mod error;
pub mod exact;
mod feature_matrix;
mod gram;
pub mod hinge;
pub mod kaczmarz;
pub mod least_eigenvalue;
pub mod minimum_norm;
mod newton;
pub mod noisy_descent;
pub mod noisy_equations;
pub mod positive;
pub mod ridge;

pub use error::OptimiseError;
pub use feature_matrix::{FeatureMatrix, MOST_ROWS, inner_product, squared_norm};
pub use hinge::Hinge;
