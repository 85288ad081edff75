//! Intervals that provably contain a real number.

use super::{Dyadic, Rational};
use crate::Error;
use num_bigint::BigInt;
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
        Self {
            lo: Dyadic::quotient_below(value.numer(), value.denom(), bits),
            hi: Dyadic::quotient_above(value.numer(), value.denom(), bits),
            bits,
        }
    }

    /// The degenerate enclosure of an integer, computing onwards with `bits` significant bits.
    #[must_use]
    pub fn integer(value: impl Into<BigInt>, bits: u32) -> Self {
        let value = Dyadic::new(value, 0);
        Self::new(&value, &value, bits)
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

    /// Whether zero is in the enclosure.
    #[must_use]
    pub fn contains_zero(&self) -> bool {
        !self.lo.is_positive() && !self.hi.is_negative()
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
    /// [`Error::OutOfDomain`] if the divisor's enclosure contains zero.
    pub fn divided_by(&self, divisor: &Self) -> Result<Self, Error> {
        if divisor.contains_zero() {
            return Err(Error::OutOfDomain("a quotient by an enclosure of 0"));
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

    /// One minus the enclosure.
    #[must_use]
    pub fn complement(&self) -> Self {
        &Self::integer(1, self.bits) - self
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
