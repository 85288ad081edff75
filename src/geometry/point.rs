//! Points on a public grid, by the coordinates that are not 0.

use super::{Domain, GeometryError};
use crate::number::grid::clip_to_radius;

/// A point: pairs of an index and a coordinate in steps of a public grid, the indices ascending, no coordinate 0. So a
/// point of few features takes little room in any dimension, and each point is written in one way only.
///
/// A coordinate has 32 bits. So an inner product of 2^32 of them fits in 128 bits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(Vec<(u32, i32)>);
crate::published_in_words!(Point);

impl Point {
    /// The point of these coordinates, in steps of the grid; a coordinate may be 0, and is left out.
    ///
    /// # Errors
    /// [`GeometryError::Order`] unless the indices ascend strictly.
    pub fn new(coordinates: Vec<(u32, i32)>) -> Result<Self, GeometryError> {
        ascending(&coordinates)?;
        Ok(Self(
            coordinates.into_iter().filter(|&(_, v)| v != 0).collect(),
        ))
    }

    /// The point whose coordinates, in steps of the grid, are all listed.
    #[must_use]
    pub fn dense(coordinates: &[i32]) -> Self {
        Self(
            (0..)
                .zip(coordinates.iter().copied())
                .filter(|&(_, v)| v != 0)
                .collect(),
        )
    }

    /// The pairs of index and coordinate, the indices ascending, no coordinate 0.
    #[must_use]
    pub fn coordinates(&self) -> &[(u32, i32)] {
        &self.0
    }

    /// `<x, z>` in squared steps of the grid, exactly.
    #[must_use]
    pub fn inner_product(&self, other: &Self) -> i128 {
        let products = self.pairs(other).map(|(x, z)| i64::from(x) * i64::from(z));
        products.map(i128::from).sum()
    }

    /// `|x - z|^2` in squared steps of the grid, exactly.
    #[must_use]
    pub fn squared_distance(&self, other: &Self) -> u128 {
        let squares = self
            .pairs(other)
            .map(|(x, z)| i64::from(x).abs_diff(i64::from(z)).pow(2));
        squares.map(u128::from).sum()
    }

    /// The coordinates of both points at each index at which one of them is not 0.
    fn pairs(&self, other: &Self) -> impl Iterator<Item = (i32, i32)> {
        let (mut left, mut right) = (self.0.as_slice(), other.0.as_slice());
        std::iter::from_fn(move || match (left.split_first(), right.split_first()) {
            (None, None) => None,
            (Some((&(_, x), rest)), None) => {
                left = rest;
                Some((x, 0))
            }
            (None, Some((&(_, z), rest))) => {
                right = rest;
                Some((0, z))
            }
            (Some((&(i, x), after)), Some((&(j, z), behind))) => {
                if i <= j {
                    left = after;
                }
                if j <= i {
                    right = behind;
                }
                Some((if i <= j { x } else { 0 }, if j <= i { z } else { 0 }))
            }
        })
    }

    /// `|x|^2` in squared steps of the grid, exactly.
    #[must_use]
    pub fn squared_norm(&self) -> u128 {
        self.inner_product(self).unsigned_abs()
    }
}

impl Domain {
    /// The point of these coordinates; one that is outside the ball is shortened to its radius, every coordinate rounded
    /// towards zero. This reads no other record: a learner does so with private rows.
    ///
    /// # Errors
    /// [`GeometryError::Order`] unless the indices ascend strictly; [`GeometryError::Index`] for one beyond the
    /// dimension.
    pub fn clipped(&self, coordinates: &[(u32, i64)]) -> Result<Point, GeometryError> {
        ascending(coordinates)?;
        self.check_last(coordinates.last().map(|last| last.0))?;
        let mut values: Vec<i64> = coordinates.iter().map(|pair| pair.1).collect();
        clip_to_radius(&mut values, self.radius());
        // The radius is at most 2^30.
        let indices = coordinates.iter().map(|pair| pair.0);
        Point::new(indices.zip(values.iter().map(|&v| v as i32)).collect())
    }

