//! Exact rationals, and how they are read and written.

use super::NumberError;
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// An exact rational number in lowest terms.
pub type Rational = num_rational::BigRational;

/// The largest decimal or binary exponent that [`parse`] accepts, in absolute value.
pub const EXPONENT_LIMIT: u32 = 10_000;

/// The rational `numerator / denominator`.
///
/// # Panics
/// If `denominator` is zero: this is for constants written in code.
#[must_use]
pub fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

/// The integer `value` as a rational.
#[must_use]
pub fn integer(value: impl Into<BigInt>) -> Rational {
    Rational::from_integer(value.into())
}

/// The nearest integer, halves up.
#[must_use]
pub fn nearest(value: &Rational) -> BigInt {
    // floor(n/d + 1/2), without a fraction that would be reduced.
    let (n, d) = (value.numer(), value.denom());
    (n * 2u32 + d).div_floor(&(d * 2u32))
}

/// Reads `-12`, `3/2`, `0.1` (one tenth), `1e-6` or a hexadecimal float `0x1.8p+0`, exactly.
///
/// Never goes through a float: `0.1` is one tenth, not the double nearest to it.
///
/// # Errors
/// [`NumberError::NotANumber`], also for `NaN`, `inf`, an empty text and a denominator of zero;
/// [`NumberError::ExponentTooLarge`] beyond [`EXPONENT_LIMIT`].
pub fn parse(text: &str) -> Result<Rational, NumberError> {
    let trimmed = text.trim();
    let wrong = || NumberError::NotANumber {
        text: text.to_owned(),
    };
    if let Some((numerator, denominator)) = trimmed.split_once('/') {
        let numerator = parse_integer(numerator.trim()).ok_or_else(wrong)?;
        let denominator = parse_integer(denominator.trim()).ok_or_else(wrong)?;
        if denominator.is_zero() {
            return Err(wrong());
        }
        return Ok(Rational::new(numerator, denominator));
    }
    let (negative, unsigned) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let lower = unsigned.to_ascii_lowercase();
    let magnitude = match lower.strip_prefix("0x") {
        Some(hexadecimal) => parse_positional(hexadecimal, 16, 'p'),
        None => parse_positional(&lower, 10, 'e'),
    };
    let magnitude = magnitude.map_err(|flaw| match flaw {
        Flaw::Syntax => wrong(),
        Flaw::Exponent => NumberError::ExponentTooLarge {
            text: text.to_owned(),
            limit: EXPONENT_LIMIT,
        },
    })?;
    Ok(if negative { -magnitude } else { magnitude })
}

enum Flaw {
    Syntax,
    Exponent,
}

/// Digits with an optional point and an optional exponent: base 10 with powers of 10 after `e`,
/// or base 16 with powers of 2 after `p`.
fn parse_positional(text: &str, base: u32, exponent_mark: char) -> Result<Rational, Flaw> {
    let (digits, exponent) = match text.split_once(exponent_mark) {
        Some((digits, exponent)) => {
            let exponent = parse_integer(exponent).ok_or(Flaw::Syntax)?;
            let exponent = i64::try_from(exponent).map_err(|_| Flaw::Exponent)?;
            (digits, exponent)
        }
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || !all.chars().all(|c| c.is_digit(base)) {
        return Err(Flaw::Syntax);
    }
    let limit = i64::from(EXPONENT_LIMIT);
    if exponent.abs() > limit || all.len() as i64 > limit {
        return Err(Flaw::Exponent);
    }
    let mantissa = BigInt::parse_bytes(all.as_bytes(), base).ok_or(Flaw::Syntax)?;
    let (step, places) = match base {
        16 => (2, 4 * fraction.len() as i64),
        _ => (10, fraction.len() as i64),
    };
    let shift = exponent - places;
    let power =
        BigInt::from(step).pow(u32::try_from(shift.unsigned_abs()).map_err(|_| Flaw::Exponent)?);
    Ok(if shift >= 0 {
        Rational::from_integer(mantissa * power)
    } else {
        Rational::new(mantissa, power)
    })
}

/// An optional sign and at least one decimal digit, nothing else.
fn parse_integer(text: &str) -> Option<BigInt> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty()
        || digits.len() > EXPONENT_LIMIT as usize
        || !digits.bytes().all(|b| b.is_ascii_digit())
    {
        return None;
    }
    BigInt::parse_bytes(text.strip_prefix('+').unwrap_or(text).as_bytes(), 10)
}

