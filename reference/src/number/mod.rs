//! Exact numbers: rationals, and certified enclosures of the real functions that laws and certificates need.
//!
//! Everything here is integer arithmetic. A real number is an [`Enclosure`]: two dyadic ends between which it provably lies.
//! The real functions are methods of it, a file each.

mod circle;
mod dyadic;
mod enclosure;
mod exponential;
mod logarithm;
mod normal;
pub mod rational;
mod root;

pub use dyadic::Dyadic;
pub use enclosure::Enclosure;
pub use rational::Rational;
