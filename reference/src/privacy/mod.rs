//! Privacy budgets, and certificates: is this noise enough? Exact accounting, always rounded to the safe side.
//!
//! The reference checks, the library searches: each function here says what given noise costs, with every parameter of the
//! bound given or written out. What a search found is passed through it.
//!
//! - [`NeighbouringRelation`]: which two datasets are not told apart;
//! - [`gaussian`], [`discrete_gaussian`]: the exact profile of Gaussian noise, and what the noise that is drawn costs;
//! - [`zcdp`]: concentrated privacy, and what it says in (epsilon, delta).
//!
//! Epsilons and deltas of several mechanisms add up, also where a later one depends on the outputs of earlier ones (Dwork,
//! Kenthapadi, McSherry, Mironov, Naor 2006); the other theorems of composition stand in the files of the algorithms that need them.

pub mod discrete_gaussian;
pub mod gaussian;
mod neighbours;
pub mod zcdp;

pub use neighbours::NeighbouringRelation;

use crate::number::{Enclosure, Rational};

/// The working precision that suffices where nothing cancels, in bits.
const BITS: u32 = 128;

/// A certified upper bound with a short numerator, for what is promised.
fn rounded_up(value: &Enclosure) -> Rational {
    value.with_bits(64).upper()
}
