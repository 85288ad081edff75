//! The exact law of Algorithm 3 in one dimension: of its transcript (the candidates that end at -1 and at +1, and
//! which kind is chosen), of the last point of one run, and of its final output.
//!
//! In one dimension `x_A` is -1 or +1, and the projection on `[-1, 1]` puts positive probability on both ends.

use dp_assay::coins::Law;
use dp_assay::halfspaces::HalfspaceError;
use dp_assay::halfspaces::as_printed::{printed_noise, printed_squared_multiplier};
use dp_assay::halfspaces::efficient::{NoiseGd, RunBudget};
use dp_assay::halfspaces::steps::Hinge;
use dp_assay::number::{Enclosure, Grid, NumberError, Rational};
use dp_assay::optimise::noisy_descent;
use dp_assay::privacy::Budget;
use dp_assay::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;
use num_traits::Signed;
use std::collections::BTreeMap;

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
        let walk = Walk::new(noise, self.n, self.grid)?;
        let agreeing = self.event(&walk, choice, 0)?;
        let dissenting = self.event(&walk, choice, 1)?;
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
        walk: &Walk,
        choice: &Rational,
        dissenters: u64,
    ) -> Result<Enclosure, HalfspaceError> {
        let ends = walk.last_point(dissenters);
        let (minus, plus) = (u64::from(self.minus), u64::from(self.k - self.minus));
        let ways = num_integer::binomial(u64::from(self.k), minus);
        let candidates = Enclosure::integer(ways, BITS)
            * ends[0].power(minus)
            * ends[ends.len() - 1].power(plus);
        // The choice, by the very mechanism of the algorithm: class 0 holds the candidates at -1.
        let one = self.grid.one();
        let hinge = Hinge::of_algorithm_1(&Rational::from_integer(1.into()));
        let points = records(self.n, dissenters, one);
        let class = |w: i64, count: u64| ScoreClass {
            loss: hinge.total(&[w], &points, one * one),
            count: count.into(),
        };
        let mechanism = ExponentialMechanism::new(
            choice.clone(),
            hinge.range(),
            vec![class(-one, minus), class(one, plus)],
        )?;
        Ok(candidates * mechanism.pmf(&0, BITS)?)
    }
}

/// Algorithm 3 as printed on `n` records that say +1 (S), and where one of them says -1 (S'), in one dimension with
/// gamma = 1.
#[derive(Debug, Clone)]
pub struct Printed {
    /// The records.
    pub n: u64,
    /// The candidates; with one, the last point of one run with the whole budget.
    pub k: u32,
    /// The budget that is claimed.
    pub claimed: Budget,
    /// The budget of the choice.
    pub choice: Rational,
    /// Whether the noise has logarithms to base 2; otherwise natural ones.
    pub base_two: bool,
    /// The grid on which the points move.
    pub grid: Grid,
}

/// What the law of the final output says of privacy.
#[derive(Debug, Clone)]
pub struct OutputLoss {
    /// The outputs that are likelier on S' than `e^epsilon` times their probability on S, in steps of the grid.
    pub event: Vec<i64>,
    /// Their probability on S.
    pub agreeing: Enclosure,
    /// Their probability on S'.
    pub dissenting: Enclosure,
    /// `dissenting - e^epsilon agreeing`: no smaller delta is true of this epsilon.
    pub delta: Enclosure,
}

