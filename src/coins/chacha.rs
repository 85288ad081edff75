//! ChaCha20 as a generator.

use super::error::at_most_a_word;
use super::{Coins, CoinsError, OperatingSystem};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// The cipher ChaCha20 as a source of coins: 2^64 independent streams for each 256-bit seed.
///
/// The block function is that of RFC 8439 with a 64-bit block counter and the stream as the
/// 64-bit nonce. Equal seed and stream give equal coins, on every machine: for private use the seed
/// comes from [`ChaCha::from_operating_system`]; a seed that others know makes the output
/// reproducible and *not private*.
///
/// Its key stream, a string of bytes, is handed out in order, each byte from its highest bit on.
#[derive(Debug, Clone)]
pub struct ChaCha {
    generator: ChaCha20Rng,
    // Bits drawn from the generator, and which of them is handed out next; after them a word of zeros.
    words: [u64; WORDS + 1],
    next: usize,
    consumed: u64,
}

/// So many words are drawn from the generator at a time.
const WORDS: usize = 64;

/// And so many bits.
const BITS: usize = 64 * WORDS;

impl ChaCha {
    /// The given stream of the given seed.
    #[must_use]
    pub fn new(seed: [u8; 32], stream: u64) -> Self {
        let mut generator = ChaCha20Rng::from_seed(seed);
        generator.set_stream(stream);
        Self {
            generator,
            words: [0; WORDS + 1],
            next: BITS,
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

    /// The next 64 bits, the first one highest, of those that are buffered; zeros follow them.
    #[inline]
    fn buffered(&self) -> u64 {
        let (word, bit) = (self.next / 64, self.next % 64);
        let (first, second) = match self.words.get(word..word + 2) {
            Some(&[first, second]) => (first, second),
            _ => (0, 0),
        };
        (first << bit) | ((second >> 1) >> (63 - bit))
    }

    #[cold]
    fn refill(&mut self) {
        generate(&mut self.generator, &mut self.words);
    }

    /// Stream 0 of a fresh seed from the operating system: the source for private use.
    ///
    /// # Errors
    /// [`CoinsError::OperatingSystem`].
    pub fn from_operating_system() -> Result<Self, CoinsError> {
        let mut seed = [0; 32];
        OperatingSystem::fill(&mut seed)?;
        Ok(Self::new(seed, 0))
    }
}

/// The next words of the generator, [`WORDS`] of them.
fn generate(generator: &mut ChaCha20Rng, words: &mut [u64]) {
    let mut bytes = [0; 8 * WORDS];
    generator.fill_bytes(&mut bytes);
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_be_bytes(*bytes);
    }
}

impl Coins for ChaCha {
    #[inline]
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        at_most_a_word(count)?;
        let word = if self.next + count as usize <= BITS {
            self.buffered()
        } else {
            // The bits that are left, and then the next ones.
            let (left, have) = (self.buffered(), BITS - self.next);
            self.refill();
            let more = self.words[0].checked_shr(have as u32).unwrap_or(0);
            self.next = 0usize.wrapping_sub(have);
            left | more
        };
        self.next = self.next.wrapping_add(count as usize);
        self.consumed += u64::from(count);
        Ok(word.checked_shr(64 - count).unwrap_or(0))
    }

    fn words(&mut self, out: &mut [u64]) -> Result<(), CoinsError> {
        let mut rest = out;
        while !rest.is_empty() {
            let (word, bit) = (self.next / 64, self.next % 64);
            let whole = (BITS - self.next) / 64;
            let count = if whole > 0 {
                // Each from one word into the next.
                let count = rest.len().min(whole);
                let (first, second) = (&self.words[word..], &self.words[word + 1..]);
                for ((out, first), second) in rest[..count].iter_mut().zip(first).zip(second) {
                    *out = (first << bit) | ((second >> 1) >> (63 - bit));
                }
                self.next += 64 * count;
                self.consumed += 64 * count as u64;
                count
            } else if self.next == BITS && rest.len() >= WORDS {
                generate(&mut self.generator, rest);
                self.consumed += BITS as u64;
                WORDS
            } else {
                // The bits that are left, and the first of those that are drawn now.
                rest[0] = self.bits(64)?;
                1
            };
            rest = &mut rest[count..];
        }
        Ok(())
    }

    fn consumed(&self) -> u64 {
        self.consumed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(coins: &mut ChaCha, count: usize) -> Vec<u8> {
        (0..count).map(|_| coins.bits(8).unwrap() as u8).collect()
    }

    fn from_hex(text: &str) -> Vec<u8> {
        let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        digits
            .chunks(2)
            .map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap())
            .collect()
    }

