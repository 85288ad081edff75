//! The pairs of laws of one step, a file each, as cells on a grid.
//!
//! Each is the pair that dominates a mechanism under adding or removing one record, or under substitution where it says so;
//! `spec/accounting.md` says why.

pub mod allocation;
pub mod atoms;
pub mod fixed;
pub mod gaussian;
pub mod grid;
pub mod laplace;
pub mod lattice;

use super::cells::Cells;
pub use grid::Grid;

/// A part of a pair of laws, in plain floats: it decides where nodes are worth their cost, and nothing else.
#[derive(Debug, Clone, Copy)]
pub struct Sketched {
    /// The loss in its middle.
    pub loss: f64,
    /// How far its losses spread.
    pub width: f64,
    /// About its mass under P.
    pub p: f64,
    /// About its mass under Q.
    pub q: f64,
}

/// A pair of laws that can be cut into cells.
pub trait Noise: std::fmt::Debug {
    /// About the standard deviation of its loss.
    fn deviation(&self) -> f64;

    /// The distance of nodes that suits it, at most about `wanted` where it can be chosen.
    fn step(&self, wanted: f64) -> f64 {
        wanted
    }

    /// The pair in a few hundred parts, without tails of about this mass.
    fn sketch(&self, tail: f64) -> Vec<Sketched>;

    /// The cells on this grid; nothing where there are more than memory is meant for.
    fn cells(&self, grid: &Grid) -> Option<Cells>;

    /// A pair above in cells, and one below where that is another.
    fn both(&self, grid: &Grid) -> Option<(Cells, Option<Cells>)> {
        Some((self.cells(grid)?, None))
    }

    /// Whether (Q, P) has the same curve.
    fn is_symmetric(&self) -> bool;
}
