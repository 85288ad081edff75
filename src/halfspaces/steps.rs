//! The steps that the algorithms share, in the order in which they are taken, and what their parameters
//! share.

use super::data::{Dataset, Halfspace};
use super::error::HalfspaceError;
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::SignMatrix;
use crate::number::range::{above_zero_at_most_one, above_zero_below_one, at_least_one, require};
use crate::number::root::ceil_sqrt;
use crate::number::{Grid, Rational, grid, rational};
use crate::privacy::{Budget, NeighbouringRelation};
use num_bigint::BigInt;
use num_traits::One;

pub use crate::number::chosen::{Chosen, Origin, overridden};
pub use crate::optimise::Hinge;

/// Draws the projection, if there is to be one.
pub(super) fn draw_projection(
    rows: Option<usize>,
    columns: usize,
    coins: &mut impl Coins,
) -> Result<Option<SignMatrix>, HalfspaceError> {
    Ok(rows
        .map(|m| SignMatrix::random(m, columns, coins))
        .transpose()?)
}

/// The finest grid of the learners: inner products of two vectors on it fit in 64 bits.
pub const FINEST_GRID: u32 = 30;

/// `y x_A` of each record: `A x / |A x|` on the data's grid, each coordinate rounded towards zero so
/// that its norm is at most one exactly, times the label.
///
/// Total, and record by record: where `A x = 0`, `x_A` is the first unit vector
/// (`nuz20.e4`).
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

/// How far `y x_A` of [`unit_points`] may be from its exact value: each of `m` coordinates is rounded towards
/// zero by less than a grid step, so that the norm of the error is at most `sqrt(m) 2^-bits`; the root is
/// rounded up to an integer.
#[must_use]
pub fn rounding_of_a_record(m: u64, bits: u32) -> Rational {
    Rational::new(ceil_sqrt(&m).into(), BigInt::one() << bits)
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
}

/// The exponential mechanism on the total losses of the candidates: their sensitivity under
/// substitution is the loss's range. For the ledger; learners draw their own candidates.
#[doc(hidden)]
pub fn choose(
    candidates: &[Vec<i64>],
    points: &[Vec<i64>],
    hinge: &Hinge,
    epsilon: &Rational,
    grid: Grid,
    coins: &mut impl Coins,
) -> Result<usize, HalfspaceError> {
    let mechanism = hinge.choice(candidates, points, epsilon, grid.one().pow(2))?;
    coins.stage(&Stage::once(
        "the choice of a candidate",
        Promise::Pure(epsilon.clone()),
    ));
    Ok(coins.draw(&mechanism)?)
}

/// `w^T A`, or `w` where nothing was projected.
pub(super) fn pull_back(
    projection: Option<&SignMatrix>,
    w: &[i64],
) -> Result<Halfspace, HalfspaceError> {
    let direction = match projection {
        Some(matrix) => matrix.pull_back(w)?,
        None => w.to_vec(),
    };
    Ok(Halfspace { direction })
}

/// The number of independent runs, `k = ceil(log2(8 / beta))`: so many runs, each good with probability 1/2 (Markov), all fail with
/// probability at most `beta / 8`. With the natural logarithm they would not (`nuz20.e6`).
#[must_use]
pub fn runs_for(beta: &Rational) -> u32 {
    let mut runs = 0;
    let mut failure = Rational::one();
    while failure > beta / BigInt::from(8) {
        failure /= BigInt::from(2);
        runs += 1;
    }
    runs
}

/// Checks what both efficient learners need: `alpha` and `beta` in (0, 1), `gamma` in (0, 1], and a
/// budget with `delta > 0` under substitution.
///
/// # Errors
/// [`HalfspaceError::Parameter`].
pub fn check_goal(
    alpha: &Rational,
    beta: &Rational,
    budget: &Budget,
    gamma: &Rational,
) -> Result<(), HalfspaceError> {
    above_zero_below_one("alpha", alpha)?;
    above_zero_below_one("beta", beta)?;
    above_zero_at_most_one("gamma", gamma)?;
    above_zero_below_one("delta", budget.delta())?;
    let neighbours = budget.neighbours();
    Ok(require(
        neighbours == NeighbouringRelation::Substitute,
        "the neighbouring relation",
        &neighbours,
        "substitution of one record",
    )?)
}

