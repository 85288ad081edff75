//! Dyadic rationals: an integer times a power of two.

use super::Rational;
use super::mantissa::Mantissa;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// The exact number `mantissa * 2^exponent`.
///
/// Sums, differences and products are exact; [`Dyadic::round_down`] and [`Dyadic::round_up`] keep
/// the mantissas short.
#[derive(Debug, Clone)]
pub struct Dyadic {
    mantissa: Mantissa,
    exponent: i64,
}

impl Dyadic {
    /// `mantissa * 2^exponent`.
    #[must_use]
    pub fn new(mantissa: impl Into<BigInt>, exponent: i64) -> Self {
        let mantissa: BigInt = mantissa.into();
        Self::of(mantissa.into(), exponent)
    }

    pub(super) fn of(mantissa: Mantissa, exponent: i64) -> Self {
        Self { mantissa, exponent }
    }

    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::of(Mantissa::ZERO, 0)
    }

    /// The integer mantissa.
    #[must_use]
    pub fn mantissa(&self) -> BigInt {
        self.mantissa.to_plain()
    }

    /// The mantissa and the power of two.
    pub(super) fn parts(&self) -> (&Mantissa, i64) {
        (&self.mantissa, self.exponent)
    }

    /// The number of bits of the mantissa.
    pub(super) fn mantissa_bits(&self) -> u64 {
        self.mantissa.bits()
    }

    /// The power of two.
    #[must_use]
    pub fn exponent(&self) -> i64 {
        self.exponent
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.mantissa.sign() == Sign::NoSign
    }

    /// Whether this is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.mantissa.sign() == Sign::Minus
    }

    /// Whether this is above zero.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.mantissa.sign() == Sign::Plus
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        Self::of(self.mantissa.abs(), self.exponent)
    }

    /// `self * 2^shift`, exactly.
    #[must_use]
    pub fn shifted(&self, shift: i64) -> Self {
        Self::of(self.mantissa.clone(), self.exponent + shift)
    }

    /// The integer `t` with `2^(t-1) <= |self| < 2^t`; for zero the least integer.
    #[must_use]
    pub fn magnitude(&self) -> i64 {
        if self.is_zero() {
            i64::MIN
        } else {
            self.mantissa.bits() as i64 + self.exponent
        }
    }

    /// The same number as a rational.
    #[must_use]
    pub fn to_rational(&self) -> Rational {
        let mantissa = self.mantissa.to_plain();
        if self.exponent >= 0 {
            return Rational::from_integer(mantissa << self.exponent);
        }
        // In lowest terms without a search for the greatest common divisor, which is a power of two.
        let places = self.exponent.unsigned_abs();
        let Some(common) = mantissa.trailing_zeros().map(|zeros| zeros.min(places)) else {
            return Rational::zero();
        };
        Rational::new_raw(mantissa >> common, BigInt::one() << (places - common))
    }

    /// The largest dyadic with a mantissa of at most `bits` bits that is at most `numerator / denominator`.
    ///
    /// `denominator` must be positive.
    #[must_use]
    pub fn quotient_below(numerator: &BigInt, denominator: &BigInt, bits: u32) -> Self {
        let (scaled, divisor, exponent) = quotient_operands(numerator, denominator, bits);
        Self::new(scaled.div_floor(&divisor), exponent).round_down(bits)
    }

    /// The smallest dyadic with a mantissa of at most `bits` bits that is at least `numerator / denominator`.
    ///
    /// `denominator` must be positive.
    #[must_use]
    pub fn quotient_above(numerator: &BigInt, denominator: &BigInt, bits: u32) -> Self {
        let (scaled, divisor, exponent) = quotient_operands(numerator, denominator, bits);
        Self::new(scaled.div_ceil(&divisor), exponent).round_up(bits)
    }

    /// `self / divisor` rounded down to `bits` bits; `divisor` must not be zero.
    #[must_use]
    pub fn divided_below(&self, divisor: &Self, bits: u32) -> Self {
        let (numerator, denominator) = self.over(divisor);
        Self::quotient_below(&numerator, &denominator, bits)
            .shifted(self.exponent - divisor.exponent)
    }

    /// `self / divisor` rounded up to `bits` bits; `divisor` must not be zero.
    #[must_use]
    pub fn divided_above(&self, divisor: &Self, bits: u32) -> Self {
        let (numerator, denominator) = self.over(divisor);
        Self::quotient_above(&numerator, &denominator, bits)
            .shifted(self.exponent - divisor.exponent)
    }

    /// The mantissas, so that the divisor is positive.
    fn over(&self, divisor: &Self) -> (BigInt, BigInt) {
        let (numerator, denominator) = (self.mantissa(), divisor.mantissa());
        match denominator.sign() {
            Sign::Minus => (-numerator, -denominator),
            _ => (numerator, denominator),
        }
    }

    /// [`Self::quotient_below`] and [`Self::quotient_above`], by one division.
    #[must_use]
    pub fn quotient_between(numerator: &BigInt, denominator: &BigInt, bits: u32) -> (Self, Self) {
        let (scaled, divisor, exponent) = quotient_operands(numerator, denominator, bits);
        let (below, rest) = scaled.div_mod_floor(&divisor);
        let below = Mantissa::from(below);
        let above = match rest.sign() {
            Sign::NoSign => below.clone(),
            _ => &below + &Mantissa::from(1),
        };
        (
            Self::of(below, exponent).round_down(bits),
            Self::of(above, exponent).round_up(bits),
        )
    }

    /// The largest dyadic with a mantissa of at most `bits` bits that is at most `self`.
    #[must_use]
    pub fn round_down(&self, bits: u32) -> Self {
        let excess = self.mantissa.bits().saturating_sub(bits.into());
        if excess == 0 {
            return self.clone();
        }
        // An arithmetic shift rounds towards minus infinity.
        Self::of(&self.mantissa >> excess, self.exponent + excess as i64)
    }

    /// The smallest dyadic with a mantissa of at most `bits` bits (or the next power of two) that
    /// is at least `self`.
    #[must_use]
    pub fn round_up(&self, bits: u32) -> Self {
        -(-self).round_down(bits)
    }

    /// How this compares with a rational, without ever writing out a number of very different size.
    #[must_use]
    pub fn cmp_rational(&self, other: &Rational) -> Ordering {
        let signs = self.mantissa.sign().cmp(&other.numer().sign());
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        // |other| is between 2^(t-1) and 2^(t+1).
        let t = other.numer().bits() as i64 - other.denom().bits() as i64;
        let by_magnitude = if self.magnitude() > t + 1 {
            Ordering::Greater
        } else if self.magnitude() < t {
            Ordering::Less
        } else {
            let scaled = Self::new(self.mantissa() * other.denom(), self.exponent);
            return scaled.cmp(&Self::new(other.numer().clone(), 0));
        };
        if self.is_negative() {
            by_magnitude.reverse()
        } else {
            by_magnitude
        }
    }

    /// The largest integer that is at most `self`.
    #[must_use]
    pub fn floor(&self) -> BigInt {
        self.whole().to_plain()
    }

    /// The same, to compute with in this room.
    pub(super) fn whole(&self) -> Mantissa {
        let places = self.exponent.unsigned_abs();
        if self.exponent >= 0 {
            &self.mantissa << places
        } else {
            &self.mantissa >> places
        }
    }

    /// The smallest integer that is at least `self`.
    #[must_use]
    pub fn ceil(&self) -> BigInt {
        -(-self).floor()
    }
}

