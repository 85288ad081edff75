//! The law of [`ExponentialMechanism`] over its score classes.

use crate::coins::{Coins, CoinsError, Divergence, Law, layers};
use crate::number::{Enclosure, NumberError};
use crate::sample::{ExponentialMechanism, Rejection};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

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

    fn label(&self) -> String {
        let classes = self.classes().iter().zip(self.exponents());
        let weights: Vec<String> = classes
            .map(|(class, exponent)| format!("{} e^-({exponent})", class.count))
            .collect();
        format!("ExponentialMechanism({})", weights.join(", "))
    }

    /// With the same outcomes in each class the loss of a class is `x' - x + ln(Z' / Z)` for its exponents `x`, `x'` and
    /// the sums of all weights; as `ln(Z' / Z)` is between `-max(x' - x)` and `-min(x' - x)`, no loss is above
    /// `max(x' - x) - min(x' - x)`, exactly. The smaller of that and of the largest loss, enclosed.
    fn divergence(&self, other: &Self, bits: u32) -> Result<Divergence, NumberError> {
        let enclosed = layers::worst_of_outcomes(self, other, bits)?;
        Ok(match (enclosed, self.largest_change(other)) {
            (Divergence::Pure(enclosed), Some(change)) => Divergence::Pure(enclosed.min(change)),
            (Divergence::Unbounded(_), Some(change)) => Divergence::Pure(change),
            (enclosed, _) => enclosed,
        })
    }

    /// Any class, whatever its weight.
    fn far_out<C: Coins>(&self, _stretch: u32, coins: &mut C) -> Result<Option<usize>, CoinsError> {
        let occupied: Vec<usize> = (0..self.classes().len())
            .filter(|&class| !self.classes()[class].count.is_zero())
            .collect();
        let place = coins.uniform_below(&BigUint::from(occupied.len()))?;
        Ok(place.to_usize().map(|place| occupied[place]))
    }
}

impl Rejection for ExponentialMechanism {
    fn attempt<C: Coins>(&self, coins: &mut C) -> Result<Option<usize>, CoinsError> {
        self.attempt(coins)
    }

    // The mean of the weights of all outcomes.
    fn acceptance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let weights = self.weights(bits)?;
        let total = weights
            .iter()
            .fold(Enclosure::integer(0, bits), |sum, weight| sum + weight);
        let count: BigUint = self.classes().iter().map(|class| &class.count).sum();
        total.divided_by(&Enclosure::integer(count, bits))
    }
}
