//! Covers of the unit ball by lattice points.

use super::GeometryError;
use crate::number::range::{OutOfRange, above_zero_at_most_one, at_least_one};
use crate::number::root::ceil_sqrt;
use crate::number::{Rational, grid::squared_norm};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// How a point of the ball is moved to the lattice, in the proof that a cover covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverKind {
    /// Each coordinate rounded towards zero: the cover lies inside the ball.
    Truncating,
    /// Each coordinate rounded to the nearest: about `2^m` times fewer points, of norm at most
    /// `1 + radius`.
    Rounding,
}

/// The points `k/q`, with an integer vector `k` of squared norm at most `b`: one of them is within
/// `radius` of every point of the unit ball of `R^m` (ledger: `nuz20.net`).
///
/// *Truncating*: `q = ceil(sqrt(m)/radius)` and `|k| <= q`. Let `|w| <= 1`, and round each `q w_i` towards
/// zero: `|k_i| <= q |w_i|`, so that `|k| <= q`, and each coordinate of `k/q` errs by less than `1/q`, so
/// that `|w - k/q| < sqrt(m)/q <= radius`.
///
/// *Rounding*: `q = ceil(sqrt(m)/(2 radius))` and `|k| <= q + sqrt(m)/2`. Round each `q w_i` to the
/// nearest: each coordinate errs by at most `1/(2q)`, so that `|w - k/q| <= sqrt(m)/(2q) <= radius` and
/// `|k| <= q |w| + sqrt(m)/2 <= q + sqrt(m)/2`.
///
/// The points are never stored: they are visited along [`LatticeCover::lines`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatticeCover {
    kind: CoverKind,
    dimension: usize,
    radius: Rational,
    denominator: u64,
    squared_bound: u128,
}

impl LatticeCover {
    /// The truncating cover: [`CoverKind::Truncating`].
    ///
    /// # Errors
    /// Those of [`LatticeCover::new`].
    pub fn truncating(dimension: usize, radius: &Rational) -> Result<Self, GeometryError> {
        Self::new(CoverKind::Truncating, dimension, radius)
    }

    /// The rounding cover: [`CoverKind::Rounding`].
    ///
    /// # Errors
    /// Those of [`LatticeCover::new`].
    pub fn rounding(dimension: usize, radius: &Rational) -> Result<Self, GeometryError> {
        Self::new(CoverKind::Rounding, dimension, radius)
    }

    /// The cover of the given kind of the unit ball of `R^dimension`.
    ///
    /// # Errors
    /// [`GeometryError::Parameter`] unless `dimension >= 1` and `0 < radius <= 1`, or if the radius is
    /// so small that `q` does not fit in 61 bits.
    pub fn new(
        kind: CoverKind,
        dimension: usize,
        radius: &Rational,
    ) -> Result<Self, GeometryError> {
        at_least_one("the dimension of a cover", dimension as u64)?;
        above_zero_at_most_one("the radius of a cover", radius)?;
        // q is the least integer with q >= sqrt(m)/reach, that is, q^2 >= m/reach^2.
        let reach = match kind {
            CoverKind::Truncating => radius.clone(),
            CoverKind::Rounding => radius + radius,
        };
        let square = Rational::from_integer(dimension.into()) / (&reach * &reach);
        let denominator = ceil_sqrt(square.ceil().to_integer().magnitude())
            .to_u64()
            .filter(|q| *q < 1 << 61)
            .ok_or_else(|| {
                let expected = "larger: its lattice does not fit in 61 bits";
                OutOfRange::new("the radius of a cover", radius, expected)
            })?;
        let q = u128::from(denominator);
        let m = dimension as u128;
        let squared_bound = match kind {
            CoverKind::Truncating => q * q,
            // |k| <= q + sqrt(m)/2 is 4 |k|^2 <= 4 q^2 + m + 4 q sqrt(m), and the left side is an
            // integer. (4 q sqrt(m) = sqrt(16 q^2 m) <= 8 q^2 since m <= 4 q^2.)
            CoverKind::Rounding => {
                let root = BigUint::from(16u32) * q * q * m;
                let root = root.sqrt().to_u128().unwrap_or(8 * q * q);
                (4 * q * q + m + root) / 4
            }
        };
        Ok(Self {
            kind,
            dimension,
            radius: radius.clone(),
            denominator,
            squared_bound,
        })
    }

