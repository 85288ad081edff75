//! Searches for calibrations: whatever they return has been certified at that very point.

use super::PrivacyError;
use crate::number::{Dyadic, Enclosure, NumberError, Rational, certify};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Evaluates `function` at rising working precision until its enclosure has `digits` significant decimal digits:
/// [`certify`] for the functions of this room.
///
/// # Errors
/// Those of `function` and of [`certify`].
pub fn certified(
    digits: u32,
    mut function: impl FnMut(u32) -> Result<Enclosure, PrivacyError>,
) -> Result<Enclosure, PrivacyError> {
    let mut other = None;
    let found = certify(digits, |bits| {
        function(bits).map_err(|error| match error {
            PrivacyError::Number(error) => error,
            error => {
                other = Some(error);
                // An error that no precision mends.
                NumberError::PrecisionExhausted { digits, bits }
            }
        })
    });
    match other {
        Some(error) => Err(error),
        None => Ok(found?),
    }
}

/// The working precision that suffices where nothing cancels, in bits.
pub(super) const BITS: u32 = 128;

/// Calibrations stop within one part in `2^SLACK` of the smallest value.
pub(super) const SLACK: i64 = 20;

/// Searches give up above `2^UP`, and are content below `2^-DOWN`.
const UP: i64 = 1 << 16;
const DOWN: i64 = 1 << 12;

/// Calibrations that were found before: a learner that is run again and again, as by the meter, asks for the same ones.
pub(super) struct Found<K>(Mutex<BTreeMap<K, Rational>>);

/// So many are kept. With one more all are forgotten.
const MOST_FOUND: usize = 1 << 10;

impl<K: Ord> Found<K> {
    pub(super) const fn nothing() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// What `search` finds for `key`, unless it is known. It must be the same search each time.
    ///
    /// # Errors
    /// Those of `search`, which is then made again.
    pub(super) fn or_search(
        &self,
        key: K,
        search: impl FnOnce() -> Result<Rational, PrivacyError>,
    ) -> Result<Rational, PrivacyError> {
        // A thread that panicked while it held the lock left whole entries.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(&key) {
            return Ok(found.clone());
        }
        let found = search()?;
        let mut known = lock();
        if known.len() >= MOST_FOUND {
            known.clear();
        }
        known.insert(key, found.clone());
        Ok(found)
    }
}

/// A certified upper bound with a short numerator, for what is promised.
pub(super) fn rounded_up(value: &Enclosure) -> Rational {
    value.with_bits(64).upper()
}

/// A certified lower bound with a short numerator, for what may be spent.
pub(super) fn rounded_down(value: &Enclosure) -> Rational {
    value.with_bits(64).lower()
}

/// Whether the number that `function` encloses is proven to be at most `target > 0`.
///
/// A profile is a difference of two probabilities that may be close: the precision rises until the
/// enclosure is on one side of the target. Where it never is, the answer is no.
pub(super) fn surely_at_most(
    target: &Rational,
    mut function: impl FnMut(u32) -> Result<Enclosure, PrivacyError>,
) -> Result<bool, PrivacyError> {
    let smallness = target
        .denom()
        .bits()
        .saturating_sub(target.numer().bits())
        .min(1 << 20) as u32;
    let limit = 2 * smallness + 1024;
    let mut bits = BITS;
    loop {
        let value = function(bits)?;
        if value.upper() <= *target {
            return Ok(true);
        }
        if value.lower() > *target || bits > limit {
            return Ok(false);
        }
        bits *= 2;
    }
}

/// The smallest number, within one part in `2^SLACK`, from which on `holds` is true.
///
/// The number returned is a dyadic with `SLACK + 1` bits at which `holds` returned true. That
/// `holds` is monotone makes it the smallest one; its validity does not depend on that.
///
/// # Errors
/// Those of `holds`, and [`PrivacyError::OutOfRange`] if it is false up to `2^UP`.
pub(super) fn smallest(
    holds: impl FnMut(&Rational) -> Result<bool, PrivacyError>,
) -> Result<Rational, PrivacyError> {
    smallest_within(SLACK, holds)
}

