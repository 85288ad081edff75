//! Newton's step of ridge regression in floats: a guess that the caller certifies.

// Nothing rests on these floats: a wrong step is rejected, in integers, by the caller.
#![allow(clippy::float_arithmetic)]

use super::FeatureMatrix;
use super::gram::{gram, transposed};
use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// `Phi Phi^T + Lambda I`, factorised; all in steps of the feature grid.
pub(super) struct Newton {
    // One column a record.
    transposed: DMatrix<f64>,
    factor: Cholesky<f64, Dyn>,
    penalty: f64,
}

impl Newton {
    /// Factorises; `None` if the floats do not find the matrix positive definite. `penalty` is `Lambda` in
    /// squared steps.
    pub(super) fn new(features: &FeatureMatrix, penalty: f64) -> Option<Self> {
        let transposed = transposed(features);
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
    pub(super) fn step(&self, gradient: &[i128]) -> Vec<f64> {
        let g = DVector::from_iterator(gradient.len(), gradient.iter().map(|&g| g as f64));
        let inner = self.factor.solve(&self.transposed.tr_mul(&g));
        let step = (g - &self.transposed * inner) / self.penalty;
        step.iter().copied().collect()
    }
}
