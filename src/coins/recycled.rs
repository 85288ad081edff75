//! Recycling: what a draw leaves of its randomness is used by the next one.

use super::{Against, Coins, CoinsError, Table, Uniform};

/// A source of coins that recycles what picks from tables and comparisons leave over.
///
/// It holds an integer `z` below `size`, both below `2^63`. The invariant: given all that was returned so far and `size`, `z` is uniform.
/// To pick a place, the integers below `size` are parted into classes, one for each place and one for each point that a
/// threshold may cut. The classes depend on `size` and on the table, never on `z`. The class of `z` is the answer, and the rank of `z` in its class
/// is uniform again: it stays. A point that is cut is settled with fresh bits, and the state is discarded. So no answer is
/// less exact than without recycling, and the bits come within a fraction of a percent of the entropy
/// (ledger: `sample.recycled`; proof in `spec/samplers.md`; after Draper and Saad, 2025).
///
/// Plain bits and all else pass through. The state is secret as coins are: whoever reads it learns nothing of the past, but
/// something of what comes.
#[derive(Debug, Clone)]
pub struct Recycled<C> {
    coins: C,
    z: u64,
    size: u64,
    // Below this size, so many bits are added.
    least: u64,
    refill: u32,
}

impl<C: Coins> Recycled<C> {
    /// Recycles the coins of a source.
    #[must_use]
    pub fn new(coins: C) -> Self {
        Self::at(coins, [31, 32], [0, 1])
    }

    /// With the state `[z, size]`, which `refill` bits are added to while its size is below `2^width`: small enough to be explored.
    pub(crate) fn at(coins: C, [width, refill]: [u32; 2], [z, size]: [u64; 2]) -> Self {
        Self {
            coins,
            z,
            size,
            least: 1 << width,
            refill,
        }
    }

    /// The state, `[z, size]`: for what explores it.
    #[cfg_attr(not(feature = "learners"), allow(dead_code))]
    pub(crate) fn state(&self) -> [u64; 2] {
        [self.z, self.size]
    }

    /// The source.
    #[must_use]
    pub fn into_inner(self) -> C {
        self.coins
    }

    #[inline]
    fn fill(&mut self) -> Result<(), CoinsError> {
        while self.size < self.least {
            self.z = (self.z << self.refill) | self.coins.bits(self.refill)?;
            self.size <<= self.refill;
        }
        Ok(())
    }

    /// Keeps the rank of `z` in its class, which begins at `first` and ends before `end`.
    #[inline]
    fn keep(&mut self, first: u64, end: u64) {
        self.z -= first;
        self.size = end - first;
    }

    /// Discards the state, and returns what was known: `z` of `size`.
    fn discard(&mut self) -> (u64, u64) {
        let known = (self.z, self.size);
        (self.z, self.size) = (0, 1);
        known
    }
}

/// `size threshold / 2^64`, rounded down.
#[inline]
fn share_below(size: u64, threshold: u64) -> u64 {
    ((u128::from(size) * u128::from(threshold)) >> 64) as u64
}

/// `size (threshold + more) / 2^64`, rounded up, and at most `size`.
#[inline]
fn share_above(size: u64, threshold: u64, more: u32) -> u64 {
    let product = u128::from(size) * (u128::from(threshold) + u128::from(more));
    (product.div_ceil(1 << 64) as u64).min(size)
}

impl<C: Coins> Coins for Recycled<C> {
    #[inline]
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.coins.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    #[inline]
    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        self.fill()?;
        let (z, size) = (self.z, self.size);
        let thresholds = table.thresholds();
        // 1. A place that does not lie after that of z: by a lower bound on the first 16 bits of z / size.
        let spare = 32u32.saturating_sub(size.leading_zeros());
        let first = ((z >> spare) << 16) / ((size >> spare) + 1);
        let mut place = table.from()[first as usize] as usize;
        // 2. The class of z: thresholds that certainly lie at or below z are passed.
        let mut start = match place.checked_sub(1) {
            None => 0,
            Some(before) => share_above(size, thresholds[before], 2),
        };
        while let Some(&threshold) = thresholds.get(place) {
            let end = share_above(size, threshold, 2);
            if z < end {
                break;
            }
            start = end;
            place += 1;
        }
        let end = match thresholds.get(place) {
            None => size,
            Some(&threshold) => share_below(size, threshold),
        };
        // 3. What stays is the rank of z in its class.
        if start <= z && z < end {
            self.keep(start, end);
            return Ok(place);
        }
        // 4. A point that a threshold may cut: fresh bits decide, and the state is discarded before they are drawn.
        let (z, size) = self.discard();
        table.settle(Uniform::within(z, size), &mut self.coins)
    }

    fn pick_each(&mut self, table: &Table, out: &mut [i64]) -> Result<(), CoinsError> {
        for place in out {
            *place = self.pick(table)? as i64;
        }
        Ok(())
    }

    #[inline]
    fn below(&mut self, n: u64) -> Result<u64, CoinsError> {
        if n == 0 || n > 1 << 24 {
            return super::layers::below(&mut self.coins, n);
        }
        loop {
            self.fill()?;
            // z = n rank + k for a whole number of ranks; what is left over is a class of its own, rejected.
            let ranks = self.size / n;
            if self.z < ranks * n {
                let k = self.z % n;
                (self.z, self.size) = (self.z / n, ranks);
                return Ok(k);
            }
            self.keep(ranks * n, self.size);
        }
    }

    #[inline]
    fn against(&mut self, below: u64, last: u64) -> Result<Against, CoinsError> {
        self.fill()?;
        let lo = share_below(self.size, below);
        let hi = share_above(self.size, last, 1);
        if self.z < lo {
            self.keep(0, lo);
            return Ok(Against::Below);
        }
        if self.z >= hi {
            self.keep(hi, self.size);
            return Ok(Against::NotBelow);
        }
        let (z, size) = self.discard();
        Ok(Against::Between(Uniform::within(z, size)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Law, Tape};
    use crate::number::rational::ratio;
    use crate::prepared::PreparedLaplace;
    use crate::sample::DiscreteLaplace;

    #[test]
    fn one_word_gives_many_integers() {
        // The word 16 is 1 and 3 times 5.
        let mut coins = Recycled::new(Tape::new((0..32).map(|i| i == 27).collect()));
        assert_eq!(coins.below(3), Ok(1));
        assert_eq!(coins.state(), [5, (1 << 32) / 3]);
        assert_eq!(coins.consumed(), 32);
        // Below 2^31 the next one asks for more bits.
        assert!(coins.below(3).is_err());
    }

    #[test]
    fn integers_that_are_wide_and_bits_pass_through() {
        let (mut recycled, mut plain) = (
            Recycled::new(ChaCha::reproducible(5, 0)),
            ChaCha::reproducible(5, 0),
        );
        let wide = (1 << 24) + 1;
        assert_eq!(recycled.below(wide), plain.below(wide));
        assert_eq!(recycled.bits(13), plain.bits(13));
        assert_eq!(recycled.state(), [0, 1]);
        assert!(recycled.below(0).is_err());
    }

    #[test]
    fn the_state_stays_below_its_size_and_2_to_the_63() {
        let mut coins = Recycled::new(ChaCha::reproducible(6, 0));
        let law = PreparedLaplace::new(&DiscreteLaplace::new(ratio(7, 3)).unwrap()).unwrap();
        for n in 1..2000 {
            law.sample(&mut coins).unwrap();
            coins.below(n).unwrap();
            coins.against(n << 40, n << 41).unwrap();
            let [z, size] = coins.state();
            assert!(z < size && size < 1 << 63, "{z} of {size}");
        }
    }
}
