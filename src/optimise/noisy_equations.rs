//! Equations `(G + Lambda) c = r` whose `G` and `r` are noisy and public, in floats.
//!
//! Whatever is done here is done to numbers that noise has already made public: it needs no privacy argument, and a
//! wrong float makes a worse model, not a less private one.

#![allow(clippy::float_arithmetic)] // see above

use crate::number::{Grid, Rational, rational};
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

/// Noisy sufficient statistics.
#[derive(Debug, Clone)]
pub struct Equations<'a> {
    /// `G` on and above the diagonal, row by row, in steps.
    pub gram: &'a [BigInt],
    /// A step of `G`.
    pub gram_unit: Rational,
    /// `r`, in steps.
    pub right: &'a [BigInt],
    /// A step of `r`.
    pub right_unit: Rational,
}

/// What becomes of the negative eigenvalues of `G`, which only noise can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Negative {
    /// They are raised to 0.
    Raised,
    /// They stay.
    Kept,
}

impl Equations<'_> {
    /// `(G + Lambda)^-1 r`, rounded to the grid; a direction in which the matrix is 0 has no part of it.
    #[must_use]
    pub fn solve(&self, penalty: &Rational, negative: Negative, grid: Grid) -> Vec<BigInt> {
        let SymmetricEigen {
            eigenvalues,
            eigenvectors,
        } = SymmetricEigen::new(self.matrix());
        let penalty = rational::to_f64_for_display(penalty);
        let unit = rational::to_f64_for_display(&self.right_unit);
        let right =
            DVector::from_iterator(self.right.len(), self.right.iter().map(|r| float(r) * unit));
        // c = sum over k of u_k <u_k, r> / (g_k + Lambda)
        let mut parts = eigenvectors.tr_mul(&right);
        for (part, &eigenvalue) in parts.iter_mut().zip(&eigenvalues) {
            let raised = match negative {
                Negative::Raised => eigenvalue.max(0.0),
                Negative::Kept => eigenvalue,
            };
            let whole = raised + penalty;
            *part = if whole == 0.0 { 0.0 } else { *part / whole };
        }
        let one = grid.one() as f64;
        (eigenvectors * parts)
            .iter()
            .map(|c| BigInt::from_f64((c * one).round()).unwrap_or_default())
            .collect()
    }

    fn matrix(&self) -> DMatrix<f64> {
        let dimension = self.right.len();
        let unit = rational::to_f64_for_display(&self.gram_unit);
        let mut matrix = DMatrix::zeros(dimension, dimension);
        let mut entries = self.gram.iter();
        for i in 0..dimension {
            for j in i..dimension {
                let entry = entries.next().map_or(0.0, |entry| float(entry) * unit);
                matrix[(i, j)] = entry;
                matrix[(j, i)] = entry;
            }
        }
        matrix
    }
}

fn float(value: &BigInt) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn two_equations_are_solved() {
        // [[2, 1], [1, 2]] + 1, in quarters, and (3, 5), in halves: (3 a + b, a + 3 b) = (3, 5).
        let gram = [8, 4, 8].map(BigInt::from);
        let right = [6, 10].map(BigInt::from);
        let equations = Equations {
            gram: &gram,
            gram_unit: ratio(1, 4),
            right: &right,
            right_unit: ratio(1, 2),
        };
        let grid = Grid::new(10).unwrap();
        for negative in [Negative::Raised, Negative::Kept] {
            let found = equations.solve(&integer(1), negative, grid);
            assert_eq!(found, [512, 1536].map(BigInt::from));
        }
    }

    #[test]
    fn negative_eigenvalues_are_raised_if_asked() {
        // Eigenvalues 3 and -1 along (1, 1) and (1, -1).
        let gram = [1, 2, 1].map(BigInt::from);
        let right = [1, -1].map(BigInt::from);
        let equations = Equations {
            gram: &gram,
            gram_unit: integer(1),
            right: &right,
            right_unit: integer(1),
        };
        let grid = Grid::new(10).unwrap();
        let raised = equations.solve(&integer(2), Negative::Raised, grid);
        assert_eq!(raised, [512, -512].map(BigInt::from));
        let kept = equations.solve(&integer(2), Negative::Kept, grid);
        assert_eq!(kept, [1024, -1024].map(BigInt::from));
        // And a matrix that is 0 somewhere has an answer.
        assert_eq!(equations.solve(&integer(1), Negative::Kept, grid).len(), 2);
    }

    #[test]
    fn a_direction_in_which_the_matrix_is_0_has_no_coefficient() {
        let gram = [2, 0, 0].map(BigInt::from);
        let right = [6, 5].map(BigInt::from);
        let equations = Equations {
            gram: &gram,
            gram_unit: integer(1),
            right: &right,
            right_unit: integer(1),
        };
        let found = equations.solve(&integer(0), Negative::Kept, Grid::new(10).unwrap());
        assert_eq!(found, [3 << 10, 0].map(BigInt::from));
    }
}
