//! Certificates that a matrix of integers is positive semi-definite.

use super::OptimiseError;
use crate::number::range::{OutOfRange, require};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// The most rows that are decided without a jitter: by elimination, whose integers grow with each row.
pub const MOST_EXACT_ROWS: usize = 64;

/// The most rows.
pub const MOST_ROWS: usize = 8192;

/// Entries have at most this magnitude.
const LARGEST_ENTRY: u64 = 1 << 62;

/// Returns if it is certain that `K + jitter I` is positive semi-definite, for a symmetric matrix `K` of integers.
///
/// Without a jitter that is decided, by elimination. With one, floats guess a factor `L`, and integers decide: with
/// `h = jitter/2` and `E = K + (jitter - h) I - L L^T`, `K + jitter I = L L^T + (E + h I)`, which is positive semi-definite if
/// the absolute values in each row of `E` sum to at most `h` (Gershgorin). That may fail although the claim is true, if the
/// least eigenvalue of `K` is below about `-jitter/2`, or the jitter is too small for floats.
///
/// # Errors
/// [`OptimiseError::Length`] for a matrix that is not square; [`OptimiseError::Asymmetric`] for one that is not symmetric;
/// [`OptimiseError::NotPositive`] where there is no certificate; [`OptimiseError::Parameter`] for an entry above 2^62,
/// more than [`MOST_ROWS`] rows, or more than [`MOST_EXACT_ROWS`] without a jitter.
pub fn certify_positive(matrix: &[Vec<i64>], jitter: u64) -> Result<(), OptimiseError> {
    let count = matrix.len();
    let few = count <= MOST_ROWS;
    require(few, "the rows of a matrix", &count, "at most 8192")?;
    for (row, entries) in matrix.iter().enumerate() {
        if entries.len() != count {
            return Err(OptimiseError::Length {
                what: "each row of a square matrix",
                expected: count,
                found: entries.len(),
            });
        }
        for (column, entry) in entries.iter().enumerate() {
            if entry.unsigned_abs() > LARGEST_ENTRY {
                let expected = "of magnitude at most 2^62 steps";
                return Err(OutOfRange::new("each entry of a matrix", &"more", expected).into());
            }
            if column < row && *entry != matrix[column][row] {
                return Err(OptimiseError::Asymmetric { row, column });
            }
        }
    }
    let positive = if jitter == 0 {
        let expected = "at most 64, or with a jitter";
        let few = count <= MOST_EXACT_ROWS;
        require(
            few,
            "the rows of a matrix without a jitter",
            &count,
            expected,
        )?;
        is_positive(matrix)
    } else {
        let most = "at most 2^62 steps";
        require(jitter <= LARGEST_ENTRY, "the jitter", &jitter, most)?;
        has_factor(matrix, jitter as i64)
    };
    positive.then_some(()).ok_or(OptimiseError::NotPositive)
}

/// Whether the matrix is positive semi-definite: elimination without fractions (Bareiss 1968), each time with a pivot from
/// the diagonal that is above 0. Signs on the diagonal are then those of the Schur complement, and where its diagonal is 0 all
/// of it must be.
fn is_positive(matrix: &[Vec<i64>]) -> bool {
    let wide = |row: &Vec<i64>| row.iter().map(|&entry| entry.into()).collect();
    let mut rows: Vec<Vec<BigInt>> = matrix.iter().map(wide).collect();
    let mut before = BigInt::one();
    loop {
        let diagonal = || rows.iter().enumerate().map(|(i, row)| &row[i]);
        if diagonal().any(Signed::is_negative) {
            return false;
        }
        let Some(place) = diagonal().position(Signed::is_positive) else {
            return rows.iter().flatten().all(Zero::is_zero);
        };
        let mut pivots = rows.swap_remove(place);
        let pivot = pivots.swap_remove(place);
        for row in &mut rows {
            let factor = row.swap_remove(place);
            for (entry, other) in row.iter_mut().zip(&pivots) {
                // Divides exactly.
                *entry = (&*entry * &pivot - &factor * other) / &before;
            }
        }
        before = pivot;
    }
}

/// A step of a factor, in roots of a step of the matrix: `2^-16`.
const FACTOR_BITS: u32 = 16;

/// Whether a factor that floats guess certifies `K + jitter I`.
fn has_factor(matrix: &[Vec<i64>], jitter: i64) -> bool {
    let half = jitter / 2;
    let Some(factor) = guess::factor(matrix, jitter - half) else {
        return false;
    };
    // In steps of 2^-32 of the matrix. A factor of a matrix with entries below 2^63 has entries below 2^48 steps.
    let scale = 2 * FACTOR_BITS;
    let off = |i: usize, j: usize| -> i128 {
        let shared = i.min(j) + 1;
        let (left, right) = (&factor[i][..shared], &factor[j][..shared]);
        let products = left.iter().zip(right);
        let product: i128 = products.map(|(a, b)| i128::from(*a) * i128::from(*b)).sum();
        let diagonal = if i == j { jitter - half } else { 0 };
        ((i128::from(matrix[i][j]) + i128::from(diagonal)) << scale) - product
    };
    let mut sums = vec![0u128; matrix.len()];
    for i in 0..matrix.len() {
        for j in 0..=i {
            let off = off(i, j).unsigned_abs();
            sums[i] = sums[i].saturating_add(off);
            if j < i {
                sums[j] = sums[j].saturating_add(off);
            }
        }
    }
    sums.iter().all(|sum| *sum <= (half as u128) << scale)
}

