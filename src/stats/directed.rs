//! From exact numbers to floats, rounded to a chosen side. Comparisons and signs only.
#![allow(clippy::float_arithmetic)] // a negation, which is exact

use super::StatsError;
use crate::number::range::above_zero_below_one;
use crate::number::{Rational, rational};
use num_traits::Signed;

/// A float not above `value`.
pub(super) fn below(value: &Rational) -> f64 {
    let mut near = rational::to_f64_for_display(value);
    loop {
        match rational::from_f64(near) {
            Ok(exact) if exact > *value => near = near.next_down(),
            Ok(_) => return near,
            Err(_) if value.is_negative() => return f64::NEG_INFINITY,
            Err(_) => near = f64::MAX,
        }
    }
}

/// A float not below `value`.
pub(super) fn above(value: &Rational) -> f64 {
    -below(&-value)
}

/// A level, rounded down.
pub(super) fn level(level: &Rational) -> Result<f64, StatsError> {
    above_zero_below_one("level", level)?;
    Ok(below(level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn the_float_is_on_the_side_asked_for() {
        for value in [
            ratio(1, 10),
            ratio(-1, 3),
            ratio(1, 2),
            ratio(0, 1),
            ratio(7, 11),
        ] {
            let (lo, hi) = (below(&value), above(&value));
            assert!(rational::from_f64(lo).unwrap() <= value);
            assert!(rational::from_f64(hi).unwrap() >= value);
            assert!(
                hi == lo || hi == lo.next_up() || hi == lo.next_up().next_up(),
                "{value}"
            );
        }
    }
}
