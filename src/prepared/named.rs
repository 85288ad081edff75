//! A law by name, from which so many draws are expected.

use super::DrawnOften;
use crate::coins::{Coins, CoinsError};
use crate::law::named::NamedLaw;
use crate::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::BigInt;

/// A [`NamedLaw`] from which so many draws are expected: see [`DrawnOften`].
#[derive(Debug, Clone)]
pub enum NamedDrawnOften {
    /// `discrete-laplace scale=S`.
    DiscreteLaplace(DrawnOften<DiscreteLaplace>),
    /// `discrete-gaussian variance=V`.
    DiscreteGaussian(DrawnOften<DiscreteGaussian>),
    /// `geometric rate=R`.
    Geometric(DrawnOften<Geometric>),
}

impl NamedDrawnOften {
    /// `law`, from which about `draws` draws will be made.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn new(law: NamedLaw, draws: u64) -> Result<Self, CoinsError> {
        Ok(match law {
            NamedLaw::DiscreteLaplace(law) => Self::DiscreteLaplace(DrawnOften::new(law, draws)?),
            NamedLaw::DiscreteGaussian(law) => Self::DiscreteGaussian(DrawnOften::new(law, draws)?),
            NamedLaw::Geometric(law) => Self::Geometric(DrawnOften::new(law, draws)?),
        })
    }

    /// One draw.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn draw(&self, coins: &mut impl Coins) -> Result<BigInt, CoinsError> {
        match self {
            Self::DiscreteLaplace(law) => coins.draw(law),
            Self::DiscreteGaussian(law) => coins.draw(law),
            Self::Geometric(law) => Ok(coins.draw(law)?.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::rational::ratio;
    use crate::prepared::WORTHWHILE;

    #[test]
    fn many_draws_have_the_probabilities_of_the_law_that_is_named() {
        for text in [
            "discrete-laplace scale=2",
            "discrete-gaussian variance=5/2",
            "geometric rate=1/2",
        ] {
            let law: NamedLaw = text.parse().unwrap();
            let often = NamedDrawnOften::new(law.clone(), WORTHWHILE).unwrap();
            let found = Explorer::new(Layer::Laws, 1000)
                .explore(|coins| often.draw(coins))
                .unwrap();
            assert!(found.undecided < ratio(1, 1 << 30), "{text}");
            for k in found.lower.keys() {
                assert!(found.allows(k, &law.pmf(k, 128).unwrap()), "{text} {k}");
            }
        }
    }

    #[test]
    fn few_draws_are_those_of_the_plain_law() {
        for text in ["discrete-laplace scale=2", "geometric rate=1e-100"] {
            let law: NamedLaw = text.parse().unwrap();
            let few = NamedDrawnOften::new(law.clone(), 10).unwrap();
            let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
            for _ in 0..10 {
                let plain = law.draw(&mut coins[1]).unwrap();
                assert_eq!(few.draw(&mut coins[0]).unwrap(), plain, "{text}");
            }
        }
    }
}
