//! The exact law of a transcript of Algorithm 3 in one dimension: the candidates that end at -1 and at +1,
//! and which kind is chosen.
//!
//! In one dimension `x_A` is -1 or +1, and the projection on `[-1, 1]` puts positive probability on both ends.

use crate::coins::Law;
use crate::halfspaces::HalfspaceError;
use crate::halfspaces::as_printed::printed_noise;
use crate::halfspaces::efficient::NoiseGd;
use crate::halfspaces::steps::Hinge;
use crate::number::{Enclosure, Grid, NumberError, Rational};
use crate::optimise::noisy_descent;
use crate::privacy::Budget;
use crate::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;

const BITS: u32 = 160;

/// How probable the event is on the two datasets, and what that says of privacy.
#[derive(Debug, Clone)]
pub struct TranscriptLoss {
    /// The probability of the event for the dataset of `n` records that say +1.
    pub agreeing: Enclosure,
    /// The same where one of them is substituted by one that says -1.
    pub dissenting: Enclosure,
    /// A lower bound on delta at the claimed epsilon: `dissenting - e^epsilon agreeing`.
    pub delta: Enclosure,
    /// The privacy loss of the event, `ln(dissenting / agreeing)`.
    pub loss: Enclosure,
}

/// The one-dimensional instance: gamma = 1, `n` records, and the event that exactly `minus` of `k`
/// candidates end at -1, all others at +1, and one at -1 is chosen.
#[derive(Debug, Clone)]
pub struct OneDimension {
    /// The records.
    pub n: u64,
    /// The candidates.
    pub k: u32,
    /// How many of them end at -1.
    pub minus: u32,
    /// The budget that is claimed.
    pub claimed: Budget,
    /// The grid on which the points move.
    pub grid: Grid,
}

impl OneDimension {
    /// The exact law of the event under Algorithm 3 as printed.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn as_printed(&self) -> Result<TranscriptLoss, HalfspaceError> {
        let noise = printed_noise(&self.claimed, self.k, self.n, self.grid)?;
        self.transcript(&noise, self.claimed.epsilon())
    }

    /// The same with half of epsilon for the candidates and half for the choice, and the printed noise
    /// formula: repaired in what E2 is about, and in nothing else.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn with_the_budget_split(&self) -> Result<TranscriptLoss, HalfspaceError> {
        let half = self.claimed.epsilon() / BigInt::from(2);
        let runs = Budget::approximate(
            half.clone(),
            self.claimed.delta().clone(),
            self.claimed.neighbours(),
        )?;
        let noise = printed_noise(&runs, self.k, self.n, self.grid)?;
        self.transcript(&noise, &half)
    }

    /// The law of the event with the given noise, and `choice` for the exponential mechanism.
    fn transcript(
        &self,
        noise: &NoiseGd,
        choice: &Rational,
    ) -> Result<TranscriptLoss, HalfspaceError> {
        let agreeing = self.event(noise, choice, 0)?;
        let dissenting = self.event(noise, choice, 1)?;
        let factor = Enclosure::exp_of(self.claimed.epsilon(), BITS)?;
        Ok(TranscriptLoss {
            delta: &dissenting - factor * &agreeing,
            loss: dissenting.divided_by(&agreeing)?.ln()?,
            agreeing,
            dissenting,
        })
    }

    /// The probability of the event where `dissenters` of the `n` records say -1.
    fn event(
        &self,
        noise: &NoiseGd,
        choice: &Rational,
        dissenters: u64,
    ) -> Result<Enclosure, HalfspaceError> {
        let ends = self.last_point(noise, dissenters)?;
        let (minus, plus) = (u64::from(self.minus), u64::from(self.k - self.minus));
        let ways = num_integer::binomial(u64::from(self.k), minus);
        let candidates = Enclosure::integer(ways, BITS)
            * ends.at_minus_one.power(minus)
            * ends.at_plus_one.power(plus);
        // The choice, by the very mechanism of the algorithm: class 0 holds the candidates at -1.
        let one = self.grid.one();
        let hinge = Hinge::of_algorithm_1(&Rational::from_integer(1.into()));
        let points: Vec<Vec<i64>> = (0..self.n)
            .map(|record| vec![if record < dissenters { -one } else { one }])
            .collect();
        let class = |w: i64, count: u64| ScoreClass {
            loss: hinge.total(&[w], &points, one),
            count: count.into(),
        };
        let mechanism = ExponentialMechanism::new(
            choice.clone(),
            hinge.range(),
            vec![class(-one, minus), class(one, plus)],
        )?;
        Ok(candidates * mechanism.pmf(&0, BITS)?)
    }

    /// The exact law of the last point of Noise-GD, as far as the event needs it: step by step, over all
    /// points of the grid in [-1, 1].
    fn last_point(&self, noise: &NoiseGd, dissenters: u64) -> Result<Ends, HalfspaceError> {
        let one = self.grid.one();
        let kink = Hinge::of_algorithm_1(&Rational::from_integer(1.into())).kink(one);
        let share = |count: u64| Enclosure::of(&Rational::new(count.into(), self.n.into()), BITS);
        // The point, as its distance from -1; it starts at the origin.
        let mut law = vec![Enclosure::integer(0, BITS); 2 * one as usize + 1];
        law[one as usize] = Enclosure::integer(1, BITS);
        for t in 1..self.n * self.n {
            let squared_scale = noise.squared_scale(t, self.n, 1);
            let moves = [-1, 0, 1].map(|side| {
                let gradient = BigInt::from(side) * BigInt::from(self.n) * BigInt::from(one);
                shift_law(noise, &gradient, &squared_scale, 2 * one)
            });
            let [minus, none, plus] = moves;
            let moves = [(-1, minus?), (0, none?), (1, plus?)];
            let mut next = vec![Enclosure::integer(0, BITS); law.len()];
            for (place, probability) in law.iter().enumerate() {
                let w = place as i64 - one;
                // A record that says y pushes towards y while y w is below the kink.
                let pushes = |y: i64| BigInt::from(y * w * one) < kink;
                let up = if pushes(1) { self.n - dissenters } else { 0 };
                let down = if pushes(-1) { dissenters } else { 0 };
                for (side, at_least) in &moves {
                    let count = match side {
                        1 => up,
                        -1 => down,
                        _ => self.n - up - down,
                    };
                    if count > 0 {
                        spread(&mut next, place, &(probability * share(count)), at_least);
                    }
                }
            }
            law = next;
        }
        Ok(Ends {
            at_minus_one: law[0].clone(),
            at_plus_one: law[law.len() - 1].clone(),
        })
    }
}