/// The rational that a finite float is.
///
/// # Errors
/// [`NumberError::NotFinite`] for NaN and the infinities.
pub fn from_f64(value: f64) -> Result<Rational, NumberError> {
    let bits = value.to_bits();
    let exponent = i64::from((bits >> 52) as u32 & 0x7ff);
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0x7ff {
        return Err(NumberError::NotFinite {
            text: value.to_string(),
        });
    }
    let (mantissa, shift) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | (1 << 52), exponent - 1075),
    };
    let sign = if bits >> 63 == 1 {
        Sign::Minus
    } else {
        Sign::Plus
    };
    let mantissa = BigInt::from_biguint(sign, BigUint::from(mantissa));
    Ok(if shift >= 0 {
        Rational::from_integer(mantissa << shift)
    } else {
        Rational::new(mantissa, BigInt::one() << -shift)
    })
}

/// The nearest double, for printing and plotting only.
///
/// Faithful to within one unit in the last place; never used to decide anything.
#[must_use]
pub fn to_f64_for_display(value: &Rational) -> f64 {
    to_scientific(value, 17).parse().unwrap_or(f64::NAN)
}

/// `value` as it is, if that takes at most 24 letters, and otherwise to four digits: `1/3`, `about 1.000e-300`.
#[must_use]
pub fn shortly(value: &Rational) -> String {
    let exact = value.to_string();
    if exact.len() <= 24 {
        exact
    } else {
        format!("about {}", to_scientific(value, 4))
    }
}

/// `value` as it is, if that takes at most 16 letters, and otherwise rounded up to six digits: `1/3`, `0.123457`.
#[must_use]
pub fn shortly_above(value: &Rational) -> String {
    in_few_letters(value).unwrap_or_else(|| to_scientific_above(value, 6))
}

/// `value` as it is, if that takes at most 16 letters, and otherwise rounded down to six digits.
#[must_use]
pub fn shortly_below(value: &Rational) -> String {
    in_few_letters(value).unwrap_or_else(|| to_scientific_below(value, 6))
}

fn in_few_letters(value: &Rational) -> Option<String> {
    const MOST: usize = 16;
    // Where the number is long, how many letters it takes is not asked for: that takes time.
    let short = value.numer().bits() + value.denom().bits() <= 4 * MOST as u64;
    short
        .then(|| value.to_string())
        .filter(|text| text.len() <= MOST)
}

/// `value` in scientific notation with `digits` significant digits, rounded to nearest.
#[must_use]
pub fn to_scientific(value: &Rational, digits: u32) -> String {
    if value.is_zero() {
        return "0".to_owned();
    }
    let digits = digits.max(1);
    let (mut scaled, mut exponent) = scale_to_digits(&value.abs(), digits, |n, d| {
        (n * 2u32 + d).div_floor(&(d * 2u32))
    });
    if scaled == BigInt::from(10).pow(digits) {
        scaled /= 10;
        exponent += 1;
    }
    render_scientific(value.is_negative(), &scaled, exponent)
}

/// `value` in scientific notation with `digits` significant digits, rounded towards minus infinity.
#[must_use]
pub fn to_scientific_below(value: &Rational, digits: u32) -> String {
    directed(value, digits, value.is_negative())
}

/// `value` in scientific notation with `digits` significant digits, rounded towards plus infinity.
#[must_use]
pub fn to_scientific_above(value: &Rational, digits: u32) -> String {
    directed(value, digits, !value.is_negative())
}

