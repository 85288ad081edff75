//! The library is held equal to the reference: numbers end by end, samplers on the same coins, laws by their probabilities and
//! on every outcome of the coins, certificates by their deltas, learners on instances that lie on every boundary.

mod certificates;
mod coins;
mod laws;
mod lent;
mod numbers;
mod samplers;