struct Ends {
    at_minus_one: Enclosure,
    at_plus_one: Enclosure,
}

/// `Pr[shift >= j]` for `j = 1 - reach, ..., reach`, for a gradient with noise; entry `i` is for
/// `j = i + 1 - reach`.
fn shift_law(
    noise: &NoiseGd,
    gradient: &BigInt,
    squared_scale: &Rational,
    reach: i64,
) -> Result<Vec<Enclosure>, NumberError> {
    (1 - reach..=reach)
        .map(|j| {
            // shift(v) >= j > 0 where v is at least the least that moves by j; shift(v) >= j for j <= 0
            // unless v moves by 1 - j or more downwards.
            let least = if j > 0 {
                noisy_descent::least_moved_by(&j.into(), squared_scale)
            } else {
                BigInt::from(1) - noisy_descent::least_moved_by(&(1 - j).into(), squared_scale)
            };
            noise.noise().upper_tail(&(least - gradient), BITS)
        })
        .collect()
}

/// Adds to `next` the law of `place + shift`, cut off at both ends, with the given weight.
fn spread(next: &mut [Enclosure], place: usize, weight: &Enclosure, at_least: &[Enclosure]) {
    let last = next.len() - 1;
    let reach = at_least.len() / 2;
    // Pr[place + shift >= target], for target = 1..=last.
    let reaches = |target: usize| &at_least[target + reach - 1 - place];
    for (target, entry) in next.iter_mut().enumerate() {
        let probability = if target == 0 {
            reaches(1).complement()
        } else if target == last {
            reaches(last).clone()
        } else {
            reaches(target) - reaches(target + 1)
        };
        *entry = &*entry + weight * probability;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use crate::privacy::NeighbouringRelation;

    fn instance(n: u64, epsilon: i64) -> OneDimension {
        let delta = Rational::new(1.into(), BigInt::from(10).pow(12));
        OneDimension {
            n,
            k: 4,
            minus: 3,
            claimed: Budget::approximate(
                ratio(epsilon, 1),
                delta,
                NeighbouringRelation::Substitute,
            )
            .unwrap(),
            grid: Grid::new(3).unwrap(),
        }
    }

    #[test]
    fn spending_the_budget_twice_is_caught() {
        let loss = instance(3, 12).as_printed().unwrap();
        assert!(loss.loss.is_above_rational(&ratio(12, 1)), "{loss:?}");
        assert!(
            loss.delta
                .is_above_rational(instance(3, 12).claimed.delta()),
            "{loss:?}"
        );
        let split = instance(3, 12).with_the_budget_split().unwrap();
        assert!(split.loss.is_below_rational(&ratio(8, 1)), "{split:?}");
        assert!(split.delta.hi().is_negative());
    }
}
