//! The maps of Algorithm 2, step 2: random projections, drawn once, without the data.
//!
//! Bassily, Mohri, Suresh 2022, Lemmas A.3 and A.4 (ledger: `bms22.lemA_3.one-sided`, `bms22.lemA_4`,
//! `bms22.lemA_4.two-stage`).
//!
//! | map | its matrix `L` | `s` | time a record |
//! |---|---|---|---|
//! | identity | `I` | 1 | none |
//! | random signs | `k` rows of signs | `k` | `d k` |
//! | fast | `k` rows of the randomised Hadamard transform | `k` | `d ln d` |
//! | two-stage | `k_1` rows of it, then `k` rows of signs | `k_1 k` | `d ln d + k_1 k` |
//!
//! The projection is `L/sqrt(s)`, which keeps inner products on average. It is `L` that is applied: the image of an integer
//! vector is one, in steps that are `sqrt(s)` times finer. How many rows keep all margins of a dataset is in
//! [`super::bounds::efficient`]. Privacy does not depend on it: images are moved into a ball.

use super::error::MarginError;
use crate::coins::Coins;
use crate::geometry::SignMatrix;
use crate::geometry::sketch::{RandomisedHadamard, TwoStage};
use crate::number::range::{at_least_one, require};

/// A kind of map, without its shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapKind {
    /// No projection.
    Identity,
    /// A matrix of random signs.
    Signs,
    /// Rows of a randomised Hadamard transform.
    Hadamard,
    /// The same, and random signs after it.
    TwoStage,
}

/// A map of some shape, not yet drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Map {
    /// No projection.
    Identity,
    /// A matrix of random signs with so many rows; as many as the data have dimensions, or more, are no projection.
    Signs(usize),
    /// So many rows of a randomised Hadamard transform; as many as the data have dimensions, or more, are no projection.
    Hadamard(usize),
    /// A randomised Hadamard transform, then random signs.
    TwoStage {
        /// The rows of the first, `k_1`, at most 2^30.
        first: usize,
        /// The rows of the second, `k`; as many as the data have dimensions, or more, are no projection.
        last: usize,
    },
}

impl Map {
    /// The dimension `k` that data of dimension `d` are projected to; `None` for no projection.
    #[must_use]
    pub fn rows(self, d: usize) -> Option<usize> {
        let rows = match self {
            Self::Identity => return None,
            Self::Signs(rows) | Self::Hadamard(rows) | Self::TwoStage { last: rows, .. } => rows,
        };
        (rows < d).then_some(rows)
    }

    /// `s`: the projection is the integer matrix over `sqrt(s)`. 1 for no projection.
    #[must_use]
    pub fn squared_scale(self, d: usize) -> u128 {
        match (self, self.rows(d)) {
            (_, None) => 1,
            (Self::TwoStage { first, .. }, Some(last)) => first as u128 * last as u128,
            (_, Some(rows)) => rows as u128,
        }
    }

    /// # Errors
    /// [`MarginError::Parameter`] for a map without rows, or a first stage of more than 2^30.
    pub(super) fn check(self) -> Result<(), MarginError> {
        match self {
            Self::Identity => {}
            Self::Signs(rows) | Self::Hadamard(rows) => {
                at_least_one("the rows of the projection", rows as u64)?;
            }
            Self::TwoStage { first, last } => {
                at_least_one("the rows of the projection", last as u64)?;
                let right = (1..=1 << 30).contains(&first);
                let expected = "at least 1 and at most 2^30";
                require(right, "the rows of the first stage", &first, expected)?;
            }
        }
        Ok(())
    }

    /// Draws it for data of dimension `d`, by public coins.
    ///
    /// # Errors
    /// Those of the maps: a matrix of more than 2^33 signs, a dimension above 2^30; and of the coins.
    pub fn draw(self, d: usize, coins: &mut impl Coins) -> Result<Projection, MarginError> {
        if self.rows(d).is_none() {
            return Ok(Projection::Identity);
        }
        Ok(match self {
            Self::Identity => Projection::Identity,
            Self::Signs(rows) => Projection::Signs(SignMatrix::random(rows, d, coins)?),
            Self::Hadamard(rows) => {
                Projection::Hadamard(RandomisedHadamard::random(rows, d, coins)?)
            }
            Self::TwoStage { first, last } => {
                Projection::TwoStage(TwoStage::random(last, first, d, coins)?)
            }
        })
    }
}

