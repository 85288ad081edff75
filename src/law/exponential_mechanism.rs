//! The law of [`ExponentialMechanism`] over its score classes.

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError};
use crate::sample::ExponentialMechanism;

impl Law for ExponentialMechanism {
    type Outcome = usize;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<usize, CoinsError> {
        self.draw_class(coins)
    }

    /// The probability that the drawn outcome lies in this class.
    fn pmf(&self, class: &usize, bits: u32) -> Result<Enclosure, NumberError> {
        let weights = self.weights(bits)?;
        let total = weights
            .iter()
            .fold(Enclosure::integer(0, bits), |sum, weight| sum + weight);
        match weights.get(*class) {
            Some(weight) => weight.divided_by(&total),
            None => Ok(Enclosure::integer(0, bits)),
        }
    }

    fn outcome(&self, index: u64) -> Option<usize> {
        usize::try_from(index)
            .ok()
            .filter(|&class| class < self.classes().len())
    }
}
