//! What `cargo bench` needs to measure the samplers of dp-assay beside those of other libraries.
//!
//! - [`clock`]: processor time, and the median of several runs, ours and the peer's in turn;
//! - [`entropy`]: the entropy of a law, which no exact sampler can stay below;
//! - [`opendp`]: the peer's samplers;
//! - [`table`]: the rows, their limits, and whether they are reached.

pub mod clock;
pub mod entropy;
pub mod opendp;
pub mod table;
