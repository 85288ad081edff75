//! The bits of numbers: the exponents of the highest and the lowest bit that is set.

use crate::targets::Output;

/// The mantissa and the exponent of a finite double other than zero.
fn mantissa(bits: u64) -> Option<(u64, i32)> {
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match (exponent, fraction) {
        (0x7ff, _) | (0, 0) => None,
        (0, _) => Some((fraction, -1074)),
        _ => Some((fraction | 1 << 52, exponent - 1075)),
    }
}

/// The exponent of the lowest set bit of a number other than zero: `-2` for 0.75.
pub fn lowest(number: &Output) -> Option<i32> {
    match number {
        Output::Integer(0) => None,
        Output::Integer(value) => Some(value.trailing_zeros() as i32),
        Output::Large(value) => value.trailing_zeros().map(|bits| bits as i32),
        Output::Float(bits) => mantissa(*bits).map(|(m, e)| e + m.trailing_zeros() as i32),
        _ => None,
    }
}

/// The exponent of the highest set bit of a number other than zero: `-1` for 0.75.
pub fn highest(number: &Output) -> Option<i32> {
    match number {
        Output::Integer(0) => None,
        Output::Integer(value) => Some(value.unsigned_abs().ilog2() as i32),
        Output::Large(value) => Some(value.bits() as i32 - 1),
        Output::Float(bits) => mantissa(*bits).map(|(m, e)| e + m.ilog2() as i32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_and_the_lowest_bit_are_read_off() {
        assert_eq!(lowest(&Output::float(0.75)), Some(-2));
        assert_eq!(highest(&Output::float(0.75)), Some(-1));
        assert_eq!(lowest(&Output::float(5e-324)), Some(-1074));
        assert_eq!(highest(&Output::float(5e-324)), Some(-1074));
        assert_eq!(lowest(&Output::Integer(-12)), Some(2));
        assert_eq!(lowest(&Output::float(-0.0)), None);
        assert_eq!(lowest(&Output::float(f64::NAN)), None);
    }
}
