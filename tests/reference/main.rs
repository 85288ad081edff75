//! The library is held equal to the reference: numbers end by end, samplers on the same coins, laws by their probabilities and
//! on every outcome of the coins, certificates by their deltas, learners on instances that lie on every boundary.

mod certificates;
mod coins;
#[cfg(feature = "learners")]
mod halfspaces;
#[cfg(feature = "learners")]
mod kernels;
mod laws;
mod lent;
#[cfg(feature = "learners")]
mod margin;
mod numbers;
#[cfg(feature = "learners")]
mod random_features;
mod samplers;
