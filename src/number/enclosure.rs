//! Intervals that provably contain a real number.

use super::rational::{to_scientific_above, to_scientific_below};
use super::{Dyadic, NumberError, Rational};
use num_bigint::BigInt;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A closed interval `[lo, hi]` with dyadic endpoints that contains the number it stands for.
///
/// Every operation rounds outward to `bits` significant bits, so that containment is never lost:
/// if `x` is in `X` and `y` in `Y`, then `x + y` is in `X + Y`. An operation on two enclosures works
/// at the larger of their two precisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enclosure {
    lo: Dyadic,
    hi: Dyadic,
    bits: u32,
}

impl Enclosure {
    /// The interval from `lo` to `hi`, rounded outward to `bits` significant bits.
    ///
    /// # Panics
    /// If `lo > hi`: an empty enclosure stands for no number.
    #[must_use]
    pub fn new(lo: &Dyadic, hi: &Dyadic, bits: u32) -> Self {
        assert!(lo <= hi, "an enclosure needs lo <= hi");
        Self {
            lo: lo.round_down(bits),
            hi: hi.round_up(bits),
            bits,
        }
    }

    /// An enclosure of one rational number, to `bits` significant bits.
    #[must_use]
    pub fn of(value: &Rational, bits: u32) -> Self {
        let (lo, hi) = Dyadic::quotient_between(value.numer(), value.denom(), bits);
        Self { lo, hi, bits }
    }

    /// The degenerate enclosure of an integer, computing onwards with `bits` significant bits.
    #[must_use]
    pub fn integer(value: impl Into<BigInt>, bits: u32) -> Self {
        let value = Dyadic::new(value, 0);
        Self::new(&value, &value, bits)
    }

    /// An enclosure of everything between two rationals.
    ///
    /// # Panics
    /// If `lo > hi`.
    #[must_use]
    pub fn between(lo: &Rational, hi: &Rational, bits: u32) -> Self {
        assert!(lo <= hi, "an enclosure needs lo <= hi");
        Self {
            lo: Dyadic::quotient_below(lo.numer(), lo.denom(), bits),
            hi: Dyadic::quotient_above(hi.numer(), hi.denom(), bits),
            bits,
        }
    }

    /// The lower endpoint.
    #[must_use]
    pub fn lo(&self) -> &Dyadic {
        &self.lo
    }

    /// The upper endpoint.
    #[must_use]
    pub fn hi(&self) -> &Dyadic {
        &self.hi
    }

    /// The lower endpoint as a rational: a certified lower bound.
    #[must_use]
    pub fn lower(&self) -> Rational {
        self.lo.to_rational()
    }

    /// The upper endpoint as a rational: a certified upper bound.
    #[must_use]
    pub fn upper(&self) -> Rational {
        self.hi.to_rational()
    }

    /// The working precision in significant bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The same enclosure, computing onwards with `bits` significant bits.
    #[must_use]
    pub fn with_bits(&self, bits: u32) -> Self {
        Self::new(&self.lo, &self.hi, bits)
    }

    /// The point in the middle, exactly.
    #[must_use]
    pub fn midpoint(&self) -> Dyadic {
        (&self.lo + &self.hi).shifted(-1)
    }

    /// `hi - lo`, exactly.
    #[must_use]
    pub fn width(&self) -> Dyadic {
        &self.hi - &self.lo
    }

    /// Whether `value` is in the enclosure.
    #[must_use]
    pub fn contains(&self, value: &Rational) -> bool {
        self.lo.cmp_rational(value).is_le() && self.hi.cmp_rational(value).is_ge()
    }

    /// Whether zero is in the enclosure.
    #[must_use]
    pub fn contains_zero(&self) -> bool {
        !self.lo.is_positive() && !self.hi.is_negative()
    }

    /// Whether every number of `self` is below every number of `other`.
    #[must_use]
    pub fn is_below(&self, other: &Self) -> bool {
        self.hi < other.lo
    }

    /// Whether every number of the enclosure is strictly below `value`.
    #[must_use]
    pub fn is_below_rational(&self, value: &Rational) -> bool {
        self.hi.cmp_rational(value).is_lt()
    }

