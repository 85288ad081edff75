//! A uniform number whose first digits are drawn, and more when they are needed.

use super::CoinsError;
use crate::number::{Dyadic, Enclosure, NumberError};
use num_bigint::BigInt;

/// A number that is uniform in `[place / parts, (place + 1) / parts)`: what is known of a uniform number in [0, 1).
///
/// It is compared with numbers that are only enclosed. A comparison that is decided is decided for every
/// number of the interval, so that what is not drawn yet stays uniform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uniform {
    place: BigInt,
    parts: BigInt,
}

impl Uniform {
    /// A number in [0, 1) without any digit drawn.
    #[must_use]
    pub fn new() -> Self {
        Self::within(0, 1)
    }

    /// The `place`-th of so many equal `parts` of [0, 1), counted from 0.
    #[must_use]
    pub fn within(place: impl Into<BigInt>, parts: impl Into<BigInt>) -> Self {
        Self {
            place: place.into(),
            parts: parts.into(),
        }
    }

    /// One more binary digit, a fair bit, is known.
    pub fn push(&mut self, digit: u64) {
        self.place = (&self.place << 1u32) + digit;
        self.parts <<= 1u32;
    }

    /// How many binary digits are known, rounded up.
    #[must_use]
    pub fn digits(&self) -> u32 {
        (&self.parts - 1u32).bits() as u32
    }

    /// Whether the number is below `bound`; `None` if that is not known yet.
    #[must_use]
    pub fn is_below(&self, bound: &Enclosure) -> Option<bool> {
        let parts = Dyadic::new(self.parts.clone(), 0);
        let end = |place: BigInt| Dyadic::new(place, 0);
        if end(&self.place + 1) <= &parts * bound.lo() {
            Some(true)
        } else if end(self.place.clone()) >= &parts * bound.hi() {
            Some(false)
        } else {
            None
        }
    }

    /// True with probability `(p parts - place)`, clipped to [0, 1]: whether the number is below `p`. Digits are drawn
    /// by `digit`, a fair bit each, and `p` is enclosed with more bits, until that is decided.
    ///
    /// Ends with probability 1 if the enclosures shrink to a point as the bits grow.
    ///
    /// # Errors
    /// Those of `digit` and of `p`.
    pub fn falls_below(
        mut self,
        mut digit: impl FnMut() -> Result<u64, CoinsError>,
        mut p: impl FnMut(u32) -> Result<Enclosure, NumberError>,
    ) -> Result<bool, CoinsError> {
        let mut precision = self.first_precision();
        let mut bound = p(precision)?;
        loop {
            if let Some(decided) = self.is_below(&bound) {
                return Ok(decided);
            }
            self.push(digit()?);
            if self.digits() + SPARE > precision {
                precision *= 2;
                bound = p(precision)?;
            }
        }
    }

    /// The place of the number in a list of cumulative probabilities: how many of them are at most the number. `cumulative`
    /// encloses them at so many bits, in rising order, the last exactly 1. Digits are drawn by `digit`.
    ///
    /// Ends with probability 1 if the enclosures shrink to a point as the bits grow; if their widths are at most proportional
    /// to `2^-bits`, it is undecided after `j` digits with probability at most proportional to `2^-j`.
    ///
    /// # Errors
    /// Those of `digit` and of `cumulative`.
    pub fn falls_among(
        mut self,
        mut digit: impl FnMut() -> Result<u64, CoinsError>,
        mut cumulative: impl FnMut(u32) -> Result<Vec<Enclosure>, NumberError>,
    ) -> Result<usize, CoinsError> {
        let mut precision = self.first_precision();
        let mut bounds = cumulative(precision)?;
        loop {
            // 1. The first place that does not certainly end at or before the number.
            let place = bounds.partition_point(|bound| self.is_below(bound) == Some(false));
            // 2. Decided if it certainly ends after the number.
            if let Some(bound) = bounds.get(place)
                && self.is_below(bound) == Some(true)
            {
                return Ok(place);
            }
            // 3. Otherwise one more digit, and sharper bounds when the digits come close to them.
            self.push(digit()?);
            if self.digits() + SPARE > precision {
                precision *= 2;
                bounds = cumulative(precision)?;
            }
        }
    }

    fn first_precision(&self) -> u32 {
        (self.digits() + SPARE).max(128)
    }
}

/// By so many bits the precision of the bounds exceeds the digits that are drawn.
const SPARE: u32 = 32;

impl Default for Uniform {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Coins, Explorer, Layer, Tape};
    use crate::number::Rational;
    use crate::number::rational::ratio;

    fn known(value: Rational) -> impl FnMut(u32) -> Result<Enclosure, NumberError> {
        move |bits| Ok(Enclosure::of(&value, bits))
    }

    #[test]
    fn within_a_part_it_falls_below_in_proportion() {
        // Within [1/3, 2/3) it is below 5/9 with probability 2/3.
        let found = Explorer::new(Layer::Bits, 400)
            .until(ratio(1, 1 << 40))
            .explore(|coins| {
                Uniform::within(1, 3).falls_below(|| coins.bits(1), known(ratio(5, 9)))
            })
            .unwrap();
        assert!(found.undecided <= ratio(1, 1 << 40));
        let off = ratio(2, 3) - found.lower(&true);
        assert!(off >= ratio(0, 1) && off <= found.undecided);
    }

    #[test]
    fn beyond_a_bound_nothing_is_drawn() {
        for (bound, expected) in [(ratio(3, 4), true), (ratio(1, 4), false)] {
            let mut tape = Tape::written("");
            let uniform = Uniform::within(1, 3);
            let drawn = uniform.falls_below(|| tape.bits(1), known(bound));
            assert_eq!(drawn, Ok(expected));
        }
    }

    #[test]
    fn digits_are_counted_from_the_parts() {
        assert_eq!(Uniform::new().digits(), 0);
        assert_eq!(Uniform::within(1, 3).digits(), 2);
        assert_eq!(Uniform::within(1, 4).digits(), 2);
        assert_eq!(Uniform::within(7, BigInt::from(1) << 64).digits(), 64);
    }
}
