//! The exponential mechanism on numbered outcomes with integer losses.

use super::{ExponentialMechanism, ScoreClass};
use crate::Error;
use crate::coins::{Coins, Law};
use crate::number::{Enclosure, Rational, rational::integer};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// The number of an outcome, drawn with probability proportional to `exp(-epsilon loss / 2)`: losses count records, and a
/// neighbour moves each by at most 1 (ledger: `sample.exponential-mechanism`). (epsilon, 0)-private under that relation.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredChoice {
    losses: Vec<u32>,
    epsilon: Rational,
    // Each loss that occurs, from the least, and how many outcomes have it.
    levels: Vec<(u32, u64)>,
    by_loss: ExponentialMechanism,
}

impl ScoredChoice {
    /// The choice among outcomes with these losses.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless `epsilon > 0` and there is an outcome.
    pub fn new(losses: Vec<u32>, epsilon: &Rational) -> Result<Self, Error> {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for &loss in &losses {
            *counts.entry(loss).or_default() += 1;
        }
        let levels: Vec<(u32, u64)> = counts.into_iter().collect();
        let class = |&(loss, count): &(u32, u64)| ScoreClass {
            loss: integer(loss),
            count: count.into(),
        };
        let classes = levels.iter().map(class).collect();
        Ok(Self {
            // 2 sensitivity = 2: the exponent is epsilon loss / 2.
            by_loss: ExponentialMechanism::new(epsilon.clone(), integer(1), classes)?,
            losses,
            epsilon: epsilon.clone(),
            levels,
        })
    }

    /// The loss of each outcome: what the data decide.
    #[must_use]
    pub fn losses(&self) -> &[u32] {
        &self.losses
    }

    /// Its epsilon.
    #[must_use]
    pub fn epsilon(&self) -> &Rational {
        &self.epsilon
    }
}

impl Law for ScoredChoice {
    type Outcome = usize;

    /// A loss, and then one of the outcomes that have it.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<usize, Error> {
        let (level, rank) = self.by_loss.draw_outcome(coins)?;
        let loss = self.levels[level].0;
        let outcomes = (0..self.losses.len()).filter(|&outcome| self.losses[outcome] == loss);
        let rank = rank.to_usize().unwrap_or(usize::MAX);
        outcomes
            .skip(rank)
            .next()
            .ok_or(Error::OutOfRange("the number of outcomes"))
    }

    fn pmf(&self, outcome: &usize, bits: u32) -> Result<Enclosure, Error> {
        let Some(loss) = self.losses.get(*outcome) else {
            return Ok(Enclosure::integer(0, bits));
        };
        let level = self.levels.partition_point(|(other, _)| other < loss);
        let count = Enclosure::integer(BigInt::from(self.levels[level].1), bits);
        self.by_loss.pmf(&level, bits)?.divided_by(&count)
    }
}