mod guess {
    //! A factor in floats: any numbers at all would do.
    #![allow(clippy::float_arithmetic)]

    /// The rows of a lower triangular `L` with about `L L^T = K + shift I`, in steps of `2^-16`; nothing where floats find
    /// none.
    pub fn factor(matrix: &[Vec<i64>], shift: i64) -> Option<Vec<Vec<i64>>> {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (i, entries) in matrix.iter().enumerate() {
            let mut row: Vec<f64> = Vec::with_capacity(i + 1);
            for (j, entry) in entries[..i].iter().enumerate() {
                let known: f64 = rows[j].iter().zip(&row).map(|(a, b)| a * b).sum();
                row.push((*entry as f64 - known) / rows[j][j]);
            }
            let known: f64 = row.iter().map(|a| a * a).sum();
            let pivot = entries[i] as f64 + shift as f64 - known;
            if pivot <= 0.0 || !pivot.is_finite() {
                return None;
            }
            row.push(pivot.sqrt());
            rows.push(row);
        }
        let grid = f64::from(super::FACTOR_BITS).exp2();
        let fits = |value: f64| (value.abs() < 49f64.exp2()).then_some(value.round() as i64);
        let row = |row: &Vec<f64>| row.iter().map(|value| fits(value * grid)).collect();
        rows.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gram(vectors: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let product = |x: &Vec<i64>, z: &Vec<i64>| x.iter().zip(z).map(|(a, b)| a * b).sum();
        let row = |x: &Vec<i64>| vectors.iter().map(|z| product(x, z)).collect();
        vectors.iter().map(row).collect()
    }

    #[test]
    fn small_matrices_are_decided() {
        let positive = |matrix: &[Vec<i64>]| certify_positive(matrix, 0).is_ok();
        assert!(positive(&[]) && positive(&[vec![0]]) && !positive(&[vec![-1]]));
        assert!(positive(&[vec![1, 1], vec![1, 1]]) && !positive(&[vec![1, 2], vec![2, 3]]));
        assert!(positive(&[vec![0, 0], vec![0, 1]]) && !positive(&[vec![0, 1], vec![1, 9]]));
        // Of rank 2: singular, and with a diagonal entry less it is indefinite.
        let vectors: Vec<Vec<i64>> = (0..6).map(|i| vec![i * i - 7, 3 * i + 1]).collect();
        let mut matrix = gram(&vectors);
        assert!(positive(&matrix));
        matrix[3][3] -= 1;
        assert!(!positive(&matrix));
    }

    #[test]
    fn a_jitter_is_added_and_no_more() {
        let unit = 1 << 30;
        let matrix = [vec![0, unit], vec![unit, 0]];
        // The least eigenvalue is -unit.
        assert!(certify_positive(&matrix, 3 * unit as u64).is_ok());
        let few = certify_positive(&matrix, unit as u64 - 1);
        assert_eq!(few, Err(OptimiseError::NotPositive));
        // Large and singular, with room for the errors of floats.
        let vectors: Vec<Vec<i64>> = (0..100).map(|i| vec![i * 7919 % 101, i * i % 97]).collect();
        let scaled = |row: &Vec<i64>| row.iter().map(|v| v << 30).collect();
        let matrix: Vec<Vec<i64>> = gram(&vectors).iter().map(scaled).collect();
        assert!(certify_positive(&matrix, 1 << 20).is_ok());
        assert!(certify_positive(&matrix, 1).is_err() && certify_positive(&matrix, 0).is_err());
    }

    #[test]
    fn what_is_no_symmetric_matrix_is_refused() {
        let asymmetric = certify_positive(&[vec![1, 2], vec![3, 9]], 1);
        assert_eq!(
            asymmetric,
            Err(OptimiseError::Asymmetric { row: 1, column: 0 })
        );
        assert!(certify_positive(&[vec![1, 2], vec![2]], 1).is_err());
        assert!(certify_positive(&[vec![i64::MIN]], 1).is_err());
        assert!(certify_positive(&[vec![1]], u64::MAX).is_err());
        let row = vec![0; MOST_EXACT_ROWS + 1];
        assert!(certify_positive(&vec![row; MOST_EXACT_ROWS + 1], 0).is_err());
    }
}
