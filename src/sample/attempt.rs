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
