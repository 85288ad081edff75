//! The count sketch: signed coordinates, thrown into buckets.

use super::{Digits, LONGEST, check_dimension, count_of_all, random_below, random_signs};
use crate::coins::Coins;
use crate::geometry::GeometryError;
use crate::geometry::projection::{check_length, check_sum};
use crate::number::range::require;

/// Each coordinate, with a random sign, is added to a random bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountSketch {
    pub(super) signs: Vec<i8>,
    pub(super) buckets: Vec<usize>,
    pub(super) size: usize,
}

impl CountSketch {
    /// A random sketch of vectors of this dimension in `size` buckets.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for no bucket, dimension 0, or either above 2^30, and those of the coins.
    pub fn random(
        size: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, GeometryError> {
        check_dimension(dimension)?;
        check_buckets(size)?;
        let signs = random_signs(dimension, coins)?;
        let bucket = |_| random_below(size, coins);
        let buckets = (0..dimension)
            .map(bucket)
            .collect::<Result<_, GeometryError>>()?;
        Ok(Self {
            signs,
            buckets,
            size,
        })
    }

    /// All sketches of a small shape, each once: they are equally likely.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] if there are none, or more than 2^24.
    pub fn all(size: usize, dimension: usize) -> Result<impl Iterator<Item = Self>, GeometryError> {
        check_dimension(dimension)?;
        check_buckets(size)?;
        let count = count_of_all(&[(2, dimension), (size as u64, dimension)])?;
        Ok((0..count).map(move |number| {
            let mut digits = Digits(number);
            Self {
                signs: (0..dimension).map(|_| digits.sign()).collect(),
                buckets: (0..dimension).map(|_| digits.below(size as u64)).collect(),
                size,
            }
        }))
    }

    /// The number of buckets.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The dimension of the vectors.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.signs.len()
    }

    /// The buckets. Their absolute values sum to at most those of `x`.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if the absolute values of `x` sum to 2^63 or more.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(x.len(), self.dimension())?;
        check_sum(x)?;
        let mut sums = vec![0; self.size];
        for ((x, &sign), &bucket) in x.iter().zip(&self.signs).zip(&self.buckets) {
            sums[bucket] += x * i64::from(sign);
        }
        Ok(sums)
    }

    /// The vector whose inner product with `x` is that of `w` with the buckets.
    ///
    /// # Errors
    /// [`GeometryError::Length`]; [`GeometryError::Overflow`] if the absolute values of `w` sum to 2^63 or more.
    pub fn pull_back(&self, w: &[i64]) -> Result<Vec<i64>, GeometryError> {
        check_length(w.len(), self.size)?;
        check_sum(w)?;
        let place = |(&bucket, &sign): (&usize, &i8)| w[bucket] * i64::from(sign);
        Ok(self.buckets.iter().zip(&self.signs).map(place).collect())
    }
}

fn check_buckets(size: usize) -> Result<(), GeometryError> {
    let right = (1..=LONGEST).contains(&size);
    let expected = "at least 1 and at most 2^30";
    Ok(require(
        right,
        "the number of buckets of a sketch",
        &size,
        expected,
    )?)
}
