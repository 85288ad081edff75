//! Gaussian noise on a query of sensitivity 1, on all records or on a Poisson sample of them.
//!
//! With noise of deviation `1/mu` in units of the sensitivity: `Q = N(0, 1)` and `P = (1 - rate) N(0, 1) + rate N(mu, 1)`, the laws
//! without and with the record. The likelihood ratio is `T(x) = 1 - rate + rate e^(mu x - mu^2/2)`, and rises.

use super::{Grid, Noise, Sketched};
use crate::accountant::cells::{Cell, Cells, Mass};
use crate::accountant::double::{guess_exp, guess_exp_minus_one, guess_ln};
use crate::accountant::interval::Interval;
use crate::accountant::normal;

/// The parts of a sketch are so wide, in standard deviations of the noise.
const FINE: f64 = 0.05;

/// The pair of one step.
#[derive(Debug, Clone, Copy)]
pub struct SampledGaussian {
    rate: Interval,
    rest: Interval,
    mu: Interval,
}

impl SampledGaussian {
    /// Noise of deviation `1/mu`, sampling at `rate`, `0 < rate <= 1`.
    #[must_use]
    pub fn new(rate: Interval, rest: Interval, mu: Interval) -> Self {
        Self { rate, rest, mu }
    }

    /// About the outcome with this loss; `-infinity` where all losses are larger.
    fn place(&self, loss: f64) -> f64 {
        let (rate, mu) = (self.rate.middle(), self.mu.middle());
        let ratio = (guess_exp_minus_one(loss) + rate) / rate;
        if ratio <= 0.0 {
            f64::NEG_INFINITY
        } else {
            guess_ln(ratio) / mu + 0.5 * mu
        }
    }

    /// About the loss of this outcome.
    fn loss_at(&self, x: f64) -> f64 {
        let (rate, mu) = (self.rate.middle(), self.mu.middle());
        let exponent = mu * (x - 0.5 * mu);
        if exponent > 600.0 {
            return exponent + guess_ln(rate);
        }
        guess_ln(self.rest.middle() + rate * guess_exp(exponent))
    }

    /// About the logarithm of Q's density along the loss.
    fn ln_density(&self, loss: f64) -> f64 {
        let (rate, mu) = (self.rate.middle(), self.mu.middle());
        let ratio = (guess_exp_minus_one(loss) + rate) / rate;
        if ratio <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let x = self.place(loss);
        // The loss rises with x by mu rate ratio / e^loss.
        loss - 0.5 * x * x - guess_ln(mu * rate * ratio)
    }

    /// The likelihood ratio of this outcome.
    fn ratio_at(&self, x: f64) -> Interval {
        let exponent = self.mu * (Interval::exactly(x) - self.mu * Interval::exactly(0.5));
        self.rest + self.rate * exponent.exp()
    }

    fn mass(&self, a: f64, b: f64) -> Mass {
        let without = normal::mass(a, b, Interval::ZERO);
        let with = normal::mass(a, b, self.mu);
        Mass {
            p: self.rest * without + self.rate * with,
            q: without,
        }
    }

    /// The outcomes between which all but a mass of about `tail` under either law lie.
    fn range(&self, tail: f64) -> (f64, f64) {
        let mut reach = 1.0;
        while normal::above(reach, Interval::ZERO) > tail && reach < 36.0 {
            reach += 0.05;
        }
        let mu = self.mu.middle();
        // The end that a likelihood near 1 - rate makes harmless needs no care: no loss is below it.
        (mu.min(0.0) - reach, mu + reach)
    }

    /// The largest distance of a node's loss from that of its place.
    fn slack(&self, cells: &Cells, places: &[f64]) -> f64 {
        let mut slack = 0.0_f64;
        for (i, x) in places.iter().enumerate() {
            if x.is_finite() {
                let node = cells.loss(cells.nodes[i]).exp();
                let ratio = self.ratio_at(*x);
                slack = slack
                    .max(ratio.hi / node.lo - 1.0)
                    .max(node.hi / ratio.lo - 1.0);
            }
        }
        // The two roundings here.
        slack + 1e-15
    }

    /// The cells from this node on; what has a smaller loss lies below them.
    pub(super) fn cells_from(&self, first: i64, grid: &Grid) -> Option<Cells> {
        let step = grid.step;
        let (_, right) = self.range(grid.tail);
        let last = ((self.loss_at(right) / step).ceil() as i64).max(first + 1);
        let known: Vec<f64> = self
            .sketch(grid.tail)
            .iter()
            .map(|part| part.loss)
            .filter(|loss| *loss >= first as f64 * step)
            .collect();
        let nodes = grid.nodes([first, last], |loss| self.ln_density(loss), &known)?;
        let places: Vec<f64> = nodes
            .iter()
            .map(|node| self.place(*node as f64 * step))
            .collect();
        let cell = |i: usize| {
            let (a, b) = (places[i], places[i + 1]);
            let cut = match b - a < 0.05 {
                true => 0.5 * (a + b),
                false => self
                    .place((0.5 * (nodes[i] + nodes[i + 1]) as f64) * step)
                    .clamp(a, b),
            };
            Cell {
                low: self.mass(a, cut),
                high: self.mass(cut, b),
            }
        };
        let mut cells = Cells {
            offset: 0.0,
            step,
            cells: (0..places.len() - 1).map(cell).collect(),
            nodes,
            on: Vec::new(),
            below: self.mass(f64::NEG_INFINITY, places[0]),
            above: self.mass(places[places.len() - 1], f64::INFINITY),
            slack: 0.0,
        };
        cells.slack = self.slack(&cells, &places);
        Some(cells)
    }
}

impl Noise for SampledGaussian {
    fn deviation(&self) -> f64 {
        let mu = self.mu.middle();
        let chi = guess_exp_minus_one((mu * mu).min(600.0));
        (self.rate.middle() * chi.sqrt()).min(mu)
    }

    fn sketch(&self, tail: f64) -> Vec<Sketched> {
        let (left, right) = self.range(tail);
        let parts = ((right - left) / FINE).ceil() as u32;
        let part = |i: u32| {
            let x = left + (f64::from(i) + 0.5) * FINE;
            let loss = self.loss_at(x);
            let q = FINE * guess_exp(-0.5 * x * x) * 0.398_942_280_401_432_7;
            Sketched {
                loss,
                width: self.loss_at(x + 0.5 * FINE) - self.loss_at(x - 0.5 * FINE),
                p: guess_exp(loss) * q,
                q,
            }
        };
        (0..parts).map(part).collect()
    }

    fn cells(&self, grid: &Grid) -> Option<Cells> {
        let (left, _) = self.range(grid.tail);
        self.cells_from((self.loss_at(left) / grid.step).floor() as i64, grid)
    }

    fn is_symmetric(&self) -> bool {
        self.rate == Interval::ONE
    }
}
