//! The keystream of ChaCha20 as a tape: the bytes in order, and of each the highest bit first.

use dp_assay::coins::{ChaCha, Coins, CoinsError};

/// Coins in the order of the vectors' tapes (`spec/vectors/algorithms.md`), which remember what was drawn.
#[derive(Debug, Clone)]
pub struct Keystream {
    bytes: ChaCha,
    // The bits of the word that is being handed out, the next one highest, and how many are left of it.
    word: u64,
    left: u32,
    consumed: u64,
    most: u64,
}

impl Keystream {
    /// This stream of this key, which ends after `most` bits.
    pub fn new(key: [u8; 32], stream: u64, most: u64) -> Self {
        Self {
            bytes: ChaCha::new(key, stream),
            word: 0,
            left: 0,
            consumed: 0,
            most,
        }
    }
}

impl Coins for Keystream {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        if count > 64 {
            return Err(CoinsError::TooManyBits { count });
        }
        if self.consumed + u64::from(count) > self.most {
            return Err(CoinsError::TapeEnded { length: self.most });
        }
        let mut value = 0u64;
        let mut missing = count;
        while missing > 0 {
            if self.left == 0 {
                // The first byte is the lowest of the word that the library hands out.
                self.word = self.bytes.bits(64)?.swap_bytes();
                self.left = 64;
            }
            let take = missing.min(self.left);
            let taken = self.word >> (64 - take);
            value = value.checked_shl(take).unwrap_or(0) | taken;
            self.word = self.word.checked_shl(take).unwrap_or(0);
            self.left -= take;
            missing -= take;
        }
        self.consumed += u64::from(count);
        Ok(value)
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439, A.1, test vector 1, and vector 5 for the stream.
    #[test]
    fn it_is_the_keystream_of_the_rfc_with_the_highest_bit_first() {
        let mut coins = Keystream::new([0; 32], 0, 1 << 20);
        // 76 b8 e0 ad: 0111 0110 1011 ...
        let bits: Vec<u64> = (0..12).map(|_| coins.bits(1).unwrap()).collect();
        assert_eq!(bits, [0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1]);
        assert_eq!(coins.bits(20).unwrap(), 0x8e0ad);
        assert_eq!(coins.bits(64).unwrap(), 0xa0f13d90405d6ae5);
        assert_eq!(coins.consumed(), 96);
        let stream = u64::from_le_bytes([0, 0, 0, 0, 0, 0, 0, 2]);
        let mut coins = Keystream::new([0; 32], stream, 16);
        assert_eq!(coins.bits(16).unwrap(), 0xc2c6);
        assert_eq!(coins.bits(1), Err(CoinsError::TapeEnded { length: 16 }));
    }
}
