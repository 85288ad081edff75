//! Scores of all points of a cover, without storing the cover.
//!
//! A record is an integer vector `v` and an integer `t`. It is *bad* for the point `k/q` of the cover if
//! `<k, v> < t`; the score of a point is the number of its bad records. The cover is gone through line by
//! line, once for the number of points of each score, and once more for the point drawn
//! ([`CoverChoice`](super::CoverChoice)).

use super::{GeometryError, LatticeCover, Line};
use crate::number::grid::squared_norm;

/// The scores of all points of a cover, on given records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoverScores {
    cover: LatticeCover,
    // columns[j][i] is the j-th coordinate of v of record i.
    columns: Vec<Vec<i64>>,
    // t of record i.
    least_good: Vec<i64>,
}

impl CoverScores {
    /// The scores on the records with these vectors `v` and least good products `t`.
    ///
    /// # Errors
    /// [`GeometryError::Length`] unless each vector has the cover's dimension, and there are as many `t`;
    /// [`GeometryError::ScoreOverflow`] if a vector is longer than [`largest_squared_norm`] or a `t` beyond
    /// `2^60`.
    pub fn new(
        vectors: &[Vec<i64>],
        least_good: &[i64],
        cover: &LatticeCover,
    ) -> Result<Self, GeometryError> {
        let lengths = vectors.iter().map(|v| (v.len(), cover.dimension()));
        for (found, expected) in lengths.chain([(least_good.len(), vectors.len())]) {
            if found != expected {
                return Err(GeometryError::Length { expected, found });
            }
        }
        let largest = largest_squared_norm(cover);
        if vectors.iter().any(|v| squared_norm(v) > largest)
            || least_good.iter().any(|t| t.unsigned_abs() > 1 << 60)
        {
            return Err(GeometryError::ScoreOverflow);
        }
        let column = |axis: usize| vectors.iter().map(|v| v[axis]).collect();
        Ok(Self {
            cover: cover.clone(),
            columns: (0..cover.dimension()).map(column).collect(),
            least_good: least_good.to_vec(),
        })
    }

    /// The cover.
    #[must_use]
    pub fn cover(&self) -> &LatticeCover {
        &self.cover
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> usize {
        self.least_good.len()
    }

    /// A record: its vector `v` and its `t`.
    #[must_use]
    pub fn record(&self, place: usize) -> (Vec<i64>, i64) {
        let vector = self.columns.iter().map(|column| column[place]).collect();
        (vector, self.least_good[place])
    }

    /// The same scores on the records at these places only.
    #[must_use]
    pub fn of_records(&self, places: &[usize]) -> Self {
        let at = |values: &Vec<i64>| places.iter().map(|&place| values[place]).collect();
        Self {
            cover: self.cover.clone(),
            columns: self.columns.iter().map(at).collect(),
            least_good: at(&self.least_good),
        }
    }

    /// How many records are bad for `k/q`: the definition, to which the sweep is compared.
    #[must_use]
    pub fn score(&self, k: &[i64]) -> u64 {
        (0..self.records())
            .filter(|&record| self.is_bad(record, k))
            .count() as u64
    }

    /// Whether there is such a record, and it is bad for `k/q`. For the ledger, which looks at records one by one.
    #[doc(hidden)]
    #[must_use]
    pub fn is_bad(&self, record: usize, k: &[i64]) -> bool {
        let Some(least_good) = self.least_good.get(record) else {
            return false;
        };
        let product: i64 = self.columns.iter().zip(k).map(|(v, k)| v[record] * k).sum();
        product < *least_good
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
        let mut sweep = Sweep::new(self);
        let mut lines = self.cover.lines();
        while let Some(line) = lines.next_line() {
            if let Some(found) = visit(&line, sweep.scores(&line)) {
                return Some(found);
            }
        }
        None
    }
}

/// Goes along the lines of a cover, in their order.
pub(super) struct Sweep<'a> {
    scores: &'a CoverScores,
    // slack = <k, v> - t, of each record, at the point (prefix, 0): bad if negative.
    slacks: Vec<i64>,
    prefix: Vec<i64>,
    at_first: Vec<i64>,
    found: Vec<u64>,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(scores: &'a CoverScores) -> Self {
        Self {
            scores,
            slacks: scores.least_good.iter().map(|least| -least).collect(),
            prefix: vec![0; scores.columns.len() - 1],
            at_first: vec![0; scores.records()],
            found: Vec::new(),
        }
    }

