//! Choices of the search, a function of a seed. Nothing that is proved rests on how they are drawn.

use dp_assay::coins::{ChaCha, Coins};

/// A stream of the seed that nothing else reads.
const STREAM: u64 = 5 << 32;

/// Choices, one after the other.
pub(super) struct Draws(ChaCha);

impl Draws {
    /// The same seed makes the same choices.
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha::reproducible(seed, STREAM))
    }

    fn word(&mut self) -> u64 {
        // This generator has no end, and 64 bits are not too many.
        self.0.bits(64).unwrap_or(0)
    }

    /// A whole number below `n`; 0 for no `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.word()) * n as u128) >> 64) as usize
    }

    /// A whole number between two, `lo <= hi`.
    pub(super) fn between(&mut self, lo: i64, hi: i64) -> i64 {
        let count = (i128::from(hi) - i128::from(lo) + 1) as u128;
        let from_lo = (u128::from(self.word()) * count) >> 64;
        (i128::from(lo) + from_lo as i128) as i64
    }

    /// A number from 0 on and below 1.
    pub(super) fn part(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Whether one of so many equal chances has come.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these, if there are any.
    pub(super) fn one_of<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_drawn_and_nothing_beside_it() {
        let mut draws = Draws::new(1);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[draws.below(5)] += 1;
            assert!((-2..=2).contains(&draws.between(-2, 2)));
            assert!((0.0..1.0).contains(&draws.part()));
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
        assert_eq!((draws.below(0), draws.between(7, 7)), (0, 7));
        assert_eq!(draws.one_of::<u8>(&[]), None);
        let all: Vec<i64> = (0..100)
            .map(|_| draws.between(i64::MIN, i64::MAX))
            .collect();
        assert!(all.iter().any(|one| *one < 0) && all.iter().any(|one| *one > 0));
        let mut again = Draws::new(1);
        assert_eq!(
            Draws::new(1).between(0, i64::MAX),
            again.between(0, i64::MAX)
        );
        assert_ne!(
            Draws::new(2).between(0, i64::MAX),
            again.between(0, i64::MAX)
        );
    }
}
