//! A finite law as a table of certified thresholds: built once, drawn from many times.

use super::{CoinsError, Uniform};
use crate::number::{Dyadic, Enclosure, NumberError};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::fmt;
use std::sync::Arc;

/// A law on the places `0..K`, by its cumulative probabilities `c_0 < c_1 < ... = 1`: place `k` is drawn if a uniform number
/// falls into `[c_(k-1), c_k)`.
///
/// A word of 64 bits says of almost every number where it falls. The words that leave it open, two at most for each threshold,
/// are settled by more bits and sharper enclosures: so the law is exact, also if its probabilities are irrational
/// (ledger: `sample.table`; proof in `spec/samplers.md`).
#[derive(Clone)]
pub struct Table {
    inner: Arc<Inner>,
}

struct Inner {
    label: String,
    // For each threshold c_k, k < K - 1, an integer e with e <= 2^64 c_k <= e + 2.
    thresholds: Vec<u64>,
    // For each value of the first 16 bits: the place, if they decide it, and otherwise OPEN.
    by_first_bits: Vec<u16>,
    // For each value of the first 16 bits: how many thresholds are certainly at most every number that begins so.
    from: Vec<u32>,
    cumulative: Box<Cumulative>,
}

/// The cumulative probabilities at so many bits, the last exactly 1.
type Cumulative = dyn Fn(u32) -> Result<Vec<Enclosure>, NumberError> + Send + Sync;

/// So many bits are looked up first.
pub(super) const FIRST_BITS: u32 = 16;

/// So many bits a word has beside the first ones.
pub(super) const OTHER_BITS: u32 = 64 - FIRST_BITS;

/// What the first bits leave open.
const OPEN: u16 = u16::MAX;

/// The most places of a table.
pub const MOST_PLACES: usize = 1 << 24;

/// What the first bits decide, in a look-up.
#[inline]
pub(super) fn decided(by_first_bits: &[u16], first: u64) -> Option<usize> {
    let place = by_first_bits[first as usize & 0xffff];
    (place != OPEN).then_some(usize::from(place))
}

/// The same for four beginnings at once, if all are decided.
#[inline]
pub(super) fn all_decided(by_first_bits: &[u16], firsts: [u64; 4]) -> Option<[i64; 4]> {
    let places = firsts.map(|first| by_first_bits[first as usize & 0xffff]);
    (!places.contains(&OPEN)).then(|| places.map(i64::from))
}

/// What a word of 64 bits decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The place that is drawn.
    pub place: usize,
    /// The first word that certainly leads to it.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

impl Table {
    /// The table of the law with these cumulative probabilities, which `cumulative` encloses at so many bits of working precision:
    /// as many each time, in rising order, the last exactly 1, with an absolute error that falls at least as `2^(32 - bits)`.
    ///
    /// # Errors
    /// [`CoinsError::NoOutcome`] for an empty list; [`CoinsError::NotALaw`] if they do not rise to 1, or are not sharp enough, and
    /// for more than [`MOST_PLACES`]; those of `cumulative`.
    pub fn new(
        label: impl Into<String>,
        cumulative: impl Fn(u32) -> Result<Vec<Enclosure>, NumberError> + Send + Sync + 'static,
    ) -> Result<Self, CoinsError> {
        let label = label.into();
        let bounds = cumulative(128)?;
        let Some((last, inner_bounds)) = bounds.split_last() else {
            return Err(CoinsError::NoOutcome);
        };
        let mut thresholds = Vec::with_capacity(inner_bounds.len());
        for bound in inner_bounds {
            let threshold = word_below(bound)
                .filter(|word| thresholds.last().is_none_or(|before| before <= word));
            thresholds.extend(threshold);
        }
        if !is_one(last) || thresholds.len() < inner_bounds.len() || bounds.len() > MOST_PLACES {
            return Err(CoinsError::NotALaw { law: label });
        }
        let (by_first_bits, from) = by_first_bits(&thresholds);
        Ok(Self {
            inner: Arc::new(Inner {
                label,
                thresholds,
                by_first_bits,
                from,
                cumulative: Box::new(cumulative),
            }),
        })
    }

    /// What it is a table of.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.label
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> usize {
        self.inner.thresholds.len() + 1
    }

