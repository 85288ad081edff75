//! The score of every point of a cover: how many records it classifies with too small a margin.
//!
//! Algorithm 2, step 4. A record `(x, y)` is *bad* for the hypothesis `w = k/q` if its normalised
//! projection has margin below the threshold: `y <w, x_A> < threshold` for `x_A = Ax/|Ax|`, or if
//! `Ax = 0`. With the integer vector `v = sqrt(m) A x`, this is
//!
//! `y <k, v> < threshold q |v|`,
//!
//! and since the left side is an integer, bad if and only if `y <k, v> < T(v)` for
//! `T(v) = ceil(threshold q |v|)`, raised to 1 where that is 0. The 1 makes a tie an error where the
//! threshold is 0, and makes `v = 0` bad for every `w`: the paper leaves `0/|0|` open, and a learner
//! that failed there would not be private (`spec/halfspaces.md`, E3 and E4).

use super::HalfspaceError;
use crate::geometry::{LatticeCover, Line};
use crate::number::range::zero_to_one;
use crate::number::{Rational, grid::squared_norm};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

/// The scores of all points of a cover, on given records.
#[derive(Debug, Clone)]
pub struct MarginScores<'a> {
    cover: &'a LatticeCover,
    // columns[j][i] is the j-th coordinate of y sqrt(m) A x of record i.
    columns: Vec<Vec<i64>>,
    // T of record i.
    least_good: Vec<i64>,
}

impl<'a> MarginScores<'a> {
    /// The scores on records given as `y sqrt(m) A x`.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] unless `0 <= threshold <= 1`; [`HalfspaceError::Length`] unless each
    /// vector has the cover's dimension; [`HalfspaceError::Overflow`] if one is longer than
    /// [`largest_squared_norm`].
    pub fn new(
        projected: &[Vec<i64>],
        cover: &'a LatticeCover,
        threshold: &Rational,
    ) -> Result<Self, HalfspaceError> {
        zero_to_one("the margin's threshold", threshold)?;
        let mut least_good = Vec::with_capacity(projected.len());
        for (number, v) in projected.iter().enumerate() {
            if v.len() != cover.dimension() {
                return Err(HalfspaceError::Length {
                    what: format!("the projection of record {number}"),
                    expected: cover.dimension(),
                    found: v.len(),
                });
            }
            let norm_squared = squared_norm(v);
            if norm_squared > largest_squared_norm(cover) {
                return Err(HalfspaceError::Overflow { what: "a score" });
            }
            least_good.push(least_good_product(norm_squared, cover, threshold));
        }
        let column = |axis: usize| projected.iter().map(|v| v[axis]).collect();
        Ok(Self {
            cover,
            columns: (0..cover.dimension()).map(column).collect(),
            least_good,
        })
    }

    /// Whether a record is bad for `k/q`: the definition, to which the sweep is compared.
    #[must_use]
    pub(crate) fn is_bad(&self, record: usize, k: &[i64]) -> bool {
        let product: i64 = self.columns.iter().zip(k).map(|(v, k)| v[record] * k).sum();
        product < self.least_good[record]
    }

    /// How many points of the cover have `0, 1, ..., n` bad records.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.least_good.len() + 1];
        self.sweep(|_, scores| -> Option<()> {
            for &score in scores {
                counts[score as usize] += 1;
            }
            None
        });
        counts
    }

    /// The point of the given rank, from 0, among those with `score` bad records, in the order of the
    /// cover; `None` past the last.
    #[must_use]
    pub fn point(&self, score: usize, rank: u64) -> Option<Vec<i64>> {
        let mut left = rank;
        self.sweep(|line, scores| {
            for (place, &found) in scores.iter().enumerate() {
                if found as usize == score {
                    if left == 0 {
                        return Some(line.point(place));
                    }
                    left -= 1;
                }
            }
            None
        })
    }

    /// Visits the lines of the cover with the scores of their points, until a visit returns something.
    fn sweep<T>(&self, mut visit: impl FnMut(&Line<'_>, &[u64]) -> Option<T>) -> Option<T> {
        let (last_column, prefix_columns) = self.columns.split_last()?;
        // slack = y <k, v> - T, of each record, at the point (prefix, 0): bad if negative.
        let mut slacks: Vec<i64> = self.least_good.iter().map(|least| -least).collect();
        let mut prefix = vec![0; prefix_columns.len()];
        let mut at_first = vec![0; slacks.len()];
        let mut scores = Vec::new();
        let mut lines = self.cover.lines();
        while let Some(line) = lines.next_line() {
            // 1. Move the slacks to the line's prefix, and from there to its first point.
            for ((column, from), &to) in prefix_columns.iter().zip(&mut prefix).zip(line.prefix) {
                if *from != to {
                    add_multiple(&mut slacks, to - *from, column);
                    *from = to;
                }
            }
            at_first.copy_from_slice(&slacks);
            add_multiple(&mut at_first, line.first, last_column);
            // 2. The scores along the line.
            scores.clear();
            scores.resize(line.length(), 0);
            if line.length() <= SHORT {
                score_by_steps(&mut at_first, last_column, &mut scores);
            } else {
                score_by_changes(&at_first, last_column, &mut scores);
            }
            if let Some(found) = visit(&line, &scores) {
                return Some(found);
            }
        }
        None
    }
}

