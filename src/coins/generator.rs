//! Any cryptographic generator of the `rand` ecosystem as a source of coins.

use super::error::at_most_a_word;
use super::{Coins, CoinsError};
use rand_core::{TryCryptoRng, TryRng};
use std::fmt;

/// A cryptographic generator as a source of coins: all that implement [`TryCryptoRng`], also those that may fail, whose
/// failure is [`CoinsError::Generator`].
///
/// Its words of 64 bits are read as eight bytes, the lowest first, and handed out in order, each byte from its highest bit on, as
/// [`ChaCha`](super::ChaCha) hands out the same key stream. What was asked for and not handed out is
/// lost with this value, also if the generator is only borrowed (`Generator::new(&mut generator)`).
///
/// ```
/// use dp_assay::coins::{Coins, Generator};
/// use dp_assay::number::rational::ratio;
/// use dp_assay::sample::DiscreteLaplace;
/// use rand_chacha::ChaCha20Rng;
/// use rand_core::SeedableRng;
///
/// // For private use the seed comes from the operating system.
/// let mut coins = Generator::new(ChaCha20Rng::from_seed([7; 32]));
/// let noise = coins.draw(&DiscreteLaplace::new(ratio(7, 3))?)?;
/// # let _ = noise;
/// # Ok::<(), dp_assay::coins::CoinsError>(())
/// ```
///
/// A generator that is not cryptographic is refused, since noise that can be predicted hides nothing:
///
/// ```compile_fail,E0277
/// # use core::convert::Infallible;
/// struct Counter(u64);
///
/// impl rand_core::TryRng for Counter {
///     type Error = Infallible;
/// #   fn try_next_u32(&mut self) -> Result<u32, Infallible> { Ok(0) }
///     fn try_next_u64(&mut self) -> Result<u64, Infallible> {
///         self.0 += 1;
///         Ok(self.0)
///     }
/// #   fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> { Ok(()) }
/// }
///
/// let coins = dp_assay::coins::Generator::new(Counter(0));
/// ```
///
/// It is the promise alone that is missing there:
///
/// ```
/// # use core::convert::Infallible;
/// # struct Counter(u64);
/// # impl rand_core::TryRng for Counter {
/// #   type Error = Infallible;
/// #   fn try_next_u32(&mut self) -> Result<u32, Infallible> { Ok(0) }
/// #   fn try_next_u64(&mut self) -> Result<u64, Infallible> {
/// #       self.0 += 1;
/// #       Ok(self.0)
/// #   }
/// #   fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> { Ok(()) }
/// # }
/// // False of this one.
/// impl rand_core::TryCryptoRng for Counter {}
///
/// let coins = dp_assay::coins::Generator::new(Counter(0));
/// ```
pub struct Generator<R> {
    generator: R,
    // Bits drawn from the generator and not yet handed out: the lowest so many, the next one highest.
    buffer: u128,
    buffered: u32,
    consumed: u64,
}

impl<R: TryCryptoRng> Generator<R> {
    /// The coins of a cryptographic generator. They are as private as its seed.
    #[must_use]
    pub fn new(generator: R) -> Self {
        Self::of_any(generator)
    }
}

// Only the constructor asks whether the generator is cryptographic: there is no other for the public.
impl<R: TryRng> Generator<R> {
    /// The coins of any generator: *private* only if it is cryptographic.
    pub(crate) fn of_any(generator: R) -> Self {
        Self {
            generator,
            buffer: 0,
            buffered: 0,
            consumed: 0,
        }
    }
}

impl<R: TryRng> Coins for Generator<R> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        at_most_a_word(count)?;
        if self.buffered < count {
            let failed = |error: R::Error| CoinsError::Generator {
                reason: error.to_string(),
            };
            let word = self.generator.try_next_u64().map_err(failed)?;
            // Below 64 bits are there: with the new ones below 128.
            self.buffer = self.buffer << 64 | u128::from(word.swap_bytes());
            self.buffered += 64;
        }
        self.buffered -= count;
        let result = self.buffer >> self.buffered;
        self.buffer &= (1 << self.buffered) - 1;
        self.consumed += u64::from(count);
        Ok(result as u64)
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}

/// Without the generator's state and the bits that are still to come: they are secret.
impl<R> fmt::Debug for Generator<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Generator")
            .field("consumed", &self.consumed)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::ChaCha;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// Gives these words, and then fails.
    struct Failing(Vec<u64>);

    #[derive(Debug, thiserror::Error)]
    #[error("no entropy is left")]
    struct NoEntropy;

    impl TryRng for Failing {
        type Error = NoEntropy;

        fn try_next_u32(&mut self) -> Result<u32, NoEntropy> {
            Err(NoEntropy)
        }

        fn try_next_u64(&mut self) -> Result<u64, NoEntropy> {
            self.0.pop().ok_or(NoEntropy)
        }

        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), NoEntropy> {
            Err(NoEntropy)
        }
    }

    impl TryCryptoRng for Failing {}

    #[test]
    fn the_generator_of_our_own_coins_gives_the_same_ones() {
        let mut seed = [0; 32];
        seed[0] = 9;
        let mut ours = ChaCha::reproducible(9, 0);
        let mut theirs = Generator::new(ChaCha20Rng::from_seed(seed));
        for round in 0..20 {
            for count in (0..=64).chain([1; 11]) {
                let expected = ours.bits(count).unwrap();
                let drawn = theirs.bits(count);
                assert_eq!(drawn, Ok(expected), "{count} bits in round {round}");
                assert_eq!(ours.consumed(), theirs.consumed());
            }
        }
    }

    #[test]
    fn a_failure_is_an_error_and_loses_no_bit() {
        let mut coins = Generator::new(Failing(vec![0x0123_4567_89ab_cdef]));
        assert_eq!(coins.bits(16), Ok(0xefcd));
        let failed = coins.bits(64).unwrap_err();
        assert_eq!(
            failed.to_string(),
            "the generator failed: no entropy is left"
        );
        assert_eq!(coins.bits(65), Err(CoinsError::TooManyBits { count: 65 }));
        // The 48 bits that were there still are, and only what was handed out is counted.
        assert_eq!(
            (coins.consumed(), coins.bits(48)),
            (16, Ok(0xab89_6745_2301))
        );
        assert_eq!((coins.bits(0), coins.consumed()), (Ok(0), 64));
    }

    #[test]
    fn neither_seed_nor_coming_bits_are_shown() {
        let mut coins = Generator::new(Failing(vec![0x0123_4567_89ab_cdef]));
        coins.bits(3).unwrap();
        assert_eq!(format!("{coins:?}"), "Generator { consumed: 3, .. }");
    }
}
