//! A tape of given bits.

use super::Coins;
use crate::Error;
use crate::error::require;

/// Replays given bits, in order, and counts what was used: for known-answer tests.
///
/// `bits(count)` returns the next `count` bits with the first one highest, as they are written.
#[derive(Debug, Clone)]
pub struct Tape {
    bits: Vec<bool>,
    position: usize,
}

impl Tape {
    /// A tape of the given bits.
    #[must_use]
    pub fn new(bits: Vec<bool>) -> Self {
        Self { bits, position: 0 }
    }

    /// A tape written in `0` and `1`; anything else is passed over.
    #[must_use]
    pub fn written(text: &str) -> Self {
        Self::new(
            text.chars()
                .filter_map(|c| match c {
                    '0' => Some(false),
                    '1' => Some(true),
                    _ => None,
                })
                .collect(),
        )
    }
}

impl Coins for Tape {
    fn bits(&mut self, count: u32) -> Result<u64, Error> {
        require(count <= 64, "the number of bits at once")?;
        let end = self.position + count as usize;
        let Some(next) = self.bits.get(self.position..end) else {
            return Err(Error::Coins("the tape has ended".to_owned()));
        };
        self.position = end;
        Ok(next
            .iter()
            .fold(0, |word, &bit| (word << 1) + u64::from(bit)))
    }

    fn consumed(&self) -> u64 {
        self.position as u64
    }
}
