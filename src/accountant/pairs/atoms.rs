//! Laws of finitely many losses: each goes onto its node, or into its cell.

use super::{Grid, Noise, Sketched};
use crate::accountant::cells::{Cell, Cells, Mass};
use crate::accountant::double::U;
use crate::accountant::interval::Interval;

/// Losses nearer to a node than this part of the step are meant to be on it.
const ON_NODE: f64 = 1e-9;

/// A set of outcomes of one loss.
#[derive(Debug, Clone, Copy)]
pub struct Atom {
    /// Its loss, within a few units of the last place.
    pub loss: f64,
    /// Its masses.
    pub mass: Mass,
}

/// A pair of finite laws.
#[derive(Debug, Clone)]
pub struct Atoms {
    /// The atoms, losses rising.
    pub atoms: Vec<Atom>,
    /// What Q alone has.
    pub below: Mass,
    /// What P alone has, or what is not in the list.
    pub above: Mass,
    /// The distance of which all losses are multiples, up to an offset; 0 where there is none.
    pub spacing: f64,
    /// The relative error of the losses, in U.
    pub error: f64,
    /// Whether (Q, P) has the same curve.
    pub is_symmetric: bool,
}

impl Noise for Atoms {
    fn deviation(&self) -> f64 {
        let (mut sum, mut square, mut weight) = (0.0, 0.0, 0.0);
        for atom in &self.atoms {
            let p = atom.mass.p.middle();
            weight += p;
            sum += p * atom.loss;
            square += p * atom.loss * atom.loss;
        }
        let mean = sum / weight;
        (square / weight - mean * mean).max(0.0).sqrt().max(1e-9)
    }

    fn step(&self, wanted: f64) -> f64 {
        if self.spacing > 0.0 {
            return self.spacing;
        }
        // The smallest and the largest loss are put on nodes: no law on the grid is below the pair but loses them.
        let width = self.atoms[self.atoms.len() - 1].loss - self.atoms[0].loss;
        if width > 0.0 {
            width / (width / wanted).ceil()
        } else {
            wanted
        }
    }

    fn cells(&self, grid: &Grid) -> Option<Cells> {
        let step = grid.step;
        let offset = self.atoms[0].loss;
        let width = self.atoms[self.atoms.len() - 1].loss - offset;
        let count = grid.count(width + step)?;
        let empty = Cell {
            low: Mass::ZERO,
            high: Mass::ZERO,
        };
        let mut cells = vec![empty; count];
        let mut on = vec![Mass::ZERO; count + 1];
        for atom in &self.atoms {
            let place = (atom.loss - offset) / step;
            if (place - place.round()).abs() <= ON_NODE {
                let node = &mut on[place.round() as usize];
                *node = node.and(atom.mass);
                continue;
            }
            let cell = &mut cells[place.floor() as usize];
            let half = if place.fract() < 0.5 {
                &mut cell.low
            } else {
                &mut cell.high
            };
            *half = half.and(atom.mass);
        }
        let largest = self
            .atoms
            .iter()
            .fold(0.0_f64, |most, atom| most.max(atom.loss.abs()));
        Some(Cells {
            offset,
            step,
            nodes: (0..=count as i64).collect(),
            cells,
            on,
            below: self.below,
            above: self.above,
            slack: self.slack(step, offset, largest),
        })
    }

    fn sketch(&self, _: f64) -> Vec<Sketched> {
        let all = self.atoms.iter().map(|atom| Sketched {
            loss: atom.loss,
            width: 0.0,
            p: atom.mass.p.middle(),
            q: atom.mass.q.middle(),
        });
        all.collect()
    }

    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }
}

impl Atoms {
    /// How far atoms may be from the nodes that they are on: measured, and what the losses err by.
    fn slack(&self, step: f64, offset: f64, largest: f64) -> f64 {
        let off = self.atoms.iter().map(|atom| {
            let place = (atom.loss - offset) / step;
            let node = crate::accountant::cells::loss(offset, step, place.round() as i64);
            let distance = Interval::exactly(atom.loss) - node;
            let is_on = (place - place.round()).abs() <= ON_NODE;
            if is_on {
                distance.hi.max(-distance.lo)
            } else {
                0.0
            }
        });
        let off = off.fold(0.0, f64::max) + (self.error + 2.0) * U * largest + 1e-300;
        // e^x - 1 <= x + x^2 for x <= 1.
        (off + off * off) * (1.0 + 8.0 * U)
    }
}
