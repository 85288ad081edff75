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

/// What a test takes by day, and what it takes at night (`make test-nightly`).
fn by_day_or_night<T>(by_day: T, at_night: T) -> T {
    match std::env::var_os("NIGHTLY") {
        Some(_) => at_night,
        None => by_day,
    }
}
