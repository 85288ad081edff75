//! ChaCha20 as a generator.

use super::{Coins, OperatingSystem};
use crate::Error;
use crate::error::require;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The cipher ChaCha20 as a source of coins: 2^64 independent streams for each 256-bit seed.
///
/// The block function is that of RFC 8439 with a 64-bit block counter and the stream as the 64-bit nonce. Equal seed and
/// stream give equal coins, on every machine: for private use the seed comes from [`ChaCha::from_operating_system`]; a seed
/// that others know makes the output reproducible and *not private*.
///
/// Its key stream, a string of bytes, is handed out in order, each byte from its highest bit on.
#[derive(Debug, Clone)]
pub struct ChaCha {
    generator: ChaCha20Rng,
    // What is left of the last eight bytes, from the highest bit on, and how many bits that is.
    word: u64,
    left: u32,
    consumed: u64,
}

impl ChaCha {
    /// The given stream of the given seed.
    #[must_use]
    pub fn new(seed: [u8; 32], stream: u64) -> Self {
        let mut generator = ChaCha20Rng::from_seed(seed);
        generator.set_stream(stream);
        Self {
            generator,
            word: 0,
            left: 0,
            consumed: 0,
        }
    }

    /// A reproducible source for tests and audits, *not private*: `number` fills the seed.
    #[must_use]
    pub fn reproducible(number: u64, stream: u64) -> Self {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        Self::new(seed, stream)
    }

    /// Stream 0 of a fresh seed from the operating system: the source for private use.
    ///
    /// # Errors
    /// [`Error::Coins`].
    pub fn from_operating_system() -> Result<Self, Error> {
        let mut seed = [0; 32];
        OperatingSystem::fill(&mut seed)?;
        Ok(Self::new(seed, 0))
    }
}

impl Coins for ChaCha {
    fn bits(&mut self, count: u32) -> Result<u64, Error> {
        require(count <= 64, "the number of bits at once")?;
        let mut bits: u64 = 0;
        let mut have = 0;
        while have < count {
            if self.left == 0 {
                (self.word, self.left) = (self.generator.next_u64().swap_bytes(), 64);
            }
            let taken = self.left.min(count - have);
            bits = bits.checked_shl(taken).unwrap_or(0) | self.word >> (64 - taken);
            self.word = self.word.checked_shl(taken).unwrap_or(0);
            self.left -= taken;
            have += taken;
        }
        self.consumed += u64::from(count);
        Ok(bits)
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}