impl Printed {
    /// The exact law of the output on both datasets, and the event that tells them apart.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn output(&self) -> Result<OutputLoss, HalfspaceError> {
        let walk = Walk::new(&self.noise()?, self.n, self.grid)?;
        let (agreeing, dissenting) = (self.law(&walk, 0)?, self.law(&walk, 1)?);
        let factor = Enclosure::exp_of(self.claimed.epsilon(), BITS)?;
        let nothing = Enclosure::integer(0, BITS);
        let mut found = OutputLoss {
            event: Vec::new(),
            agreeing: nothing.clone(),
            dissenting: nothing.clone(),
            delta: nothing.clone(),
        };
        for (place, (p, q)) in agreeing.iter().zip(&dissenting).enumerate() {
            let excess = q - &factor * p;
            if nothing.is_below(&excess) {
                found.event.push(place as i64 - self.grid.one());
                found.agreeing = found.agreeing + p;
                found.dissenting = found.dissenting + q;
                found.delta = found.delta + excess;
            }
        }
        Ok(found)
    }

    /// The printed noise of one run.
    fn noise(&self) -> Result<NoiseGd, HalfspaceError> {
        if !self.base_two {
            return printed_noise(&self.claimed, self.k, self.n, self.grid);
        }
        let each = self.claimed.split(u64::from(self.k))?;
        let squared = printed_squared_multiplier(each.epsilon(), each.delta(), self.n)?
            .divided_by(&Enclosure::ln_two(BITS).squared())?;
        let sensitivity = BigInt::from(2 * self.n) * BigInt::from(self.grid.one());
        // Rounded up, as that with natural logarithms is.
        let multiplier = Rational::new(squared.hi().shifted(60).ceil(), BigInt::from(1u64 << 60));
        let run = RunBudget {
            whole: each,
            records: self.n,
            steps: self.n * self.n,
        };
        NoiseGd::with_variance(multiplier * sensitivity.pow(2), &run, self.grid)
    }

    /// The law of the output where `dissenters` records say -1: of each point of the grid from -1 on.
    fn law(&self, walk: &Walk, dissenters: u64) -> Result<Vec<Enclosure>, HalfspaceError> {
        let law = walk.last_point(dissenters);
        if self.k == 1 {
            return Ok(law);
        }
        // The choice among any candidates goes by these, the mechanism's own probabilities on all points at once.
        let one = self.grid.one();
        let hinge = Hinge::of_algorithm_1(&Rational::from_integer(1.into()));
        let points = records(self.n, dissenters, one);
        let classes = (-one..=one).map(|w| ScoreClass {
            loss: hinge.total(&[w], &points, one * one),
            count: 1u32.into(),
        });
        let mechanism =
            ExponentialMechanism::new(self.choice.clone(), hinge.range(), classes.collect())?;
        let weights = (0..law.len())
            .map(|place| mechanism.pmf(&place, BITS))
            .collect::<Result<Vec<_>, _>>()?;
        let mut chosen = Chosen {
            law: &law,
            weights: &weights,
            output: vec![Enclosure::integer(0, BITS); law.len()],
        };
        let nothing = Enclosure::integer(0, BITS);
        chosen.candidates(
            0,
            self.k,
            &Enclosure::integer(1, BITS),
            &nothing,
            &mut Vec::new(),
        )?;
        Ok(chosen.output)
    }
}

/// `n` records in one dimension, as `y x_A`.
fn records(n: u64, dissenters: u64, one: i64) -> Vec<Vec<i64>> {
    (0..n)
        .map(|record| vec![if record < dissenters { -one } else { one }])
        .collect()
}

/// The law of the candidate that is chosen, over all multisets of candidates.
struct Chosen<'a> {
    law: &'a [Enclosure],
    weights: &'a [Enclosure],
    output: Vec<Enclosure>,
}

impl Chosen<'_> {
    /// Goes through how many of the `left` candidates are at `place` and beyond, where what is settled has this
    /// probability and the sum `total` of weights.
    fn candidates(
        &mut self,
        place: usize,
        left: u32,
        probability: &Enclosure,
        total: &Enclosure,
        settled: &mut Vec<(usize, u32)>,
    ) -> Result<(), NumberError> {
        if left == 0 {
            let each = probability.divided_by(total)?;
            for &(place, count) in settled.iter() {
                let share = &each * &self.weights[place] * Enclosure::integer(count, BITS);
                self.output[place] = &self.output[place] + share;
            }
            return Ok(());
        }
        if place == self.law.len() {
            return Ok(());
        }
        self.candidates(place + 1, left, probability, total, settled)?;
        for count in 1..=left {
            let ways = Enclosure::integer(num_integer::binomial(left, count), BITS);
            let here = probability * ways * self.law[place].power(count.into());
            let weight = total + &self.weights[place] * Enclosure::integer(count, BITS);
            settled.push((place, count));
            self.candidates(place + 1, left - count, &here, &weight, settled)?;
            settled.pop();
        }
        Ok(())
    }
}

/// The moves of every step of Noise-GD: for a noisy gradient of -n, 0 and n.
struct Walk {
    n: u64,
    grid: Grid,
    steps: Vec<[Moves; 3]>,
}

impl Walk {
    fn new(noise: &NoiseGd, n: u64, grid: Grid) -> Result<Self, HalfspaceError> {
        let one = grid.one();
        let mut tails = Tails {
            noise,
            normaliser: noise.noise().normaliser(BITS)?,
            known: BTreeMap::new(),
        };
        let mut steps = Vec::new();
        for t in 1..n * n {
            let squared_scale = noise.squared_scale(t, n, 1);
            // The least value of a noisy gradient that moves by 0, 1, ..., and one more than the whole grid.
            let least: Vec<BigInt> = (0..=2 * one + 1)
                .map(|j| noisy_descent::least_moved_by(&j.into(), &squared_scale))
                .collect();
            let gradient = |side: i64| BigInt::from(side) * BigInt::from(n) * BigInt::from(one);
            steps.push([
                Moves::new(&mut tails, &gradient(-1), &least)?,
                Moves::new(&mut tails, &gradient(0), &least)?,
                Moves::new(&mut tails, &gradient(1), &least)?,
            ]);
        }
        Ok(Self { n, grid, steps })
    }

