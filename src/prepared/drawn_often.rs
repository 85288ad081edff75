//! A law that is drawn so often: prepared where that pays.

use super::{PreparedGaussian, PreparedGeometric, PreparedLaplace};
use crate::coins::{Coins, CoinsError, Divergence, Law, Loss};
use crate::law::Noise;
use crate::number::{Enclosure, NumberError};
use crate::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::BigInt;
use std::sync::Arc;

/// A law from which so many draws are expected: prepared, from [`WORTHWHILE`] draws on, if its parameter is within reach, and
/// plain otherwise. The law is the same; the draws of equal coins are not.
///
/// So a learner takes any parameter, and pays for preparing only where it draws in bulk. Clones share what was prepared.
#[derive(Debug, Clone)]
pub enum DrawnOften<L: Preparable> {
    /// The plain sampler.
    Plain(L),
    /// The prepared one.
    Prepared(Arc<L::Prepared>),
}

/// From so many draws on a law is prepared: preparing takes at most as long as about so many plain draws.
pub const WORTHWHILE: u64 = 4096;

/// A law whose sampler can be prepared.
pub trait Preparable: Law {
    /// Its prepared sampler.
    type Prepared: Law<Outcome = Self::Outcome> + Sync;

    /// Prepares it.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] for a parameter out of reach; those of the enclosures.
    fn prepare(&self) -> Result<Self::Prepared, CoinsError>;

    /// The law that was prepared.
    fn law_of(prepared: &Self::Prepared) -> &Self;
}

macro_rules! preparable {
    ($($law:ty: $prepared:ty),*) => {$(
        impl Preparable for $law {
            type Prepared = $prepared;

            fn prepare(&self) -> Result<$prepared, CoinsError> {
                <$prepared>::new(self)
            }

            fn law_of(prepared: &$prepared) -> &Self {
                prepared.law()
            }
        }
    )*};
}
preparable!(
    DiscreteGaussian: PreparedGaussian,
    DiscreteLaplace: PreparedLaplace,
    Geometric: PreparedGeometric
);

impl<L: Preparable> DrawnOften<L> {
    /// `law`, from which about `draws` draws will be made: a public number.
    ///
    /// # Errors
    /// Those of the enclosures.
    pub fn new(law: L, draws: u64) -> Result<Self, CoinsError> {
        if draws < WORTHWHILE {
            return Ok(Self::Plain(law));
        }
        match law.prepare() {
            Ok(prepared) => Ok(Self::Prepared(Arc::new(prepared))),
            // Out of reach.
            Err(CoinsError::Parameter { .. }) => Ok(Self::Plain(law)),
            Err(error) => Err(error),
        }
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> &L {
        match self {
            Self::Plain(law) => law,
            Self::Prepared(prepared) => L::law_of(prepared),
        }
    }
}

/// Equal if the laws are.
impl<L: Preparable> PartialEq for DrawnOften<L> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Prepared(one), Self::Prepared(other)) if Arc::ptr_eq(one, other) => true,
            _ => self.law() == other.law(),
        }
    }
}

/// All but the draw is that of the law.
impl<L: Preparable> Law for DrawnOften<L> {
    type Outcome = L::Outcome;

