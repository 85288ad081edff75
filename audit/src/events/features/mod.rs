//! What is read of an output.
//!
//! 1. `feature.rs`: a *feature*, something that can be read off an output, and its value or key.
//! 2. `bits.rs`, `numerals.rs`: the bits of a number, and the numbers that are written in a text.
//! 3. `shape.rs`: what the outputs look like: which parts they have, and what is there.
//! 4. `inside.rs`: which letters, words, bytes, bits and names of many are worth a look.
//! 5. `aspect.rs`: whether values and bits are looked at apart.
//! 6. `choose.rs`: which features such outputs have.

mod aspect;
mod bits;
mod choose;
mod feature;
mod inside;
mod numerals;
mod shape;

pub use aspect::Aspect;
pub(super) use choose::features;
pub(super) use feature::{Class, part, place};
pub use feature::{Feature, Place, Real, Step, Term};
