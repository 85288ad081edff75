//! From decimal text to the public grid: exactly, and record by record.

use dp_assay::number::{Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// The most characters of a number.
const LONGEST_NUMBER: usize = 4096;

/// What a field that is no number is told.
pub const NOT_A_NUMBER: &str = "must be a finite number such as 0.25 (empty, NaN and infinity are refused; at most \
                                4096 characters, and an exponent of at most 10000)";

/// A public interval that a feature lies in, and its map onto the grid.
///
/// A value x in `[lo, hi]` becomes `t = (2 x - lo - hi) / (hi - lo)` in [-1, 1], and then the integer
/// `t * radius` rounded towards zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scale {
    lo: Rational,
    hi: Rational,
    // lo = a/c and hi = b/c as c, a + b and b - a, where these are small.
    small: Option<Small>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Small {
    denominator: i128,
    sum: i128,
    spread: i128,
}

/// Where a value was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    /// At this grid point.
    Inside(i64),
    /// Nowhere: it is below the interval.
    Below,
    /// Nowhere: it is above the interval.
    Above,
}

impl Scale {
    /// The map of the interval `[lo, hi]`; `None` unless `lo < hi`.
    pub fn new(lo: Rational, hi: Rational) -> Option<Self> {
        if lo >= hi {
            return None;
        }
        let denominator = num_integer::lcm(lo.denom().clone(), hi.denom().clone());
        let a = lo.numer() * (&denominator / lo.denom());
        let b = hi.numer() * (&denominator / hi.denom());
        let fit = |value: BigInt| value.to_i64().map(i128::from);
        let small = match (fit(denominator), fit(&a + &b), fit(b - a)) {
            (Some(denominator), Some(sum), Some(spread)) => Some(Small {
                denominator,
                sum,
                spread,
            }),
            _ => None,
        };
        Some(Self { lo, hi, small })
    }

    /// The interval's lower end.
    pub fn lo(&self) -> &Rational {
        &self.lo
    }

    /// The interval's upper end.
    pub fn hi(&self) -> &Rational {
        &self.hi
    }

    /// Places the number that `text` is, on integers from `-radius` to `radius`; `None` if `text` is
    /// not a number.
    pub fn place(&self, text: &[u8], radius: i64) -> Option<Placed> {
        if let Some(decimal) = Decimal::read(text)
            && let Some(placed) = self.place_short(&decimal, radius)
        {
            return Some(placed);
        }
        self.place_any(text, radius)
    }

    /// In 128-bit integers: `None` where they do not suffice.
    fn place_short(&self, decimal: &Decimal, radius: i64) -> Option<Placed> {
        let small = self.small?;
        // With x = m / p: t = (2 c m - (a + b) p) / ((b - a) p).
        let power = 10i128.checked_pow(decimal.places)?;
        let numerator = (2 * small.denominator)
            .checked_mul(decimal.mantissa.into())?
            .checked_sub(small.sum.checked_mul(power)?)?;
        let denominator = small.spread.checked_mul(power)?;
        if numerator > denominator {
            return Some(Placed::Above);
        }
        if numerator < -denominator {
            return Some(Placed::Below);
        }
        // Integer division rounds towards zero. The short one is much quicker.
        let scaled = numerator.checked_mul(radius.into())?;
        let steps = match (i64::try_from(scaled), i64::try_from(denominator)) {
            (Ok(scaled), Ok(denominator)) => scaled / denominator,
            _ => i64::try_from(scaled / denominator).ok()?,
        };
        Some(Placed::Inside(steps))
    }

    /// In rationals of any size; `None` for more characters than a number may have.
    fn place_any(&self, text: &[u8], radius: i64) -> Option<Placed> {
        if text.len() > LONGEST_NUMBER {
            return None;
        }
        let x = rational::parse(std::str::from_utf8(text).ok()?).ok()?;
        let numerator = x * BigInt::from(2) - &self.lo - &self.hi;
        let t = numerator / (&self.hi - &self.lo);
        if t > Rational::one() {
            return Some(Placed::Above);
        }
        if t.is_negative() && -&t > Rational::one() {
            return Some(Placed::Below);
        }
        (t * BigInt::from(radius))
            .to_integer()
            .to_i64()
            .map(Placed::Inside)
    }
}

/// The number `mantissa / 10^places`.
#[derive(Debug, PartialEq, Eq)]
struct Decimal {
    mantissa: i64,
    places: u32,
}

