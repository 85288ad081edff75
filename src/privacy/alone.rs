//! The probability of what is possible on one of two inputs alone, which no finite loss covers.

use crate::number::{Enclosure, NumberError, Rational};
use num_traits::{One, Pow};

/// Rational numbers with a longer denominator, in bits, are held as enclosures alone.
const LONG: u64 = 1 << 16;

/// A probability, enclosed; and exactly, where it is known to be a rational number that is not long: so that a delta is known to be
/// equal to it.
#[derive(Debug, Clone)]
pub(super) struct Alone {
    enclosed: Enclosure,
    exactly: Option<Rational>,
}

impl Alone {
    /// This number.
    pub(super) fn exactly(p: Rational, bits: u32) -> Self {
        Self {
            enclosed: Enclosure::of(&p, bits),
            exactly: (p.denom().bits() <= LONG).then_some(p),
        }
    }

    /// A number in this enclosure.
    pub(super) fn within(enclosed: Enclosure) -> Self {
        let is_number = enclosed.lo() == enclosed.hi();
        Self {
            exactly: is_number.then(|| enclosed.lower()),
            enclosed,
        }
    }

    /// Its enclosure.
    pub(super) fn enclosed(&self) -> &Enclosure {
        &self.enclosed
    }

    /// Whether it is known to be this number.
    pub(super) fn is(&self, number: &Rational) -> bool {
        self.exactly.as_ref() == Some(number)
    }

    /// That of one or more of `times >= 1` independent trials: `1 - (1 - p)^times`.
    ///
    /// # Errors
    /// Those of the real functions.
    pub(super) fn in_some_of(&self, times: u64) -> Result<Self, NumberError> {
        let bits = self.enclosed.bits();
        let exactly = self.exactly.as_ref();
        if let Some(p) = exactly.and_then(|p| in_some_of(p, times)) {
            return Ok(Self::exactly(p, bits));
        }
        let logarithm = (-&self.enclosed).ln_1p()? * Enclosure::integer(times, bits);
        Ok(Self::within(-logarithm.exp_minus_one()?))
    }

    /// That of one of two independent trials, or of both: `p + (1 - p) q`.
    pub(super) fn in_either(&self, other: &Self) -> Self {
        let both = self.exactly.as_ref().zip(other.exactly.as_ref());
        let exactly = both.map(|(p, q)| p + (Rational::one() - p) * q);
        Self {
            enclosed: &self.enclosed + self.enclosed.complement() * &other.enclosed,
            exactly: exactly.filter(|p| p.denom().bits() <= LONG),
        }
    }
}

/// `1 - (1 - p)^times` for `times >= 1`, as a rational number, where that is not long.
pub(super) fn in_some_of(p: &Rational, times: u64) -> Option<Rational> {
    // 0 and 1 stay what they are, however often.
    if p.is_integer() {
        return Some(p.clone());
    }
    let is_short = p.denom().bits().saturating_mul(times) <= LONG;
    is_short.then(|| Rational::one() - Pow::pow(Rational::one() - p, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn what_is_impossible_or_certain_stays_so_however_often() {
        for p in [integer(0), integer(1)] {
            let one = Alone::exactly(p.clone(), 64);
            for times in [1, 2, 5000, u64::MAX] {
                assert!(one.in_some_of(times).unwrap().is(&p), "{p} {times}");
            }
            assert!(Alone::within(Enclosure::of(&p, 64)).is(&p));
        }
    }

    #[test]
    fn long_numbers_are_enclosed_and_short_ones_known() {
        let p = Alone::exactly(ratio(1, 100_000), 128);
        let twice = p.in_some_of(2).unwrap();
        assert!(twice.is(&ratio(199_999, 10_000_000_000)));
        assert!(p.in_either(&p).is(&ratio(199_999, 10_000_000_000)));
        let often = p.in_some_of(1 << 20).unwrap();
        assert!(often.exactly.is_none());
        // By the exact power of half as many, squared.
        let half = p.in_some_of(1 << 19).unwrap();
        assert!(half.in_either(&half).enclosed().meets(often.enclosed()));
        assert!(often.enclosed().has_digits(30));
    }
}
