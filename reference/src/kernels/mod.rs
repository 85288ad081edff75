//! Jain, Thakurta 2013, *Differentially Private Learning with Kernels* (jt13): learning with kernels. In reading order.

/// Kernels and their values as integers; sums of feature vectors, as `w*` and all models are.
pub mod kernel;

/// Problem (2): its losses, `L`, `S'`, `D` and `C`, and what certifies that a vector is near the minimiser `w*`.
pub mod minimiser;

/// Algorithm 1 (PINP) as printed: predictions for queries that come one by one.
pub mod algorithm_1_as_printed;

/// Algorithm 1 repaired: a session of noisy answers, with Theorem A.
pub mod algorithm_1;

/// The same session with a hidden threshold: purely private.
pub mod sparse_vector;

/// Algorithm 2 (TDDL) as printed: a model from noisy predictions at public points.
pub mod algorithm_2_as_printed;

/// Algorithm 2 repaired.
pub mod algorithm_2;

/// What Algorithm 2 minimises, exactly.
pub mod span;

/// Algorithm 3 (TDIL) as printed: a model that is good on a whole net.
pub mod algorithm_3_as_printed;

/// Algorithm 3 repaired.
pub mod algorithm_3;

/// Algorithm 3 for linear kernels, on a lattice.
pub mod algorithm_3_linear;

/// The learner to take: the coefficients of the minimiser, once, with Gaussian noise.
pub mod coefficients;

/// The same for kernels without a basis: queries one by one, with the noise of a Gaussian process.
pub mod gaussian_process;
