//! Where the nodes of one step are: close together where its law is dense, and farther apart in its tails.
//!
//! Any nodes give companions that hold. What a cell of width w costs is of the order of its tilted mass times `w^2`; for a
//! number of nodes the sum is least where w goes with the tilted density to the power -1/3.

use crate::accountant::double::guess_exp;

/// The most cells of one step.
const MOST_CELLS: f64 = 4e6;

/// Where the density is less than `e^-DENSE` of the largest, cells are wider than one step.
const DENSE: f64 = 6.0;

/// A grid for one step.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    /// The distance of which all losses of nodes are multiples.
    pub step: f64,
    /// A mass of about this may be outside of the cells.
    pub tail: f64,
    /// Cells are wider where Q times `e^(power loss)` is small; without it all have one width.
    pub power: Option<f64>,
}

impl Grid {
    /// Cells of one width.
    #[must_use]
    pub fn even(step: f64, tail: f64) -> Self {
        Self {
            step,
            tail,
            power: None,
        }
    }

    /// How many even cells cover this width, if they are not too many.
    #[must_use]
    pub fn count(&self, width: f64) -> Option<usize> {
        let count = (width / self.step - 1e-9).ceil().max(1.0);
        (count <= MOST_CELLS).then_some(count as usize)
    }

    /// Nodes from `first` to `last`, where Q has about `e^ln_density` for each unit of loss. Between two of the losses `known`,
    /// which rise, the density hardly changes.
    #[must_use]
    pub fn nodes(
        &self,
        [first, last]: [i64; 2],
        ln_density: impl Fn(f64) -> f64,
        known: &[f64],
    ) -> Option<Vec<i64>> {
        let Some(power) = self.power else {
            self.count((last - first) as f64 * self.step)?;
            return Some((first..=last).collect());
        };
        let height = |loss: f64| ln_density(loss) + power * loss;
        let peak = known
            .iter()
            .map(|loss| height(*loss))
            .fold(f64::MIN, f64::max);
        // Within a cell the tilted ratio grows by less than e.
        let widest = 0.5 / (1.0 + power.abs()) / self.step;
        let most = |loss: f64| {
            let below = (peak - DENSE - height(loss)) / 3.0;
            guess_exp(below.clamp(0.0, 100.0)).min(widest).max(1.0) as i64
        };
        let known: Vec<(i64, i64)> = known
            .iter()
            .map(|loss| ((loss / self.step).ceil() as i64, most(*loss)))
            .collect();
        let (mut node, mut nodes, mut passed) = (first, Vec::new(), 0);
        while node < last {
            nodes.push(node);
            if nodes.len() as f64 > MOST_CELLS {
                return None;
            }
            let mut width = most(node as f64 * self.step);
            while known.get(passed).is_some_and(|(at, _)| *at <= node) {
                passed += 1;
            }
            // What lies ahead may be denser: no cell reaches over it.
            for (at, most) in &known[passed..] {
                if *at >= node + width {
                    break;
                }
                width = width.min((*most).max(at - node));
            }
            node += width;
        }
        nodes.push(last.max(first + 1));
        Some(nodes)
    }
}
