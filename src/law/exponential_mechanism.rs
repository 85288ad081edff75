//! The law of [`ExponentialMechanism`] over its score classes.

use crate::coins::{Coins, CoinsError, Divergence, Law, layers};
use crate::number::{Enclosure, NumberError};
use crate::sample::{ExponentialMechanism, Rejection};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

impl Law for ExponentialMechanism {
    type Outcome = usize;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Explorer, Layer};
    use crate::number::rational::{integer, ratio};
    use crate::sample::ScoreClass;

    /// Exponents that are the losses, less the least of them.
    fn mechanism(classes: &[(i64, u32)]) -> ExponentialMechanism {
        let class = |&(loss, count): &(i64, u32)| ScoreClass {
            loss: integer(loss),
            count: count.into(),
        };
        let classes = classes.iter().map(class).collect();
        ExponentialMechanism::new(integer(2), integer(1), classes).unwrap()
    }

    #[test]
    fn classes_are_numbered_and_no_other_is_possible() {
        let law = mechanism(&[(0, 1), (1, 2)]);
        let outcomes = (0..).map_while(|index| law.outcome(index));
        assert!(outcomes.eq([0, 1]));
        assert!(law.pmf(&2, 64).unwrap().hi().is_zero());
        // 1 to 2/e, and both together are sure.
        let [first, second] = [0, 1].map(|class| law.pmf(&class, 128).unwrap());
        let quotient = second.divided_by(&first).unwrap();
        assert!(quotient.meets(&Enclosure::exp_of(&integer(-1), 128).unwrap().shifted(1)));
        assert!((first + second).contains(&integer(1)));
    }

    #[test]
    fn far_out_every_class_that_is_not_empty_comes_as_often() {
        let law = mechanism(&[(0, 5), (0, 0), (1000, 1)]);
        let found = Explorer::new(Layer::UniformBelow, 100)
            .explore(|coins| law.far_out(1, coins))
            .unwrap();
        let half = ratio(1, 2);
        assert!(
            found
                .lower
                .iter()
                .eq([(&Some(0), &half), (&Some(2), &half)])
        );
    }

    #[test]
    fn the_divergence_is_the_smaller_of_two_bounds() {
        // Weights 1 and 1 against 1 and 1/e: each loss is below 1, the change of the exponents.
        let Divergence::Pure(found) = mechanism(&[(0, 1), (0, 1)])
            .divergence(&mechanism(&[(0, 1), (1, 1)]), 128)
            .unwrap()
        else {
            panic!("the outcomes are the same");
        };
        // 1/2 against 1 / (1 + e), the larger of the two losses: ln((1 + e) / 2) = 0.6201...
        assert!(
            found > ratio(6201, 10_000) && found < ratio(6202, 10_000),
            "{found}"
        );
        // Where the outcomes are others, an empty class on one side has no bound.
        let apart = mechanism(&[(0, 1), (0, 1)])
            .divergence(&mechanism(&[(0, 1), (0, 0)]), 128)
            .unwrap();
        assert!(matches!(apart, Divergence::Unbounded(_)));
    }
}