impl Decimal {
    /// Reads a decimal of at most 18 significant digits with an optional small exponent; `None` for everything
    /// else, whether it is a number or not.
    fn read(text: &[u8]) -> Option<Self> {
        // Longer texts are left to the reader that bounds them.
        const MOST_DIGITS: u32 = 40;
        const LARGE: i64 = 100_000_000_000_000_000;
        let (negative, mut rest) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let mut mantissa = 0i64;
        let mut places = 0i32;
        let mut digits = 0u32;
        let mut point = false;
        while let [byte, tail @ ..] = rest {
            match byte {
                b'0'..=b'9' => {
                    digits += 1;
                    if mantissa >= LARGE || digits > MOST_DIGITS {
                        return None;
                    }
                    mantissa = mantissa * 10 + i64::from(byte - b'0');
                    places += i32::from(point);
                }
                b'.' if !point => point = true,
                b'e' | b'E' => break,
                _ => return None,
            }
            rest = tail;
        }
        if digits == 0 {
            return None;
        }
        if let [_, exponent @ ..] = rest {
            let (sign, exponent) = match exponent {
                [b'-', exponent @ ..] => (-1, exponent),
                [b'+', exponent @ ..] => (1, exponent),
                _ => (1, exponent),
            };
            if exponent.is_empty() || exponent.len() > 3 {
                return None;
            }
            let mut value = 0i32;
            for byte in exponent {
                if !byte.is_ascii_digit() {
                    return None;
                }
                value = value * 10 + i32::from(byte - b'0');
            }
            places -= sign * value;
        }
        Some(Self {
            mantissa: if negative { -mantissa } else { mantissa },
            places: u32::try_from(places).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;
    use proptest::prelude::*;

    fn scale(lo: Rational, hi: Rational) -> Scale {
        Scale::new(lo, hi).unwrap()
    }

    #[test]
    fn the_ends_are_the_radius_and_the_middle_is_zero() {
        let scale = scale(ratio(0, 1), ratio(255, 1));
        assert_eq!(scale.place(b"0", 1000), Some(Placed::Inside(-1000)));
        assert_eq!(scale.place(b"255", 1000), Some(Placed::Inside(1000)));
        assert_eq!(scale.place(b"127.5", 1000), Some(Placed::Inside(0)));
        assert_eq!(scale.place(b"255.000001", 1000), Some(Placed::Above));
        assert_eq!(scale.place(b"-1e-30", 1000), Some(Placed::Below));
        assert_eq!(scale.place(b"51/2", 1000), Some(Placed::Inside(-800)));
        // Towards zero on both sides.
        assert_eq!(scale.place(b"127.4", 1000), Some(Placed::Inside(0)));
        assert_eq!(scale.place(b"127.6", 1000), Some(Placed::Inside(0)));
    }

    #[test]
    fn what_is_not_a_number_is_not_placed() {
        let scale = scale(ratio(-1, 1), ratio(1, 1));
        for text in [
            "", "-", ".", "nan", "NaN", "inf", "-inf", "1e", "e5", "1.2.3", "--1", "1-", "0,5",
            "1e+", "1 2", "\u{ff}",
        ] {
            assert_eq!(scale.place(text.as_bytes(), 1000), None, "{text:?}");
        }
        assert_eq!(scale.place(b"\xff", 1000), None);
    }

    #[test]
    fn an_empty_interval_is_refused() {
        assert!(Scale::new(ratio(1, 1), ratio(1, 1)).is_none());
        assert!(Scale::new(ratio(2, 1), ratio(1, 1)).is_none());
    }

    proptest! {
        #[test]
        fn the_quick_way_and_the_exact_way_agree(
            text in "[-+]?([0-9]{1,20}(\\.[0-9]{0,24})?|\\.[0-9]{1,24})([eE][-+]?[0-9]{1,2})?",
            a in -1_000_000i64..1_000_000, width in 1i64..1_000_000, c in 1i64..1000,
            radius in 1i64..(1 << 40),
        ) {
            let scale = scale(ratio(a, c), ratio(a + width, c));
            prop_assert!(rational::parse(&text).is_ok());
            let exact = scale.place_any(text.as_bytes(), radius);
            prop_assert!(exact.is_some());
            if let Some(decimal) = Decimal::read(text.as_bytes())
                && let Some(quick) = scale.place_short(&decimal, radius) {
                prop_assert_eq!(Some(quick), exact);
            }
        }

        #[test]
        fn values_in_the_interval_are_placed_alike_and_inside(
            mantissa in any::<i64>(), places in 0u32..19, radius in 1i64..(1 << 40), other in any::<i32>(),
        ) {
            let places = places as usize;
            let digits = format!("{:0width$}", mantissa.unsigned_abs(), width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            let sign = if mantissa < 0 { "-" } else { "" };
            let text = format!("{sign}{whole}.{fraction}");
            let x = rational::parse(&text).unwrap();
            let other = ratio(other.into(), 7);
            prop_assume!(x != other);
            let scale = scale(x.clone().min(other.clone()), x.max(other));
            let placed = scale.place(text.as_bytes(), radius);
            prop_assert_eq!(placed, scale.place_any(text.as_bytes(), radius));
            prop_assert!(placed == Some(Placed::Inside(radius)) || placed == Some(Placed::Inside(-radius)));
        }

        #[test]
        fn nothing_is_read_that_is_not_a_number(text in "[-+0-9.eE ]{0,12}") {
            if let Some(decimal) = Decimal::read(text.as_bytes()) {
                let exact = rational::parse(&text).unwrap();
                let power = Rational::from(BigInt::from(10).pow(decimal.places));
                prop_assert_eq!(Rational::from(BigInt::from(decimal.mantissa)) / power, exact);
            }
        }
    }
}
