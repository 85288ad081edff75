//! A tape of given bits.

use super::error::at_most_a_word;
use super::{Coins, CoinsError};

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
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        at_most_a_word(count)?;
        let end = self.position + count as usize;
        let Some(next) = self.bits.get(self.position..end) else {
            return Err(CoinsError::TapeEnded {
                length: self.bits.len() as u64,
            });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use num_bigint::BigUint;

    #[test]
    fn a_tape_replays_what_is_written_and_ends() {
        let mut tape = Tape::written("101 1");
        assert_eq!(tape.bits(3).unwrap(), 5);
        assert_eq!(tape.bits(1).unwrap(), 1);
        assert_eq!(tape.consumed(), 4);
        assert_eq!(tape.bits(1), Err(CoinsError::TapeEnded { length: 4 }));
    }

    #[test]
    fn uniform_below_rejects_instead_of_reducing() {
        // 6 and 7 are no outcomes below 6: 110 and 111 are rejected, 010 is taken.
        let mut tape = Tape::written("110 111 010");
        assert_eq!(
            tape.uniform_below(&BigUint::from(6u32)).unwrap(),
            BigUint::from(2u32)
        );
        assert_eq!(tape.consumed(), 9);
        assert_eq!(
            tape.uniform_below(&BigUint::from(1u32)).unwrap(),
            BigUint::from(0u32)
        );
        assert_eq!(tape.consumed(), 9);
        assert_eq!(
            tape.uniform_below(&BigUint::from(0u32)),
            Err(CoinsError::NoOutcome)
        );
    }

    #[test]
    fn an_exponential_above_one_is_as_many_below_it_as_add_up_to_it() {
        // At 1: 1 is true without a bit, 1/2 on 0, then 1/3 is false on 1: the third, so true. False if 1/2 is, on 1.
        // At 1/2: 1/2 is false on 1: the first, so true. On 0 it is true, then 1/4 is false on 1: so false.
        for (x, tape, outcome) in [
            ((3, 1), "01 01 01", true),
            ((3, 1), "01 01 1", false),
            ((3, 1), "1", false),
            ((5, 2), "01 01 1", true),
            ((5, 2), "01 01 01", false),
            ((5, 2), "01 1", false),
        ] {
            let mut coins = Tape::written(tape);
            let drawn = coins.bernoulli_exp(&ratio(x.0, x.1));
            assert_eq!(drawn, Ok(outcome), "{x:?} {tape}");
            let bits = tape.replace(' ', "").len() as u64;
            assert_eq!(coins.consumed(), bits, "{x:?} {tape}");
        }
    }

    #[test]
    fn bernoulli_stops_at_the_first_difference() {
        // 1/3 = 0.010101...
        for (tape, outcome, used) in [
            ("1", false, 1),
            ("00", true, 2),
            ("011", false, 3),
            ("0100", true, 4),
        ] {
            let mut coins = Tape::written(tape);
            assert_eq!(coins.bernoulli(&ratio(1, 3)).unwrap(), outcome, "{tape}");
            assert_eq!(coins.consumed(), used, "{tape}");
        }
        let mut coins = Tape::written("");
        assert!(coins.bernoulli(&ratio(1, 1)).unwrap());
        assert!(!coins.bernoulli(&ratio(0, 1)).unwrap());
        assert!(coins.bernoulli(&ratio(3, 2)).is_err());
        assert!(coins.bernoulli(&ratio(-1, 2)).is_err());
        assert!(coins.bernoulli_exp(&ratio(-1, 2)).is_err());
    }

    #[test]
    fn a_uniform_draw_takes_more_than_one_word_where_it_must() {
        // 70 bits: the first 64 of them are the high ones.
        let bits = format!("{}1{}", "0".repeat(63), "000011");
        let mut tape = Tape::written(&bits);
        let drawn = tape.uniform_below(&(BigUint::from(1u32) << 70)).unwrap();
        assert_eq!(drawn, BigUint::from((1u32 << 6) + 3));
        assert_eq!(tape.consumed(), 70);
    }
}