/// A map as it was drawn. It may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projection {
    /// None.
    Identity,
    /// `sqrt(k)` times the projection.
    Signs(SignMatrix),
    /// `sqrt(k)` times the projection.
    Hadamard(RandomisedHadamard),
    /// `sqrt(k_1 k)` times the projection.
    TwoStage(TwoStage),
}
crate::published_in_words!(Projection);

impl Projection {
    /// `L x`.
    ///
    /// Nothing overflows for an `x` of norm `R` in dimension `d <= 2^30` if `s R^2 <= 2^60` and `k_1 <= 2^33`: no sum of
    /// coordinates is above `k_1 sqrt(d) R`.
    ///
    /// # Errors
    /// [`MarginError::Geometry`] for a vector of another dimension or with coordinates too large.
    pub fn apply(&self, x: &[i64]) -> Result<Vec<i64>, MarginError> {
        Ok(match self {
            Self::Identity => x.to_vec(),
            Self::Signs(matrix) => matrix.apply(x)?,
            Self::Hadamard(map) => map.apply(x)?,
            Self::TwoStage(map) => map.apply(x)?,
        })
    }

    /// `L^T w`: the inner product with it is that of `w` with the image.
    ///
    /// Nothing overflows for a `w` of norm `2^30` if `k_1 <= 2^30` and `k_1 k <= 2^33`: no sum of coordinates is above
    /// `k_1 sqrt(k) 2^30`.
    ///
    /// # Errors
    /// [`MarginError::Geometry`] for a vector of another dimension or with coordinates too large.
    pub fn pull_back(&self, w: &[i64]) -> Result<Vec<i64>, MarginError> {
        Ok(match self {
            Self::Identity => w.to_vec(),
            Self::Signs(matrix) => matrix.pull_back(w)?,
            Self::Hadamard(map) => map.pull_back(w)?,
            Self::TwoStage(map) => map.pull_back(w)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;

    #[test]
    fn a_map_to_as_many_dimensions_is_none() {
        let two_stage = |last| Map::TwoStage { first: 7, last };
        for (map, rows, scale) in [
            (Map::Identity, None, 1),
            (Map::Signs(3), Some(3), 3),
            (Map::Signs(4), None, 1),
            (Map::Hadamard(3), Some(3), 3),
            (Map::Hadamard(4), None, 1),
            (two_stage(3), Some(3), 21),
            (two_stage(4), None, 1),
        ] {
            assert_eq!(
                (map.rows(4), map.squared_scale(4)),
                (rows, scale),
                "{map:?}"
            );
            let drawn = map.draw(4, &mut ChaCha::reproducible(1, 0)).unwrap();
            assert_eq!(drawn == Projection::Identity, rows.is_none(), "{map:?}");
        }
        let large = Map::TwoStage {
            first: (1 << 30) + 1,
            last: 1,
        };
        for wrong in [Map::Signs(0), Map::Hadamard(0), two_stage(0), large] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
        assert!(two_stage(9).check().is_ok() && Map::Identity.check().is_ok());
    }

    #[test]
    fn the_largest_records_and_hypotheses_fit() {
        // s R^2 = 2^60 and k_1 k = 2^22, in 8 dimensions: records along an axis and along the diagonal.
        let map = Map::TwoStage {
            first: 1 << 20,
            last: 4,
        };
        assert_eq!(map.squared_scale(8), 1 << 22);
        let drawn = map.draw(8, &mut ChaCha::reproducible(1, 0)).unwrap();
        let mut axis = vec![0; 8];
        axis[0] = 1 << 19;
        for x in [axis, vec![-185_363; 8]] {
            let image = drawn.apply(&x).unwrap();
            // L^T w for w along an axis: at most 2^30 k_1 in each coordinate.
            let w = [0, 1 << 30, 0, 0];
            let pulled = drawn.pull_back(&w).unwrap();
            let product = |a: &[i64], b: &[i64]| -> i128 {
                let products = a.iter().zip(b);
                products.map(|(&a, &b)| i128::from(a) * i128::from(b)).sum()
            };
            assert_eq!(product(&image, &w), product(&pulled, &x));
        }
    }
}
