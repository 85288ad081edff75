//! The linear likelihood-ratio score: Fisher's discriminant, `(S_0 + S_1)^{-1} (m_1 - m_0)` for the means `m` and
//! the covariances `S` of the outputs under the two datasets. For normal laws of one covariance it orders the
//! outputs as their likelihood ratio does.

use super::equations::solve;
use super::feature::Feature;
use super::table::Table;

/// What is added to each variance, relative to it: makes the matrix definite.
const RIDGE: f64 = 1e-6;

/// The score; `None` if it would be a single feature.
pub(super) fn score(table: &Table) -> Option<Feature> {
    let width = table.width();
    if width < 2 || table.rows.iter().any(Vec::is_empty) {
        return None;
    }
    // 1. Means and covariances.
    let mut means = [vec![0.0; width], vec![0.0; width]];
    let mut covariance = vec![vec![0.0; width]; width];
    for (rows, mean) in table.rows.iter().zip(&mut means) {
        let n = rows.len() as f64;
        for row in rows {
            for (sum, x) in mean.iter_mut().zip(row) {
                *sum += x / n;
            }
        }
        for row in rows {
            for i in 0..width {
                for j in 0..=i {
                    covariance[i][j] += (row[i] - mean[i]) * (row[j] - mean[j]) / n;
                }
            }
        }
    }
    for (i, row) in covariance.iter_mut().enumerate() {
        row[i] = row[i] * (1.0 + RIDGE) + f64::MIN_POSITIVE;
    }
    // 2. The direction.
    let difference: Vec<f64> = means[1].iter().zip(&means[0]).map(|(a, b)| a - b).collect();
    let direction = solve(&covariance, &difference)?;
    // Of the logarithm of the odds: the covariance of one dataset is half of the sum.
    let weights: Vec<f64> = direction.iter().map(|w| 2.0 * w).collect();
    table.weighted(&weights)
}
