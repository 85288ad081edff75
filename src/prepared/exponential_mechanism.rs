//! The exponential mechanism, prepared: for many draws, and for scores that change with each call.

use super::PreparedBernoulliExp;
use super::cumulative::{GUARD, shares};
use crate::coins::{Coins, CoinsError, Law, MOST_PLACES, Table};
use crate::number::{Enclosure, NumberError, Rational, range::require};
use crate::sample::ExponentialMechanism;
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use std::collections::BTreeMap;

/// Repeated draws of one [`ExponentialMechanism`], from a table (ledger: `sample.prepared-exponential-mechanism`).
///
/// Preparing takes one exponential for each exponent that occurs: seconds, where a million of them differ.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedExponentialMechanism {
    law: ExponentialMechanism,
    table: Table,
}

impl PreparedExponentialMechanism {
    /// Prepares `law`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] for more than `2^24` classes; those of the enclosures.
    pub fn new(law: &ExponentialMechanism) -> Result<Self, CoinsError> {
        let name = "prepared exponential mechanism";
        let classes = law.classes().len();
        let few = classes <= MOST_PLACES;
        require(few, "classes", &classes, "at most 2^24")
            .map_err(|wrong| CoinsError::Parameter { law: name, wrong })?;
        let mechanism = law.clone();
        let table = Table::new(name, move |bits| cumulative(&mechanism, bits + GUARD))?;
        Ok(Self {
            law: law.clone(),
            table,
        })
    }

    /// The mechanism.
    #[must_use]
    pub fn law(&self) -> &ExponentialMechanism {
        &self.law
    }

    /// Fills `out` with the numbers of independently drawn classes.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn fill(&self, coins: &mut impl Coins, out: &mut [i64]) -> Result<(), CoinsError> {
        coins.pick_each(&self.table, out)
    }

    /// Draws an outcome: its class, and its rank among the outcomes of that class, from 0.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn draw_outcome(&self, coins: &mut impl Coins) -> Result<(usize, BigUint), CoinsError> {
        let class = coins.pick(&self.table)?;
        let rank = coins.uniform_below(&self.law.classes()[class].count)?;
        Ok((class, rank))
    }
}

/// The cumulative probabilities of all classes: an empty class repeats the one before it.
fn cumulative(law: &ExponentialMechanism, bits: u32) -> Result<Vec<Enclosure>, NumberError> {
    let mut exponentials: BTreeMap<&Rational, Enclosure> = BTreeMap::new();
    let mut weights = Vec::with_capacity(law.classes().len());
    let mut last = 0;
    for (place, (class, exponent)) in law.classes().iter().zip(law.exponents()).enumerate() {
        if class.count.is_zero() {
            weights.push(Enclosure::integer(0, bits));
            continue;
        }
        last = place;
        let exponential = match exponentials.get(exponent) {
            Some(known) => known,
            None => {
                let computed = Enclosure::exp_of(&-exponent, bits)?;
                exponentials.entry(exponent).or_insert(computed)
            }
        };
        weights.push(Enclosure::integer(class.count.clone(), bits) * exponential);
    }
    let total = weights
        .iter()
        .fold(Enclosure::integer(0, bits), |sum, weight| sum + weight);
    // From the last class that is not empty on, exactly 1.
    let mut cumulative = shares(&weights[..last], &total, bits)?;
    cumulative.resize(weights.len(), Enclosure::integer(1, bits));
    Ok(cumulative)
}

impl Law for PreparedExponentialMechanism {
    type Outcome = usize;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<usize, CoinsError> {
        coins.pick(&self.table)
    }

    fn pmf(&self, class: &usize, bits: u32) -> Result<Enclosure, NumberError> {
        self.law.pmf(class, bits)
    }

    fn outcome(&self, index: u64) -> Option<usize> {
        self.law.outcome(index)
    }

    fn label(&self) -> String {
        format!("prepared {}", self.law.label())
    }
}

/// The exponential mechanism over integer scores that are given with each call: candidate `i` is drawn with probability
/// proportional to `exp(rate score_i)`, for one rational `rate > 0` (ledger: `sample.integer-scores`).
///
/// `(2 rate D, 0)`-differentially private, if a score changes by at most `D` between neighbouring datasets.
///
/// A uniform candidate is accepted with probability `exp(-rate (best - score))`: by one prepared draw for each binary digit of
/// the difference that is 1, the highest first. The number of attempts has mean at most `n`; it depends on the scores, and
/// so does the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerScores {
    rate: Rational,
    // exp(-rate 2^j), j = 0, ..., 63.
    powers: Vec<PreparedBernoulliExp>,
}

impl IntegerScores {
    /// Prepares the mechanism of this rate: `epsilon / (2 sensitivity)` for a score that moves by at most `sensitivity`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `rate > 0`; those of the enclosures.
    pub fn new(rate: Rational) -> Result<Self, CoinsError> {
        crate::number::range::above_zero("rate", &rate).map_err(|wrong| CoinsError::Parameter {
            law: "exponential mechanism over integer scores",
            wrong,
        })?;
        let powers = (0..64u32)
            .map(|j| PreparedBernoulliExp::new(&rate * (BigInt::from(1) << j)))
            .collect::<Result<_, _>>()?;
        Ok(Self { rate, powers })
    }

    /// The rate.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// Draws the number of a candidate. High scores are good.
    ///
    /// # Errors
    /// [`CoinsError::NoOutcome`] if there is no score; those of the coins.
    pub fn draw<S: Copy + Ord + Into<i64>>(
        &self,
        scores: &[S],
        coins: &mut impl Coins,
    ) -> Result<usize, CoinsError> {
        // 1. The best score.
        let best = largest(scores).ok_or(CoinsError::NoOutcome)?.into();
        loop {
            // 2. A uniform candidate, accepted in proportion to its weight.
            let candidate = coins.below(scores.len() as u64)? as usize;
            if self.accepts(best.abs_diff(scores[candidate].into()), coins)? {
                return Ok(candidate);
            }
        }
    }

    /// True with probability `exp(-rate difference)`.
    #[inline]
    fn accepts<C: Coins>(&self, difference: u64, coins: &mut C) -> Result<bool, CoinsError> {
        let mut left = difference;
        while left != 0 {
            let highest = 63 - left.leading_zeros();
            if !self.powers[highest as usize].draw(coins)? {
                return Ok(false);
            }
            left ^= 1 << highest;
        }
        Ok(true)
    }
}

/// The largest of `scores`: in lanes, which do not wait for each other.
fn largest<S: Copy + Ord>(scores: &[S]) -> Option<S> {
    let mut lanes = [*scores.first()?; 8];
    let (eights, rest) = scores.as_chunks::<8>();
    for eight in eights {
        for (lane, score) in lanes.iter_mut().zip(eight) {
            *lane = (*lane).max(*score);
        }
    }
    lanes.iter().chain(rest).copied().max()
}
