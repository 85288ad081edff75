//! A noisy answer that is told only where it lies outside a public interval.

use super::{Around, DiscreteLaplace, Noise};
use crate::Error;
use crate::coins::{Coins, Law};
use crate::error::require;
use crate::number::Enclosure;
use num_bigint::BigInt;

/// The law of a value with discrete Laplace noise that tells only `None`, *quietly*, where it lies in a public interval
/// (ledger: `sample.censored`).
///
/// If neighbours move the value by at most `D` steps, under either relation, it is `(D/scale, 0)`-private, and no less: values
/// beyond the interval are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Censored {
    told: Around<DiscreteLaplace>,
    least: BigInt,
    largest: BigInt,
}

impl Censored {
    /// `value` with noise, quiet from `least` to `largest`, all three in steps of one grid. The value depends on the data; the
    /// interval and the noise may not.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if the interval is empty.
    pub fn new(
        value: impl Into<BigInt>,
        noise: &DiscreteLaplace,
        [least, largest]: [BigInt; 2],
    ) -> Result<Self, Error> {
        require(least <= largest, "the interval of quiet answers")?;
        Ok(Self {
            told: noise.around(value),
            least,
            largest,
        })
    }

    /// The value with its noise, and the interval in which it is quiet.
    #[must_use]
    pub fn parts(&self) -> (&Around<DiscreteLaplace>, [&BigInt; 2]) {
        (&self.told, [&self.least, &self.largest])
    }

    fn is_quiet(&self, noisy: &BigInt) -> bool {
        self.least <= *noisy && *noisy <= self.largest
    }
}

impl Law for Censored {
    type Outcome = Option<BigInt>;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Option<BigInt>, Error> {
        let noisy = coins.draw(&self.told)?;
        Ok((!self.is_quiet(&noisy)).then_some(noisy))
    }

    fn pmf(&self, outcome: &Option<BigInt>, bits: u32) -> Result<Enclosure, Error> {
        let Around { value, noise } = &self.told;
        match outcome {
            // Pr[Y <= largest] - Pr[Y < least], of the noise Y.
            None => Ok(noise.cdf(&(&self.largest - value), bits)?
                - noise.cdf(&(&self.least - value - 1), bits)?),
            Some(told) if self.is_quiet(told) => Ok(Enclosure::integer(0, bits)),
            Some(told) => self.told.pmf(told, bits),
        }
    }
}
