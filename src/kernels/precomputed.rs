//! A kernel on numbered points, by its matrix.

use super::KernelError;
use crate::geometry::{Domain, Point};
use crate::number::fixed_exponential::VALUE_BITS;
use crate::number::range::{above_zero, require};
use crate::number::{Grid, Rational};
use crate::optimise::positive::certify_positive;
use num_bigint::BigInt;
use num_traits::One;

/// The matrix of a kernel on the points 0 to N - 1, with a certificate that it is one. All of it is public, the matrix too:
/// that of points which include private ones must not be given.
///
/// Point `i` is the unit vector `e_i` of the integers, and `K(x, z) = x^T M z`. So the domain is [`Precomputed::domain`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Precomputed {
    rows: Vec<Vec<i64>>,
    jitter: u64,
    squared_bound: Rational,
}

impl Precomputed {
    /// The kernel of a matrix in steps of `2^-48`, with a jitter in the same steps added to its diagonal.
    ///
    /// `bound` is the public bound on the diagonal; `R^2` is the bound and the jitter.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] for a bound that is not above 0, and [`KernelError::Diagonal`] for an entry above it; those
    /// of [`certify_positive`]: not square, not symmetric, or not certified.
    pub fn new(rows: Vec<Vec<i64>>, bound: &Rational, jitter: u64) -> Result<Self, KernelError> {
        above_zero("the bound on the diagonal of the matrix", bound)?;
        let step = Rational::new(BigInt::one(), BigInt::one() << VALUE_BITS);
        let within = |(i, row): (usize, &Vec<i64>)| {
            let entry = row.get(i).copied().unwrap_or(0);
            &step * BigInt::from(entry) <= *bound
        };
        if let Some(row) = rows.iter().enumerate().position(|place| !within(place)) {
            return Err(KernelError::Diagonal { row });
        }
        certify_positive(&rows, jitter)?;
        Ok(Self {
            rows,
            jitter,
            squared_bound: bound + step * BigInt::from(jitter),
        })
    }

    /// The numbers of the points: the unit vectors of the integers, one dimension a point.
    ///
    /// # Errors
    /// [`KernelError::Geometry`] without points.
    pub fn domain(&self) -> Result<Domain, KernelError> {
        Ok(Domain::new(Grid::new(0)?, self.rows.len(), 1)?)
    }

    /// Point `i`, as a point of the domain.
    ///
    /// # Errors
    /// [`KernelError::Parameter`] unless there is such a point.
    pub fn point(&self, i: u32) -> Result<Point, KernelError> {
        let right = (i as usize) < self.rows.len();
        require(
            right,
            "the number of a point",
            &i,
            "below the rows of the matrix",
        )?;
        Ok(Point::new(vec![(i, 1)])?)
    }

    /// `R^2`.
    pub(super) fn squared_bound(&self) -> &Rational {
        &self.squared_bound
    }

    /// `x^T M z` of two points of the domain, in steps of `2^-48`.
    pub(super) fn value(&self, x: &Point, z: &Point) -> i64 {
        let entry = |i: u32, j: u32| {
            let jitter = if i == j { self.jitter } else { 0 };
            self.rows[i as usize][j as usize] + jitter as i64
        };
        // At most one term: a point is 0, e_i or -e_i.
        let pairs = x.coordinates().iter().flat_map(|left| {
            let right = z.coordinates().iter();
            right.map(move |right| (*left, *right))
        });
        pairs
            .map(|((i, a), (j, b))| entry(i, j) * i64::from(a * b))
            .sum()
    }
}
