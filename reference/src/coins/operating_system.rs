//! The operating system's generator.

use super::Coins;
use crate::Error;
use crate::error::require;

/// Coins straight from the operating system; its failure is an error. Slow, and for those who trust nothing else:
/// [`super::ChaCha::from_operating_system`] asks once.
#[derive(Debug, Clone, Default)]
pub struct OperatingSystem {
    consumed: u64,
}

impl OperatingSystem {
    /// Fills `bytes` with randomness.
    ///
    /// # Errors
    /// [`Error::Coins`]; `bytes` must then not be used.
    pub fn fill(bytes: &mut [u8]) -> Result<(), Error> {
        getrandom::fill(bytes).map_err(|error| Error::Coins(error.to_string()))
    }
}

impl Coins for OperatingSystem {
    fn bits(&mut self, count: u32) -> Result<u64, Error> {
        require(count <= 64, "the number of bits at once")?;
        let mut bytes = [0; 8];
        Self::fill(&mut bytes)?;
        self.consumed += u64::from(count);
        Ok(u64::from_le_bytes(bytes)
            .checked_shr(64 - count)
            .unwrap_or(0))
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}
