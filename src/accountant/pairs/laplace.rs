//! Laplace noise on a query of sensitivity 1, on all records or on a Poisson sample of them.
//!
//! With noise of scale 1/b the loss of the pair without sampling is `u` in [-b, b]. Inside it has densities: Q has
//! `e^(-(u + b)/2) / 4`, P has `e^((u - b)/2) / 4`. At `-b` and `b` there are atoms of 1/2 and `e^-b / 2`, and the other way
//! round. With sampling P is `(1 - rate) Q + rate P`, and the loss `ln(1 - rate + rate e^u)`.

use super::{Grid, Noise, Sketched};
use crate::accountant::cells::{Cell, Cells, Mass};
use crate::accountant::double::{guess_exp, guess_exp_minus_one, guess_ln};
use crate::accountant::interval::Interval;

/// The pair of one step.
#[derive(Debug, Clone, Copy)]
pub struct SampledLaplace {
    rate: Interval,
    rest: Interval,
    b: Interval,
}

impl SampledLaplace {
    /// Noise of scale `1/b`, sampling at `rate`, `0 < rate <= 1`, of which `rest = 1 - rate`.
    #[must_use]
    pub fn new(rate: Interval, rest: Interval, b: Interval) -> Self {
        Self { rate, rest, b }
    }

    /// About the loss at `u`.
    fn loss_at(&self, u: f64) -> f64 {
        if self.rate == Interval::ONE {
            u
        } else {
            guess_ln(self.ratio_at(u).middle())
        }
    }

    fn ratio_at(&self, u: f64) -> Interval {
        self.rest + self.rate * Interval::exactly(u).exp()
    }

    /// About the `u` with this loss, not outside of `[-b, b]`.
    fn place(&self, loss: f64) -> f64 {
        let (rate, b) = (self.rate.middle(), self.b.middle());
        if self.rate == Interval::ONE {
            return loss.clamp(-b, b);
        }
        let ratio = (guess_exp_minus_one(loss) + rate) / rate;
        if ratio <= guess_exp(-b) {
            -b
        } else {
            guess_ln(ratio).clamp(-b, b)
        }
    }

    fn sampled(&self, p: Interval, q: Interval) -> Mass {
        Mass {
            p: self.rest * q + self.rate * p,
            q,
        }
    }

    /// What lies between two places inside; the ends are `-b` and `b` themselves.
    fn mass(&self, from: f64, to: f64) -> Mass {
        let half = Interval::exactly(0.5);
        let inside = |u: f64| match u.abs() < self.b.middle() {
            true => Interval::exactly(u),
            false if u < 0.0 => -self.b,
            false => self.b,
        };
        let (from, to) = (inside(from), inside(to));
        let width = (half * (to - from).not_negative()).not_negative();
        // 1 - e^-width = (e^width - 1) e^-width.
        let part = half * (width.exp_minus_one() * (-width).exp());
        let q = (-(half * (from + self.b))).exp() * part;
        let p = (half * (to - self.b)).exp() * part;
        self.sampled(p, q)
    }
}

impl Noise for SampledLaplace {
    fn deviation(&self) -> f64 {
        let width = self.loss_at(self.b.middle()) - self.loss_at(-self.b.middle());
        // Not above the larger atom's, and good enough to choose a step.
        0.5 * width
    }

    fn step(&self, wanted: f64) -> f64 {
        // Both atoms are on nodes.
        let width = self.loss_at(self.b.middle()) - self.loss_at(-self.b.middle());
        width / (width / wanted).ceil()
    }

    fn cells(&self, grid: &Grid) -> Option<Cells> {
        let step = grid.step;
        let b = self.b.middle();
        let (offset, end) = (self.loss_at(-b), self.loss_at(b));
        let count = grid.count(end - offset)?;
        let is_on_node = ((end - offset) / step - count as f64).abs() < 1e-9;
        let mut places: Vec<f64> = (0..=count)
            .map(|i| self.place(offset + i as f64 * step))
            .collect();
        (places[0], places[count]) = (-b, b);
        let cell = |i: usize| {
            let cut = 0.5 * (places[i] + places[i + 1]);
            Cell {
                low: self.mass(places[i], cut),
                high: self.mass(cut, places[i + 1]),
            }
        };
        let mut cells: Vec<Cell> = (0..count).map(cell).collect();
        let mut on = vec![Mass::ZERO; count + 1];
        let half = Interval::exactly(0.5);
        let small = half * (-self.b).exp();
        on[0] = self.sampled(small, half);
        let top = self.sampled(half, small);
        match is_on_node {
            true => on[count] = top,
            false => cells[count - 1].high = cells[count - 1].high.and(top),
        }
        let mut all = Cells {
            offset,
            step,
            nodes: (0..=count as i64).collect(),
            cells,
            on,
            below: Mass::ZERO,
            above: Mass::ZERO,
            slack: 0.0,
        };
        all.slack = self.slack(&all, &places, is_on_node);
        Some(all)
    }

    fn sketch(&self, _: f64) -> Vec<Sketched> {
        let b = self.b.middle();
        let part = |from: f64, to: f64, mass: Mass| Sketched {
            loss: self.loss_at(0.5 * (from + to)),
            width: self.loss_at(to) - self.loss_at(from),
            p: mass.p.middle(),
            q: mass.q.middle(),
        };
        let at = |i: u32| b * (f64::from(i) / 250.0 - 1.0);
        let mut all: Vec<Sketched> = (0..500)
            .map(|i| part(at(i), at(i + 1), self.mass(at(i), at(i + 1))))
            .collect();
        let half = Interval::exactly(0.5);
        let small = half * (-self.b).exp();
        all.push(part(-b, -b, self.sampled(small, half)));
        all.push(part(b, b, self.sampled(half, small)));
        all
    }

    fn is_symmetric(&self) -> bool {
        self.rate == Interval::ONE
    }
}

impl SampledLaplace {
    /// The largest distance of a node's ratio from that of its place.
    fn slack(&self, cells: &Cells, places: &[f64], is_on_node: bool) -> f64 {
        let mut slack = 0.0_f64;
        let inner = if is_on_node {
            places
        } else {
            &places[..places.len() - 1]
        };
        for (i, u) in inner.iter().enumerate() {
            let node = cells.loss(cells.nodes[i]).exp();
            // The ends are -b and b, about which the double is.
            let width = Interval::between(-self.b.radius(), self.b.radius()).exp();
            let ratio = self.ratio_at(*u) * width;
            slack = slack
                .max(ratio.hi / node.lo - 1.0)
                .max(node.hi / ratio.lo - 1.0);
        }
        slack + 1e-15
    }
}
