//! Solvers: exact ones on small instances, and fast ones that say by how much they are off.
//!
//! A fast solver may use floats, since nothing private rests on them: what it returns is placed on the
//! grid, and a gap that is certified in integers says how far that is from the optimum.

pub mod exact;