    /// The place of all numbers that begin with these bits, if there is one; and the first such beginning that certainly leads
    /// to it, and the first after that which does not.
    #[inline]
    pub(super) fn class_of(&self, beginning: u64, known: u32) -> (usize, u64, u64) {
        let rest = 64 - known;
        let word = beginning << rest;
        let thresholds = &self.inner.thresholds[..];
        let place = match self.inner.by_first_bits[(word >> OTHER_BITS) as usize] {
            OPEN => self.place_near(word),
            decided => usize::from(decided),
        };
        let first = match place.checked_sub(1) {
            None => 0,
            // Rounded up.
            Some(before) => ((thresholds[before].saturating_add(1)) >> rest) + 1,
        };
        let end = thresholds.get(place).map_or(1 << known, |end| end >> rest);
        (place, first, end)
    }

    /// How many thresholds are certainly at most every number that begins with a word.
    #[inline]
    fn place_near(&self, word: u64) -> usize {
        let first = (word >> OTHER_BITS) as usize;
        let (from, to) = (self.inner.from[first], self.inner.from[first + 1]);
        let near = &self.inner.thresholds[from as usize..to as usize];
        from as usize + near.partition_point(|&threshold| is_at_most(threshold, word))
    }

    /// The place, if the first 16 bits decide it.
    #[inline]
    pub(super) fn decided_by_first_bits(&self, first: u64) -> Option<usize> {
        decided(&self.inner.by_first_bits, first)
    }

    /// The look-up of [`Self::decided_by_first_bits`], for many in a row.
    #[inline]
    pub(super) fn by_first_bits(&self) -> &[u16] {
        &self.inner.by_first_bits
    }

    /// The place, if a word decides it.
    #[inline]
    pub(super) fn decided_by_word(&self, word: u64) -> Option<usize> {
        let place = self.place_near(word);
        self.ends_after(place, word).then_some(place)
    }

    /// The place, if a word decides it, with as much work for every word: each threshold is compared.
    pub(super) fn decided_by_word_in_constant_work(&self, word: u64) -> Option<usize> {
        let (mut place, mut open) = (0, 0);
        for &threshold in &self.inner.thresholds {
            let at_most = usize::from(is_at_most(threshold, word));
            place += at_most;
            open |= usize::from(threshold <= word) & (1 - at_most);
        }
        (open == 0).then_some(place)
    }

    /// Whether all numbers that begin with this word are certainly below the threshold at the end of `place`.
    fn ends_after(&self, place: usize, word: u64) -> bool {
        self.inner
            .thresholds
            .get(place)
            .is_none_or(|&threshold| word < threshold)
    }

    /// Draws the rest of a number that a word leaves open, and its place.
    #[cold]
    pub(super) fn settle(
        &self,
        word: u64,
        digit: impl FnMut() -> Result<u64, CoinsError>,
    ) -> Result<usize, CoinsError> {
        let uniform = Uniform::within(word, BigInt::from(1) << 64u32);
        uniform.falls_among(digit, |bits| self.cumulative(bits))
    }

    /// The cumulative probabilities, as they were given.
    ///
    /// # Errors
    /// Those of the enclosures; [`NumberError::OutOfDomain`] if they are not those of which the table was made.
    pub fn cumulative(&self, bits: u32) -> Result<Vec<Enclosure>, NumberError> {
        let all = (self.inner.cumulative)(bits)?;
        let thresholds = &self.inner.thresholds;
        let as_made = |(c, &word): (&Enclosure, &u64)| {
            let step = |k: u128| Dyadic::new(BigInt::from(k), -64);
            *c.lo() <= step(u128::from(word) + 2) && *c.hi() >= step(word.into())
        };
        let ends = all.len() == self.places() && all.last().is_some_and(is_one);
        if !ends || !all.iter().zip(thresholds).all(as_made) {
            return Err(NumberError::OutOfDomain {
                function: "a table",
                argument: self.inner.label.clone(),
                expected: "its probabilities must be those of which it was made",
            });
        }
        Ok(all)
    }