    /// Whether every number of the enclosure is strictly above `value`.
    #[must_use]
    pub fn is_above_rational(&self, value: &Rational) -> bool {
        self.lo.cmp_rational(value).is_gt()
    }

    /// Whether the two enclosures have a number in common.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.lo <= other.hi && other.lo <= self.hi
    }

    /// The smallest enclosure that contains both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        Self::new(
            (&self.lo).min(&other.lo),
            (&self.hi).max(&other.hi),
            self.bits.max(other.bits),
        )
    }

    /// An enclosure of the larger of the two numbers.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        Self::new(
            (&self.lo).max(&other.lo),
            (&self.hi).max(&other.hi),
            self.bits.max(other.bits),
        )
    }

    /// An enclosure of the smaller of the two numbers.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        Self::new(
            (&self.lo).min(&other.lo),
            (&self.hi).min(&other.hi),
            self.bits.max(other.bits),
        )
    }

    /// `self * 2^shift`, exactly.
    #[must_use]
    pub fn shifted(&self, shift: i64) -> Self {
        Self {
            lo: self.lo.shifted(shift),
            hi: self.hi.shifted(shift),
            bits: self.bits,
        }
    }

    /// The enclosure widened by `radius >= 0` on both sides.
    #[must_use]
    pub fn widened(&self, radius: &Dyadic) -> Self {
        Self::new(&(&self.lo - radius), &(&self.hi + radius), self.bits)
    }

    /// `self / divisor`.
    ///
    /// # Errors
    /// [`NumberError::DivisionByZero`] if the divisor's enclosure contains zero.
    pub fn divided_by(&self, divisor: &Self) -> Result<Self, NumberError> {
        if divisor.contains_zero() {
            return Err(NumberError::DivisionByZero);
        }
        let bits = self.bits.max(divisor.bits);
        // The quotient is monotone in each argument, so that its extremes are at the corners. Which
        // corners is decided by the two signs.
        let (low_divisor, high_divisor) = if divisor.lo.is_positive() {
            (
                if self.lo.is_negative() {
                    &divisor.lo
                } else {
                    &divisor.hi
                },
                if self.hi.is_negative() {
                    &divisor.hi
                } else {
                    &divisor.lo
                },
            )
        } else {
            return (-self).divided_by(&-divisor);
        };
        Ok(Self {
            lo: self.lo.divided_below(low_divisor, bits),
            hi: self.hi.divided_above(high_divisor, bits),
            bits,
        })
    }

    /// The product of `power` copies, with `x^0 = 1`.
    #[must_use]
    pub fn power(&self, power: u64) -> Self {
        let mut result = Self::integer(1, self.bits);
        let mut square = self.clone();
        let mut left = power;
        while left > 0 {
            if left & 1 == 1 {
                result = &result * &square;
            }
            left >>= 1;
            if left > 0 {
                square = square.squared();
            }
        }
        result
    }

    /// `self * self`; unlike the product of two independent enclosures never below zero.
    #[must_use]
    pub fn squared(&self) -> Self {
        let (low, high) = (self.lo.abs(), self.hi.abs());
        let (small, large) = if low <= high {
            (&low, &high)
        } else {
            (&high, &low)
        };
        let hi = large * large;
        let lo = if self.contains_zero() {
            Dyadic::zero()
        } else {
            small * small
        };
        Self::new(&lo, &hi, self.bits)
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.contains_zero() {
            let hi = self.lo.abs().max(self.hi.abs());
            Self::new(&Dyadic::zero(), &hi, self.bits)
        } else if self.hi.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// Whether the enclosure pins the number down to `digits` significant decimal digits: its width
    /// is at most `10^-digits` times the smallest absolute value in it, or it is exactly zero.
    #[must_use]
    pub fn has_digits(&self, digits: u32) -> bool {
        if self.lo == self.hi {
            return true;
        }
        if self.contains_zero() {
            return false;
        }
        let smallest = self.lo.abs().min(self.hi.abs());
        let scaled = &self.width() * &Dyadic::from(BigInt::from(10).pow(digits));
        scaled <= smallest
    }

    /// Both endpoints in decimal, rounded outward to `digits` significant digits.
    #[must_use]
    pub fn to_decimals(&self, digits: u32) -> (String, String) {
        (
            to_scientific_below(&self.lower(), digits),
            to_scientific_above(&self.upper(), digits),
        )
    }

    /// The enclosure of a monotone function, which is evaluated at the two endpoints only.
    pub(super) fn monotone(&self, at: impl Fn(&Dyadic) -> Self) -> Self {
        let low = at(&self.lo);
        if self.lo == self.hi {
            return low.with_bits(self.bits);
        }
        low.hull(&at(&self.hi)).with_bits(self.bits)
    }

    /// `self / divisor`, for a divisor that the caller has shown to be positive.
    pub(super) fn over(&self, divisor: &Self) -> Self {
        self.divided_by(divisor).expect("the divisor is positive")
    }

    /// The error of a function that is not defined on the whole enclosure. It is met again and again while more bits are tried,
    /// and decimals of 2^-40000 take longer than the function: the ends are rounded outward to multiples of 2^-128.
    pub(super) fn outside(&self, function: &'static str, expected: &'static str) -> NumberError {
        let lo = Dyadic::new(self.lo.shifted(128).floor(), -128);
        let hi = Dyadic::new(self.hi.shifted(128).ceil(), -128);
        NumberError::OutOfDomain {
            function,
            argument: Self::new(&lo, &hi, self.bits).to_string(),
            expected,
        }
    }

    /// One minus the enclosure.
    #[must_use]
    pub fn complement(&self) -> Self {
        &Self::integer(1, self.bits) - self
    }
}

