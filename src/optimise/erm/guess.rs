//! A guess of the dual, in floats: what comes of it is decided in integers by the ascent.

// A guess: any numbers at all would do.
#![allow(clippy::float_arithmetic)]

use super::problem::Erm;
use super::products::{Products, Rows};
use super::sums::Sums;
use crate::number::Rational;
use num_traits::ToPrimitive;

/// The most numbers that are added up: half a minute.
const MOST_WORK: u64 = 1 << 35;

/// By so much the threshold falls from one level to the next.
const FALL: f64 = 4.0;

/// Floats resolve no smaller threshold, as a share of the first.
const SMALLEST: f64 = 1e-14;

/// To decide whether a variable is moved takes as long as so many numbers, beside those of its sum.
const LOOKING: u64 = 16;

/// The most steps of Newton's method for one variable of the logistic loss.
const NEWTON: usize = 64;

/// Weights in steps of `2^-bits`, each within its interval.
///
/// A variable is moved to its best value given the others if that moves the prediction of its own record by more than a
/// threshold. So the few that matter are moved, each at the cost of a row of products; looking at the others costs little.
/// Where no variable moves any more, the threshold falls. It ends where the gap, in floats, is within half the tolerance.
pub(super) fn guess<P: Products>(
    erm: &Erm<'_, P>,
    bits: u32,
    tolerance: &Rational,
    rows: &mut Rows<'_, P>,
) -> Vec<i64> {
    let mut state = State::new(erm, rows);
    let tolerance = float(tolerance) / 2.0;
    let first = state.largest_step();
    let mut threshold = first / FALL;
    let (count, (moving, looking)) = (state.weights.len() as u64, state.sums.costs());
    let mut work = 0;
    while state.gap() > tolerance && threshold > SMALLEST * first && work < MOST_WORK {
        let moved = state.round(threshold);
        if moved == 0 {
            threshold /= FALL;
        }
        work += moved * moving + (LOOKING + looking) * count;
    }
    let grid = f64::from(bits).exp2();
    let steps = |(weight, (low, high)): (&f64, &(f64, f64))| {
        (weight.clamp(*low, *high) * grid).round() as i64
    };
    state
        .weights
        .iter()
        .zip(&state.intervals)
        .map(steps)
        .collect()
}

/// The problem and a dual point in floats.
struct State<'r, 'a, P> {
    labels: Vec<f64>,
    counts: Vec<f64>,
    intervals: Vec<(f64, f64)>,
    /// `d`; nothing of the logistic loss.
    width: Option<f64>,
    /// `m_i K_ii/(lambda n)`.
    curvatures: Vec<f64>,
    /// `1/(lambda n)`, for products in steps.
    unit: f64,
    weights: Vec<f64>,
    sums: Sums<'r, 'a, P, f64>,
}

impl<'r, 'a, P: Products> State<'r, 'a, P> {
    fn new(erm: &Erm<'_, P>, rows: &'r mut Rows<'a, P>) -> Self {
        let count = erm.counts.len();
        let unit = float(&erm.prediction_unit(0));
        let labels: Vec<f64> = (0..count).map(|i| float(&erm.label(i))).collect();
        let counts: Vec<f64> = erm.counts.iter().map(|m| *m as f64).collect();
        let interval = |i: usize| match &erm.quadratic {
            Some(loss) => {
                let (low, high) = loss.interval(&erm.label(i));
                (float(&low), float(&high))
            }
            None => (labels[i].min(0.0), labels[i].max(0.0)),
        };
        let intervals: Vec<(f64, f64)> = (0..count).map(interval).collect();
        let curvature = |i: usize| erm.products.value(i, i) as f64 * counts[i] * unit;
        let start = |(low, high): &(f64, f64)| 0f64.clamp(*low, *high);
        let mut state = Self {
            width: erm.quadratic.as_ref().map(|loss| float(&loss.width)),
            curvatures: (0..count).map(curvature).collect(),
            weights: intervals.iter().map(start).collect(),
            sums: Sums::new(rows),
            labels,
            counts,
            intervals,
            unit,
        };
        for i in 0..count {
            let weight = state.weights[i];
            if weight != 0.0 {
                state.sums.add(i, &(weight * state.counts[i]));
            }
        }
        state
    }

    /// The prediction of a record.
    fn prediction(&self, i: usize) -> f64 {
        self.sums.at(i) * self.unit
    }

