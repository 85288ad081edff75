//! The pairs of laws of one step, a file each, as cells on a grid.
//!
//! Each is the pair that dominates a mechanism under adding or removing one record; `spec/accounting.md` says why.

pub mod atoms;
pub mod gaussian;
pub mod laplace;
pub mod lattice;

use super::cells::Cells;

/// A pair of laws that can be cut into cells.
pub trait Noise: std::fmt::Debug {
    /// About the standard deviation of its loss.
    fn deviation(&self) -> f64;

    /// The distance of nodes that suits it, at most about `wanted` where it can be chosen.
    fn step(&self, wanted: f64) -> f64 {
        wanted
    }

    /// About how far apart the smallest and the largest node must be.
    fn width(&self, tail: f64) -> f64;

    /// The cells at this distance of nodes. A mass of about `tail` may be outside of them.
    fn cells(&self, step: f64, tail: f64) -> Cells;

    /// Whether (Q, P) has the same curve.
    fn is_symmetric(&self) -> bool;
}
