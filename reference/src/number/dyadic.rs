//! Dyadic rationals: an integer times a power of two.

use super::Rational;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// The exact number `mantissa * 2^exponent`.
///
/// Sums, differences and products are exact; [`Dyadic::round_down`] and [`Dyadic::round_up`] keep
/// the mantissas short.
#[derive(Debug, Clone)]
pub struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// `mantissa * 2^exponent`.
    #[must_use]
    pub fn new(mantissa: impl Into<BigInt>, exponent: i64) -> Self {
        Self {
            mantissa: mantissa.into(),
            exponent,
        }
    }

    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::new(0, 0)
    }

    /// The integer mantissa.
    #[must_use]
    pub fn mantissa(&self) -> &BigInt {
        &self.mantissa
    }

    /// The power of two.
    #[must_use]
    pub fn exponent(&self) -> i64 {
        self.exponent
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// Whether this is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.mantissa.is_negative()
    }

    /// Whether this is above zero.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.mantissa.is_positive()
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        Self::new(self.mantissa.abs(), self.exponent)
    }

    /// `self * 2^shift`, exactly.
    #[must_use]
    pub fn shifted(&self, shift: i64) -> Self {
        Self::new(self.mantissa.clone(), self.exponent + shift)
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
        if self.exponent >= 0 {
            Rational::from_integer(&self.mantissa << self.exponent)
        } else {
            Rational::new(self.mantissa.clone(), BigInt::one() << -self.exponent)
        }
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
        let (numerator, denominator) = positive_denominator(&self.mantissa, &divisor.mantissa);
        Self::quotient_below(&numerator, &denominator, bits)
            .shifted(self.exponent - divisor.exponent)
    }

    /// `self / divisor` rounded up to `bits` bits; `divisor` must not be zero.
    #[must_use]
    pub fn divided_above(&self, divisor: &Self, bits: u32) -> Self {
        let (numerator, denominator) = positive_denominator(&self.mantissa, &divisor.mantissa);
        Self::quotient_above(&numerator, &denominator, bits)
            .shifted(self.exponent - divisor.exponent)
    }

    /// The largest dyadic with a mantissa of at most `bits` bits that is at most `self`.
    #[must_use]
    pub fn round_down(&self, bits: u32) -> Self {
        let excess = self.mantissa.bits() as i64 - i64::from(bits);
        if excess <= 0 {
            return self.clone();
        }
        // An arithmetic shift of a BigInt rounds towards minus infinity.
        Self::new(&self.mantissa >> excess, self.exponent + excess)
    }

    /// The smallest dyadic with a mantissa of at most `bits` bits (or the next power of two) that
    /// is at least `self`.
    #[must_use]
    pub fn round_up(&self, bits: u32) -> Self {
        -(-self).round_down(bits)
    }

    /// The largest integer that is at most `self`.
    #[must_use]
    pub fn floor(&self) -> BigInt {
        if self.exponent >= 0 {
            &self.mantissa << self.exponent
        } else {
            &self.mantissa >> -self.exponent
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

fn positive_denominator(numerator: &BigInt, denominator: &BigInt) -> (BigInt, BigInt) {
    match denominator.sign() {
        Sign::Minus => (-numerator, -denominator),
        _ => (numerator.clone(), denominator.clone()),
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
        Dyadic::new(-&self.mantissa, self.exponent)
    }
}

impl Neg for Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic::new(-self.mantissa, self.exponent)
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
        let aligned = &high.mantissa << (high.exponent - low.exponent);
        Dyadic::new(aligned + &low.mantissa, low.exponent)
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
        Dyadic::new(
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
        (self - other).mantissa.sign().cmp(&Sign::NoSign)
    }
}
