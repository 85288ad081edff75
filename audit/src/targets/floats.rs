//! Doubles as hexadecimal text, with their exact bits.

use dp_assay::number::{Rational, rational};
use num_traits::ToPrimitive;

/// A double as Python's `float.hex()` writes it; `nan` with its bits if they are not the usual ones.
#[must_use]
pub fn hex(bits: u64) -> String {
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match (exponent, fraction) {
        (0x7ff, 0) => format!("{sign}inf"),
        (0x7ff, _) if bits == f64::NAN.to_bits() => "nan".to_owned(),
        (0x7ff, _) => format!("nan:{bits:#x}"),
        (0, 0) => format!("{sign}0x0.0p+0"),
        (0, _) => format!("{sign}0x0.{fraction:013x}p-1022"),
        _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent - 1023),
    }
}

/// Reads what [`hex`] writes, and `0x…p…` with other numbers of digits; `None` if the text is a label.
pub(crate) fn read_hex(text: &str) -> Option<Result<u64, String>> {
    match text {
        "inf" => return Some(Ok(f64::INFINITY.to_bits())),
        "-inf" => return Some(Ok(f64::NEG_INFINITY.to_bits())),
        "nan" => return Some(Ok(f64::NAN.to_bits())),
        _ => {}
    }
    if let Some(payload) = text.strip_prefix("nan:0x") {
        return u64::from_str_radix(payload, 16)
            .ok()
            .filter(|bits| f64::from_bits(*bits).is_nan())
            .map(Ok);
    }
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let sign = u64::from(text.starts_with('-')) << 63;
    if let Some(bits) = common_hex(unsigned) {
        return Some(Ok(sign | bits));
    }
    if !is_hex(unsigned) {
        return None;
    }
    // The exact value; and back, since the conversion of a rational is for display only.
    let bits = rational::parse(unsigned)
        .ok()
        .and_then(|value| exact_bits(&value));
    let wrong =
        || format!("'{text}' is not exactly a double; a label that looks like one needs a prefix");
    Some(bits.map(|bits| sign | bits).ok_or_else(wrong))
}

