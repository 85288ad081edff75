//! Gaussian noise on the sum of a batch of fixed size, drawn without replacement; neighbours by substitution.
//!
//! With (P, Q) the pair of a sampled Gaussian whose mean moves by what a substitution moves a sum, no `h(g)` of a step is
//! above that of (P, Q) for `g >= 1`, nor above that of (Q, P) for `g <= 1`. The pair here has just that curve: it has the
//! outcomes of positive loss of (P, Q), their mirror images, which are those of negative loss of (Q, P), and the rest at
//! loss 0 (`spec/accounting.md`, claim `privacy.fixed-batch`).

use super::gaussian::SampledGaussian;
use super::{Grid, Noise, Sketched};
use crate::accountant::cells::{Cells, Mass};
use crate::accountant::interval::Interval;

/// The pair of one step: no `h` of a step is above its `h`.
#[derive(Debug, Clone, Copy)]
pub struct FixedBatch {
    sampled: SampledGaussian,
}

impl FixedBatch {
    /// Of the pair of one direction: what a step costs at thresholds of at least 1.
    #[must_use]
    pub fn new(sampled: SampledGaussian) -> Self {
        Self { sampled }
    }
}

impl Noise for FixedBatch {
    fn deviation(&self) -> f64 {
        self.sampled.deviation()
    }

    fn sketch(&self, tail: f64) -> Vec<Sketched> {
        let mut right = self.sampled.sketch(tail);
        right.retain(|part| part.loss > 0.0);
        let (p, q) = right
            .iter()
            .fold((0.0, 0.0), |(p, q), part| (p + part.p, q + part.q));
        let rest = (1.0 - p - q).max(0.0);
        let mirrored = right.iter().rev().map(|part| Sketched {
            loss: -part.loss,
            width: part.width,
            p: part.q,
            q: part.p,
        });
        let middle = Sketched {
            loss: 0.0,
            width: 0.0,
            p: rest,
            q: rest,
        };
        let left: Vec<Sketched> = mirrored.chain([middle]).collect();
        left.into_iter().chain(right).collect()
    }

    fn cells(&self, grid: &Grid) -> Option<Cells> {
        let right = self.sampled.cells_from(0, grid)?;
        let left = right.swapped();
        // Each law has as much on the left as the other on the right, so both have this at loss 0: all but both right parts.
        let Mass { p, q } = right.below;
        let rest = (p + q - Interval::ONE).not_negative();
        let mut on = vec![Mass::ZERO; left.cells.len()];
        on.push(Mass { p: rest, q: rest });
        on.resize(left.nodes.len() + right.cells.len(), Mass::ZERO);
        Some(Cells {
            nodes: [&left.nodes[..], &right.nodes[1..]].concat(),
            cells: [&left.cells[..], &right.cells[..]].concat(),
            on,
            below: left.below,
            ..right
        })
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}
