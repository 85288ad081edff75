//! A uniform number against real numbers that are only enclosed, digit by digit.

use super::Coins;
use crate::Error;
use crate::number::{Dyadic, Enclosure};
use num_bigint::BigInt;

/// By so many bits the precision of the enclosures exceeds the digits that are drawn.
const SPARE: u32 = 32;

/// The place of a uniform number of [0, 1) in a list of cumulative probabilities: how many of them are at most the number.
/// `cumulative` encloses them at so many bits, in rising order, the last exactly 1.
///
/// A comparison that is decided is decided for every number that begins with the digits drawn, so that the digits that are
/// not drawn stay uniform. Ends with probability 1 if the enclosures shrink to a point as the bits grow.
///
/// # Errors
/// Those of the coins and of `cumulative`.
pub fn place_among(
    coins: &mut impl Coins,
    cumulative: impl Fn(u32) -> Result<Vec<Enclosure>, Error>,
) -> Result<usize, Error> {
    let (mut drawn, mut digits, mut precision) = (BigInt::ZERO, 0, 128);
    let mut bounds = cumulative(precision)?;
    loop {
        // The number is at least the first of these, and below the second.
        let least = Dyadic::new(drawn.clone(), -i64::from(digits));
        let beyond = Dyadic::new(&drawn + 1, -i64::from(digits));
        // 1. The first place that does not certainly end at or before the number.
        let place = bounds.partition_point(|bound| *bound.hi() <= least);
        // 2. Decided if it certainly ends after the number.
        if bounds.get(place).is_some_and(|bound| beyond <= *bound.lo()) {
            return Ok(place);
        }
        // 3. Otherwise one more digit, and sharper enclosures when the digits come close to them.
        drawn = (drawn << 1u32) + coins.bits(1)?;
        digits += 1;
        if digits + SPARE > precision {
            precision *= 2;
            bounds = cumulative(precision)?;
        }
    }
}

/// True with probability `p`, a real number that is enclosed at so many bits.
///
/// # Errors
/// Those of [`place_among`].
pub fn falls_below(
    coins: &mut impl Coins,
    p: impl Fn(u32) -> Result<Enclosure, Error>,
) -> Result<bool, Error> {
    let place = place_among(coins, |bits| {
        Ok(vec![p(bits)?, Enclosure::integer(1, bits)])
    })?;
    Ok(place == 0)
}
