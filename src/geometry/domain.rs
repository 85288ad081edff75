//! Where points lie: the ball of a public radius on a public grid.

use super::GeometryError;
use crate::number::range::{at_least_one, require};
use crate::number::{Grid, Rational};

/// Where points lie: the ball of a radius `r` in dimension `d`, on a grid. All of it is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Domain {
    grid: Grid,
    dimension: usize,
    radius: u64,
}

/// The finest grid, and `log2` of the largest radius in steps of it: squared norms fit in 64 bits.
pub const FINEST_GRID: u32 = 30;

impl Domain {
    /// The ball of `radius` steps of `grid`: `r = radius / 2^bits`.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] for dimension 0, a grid finer than [`FINEST_GRID`] bits, or a radius that is 0 or
    /// above 2^30 steps.
    pub fn new(grid: Grid, dimension: usize, radius: u64) -> Result<Self, GeometryError> {
        at_least_one("the dimension of a dataset", dimension as u64)?;
        let fine = grid.bits() <= FINEST_GRID;
        require(fine, "the bits of the grid", &grid.bits(), "at most 30")?;
        let right = (1..=1 << FINEST_GRID).contains(&radius);
        let expected = "at least 1 and at most 2^30";
        require(right, "the radius in steps of the grid", &radius, expected)?;
        Ok(Self {
            grid,
            dimension,
            radius,
        })
    }

    /// The unit ball.
    ///
    /// # Errors
    /// Those of [`Domain::new`].
    pub fn unit_ball(grid: Grid, dimension: usize) -> Result<Self, GeometryError> {
        Self::new(grid, dimension, grid.one().unsigned_abs())
    }

    /// The grid.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The dimension `d`.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The radius, in steps of the grid.
    #[must_use]
    pub fn radius(&self) -> u64 {
        self.radius
    }

    /// `r` itself.
    #[must_use]
    pub fn radius_value(&self) -> Rational {
        Rational::new(self.radius.into(), self.grid.one().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn domains_out_of_range_are_refused() {
        let domain = |bits, d, radius| Domain::new(Grid::new(bits).unwrap(), d, radius);
        assert!(domain(30, 1, 1 << 30).is_ok());
        for (bits, d, radius) in [(31, 1, 1), (3, 0, 1), (3, 1, 0), (3, 1, (1 << 30) + 1)] {
            assert!(domain(bits, d, radius).is_err(), "{bits} {d} {radius}");
        }
        let unit = Domain::unit_ball(Grid::new(3).unwrap(), 2).unwrap();
        assert_eq!((unit.radius(), unit.radius_value()), (8, integer(1)));
        assert_eq!(domain(3, 2, 10).unwrap().radius_value(), ratio(5, 4));
    }
}
