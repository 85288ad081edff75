//! The exponential of a number that is not positive, as an integer: fast, and the same on every machine.

/// An argument is counted in steps of `2^-114`.
pub const ARGUMENT_BITS: u32 = 114;

/// A value is counted in steps of `2^-48`.
pub const VALUE_BITS: u32 = 48;

/// `1`, in the steps in which the series is summed.
const ONE: u64 = 1 << 63;

/// From here on it is less than half a step.
const END: usize = 34;

/// Of each unit of the argument there are so many entries in the table.
const FINENESS: usize = 64;

/// `e^(-k/64)` in steps of `2^-63`.
static POWERS: [u64; END * FINENESS] = powers();

/// The terms of the series.
const TERMS: u64 = 8;

/// `e^-x` in steps of `2^-48`, off by less than 33/64 of a step, where `x >= 0` is given in steps of `2^-114`.
///
/// The proof is in `spec/kernels.md` under `jt13.kernel.gaussian`.
#[must_use]
pub fn exp_minus(argument: u128) -> u64 {
    // 1. x = k/64 + y, with y < 1/64 rounded down to a multiple of 2^-63.
    let k = argument >> (ARGUMENT_BITS - FINENESS.ilog2());
    let y = (argument >> (ARGUMENT_BITS - 63)) as u64 % (ONE / FINENESS as u64);
    // 2. e^-x = e^(-k/64) e^-y
    let Some(power) = POWERS.get(k as usize) else {
        return 0;
    };
    let value = product(*power, series(y));
    // 3. To the nearest step.
    (value + (1 << (62 - VALUE_BITS))) >> (63 - VALUE_BITS)
}

/// `e^-y = 1 - y (1 - (y/2) (1 - (y/3) ( ... )))` for `y <= 1/64`, in steps of `2^-63`, each product rounded down.
const fn series(y: u64) -> u64 {
    let mut value = ONE;
    let mut k = TERMS;
    while k > 0 {
        value = ONE - product(y, value) / k;
        k -= 1;
    }
    value
}

/// The table: each entry is the one before it times `e^(-1/64)`, rounded down.
const fn powers() -> [u64; END * FINENESS] {
    let ratio = series(ONE / FINENESS as u64);
    let mut powers = [ONE; END * FINENESS];
    let mut k = 1;
    while k < powers.len() {
        powers[k] = product(powers[k - 1], ratio);
        k += 1;
    }
    powers
}

/// The product of two numbers of at most 1 in steps of `2^-63`, rounded down.
const fn product(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 63) as u64
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
            prop_assert!(off(low >> (128 - bits).min(127)) < Rational::new(33.into(), 64.into()));
        }

        #[test]
        fn a_value_is_within_its_error_where_it_is_large(low in 0u128..(1 << 116)) {
            prop_assert!(off(low) < Rational::new(33.into(), 64.into()));
        }
    }
}