    /// The decision table: the words that decide a place, in order. What lies between two cells is settled by more bits.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..self.places()).filter_map(|place| {
            let first = match place.checked_sub(1) {
                None => 0,
                Some(before) => self.inner.thresholds[before].checked_add(2)?,
            };
            let last = match self.inner.thresholds.get(place) {
                None => u64::MAX,
                Some(threshold) => threshold.checked_sub(1)?,
            };
            (first <= last).then_some(Cell { place, first, last })
        })
    }
}

fn is_one(c: &Enclosure) -> bool {
    c.lo() == c.hi() && *c.lo() == Dyadic::from(BigInt::from(1))
}

/// An integer `e` with `e <= 2^64 c <= e + 2`, for an enclosed `c` in [0, 1]; `None` if the enclosure is too wide.
fn word_below(c: &Enclosure) -> Option<u64> {
    let below = c.lo().shifted(64).floor();
    let above = c.hi().shifted(64).ceil();
    let top = BigInt::from(u64::MAX);
    let word = below.clamp(BigInt::from(0), top);
    (above <= &word + 2).then(|| word.to_u64()).flatten()
}

/// Whether a threshold is certainly at most every number that begins with `word`.
#[inline]
fn is_at_most(threshold: u64, word: u64) -> bool {
    threshold.checked_add(2).is_some_and(|end| end <= word)
}

/// What the first 16 bits say.
fn by_first_bits(thresholds: &[u64]) -> (Vec<u16>, Vec<u32>) {
    let count = 1usize << FIRST_BITS;
    let (mut places, mut from) = (Vec::with_capacity(count), Vec::with_capacity(count + 1));
    let mut place = 0;
    for first in 0..count as u64 {
        let (least, largest) = (
            first << OTHER_BITS,
            (first << OTHER_BITS) | (u64::MAX >> FIRST_BITS),
        );
        while thresholds.get(place).is_some_and(|&t| is_at_most(t, least)) {
            place += 1;
        }
        from.push(place as u32);
        // Decided if the place's end is certainly after the last word that begins so.
        let decided =
            thresholds.get(place).is_none_or(|&t| largest < t) && place < usize::from(OPEN);
        places.push(if decided { place as u16 } else { OPEN });
    }
    from.push(thresholds.len() as u32);
    (places, from)
}

impl fmt::Debug for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Table({})", self.inner.label)
    }
}

/// Two tables are equal if they are clones of one, or if their probabilities are, to each number of bits at which a draw may ask
/// for them, up to 2048: content counts, and not the label. That they are equal beyond these bits is not looked at.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.inner, &other.inner) {
            return true;
        }
        let ends = |table: &Self| -> Option<Vec<_>> {
            let all: Result<Vec<_>, _> = EQUAL_BITS.iter().map(|&k| table.cumulative(k)).collect();
            let ends = |c: &Enclosure| (c.lo().clone(), c.hi().clone());
            Some(all.ok()?.iter().flatten().map(ends).collect())
        };
        let same_places = self.inner.thresholds == other.inner.thresholds;
        same_places && matches!((ends(self), ends(other)), (Some(a), Some(b)) if a == b)
    }
}

