//! The Gram matrix, exactly, and a certified lower bound on its smallest eigenvalue.

// The products are exact in floats (see `gram`), and the factor is a guess that integers check.
#![allow(clippy::float_arithmetic)]

use super::{FeatureMatrix, OptimiseError};
use crate::number::Rational;
use nalgebra::{Cholesky, DMatrix};
use num_bigint::BigInt;

/// Rows of the Gram matrix that are computed at once: only blocks on and below the diagonal are.
const BLOCK: usize = 128;

/// The transpose of `Phi` in steps of its grid: integers in floats.
pub(super) fn transposed(features: &FeatureMatrix) -> DMatrix<f64> {
    let entries = features.iter().flatten().map(|&entry| f64::from(entry));
    DMatrix::from_iterator(features.columns(), features.rows(), entries)
}

/// `Phi Phi^T` in squared steps, on and below the diagonal.
///
/// **Exact**, in whatever order the library sums: every product is an integer, and by Cauchy and Schwarz
/// the magnitudes of all products of two rows add up to at most `4^24 < 2^53`.
pub(super) fn gram(transposed: &DMatrix<f64>) -> DMatrix<f64> {
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

/// The factor is checked on the grid of steps `2^-FACTOR_BITS`.
const FACTOR_BITS: u32 = 40;

/// A positive number that is at most the smallest eigenvalue of `Phi Phi^T`, given by [`gram`].
///
/// For `t = 1/2, 1/4, ...` down to `2^-32`: if `L` is any matrix at all and `E = Phi Phi^T - t I - L L^T`, then
/// every eigenvalue is at least `t - |E|` with the Frobenius norm. `L` is a factor found in floats and placed
/// on a grid; `E` is computed in integers. The first `t` for which `|E| <= t/2` gives `t/2`.
///
/// # Errors
/// [`OptimiseError::Dependent`] if there is none.
pub(super) fn smallest_eigenvalue(
    gram: &DMatrix<f64>,
    feature_bits: u32,
) -> Result<Rational, OptimiseError> {
    let one = (1u64 << (2 * feature_bits)) as f64;
    for halvings in 1..=32u32 {
        let t = 1.0 / (1u64 << halvings) as f64;
        let mut shifted = gram / one;
        for j in 0..gram.nrows() {
            shifted[(j, j)] -= t;
        }
        let Some(factor) = Cholesky::new(shifted) else {
            continue;
        };
        if is_certified(gram, feature_bits, &factor.unpack(), halvings) {
            return Ok(Rational::new(1.into(), BigInt::from(1) << (halvings + 1)));
        }
    }
    Err(OptimiseError::Dependent)
}

/// Whether `|E| <= t/2` for `t = 2^-halvings`.
fn is_certified(
    gram: &DMatrix<f64>,
    feature_bits: u32,
    factor: &DMatrix<f64>,
    halvings: u32,
) -> bool {
    squared_error(gram, feature_bits, factor, halvings)
        <= BigInt::from(1) << (4 * FACTOR_BITS - 2 * halvings - 2)
}

/// `|E|^2` in steps of `2^-(4 FACTOR_BITS)`, exactly.
fn squared_error(
    gram: &DMatrix<f64>,
    feature_bits: u32,
    factor: &DMatrix<f64>,
    halvings: u32,
) -> BigInt {
    let m = gram.nrows();
    let scale = (1u64 << FACTOR_BITS) as f64;
    // Rows of L, in steps; the diagonal of Phi Phi^T bounds them, so that 128 bits suffice.
    let rows: Vec<Vec<i64>> = (0..m)
        .map(|j| {
            (0..=j)
                .map(|k| (factor[(j, k)] * scale).round() as i64)
                .collect()
        })
        .collect();
    let mut sum = BigInt::ZERO;
    for j in 0..m {
        for k in 0..=j {
            let product: i128 = rows[j]
                .iter()
                .zip(&rows[k])
                .map(|(&a, &b)| i128::from(a) * i128::from(b))
                .sum();
            let exact = (gram[(j, k)] as i128) << (2 * FACTOR_BITS - 2 * feature_bits);
            let shift = if j == k {
                1i128 << (2 * FACTOR_BITS - halvings)
            } else {
                0
            };
            let square = BigInt::from(exact - shift - product).pow(2);
            sum += if j == k { square } else { square * 2 };
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Grid;

    fn features(bits: u32, rows: &[Vec<i32>]) -> FeatureMatrix {
        FeatureMatrix::new(Grid::new(bits).unwrap(), rows[0].len(), rows).unwrap()
    }

    #[test]
    fn the_gram_matrix_is_exact_at_the_finest_grid() {
        // 150 rows, more than one block, of 64 odd entries: norm below 8 * 2^21 = 2^24.
        let entry = |j: i32, k: i32| (2_097_151 - 2 * ((j * 7919 + k * 104_729) % 1_000_003)) | 1;
        let rows: Vec<Vec<i32>> = (0..150)
            .map(|j| (0..64).map(|k| entry(j, k)).collect())
            .collect();
        let features = features(24, &rows);
        let gram = gram(&transposed(&features));
        for j in 0..150 {
            for k in 0..=j {
                let exact: i64 = rows[j]
                    .iter()
                    .zip(&rows[k])
                    .map(|(&a, &b)| i64::from(a) * i64::from(b))
                    .sum();
                assert_eq!(gram[(j, k)] as i64, exact);
            }
        }
    }

    #[test]
    fn an_eigenvalue_that_is_too_large_is_not_certified() {
        // [[1, 3/4], [3/4, 5/8]] has eigenvalues of about 0.0393 and 1.5857.
        let gram = gram(&transposed(&features(8, &[vec![256, 0], vec![192, 64]])));
        let mut exact = gram.clone() / 65536.0;
        for t in [1u32, 2, 3, 4] {
            // The best factor there is leaves an error above t/2: that of the matrix without the shift.
            let factor = Cholesky::new(exact.clone()).unwrap().unpack();
            assert!(!is_certified(&gram, 8, &factor, t));
        }
        exact[(0, 0)] -= 1.0 / 32.0;
        exact[(1, 1)] -= 1.0 / 32.0;
        let factor = Cholesky::new(exact).unwrap().unpack();
        assert!(is_certified(&gram, 8, &factor, 5));
    }

    #[test]
    fn an_error_of_half_the_shift_is_certified_and_no_more() {
        // Phi Phi^T = 1 and t = 1/2: L = 1/2 leaves 1/4, and a smaller one leaves more.
        let gram = gram(&transposed(&features(1, &[vec![2]])));
        let certified = |l| is_certified(&gram, 1, &DMatrix::from_element(1, 1, l), 1);
        assert!(certified(0.5));
        assert!(!certified(0.5 - 1.0 / (1u64 << FACTOR_BITS) as f64));
    }

    #[test]
    fn an_error_beside_the_diagonal_counts_twice() {
        // [[1, 1/2], [1/2, 1/2]] - I/2, without a factor: 1/4 three times.
        let gram = gram(&transposed(&features(1, &[vec![2, 0], vec![1, 1]])));
        let found = squared_error(&gram, 1, &DMatrix::zeros(2, 2), 1);
        assert_eq!(found, BigInt::from(3) << (4 * FACTOR_BITS - 2));
    }
}
