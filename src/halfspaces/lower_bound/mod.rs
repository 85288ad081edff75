//! Theorem 12: pure privacy needs `Omega(1/(epsilon gamma^2))` records.
//!
//! Uniform points on the sphere in dimension `d = c/gamma^2`, outside the band of width `gamma` around the
//! boundary of a halfspace, labelled by it: one distribution per word of a code. If no classifier is
//! accurate for two of them, privacy must tell them all apart.
//!
//! - [`mod@band`]: the mass of the band (Lemma 16);
//! - [`mod@bisector`]: the claim that no classifier is accurate for two (Claim 12.1) is false;
//! - [`mod@packing`]: with a larger distance it holds, and Theorem 12 follows, with a better constant.

pub mod band;
pub mod bisector;
pub mod packing;

pub use band::{band, band_bound};
pub use bisector::{Bisector, Code, bisector, bisector_bound};
pub use packing::{Packing, lower_bound, packing};
