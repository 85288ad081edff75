//! Lists of cumulative probabilities, by recurrences: a multiplication or two a place.

use crate::coins::CoinsError;
use crate::number::{Enclosure, NumberError, Rational, range::require};
use num_bigint::BigInt;

/// So many bits the recurrences lose at most: an error of one unit a step, over at most `2^12` steps, each carried `2^12` times.
pub(super) const GUARD: u32 = 32;

/// Scales, and square roots of variances, that are prepared are at most `2^40`.
pub(super) const LARGEST_SCALE: u64 = 1 << 40;

/// Refuses a parameter that is too large, or too close to 0, to be prepared.
pub(super) fn within_reach(
    law: &'static str,
    parameter: &'static str,
    value: &Rational,
    largest: u128,
) -> Result<(), CoinsError> {
    let largest = Rational::from_integer(largest.into());
    let right = *value <= largest && *value >= largest.recip();
    let expected = "at most 2^40, and at least 2^-40 (squared, for a variance)";
    require(right, parameter, value, expected).map_err(|wrong| CoinsError::Parameter { law, wrong })
}

/// `1, q, q^2, ...`, so many of them.
pub(super) fn powers(q: &Enclosure, count: usize) -> Vec<Enclosure> {
    let one = Enclosure::integer(1, q.bits());
    std::iter::successors(Some(one), |power| Some(power * q))
        .take(count)
        .collect()
}

/// `exp(-k^2 / (2 variance))` for `k = 0, 1, ...`, so many of them.
pub(super) fn gaussian_weights(
    variance: &Rational,
    count: usize,
    bits: u32,
) -> Result<Vec<Enclosure>, NumberError> {
    // From k to k + 1 by the factor exp(-(2k + 1)/(2 v)), which shrinks by exp(-1/v) itself.
    let half = -variance.recip() / BigInt::from(2);
    let mut step = Enclosure::exp_of(&half, bits)?;
    let shrink = step.squared();
    let mut weight = Enclosure::integer(1, bits);
    let mut weights = Vec::with_capacity(count);
    for _ in 0..count {
        let next = &weight * &step;
        weights.push(std::mem::replace(&mut weight, next));
        step = &step * &shrink;
    }
    Ok(weights)
}

/// The partial sums of `weights`, divided by `total`; and 1 for what is beyond them.
pub(super) fn shares<'a>(
    weights: impl IntoIterator<Item = &'a Enclosure>,
    total: &Enclosure,
    bits: u32,
) -> Result<Vec<Enclosure>, NumberError> {
    let one = Enclosure::integer(1, bits);
    let share = one.divided_by(total)?;
    let mut sum = Enclosure::integer(0, bits);
    let mut shares = Vec::new();
    for weight in weights {
        sum = sum + weight;
        shares.push(within_one(&(&sum * &share), &one));
    }
    shares.push(one);
    Ok(shares)
}

/// A probability: at most 1, which rounding may pass.
pub(super) fn within_one(c: &Enclosure, one: &Enclosure) -> Enclosure {
    c.min(one)
}

/// The least integer that is at least `value`.
pub(super) fn ceiling(value: &Rational) -> BigInt {
    value.ceil().to_integer()
}

/// Whether `value` is at most `bound`.
pub(super) fn at_most(value: &Rational, bound: u64) -> bool {
    *value <= Rational::from_integer(bound.into())
}
