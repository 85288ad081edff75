//! A pair of laws, cut into cells along its privacy loss.

use super::interval::Interval;

/// How likely a set of outcomes is under each law of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Mass {
    /// Under the first law, P.
    pub p: Interval,
    /// Under the second law, Q.
    pub q: Interval,
}

impl Mass {
    /// No outcome.
    pub const ZERO: Self = Self {
        p: Interval::ZERO,
        q: Interval::ZERO,
    };

    /// The union of two disjoint sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            p: self.p + other.p,
            q: self.q + other.q,
        }
    }

    /// This fraction of it: of the outcomes, or of each by a coin.
    #[must_use]
    pub fn times(self, fraction: Interval) -> Self {
        Self {
            p: self.p * fraction,
            q: self.q * fraction,
        }
    }

    fn swapped(self) -> Self {
        Self {
            p: self.q,
            q: self.p,
        }
    }
}

/// A cell: the outcomes whose loss lies between two nodes, cut in two anywhere.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// The part with the smaller losses.
    pub low: Mass,
    /// The part with the larger losses.
    pub high: Mass,
}

/// A pair of laws in cells. Node `j` is the loss `offset + j step`; cell `i` lies between `nodes[i]` and `nodes[i + 1]`.
#[derive(Debug, Clone)]
pub struct Cells {
    /// The loss of node 0.
    pub offset: f64,
    /// The distance of two nodes.
    pub step: f64,
    /// The nodes, rising; at least two.
    pub nodes: Vec<i64>,
    /// The cells, one fewer than nodes.
    pub cells: Vec<Cell>,
    /// What lies on each node itself, as many as nodes; or none.
    pub on: Vec<Mass>,
    /// What lies below the first node.
    pub below: Mass,
    /// What lies above the last node.
    pub above: Mass,
    /// By how much ratios may be off: in a cell and on a node they lie within a factor of `1 + slack` of between its
    /// nodes, or of it.
    pub slack: f64,
}

impl Cells {
    /// The loss of a node.
    #[must_use]
    pub fn loss(&self, node: i64) -> Interval {
        loss(self.offset, self.step, node)
    }

    /// What lies on node `j`, counted from the first.
    #[must_use]
    pub fn on_node(&self, j: usize) -> Mass {
        self.on.get(j).copied().unwrap_or(Mass::ZERO)
    }

    /// The pair (Q, P): losses change their sign.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let swap = |cell: &Cell| Cell {
            low: cell.high.swapped(),
            high: cell.low.swapped(),
        };
        Self {
            offset: -self.offset,
            step: self.step,
            nodes: self.nodes.iter().rev().map(|node| -node).collect(),
            cells: self.cells.iter().rev().map(swap).collect(),
            on: self.on.iter().rev().map(|mass| mass.swapped()).collect(),
            below: self.above.swapped(),
            above: self.below.swapped(),
            slack: self.slack,
        }
    }
}

/// `offset + node step`.
#[must_use]
pub fn loss(offset: f64, step: f64, node: i64) -> Interval {
    // Nodes are far below 2^53.
    let product = Interval::exactly(node as f64) * Interval::exactly(step);
    if offset == 0.0 {
        product
    } else {
        product + Interval::exactly(offset)
    }
}
