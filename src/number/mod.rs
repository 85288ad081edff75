//! Exact numbers: rationals, the public grid that data lives on, and certified enclosures of
//! real functions.
//!
//! Everything in this room is integer arithmetic. A float enters only as the exact rational that
//! it is, and leaves only for printing.
//!
//! - [`rational`]: [`Rational`], read from `3/2`, `0.1`, `1e-6` and `0x1.8p+0`, never through a float;
//! - [`dyadic`]: [`Dyadic`], an integer times a power of two, the endpoints of enclosures;
//! - [`enclosure`]: [`Enclosure`], an interval that provably contains a real number, and its arithmetic;
//! - [`range`]: [`OutOfRange`], the one error for a parameter outside its range;
//! - [`chosen`]: a parameter, and whether a theorem chose it;
//! - [`fixed_exponential`]: the exponential of a number that is not positive, as an integer;
//! - [`grid`]: [`Grid`], the multiples of 2^-b on which records are placed;
//! - [`times_root`]: [`TimesRoot`], which multiplies integers by one square root, rounded down;
//! - the real functions, one file each, as methods of [`Enclosure`]: [`exponential`], [`logarithm`],
//!   [`root`], [`circle`] (pi, sin, cos) and [`normal`] (erfc, the normal distribution function and
//!   its inverse).

#![deny(clippy::float_arithmetic)]

mod bernoulli;
pub mod chosen;
pub mod circle;
pub mod dyadic;
pub mod enclosure;
mod error;
#[cfg(feature = "serde")]
pub mod exact_text;
pub mod exponential;
mod factorial;
pub mod fixed_exponential;
pub mod grid;
pub mod logarithm;
mod mantissa;
mod memo;
pub mod normal;
pub mod range;
pub mod rational;
pub mod root;
pub mod times_root;

pub use bernoulli::bernoulli_numbers;
pub use dyadic::Dyadic;
pub use enclosure::{Enclosure, certify};
pub use error::{NumberError, shortened};
pub use factorial::ln_factorial;
pub use grid::Grid;
pub use range::OutOfRange;
pub use rational::Rational;
pub use times_root::TimesRoot;
