//! The exponential of a number that is not positive, as an integer: fast, and the same on every machine.

/// An argument is counted in steps of `2^-114`.
pub const ARGUMENT_BITS: u32 = 114;

/// A value is counted in steps of `2^-48`.
pub const VALUE_BITS: u32 = 48;

/// `1`, in the steps in which the series is summed.
const ONE: u64 = 1 << 63;

/// The terms of the series.
const TERMS: u64 = 9;

/// So often is the argument halved, and the sum squared.
const HALVINGS: u32 = 10;

/// `e^-x` in steps of `2^-48`, off by less than 5/8 of a step, where `x >= 0` is given in steps of `2^-114`.
///
/// With `u = 2^-63`: the sum in 3 is off by less than `u` for the rounding of `y`, by less than `1.04 u` for that of the terms,
/// since each error is divided by more than 30 in the next step, and by less than `y^10/10! < 2^-70` for the terms left
/// out. Each squaring of 4 at most doubles the error, since values are at most 1, and adds less than `u`. After ten of them it
/// is below `3200 u`, a tenth of a step of `2^-48`; 5 adds half a step.
#[must_use]
pub fn exp_minus(argument: u128) -> u64 {
    // 1. Beyond 34 it is less than half a step.
    if argument >> ARGUMENT_BITS >= 34 {
        return 0;
    }
    // 2. y = x/2^10 < 1/30, rounded down to a multiple of 2^-63.
    let y = (argument >> (ARGUMENT_BITS + HALVINGS - 63)) as u64;
    // 3. e^-y = 1 - y (1 - (y/2) (1 - (y/3) ( ... ))), each product rounded down.
    let mut value = ONE;
    for k in (1..=TERMS).rev() {
        value = ONE - product(y, value) / k;
    }
    // 4. e^-x = (e^-y)^(2^10)
    for _ in 0..HALVINGS {
        value = product(value, value);
    }
    // 5. To the nearest step.
    (value + (1 << (62 - VALUE_BITS))) >> (63 - VALUE_BITS)
}

/// The product of two numbers of at most 1 in steps of `2^-63`, rounded down.
fn product(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 63) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Enclosure, Rational, rational::integer};
    use num_bigint::BigInt;
    use num_traits::{One, Signed};
    use proptest::prelude::*;

    /// By how many steps the value is off, at most.
    fn off(argument: u128) -> Rational {
        let x = Rational::new(argument.into(), BigInt::one() << ARGUMENT_BITS);
        let exact = Enclosure::exp_of(&-x, 128).unwrap();
        let step = integer(BigInt::one() << VALUE_BITS);
        let value = integer(exp_minus(argument));
        let below = (exact.lower() * &step - &value).abs();
        below.max((exact.upper() * &step - &value).abs())
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(exp_minus(0), 1 << 48);
        assert_eq!(exp_minus(1), 1 << 48);
        assert_eq!((exp_minus(34 << 114), exp_minus(u128::MAX)), (0, 0));
        assert_eq!(exp_minus((34 << 114) - 1), 0);
        // e^-33 is 1.3 steps, and e^-1 is 103548857136060.9 steps.
        assert_eq!(exp_minus(33 << 114), 1);
        assert_eq!(exp_minus(1 << 114), 103_548_857_136_061);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_value_is_within_its_error(bits in 0u32..120, low in any::<u128>()) {
            prop_assert!(off(low >> (128 - bits).min(127)) < Rational::new(5.into(), 8.into()));
        }

        #[test]
        fn a_value_is_within_its_error_where_it_is_large(low in 0u128..(1 << 116)) {
            prop_assert!(off(low) < Rational::new(5.into(), 8.into()));
        }
    }
}
