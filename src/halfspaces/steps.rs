//! The hinge loss of Algorithms 1 and 3, and the points it is taken over.

use super::{Dataset, HalfspaceError};
use crate::geometry::SignMatrix;
use crate::number::{Rational, grid, rational};
use num_bigint::BigInt;

/// The loss `l(w; (x, y)) = max(0, target - y <w, x>) / width` of hypotheses and points of the unit
/// ball: convex in `w`, with slope at most `1 / width`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hinge {
    /// The margin from which on nothing is lost, in (0, 1].
    pub target: Rational,
    /// The margin over which the loss falls by one.
    pub width: Rational,
}

impl Hinge {
    /// The loss of Algorithm 1, step 4: `target = 96 gamma / 100`, `width = 86 gamma / 100`. It is at
    /// least one where `y <w, x> < gamma / 10`.
    #[must_use]
    pub fn of_algorithm_1(gamma: &Rational) -> Self {
        Self {
            target: gamma * rational::ratio(96, 100),
            width: gamma * rational::ratio(86, 100),
        }
    }

    /// The loss `max(0, 1 - y <w, x> / margin)`, at least one where `y <w, x> <= 0`.
    #[must_use]
    pub fn of_margin(margin: &Rational) -> Self {
        Self {
            target: margin.clone(),
            width: margin.clone(),
        }
    }

    /// The largest loss, at `y <w, x> = -1`; the smallest is 0. So much does the total loss of a
    /// fixed `w` move under substitution of one record: its sensitivity (`spec/halfspaces.md`, E2).
    #[must_use]
    pub fn range(&self) -> Rational {
        (&self.target + rational::integer(1)) / &self.width
    }

    /// The least integer that is not below `target` on the squared grid: an inner product of two
    /// vectors on the grid of step `1/one` is below the target if and only if its integer is below this.
    pub(super) fn kink(&self, one: i64) -> BigInt {
        (&self.target * BigInt::from(one).pow(2))
            .ceil()
            .to_integer()
    }

    /// The total loss of `w` over `points`, each of them `y x`; all in steps of `1/one`. Exact.
    #[must_use]
    pub fn total(&self, w: &[i64], points: &[Vec<i64>], one: i64) -> Rational {
        let kink = self.kink(one);
        let mut below = 0u64;
        let mut sum = BigInt::ZERO;
        for point in points {
            let product = inner_product(w, point);
            if BigInt::from(product) < kink {
                below += 1;
                sum += product;
            }
        }
        let squared = BigInt::from(one).pow(2);
        (&self.target * BigInt::from(below) - Rational::new(sum, squared)) / &self.width
    }
}

/// The inner product of two vectors of norm at most `2^30`: no partial sum exceeds `2^60`, by the
/// inequality of Cauchy and Schwarz.
pub(super) fn inner_product(w: &[i64], x: &[i64]) -> i64 {
    w.iter().zip(x).map(|(w, x)| w * x).sum()
}

/// The finest grid of the learners: inner products of two vectors on it fit in 64 bits.
pub const FINEST_GRID: u32 = 30;

/// `y x_A` of each record: `A x / |A x|` on the data's grid, each coordinate rounded towards zero so
/// that its norm is at most one exactly, times the label.
///
/// Total, and record by record: where `A x = 0`, `x_A` is the first unit vector
/// (`spec/halfspaces.md`, E4).
///
/// # Errors
/// [`HalfspaceError::Overflow`] for a grid finer than [`FINEST_GRID`]; those of the projection.
pub fn unit_points(
    data: &Dataset,
    projection: Option<&SignMatrix>,
) -> Result<Vec<Vec<i64>>, HalfspaceError> {
    if data.grid().bits() > FINEST_GRID {
        return Err(HalfspaceError::Overflow {
            what: "an inner product of two points",
        });
    }
    let one = data.grid().one();
    let mut points = data.projected(projection)?;
    for (point, record) in points.iter_mut().zip(data.records()) {
        let norm_squared = grid::squared_norm(point);
        if norm_squared == 0 {
            point[0] = if record.positive { one } else { -one };
        } else {
            grid::rescale_towards_zero(point, one.unsigned_abs(), norm_squared);
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::*;
    use crate::number::{Grid, rational::ratio};
    use num_traits::{One, Zero};

    #[test]
    fn the_printed_constants_hold() {
        for gamma in [ratio(1, 1), ratio(1, 2), ratio(1, 10)] {
            let hinge = Hinge::of_algorithm_1(&gamma);
            let loss = |s: Rational| ((&hinge.target - s) / &hinge.width).max(Rational::zero());
            assert_eq!(loss(&gamma * ratio(96, 100)), Rational::zero());
            assert_eq!(loss(&gamma * ratio(1, 10)), Rational::one());
            assert_eq!(loss(ratio(-1, 1)), hinge.range());
            assert_eq!(
                hinge.range(),
                (&gamma * ratio(96, 1) + ratio(100, 1)) / (&gamma * ratio(86, 1))
            );
        }
    }

    #[test]
    fn the_total_is_the_sum_of_the_losses() {
        let hinge = Hinge::of_algorithm_1(&ratio(1, 2));
        let points = vec![vec![3, -2], vec![-4, 4], vec![0, 0], vec![8, 0]];
        let w = [5, 2];
        let expected: Rational = points
            .iter()
            .map(|p| {
                let s = ratio(p[0] * w[0] + p[1] * w[1], 64);
                ((&hinge.target - s) / &hinge.width).max(Rational::zero())
            })
            .sum();
        assert_eq!(hinge.total(&w, &points, 8), expected);
    }

    #[test]
    fn a_record_that_projects_to_zero_has_a_direction_all_the_same() {
        let grid = Grid::new(4).unwrap();
        let record = |features: &[i64], positive| Record {
            features: features.to_vec(),
            positive,
        };
        let data = Dataset::new(
            grid,
            2,
            vec![record(&[3, -3], false), record(&[4, 3], true)],
        )
        .unwrap();
        let matrix = SignMatrix::from_signs(&[vec![1, 1], vec![1, 1]]).unwrap();
        let points = unit_points(&data, Some(&matrix)).unwrap();
        assert_eq!(points[0], [-16, 0]);
        // (7, 7) / |(7, 7)| = 0.7071..., towards zero: 11/16.
        assert_eq!(points[1], [11, 11]);
    }
}