/// `(n, d, e)` such that `n / d * 2^e` is the quotient and `n / d` has at least `bits` bits.
fn quotient_operands(numerator: &BigInt, denominator: &BigInt, bits: u32) -> (BigInt, BigInt, i64) {
    let shift = i64::from(bits) + 1 + denominator.bits() as i64 - numerator.bits() as i64;
    if shift >= 0 {
        (numerator << shift, denominator.clone(), -shift)
    } else {
        (numerator.clone(), denominator << -shift, -shift)
    }
}

impl From<BigInt> for Dyadic {
    fn from(value: BigInt) -> Self {
        Self::new(value, 0)
    }
}

impl From<i64> for Dyadic {
    fn from(value: i64) -> Self {
        Self::new(value, 0)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic::of(-&self.mantissa, self.exponent)
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        -&self
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let (high, low) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let aligned = &high.mantissa << high.exponent.abs_diff(low.exponent);
        Dyadic::of(&aligned + &low.mantissa, low.exponent)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        if self.is_zero() || other.is_zero() {
            return Dyadic::zero();
        }
        Dyadic::of(
            &self.mantissa * &other.mantissa,
            self.exponent + other.exponent,
        )
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        let signs = self.mantissa.sign().cmp(&other.mantissa.sign());
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        // Magnitudes first, so that numbers of very different size are never aligned.
        let by_magnitude = self.magnitude().cmp(&other.magnitude());
        if by_magnitude != Ordering::Equal {
            return if self.is_negative() {
                by_magnitude.reverse()
            } else {
                by_magnitude
            };
        }
        if self.exponent == other.exponent {
            return self.mantissa.cmp(&other.mantissa);
        }
        (self - other).mantissa.sign().cmp(&Sign::NoSign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Signed;
    use proptest::prelude::*;

    fn any_dyadic() -> impl Strategy<Value = Dyadic> {
        (any::<i128>(), -200i64..200).prop_map(|(m, e)| Dyadic::new(m, e))
    }

    /// The two as they are held.
    fn parts((below, above): &(Dyadic, Dyadic)) -> [(BigInt, i64); 2] {
        [below, above].map(|x| (x.mantissa(), x.exponent()))
    }

    /// Exact quotients, and those just beside a power of two, where the next mantissa has a bit more.
    #[test]
    fn both_ends_of_a_quotient_are_those_of_two_divisions() {
        let one = BigInt::one();
        for bits in [1, 2, 63, 64, 65, 1023, 1024, 1025] {
            for power in [0, 1, 64, 1023, 1024, 1025] {
                for numerator in -2..=2 {
                    let numerator: BigInt = (&one << power) + numerator;
                    for denominator in [1, 2, 3, 5, 1u64 << 40] {
                        let denominator = BigInt::from(denominator);
                        for numerator in [numerator.clone(), -&numerator] {
                            let found = Dyadic::quotient_between(&numerator, &denominator, bits);
                            let both = (
                                Dyadic::quotient_below(&numerator, &denominator, bits),
                                Dyadic::quotient_above(&numerator, &denominator, bits),
                            );
                            assert_eq!(
                                parts(&found),
                                parts(&both),
                                "{numerator}/{denominator}, {bits}"
                            );
                        }
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn arithmetic_is_that_of_the_rationals(a in any_dyadic(), b in any_dyadic()) {
            let (ra, rb) = (a.to_rational(), b.to_rational());
            prop_assert_eq!((&a + &b).to_rational(), &ra + &rb);
            prop_assert_eq!((&a - &b).to_rational(), &ra - &rb);
            prop_assert_eq!((&a * &b).to_rational(), &ra * &rb);
            prop_assert_eq!(a.cmp(&b), ra.cmp(&rb));
            prop_assert_eq!(a.cmp_rational(&rb), ra.cmp(&rb));
            prop_assert_eq!(a.cmp_rational(&(&ra / Rational::from_integer(3.into()))), ra.cmp(&(&ra / Rational::from_integer(3.into()))));
            prop_assert_eq!(Rational::from_integer(a.floor()), ra.floor());
            prop_assert_eq!(Rational::from_integer(a.ceil()), ra.ceil());
        }

        #[test]
        fn rounding_is_outward_and_close(a in any_dyadic(), bits in 1u32..160) {
            let (down, up) = (a.round_down(bits), a.round_up(bits));
            prop_assert!(down <= a && a <= up);
            let unit = Dyadic::new(1, a.magnitude().max(-10_000) - i64::from(bits));
            prop_assert!(&up - &down <= unit);
        }

        #[test]
        fn quotients_bracket(a in any_dyadic(), b in any_dyadic(), bits in 2u32..160) {
            prop_assume!(!b.is_zero());
            let exact = a.to_rational() / b.to_rational();
            let (below, above) = (a.divided_below(&b, bits).to_rational(), a.divided_above(&b, bits).to_rational());
            prop_assert!(below <= exact && exact <= above);
            let (numerator, denominator) = (exact.numer(), exact.denom());
            let both = (Dyadic::quotient_below(numerator, denominator, bits), Dyadic::quotient_above(numerator, denominator, bits));
            prop_assert_eq!(parts(&Dyadic::quotient_between(numerator, denominator, bits)), parts(&both));
            let slack = exact.abs() * Rational::new(4.into(), BigInt::one() << bits);
            prop_assert!(above - below <= slack);
        }
    }
}