    /// The scores along the next line.
    pub(super) fn scores(&mut self, line: &Line<'_>) -> &[u64] {
        // A cover has at least one dimension.
        let (prefix_columns, last_column) = self.scores.columns.split_at(self.prefix.len());
        let last_column = &last_column[0];
        // 1. Move the slacks to the line's prefix, and from there to its first point.
        for ((column, from), &to) in prefix_columns.iter().zip(&mut self.prefix).zip(line.prefix) {
            if *from != to {
                add_multiple(&mut self.slacks, to - *from, column);
                *from = to;
            }
        }
        self.at_first.copy_from_slice(&self.slacks);
        add_multiple(&mut self.at_first, line.first, last_column);
        // 2. The scores along the line.
        self.found.clear();
        self.found.resize(line.length(), 0);
        if line.length() <= SHORT {
            score_by_steps(&mut self.at_first, last_column, &mut self.found);
        } else {
            score_by_changes(&self.at_first, last_column, &mut self.found);
        }
        &self.found
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

/// The largest squared norm of a `v` for which all scores on this cover are computed in 64 bits.
///
/// On the way from one line to the next each `|k_i|` is at most `sqrt(b)`, so that `|k| <= sqrt(m b)`, and
/// no product exceeds `sqrt(m b) |v| <= 2^59.5`; `|t| <= 2^60`. No step of the sweep exceeds
/// `3 sqrt(m b) |v| + |t| <= 2^62`.
#[must_use]
pub fn largest_squared_norm(cover: &LatticeCover) -> u128 {
    let room = cover
        .squared_bound()
        .saturating_mul(cover.dimension() as u128);
    (1 << 119) / room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use proptest::prelude::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        let cover = LatticeCover::rounding(2, &ratio(1, 3)).unwrap();
        let new = |v: &[i64], t| CoverScores::new(&[v.to_vec()], &[t], &cover);
        assert!(new(&[1], 0).is_err());
        assert!(CoverScores::new(&[vec![1, 1]], &[], &cover).is_err());
        assert_eq!(
            new(&[i64::MAX, 1], 0).unwrap_err(),
            GeometryError::ScoreOverflow
        );
        assert_eq!(
            new(&[1, 1], i64::MIN).unwrap_err(),
            GeometryError::ScoreOverflow
        );
        // The longest vector and the extreme t accepted are swept without overflow.
        let longest = largest_squared_norm(&cover).isqrt() as i64;
        for t in [1 << 60, -(1 << 60)] {
            let scores = new(&[-longest, 0], t).unwrap();
            assert_eq!(
                scores.counts().iter().sum::<u64>() as u128,
                cover.count_at_most(1 << 20).unwrap()
            );
        }
    }

    proptest! {
        #[test]
        fn the_sweep_is_the_plain_scoring(
            (m, records) in (1usize..5).prop_flat_map(|m| {
                let record = (prop::collection::vec(-6i64..=6, m), -20i64..=20);
                (Just(m), prop::collection::vec(record, 1..8))
            }),
            radius in 1i64..=75, scale in 1i64..1_000_000_000, pick in any::<u64>()
        ) {
            // Long lines in dimension 1 and 2, short ones in dimension 3 and 4.
            let finest = [1, 3, 15, 25][m - 1];
            let cover = LatticeCover::rounding(m, &ratio(finest + radius, 100)).unwrap();
            let vectors: Vec<Vec<i64>> =
                records.iter().map(|(v, _)| v.iter().map(|v| v * scale).collect()).collect();
            let least_good: Vec<i64> = records.iter().map(|(_, t)| t * scale).collect();
            let scores = CoverScores::new(&vectors, &least_good, &cover).unwrap();
            // The scores by the definition, point by point.
            let mut plain = Vec::new();
            let mut lines = cover.lines();
            while let Some(line) = lines.next_line() {
                for place in 0..line.length() {
                    let k = line.point(place);
                    let score = (0..records.len()).filter(|&i| scores.is_bad(i, &k)).count();
                    plain.push((k, score));
                }
            }
            let mut counts = vec![0; records.len() + 1];
            plain.iter().for_each(|(_, score)| counts[*score] += 1);
            prop_assert_eq!(&scores.counts(), &counts);
            // The second pass finds the point that the first counted.
            let (k, score) = &plain[(pick % plain.len() as u64) as usize];
            let same: Vec<_> = plain.iter().filter(|(_, other)| other == score).collect();
            let rank = same.iter().position(|(other, _)| other == k).unwrap() as u64;
            prop_assert_eq!(scores.point(*score, rank), Some(k.clone()));
            prop_assert_eq!(scores.point(*score, same.len() as u64), None);
        }
    }
}
