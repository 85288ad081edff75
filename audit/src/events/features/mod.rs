//! What is read of an output.
//!
//! 1. `feature.rs`: a *feature*, something that can be read off an output, and its value or key.
//! 2. `bits.rs`, `numerals.rs`: the bits of a number, and the numbers that are written in a text.
//! 3. `shape.rs`: what the outputs look like: which parts they have, and what is there.
//! 4. `choose.rs`: which features such outputs have.

mod bits;
mod choose;
mod feature;
mod numerals;
mod shape;

pub(super) use choose::features;
pub(super) use feature::{Class, part, place};
pub use feature::{Feature, Real, Step, Term};
