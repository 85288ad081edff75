//! The exact laws of the samplers: probabilities, moments and privacy profiles, as enclosures.
//!
//! The sampler of each law stands in [`crate::sample`]; here is what it must come out as. Every value
//! is a certified [`Enclosure`](crate::number::Enclosure) at the working precision asked for; to get
//! a number of decimal digits, wrap the call in [`certify`](crate::number::certify).
//!
//! [`Noise::around`] and [`Noise::around_all`] make the law of a release: noise around an exact integer or vector.
//! [`named`] has the laws by name, with their definitions.
//!
//! The *privacy profile* of additive noise `Y` at an integer shift `D` is
//! `delta(epsilon) = sup_E Pr[Y + D in E] - e^epsilon Pr[Y in E]`: adding `Y` to an integer query is
//! `(epsilon, delta)`-differentially private, under the neighbouring relation for which the query
//! moves by exactly `D`.

#![deny(clippy::float_arithmetic)]

mod around;
mod discrete_gaussian;
mod discrete_laplace;
mod exponential_mechanism;
mod gamma;
mod geometric;
pub mod named;
mod theta;

pub use around::{Around, AroundAll, Noise};
pub use gamma::GammaLaw;
