//! Jain, Thakurta 2013, "Differentially Private Learning with Kernels" (`jt13`).
//!
//! Neighbouring datasets differ in one record, which is substituted; their number is public.
//!
//! Where each item is:
//!
//! - Theorem A, ours, in the place of Theorem 9, on what rounds of noisy answers cost:
//!   [`crate::privacy::noisy_answers`]; its closed forms and the constants of Algorithm 1: [`bounds::noisy_answers`];
//! - the claims of the paper, and the evidence for them: [`checks`].

#![deny(clippy::float_arithmetic)]

pub mod bounds;
pub mod checks;