/// Evaluates `function` at rising working precision until its enclosure has `digits` significant
/// decimal digits.
///
/// An argument that was rounded out of the domain is tried again at a higher precision. A width that stays the same
/// over [`STALLS`] precisions, while the number is known to a digit, is taken to depend on the precision no more: it is
/// that of a remainder.
///
/// # Errors
/// Those of `function`; [`NumberError::Underflow`]; and [`NumberError::PrecisionExhausted`] if 64 times the plausible
/// precision does not suffice (as for a number that is zero without being known to be), or the width stays the same.
pub fn certify(
    digits: u32,
    mut function: impl FnMut(u32) -> Result<Enclosure, NumberError>,
) -> Result<Enclosure, NumberError> {
    // log2(10) < 3.33
    let needed = digits.saturating_mul(333) / 100 + 2;
    let mut bits = needed + 16;
    let limit = needed.saturating_add(16).saturating_mul(64);
    let mut widths: Vec<Dyadic> = Vec::new();
    loop {
        match function(bits) {
            Ok(enclosure) if enclosure.has_digits(digits) => return Ok(enclosure),
            Ok(enclosure) => {
                let exponent = enclosure.hi.magnitude();
                if enclosure.lo.is_zero() && exponent < UNDERFLOW {
                    return Err(NumberError::Underflow { exponent });
                }
                widths.push(enclosure.width());
                if bits >= limit || (enclosure.has_digits(1) && stalled(&widths)) {
                    return Err(NumberError::PrecisionExhausted { digits, bits });
                }
            }
            // The argument may have been rounded out of the domain.
            Err(NumberError::OutOfDomain { .. } | NumberError::DivisionByZero) if bits < limit => {}
            Err(error) => return Err(error),
        }
        bits = bits.saturating_mul(2).min(limit);
    }
}

/// Below `2^UNDERFLOW` numbers count as not told from zero: the exponential gives up at `2^-(2^22)`.
pub(crate) const UNDERFLOW: i64 = -(1 << 21);

/// After how many precisions of one width [`certify`] gives up.
pub const STALLS: usize = 3;

/// Whether the last widths agree to one part in 1024.
fn stalled(widths: &[Dyadic]) -> bool {
    widths.len() >= STALLS
        && widths[widths.len() - STALLS..].windows(2).all(|pair| {
            let lost = &pair[0] - &pair[1];
            lost.abs().shifted(10) <= pair[0]
        })
}

