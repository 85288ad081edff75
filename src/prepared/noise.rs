//! Prepared noise stands wherever its plain twin stands: in the law of a release, and under the meter.

use super::{PreparedGaussian, PreparedLaplace};
use crate::coins::{Coins, CoinsError, Divergence, Law, Loss};
use crate::law::Noise;
use crate::number::{Enclosure, NumberError};
use num_bigint::BigInt;

/// All but the draw is the twin's, and two are equal if their twins are.
macro_rules! noise_as_of_its_twin {
    ($($prepared:ty),*) => {$(
        impl PartialEq for $prepared {
            fn eq(&self, other: &Self) -> bool {
                self.law() == other.law()
            }
        }

        impl Law for $prepared {
            type Outcome = BigInt;

            fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
                true
            }

            fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, CoinsError> {
                Ok(self.drawn(coins)?.into())
            }

            fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
                self.law().pmf(outcome, bits)
            }

            fn outcome(&self, index: u64) -> Option<BigInt> {
                self.law().outcome(index)
            }

            fn label(&self) -> String {
                format!("prepared {}", self.law().label())
            }
        }

        impl Noise for $prepared {
            fn is_noise_of_the_library(&self, _: crate::coins::Seal) -> bool {
                true
            }

            fn draw_vector<C: Coins>(
                &self,
                dimension: usize,
                coins: &mut C,
            ) -> Result<Vec<BigInt>, CoinsError> {
                (0..dimension)
                    .map(|_| Ok(self.drawn(coins)?.into()))
                    .collect()
            }

            fn add_to<C: Coins>(
                &self,
                values: &mut [BigInt],
                coins: &mut C,
            ) -> Result<(), CoinsError> {
                values
                    .iter_mut()
                    .try_for_each(|value| Ok(self.drawn(coins)?.add_to(value)))
            }

            fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, NumberError> {
                self.law().pmf_of_vector(k, bits)
            }

            fn loss_between(
                &self,
                k: &[BigInt],
                l: &[BigInt],
                bits: u32,
            ) -> Result<Loss, NumberError> {
                self.law().loss_between(k, l, bits)
            }

            fn divergence_of(&self, shift: &[BigInt]) -> Divergence {
                self.law().divergence_of(shift)
            }

            fn usual_size(&self) -> BigInt {
                self.law().usual_size()
            }
        }
    )*};
}
noise_as_of_its_twin!(PreparedGaussian, PreparedLaplace);