    /// RFC 8439, A.1, test vectors 1 and 2: key 0, nonce 0, blocks 0 and 1.
    #[test]
    fn the_zero_key_gives_the_vectors_of_rfc_8439() {
        let expected = from_hex(
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7
             da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586
             9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed
             29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
        );
        assert_eq!(bytes(&mut ChaCha::new([0; 32], 0), 128), expected);
    }

    /// RFC 8439, A.1, test vector 3: key 00..01, block 1.
    #[test]
    fn another_key_gives_the_vector_of_rfc_8439() {
        let mut key = [0; 32];
        key[31] = 1;
        let expected = from_hex(
            "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a
             8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
        );
        let mut coins = ChaCha::new(key, 0);
        let _block_zero = bytes(&mut coins, 64);
        assert_eq!(bytes(&mut coins, 64), expected);
    }

    /// RFC 8439, A.1, test vector 5: the last byte of the 96-bit nonce is 2. With a 64-bit counter
    /// the nonce is its last eight bytes, little-endian.
    #[test]
    fn a_stream_is_the_nonce_of_rfc_8439() {
        let expected = from_hex(
            "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7
             8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
        );
        let mut coins = ChaCha::new([0; 32], u64::from_le_bytes([0, 0, 0, 0, 0, 0, 0, 2]));
        assert_eq!(bytes(&mut coins, 64), expected);
    }

    /// The key stream begins with 76 b8 e0 ad: 0111 0110 1011 ...
    #[test]
    fn the_first_bit_is_the_highest_one_of_the_first_byte() {
        let mut coins = ChaCha::new([0; 32], 0);
        let bits: Vec<u64> = (0..12).map(|_| coins.bits(1).unwrap()).collect();
        assert_eq!(bits, [0, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1, 1]);
        assert_eq!(coins.bits(20), Ok(0x8_e0ad));
    }

    #[test]
    fn bits_are_counted_and_do_not_depend_on_how_they_are_asked_for() {
        let mut whole = ChaCha::reproducible(7, 3);
        let mut pieces = ChaCha::reproducible(7, 3);
        for counts in [[1, 63], [5, 59], [32, 32], [64, 0]] {
            let word = whole.bits(64).unwrap();
            let first = pieces.bits(counts[0]).unwrap();
            let second = pieces.bits(counts[1]).unwrap();
            assert_eq!(word, first.checked_shl(counts[1]).unwrap_or(0) | second);
        }
        assert_eq!(whole.consumed(), 256);
        assert_eq!(pieces.consumed(), 256);
    }

    #[test]
    fn bits_go_on_where_the_buffer_is_filled_again() {
        let mut whole = ChaCha::reproducible(7, 3);
        let words: Vec<u64> = (0..3 * WORDS).map(|_| whole.bits(64).unwrap()).collect();
        for count in [1, 7, 13, 33, 48, 63] {
            let mut pieces = ChaCha::reproducible(7, 3);
            for place in (0..64 * (words.len() - 1)).step_by(count) {
                let (word, bit) = (place / 64, place % 64);
                let both = u128::from(words[word]) << 64 | u128::from(words[word + 1]);
                let expected = (both << bit >> (128 - count)) as u64;
                assert_eq!(
                    pieces.bits(count as u32),
                    Ok(expected),
                    "{count} at {place}"
                );
            }
        }
    }

    #[test]
    fn many_words_are_those_that_come_one_by_one() {
        for offset in [0, 1, 63] {
            let mut many = ChaCha::reproducible(7, 3);
            let mut single = many.clone();
            for count in [0, 1, 5, 64, 200] {
                let mut words = vec![0; count];
                many.words(&mut words).unwrap();
                for word in words {
                    assert_eq!(word, single.bits(64).unwrap());
                }
                assert_eq!(many.bits(offset), single.bits(offset));
                assert_eq!(many.consumed(), single.consumed());
            }
        }
    }

    #[test]
    fn bits_go_on_from_one_word_into_the_next() {
        let mut words = ChaCha::reproducible(7, 3);
        let [first, second] = [0, 1].map(|_| u128::from(words.bits(64).unwrap()));
        let mut pieces = ChaCha::reproducible(7, 3);
        let mut all = 0;
        for count in [40, 40, 48] {
            all = all << count | u128::from(pieces.bits(count).unwrap());
        }
        assert_eq!(all, first << 64 | second);
    }
}