    /// How far a variable is from its best value, given the others.
    fn step(&self, i: usize) -> f64 {
        let (curvature, weight) = (self.curvatures[i], self.weights[i]);
        let (low, high) = self.intervals[i];
        let residual = self.labels[i] - self.prediction(i);
        let best = match self.width {
            Some(width) if width + curvature > 0.0 => {
                weight + (residual - width * weight) / (width + curvature)
            }
            Some(_) if residual > 0.0 => high,
            Some(_) => low,
            None => {
                let margin = self.labels[i] * self.prediction(i);
                let without = margin - curvature * weight * self.labels[i];
                self.labels[i] * logistic(without, curvature)
            }
        };
        let step = best.clamp(low, high) - weight;
        if step.is_finite() { step } else { 0.0 }
    }

    /// A step in units of predictions; nothing of a record that no prediction depends on.
    fn size(&self, i: usize, step: f64) -> f64 {
        step.abs() * (self.width.unwrap_or(0.0) + self.curvatures[i])
    }

    fn largest_step(&self) -> f64 {
        let all = (0..self.weights.len()).map(|i| self.size(i, self.step(i)));
        all.fold(0.0, f64::max)
    }

    /// Moves all variables whose step is above the threshold; says how many.
    fn round(&mut self, threshold: f64) -> u64 {
        let mut moved = 0;
        for i in 0..self.weights.len() {
            let step = self.step(i);
            if self.size(i, step) > threshold || (step != 0.0 && self.curvatures[i] == 0.0) {
                self.weights[i] += step;
                self.sums.add(i, &(step * self.counts[i]));
                moved += 1;
            }
        }
        moved
    }

    /// The gap: the mean of the Fenchel-Young losses.
    fn gap(&self) -> f64 {
        let sum: f64 = (0..self.weights.len())
            .map(|i| self.counts[i] * self.fenchel_young(i))
            .sum();
        sum / self.counts.iter().sum::<f64>()
    }

    fn fenchel_young(&self, i: usize) -> f64 {
        let weight = self.weights[i];
        let (low, high) = self.intervals[i];
        match self.width {
            Some(width) => {
                let residual = self.labels[i] - self.prediction(i);
                let best = match width > 0.0 {
                    true => (residual / width).clamp(low, high),
                    false if residual > 0.0 => high,
                    false => low,
                };
                let by = best - weight;
                by * (residual - width * weight) - width * by * by / 2.0
            }
            None => {
                let (s, t) = (weight * self.labels[i], self.labels[i] * self.prediction(i));
                // The divergence of coins of s and p = 1/(1 + e^t).
                let part = |s: f64, p: f64| if s > 0.0 { s * (s / p).ln() } else { 0.0 };
                let p = |t: f64| 1.0 / (1.0 + t.exp());
                part(s, p(t)) + part(1.0 - s, p(-t))
            }
        }
    }
}

/// The `s` with `ln((1 - s)/s) = t + curvature s`: Newton's method, and a bisection wherever that does not halve the step.
fn logistic(t: f64, curvature: f64) -> f64 {
    let share = |x: f64| 1.0 / (1.0 + (-x).exp());
    // In x = ln(s/(1 - s)) the equation is x + t + curvature s(x) = 0, whose slope is at least 1.
    let (mut below, mut above) = (-t - curvature, -t);
    let mut x = (below + above) / 2.0;
    let (mut step, mut before) = (curvature, curvature);
    for _ in 0..NEWTON {
        let s = share(x);
        let value = x + t + curvature * s;
        let slope = 1.0 + curvature * s * (1.0 - s);
        if value > 0.0 {
            above = x;
        } else {
            below = x;
        }
        let mut next = x - value / slope;
        if !(below..=above).contains(&next) || (2.0 * value).abs() > (before * slope).abs() {
            next = (below + above) / 2.0;
        }
        if next == x {
            break;
        }
        (before, step) = (step, (next - x).abs());
        x = next;
    }
    share(x)
}

fn float(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_of_the_logistic_loss_is_solved_for() {
        for t in [-3000.0, -12.4, -9.6, -0.1, 0.0, 3.0, 700.0] {
            for curvature in [0.0, 1e-9, 0.5, 12.3, 19.9, 6000.0] {
                let s = logistic(t, curvature);
                // The derivative of the dual changes its sign at s.
                let rise = |s: f64| ((1.0 - s) / s).ln() - t - curvature * s;
                let by = 1e-9;
                assert!(s < by || rise(s - by) > 0.0, "{t} {curvature}: {s}");
                assert!(1.0 - s < by || rise(s + by) < 0.0, "{t} {curvature}: {s}");
            }
        }
    }
}