impl fmt::Display for Enclosure {
    /// `[lo, hi]` with eight significant digits, rounded outward.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lo, hi) = self.to_decimals(8);
        write!(formatter, "[{lo}, {hi}]")
    }
}

impl Neg for &Enclosure {
    type Output = Enclosure;
    fn neg(self) -> Enclosure {
        Enclosure {
            lo: -&self.hi,
            hi: -&self.lo,
            bits: self.bits,
        }
    }
}

impl Add for &Enclosure {
    type Output = Enclosure;
    fn add(self, other: &Enclosure) -> Enclosure {
        Enclosure::new(
            &(&self.lo + &other.lo),
            &(&self.hi + &other.hi),
            self.bits.max(other.bits),
        )
    }
}

impl Sub for &Enclosure {
    type Output = Enclosure;
    fn sub(self, other: &Enclosure) -> Enclosure {
        Enclosure::new(
            &(&self.lo - &other.hi),
            &(&self.hi - &other.lo),
            self.bits.max(other.bits),
        )
    }
}

impl Mul for &Enclosure {
    type Output = Enclosure;
    fn mul(self, other: &Enclosure) -> Enclosure {
        let bits = self.bits.max(other.bits);
        if !self.lo.is_negative() && !other.lo.is_negative() {
            return Enclosure::new(&(&self.lo * &other.lo), &(&self.hi * &other.hi), bits);
        }
        let corners = [
            &self.lo * &other.lo,
            &self.lo * &other.hi,
            &self.hi * &other.lo,
            &self.hi * &other.hi,
        ];
        let mut lo = &corners[0];
        let mut hi = &corners[0];
        for corner in &corners[1..] {
            lo = lo.min(corner);
            hi = hi.max(corner);
        }
        Enclosure::new(lo, hi, bits)
    }
}

/// The owned forms of the operators, so that formulas read as formulas.
macro_rules! owned_operator {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Enclosure {
            type Output = Enclosure;
            fn $method(self, other: Enclosure) -> Enclosure {
                (&self).$method(&other)
            }
        }
        impl $trait<&Enclosure> for Enclosure {
            type Output = Enclosure;
            fn $method(self, other: &Enclosure) -> Enclosure {
                (&self).$method(other)
            }
        }
        impl $trait<Enclosure> for &Enclosure {
            type Output = Enclosure;
            fn $method(self, other: Enclosure) -> Enclosure {
                self.$method(&other)
            }
        }
    )*};
}
owned_operator!(Add add, Sub sub, Mul mul);

impl Neg for Enclosure {
    type Output = Enclosure;
    fn neg(self) -> Enclosure {
        -&self
    }
}

#[cfg(test)]
mod tests {
    use super::super::rational::ratio;
    use super::*;
    use num_traits::Zero;
    use proptest::prelude::*;

    fn any_rational() -> impl Strategy<Value = Rational> {
        (any::<i64>(), 1..i64::MAX).prop_map(|(n, d)| ratio(n, d))
    }

    proptest! {
        #[test]
        fn operations_keep_the_number_enclosed(
            a in any_rational(), wa in any_rational(), b in any_rational(), wb in any_rational(), bits in 2u32..100,
        ) {
            let x = Enclosure::between(&a.clone().min(wa.clone()), &a.clone().max(wa), bits);
            let y = Enclosure::between(&b.clone().min(wb.clone()), &b.clone().max(wb), bits);
            prop_assert!((&x + &y).contains(&(&a + &b)));
            prop_assert!((&x - &y).contains(&(&a - &b)));
            prop_assert!((&x * &y).contains(&(&a * &b)));
            prop_assert!((-&x).contains(&-&a));
            prop_assert!(x.squared().contains(&(&a * &a)));
            prop_assert!(x.power(3).contains(&(&a * &a * &a)));
            prop_assert!(x.abs().contains(&num_traits::Signed::abs(&a)));
            prop_assert!(x.max(&y).contains(&a.clone().max(b.clone())));
            prop_assert!(x.min(&y).contains(&a.clone().min(b.clone())));
            match x.divided_by(&y) {
                Ok(quotient) => prop_assert!(quotient.contains(&(&a / &b))),
                Err(error) => {
                    prop_assert_eq!(error, NumberError::DivisionByZero);
                    prop_assert!(y.contains(&Rational::zero()));
                }
            }
        }
    }

