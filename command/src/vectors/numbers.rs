//! How numbers are written: rationals as `p/q`, real numbers as enclosures and as the nearest double in hexadecimal.

use crate::error::Error;
use dp_assay::number::{Enclosure, NumberError, Rational, certify};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde_json::{Map, Value, json};

/// Significant digits of a certified value.
pub const DIGITS: u32 = 60;

/// `p/q` in lowest terms, for integers too.
pub fn fraction(value: &Rational) -> String {
    format!("{}/{}", value.numer(), value.denom())
}

/// `p_q`, for the names of files.
pub fn in_a_name(value: &Rational) -> String {
    fraction(value).replace('/', "_")
}

/// A number as a certified value: `lo`, `hi` and `f64`.
///
/// # Errors
/// Those of the function; a number that is too near the middle of two doubles.
pub fn certified(
    function: impl Fn(u32) -> Result<Enclosure, NumberError>,
) -> Result<Map<String, Value>, Error> {
    // A little sharper, so that rounding outwards costs one unit of the last digit.
    let value = certify(DIGITS + 4, function)?;
    let (lo, hi) = decimals(&value, DIGITS);
    let (below, above) = (value.lower(), value.upper());
    let double = nearest_double(&below);
    if double != nearest_double(&above) {
        return Err(Error::Usage(format!(
            "the double nearest to {value} is not known"
        )));
    }
    let fields = json!({"lo": lo, "hi": hi, "f64": hexadecimal(double)});
    match fields {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Map::new()),
    }
}

/// A number as an enclosure: `lo` and `hi` to so many digits.
pub fn enclosed(value: &Enclosure, digits: u32) -> Value {
    let (lo, hi) = decimals(value, digits);
    json!({"lo": lo, "hi": hi})
}

/// Both ends as decimals, rounded outwards, without zeros at the end.
pub fn decimals(value: &Enclosure, digits: u32) -> (String, String) {
    let (lo, hi) = value.to_decimals(digits);
    (without_zeros(&lo), without_zeros(&hi))
}

fn without_zeros(decimal: &str) -> String {
    let (digits, exponent) = match decimal.find('e') {
        Some(place) => decimal.split_at(place),
        None => (decimal, ""),
    };
    let digits = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    };
    format!("{digits}{exponent}")
}

/// The bits of the double that is nearest to `value`, ties to even; of values beyond the largest double infinity's.
fn nearest_double(value: &Rational) -> u64 {
    let sign = u64::from(value.is_negative()) << 63;
    if value.is_zero() {
        return 0;
    }
    let value = value.abs();
    // The exponent e with 2^e <= value < 2^(e + 1), but not below that of subnormal numbers.
    let mut exponent = value.numer().bits() as i64 - value.denom().bits() as i64;
    if value < power_of_two(exponent) {
        exponent -= 1;
    }
    let exponent = exponent.max(-1022);
    // The significand as an integer of 53 bits, of fewer where it is subnormal.
    let significand = half_to_even(&(value * power_of_two(52 - exponent)));
    let significand = significand.to_u64().unwrap_or(0);
    let hidden = 1 << 52;
    let bits = if significand < hidden {
        significand
    } else {
        // Rounded up to 2^53 it carries into the exponent, and is right.
        ((exponent + 1022) as u64 * hidden) + significand
    };
    sign | bits.min(0x7ff << 52)
}

fn power_of_two(exponent: i64) -> Rational {
    let power = Rational::from_integer(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

fn half_to_even(value: &Rational) -> BigInt {
    let twice: BigInt = value.numer() * 2 + value.denom();
    let (up, rest) = twice.div_mod_floor(&(value.denom() * BigInt::from(2)));
    if rest.is_zero() && up.is_odd() {
        up - 1
    } else {
        up
    }
}

/// A double as Python's `float.hex` writes it.
fn hexadecimal(bits: u64) -> String {
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    match (exponent, fraction) {
        (0, 0) => format!("{sign}0x0.0p+0"),
        (0, _) => format!("{sign}0x0.{fraction:013x}p-1022"),
        _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent - 1023),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{parse, ratio};

    #[test]
    fn the_nearest_double_is_that_of_the_standard_library() {
        let texts = [
            "1",
            "0.1",
            "-0.1",
            "3.14159265358979323846264338327950288",
            "1e-300",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "4.9e-324",
            "7.4e-324",
            "2.4e-324",
            "1e-330",
            "9007199254740993",
            "9007199254740995",
            "9007199254740992.9999",
            "18014398509481983",
            "1.7976931348623157e308",
            "1e22",
            "0.3",
            "-1e-5",
        ];
        for text in texts {
            let expected: f64 = text.parse().unwrap();
            let found = f64::from_bits(nearest_double(&parse(text).unwrap()));
            assert_eq!(found.abs(), expected.abs(), "{text}");
            assert_eq!(found < 0.0, expected < 0.0, "{text}");
        }
    }

    #[test]
    fn doubles_are_written_in_hexadecimal_and_read_back() {
        for (value, text) in [
            (0.0, "0x0.0p+0"),
            (1.0, "0x1.0000000000000p+0"),
            (-0.1, "-0x1.999999999999ap-4"),
            (1e22, "0x1.0f0cf064dd592p+73"),
            (5e-324, "0x0.0000000000001p-1022"),
        ] {
            assert_eq!(hexadecimal(f64::to_bits(value)), text);
            let read = parse(text).unwrap();
            assert_eq!(nearest_double(&read), f64::to_bits(value), "{text}");
        }
    }

    #[test]
    fn a_number_is_enclosed_and_an_exact_one_is_written_as_it_is() {
        let third = certified(|bits| Ok(Enclosure::of(&ratio(1, 3), bits))).unwrap();
        assert_eq!(third["lo"], format!("0.{}", "3".repeat(60)));
        assert_eq!(third["hi"], format!("0.{}4", "3".repeat(59)));
        assert_eq!(third["f64"], "0x1.5555555555555p-2");
        let half = certified(|bits| Ok(Enclosure::of(&ratio(-1, 2), bits))).unwrap();
        assert_eq!((&half["lo"], &half["hi"]), (&json!("-0.5"), &json!("-0.5")));
        let thousand = certified(|bits| Ok(Enclosure::integer(1200, bits))).unwrap();
        assert_eq!(thousand["lo"], "1200");
    }
}