    /// The kind of the cover.
    #[must_use]
    pub fn kind(&self) -> CoverKind {
        self.kind
    }

    /// The dimension `m`.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The radius: no point of the ball is farther from the cover.
    #[must_use]
    pub fn radius(&self) -> &Rational {
        &self.radius
    }

    /// The denominator `q`.
    #[must_use]
    pub fn denominator(&self) -> u64 {
        self.denominator
    }

    /// The bound `b` on the squared norm of `k`.
    #[must_use]
    pub fn squared_bound(&self) -> u128 {
        self.squared_bound
    }

    /// Whether `k/q` is a point of the cover.
    #[must_use]
    pub fn contains(&self, k: &[i64]) -> bool {
        k.len() == self.dimension && squared_norm(k) <= self.squared_bound
    }

    /// The number of points, if it is at most `limit`.
    ///
    /// Takes less work than to visit `limit` points.
    ///
    /// # Errors
    /// [`GeometryError::TooManyPoints`] otherwise.
    pub fn count_at_most(&self, limit: u128) -> Result<u128, GeometryError> {
        // 1. The cube of all |k_i| <= c with m c^2 <= b is part of the cover; c >= 1 since b >= m.
        let side = 2 * (self.squared_bound / self.dimension as u128).isqrt() + 1;
        let mut cube = 1u128;
        for _ in 0..self.dimension {
            cube = cube.saturating_mul(side);
            if cube > limit {
                return Err(GeometryError::TooManyPoints {
                    points: format!("at least {side}^{}", self.dimension),
                    limit,
                });
            }
        }
        // 2. The cube is small enough to count the ball.
        let count = count_in_ball(self.dimension, self.squared_bound, &mut BTreeMap::new());
        if count > limit || count == u128::MAX {
            return Err(GeometryError::TooManyPoints {
                points: count.to_string(),
                limit,
            });
        }
        Ok(count)
    }

    /// The points, line by line along the last axis, in lexicographic order.
    #[must_use]
    pub fn lines(&self) -> Lines {
        Lines {
            prefix: vec![0; self.dimension - 1],
            room: vec![self.squared_bound; self.dimension],
            started: false,
            rest: None,
        }
    }

    /// The point of the given rank, from 0, in the order of [`LatticeCover::lines`]; `None` past the
    /// last.
    #[must_use]
    pub fn point_at(&self, rank: u128) -> Option<Vec<i64>> {
        let mut left = rank;
        let mut lines = self.lines();
        while let Some(line) = lines.next_line() {
            let length = line.length() as u128;
            if left < length {
                return Some(line.point(left as usize));
            }
            left -= length;
        }
        None
    }
}

/// The most points that one [`Line`] holds: a longer line comes in pieces.
const LONGEST_LINE: i64 = 1 << 16;

/// The points `(k_1, ..., k_{m-1}, c)` of a cover with `c` from `first` to `last`.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The coordinates `k_1, ..., k_{m-1}`.
    pub prefix: &'a [i64],
    /// The least last coordinate.
    pub first: i64,
    /// The largest last coordinate.
    pub last: i64,
}

impl Line<'_> {
    /// How many points the line has: at most 2^16.
    #[must_use]
    pub fn length(&self) -> usize {
        (self.last - self.first + 1) as usize
    }

    /// The point at the given place, from 0, where the last coordinate is `first`.
    #[must_use]
    pub fn point(&self, place: usize) -> Vec<i64> {
        let mut point = self.prefix.to_vec();
        point.push(self.first + place as i64);
        point
    }
}