    /// The exact law of the last point with gamma = 1, where `dissenters` of the records say -1 and the others +1:
    /// step by step, over all points of the grid from -1 to 1.
    fn last_point(&self, dissenters: u64) -> Vec<Enclosure> {
        let (n, one) = (self.n, self.grid.one());
        let kink = Hinge::of_algorithm_1(&Rational::from_integer(1.into())).kink(one * one);
        let share = |count: u64| Enclosure::of(&Rational::new(count.into(), n.into()), BITS);
        // The point, as its distance from -1; it starts at the origin.
        let mut law = vec![Enclosure::integer(0, BITS); 2 * one as usize + 1];
        law[one as usize] = Enclosure::integer(1, BITS);
        for moves in &self.steps {
            let mut next = vec![Enclosure::integer(0, BITS); law.len()];
            for (place, probability) in law.iter().enumerate() {
                let w = place as i64 - one;
                // A record that says y pushes towards y while y w is below the kink.
                let pushes = |y: i64| BigInt::from(y * w * one) < kink;
                let up = if pushes(1) { n - dissenters } else { 0 };
                let down = if pushes(-1) { dissenters } else { 0 };
                for (count, moves) in [down, n - up - down, up].into_iter().zip(moves) {
                    if count > 0 {
                        moves.spread(&mut next, place, &(probability * share(count)));
                    }
                }
            }
            law = next;
        }
        law
    }
}

/// The tails of the noise that were asked for.
struct Tails<'a> {
    noise: &'a NoiseGd,
    normaliser: Enclosure,
    known: BTreeMap<BigInt, Enclosure>,
}

impl Tails<'_> {
    /// `Pr[noise >= x]` and `Pr[noise < x]`: the smaller one as precise as its size, however small.
    fn both(&mut self, x: &BigInt) -> Result<(Enclosure, Enclosure), NumberError> {
        // Pr[noise < x] = Pr[noise >= 1 - x], by symmetry.
        let above = x.is_positive();
        let far = if above {
            x.clone()
        } else {
            BigInt::from(1) - x
        };
        let tail = match self.known.get(&far) {
            Some(tail) => tail.clone(),
            None => {
                let noise = self.noise.noise();
                let tail = noise.upper_tail_with(&far, &self.normaliser, BITS)?;
                self.known.insert(far, tail.clone());
                tail
            }
        };
        let rest = tail.complement();
        Ok(if above { (tail, rest) } else { (rest, tail) })
    }
}

/// How far a noisy gradient moves the point: the probabilities of the moves `-reach, ..., reach`, each as precise as
/// its size, however small.
struct Moves {
    exactly: Vec<Enclosure>,
    at_least: Vec<Enclosure>,
    at_most: Vec<Enclosure>,
}

impl Moves {
    /// `least[j]` is the least value that moves by `j`; there are `reach + 2` of them.
    fn new(tails: &mut Tails, gradient: &BigInt, least: &[BigInt]) -> Result<Self, NumberError> {
        let reach = least.len() as i64 - 2;
        // The least value that moves by j or more is least[j] for j > 0, and 1 - least[1-j] otherwise.
        let first = |j: i64| {
            if j > 0 {
                least[j as usize].clone() - gradient
            } else {
                BigInt::from(1) - &least[(1 - j) as usize] - gradient
            }
        };
        let (mut exactly, mut at_least, mut at_most) = (Vec::new(), Vec::new(), Vec::new());
        let mut here = (first(-reach), tails.both(&first(-reach))?);
        for j in -reach..=reach {
            let after = (first(j + 1), tails.both(&first(j + 1))?);
            let ((up, down), (beyond, until)) = (&here.1, &after.1);
            exactly.push(if here.0.is_positive() {
                up - beyond
            } else if after.0.is_positive() {
                (beyond + down).complement()
            } else {
                until - down
            });
            at_least.push(up.clone());
            at_most.push(until.clone());
            here = after;
        }
        Ok(Self {
            exactly,
            at_least,
            at_most,
        })
    }

    /// Adds to `next` the law of `place` moved, cut off at both ends, with the given weight.
    fn spread(&self, next: &mut [Enclosure], place: usize, weight: &Enclosure) {
        let last = next.len() - 1;
        for (target, entry) in next.iter_mut().enumerate() {
            // Moves are counted from -reach = -last on.
            let moved = target + last - place;
            let probability = match target {
                0 => &self.at_most[moved],
                _ if target == last => &self.at_least[moved],
                _ => &self.exactly[moved],
            };
            *entry = &*entry + weight * probability;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budgets;
    use dp_assay::number::rational::ratio;

    fn instance(n: u64, epsilon: i64) -> OneDimension {
        let delta = Rational::new(1.into(), BigInt::from(10).pow(12));
        OneDimension {
            n,
            k: 4,
            minus: 3,
            claimed: budgets::approximate(ratio(epsilon, 1), delta).unwrap(),
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
