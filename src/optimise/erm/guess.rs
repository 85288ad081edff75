//! A guess of the dual, in floats: what comes of it is decided in integers by the ascent.

// A guess: any numbers at all would do.
#![allow(clippy::float_arithmetic)]

use super::problem::Erm;
use super::products::Products;
use crate::number::Rational;
use num_traits::ToPrimitive;

/// The most rows of products that are kept: 128 MiB.
const KEPT: usize = 4096;

/// The most rounds through all variables.
const ROUNDS: usize = 1000;

/// Floats are not asked for more bits than these.
const FLOAT_BITS: u32 = 44;

/// The steps of Newton's method for one variable of the logistic loss.
const NEWTON: usize = 30;

/// Weights in steps of `2^-bits`, each within its interval: one variable after the other is set to its best value, until a
/// round changes no weight, and no prediction of its own record, by more than a step, or by what floats resolve.
pub(super) fn guess<P: Products>(erm: &Erm<'_, P>, bits: u32) -> Vec<i64> {
    let count = erm.counts.len();
    let grid = f64::from(bits).exp2();
    // 1/(lambda n), for products in steps.
    let unit = float(&erm.prediction_unit(0));
    let labels: Vec<f64> = (0..count).map(|i| float(&erm.label(i))).collect();
    let slope = float(&erm.slope);
    let width = erm.quadratic.as_ref().map(|loss| float(&loss.width));
    let intervals: Vec<(f64, f64)> = (0..count)
        .map(|i| match &erm.quadratic {
            Some(loss) => {
                let (low, high) = loss.interval(&erm.label(i));
                (float(&low), float(&high))
            }
            None => (labels[i].min(0.0), labels[i].max(0.0)),
        })
        .collect();
    let mut kept: Vec<Vec<i64>> = Vec::new();
    let mut row = Vec::new();
    if count <= KEPT {
        for i in 0..count {
            erm.products.row(i, &mut row);
            kept.push(row.clone());
        }
    }
    let mut weights: Vec<f64> = intervals
        .iter()
        .map(|(low, high)| 0f64.clamp(*low, *high))
        .collect();
    let mut predictions = vec![0.0; count];
    let mut add = |i: usize, by: f64, predictions: &mut [f64]| {
        let values = match kept.get(i) {
            Some(values) => values,
            None => {
                erm.products.row(i, &mut row);
                &row
            }
        };
        let by = by * erm.counts[i] as f64 * unit;
        for (f, value) in predictions.iter_mut().zip(values) {
            *f += by * *value as f64;
        }
    };
    for (i, weight) in weights.iter().enumerate().filter(|(_, a)| **a != 0.0) {
        add(i, *weight, &mut predictions);
    }
    for _ in 0..ROUNDS {
        let mut largest = 0f64;
        for i in 0..count {
            let curvature = erm.products.value(i, i) as f64 * erm.counts[i] as f64 * unit;
            let (low, high) = intervals[i];
            let best = match width {
                Some(width) if width + curvature > 0.0 => {
                    let rise = labels[i] - predictions[i] - width * weights[i];
                    weights[i] + rise / (width + curvature)
                }
                Some(_) => {
                    if labels[i] > predictions[i] {
                        high
                    } else {
                        low
                    }
                }
                None => {
                    let without = labels[i] * predictions[i] - curvature * weights[i] * labels[i];
                    labels[i] * logistic(without, curvature)
                }
            };
            let by = best.clamp(low, high) - weights[i];
            if by != 0.0 && by.is_finite() {
                weights[i] += by;
                add(i, by, &mut predictions);
                largest = largest.max(by.abs() * curvature.max(1.0));
            }
        }
        if largest <= slope / f64::from(bits.min(FLOAT_BITS)).exp2() {
            break;
        }
    }
    let steps = |(weight, (low, high)): (&f64, &(f64, f64))| {
        (weight.clamp(*low, *high) * grid).round() as i64
    };
    weights.iter().zip(&intervals).map(steps).collect()
}

/// The `s` with `ln((1 - s)/s) = t + curvature s`.
fn logistic(t: f64, curvature: f64) -> f64 {
    // In x = ln(s/(1 - s)) the equation is x + t + curvature s(x) = 0, whose slope is at least 1.
    let mut x = -t;
    let (mut below, mut above) = (-t - curvature, -t);
    for _ in 0..NEWTON {
        let s = 1.0 / (1.0 + (-x).exp());
        let value = x + t + curvature * s;
        if value > 0.0 {
            above = x;
        } else {
            below = x;
        }
        let next = x - value / (1.0 + curvature * s * (1.0 - s));
        x = if (below..=above).contains(&next) {
            next
        } else {
            (below + above) / 2.0
        };
    }
    1.0 / (1.0 + (-x).exp())
}

fn float(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(0.0)
}
