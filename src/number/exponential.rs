//! Exponential.
