//! The geometry that the learners need, in integers.
//!
//! - [`Domain`]: the ball that points lie in, on a grid; [`Point`]: a point, by the coordinates that are not 0;
//! - [`Record`] and [`Halfspace`]: labelled points, and what tells them apart;
//! - [`SignMatrix`]: a random projection with entries +1 and -1;
//! - [`johnson_lindenstrauss`]: the dimension that such a projection needs, and the exact probability
//!   that it fails;
//! - [`walsh_hadamard`], and in [`sketch`] the maps made of it and of hash functions: faster projections, sketches of
//!   tensor powers, and Fastfood;
//! - [`FeatureMap`]: random Fourier features or linear ones, integer rows of norm at most 1;
//! - [`PolynomialMap`]: the features of a polynomial kernel, all monomials;
//! - [`LatticeCover`]: a finite set of points; every point of the unit ball is near one of them;
//! - [`CoverScores`] of the points of a cover, and [`CoverChoice`]: the exponential mechanism on them, by going through
//!   the cover twice;
//! - [`LinearChoice`]: the same by the magnitude of a linear function, without going through the cover.

#![deny(clippy::float_arithmetic)]

mod cover;
mod cover_choice;
mod domain;
mod error;
mod fourier_features;
mod hadamard;
pub mod johnson_lindenstrauss;
mod labelled;
mod linear_choice;
mod point;
mod polynomial;
mod projection;
pub mod sketch;
mod sweep;

pub use cover::{CoverKind, LatticeCover, Line, Lines};
pub use cover_choice::CoverChoice;
pub use domain::{Domain, FINEST_GRID};
pub use error::GeometryError;
pub use fourier_features::{FINEST_FEATURES, FeatureMap, Frequencies, ShiftInvariantKernel};
pub use hadamard::walsh_hadamard;
pub use labelled::{Halfspace, Record};
pub use linear_choice::LinearChoice;
pub use point::Point;
pub use polynomial::PolynomialMap;
pub use projection::SignMatrix;
pub use sweep::{CoverScores, largest_squared_norm};