    #[test]
    fn a_quotient_of_negatives_is_positive() {
        let x = Enclosure::of(&ratio(-1, 3), 20);
        let y = Enclosure::of(&ratio(-2, 7), 20);
        assert!(x.divided_by(&y).unwrap().contains(&ratio(7, 6)));
    }

    #[test]
    fn digits_are_counted_relative_to_the_number() {
        let tiny = Enclosure::of(&ratio(1, 3_000_000_000), 40);
        assert!(tiny.has_digits(11));
        assert!(!tiny.has_digits(13));
    }

    #[test]
    fn the_real_functions_take_any_size_at_any_precision() {
        let sizes = [
            -20_000, -3000, -64, -1, 0, 1, 5, 11, 12, 22, 23, 64, 65, 3000, 20_000,
        ];
        let mut arguments = vec![Dyadic::zero()];
        for size in sizes {
            arguments.extend([
                Dyadic::new(1, size),
                Dyadic::new(-1, size),
                Dyadic::new(3, size),
            ]);
        }
        for bits in [0, 1, 2, 7, 64] {
            for x in &arguments {
                let point = Enclosure::new(x, x, bits);
                let wide = point.hull(&Enclosure::integer(1, bits));
                for x in [point, wide] {
                    // The answers are checked elsewhere: here they only have to come.
                    let _ = (x.exp(), x.exp_minus_one(), x.ln(), x.ln_1p(), x.sqrt());
                    let _ = (x.sin(), x.cos(), x.atan(), x.acos(), x.tanh());
                    let _ = (
                        x.erfc(),
                        x.normal_cdf(),
                        x.normal_upper(),
                        x.normal_quantile(),
                    );
                }
            }
        }
    }

    #[test]
    fn an_argument_that_is_rounded_out_of_the_domain_is_tried_again() {
        let parse = |text| crate::number::rational::parse(text).unwrap();
        let close = parse("1") - parse("1e-30");
        let quantile = certify(15, |bits| Enclosure::of(&close, bits).normal_quantile()).unwrap();
        assert!(quantile.to_decimals(10).0.starts_with("11.464"));
        let near = parse("-0.9999999999999999999");
        let logarithm = certify(12, |bits| Enclosure::of(&near, bits).ln_1p()).unwrap();
        // ln(1e-19)
        assert!(logarithm.to_decimals(10).0.starts_with("-43.749"));
        // What is outside stays outside.
        assert!(matches!(
            certify(12, |bits| Enclosure::integer(-1, bits).ln()),
            Err(NumberError::OutOfDomain { .. })
        ));
    }

    #[test]
    fn a_remainder_that_stays_is_not_waited_for() {
        let mut calls = 0;
        let remainder = Dyadic::new(1, -40);
        let refused = certify(30, |bits| {
            calls += 1;
            Ok(Enclosure::of(&ratio(1, 3), bits).widened(&remainder))
        });
        assert!(matches!(
            refused,
            Err(NumberError::PrecisionExhausted { .. })
        ));
        assert_eq!(calls, STALLS);
        // A width that is constant for a while, and then falls, of a number that is not known at all.
        let late = certify(10, |bits| {
            let known = if bits > 1000 { bits } else { 0 };
            Ok(Enclosure::integer(1, bits).widened(&Dyadic::new(1, -i64::from(known))))
        });
        assert!(late.is_ok());
    }

    #[test]
    fn what_underflows_is_said_to() {
        let refused = certify(30, |bits| Enclosure::integer(-10_000_000, bits).exp());
        assert!(matches!(refused, Err(NumberError::Underflow { .. })));
    }

    #[test]
    fn a_number_that_cannot_be_told_from_zero_is_an_error() {
        let unit = |bits: u32| Dyadic::new(1, -i64::from(bits));
        let straddling = |bits| Ok(Enclosure::new(&-unit(bits), &unit(bits), bits));
        assert!(matches!(
            certify(10, straddling),
            Err(NumberError::PrecisionExhausted { .. })
        ));
    }
}
