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

    /// Of the linear kernel the dimension; then [`Products::coordinates`] has the points. Nothing of another.
    fn linear_dimension(&self) -> Option<usize> {
        None
    }

    /// The coordinates of record `i`, and the `s <= 62` with `K(x_i, x_j) = 2^s <x_i, x_j>` steps: of the linear kernel.
    fn coordinates(&self, i: usize) -> (&[(u32, i32)], u32) {
        let _ = i;
        (&[], 0)
    }

    /// The values of one record with all.
    fn row(&self, i: usize, out: &mut Vec<i64>) {
        out.clear();
        out.extend((0..self.count()).map(|j| self.value(i, j)));
    }
}

/// The most products that are kept: 1 GiB.
const KEPT: usize = 1 << 27;

/// Rows of products, each computed when it is first asked for, and kept while there is room.
pub(super) struct Rows<'a, P> {
    products: &'a P,
    kept: Vec<Option<Vec<i64>>>,
    room: usize,
    other: Vec<i64>,
}

impl<'a, P: Products> Rows<'a, P> {
    pub fn new(products: &'a P) -> Self {
        let count = products.count();
        Self {
            products,
            kept: vec![None; count],
            room: KEPT / count.max(1),
            other: Vec::new(),
        }
    }

    /// The products.
    pub fn products(&self) -> &'a P {
        self.products
    }

    /// The values of one record with all.
    pub fn row(&mut self, i: usize) -> &[i64] {
        if self.kept[i].is_none() {
            self.products.row(i, &mut self.other);
            if self.room > 0 {
                self.room -= 1;
                self.kept[i] = Some(std::mem::take(&mut self.other));
            }
        }
        self.kept[i].as_ref().unwrap_or(&self.other)
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
