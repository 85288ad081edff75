//! The matrix of a linear model: integer rows of norm at most 1.

use super::OptimiseError;
use crate::geometry::FINEST_FEATURES;
use crate::number::range::{at_least_one, require};
use crate::number::{Grid, Rational};
use num_bigint::BigInt;

/// The most rows: with it all sums of the solvers fit in 128 bits.
pub const MOST_ROWS: usize = 1 << 20;

/// `Phi`: a row for each record, its entries in steps of a public grid, **each row of norm at most 1**,
/// decided in integers.
///
/// All sensitivities of the room `random_features` rest on that bound and on nothing else that is known
/// of the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureMatrix {
    grid: Grid,
    columns: usize,
    entries: Vec<i32>,
}

impl FeatureMatrix {
    /// The matrix of the given rows; there may be none.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] for no columns, more than 2^20 rows or a grid finer than
    /// [`FINEST_FEATURES`] bits; [`OptimiseError::Length`] unless each row has `columns` entries;
    /// [`OptimiseError::RowTooLong`] for a row of norm above 1.
    pub fn new(grid: Grid, columns: usize, rows: &[Vec<i32>]) -> Result<Self, OptimiseError> {
        at_least_one("the number of columns", columns as u64)?;
        let bits = grid.bits();
        require(
            bits <= FINEST_FEATURES,
            "the bits of the feature grid",
            &bits,
            "at most 24",
        )?;
        let right = rows.len() <= MOST_ROWS;
        require(right, "the number of rows", &rows.len(), "at most 2^20")?;
        let mut entries = Vec::with_capacity(rows.len() * columns);
        for (number, row) in rows.iter().enumerate() {
            if row.len() != columns {
                return Err(OptimiseError::Length {
                    what: "a row of features",
                    expected: columns,
                    found: row.len(),
                });
            }
            let one = grid.one().unsigned_abs();
            if squared_norm(row) > u128::from(one) * u128::from(one) {
                return Err(OptimiseError::RowTooLong { row: number });
            }
            entries.extend_from_slice(row);
        }
        Ok(Self {
            grid,
            columns,
            entries,
        })
    }

    /// The grid of the entries.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number `D` of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number `m` of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.entries.len() / self.columns
    }

    /// Row `j`, from 0, in steps.
    #[must_use]
    pub fn row(&self, j: usize) -> &[i32] {
        &self.entries[j * self.columns..(j + 1) * self.columns]
    }

    /// All rows in order.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        self.entries.chunks_exact(self.columns)
    }

    /// `Phi c`, exactly, in steps of the product of the two grids.
    ///
    /// For `|c| <= 2^100` steps: by Cauchy and Schwarz no partial sum is above `2^24 |c|`.
    #[must_use]
    pub fn times(&self, c: &[i64]) -> Vec<i128> {
        self.iter().map(|row| inner_product(row, c)).collect()
    }

    /// `Phi^T r`, exactly, in steps of the product of the two grids.
    ///
    /// For a sum of the `|r_j|` of at most `2^100` steps.
    #[must_use]
    pub fn transposed_times(&self, r: &[i128]) -> Vec<i128> {
        let mut sums = vec![0i128; self.columns];
        for (row, &weight) in self.iter().zip(r) {
            for (sum, &entry) in sums.iter_mut().zip(row) {
                *sum += i128::from(entry) * weight;
            }
        }
        sums
    }

    /// The value of `phi . c` for a row of this grid and coefficients in steps of `2^-bits`.
    #[must_use]
    pub fn value(grid: Grid, row: &[i32], c: &[BigInt], bits: u32) -> Rational {
        let sum: BigInt = row.iter().zip(c).map(|(&a, c)| c * a).sum();
        Rational::new(sum, BigInt::from(1) << (grid.bits() + bits))
    }
}

/// `phi . c` in steps of the product of the two grids.
#[must_use]
pub fn inner_product(row: &[i32], c: &[i64]) -> i128 {
    row.iter()
        .zip(c)
        .map(|(&a, &c)| i128::from(i64::from(a)) * i128::from(c))
        .sum()
}

/// The squared norm of a row, in squared steps.
#[must_use]
pub fn squared_norm(row: &[i32]) -> u128 {
    row.iter()
        .map(|&a| u128::from(a.unsigned_abs()) * u128::from(a.unsigned_abs()))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[Vec<i32>]) -> Result<FeatureMatrix, OptimiseError> {
        FeatureMatrix::new(Grid::new(3).unwrap(), 2, rows)
    }

    #[test]
    fn a_row_longer_than_one_is_refused_in_integers() {
        assert!(matrix(&[vec![8, 0], vec![-5, 6]]).is_ok());
        // 6^2 + 6^2 = 72 > 64.
        for row in [vec![6, 6], vec![9, 0], vec![i32::MIN, i32::MIN]] {
            let refused = matrix(&[vec![8, 0], row]);
            assert_eq!(refused, Err(OptimiseError::RowTooLong { row: 1 }));
        }
    }

    #[test]
    fn shapes_are_checked() {
        assert!(matrix(&[vec![1]]).is_err());
        assert!(FeatureMatrix::new(Grid::new(3).unwrap(), 0, &[]).is_err());
        assert!(FeatureMatrix::new(Grid::new(25).unwrap(), 1, &[]).is_err());
        assert_eq!(matrix(&[]).unwrap().rows(), 0);
    }

    #[test]
    fn products_are_those_of_the_matrix() {
        let phi = matrix(&[vec![8, 0], vec![-5, 6]]).unwrap();
        assert_eq!(phi.times(&[3, 10]), [24, 45]);
        assert_eq!(phi.transposed_times(&[2, 1]), [11, 6]);
    }

    #[test]
    fn the_finest_grid_and_the_most_rows_are_accepted_and_no_more() {
        let with = |bits, rows| {
            FeatureMatrix::new(Grid::new(bits).unwrap(), 1, &vec![vec![1]; rows])
                .map(|phi| phi.rows())
        };
        assert_eq!(with(24, MOST_ROWS), Ok(1 << 20));
        assert!(with(24, MOST_ROWS + 1).is_err() && with(25, 1).is_err());
    }

    #[test]
    fn a_value_is_the_inner_product_in_the_units_of_both_grids() {
        // (3/8) (5/16) - (2/8) (1/16)
        let c = [5, -1].map(BigInt::from);
        let found = FeatureMatrix::value(Grid::new(3).unwrap(), &[3, 2], &c, 4);
        assert_eq!(found, Rational::new(13.into(), 128.into()));
    }
}
