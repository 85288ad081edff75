//! The laws as distributions of the crate `rand` (feature `rand`): `generator.sample(&law)`.
//!
//! A [`Distribution`] takes any generator, also one whose outputs can be predicted, and then nothing is private. **For
//! privacy draw from [`Generator`](crate::coins::Generator), which refuses those:** `Generator::new(generator).draw(&law)?`. It reports the failure of
//! a generator as an error, too, and wastes no coins: here each draw throws away the rest of its last word of 64 bits.
//!
//! The outcome has the type of [`Law::Outcome`]; of an [`ExponentialMechanism`] it is the number of a class.
//!
//! ```
//! use dp_assay::coins::{Coins, CoinsError, Generator};
//! use dp_assay::number::rational::ratio;
//! use dp_assay::sample::DiscreteLaplace;
//! use rand::{RngExt, SeedableRng};
//! use rand_chacha::ChaCha20Rng;
//!
//! let law = DiscreteLaplace::new(ratio(7, 3))?;
//! let mut generator = ChaCha20Rng::from_seed([7; 32]);
//! // A simulation takes any generator.
//! let simulated: Vec<_> = (&mut generator).sample_iter(&law).take(10).collect();
//! // A release takes a cryptographic one.
//! let private = Generator::new(&mut generator).draw(&law)?;
//! # let _ = (simulated, private);
//! # Ok::<(), CoinsError>(())
//! ```
//!
//! # Errors
//! A distribution cannot fail, and none of these does. All coins are there, since the generator cannot fail ([`Rng`]). Every
//! exponent, probability and range that a sampler asks for is one by the parameters that its constructor admitted. An
//! enclosure fails where an exponential is above `e^(2^22)`, a root of a negative number is taken, or a divisor may be 0;
//! the samplers take exponentials of numbers up to 0, roots of squared norms, and divide by a sum of weights, where that of
//! the least loss is at least 1. The errors that are left are the explorer's and the meter's. A law around values
//! ([`AroundAll`]) is a distribution for the noises that go with any number of values.

use super::named::NamedLaw;
use super::{AboveThenAnswer, Around, AroundAll, Censored, GammaLaw};
use crate::coins::{CoinsError, Law};
use crate::sample::{
    DiscreteCauchy, DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, GammaNoise, Geometric,
    ScoredChoice, WithReplacement,
};
use num_bigint::{BigInt, BigUint};
use rand::Rng;
use rand::distr::Distribution;

/// A line for each law: its outcome, and what draws it.
macro_rules! distributions {
    ($($law:ty: $outcome:ty, $draw:path;)*) => {$(
        impl Distribution<$outcome> for $law {
            fn sample<R: Rng + ?Sized>(&self, generator: &mut R) -> $outcome {
                $crate::law::distribution::no_error($draw(
                    self,
                    &mut $crate::coins::Generator::of_any(generator),
                ))
            }
        }
    )*};
}
pub(crate) use distributions;

distributions! {
    Geometric: BigUint, Law::sample;
    DiscreteLaplace: BigInt, Law::sample;
    DiscreteGaussian: BigInt, Law::sample;
    DiscreteCauchy: BigInt, Law::sample;
    NamedLaw: BigInt, NamedLaw::draw;
    ExponentialMechanism: usize, Law::sample;
    ScoredChoice: usize, Law::sample;
    WithReplacement: Vec<usize>, Law::sample;
    GammaNoise: Vec<BigInt>, GammaNoise::draw;
    GammaLaw: Vec<BigInt>, Law::sample;
    Around<DiscreteLaplace>: BigInt, Law::sample;
    Around<DiscreteGaussian>: BigInt, Law::sample;
    AroundAll<DiscreteLaplace>: Vec<BigInt>, Law::sample;
    AroundAll<DiscreteGaussian>: Vec<BigInt>, Law::sample;
    Censored: Option<BigInt>, Law::sample;
    AboveThenAnswer: Option<BigInt>, Law::sample;
}

/// The outcome: see the documentation of this file for why there is no error.
pub(crate) fn no_error<T>(drawn: Result<T, CoinsError>) -> T {
    drawn.unwrap_or_else(|error| unreachable!("a law failed on a generator that did not: {error}"))
}