fn directed(value: &Rational, digits: u32, away_from_zero: bool) -> String {
    if value.is_zero() {
        return "0".to_owned();
    }
    let digits = digits.max(1);
    let (mut scaled, mut exponent) = scale_to_digits(&value.abs(), digits, |n, d| {
        if away_from_zero {
            n.div_ceil(d)
        } else {
            n.div_floor(d)
        }
    });
    if scaled == BigInt::from(10).pow(digits) {
        scaled /= 10;
        exponent += 1;
    }
    render_scientific(value.is_negative(), &scaled, exponent)
}

/// `(s, e)` with `s` of `digits` digits (or the next power of ten, where rounding carries) and
/// `magnitude` close to `s * 10^(e - digits + 1)`; `divide` rounds the quotient of two positives.
fn scale_to_digits(
    magnitude: &Rational,
    digits: u32,
    divide: impl Fn(&BigInt, &BigInt) -> BigInt,
) -> (BigInt, i64) {
    let mut exponent = decimal_exponent(magnitude);
    let ten = BigInt::from(10);
    let shift = i64::from(digits) - 1 - exponent;
    let power = ten.pow(shift.unsigned_abs() as u32);
    let (numerator, denominator) = if shift >= 0 {
        (magnitude.numer() * power, magnitude.denom().clone())
    } else {
        (magnitude.numer().clone(), magnitude.denom() * power)
    };
    let scaled = divide(&numerator, &denominator);
    if scaled > ten.pow(digits) {
        exponent += 1;
    }
    (scaled, exponent)
}

/// The integer `e` with `10^e <= magnitude < 10^(e+1)`, for a positive magnitude.
fn decimal_exponent(magnitude: &Rational) -> i64 {
    let bits = magnitude.numer().bits() as i64 - magnitude.denom().bits() as i64;
    // log10(2) is between 30102/100000 and 30103/100000: a guess at most one or two too low.
    let mut exponent = (bits - 1) * 30_103 / 100_000 - 2;
    let ten = BigInt::from(10);
    let at_least = |e: i64| {
        let power = ten.pow(e.unsigned_abs() as u32);
        if e >= 0 {
            magnitude.numer() >= &(magnitude.denom() * power)
        } else {
            magnitude.numer() * power >= *magnitude.denom()
        }
    };
    while at_least(exponent + 1) {
        exponent += 1;
    }
    while !at_least(exponent) {
        exponent -= 1;
    }
    exponent
}

