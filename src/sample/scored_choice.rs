//! The exponential mechanism on numbered outcomes with integer scores.

use super::{ExponentialMechanism, ScoreClass};
use crate::coins::{Coins, CoinsError};
use crate::number::Rational;
use num_traits::{One, ToPrimitive};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The law of the number `k` of an outcome with probability proportional to `exp(-epsilon score(k) / 2)`: the
/// exponential mechanism, `(epsilon, 0)`-private wherever a neighbour moves every score by at most one.
///
/// The list of outcomes is public. How many of them have each score depends on the data, and so do the classes of the
/// mechanism; what is drawn, and published, is a number in the public list.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredChoice {
    scores: Arc<[u32]>,
    epsilon: Rational,
    // Each score that occurs, from the least, and how many outcomes have it.
    levels: Vec<(u32, u64)>,
    by_score: ExponentialMechanism,
}

impl ScoredChoice {
    /// The choice among as many outcomes as there are scores. Low scores are good.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `epsilon > 0`; [`CoinsError::NoOutcome`] without a score.
    pub fn new(scores: Vec<u32>, epsilon: &Rational) -> Result<Self, CoinsError> {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for &score in &scores {
            *counts.entry(score).or_default() += 1;
        }
        let levels: Vec<(u32, u64)> = counts.into_iter().collect();
        let class = |&(score, count): &(u32, u64)| ScoreClass {
            loss: Rational::from_integer(score.into()),
            count: count.into(),
        };
        let classes = levels.iter().map(class).collect();
        Ok(Self {
            by_score: ExponentialMechanism::new(epsilon.clone(), Rational::one(), classes)?,
            scores: scores.into(),
            epsilon: epsilon.clone(),
            levels,
        })
    }

    /// The score of each outcome.
    #[must_use]
    pub fn scores(&self) -> &[u32] {
        &self.scores
    }

    /// The privacy parameter.
    pub(crate) fn epsilon(&self) -> &Rational {
        &self.epsilon
    }

    /// Each score that occurs, from the least, and how many outcomes have it.
    pub(crate) fn levels(&self) -> &[(u32, u64)] {
        &self.levels
    }

    /// The outcome of this rank, from 0, among those of a level.
    pub(crate) fn outcome_at(&self, level: usize, rank: u64) -> Option<usize> {
        let (score, _) = *self.levels.get(level)?;
        let places = self.scores.iter().enumerate();
        let mut of_level = places.filter(|(_, found)| **found == score);
        let (place, _) = of_level.nth(usize::try_from(rank).ok()?)?;
        Some(place)
    }

    /// Draws a number: first the score, then the rank among the outcomes that have it.
    ///
    /// # Errors
    /// Those of [`ExponentialMechanism::draw_outcome`].
    pub fn draw(&self, coins: &mut impl Coins) -> Result<usize, CoinsError> {
        let (level, rank) = self.by_score.draw_outcome(coins)?;
        // The rank is below the number of outcomes counted with that score: there is such an outcome.
        rank.to_u64()
            .and_then(|rank| self.outcome_at(level, rank))
            .ok_or(CoinsError::NoOutcome)
    }
}
