//! Liao, Needell, Schaeffer, Xue 2025, "Differentially Private Random Feature Model" (`lnsx25`).
//!
//! Neighbouring datasets differ in one record, which is substituted, or added or removed: the two
//! relations have two sensitivities.

pub mod as_coded;
pub mod as_printed;
pub mod bounds;
pub mod fairness;
pub mod gamma;
pub mod impossibility;
pub mod instances;
pub mod least_squares;
pub mod sgd;
