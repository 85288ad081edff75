//! Random projections with entries +1 and -1.

use super::GeometryError;
use crate::coins::{Coins, CoinsError};
use crate::number::range::require;

/// A matrix of signs: `sqrt(m) A` for the projection `A` in {±1/sqrt(m)}^(m x d) of Achlioptas 2003.
///
/// The factor `1/sqrt(m)` is left out, so that the image of an integer vector is an integer vector.
/// The signs are packed 64 to a word, row by row, the first one lowest; a set bit is +1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SignMatrix {
    rows: usize,
    columns: usize,
    words: Vec<u64>,
}
crate::published!(SignMatrix {
    rows,
    columns,
    words
});

/// The most signs in a matrix: one gibibyte of them.
const MOST_SIGNS: usize = 1 << 33;

/// The most signs in the matrices that [`SignMatrix::all`] goes through: 16 million matrices.
const MOST_ENUMERATED: usize = 24;

impl SignMatrix {
    /// A uniformly random matrix, for which exactly `rows * columns` bits are drawn.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for a matrix that is empty or has more than 2^33 signs, and
    /// those of the coins.
    pub fn random(
        rows: usize,
        columns: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        check_shape(rows, columns, MOST_SIGNS)?;
        // The first coin is the highest of those that are drawn at once, and the first sign the lowest of its word.
        let draw_word = |place: usize| {
            let first = place % words_per_row(columns) * 64;
            let count = (columns - first).min(64) as u32;
            Ok(coins.bits(count)?.reverse_bits() >> (64 - count))
        };
        let words = (0..rows * words_per_row(columns))
            .map(draw_word)
            .collect::<Result<_, CoinsError>>()?;
        Ok(Self {
            rows,
            columns,
            words,
        })
    }

    /// The matrix with the given rows of signs.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] if it is empty or an entry is neither 1 nor -1;
    /// [`GeometryError::Length`] if the rows are not equally long.
    pub fn from_signs(rows: &[Vec<i8>]) -> Result<Self, GeometryError> {
        let columns = rows.first().map_or(0, Vec::len);
        check_shape(rows.len(), columns, MOST_SIGNS)?;
        let mut words = Vec::with_capacity(rows.len() * words_per_row(columns));
        for row in rows {
            check_length(row.len(), columns)?;
            for entry in row {
                require(
                    entry.abs() == 1,
                    "an entry of a sign matrix",
                    entry,
                    "1 or -1",
                )?;
            }
            words.extend(row.chunks(64).map(|signs| {
                let bit = |(place, &sign): (usize, &i8)| u64::from(sign == 1) << place;
                signs.iter().enumerate().map(bit).sum::<u64>()
            }));
        }
        Ok(Self {
            rows: rows.len(),
            columns,
            words,
        })
    }

    /// All `2^(rows * columns)` matrices of a small shape, each once.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for a matrix that is empty or has more than 24 signs.
    pub fn all(
        rows: usize,
        columns: usize,
    ) -> Result<impl Iterator<Item = Self> + Clone, GeometryError> {
        check_shape(rows, columns, MOST_ENUMERATED)?;
        // At most 24 columns: each row is one word.
        let row_mask = (1u64 << columns) - 1;
        Ok((0..1u64 << (rows * columns)).map(move |signs| Self {
            rows,
            columns,
            words: (0..rows)
                .map(|row| (signs >> (row * columns)) & row_mask)
                .collect(),
        }))
    }

    /// The number `m` of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number `d` of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The integer vector `sqrt(m) A x`.
    ///
    /// Every coordinate is at most `|x_1| + ... + |x_d| <= sqrt(d) |x|` in absolute value: below 2^51
    /// for a vector of norm at most one on a grid of 2^-40 in dimension 2^20.
    ///
    /// # Errors
    /// [`GeometryError::Length`] unless `x` has one coordinate for each column;
    /// [`GeometryError::Overflow`] if that sum does not fit in 63 bits.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(x.len(), self.columns)?;
        check_sum(x)?;
        let total: i64 = x.iter().sum();
        let signed_sum = |row: &[u64]| {
            let mut plus = 0;
            for (&word, coordinates) in row.iter().zip(x.chunks(64)) {
                for (place, &coordinate) in coordinates.iter().enumerate() {
                    // All ones where the sign is +1, else zero.
                    plus += coordinate & -((word >> place & 1) as i64);
                }
            }
            plus - (total - plus)
        };
        Ok(self.sign_rows().map(signed_sum).collect())
    }

    /// The integer vector `w^T (sqrt(m) A)`: the inner product with it is that of `w` with the image.
    ///
    /// # Errors
    /// [`GeometryError::Length`] unless `w` has one coordinate for each row;
    /// [`GeometryError::Overflow`] if their absolute values sum to 2^63 or more.
    pub fn pull_back(&self, w: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(w.len(), self.rows)?;
        check_sum(w)?;
        let mut combined = vec![0; self.columns];
        for (row, &weight) in self.sign_rows().zip(w) {
            for (&word, sums) in row.iter().zip(combined.chunks_mut(64)) {
                for (place, sum) in sums.iter_mut().enumerate() {
                    *sum += if word >> place & 1 == 1 {
                        weight
                    } else {
                        -weight
                    };
                }
            }
        }
        Ok(combined)
    }

    fn sign_rows(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks(words_per_row(self.columns))
    }
}

