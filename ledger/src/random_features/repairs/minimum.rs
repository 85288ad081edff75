//! Ridge minima in two dimensions by Cramer's rule: how far neighbours are apart, without the solver.

use dp_assay::number::Rational;
use num_rational::Ratio;

/// A ridge minimum in two dimensions as a vector over a common denominator, in units of `2^b`.
///
/// Rows and labels of at most 8 steps, at most 8 of them and `4^b Lambda <= 64`: all products of two minima,
/// squared, fit in 128 bits.
pub(super) struct Minimum {
    numerators: [i128; 2],
    denominator: i128,
}

impl Minimum {
    /// By Cramer's rule, for rows in steps of `2^-b` with their labels, in steps of any size, and `4^b Lambda`.
    pub(super) fn of(records: impl Iterator<Item = ([i64; 2], i64)>, penalty: i64) -> Self {
        let (mut a, mut b, mut d) = (i128::from(penalty), 0, i128::from(penalty));
        let mut right = [0, 0];
        for (row, label) in records {
            let [x, y] = row.map(i128::from);
            a += x * x;
            b += x * y;
            d += y * y;
            right[0] += x * i128::from(label);
            right[1] += y * i128::from(label);
        }
        Self {
            numerators: [d * right[0] - b * right[1], a * right[1] - b * right[0]],
            denominator: a * d - b * b,
        }
    }

    /// The squared distance, in the squared unit.
    pub(super) fn squared_distance(&self, other: &Self) -> Ratio<i128> {
        let gap = |k: usize| {
            self.numerators[k] * other.denominator - other.numerators[k] * self.denominator
        };
        let squared = gap(0).pow(2) + gap(1).pow(2);
        Ratio::new(squared, (self.denominator * other.denominator).pow(2))
    }
}

/// The same number in the library's type.
pub(super) fn widened(value: Ratio<i128>) -> Rational {
    Rational::new((*value.numer()).into(), (*value.denom()).into())
}