    // What the library prepares of a law of somebody else is that one's word.
    fn is_of_the_library(&self, seal: crate::coins::Seal) -> bool {
        self.law().is_of_the_library(seal)
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<L::Outcome, CoinsError> {
        match self {
            Self::Plain(law) => law.sample(coins),
            Self::Prepared(prepared) => prepared.sample(coins),
        }
    }

    fn pmf(&self, outcome: &L::Outcome, bits: u32) -> Result<Enclosure, NumberError> {
        self.law().pmf(outcome, bits)
    }

    fn outcome(&self, index: u64) -> Option<L::Outcome> {
        self.law().outcome(index)
    }

    fn label(&self) -> String {
        match self {
            Self::Plain(law) => law.label(),
            Self::Prepared(prepared) => prepared.label(),
        }
    }
}

impl<L> Noise for DrawnOften<L>
where
    L: Preparable<Outcome = BigInt, Prepared: Noise> + Noise,
{
    fn is_noise_of_the_library(&self, seal: crate::coins::Seal) -> bool {
        self.law().is_noise_of_the_library(seal)
    }

    fn draw_vector<C: Coins>(
        &self,
        dimension: usize,
        coins: &mut C,
    ) -> Result<Vec<BigInt>, CoinsError> {
        match self {
            Self::Plain(law) => law.draw_vector(dimension, coins),
            Self::Prepared(prepared) => prepared.draw_vector(dimension, coins),
        }
    }

    fn add_to<C: Coins>(&self, values: &mut [BigInt], coins: &mut C) -> Result<(), CoinsError> {
        match self {
            Self::Plain(law) => law.add_to(values, coins),
            Self::Prepared(prepared) => prepared.add_to(values, coins),
        }
    }

    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, NumberError> {
        self.law().pmf_of_vector(k, bits)
    }

    fn loss_between(&self, k: &[BigInt], l: &[BigInt], bits: u32) -> Result<Loss, NumberError> {
        self.law().loss_between(k, l, bits)
    }

    fn divergence_of(&self, shift: &[BigInt]) -> Divergence {
        self.law().divergence_of(shift)
    }

    fn usual_size(&self) -> BigInt {
        self.law().usual_size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::Rational;
    use crate::number::rational::{integer, ratio};

    fn gaussian(variance: Rational) -> DiscreteGaussian {
        DiscreteGaussian::new(variance).unwrap()
    }

    fn often<L: Preparable>(law: L) -> DrawnOften<L> {
        DrawnOften::new(law, WORTHWHILE).unwrap()
    }

    fn is_prepared<L: Preparable>(law: &DrawnOften<L>) -> bool {
        matches!(law, DrawnOften::Prepared(_))
    }

    #[test]
    fn only_what_is_drawn_often_is_prepared() {
        let few = DrawnOften::new(gaussian(integer(3)), WORTHWHILE - 1).unwrap();
        assert!(!is_prepared(&few));
        assert!(is_prepared(&often(gaussian(integer(3)))));
        assert!(is_prepared(&often(
            DiscreteLaplace::new(ratio(7, 2)).unwrap()
        )));
        assert!(is_prepared(&often(Geometric::new(ratio(1, 2)).unwrap())));
    }

    #[test]
    fn a_parameter_out_of_reach_is_drawn_plainly() {
        for exponent in [-90, -80, 80, 90] {
            let variance = Rational::from_integer(2.into()).pow(exponent);
            let noise = often(gaussian(variance.clone()));
            assert_eq!(is_prepared(&noise), exponent.abs() == 80, "2^{exponent}");
            assert_eq!(*noise.law().variance(), variance);
            let drawn = |noise: &DrawnOften<_>| ChaCha::reproducible(1, 0).draw(noise).unwrap();
            let plain = DrawnOften::Plain(gaussian(variance));
            assert!(is_prepared(&noise) || drawn(&noise) == drawn(&plain));
        }
    }

    #[test]
    fn prepared_or_not_it_is_one_law() {
        let plain = DrawnOften::Plain(gaussian(ratio(7, 2)));
        let prepared = often(gaussian(ratio(7, 2)));
        assert_eq!(plain, prepared);
        assert_ne!(often(gaussian(integer(3))), prepared);
        let outcome = [2, -1].map(BigInt::from).to_vec();
        for moved in [[0, 0], [1, -2]] {
            let [first, second] = [&plain, &prepared]
                .map(|noise| [noise.around_all([0, 0]), noise.around_all(moved)]);
            assert_eq!(
                first[0].divergence(&first[1], 128).unwrap(),
                second[0].divergence(&second[1], 128).unwrap()
            );
            assert_eq!(
                first[0].loss(&first[1], &outcome, 128).unwrap(),
                second[0].loss(&second[1], &outcome, 128).unwrap()
            );
        }
        for noise in [&plain, &prepared] {
            let found = Explorer::new(Layer::Laws, 500)
                .with_tail(ratio(1, 1 << 20))
                .explore(|coins| coins.draw(&noise.around(3)))
                .unwrap();
            assert!(found.disagreement(&noise.around(3)).unwrap().is_none());
            assert!(found.disagreement(&noise.around(2)).unwrap().is_some());
        }
    }

    /// What is released of values near and beyond the ends of words is their sum with the noise of the same coins.
    fn released_is_the_sum<L>(law: L)
    where
        L: Preparable<Outcome = BigInt, Prepared: Noise> + Noise,
    {
        let near = [0, 1, -1, i64::MAX, i64::MAX - 1, i64::MIN, i64::MIN + 1];
        let exact = near.into_iter().cycle().enumerate().take(1400);
        // Every other seven beyond 64 bits.
        let exact: Vec<BigInt> = exact
            .map(|(place, x)| BigInt::from(x) * (1 + place / 7 % 2))
            .collect();
        for noise in [DrawnOften::Plain(law.clone()), often(law)] {
            let mut coins = [ChaCha::reproducible(2, 0), ChaCha::reproducible(2, 0)];
            let released = coins[0].draw(&noise.around_all(exact.clone())).unwrap();
            for (released, exact) in released.iter().zip(&exact) {
                let alone = coins[1].draw(&noise).unwrap();
                assert_eq!(released - exact, alone);
            }
            assert_eq!(coins[0].consumed(), coins[1].consumed());
        }
    }

    #[test]
    fn the_noise_of_a_release_is_what_is_drawn_of_the_same_coins() {
        released_is_the_sum(gaussian(integer(40)));
        released_is_the_sum(gaussian(Rational::from_integer(2.into()).pow(70)));
        released_is_the_sum(DiscreteLaplace::new(integer(3)).unwrap());
        released_is_the_sum(DiscreteLaplace::new(integer(1_000_000)).unwrap());
    }
}
