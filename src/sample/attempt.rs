//! Rejection: attempts until one is accepted.
//!
//! An attempt is a law of its own, whose outcomes are a rejection and the outcomes of the law that is drawn. So the
//! explorer can hold it atomic, and explores the loop whole.

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError};

/// A law that is drawn by rejection.
pub trait Rejection: Law {
    /// One attempt: `None` if rejected.
    ///
    /// # Errors
    /// Those of the coins.
    fn attempt<C: Coins>(&self, coins: &mut C) -> Result<Option<Self::Outcome>, CoinsError>;

    /// The probability that an attempt is accepted.
    ///
    /// # Errors
    /// Those of the real functions.
    fn acceptance(&self, bits: u32) -> Result<Enclosure, NumberError>;
}

/// Attempts until one is accepted (ledger: `sample.attempts`).
pub(super) fn until_accepted<L: Rejection>(
    law: &L,
    coins: &mut impl Coins,
) -> Result<L::Outcome, CoinsError> {
    let attempt = Attempt(law.clone());
    loop {
        if let Some(outcome) = coins.draw(&attempt)? {
            return Ok(outcome);
        }
    }
}

/// One attempt at a law, as a law: `None`, its outcome 0, is a rejection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt<L>(pub L);

impl<L: Rejection> Law for Attempt<L> {
    type Outcome = Option<L::Outcome>;

    fn is_of_the_library(&self, seal: crate::coins::Seal) -> bool {
        self.0.is_of_the_library(seal)
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Self::Outcome, CoinsError> {
        self.0.attempt(coins)
    }

    fn pmf(&self, outcome: &Self::Outcome, bits: u32) -> Result<Enclosure, NumberError> {
        let accepted = self.0.acceptance(bits)?;
        match outcome {
            Some(outcome) => Ok(accepted * self.0.pmf(outcome, bits)?),
            None => Ok(accepted.complement()),
        }
    }

    fn outcome(&self, index: u64) -> Option<Self::Outcome> {
        match index.checked_sub(1) {
            None => Some(None),
            Some(index) => self.0.outcome(index).map(Some),
        }
    }

    fn label(&self) -> String {
        format!("an attempt at {}", self.0.label())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Explorer, Layer};
    use crate::number::rational::{integer, ratio};
    use crate::sample::{
        DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Remainder, ScoreClass,
    };

    fn has_the_law_of_its_attempts<L: Rejection>(law: &L) {
        let found = Explorer::new(Layer::Laws, 500)
            .with_tail(ratio(1, 1 << 30))
            .explore(|coins| law.attempt(coins))
            .unwrap();
        assert!(found.undecided < ratio(1, 1 << 20), "{}", found.undecided);
        assert_eq!(found.disagreement(&Attempt(law.clone())).unwrap(), None);
        assert!(found.lower.contains_key(&None));
        // The law of what is accepted is another.
        assert!(!found.allows(&None, &Enclosure::integer(0, 64)));
    }

    fn mechanism() -> ExponentialMechanism {
        let class = |(loss, count): (i64, u32)| ScoreClass {
            loss: integer(loss),
            count: count.into(),
        };
        let classes = [(2, 3), (1, 2), (5, 4)].map(class).to_vec();
        ExponentialMechanism::new(ratio(1, 2), integer(1), classes).unwrap()
    }

    #[test]
    fn an_attempt_has_its_law() {
        has_the_law_of_its_attempts(&Remainder { t: 3u32.into() });
        has_the_law_of_its_attempts(&DiscreteLaplace::new(ratio(3, 2)).unwrap());
        has_the_law_of_its_attempts(&DiscreteGaussian::new(ratio(5, 2)).unwrap());
        has_the_law_of_its_attempts(&mechanism());
    }

    #[test]
    fn a_rejection_is_the_first_outcome_of_an_attempt() {
        let attempt = Attempt(Remainder { t: 3u32.into() });
        let outcomes = (0..).map_while(|index| attempt.outcome(index));
        assert!(outcomes.eq([
            None,
            Some(0u32.into()),
            Some(1u32.into()),
            Some(2u32.into())
        ]));
        assert_eq!(attempt.label(), "an attempt at Remainder(3)");
    }
}