/// Whether the text is `0x`, hexadecimal digits, perhaps with a point, `p`, perhaps a sign, and decimal digits.
fn is_hex(unsigned: &str) -> bool {
    let parts = unsigned
        .strip_prefix("0x")
        .and_then(|text| text.split_once('p'));
    let Some((digits, exponent)) = parts else {
        return false;
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let all = |text: &str, is_digit: fn(&u8) -> bool| text.bytes().all(|byte| is_digit(&byte));
    !(whole.is_empty() && fraction.is_empty())
        && all(whole, u8::is_ascii_hexdigit)
        && all(fraction, u8::is_ascii_hexdigit)
        && !exponent.is_empty()
        && all(exponent, u8::is_ascii_digit)
}

/// The bits of `0x1.….p…`, with at most 13 digits and the exponent of a normal double: how almost all doubles are written.
/// `None` for everything else.
fn common_hex(unsigned: &str) -> Option<u64> {
    let (digits, exponent) = unsigned.strip_prefix("0x1")?.split_once('p')?;
    let digits = match digits.strip_prefix('.') {
        Some(digits) if !digits.is_empty() => digits,
        None if digits.is_empty() => "0",
        _ => return None,
    };
    // Signs are no digits, and from_str_radix takes them.
    if digits.len() > 13 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let fraction = u64::from_str_radix(digits, 16).ok()? << (4 * (13 - digits.len()));
    let exponent: i32 = exponent.parse().ok()?;
    (-1022..=1023)
        .contains(&exponent)
        .then(|| ((exponent + 1023) as u64) << 52 | fraction)
}

/// The bits of the double that is exactly `value`, for `value >= 0`.
fn exact_bits(value: &Rational) -> Option<u64> {
    let (numerator, denominator) = (value.numer().magnitude(), value.denom().magnitude());
    if numerator.bits() == 0 {
        return Some(0);
    }
    // The denominator must be a power of two: value = mantissa 2^exponent with an odd mantissa.
    let below = denominator.trailing_zeros().unwrap_or(0);
    if denominator.bits() != below + 1 {
        return None;
    }
    let above = numerator.trailing_zeros().unwrap_or(0);
    let mantissa = (numerator >> above).to_u64().filter(|m| m >> 53 == 0)?;
    let exponent = i64::try_from(above).ok()? - i64::try_from(below).ok()?;
    let width = i64::from(64 - mantissa.leading_zeros());
    // The exponent of the leading bit.
    let leading = exponent + width - 1;
    if leading > 1023 || exponent < -1074 {
        return None;
    }
    if leading < -1022 {
        return Some(mantissa << (exponent + 1074));
    }
    let fraction = (mantissa << (53 - width)) & ((1 << 52) - 1);
    Some(((leading + 1023) as u64) << 52 | fraction)
}

#[cfg(test)]
mod tests {
    use super::super::Output;
    use super::*;

    fn bits(text: &str) -> u64 {
        match Output::read(text) {
            Ok(Output::Float(bits)) => bits,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn floats_keep_their_bits() {
        // As Python's float.hex() prints them.
        for (text, value) in [
            ("\"0x1.8000000000000p+0\"", 1.5),
            ("\"-0x0.0p+0\"", -0.0),
            ("\"0x0.0p+0\"", 0.0),
            ("\"0x1.999999999999ap-4\"", 0.1),
            ("\"0x0.0000000000001p-1022\"", 5e-324),
            ("\"0x1.fffffffffffffp+1023\"", f64::MAX),
            ("\"0x1.0000000000000p-1022\"", f64::MIN_POSITIVE),
            ("\"inf\"", f64::INFINITY),
            ("\"-inf\"", f64::NEG_INFINITY),
            ("0.1", 0.1),
            ("-0", -0.0),
            ("-0.0", -0.0),
            ("1e-400", 0.0),
            ("1E+2", 100.0),
            // Halfway cases, where readers round twice.
            ("9007199254740993.0", 9007199254740992.0),
            ("2.2250738585072011e-308", 2.225073858507201e-308),
        ] {
            assert_eq!(bits(text), value.to_bits(), "{text}");
            let output = Output::Float(bits(text));
            assert_eq!(bits(&output.line()), bits(text), "{text} printed");
        }
        assert!(f64::from_bits(bits("\"nan\"")).is_nan());
        let payload = Output::Float(0xfff8_0000_0000_0001);
        assert_eq!(bits(&payload.line()), 0xfff8_0000_0000_0001);
    }

    #[test]
    fn the_texts_of_python_are_floats_and_no_others() {
        for float in [
            "0x1p+0",
            "-0x1p+0",
            "0x1.8p0",
            "0x.8p-3",
            "0x0.0p+0",
            "0xAp1",
            "inf",
            "-inf",
            "nan",
            "nan:0xfff8000000000001",
        ] {
            let read = Output::read(&format!("\"{float}\"")).unwrap();
            assert!(matches!(read, Output::Float(_)), "{float}: {read:?}");
            // And the way out.
            let prefixed = format!("={float}");
            let label = Output::read(&format!("\"{prefixed}\"")).unwrap();
            assert_eq!(label, Output::Label(prefixed));
        }
        for label in [
            "INF",
            "Inf",
            "Infinity",
            "-Infinity",
            "infinity",
            "+inf",
            "NaN",
            "NAN",
            "-nan",
            "+nan",
            "nan:",
            "nan:0x1",
            "0X1P+0",
            "0x1P+0",
            "+0x1p+0",
            "--0x1p+0",
            "0x1p+0 ",
            " 0x1p+0",
            "0x1",
            "0x1.8",
            "0xp+0",
            "0x.p+0",
            "0x1p",
            "0x1p+",
            "0x1p+a",
            "0x1.8.8p+0",
            "0x+8p+0",
            "0xg.8p+0",
            "0xcap",
            "0x1p/3",
            "1.5",
            "1e3",
            "",
            "p",
            "in",
            "0x1p+0p+0",
        ] {
            let read = Output::read(&format!("\"{label}\"")).unwrap();
            assert_eq!(read, Output::Label(label.to_owned()));
            // Written, it is read back.
            assert_eq!(Output::read(&read.line()).unwrap(), read);
        }
    }

    #[test]
    fn the_quick_reading_of_doubles_is_the_exact_one() {
        let mut state = 1u64;
        for length in 0..14 {
            for _ in 0..500 {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let digits = &format!("{:013x}", state >> 12)[..length];
                let point = if digits.is_empty() { "" } else { "." };
                let exponent = (state % 2200) as i32 - 1100;
                let text = format!("0x1{point}{digits}p{exponent:+}");
                if let Some(quick) = common_hex(&text) {
                    let exact = exact_bits(&rational::parse(&text).unwrap());
                    assert_eq!(Some(quick), exact, "{text}");
                } else {
                    assert!(!(-1022..=1023).contains(&exponent), "{text}");
                }
            }
        }
        for other in [
            "0x1.+8p0",
            "0x1.p+0",
            "0x1.8",
            "0x2p0",
            "0x1.8p",
            "0x1.00000000000000p0",
            "0x1p1024",
        ] {
            assert_eq!(common_hex(other), None, "{other}");
        }
    }

    #[test]
    fn every_double_survives_its_hexadecimal_text() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let value = Output::Float(state ^ (state >> 29));
            let Output::Float(expected) = value else {
                continue;
            };
            assert_eq!(bits(&value.line()), expected, "{}", value.line());
        }
    }
}
