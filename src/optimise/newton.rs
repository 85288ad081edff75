//! Newton's step of ridge regression in floats: a guess that the caller certifies.

// Nothing rests on these floats: a wrong step is rejected, in integers, by the caller.
#![allow(clippy::float_arithmetic)]

use super::FeatureMatrix;
use super::gram::{gram, transposed};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// `Phi Phi^T + Lambda I` or `Phi^T Phi + Lambda I`, the smaller of the two, factorised; all in steps of the
/// feature grid.
pub(super) enum Newton {
    /// Fewer rows than columns.
    Rows {
        // One column a record.
        transposed: DMatrix<f64>,
        factor: Cholesky<f64, Dyn>,
        penalty: f64,
    },
    /// Fewer columns than rows.
    Columns { factor: Cholesky<f64, Dyn> },
}

impl Newton {
    /// Factorises; `None` if the floats do not find the matrix positive definite. `penalty` is `Lambda` in
    /// squared steps.
    pub(super) fn new(features: &FeatureMatrix, penalty: f64) -> Option<Self> {
        let transposed = transposed(features);
        // The factorisation reads the lower triangle only.
        let factorise = |mut gram: DMatrix<f64>| {
            for j in 0..gram.nrows() {
                gram[(j, j)] += penalty;
            }
            Cholesky::new(gram)
        };
        if features.columns() < features.rows() {
            let factor = factorise(gram(&transposed.transpose()))?;
            return Some(Self::Columns { factor });
        }
        let factor = factorise(gram(&transposed))?;
        Some(Self::Rows {
            transposed,
            factor,
            penalty,
        })
    }

    /// `H^-1 g` for `H = Phi^T Phi + Lambda I`, about. From the rows it is
    /// `(g - Phi^T (Phi Phi^T + Lambda I)^-1 Phi g) / Lambda`.
    pub(super) fn step(&self, gradient: &[i128]) -> Vec<f64> {
        let g = DVector::from_iterator(gradient.len(), gradient.iter().map(|&g| g as f64));
        let step = match self {
            Self::Columns { factor } => factor.solve(&g),
            Self::Rows {
                transposed,
                factor,
                penalty,
            } => {
                let inner = factor.solve(&transposed.tr_mul(&g));
                (g - transposed * inner) / *penalty
            }
        };
        step.iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Grid;

    /// The step for Lambda = 25 and this gradient.
    fn step(rows: &[Vec<i32>], gradient: [i128; 2]) -> Vec<f64> {
        let features = FeatureMatrix::new(Grid::new(3).unwrap(), 2, rows).unwrap();
        Newton::new(&features, 25.0).unwrap().step(&gradient)
    }

    fn is_one_and_minus_one(step: &[f64]) -> bool {
        (step[0] - 1.0).abs() < 1e-9 && (step[1] + 1.0).abs() < 1e-9
    }

    #[test]
    fn the_step_solves_newtons_equation_from_rows_and_from_columns() {
        // H = [[9 + 25, 12], [12, 16 + 25]], and H (1, -1) = (22, -29).
        assert!(is_one_and_minus_one(&step(&[vec![3, 4]], [22, -29])));
        // H = [[10 + 25, 12], [12, 20 + 25]], and H (1, -1) = (23, -33).
        let rows = [vec![1, 0], vec![0, 2], vec![3, 4]];
        assert!(is_one_and_minus_one(&step(&rows, [23, -33])));
    }
}