/// Goes through the lines of a cover. (Each borrows the one place where the prefix stands, so that
/// this is not an `Iterator`.)
#[derive(Debug, Clone)]
pub struct Lines {
    prefix: Vec<i64>,
    // room[i] = b - k_1^2 - ... - k_i^2 is what the squares of the other coordinates may sum to.
    room: Vec<u128>,
    started: bool,
    // Where the next piece of a long line begins.
    rest: Option<i64>,
}

impl Lines {
    /// The next line, or the next piece of a long one.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        let axis = self.prefix.len();
        if self.rest.is_none() {
            self.advance()?;
        }
        let reach = self.room[axis].isqrt() as i64;
        let first = self.rest.unwrap_or(-reach);
        let last = reach.min(first + LONGEST_LINE - 1);
        self.rest = (last < reach).then_some(last + 1);
        Some(Line {
            prefix: &self.prefix,
            first,
            last,
        })
    }

    /// Moves to the next prefix; `None` past the last.
    fn advance(&mut self) -> Option<()> {
        // 1. The last coordinate that has room goes up by one.
        let changed = if self.started {
            let place = (0..self.prefix.len())
                .rev()
                .find(|&place| square(self.prefix[place] + 1) <= self.room[place])?;
            self.set(place, self.prefix[place] + 1);
            place + 1
        } else {
            self.started = true;
            0
        };
        // 2. Those after it start again from their least.
        for place in changed..self.prefix.len() {
            self.set(place, -(self.room[place].isqrt() as i64));
        }
        Some(())
    }

    fn set(&mut self, place: usize, value: i64) {
        self.prefix[place] = value;
        self.room[place + 1] = self.room[place] - square(value);
    }
}

fn square(value: i64) -> u128 {
    u128::from(value.unsigned_abs()).pow(2)
}

