//! The logistic likelihood-ratio score: the weights `w` and the constant `c` for which `sigmoid(w x + c)` predicts
//! best which dataset an output `x` came from. Unlike the linear score it asks for no moments.
//!
//! Minimises `sum log(1 + exp(-y (w x + c))) + RIDGE |w|^2 / 2`, with `y = 1` for the second dataset and `-1` for the
//! first, by Newton's method: a convex problem, with a fixed number of steps, and no coins.

use super::equations::solve;
use super::feature::Feature;
use super::table::Table;

/// Keeps the weights finite where the datasets can be told apart always.
const RIDGE: f64 = 1.0;
/// The most steps of Newton's method, and the most halvings of one.
const STEPS: usize = 12;
const HALVINGS: usize = 8;
/// The relative progress after which it stops.
const ENOUGH: f64 = 1e-9;

/// The score; `None` if it would be a single feature.
pub(super) fn score(table: &Table) -> Option<Feature> {
    let weights = weights(table).filter(|_| table.width() >= 2)?;
    table.weighted(&weights[..table.width()])
}

/// The weights of the columns, and at last the constant; `None` if there is nothing to fit.
pub(super) fn weights(table: &Table) -> Option<Vec<f64>> {
    if table.width() == 0 || table.rows.iter().any(Vec::is_empty) {
        return None;
    }
    fit(&table.rows)
}

/// The weights, and at last the constant.
fn fit(rows: &[Vec<Vec<f64>>; 2]) -> Option<Vec<f64>> {
    let width = rows[0].first()?.len();
    let mut weights = vec![0.0; width + 1];
    let mut here = loss(rows, &weights);
    for _ in 0..STEPS {
        // 1. Gradient and Hessian.
        let mut gradient: Vec<f64> = weights.iter().map(|w| RIDGE * w).collect();
        let mut hessian = vec![vec![0.0; width + 1]; width + 1];
        for (side, rows) in rows.iter().enumerate() {
            for row in rows {
                let p = 1.0 / (1.0 + (-inner(&weights, row)).exp());
                let (residual, curvature) = (p - side as f64, p * (1.0 - p));
                for i in 0..=width {
                    let x = entry(row, i);
                    gradient[i] += residual * x;
                    for (j, sum) in hessian[i][..=i].iter_mut().enumerate() {
                        *sum += curvature * x * entry(row, j);
                    }
                }
            }
        }
        for (i, row) in hessian.iter_mut().enumerate() {
            row[i] += RIDGE;
        }
        // 2. A step, halved until it goes down.
        let step = solve(&hessian, &gradient)?;
        let mut length = 1.0;
        let next = (0..HALVINGS).find_map(|_| {
            let moved: Vec<f64> = weights
                .iter()
                .zip(&step)
                .map(|(w, s)| w - length * s)
                .collect();
            let there = loss(rows, &moved);
            length /= 2.0;
            (there < here).then_some((moved, there))
        });
        let Some((moved, there)) = next else { break };
        let progress = here - there;
        (weights, here) = (moved, there);
        if progress < ENOUGH * here {
            break;
        }
    }
    Some(weights)
}

/// The entry of a row; after its end, the 1 that the constant multiplies.
fn entry(row: &[f64], index: usize) -> f64 {
    row.get(index).copied().unwrap_or(1.0)
}

fn inner(weights: &[f64], row: &[f64]) -> f64 {
    let products = weights.iter().zip(row).map(|(w, x)| w * x);
    products.sum::<f64>() + weights[row.len()]
}

fn loss(rows: &[Vec<Vec<f64>>; 2], weights: &[f64]) -> f64 {
    let mut sum = RIDGE / 2.0 * weights.iter().map(|w| w * w).sum::<f64>();
    for (rows, sign) in rows.iter().zip([1.0, -1.0]) {
        for row in rows {
            // log(1 + e^z), without overflow.
            let z = sign * inner(weights, row);
            sum += z.max(0.0) + (-z.abs()).exp().ln_1p();
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_is_where_the_gradient_vanishes() {
        let row = |i: usize, shift: f64| {
            let noise = |k: usize| ((i * k) % 101) as f64 / 50.0 - 1.0;
            vec![noise(37) + shift, noise(53) - 0.5 * shift]
        };
        let rows = [0.0, 0.3].map(|shift| (0..3000).map(|i| row(i, shift)).collect::<Vec<_>>());
        let weights = fit(&rows).unwrap();
        let least = loss(&rows, &weights);
        for i in 0..3 {
            for change in [-1e-3, 1e-3] {
                let mut moved = weights.clone();
                moved[i] += change;
                assert!(loss(&rows, &moved) > least, "{weights:?}");
            }
        }
        assert!(weights[0] > 0.1 && weights[1] < -0.1, "{weights:?}");
    }

    #[test]
    fn datasets_that_never_overlap_have_finite_weights() {
        let rows = [0.0, 5.0].map(|shift| {
            let row = |i: usize| vec![shift + (i % 7) as f64 / 7.0, (i % 5) as f64];
            (0..1000).map(row).collect::<Vec<_>>()
        });
        let weights = fit(&rows).unwrap();
        assert!(weights.iter().all(|w| w.is_finite() && w.abs() < 1e3));
        assert!(weights[0] > 1.0, "{weights:?}");
        assert!(fit(&[Vec::new(), Vec::new()]).is_none());
    }
}
