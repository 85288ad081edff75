//! One release: an exact value, and the noise around it.
//!
//! Noise is never added to a value after the draw: the value is the centre of the law that is drawn. So whoever
//! watches the draws sees what the data decide.

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError};
use num_bigint::BigInt;

/// The law of `value + noise`.
#[derive(Debug, Clone)]
pub struct Around<'a, L> {
    /// The exact value.
    pub value: BigInt,
    /// The law of the noise.
    pub noise: &'a L,
}

impl<L: Law<Outcome = BigInt>> Law for Around<'_, L> {
    type Outcome = BigInt;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, CoinsError> {
        Ok(&self.value + self.noise.sample(coins)?)
    }

    // Pr[value + noise = outcome] = Pr[noise = outcome - value]
    fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        self.noise.pmf(&(outcome - &self.value), bits)
    }

    fn outcome(&self, index: u64) -> Option<BigInt> {
        Some(&self.value + self.noise.outcome(index)?)
    }
}

/// An exact vector with independent noise around each coordinate.
///
/// As private as the noise is for the distance of two neighbours' exact vectors: see
/// [`discrete_gaussian`](super::discrete_gaussian).
///
/// # Errors
/// Those of the coins.
pub fn release<L: Law<Outcome = BigInt>>(
    exact: impl IntoIterator<Item = impl Into<BigInt>>,
    noise: &L,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, CoinsError> {
    let around = |value: BigInt| Around { value, noise };
    exact
        .into_iter()
        .map(|value| coins.draw(&around(value.into())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::rational::ratio;
    use crate::sample::{DiscreteGaussian, spherical_gaussian};

    #[test]
    fn the_law_around_a_value_is_that_of_its_sampler() {
        let noise = DiscreteGaussian::new(ratio(1, 2)).unwrap();
        let law = |value: i32| Around {
            value: value.into(),
            noise: &noise,
        };
        let found = Explorer::new(Layer::Laws, 500)
            .with_tail(ratio(1, 1 << 20))
            .explore(|coins| coins.draw(&law(3)))
            .unwrap();
        assert!(found.disagreement(&law(3)).unwrap().is_none());
        // Noise around another value is another law.
        assert!(found.disagreement(&law(2)).unwrap().is_some());
    }

    #[test]
    fn each_coordinate_has_noise_of_its_own() {
        let noise = DiscreteGaussian::new(ratio(40, 1)).unwrap();
        let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
        let released = release([5, -2, 5], &noise, &mut coins[0]).unwrap();
        let alone = spherical_gaussian(&noise, 3, &mut coins[1]).unwrap();
        let exact = [5, -2, 5].map(BigInt::from);
        let sums: Vec<_> = exact.iter().zip(&alone).map(|(x, y)| x + y).collect();
        assert_eq!(released, sums);
    }
}