    /// Refuses a point that is not in the domain: for public points only, queries among them.
    ///
    /// # Errors
    /// [`GeometryError::Index`] for an index beyond the dimension; [`GeometryError::OutsideTheBall`] for a norm above the
    /// radius, decided in integers.
    pub fn check(&self, point: &Point) -> Result<(), GeometryError> {
        self.check_last(point.0.last().map(|last| last.0))?;
        if point.squared_norm() > u128::from(self.radius()).pow(2) {
            return Err(GeometryError::OutsideTheBall);
        }
        Ok(())
    }

    fn check_last(&self, index: Option<u32>) -> Result<(), GeometryError> {
        match index {
            Some(index) if index as usize >= self.dimension() => Err(GeometryError::Index {
                index,
                dimension: self.dimension(),
            }),
            _ => Ok(()),
        }
    }
}

fn ascending<T>(coordinates: &[(u32, T)]) -> Result<(), GeometryError> {
    let ascends = coordinates.windows(2).all(|pair| pair[0].0 < pair[1].0);
    ascends.then_some(()).ok_or(GeometryError::Order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Grid;
    use proptest::prelude::*;

    fn domain(radius: u64) -> Domain {
        Domain::new(Grid::new(2).unwrap(), 4, radius).unwrap()
    }

    #[test]
    fn a_point_is_written_in_one_way_only() {
        let sparse = Point::new(vec![(0, 3), (1, 0), (3, -4)]).unwrap();
        assert_eq!(sparse, Point::dense(&[3, 0, 0, -4]));
        assert_eq!(sparse.coordinates(), [(0, 3), (3, -4)]);
        assert_eq!(sparse.squared_norm(), 25);
        for wrong in [vec![(1, 1), (1, 2)], vec![(2, 1), (1, 1)]] {
            assert_eq!(Point::new(wrong), Err(GeometryError::Order));
        }
        let extreme = Point::dense(&[i32::MIN; 3]);
        assert_eq!(extreme.squared_norm(), 3 << 62);
    }

    #[test]
    fn queries_are_refused_and_private_rows_are_clipped() {
        let ball = domain(5);
        assert_eq!(ball.check(&Point::dense(&[3, 0, 0, -4])), Ok(()));
        let outside = ball.check(&Point::dense(&[3, 1, 0, -4]));
        assert_eq!(outside, Err(GeometryError::OutsideTheBall));
        let beyond = ball.check(&Point::dense(&[0, 0, 0, 0, 1])).unwrap_err();
        let expected = "the index 4 of a coordinate must be below the dimension 4";
        assert_eq!(beyond.to_string(), expected);
        let clipped = ball.clipped(&[(0, 6), (3, -8)]).unwrap();
        assert_eq!(clipped, Point::dense(&[3, 0, 0, -4]));
        let far = ball.clipped(&[(0, i64::MIN), (1, i64::MAX)]).unwrap();
        assert_eq!(far, Point::dense(&[-3, 3]));
        assert!(ball.clipped(&[(4, 1)]).is_err() && ball.clipped(&[(1, 1), (0, 1)]).is_err());
    }

    proptest! {
        #[test]
        fn sparse_products_are_dense_products(
            x in prop::collection::vec(-9i32..9, 0..6), z in prop::collection::vec(-9i32..9, 0..6)
        ) {
            let dense: i128 = x.iter().zip(&z).map(|(a, b)| i128::from(a * b)).sum();
            let (x, z) = (Point::dense(&x), Point::dense(&z));
            prop_assert_eq!(x.inner_product(&z), dense);
            let parted = x.squared_norm() as i128 + z.squared_norm() as i128 - 2 * dense;
            prop_assert_eq!(x.squared_distance(&z) as i128, parted);
        }
    }
}