/// To so many bits two tables are compared.
const EQUAL_BITS: [u32; 5] = [128, 256, 512, 1024, 2048];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::layers::pick_within;
    use crate::coins::{ChaCha, Coins, Law};
    use crate::number::Rational;
    use crate::number::rational::ratio;

    fn made(list: &'static [(i64, i64)], wider: i64) -> Result<Table, CoinsError> {
        Table::new("a table", move |bits| {
            let enclosed = |c: &Rational| Enclosure::of(c, bits);
            let (last, before) = match list.split_last() {
                None => return Ok(Vec::new()),
                Some(((n, d), before)) => (enclosed(&ratio(*n, *d)), before),
            };
            let radius = Dyadic::new(1, wider - i64::from(bits));
            let mut cumulative: Vec<Enclosure> = before
                .iter()
                .map(|&(n, d)| enclosed(&ratio(n, d)).widened(&radius))
                .collect();
            cumulative.push(last);
            Ok(cumulative)
        })
    }

    #[test]
    fn what_is_no_list_of_cumulative_probabilities_is_refused() {
        assert_eq!(made(&[], 0).err(), Some(CoinsError::NoOutcome));
        let not_a_law = Some(CoinsError::NotALaw {
            law: "a table".to_owned(),
        });
        // It falls; it does not end at 1; it is enclosed too widely for words of 64 bits.
        assert_eq!(made(&[(1, 2), (1, 3), (1, 1)], 0).err(), not_a_law);
        assert_eq!(made(&[(1, 2), (2, 3)], 0).err(), not_a_law);
        assert_eq!(made(&[(1, 2), (1, 1)], 66).err(), not_a_law);
        assert!(made(&[(1, 2), (1, 1)], 32).is_ok());
    }

    #[test]
    fn the_words_around_a_threshold_wait_for_more_bits() {
        // 2^64/3 ends in 0x55: the threshold lies within the word 0x5555555555555555.
        let table = made(&[(1, 3), (1, 1)], 0).unwrap();
        let cells: Vec<Cell> = table.cells().collect();
        let word = u64::MAX / 3;
        assert_eq!([cells[0].first, cells[0].last], [0, word - 1]);
        assert_eq!([cells[1].first, cells[1].last], [word + 2, u64::MAX]);
        for open in [word, word + 1] {
            assert_eq!(table.decided_by_word(open), None);
            assert_eq!(table.decided_by_word_in_constant_work(open), None);
        }
        for (decided, place) in [(word - 1, 0), (word + 2, 1)] {
            assert_eq!(table.decided_by_word(decided), Some(place));
            assert_eq!(table.decided_by_word_in_constant_work(decided), Some(place));
        }
    }

    /// One place after the other: what [`Coins::pick_each`] is a shorter way to.
    fn picked_one_by_one(table: &Table, coins: &mut ChaCha, count: usize) -> Vec<i64> {
        let mut places = Vec::with_capacity(count);
        while places.len() < count {
            let next = (count - places.len()).min(256);
            let mut words = vec![0; next.div_ceil(4)];
            coins.words(&mut words).unwrap();
            for index in 0..next {
                let first = (words[index / 4] >> (16 * (index % 4))) & 0xffff;
                let place = match table.decided_by_first_bits(first) {
                    Some(place) => place,
                    None => pick_within(coins, table, first, FIRST_BITS).unwrap(),
                };
                places.push(place as i64);
            }
        }
        places
    }

    #[test]
    fn many_places_are_those_that_are_picked_one_by_one() {
        // Of 3000 places each is nearly as likely as the others: one beginning of 22 is open.
        let crowded = Table::new("3000 places", |bits| {
            let ends = (1..=3000).map(|k| Enclosure::of(&ratio(k, 3000), bits));
            Ok(ends.collect())
        });
        for table in [
            crowded.unwrap(),
            made(&[(1, 3), (1, 1)], 0).unwrap(),
            made(&[(1, 1)], 0).unwrap(),
        ] {
            let mut coins = [ChaCha::reproducible(1, 0), ChaCha::reproducible(1, 0)];
            for count in (0..10).chain([255, 256, 257, 2000]) {
                let mut places = vec![0; count];
                coins[0].pick_each(&table, &mut places).unwrap();
                assert_eq!(places, picked_one_by_one(&table, &mut coins[1], count));
                assert_eq!(coins[0].consumed(), coins[1].consumed());
            }
        }
    }

    #[test]
    fn tables_are_equal_by_content_and_not_by_label() {
        let [third, again, half] = [&[(1, 3), (1, 1)], &[(1, 3), (1, 1)], &[(1, 2), (1, 1)]]
            .map(|list: &'static [(i64, i64); 2]| made(list, 0).unwrap());
        assert!(third == again && third != half);
        assert_eq!(format!("{third:?}"), "Table(a table)");
        assert_eq!(third.pmf(&2, 64).unwrap().upper(), ratio(0, 1));
        // Beyond the words of their thresholds, and of one label: 1/3, and 2^-500 more.
        let more = Rational::new(1.into(), BigInt::from(1) << 500u32);
        let near = |end: Rational| {
            let all = move |bits| Ok(vec![Enclosure::of(&end, bits), Enclosure::integer(1, bits)]);
            Table::new("a table", all).unwrap()
        };
        assert!(near(ratio(1, 3)) != near(ratio(1, 3) + more));
    }
}
