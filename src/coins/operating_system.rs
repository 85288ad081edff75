//! The operating system's generator.

use super::error::at_most_a_word;
use super::{Coins, CoinsError};

/// Coins straight from the operating system; its failure is an error.
///
/// One call to the operating system for each request of up to 64 bits; unused bits are thrown away. Slow, and
/// for those who trust nothing else. [`super::ChaCha::from_operating_system`]
/// asks once.
#[derive(Debug, Clone, Default)]
pub struct OperatingSystem {
    consumed: u64,
}

impl OperatingSystem {
    /// The operating system's generator.
    #[must_use]
    pub const fn new() -> Self {
        Self { consumed: 0 }
    }

    /// Fills `bytes` with randomness.
    ///
    /// # Errors
    /// [`CoinsError::OperatingSystem`]; `bytes` must then not be used.
    pub fn fill(bytes: &mut [u8]) -> Result<(), CoinsError> {
        getrandom::fill(bytes).map_err(|error| CoinsError::OperatingSystem {
            reason: error.to_string(),
        })
    }
}

impl Coins for OperatingSystem {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        at_most_a_word(count)?;
        if count == 0 {
            return Ok(0);
        }
        let mut bytes = [0; 8];
        Self::fill(&mut bytes)?;
        self.consumed += u64::from(count);
        Ok(u64::from_le_bytes(bytes) >> (64 - count))
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_fit_and_are_counted() {
        let mut coins = OperatingSystem::new();
        for count in 0..=64 {
            let value = coins.bits(count).unwrap();
            assert!(count == 64 || value < 1 << count);
        }
        assert_eq!(coins.consumed(), (0..=64).sum::<u64>());
    }

    #[test]
    fn words_differ_in_every_bit() {
        // Of a hundred words all have the same bit in one of 64 places with probability below 2^-92.
        let mut coins = OperatingSystem::new();
        let words: Vec<u64> = (0..100).map(|_| coins.bits(64).unwrap()).collect();
        assert_eq!(words.iter().fold(0, |ones, word| ones | word), u64::MAX);
        assert_eq!(words.iter().fold(0, |zeros, word| zeros | !word), u64::MAX);
    }
}
