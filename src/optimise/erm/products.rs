//! Inner products of the features of records.

/// The kernel's values between records, in steps of a power of two.
pub trait Products {
    /// How many records there are, equal ones counted once.
    fn count(&self) -> usize;

    /// The bits of a step: a value is a multiple of `2^-bits`.
    fn bits(&self) -> u32;

    /// By how many steps a value may be off the true kernel's.
    fn error(&self) -> u32;

    /// `K(x_i, x_j)`, symmetric, and of magnitude at most 2^62; on the diagonal at least 0.
    fn value(&self, i: usize, j: usize) -> i64;

    /// The values of one record with all.
    fn row(&self, i: usize, out: &mut Vec<i64>) {
        out.clear();
        out.extend((0..self.count()).map(|j| self.value(i, j)));
    }
}

/// A matrix of inner products, its rows one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    /// The rows.
    pub rows: Vec<Vec<i64>>,
    /// The bits of a step.
    pub bits: u32,
}

impl Products for Matrix {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn error(&self) -> u32 {
        0
    }

    fn value(&self, i: usize, j: usize) -> i64 {
        self.rows[i][j]
    }
}