/// The longest line that [`score_by_steps`] scores: it takes about as long as the division and the
/// unforeseeable branch of [`score_by_changes`].
const SHORT: usize = 16;

/// The scores along a line, point by point: how many slacks are negative, as each moves on by its `v`.
fn score_by_steps(slacks: &mut [i64], column: &[i64], scores: &mut [u64]) {
    for score in scores {
        for (slack, v) in slacks.iter_mut().zip(column) {
            // The sign bit.
            *score += *slack as u64 >> 63;
            *slack += v;
        }
    }
}

/// The scores along a line, record by record: a slack is monotone along the line, so that the record
/// turns good or bad at most once, at a place that a division finds.
fn score_by_changes(slacks: &[i64], column: &[i64], scores: &mut [u64]) {
    let steps = scores.len() as i64 - 1;
    let (mut bad_at_first, mut change) = (0, vec![0i64; scores.len()]);
    for (&at_first, &v) in slacks.iter().zip(column) {
        let at_last = at_first + steps * v;
        bad_at_first += i64::from(at_first < 0);
        if at_first < 0 && at_last >= 0 {
            // v > 0: good from the least place with at_first + place v >= 0 on.
            change[((-at_first + v - 1) / v) as usize] -= 1;
        } else if at_first >= 0 && at_last < 0 {
            // v < 0: bad from the least place with at_first + place v < 0 on.
            change[(at_first / -v + 1) as usize] += 1;
        }
    }
    // The changes up to each point sum to its score.
    let mut score = bad_at_first;
    for (found, change) in scores.iter_mut().zip(change) {
        score += change;
        *found = score as u64;
    }
}

/// `sums += factor * column`.
fn add_multiple(sums: &mut [i64], factor: i64, column: &[i64]) {
    for (sum, v) in sums.iter_mut().zip(column) {
        *sum += factor * v;
    }
}

/// The largest squared norm of `v = sqrt(m) A x` for which all scores on this cover are computed in 64
/// bits.
///
/// On the way from one line to the next each `|k_i|` is at most `sqrt(b)`, so that `|k| <= sqrt(m b)`;
/// and `T(v) <= q |v| + 1` with `q^2 <= b`. No step of the sweep exceeds `4 sqrt(m b) |v| + 1 <= 2^62`.
#[must_use]
pub fn largest_squared_norm(cover: &LatticeCover) -> u128 {
    let room = cover
        .squared_bound()
        .saturating_mul(cover.dimension() as u128);
    (1 << 119) / room
}

