//! The exponential mechanism on the points of a cover.

use super::CoverScores;
use super::sweep::Sweep;
use crate::coins::{Coins, CoinsError, Divergence, Law, Loss};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The law of a point `k` of a cover with probability proportional to `exp(-epsilon score / 2)`: the exponential
/// mechanism, `(epsilon, 0)`-private wherever a neighbour has one other record, which moves every score by at most
/// one.
///
/// How many points have each score depends on the data, and so do the classes of the mechanism; what is drawn, and
/// published, is the point.
#[derive(Debug, Clone, PartialEq)]
pub struct CoverChoice {
    scores: CoverScores,
    epsilon: Rational,
    // How many points have 0, 1, ..., n bad records: all that the law depends on, beside the scores.
    counts: Vec<u64>,
    by_score: ExponentialMechanism,
}

impl CoverChoice {
    /// The choice among all points of the scores' cover; it goes through the cover.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `epsilon > 0`.
    pub fn new(scores: CoverScores, epsilon: &Rational) -> Result<Self, CoinsError> {
        let counts = scores.counts();
        let class = |(score, &count): (u64, &u64)| ScoreClass {
            loss: Rational::from_integer(score.into()),
            count: count.into(),
        };
        let classes = (0..).zip(&counts).map(class).collect();
        Ok(Self {
            by_score: ExponentialMechanism::new(epsilon.clone(), Rational::one(), classes)?,
            scores,
            epsilon: epsilon.clone(),
            counts,
        })
    }

    /// The sum of all weights, `sum over s of counts(s) exp(-epsilon s / 2)`.
    fn total(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let mut total = Enclosure::integer(0, bits);
        for (score, &count) in self.counts.iter().enumerate() {
            if count > 0 {
                let weight = Enclosure::exp_of(&-self.exponent(score as u64), bits)?;
                total = total + Enclosure::integer(count, bits) * weight;
            }
        }
        Ok(total)
    }

    /// `epsilon score / 2`.
    fn exponent(&self, score: u64) -> Rational {
        &self.epsilon * BigInt::from(score) / BigInt::from(2)
    }

    /// `ln(Z' / Z)` for the sums of weights of `other` and of this law: exactly 0 where as many points have each score.
    fn log_of_totals(&self, other: &Self, bits: u32) -> Result<Loss, NumberError> {
        if self.counts == other.counts {
            return Ok(Loss::none());
        }
        Loss::of_probabilities(&other.total(bits)?, &self.total(bits)?)
    }

    /// The least and the largest of `other's score - own score` over all points: only records that one side has and the
    /// other lacks matter.
    fn changes_of_score(&self, other: &Self) -> (i64, i64) {
        let (own, others) = (&self.scores, &other.scores);
        let (own_places, other_places) = unmatched(own, others);
        let own = own.of_records(&own_places);
        let others = others.of_records(&other_places);
        let (mut least, mut largest) = (i64::MAX, i64::MIN);
        let (mut here, mut there) = (Sweep::new(&own), Sweep::new(&others));
        let mut lines = own.cover().lines();
        while let Some(line) = lines.next_line() {
            for (a, b) in here.scores(&line).iter().zip(there.scores(&line)) {
                let change = *b as i64 - *a as i64;
                least = least.min(change);
                largest = largest.max(change);
            }
        }
        (least, largest)
    }
}