fn words_per_row(columns: usize) -> usize {
    columns.div_ceil(64)
}

fn check_shape(rows: usize, columns: usize, most: usize) -> Result<(), GeometryError> {
    let right = rows
        .checked_mul(columns)
        .is_some_and(|signs| (1..=most).contains(&signs));
    let expected = if most == MOST_SIGNS {
        "between 1 and 2^33"
    } else {
        "between 1 and 24"
    };
    let value = format!("{rows} x {columns}");
    Ok(require(
        right,
        "the number of signs of a matrix",
        &value,
        expected,
    )?)
}

pub(super) fn check_length(found: usize, expected: usize) -> Result<(), GeometryError> {
    if found == expected {
        Ok(())
    } else {
        Err(GeometryError::Length { expected, found })
    }
}

/// That no signed sum of the coordinates can overflow.
pub(super) fn check_sum(vector: &[i64]) -> Result<(), GeometryError> {
    let sum: u128 = vector.iter().map(|v| u128::from(v.unsigned_abs())).sum();
    if sum <= i64::MAX as u128 {
        Ok(())
    } else {
        Err(GeometryError::Overflow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Tape};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn entry(matrix: &SignMatrix, row: usize, column: usize) -> i64 {
        let mut unit = vec![0; matrix.columns()];
        unit[column] = 1;
        matrix.apply(&unit).unwrap()[row]
    }

    #[test]
    fn a_matrix_costs_one_bit_for_each_sign() {
        for (rows, columns) in [(1, 1), (3, 64), (5, 65), (2, 130)] {
            let mut coins = ChaCha::new([7; 32], 0);
            let matrix = SignMatrix::random(rows, columns, &mut coins).unwrap();
            assert_eq!(coins.consumed(), (rows * columns) as u64);
            assert_eq!((matrix.rows(), matrix.columns()), (rows, columns));
        }
    }

    #[test]
    fn a_set_bit_is_plus_one() {
        let matrix = SignMatrix::random(2, 2, &mut Tape::written("10 01")).unwrap();
        assert_eq!(
            matrix,
            SignMatrix::from_signs(&[vec![1, -1], vec![-1, 1]]).unwrap()
        );
        assert_eq!(matrix.apply(&[5, 3]).unwrap(), [2, -2]);
        assert_eq!(matrix.pull_back(&[10, 1]).unwrap(), [9, -9]);
    }

    #[test]
    fn all_matrices_are_distinct_and_all() {
        let matrices: BTreeSet<_> = SignMatrix::all(2, 3).unwrap().collect();
        assert_eq!(matrices.len(), 64);
        let from_signs = SignMatrix::from_signs(&[vec![1, -1, 1], vec![-1, -1, 1]]).unwrap();
        assert!(matrices.contains(&from_signs));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let matrix = SignMatrix::from_signs(&[vec![1, -1]]).unwrap();
        assert_eq!(
            matrix.apply(&[i64::MAX, 1]).unwrap_err(),
            GeometryError::Overflow
        );
        assert_eq!(
            matrix.apply(&[i64::MIN, 0]).unwrap_err(),
            GeometryError::Overflow
        );
        assert_eq!(
            matrix.pull_back(&[i64::MIN]).unwrap_err(),
            GeometryError::Overflow
        );
        assert!(matches!(
            matrix.apply(&[1]),
            Err(GeometryError::Length { .. })
        ));
        assert!(matches!(
            matrix.pull_back(&[1, 1]),
            Err(GeometryError::Length { .. })
        ));
        assert!(SignMatrix::from_signs(&[]).is_err());
        assert!(SignMatrix::from_signs(&[vec![0]]).is_err());
        assert!(SignMatrix::from_signs(&[vec![1], vec![1, 1]]).is_err());
        assert!(SignMatrix::all(5, 5).is_err() && SignMatrix::all(0, 5).is_err());
        assert!(SignMatrix::random(usize::MAX, 2, &mut Tape::written("")).is_err());
    }

    proptest! {
        #[test]
        fn the_image_is_the_signed_sum(
            x in prop::collection::vec(-1_000_000i64..1_000_000, 1..150), rows in 1usize..5, seed in any::<u8>()
        ) {
            let matrix = SignMatrix::random(rows, x.len(), &mut ChaCha::new([seed; 32], 0)).unwrap();
            let image = matrix.apply(&x).unwrap();
            for (row, &coordinate) in image.iter().enumerate() {
                let sum: i64 = (0..x.len()).map(|column| entry(&matrix, row, column) * x[column]).sum();
                prop_assert_eq!(coordinate, sum);
            }
        }

        #[test]
        fn pulling_back_keeps_the_inner_product(
            x in prop::collection::vec(-1_000_000i64..1_000_000, 1..150),
            w in prop::collection::vec(-1000i64..1000, 1..6), seed in any::<u8>()
        ) {
            let matrix = SignMatrix::random(w.len(), x.len(), &mut ChaCha::new([seed; 32], 0)).unwrap();
            let dot = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i64>();
            prop_assert_eq!(
                dot(&matrix.pull_back(&w).unwrap(), &x),
                dot(&w, &matrix.apply(&x).unwrap())
            );
        }
    }
}
