//! The least eigenvalue of a matrix of integers, rounded without an error: for few columns.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// More columns take too long.
pub const LARGEST_DIMENSION: usize = 64;

/// The largest multiple `t >= 0` of `unit` with `t < l`, or 0, for the least eigenvalue `l` of a positive semidefinite
/// matrix of integers, given on and above its diagonal, row by row.
///
/// A function of `l` that moves by at most `k` multiples where `l` does: so nothing is added to a sensitivity that is a
/// multiple of `unit`.
#[must_use]
pub fn least_eigenvalue(upper: &[BigInt], dimension: usize, unit: &BigInt) -> BigInt {
    // 1. l is at most an entry of the diagonal: the first.
    let Some(most) = upper.first() else {
        return BigInt::zero();
    };
    // 2. Bisection: G - t I is positive definite for t = 0 at best, and not from there on.
    let (mut low, mut high): (BigInt, BigInt) = (BigInt::zero(), most / unit + 1);
    while &high - &low > BigInt::one() {
        let middle: BigInt = (&low + &high) / 2;
        if is_positive_definite(upper, dimension, &(&middle * unit)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low * unit
}

/// Whether `G - t I` is positive definite: whether all its leading minors are positive (Sylvester), by elimination
/// without fractions (Bareiss 1968), whose pivots they are.
fn is_positive_definite(upper: &[BigInt], dimension: usize, t: &BigInt) -> bool {
    // Rows from the diagonal on; elimination keeps the matrix symmetric.
    let mut rows: Vec<Vec<BigInt>> = Vec::with_capacity(dimension);
    let mut entries = upper.iter();
    for row in 0..dimension {
        let mut entries: Vec<BigInt> = entries.by_ref().take(dimension - row).cloned().collect();
        if let Some(diagonal) = entries.first_mut() {
            *diagonal -= t;
        }
        rows.push(entries);
    }
    let mut before = BigInt::one();
    for k in 0..dimension {
        let (done, rest) = rows.split_at_mut(k + 1);
        let pivots = &done[k];
        if !pivots[0].is_positive() {
            return false;
        }
        for (i, row) in (1..).zip(rest) {
            for (j, entry) in (i..).zip(row.iter_mut()) {
                // Divides exactly.
                *entry = (&*entry * &pivots[0] - &pivots[i] * &pivots[j]) / &before;
            }
        }
        before = pivots[0].clone();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(upper: &[i64], dimension: usize) -> i64 {
        let upper: Vec<BigInt> = upper.iter().map(|&entry| entry.into()).collect();
        i64::try_from(least_eigenvalue(&upper, dimension, &BigInt::one())).unwrap()
    }

    #[test]
    fn least_eigenvalues_are_rounded_down_to_below_them() {
        // 4 alone; [[2, 1], [1, 2]] has 1 and 3; [[5, 2], [2, 8]] has 4 and 9.
        assert_eq!(least(&[4], 1), 3);
        assert_eq!(least(&[2, 1, 2], 2), 0);
        assert_eq!(least(&[5, 2, 8], 2), 3);
        // [[1000, 300, 0], [300, 900, 100], [0, 100, 800]]: 613.51..., by another program.
        assert_eq!(least(&[1000, 300, 0, 900, 100, 800], 3), 613);
        // Singular, and nothing at all.
        assert_eq!(least(&[1, 1, 1], 2), 0);
        assert_eq!(least(&[0, 0, 0], 2), 0);
        assert_eq!(least(&[], 0), 0);
    }

    #[test]
    fn a_unit_rounds_to_its_multiples() {
        let least =
            |upper: [i64; 3]| least_eigenvalue(&upper.map(BigInt::from), 2, &BigInt::from(16));
        assert_eq!(least([5000, 0, 7001]), BigInt::from(4992));
        assert_eq!(least([7001, 0, 5000]), BigInt::from(4992));
        // [[5000, 1000], [1000, 5000]] has 4000, itself a multiple, and 6000.
        assert_eq!(least([5000, 1000, 5000]), BigInt::from(3984));
    }

    #[test]
    fn a_matrix_of_the_largest_dimension_is_done() {
        // 1000 I + J, where J has ones alone: its eigenvalues are 1000 and 1064.
        let upper: Vec<i64> = (0..LARGEST_DIMENSION)
            .flat_map(|row| {
                let ones = LARGEST_DIMENSION - 1 - row;
                std::iter::once(1001).chain(std::iter::repeat_n(1, ones))
            })
            .collect();
        assert_eq!(least(&upper, LARGEST_DIMENSION), 999);
    }
}
