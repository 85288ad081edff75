//! The geometry that the learners need, in integers.
//!
//! - [`SignMatrix`]: a random projection with entries +1 and -1;
//! - [`johnson_lindenstrauss`]: the dimension that such a projection needs, and the exact probability
//!   that it fails;
//! - [`FeatureMap`]: random Fourier features or linear ones, integer rows of norm at most 1;
//! - [`LatticeCover`]: a finite set of points; every point of the unit ball is near one of them;
//! - [`CoverScores`]: the exponential mechanism over a cover, by going through it twice.

#![deny(clippy::float_arithmetic)]

mod cover;
mod error;
mod fourier_features;
pub mod johnson_lindenstrauss;
mod projection;
mod sweep;

pub use cover::{CoverKind, LatticeCover, Line, Lines};
pub use error::GeometryError;
pub use fourier_features::{FINEST_FEATURES, FeatureMap, Frequencies};
pub use projection::SignMatrix;
pub use sweep::{CoverScores, largest_squared_norm};