/// How many integer vectors of the given dimension have squared norm at most `b`, saturating.
///
/// By the first coordinate; the same smaller balls come up again and again, and are remembered.
fn count_in_ball(dimension: usize, b: u128, known: &mut BTreeMap<(usize, u128), u128>) -> u128 {
    let reach = b.isqrt();
    if dimension == 1 {
        return 2 * reach + 1;
    }
    if let Some(&count) = known.get(&(dimension, b)) {
        return count;
    }
    let mut count = count_in_ball(dimension - 1, b, known);
    for k in 1..=reach {
        let slice = count_in_ball(dimension - 1, b - k * k, known);
        count = count.saturating_add(slice.saturating_mul(2));
    }
    known.insert((dimension, b), count);
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn count(cover: &LatticeCover) -> u128 {
        cover.count_at_most(1 << 40).unwrap()
    }

    #[test]
    fn counts_of_the_notes() {
        let rounding: [(Rational, &[u128]); 6] = [
            (ratio(9, 100), &[13, 241, 5449, 140_945]),
            (ratio(5, 100), &[21, 777, 28113, 961_721]),
            (ratio(3, 100), &[35, 1917, 111_539]),
            (ratio(774, 1000), &[3, 9, 93, 425, 1343]),
            (ratio(430, 1000), &[5, 21, 251, 1281, 5913]),
            (ratio(258, 1000), &[5, 45, 461, 3121, 45005]),
        ];
        for (radius, counts) in rounding {
            for (m, &expected) in (1..).zip(counts) {
                let cover = LatticeCover::rounding(m, &radius).unwrap();
                assert_eq!(count(&cover), expected, "{m} {radius}");
            }
        }
        let truncating: [(Rational, &[u128]); 3] = [
            (ratio(9, 100), &[25, 797, 33401]),
            (ratio(5, 100), &[41, 2629, 179_579]),
            (ratio(3, 100), &[69, 7213]),
        ];
        for (radius, counts) in truncating {
            for (m, &expected) in (1..).zip(counts) {
                let cover = LatticeCover::truncating(m, &radius).unwrap();
                assert_eq!(count(&cover), expected, "{m} {radius}");
            }
        }
    }

    #[test]
    fn lines_hold_each_point_once_and_in_order() {
        for cover in [
            LatticeCover::rounding(1, &ratio(1, 10)).unwrap(),
            // In three pieces.
            LatticeCover::rounding(1, &ratio(1, 140_000)).unwrap(),
            LatticeCover::truncating(2, &ratio(1, 5)).unwrap(),
            LatticeCover::rounding(4, &ratio(2, 3)).unwrap(),
        ] {
            let mut points = Vec::new();
            let mut lines = cover.lines();
            while let Some(line) = lines.next_line() {
                points.extend((0..line.length()).map(|place| line.point(place)));
            }
            assert_eq!(points.len() as u128, count(&cover));
            assert!(points.is_sorted_by(|a, b| a < b));
            assert!(points.iter().all(|point| cover.contains(point)));
            for (rank, point) in points.iter().enumerate().step_by(points.len() / 100 + 1) {
                assert_eq!(cover.point_at(rank as u128).as_ref(), Some(point));
            }
            assert_eq!(cover.point_at(points.len() as u128), None);
        }
    }

    #[test]
    fn a_cover_out_of_reach_is_refused_at_once() {
        let cover = LatticeCover::rounding(16_200_000, &ratio(3, 100)).unwrap();
        let refused = cover.count_at_most(1_000_000_000).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the cover has at least 35^16200000 points, more than the limit of 1000000000"
        );
        // The cube fits, and the ball does not.
        let cover = LatticeCover::rounding(3, &ratio(9, 100)).unwrap();
        assert!(matches!(
            cover.count_at_most(5448),
            Err(GeometryError::TooManyPoints { points, .. }) if points == "5449"
        ));
        assert_eq!(cover.count_at_most(5449).unwrap(), 5449);
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(LatticeCover::rounding(0, &ratio(1, 2)).is_err());
        assert!(LatticeCover::rounding(2, &ratio(0, 1)).is_err());
        assert!(LatticeCover::rounding(2, &ratio(3, 2)).is_err());
        assert!(LatticeCover::truncating(5, &ratio(1, i64::MAX)).is_err());
        assert!(LatticeCover::truncating(usize::MAX, &ratio(1, i64::MAX)).is_err());
        assert!(LatticeCover::rounding(usize::MAX, &ratio(1, 1 << 20)).is_ok());
    }

    proptest! {
        #[test]
        fn every_point_of_the_ball_is_covered(
            w in prop::collection::vec(-1000i64..=1000, 1..9), shrink in 0i64..1000,
            percent in 1i64..=100, rounding in any::<bool>()
        ) {
            // w / length, a point of the ball.
            let length: BigInt = BigInt::from(squared_norm(&w)).sqrt() + 1 + shrink;
            let radius = ratio(percent, 100);
            let kind = if rounding { CoverKind::Rounding } else { CoverKind::Truncating };
            let cover = LatticeCover::new(kind, w.len(), &radius).unwrap();
            let q = integer(cover.denominator());
            let mut distance = integer(0);
            let mut point = Vec::new();
            for &coordinate in &w {
                let exact = Rational::new(coordinate.into(), length.clone());
                let scaled = &exact * &q;
                let k = if rounding { scaled.round() } else { scaled.trunc() };
                let error = &k / &q - exact;
                distance += &error * &error;
                point.push(k.to_integer().to_i64().unwrap());
            }
            prop_assert!(cover.contains(&point));
            prop_assert!(distance <= &radius * &radius);
        }

        #[test]
        fn the_rounding_bound_is_that_of_the_norm(m in 1usize..12, percent in 1i64..=100, excess in 0i64..40) {
            // |k| <= q + sqrt(m)/2  <=>  a = 4|k|^2 - 4q^2 - m <= 0 or a^2 <= 16 q^2 m.
            let cover = LatticeCover::rounding(m, &ratio(percent, 100)).unwrap();
            let q = i128::from(cover.denominator());
            let squared = cover.squared_bound() as i128 - 20 + i128::from(excess);
            let a = 4 * squared - 4 * q * q - m as i128;
            let inside = a <= 0 || a * a <= 16 * q * q * m as i128;
            prop_assert_eq!(inside, squared as u128 <= cover.squared_bound() || squared < 0);
        }
    }
}
