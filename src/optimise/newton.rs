//! Newton's step of ridge regression in floats: a guess that the caller certifies.

// Nothing rests on these floats: a wrong step is rejected, in integers, by the caller.
#![allow(clippy::float_arithmetic)]

use super::FeatureMatrix;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// `Phi Phi^T + Lambda I`, factorised.
pub(super) struct Newton {
    // One column a record.
    transposed: DMatrix<f64>,
    factor: Cholesky<f64, Dyn>,
    penalty: f64,
}

/// Rows of the Gram matrix that are computed at once: only blocks on and below the diagonal are.
const BLOCK: usize = 128;

impl Newton {
    /// Factorises; `None` if the floats do not find the matrix positive definite.
    pub(super) fn new(features: &FeatureMatrix, penalty: f64) -> Option<Self> {
        let one = features.grid().one() as f64;
        let entries = features
            .iter()
            .flatten()
            .map(|&entry| f64::from(entry) / one);
        let transposed = DMatrix::from_iterator(features.columns(), features.rows(), entries);
        let mut gram = gram(&transposed);
        for j in 0..features.rows() {
            gram[(j, j)] += penalty;
        }
        // Reads the lower triangle only.
        let factor = Cholesky::new(gram)?;
        Some(Self {
            transposed,
            factor,
            penalty,
        })
    }

    /// `(Phi^T Phi + Lambda I)^-1 g = (g - Phi^T (Phi Phi^T + Lambda I)^-1 Phi g) / Lambda`, about.
    pub(super) fn step(&self, gradient: &[f64]) -> Vec<f64> {
        let g = DVector::from_column_slice(gradient);
        let inner = self.factor.solve(&self.transposed.tr_mul(&g));
        let step = (g - &self.transposed * inner) / self.penalty;
        step.iter().copied().collect()
    }
}

/// The Gram matrix of the columns, on and below the diagonal.
fn gram(transposed: &DMatrix<f64>) -> DMatrix<f64> {
    let m = transposed.ncols();
    let mut gram = DMatrix::zeros(m, m);
    for first in (0..m).step_by(BLOCK) {
        let rows = BLOCK.min(m - first);
        let block = transposed.columns(first, rows).transpose();
        let before = transposed.columns(0, first + rows);
        gram.view_mut((first, 0), (rows, first + rows))
            .gemm(1.0, &block, &before, 0.0);
    }
    gram
}
