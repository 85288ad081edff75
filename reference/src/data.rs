//! Labelled points of the unit ball on a public grid: the one type by which algorithms are handed data.

use crate::Error;
use crate::vector::squared_norm;
use num_bigint::BigInt;

/// Records `(x, y)`, `x` in steps of `1/one`, of one dimension and with `|x| <= 1`; there may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points<Y> {
    one: i64,
    dimension: usize,
    records: Vec<(Vec<i64>, Y)>,
}

impl<Y> Points<Y> {
    /// Refuses, and never clips, a point of another length or outside the ball; and a grid without a step.
    pub fn new(one: i64, dimension: usize, records: Vec<(Vec<i64>, Y)>) -> Result<Self, Error> {
        if one < 1 {
            return Err(Error::OutOfRange("one"));
        }
        for (x, _) in &records {
            if x.len() != dimension || squared_norm(x) > BigInt::from(one) * one {
                return Err(Error::NotAPoint);
            }
        }
        Ok(Self {
            one,
            dimension,
            records,
        })
    }

    /// How many steps of the grid make one.
    pub fn one(&self) -> i64 {
        self.one
    }

    /// `d`: how many coordinates each `x` has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// `n`: how many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no record.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records, in order.
    pub fn iter(&self) -> impl Iterator<Item = &(Vec<i64>, Y)> {
        self.records.iter()
    }
}