/// `T = max(1, ceil(threshold q |v|))`: the least positive integer `t` with
/// `t^2 >= threshold^2 q^2 |v|^2`.
fn least_good_product(norm_squared: u128, cover: &LatticeCover, threshold: &Rational) -> i64 {
    let scale = threshold * Rational::from_integer(cover.denominator().into());
    let square = &scale * &scale * Rational::from_integer(norm_squared.into());
    // An integer t has t^2 >= square if and only if t^2 >= ceil(square).
    let square = square.ceil().to_integer().magnitude().clone();
    let root = square.sqrt();
    let least = if &root * &root < square {
        root + BigUint::one()
    } else {
        root
    };
    // It fits: |v| is at most the root of the largest squared norm.
    least.to_i64().unwrap_or(i64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use num_bigint::BigInt;
    use num_traits::Zero;
    use proptest::prelude::*;

    /// The scores by the definition, point by point.
    fn plain_scores(scores: &MarginScores<'_>) -> Vec<(Vec<i64>, usize)> {
        let mut found = Vec::new();
        let mut lines = scores.cover.lines();
        while let Some(line) = lines.next_line() {
            for place in 0..line.length() {
                let k = line.point(place);
                let bad = (0..scores.least_good.len()).filter(|&i| scores.is_bad(i, &k));
                let score = bad.count();
                found.push((k, score));
            }
        }
        found
    }

    /// The definition without our rearrangement: `y <k, v> < threshold q |v|` over the rationals.
    fn is_bad_in_rationals(k: &[i64], v: &[i64], q: u64, threshold: &Rational) -> bool {
        let product: i64 = k.iter().zip(v).map(|(k, v)| k * v).sum();
        let norm_squared = Rational::from_integer(BigInt::from(squared_norm(v)));
        let bound = threshold * threshold * Rational::from_integer((q * q).into()) * norm_squared;
        product <= 0 || Rational::from_integer((product * product).into()) < bound
    }

    #[test]
    fn a_strict_comparison_made_non_strict_at_zero_is_caught() {
        // k = 0 is bad for every record, also at threshold 0; v = 0 is bad for every k.
        let cover = LatticeCover::rounding(2, &ratio(1, 3)).unwrap();
        let records = [vec![0, 0], vec![1, 2], vec![-3, 1]];
        for threshold in [Rational::zero(), ratio(1, 10)] {
            let mut scores = MarginScores::new(&records, &cover, &threshold).unwrap();
            assert!((0..3).all(|record| scores.is_bad(record, &[0, 0])));
            let counts = scores.counts();
            assert_eq!(counts[0], 0);
            // The twin that lets T be 0 counts v = 0 good everywhere, and the counts change.
            scores.least_good[0] = 0;
            assert!(!scores.is_bad(0, &[1, 1]));
            assert_ne!(scores.counts(), counts);
        }
        // At threshold 0 the twin counts k = 0 good for all.
        let mut scores = MarginScores::new(&records, &cover, &Rational::zero()).unwrap();
        scores.least_good = vec![0; 3];
        assert!((0..3).all(|record| !scores.is_bad(record, &[0, 0])));
    }

    #[test]
    fn the_threshold_itself_is_good() {
        // q = 4, v = (3, 4), threshold 7/20: T = 7 exactly, and <(1, 1), v> = 7.
        let cover = LatticeCover::rounding(2, &ratio(1, 5)).unwrap();
        assert_eq!(cover.denominator(), 4);
        let records = [vec![3, 4]];
        let scores = MarginScores::new(&records, &cover, &ratio(7, 20)).unwrap();
        assert!(!scores.is_bad(0, &[1, 1]));
        let scores = MarginScores::new(&records, &cover, &ratio(7001, 20000)).unwrap();
        assert!(scores.is_bad(0, &[1, 1]));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let cover = LatticeCover::rounding(2, &ratio(1, 3)).unwrap();
        let new = |v: &[i64], threshold| MarginScores::new(&[v.to_vec()], &cover, &threshold);
        assert!(new(&[1], ratio(1, 2)).is_err());
        assert!(new(&[1, 1], ratio(-1, 2)).is_err() && new(&[1, 1], ratio(3, 2)).is_err());
        assert!(new(&[i64::MAX, i64::MAX], ratio(1, 2)).is_err());
        // The longest vector accepted is swept without overflow.
        let longest = largest_squared_norm(&cover).isqrt() as i64;
        let scores = new(&[-longest, 0], Rational::one()).unwrap();
        assert_eq!(
            scores.counts().iter().sum::<u64>() as u128,
            cover.count_at_most(1 << 20).unwrap()
        );
    }

    proptest! {
        #[test]
        fn the_sweep_is_the_plain_scoring(
            (m, records) in (1usize..5).prop_flat_map(|m| {
                (Just(m), prop::collection::vec(prop::collection::vec(-6i64..=6, m), 1..8))
            }),
            radius in 1i64..=75, threshold in 0i64..=100, scale in 1i64..1_000_000_000,
            pick in any::<u64>()
        ) {
            // Long lines in dimension 1 and 2, short ones in dimension 3 and 4.
            let finest = [1, 3, 15, 25][m - 1];
            let cover = LatticeCover::rounding(m, &ratio(finest + radius, 100)).unwrap();
            let threshold = ratio(threshold, 100);
            let small = MarginScores::new(&records, &cover, &threshold).unwrap();
            let scaled: Vec<Vec<i64>> =
                records.iter().map(|v| v.iter().map(|v| v * scale).collect()).collect();
            let scores = MarginScores::new(&scaled, &cover, &threshold).unwrap();
            let plain = plain_scores(&scores);
            let mut counts = vec![0; records.len() + 1];
            for (k, score) in &plain {
                counts[*score] += 1;
                for (i, v) in records.iter().enumerate() {
                    let bad = is_bad_in_rationals(k, v, cover.denominator(), &threshold);
                    prop_assert_eq!(scores.is_bad(i, k), bad);
                }
            }
            prop_assert_eq!(&scores.counts(), &counts);
            // Normalised: the length of a record does not matter.
            prop_assert_eq!(&small.counts(), &counts);
            // The second pass finds the point that the first counted.
            let (k, score) = &plain[(pick % plain.len() as u64) as usize];
            let same: Vec<_> = plain.iter().filter(|(_, other)| other == score).collect();
            let rank = same.iter().position(|(other, _)| other == k).unwrap() as u64;
            prop_assert_eq!(scores.point(*score, rank), Some(k.clone()));
            prop_assert_eq!(scores.point(*score, same.len() as u64), None);
        }
    }
}