fn render_scientific(negative: bool, scaled: &BigInt, exponent: i64) -> String {
    let digits = scaled.to_string();
    let sign = if negative { "-" } else { "" };
    let (head, tail) = digits.split_at(1);
    let point = if tail.is_empty() { "" } else { "." };
    if exponent == 0 {
        format!("{sign}{head}{point}{tail}")
    } else if (-5..0).contains(&exponent) {
        let zeros = "0".repeat((-exponent - 1) as usize);
        format!("{sign}0.{zeros}{digits}")
    } else if exponent > 0 && (exponent as usize) < digits.len() {
        let (whole, fraction) = digits.split_at(exponent as usize + 1);
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    } else {
        format!("{sign}{head}{point}{tail}e{exponent}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_go_up_to_the_nearest_integer() {
        for (numerator, expected) in [(-5, -1), (-6, -1), (-7, -2), (5, 1), (6, 2), (7, 2), (0, 0)]
        {
            assert_eq!(nearest(&ratio(numerator, 4)), expected.into());
        }
    }

    #[test]
    fn long_numbers_are_rounded_to_their_side() {
        let third = ratio(1, 3);
        assert_eq!(
            (shortly_above(&third), shortly_below(&third)),
            ("1/3".into(), "1/3".into())
        );
        let long = parse("0.12345678901234567890").unwrap();
        assert_eq!(shortly_above(&long), "0.123457");
        assert_eq!(shortly_below(&long), "0.123456");
    }

    #[test]
    fn what_is_long_is_shown_shortly() {
        assert_eq!(shortly(&parse("1/3").unwrap()), "1/3");
        assert_eq!(shortly(&parse("1e-300").unwrap()), "about 1.000e-300");
    }

    #[test]
    fn an_error_repeats_forty_letters_at_most() {
        use crate::number::shortened;
        let forty = "7".repeat(40);
        assert_eq!(shortened(&forty), forty);
        let long = shortened(&"é".repeat(5000));
        assert_eq!(long, format!("{}... (5000 letters)", "é".repeat(30)));
        for text in ["1".repeat(5000) + "x", format!("1e{}", "9".repeat(5000))] {
            let message = parse(&text).unwrap_err().to_string();
            assert!(message.contains("letters)"), "{message}");
            assert!(message.len() < 160, "{message}");
        }
    }

    #[test]
    fn one_tenth_is_one_tenth() {
        assert_eq!(parse("0.1").unwrap(), ratio(1, 10));
        assert_eq!(parse("1e-6").unwrap(), ratio(1, 1_000_000));
        assert_eq!(parse("3/2").unwrap(), ratio(3, 2));
        assert_eq!(parse("-2.50E1").unwrap(), ratio(-25, 1));
        assert_eq!(parse("+.5").unwrap(), ratio(1, 2));
        assert_eq!(parse("0x1.8p+0").unwrap(), ratio(3, 2));
        assert_eq!(parse("-0x.8p-2").unwrap(), ratio(-1, 8));
        assert_eq!(parse("-3/6").unwrap(), ratio(-1, 2));
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in [
            "", "-", "nan", "NaN", "inf", "-inf", "1/0", "1//2", "0.1/2", "1.2.3", "1e", "0x",
            "e5", "1 2", "٣",
        ] {
            assert!(
                matches!(parse(text), Err(NumberError::NotANumber { .. })),
                "{text:?}"
            );
        }
        assert!(matches!(
            parse("1e99999999"),
            Err(NumberError::ExponentTooLarge { .. })
        ));
        assert!(matches!(
            parse("1e99999999999999999999"),
            Err(NumberError::ExponentTooLarge { .. })
        ));
    }

    #[test]
    fn floats_that_are_not_finite_are_refused() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(from_f64(value).is_err());
        }
        assert_eq!(from_f64(-0.0).unwrap(), Rational::zero());
        assert_eq!(
            from_f64(5e-324).unwrap(),
            Rational::new(1.into(), BigInt::one() << 1074)
        );
    }

    #[test]
    fn directed_decimals_bracket_the_number() {
        let third = ratio(1, 3);
        assert_eq!(to_scientific_below(&third, 3), "0.333");
        assert_eq!(to_scientific_above(&third, 3), "0.334");
        assert_eq!(to_scientific_below(&-third, 3), "-0.334");
        assert_eq!(to_scientific(&ratio(999_999, 1_000_000), 3), "1.00");
        assert_eq!(
            to_scientific(&parse("1.2345e-20").unwrap(), 4),
            "1.234e-20".replace("1.234", "1.235")
        );
        assert_eq!(to_scientific(&integer(12345), 5), "12345");
        assert_eq!(to_scientific(&integer(12345), 2), "1.2e4");
    }

    proptest! {
        #[test]
        fn every_finite_float_survives(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            let exact = from_f64(value).unwrap();
            prop_assert_eq!(from_f64(to_f64_for_display(&exact)).unwrap(), exact);
        }

        #[test]
        fn decimal_text_is_read_as_the_library_reads_it(whole in -1_000_000i64..1_000_000, places in 0u32..12) {
            let power = 10i64.pow(places);
            let sign = if whole < 0 { "-" } else { "" };
            let text = format!("{sign}{}.{:0width$}", whole.abs() / power, whole.abs() % power, width = places as usize);
            prop_assert_eq!(parse(&text).unwrap(), Rational::new(whole.into(), power.into()));
        }

        #[test]
        fn directed_rounding_brackets(n in any::<i64>(), d in 1..i64::MAX, digits in 1u32..30) {
            let value = ratio(n, d);
            let below = parse(&to_scientific_below(&value, digits)).unwrap();
            let above = parse(&to_scientific_above(&value, digits)).unwrap();
            prop_assert!(below <= value && value <= above);
            let slack = value.abs() * Rational::new(2.into(), BigInt::from(10).pow(digits - 1));
            prop_assert!(&above - &below <= slack);
        }
    }
}