/// The places of the records that have no equal among the other's, on both sides.
fn unmatched(one: &CoverScores, other: &CoverScores) -> (Vec<usize>, Vec<usize>) {
    let sorted = |scores: &CoverScores| {
        let mut records: Vec<_> = (0..scores.records())
            .map(|place| (scores.record(place), place))
            .collect();
        records.sort();
        records
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (one, other) = (sorted(one), sorted(other));
    let (mut i, mut j) = (0, 0);
    while i < one.len() || j < other.len() {
        match (one.get(i), other.get(j)) {
            (Some((a, _)), Some((b, _))) if a == b => (i, j) = (i + 1, j + 1),
            (Some((a, place)), b) if b.is_none_or(|(b, _)| a < b) => {
                ours.push(*place);
                i += 1;
            }
            (_, Some((_, place))) => {
                theirs.push(*place);
                j += 1;
            }
            // Not reached: one of the two has a record left.
            _ => break,
        }
    }
    (ours, theirs)
}

impl Law for CoverChoice {
    type Outcome = Vec<i64>;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    /// First the score, then the rank among the points that have it: a second pass finds the point.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<i64>, CoinsError> {
        let (score, rank) = self.by_score.draw_outcome(coins)?;
        // The rank is below the number of points counted with that score: there is such a point.
        rank.to_u64()
            .and_then(|rank| self.scores.point(score, rank))
            .ok_or(CoinsError::NoOutcome)
    }

    fn pmf(&self, k: &Vec<i64>, bits: u32) -> Result<Enclosure, NumberError> {
        if !self.scores.cover().contains(k) {
            return Ok(Enclosure::integer(0, bits));
        }
        let weight = Enclosure::exp_of(&-self.exponent(self.scores.score(k)), bits)?;
        weight.divided_by(&self.total(bits)?)
    }

    // exp(-epsilon s/2)/Z over exp(-epsilon s'/2)/Z': epsilon (s' - s)/2 + ln(Z'/Z)
    fn loss(&self, other: &Self, k: &Vec<i64>, bits: u32) -> Result<Loss, NumberError> {
        if self.scores.cover() != other.scores.cover() || self.epsilon != other.epsilon {
            return Loss::of_probabilities(&self.pmf(k, bits)?, &other.pmf(k, bits)?);
        }
        let change = other.exponent(other.scores.score(k)) - self.exponent(self.scores.score(k));
        Ok(Loss::Exact(change).plus(&self.log_of_totals(other, bits)?))
    }

    // The loss is epsilon change / 2 + ln(Z'/Z), and largest in magnitude at the least or the largest change; and as
    // ln(Z'/Z) is between -epsilon largest / 2 and -epsilon least / 2, it is at most epsilon (largest - least) / 2.
    fn divergence(&self, other: &Self, bits: u32) -> Result<Divergence, NumberError> {
        if self.scores.cover() != other.scores.cover() || self.epsilon != other.epsilon {
            return Ok(Divergence::Unbounded(
                "the choice is not among the same points",
            ));
        }
        let (least, largest) = self.changes_of_score(other);
        let scaled = |change: i64| &self.epsilon * BigInt::from(change) / BigInt::from(2);
        let totals = self.log_of_totals(other, bits)?;
        let enclosed = [least, largest]
            .iter()
            .filter_map(|&change| Loss::Exact(scaled(change)).plus(&totals).magnitude())
            .fold(Rational::zero(), Rational::max);
        let worst = enclosed.min(scaled(largest - least));
        Ok(if worst.is_positive() {
            Divergence::Pure(worst)
        } else {
            Divergence::None
        })
    }

    /// A point of any score, whatever its weight.
    fn far_out<C: Coins>(
        &self,
        _stretch: u32,
        coins: &mut C,
    ) -> Result<Option<Vec<i64>>, CoinsError> {
        let occupied: Vec<usize> = (0..self.counts.len())
            .filter(|&score| self.counts[score] > 0)
            .collect();
        let place = coins.uniform_below(&BigUint::from(occupied.len()))?;
        let score = occupied[place.to_usize().unwrap_or(0)];
        let rank = coins.uniform_below(&self.counts[score].into())?;
        Ok(rank
            .to_u64()
            .and_then(|rank| self.scores.point(score, rank)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::LatticeCover;
    use crate::number::rational::ratio;

    fn choice(vectors: &[[i64; 2]], epsilon: Rational) -> CoverChoice {
        let cover = LatticeCover::rounding(2, &ratio(1, 3)).unwrap();
        let vectors: Vec<Vec<i64>> = vectors.iter().map(|v| v.to_vec()).collect();
        let scores = CoverScores::new(&vectors, &vec![1; vectors.len()], &cover).unwrap();
        CoverChoice::new(scores, &epsilon).unwrap()
    }

    /// The points of the cover.
    fn points(choice: &CoverChoice) -> Vec<Vec<i64>> {
        let cover = choice.scores.cover();
        (0..).map_while(|rank| cover.point_at(rank)).collect()
    }

    #[test]
    fn losses_and_their_bound_are_those_of_the_probabilities() {
        let first = choice(&[[3, 1], [-2, 5], [4, 4]], ratio(3, 2));
        for second in [
            choice(&[[3, 1], [-2, 5], [-4, -4]], ratio(3, 2)),
            choice(&[[-3, -1], [-2, 5], [4, 4]], ratio(3, 2)),
            choice(&[[3, 1], [-2, 5]], ratio(3, 2)),
        ] {
            let mut worst = Rational::zero();
            for point in points(&first) {
                let (p, q) = (first.pmf(&point, 128), second.pmf(&point, 128));
                let quotient = p.unwrap().ln().unwrap() - q.unwrap().ln().unwrap();
                let meets = match first.loss(&second, &point, 128).unwrap() {
                    Loss::Exact(loss) => quotient.contains(&loss),
                    Loss::Enclosed(loss) => quotient.meets(&loss),
                    Loss::Infinite => false,
                };
                assert!(meets, "{point:?}");
                worst = worst.max(quotient.abs().upper());
            }
            let Divergence::Pure(bound) = first.divergence(&second, 128).unwrap() else {
                panic!("no bound");
            };
            let slack = ratio(1, 1 << 60);
            assert!(&worst - &slack <= bound && bound <= ratio(3, 2), "{bound}");
        }
    }

    #[test]
    fn the_bound_is_exact_where_as_many_points_have_each_score() {
        let bound = |first: &[[i64; 2]], second: &[[i64; 2]]| {
            choice(first, ratio(1, 2)).divergence(&choice(second, ratio(1, 2)), 128)
        };
        // Turned: some points win what others lose, and the sum of the weights stays: epsilon/2.
        let turned = bound(&[[1, 0]], &[[-1, 0]]).unwrap();
        assert_eq!(turned, Divergence::Pure(ratio(1, 4)));
        // The order of the records is nothing to the law.
        let same = bound(&[[1, 0], [0, 2]], &[[0, 2], [1, 0]]).unwrap();
        assert_eq!(same, Divergence::None);
    }

    #[test]
    fn far_out_points_are_points_of_the_cover() {
        let choice = choice(&[[1, 0], [0, 2]], ratio(40, 1));
        let mut coins = crate::coins::ChaCha::reproducible(1, 0);
        let mut scores: Vec<u64> = (0..40)
            .map(|_| choice.far_out(9, &mut coins).unwrap().unwrap())
            .inspect(|point| assert!(choice.scores.cover().contains(point)))
            .map(|point| choice.scores.score(&point))
            .collect();
        scores.sort_unstable();
        scores.dedup();
        // By its weight a bad point would never be seen.
        assert_eq!(scores, [0, 1, 2]);
    }
}