/// Checks the public shape of a run.
///
/// # Errors
/// [`HalfspaceError::Parameter`] without runs or steps; [`HalfspaceError::Overflow`] for a grid that is
/// too fine.
pub fn check_shape(grid: Grid, runs: u32, steps: u64) -> Result<(), HalfspaceError> {
    if grid.bits() > FINEST_GRID {
        return Err(HalfspaceError::Overflow {
            what: "an inner product of two points",
        });
    }
    at_least_one("the number of runs", u64::from(runs))?;
    Ok(at_least_one("the number of steps", steps)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halfspaces::Record;
    use crate::number::rational::ratio;
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

    #[test]
    fn the_rounding_of_a_record_is_bounded_and_not_by_much() {
        assert_eq!(rounding_of_a_record(4, 10), ratio(2, 1024));
        assert_eq!(rounding_of_a_record(5, 10), ratio(3, 1024));
        // x = (1, 1)/2: x_A = (1, 1)/sqrt(2), on the grid of 2^-4 it is (11, 11)/16.
        let record = |positive| Record {
            features: vec![8, 8],
            positive,
        };
        let data = Dataset::new(Grid::new(4).unwrap(), 2, vec![record(true); 2]).unwrap();
        let point = &unit_points(&data, None).unwrap()[0];
        // |x_A - p|^2 = 1 + |p|^2 - 2 sqrt(2) p_1, for sqrt(2) in [1.4142, 1.4143].
        let p = ratio(point[0], 16);
        let error = |root: Rational| ratio(1, 1) + &p * &p * ratio(2, 1) - root * &p * ratio(2, 1);
        let bound = rounding_of_a_record(2, 4);
        assert!(error(ratio(14142, 10000)) <= &bound * &bound);
        assert!(error(ratio(14143, 10000)) > ratio(0, 1));
    }

    #[test]
    fn runs_are_counted_in_base_two() {
        assert_eq!(runs_for(&ratio(1, 2)), 4);
        assert_eq!(runs_for(&ratio(1, 4)), 5);
        assert_eq!(runs_for(&ratio(1, 10)), 7);
        assert_eq!(runs_for(&ratio(1, 20)), 8);
        assert_eq!(runs_for(&ratio(1, 1000)), 13);
    }

    #[test]
    fn points_are_placed_on_grids_up_to_the_finest() {
        let points = |bits| {
            let record = Record {
                features: vec![1i64 << (bits - 1)],
                positive: true,
            };
            let data = Dataset::new(Grid::new(bits).unwrap(), 1, vec![record; 2]).unwrap();
            unit_points(&data, None)
        };
        assert_eq!(points(30).unwrap(), vec![[1 << 30]; 2]);
        assert!(points(31).is_err());
    }

    #[test]
    fn goals_and_shapes_outside_their_range_are_refused() {
        let half = ratio(1, 2);
        let budget = |delta, relation| Budget::approximate(Rational::one(), delta, relation);
        let right = budget(ratio(1, 9), NeighbouringRelation::Substitute).unwrap();
        let one = Rational::one();
        assert_eq!(check_goal(&half, &half, &right, &one), Ok(()));
        let pure = budget(Rational::zero(), NeighbouringRelation::Substitute).unwrap();
        let removal = budget(ratio(1, 9), NeighbouringRelation::AddOrRemove).unwrap();
        for (refused, name) in [
            (check_goal(&one, &half, &right, &half), "alpha must"),
            (check_goal(&half, &one, &right, &half), "beta must"),
            (check_goal(&half, &half, &right, &ratio(3, 2)), "gamma must"),
            (check_goal(&half, &half, &pure, &half), "delta must"),
            (
                check_goal(&half, &half, &removal, &half),
                "the neighbouring relation must",
            ),
            (
                check_shape(Grid::new(30).unwrap(), 0, 1),
                "the number of runs must",
            ),
            (
                check_shape(Grid::new(30).unwrap(), 1, 0),
                "the number of steps must",
            ),
        ] {
            let refused = refused.unwrap_err().to_string();
            assert!(refused.starts_with(name), "{refused}");
        }
        assert_eq!(check_shape(Grid::new(30).unwrap(), 1, 1), Ok(()));
        assert!(check_shape(Grid::new(31).unwrap(), 1, 1).is_err());
    }
}