/// The same within one part in `2^slack`, where that many bits are not worth their time.
///
/// # Errors
/// Those of [`smallest`].
pub(super) fn smallest_within(
    slack: i64,
    mut holds: impl FnMut(&Rational) -> Result<bool, PrivacyError>,
) -> Result<Rational, PrivacyError> {
    let dyadic = |mantissa: i64, exponent: i64| Dyadic::new(mantissa, exponent).to_rational();
    // 1. Powers of two, in steps of 1, 2, 4, ... away from 1.
    let (mut fails, mut meets) = (0, 0);
    let mut step = 1;
    if holds(&dyadic(1, 0))? {
        loop {
            fails = meets - step;
            if !holds(&dyadic(1, fails))? {
                break;
            }
            meets = fails;
            if meets <= -DOWN {
                return Ok(dyadic(1, meets));
            }
            step *= 2;
        }
    } else {
        loop {
            meets = fails + step;
            if holds(&dyadic(1, meets))? {
                break;
            }
            fails = meets;
            if fails >= UP {
                return Err(PrivacyError::OutOfRange { limit: UP });
            }
            step *= 2;
        }
    }
    // 2. Two successive powers of two.
    while meets - fails > 1 {
        let middle = fails + (meets - fails) / 2;
        if holds(&dyadic(1, middle))? {
            meets = middle;
        } else {
            fails = middle;
        }
    }
    // 3. The mantissas between them.
    let exponent = fails - slack;
    let (mut fails, mut meets) = (1i64 << slack, 2i64 << slack);
    while meets - fails > 1 {
        let middle = fails + (meets - fails) / 2;
        if holds(&dyadic(middle, exponent))? {
            meets = middle;
        } else {
            fails = middle;
        }
    }
    Ok(dyadic(meets, exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, ratio};
    use proptest::prelude::*;

    #[test]
    fn a_search_that_cannot_succeed_ends() {
        assert_eq!(
            smallest(|_| Ok(false)),
            Err(PrivacyError::OutOfRange { limit: UP })
        );
        assert!(smallest(|_| Ok(true)).unwrap() < parse("1e-1000").unwrap());
    }

    #[test]
    fn a_calibration_is_searched_once_unless_it_failed() {
        let found = Found::nothing();
        let fails = || Err(PrivacyError::OutOfRange { limit: UP });
        assert!(found.or_search((1, 2), fails).is_err());
        assert_eq!(found.or_search((1, 2), || Ok(ratio(1, 3))), Ok(ratio(1, 3)));
        assert_eq!(found.or_search((1, 2), fails), Ok(ratio(1, 3)));
        assert_eq!(found.or_search((2, 1), || Ok(ratio(1, 5))), Ok(ratio(1, 5)));
        for key in 0..3 * MOST_FOUND {
            assert!(found.or_search((key, 0), || Ok(ratio(1, 7))).is_ok());
            assert!(found.0.lock().unwrap().len() <= MOST_FOUND);
        }
    }

    #[test]
    fn what_cannot_be_decided_is_not_at_most() {
        let straddling = |bits| {
            Ok(Enclosure::of(&ratio(1, 2), bits).widened(Enclosure::of(&ratio(1, 8), bits).hi()))
        };
        assert!(!surely_at_most(&ratio(1, 2), straddling).unwrap());
    }

    proptest! {
        #[test]
        fn the_smallest_is_found_within_its_slack(n in 1i64..i64::MAX, d in 1i64..i64::MAX) {
            let threshold = ratio(n, d);
            let found = smallest(|x| Ok(*x >= threshold)).unwrap();
            prop_assert!(found >= threshold);
            prop_assert!(found <= threshold * ratio((1 << SLACK) + 1, 1 << SLACK));
        }
    }
}
