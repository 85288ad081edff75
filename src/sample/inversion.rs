//! Inversion: a place in a list, by certified bounds on its cumulative probabilities.

use crate::coins::{Coins, CoinsError};
use crate::number::{Dyadic, Enclosure, NumberError};
use num_bigint::BigInt;
use num_traits::Zero;

/// Draws a place: a uniform number is drawn bit by bit, until the bounds say between which two cumulative probabilities it
/// lies. `cumulative` encloses them at so many bits, each place that is possible once, the last exactly 1.
///
/// Ends with probability 1 if the enclosures shrink to a point as the bits grow; if their widths are at most proportional to
/// `2^-bits`, it is undecided after `j` bits with probability at most proportional to `2^-j`.
///
/// # Errors
/// Those of the coins and of `cumulative`.
pub(crate) fn invert(
    coins: &mut impl Coins,
    mut cumulative: impl FnMut(u32) -> Result<Vec<Enclosure>, NumberError>,
) -> Result<usize, CoinsError> {
    let mut precision = 128;
    let mut bounds = cumulative(precision)?;
    // The uniform number is in [drawn / 2^digits, (drawn + 1) / 2^digits).
    let mut drawn = BigInt::zero();
    let mut digits: u32 = 0;
    loop {
        let below = Dyadic::new(drawn.clone(), -i64::from(digits));
        let above = Dyadic::new(&drawn + 1, -i64::from(digits));
        // 1. The first place whose cumulative probability is not certainly below the interval.
        let place = bounds.partition_point(|bound| bound.hi() <= &below);
        // 2. Decided if that place certainly reaches to the end of the interval.
        if let Some(bound) = bounds.get(place)
            && *bound.lo() >= above
            && (place == 0 || *bounds[place - 1].hi() <= below)
        {
            return Ok(place);
        }
        // 3. Otherwise one more bit, and sharper bounds when the bits come close to them.
        drawn = (drawn << 1u32) + coins.bits(1)?;
        digits += 1;
        if digits + 32 > precision {
            precision *= 2;
            bounds = cumulative(precision)?;
        }
    }
}
