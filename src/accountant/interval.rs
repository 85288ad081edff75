//! Intervals between two doubles that contain the real number they stand for.
//!
//! IEEE 754 rounds each operation to the nearest double, so the exact result lies between the two neighbours of the
//! computed one. Each operation here returns those neighbours: nothing has to be counted.

use crate::number::{Enclosure, Rational, rational};
use std::ops::{Add, Mul, Neg, Sub};

/// A closed interval of reals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Interval {
    /// The number zero.
    pub const ZERO: Self = Self { lo: 0.0, hi: 0.0 };

    /// The number one.
    pub const ONE: Self = Self { lo: 1.0, hi: 1.0 };

    /// This double, exactly.
    #[must_use]
    pub const fn exactly(value: f64) -> Self {
        Self {
            lo: value,
            hi: value,
        }
    }

    /// The interval between two doubles.
    #[must_use]
    pub const fn between(lo: f64, hi: f64) -> Self {
        Self { lo, hi }
    }

    /// The doubles around a rational whose absolute value is below the largest double.
    #[must_use]
    pub fn of(value: &Rational) -> Self {
        let near = rational::to_f64_for_display(value);
        let (mut lo, mut hi) = (near, near);
        while is_above(lo, value) {
            lo = lo.next_down();
        }
        while is_below(hi, value) {
            hi = hi.next_up();
        }
        Self { lo, hi }
    }

    /// The doubles around an enclosure.
    #[must_use]
    pub fn around(value: &Enclosure) -> Self {
        Self {
            lo: Self::of(&value.lower()).lo,
            hi: Self::of(&value.upper()).hi,
        }
    }

    /// All numbers within a relative error of a positive double.
    #[must_use]
    pub fn within(value: f64, relative: f64) -> Self {
        Self {
            lo: (value * (1.0 - relative).next_down()).next_down().max(0.0),
            hi: (value * (1.0 + relative).next_up()).next_up(),
        }
    }

    /// The double in the middle, or near it.
    #[must_use]
    pub fn middle(self) -> f64 {
        0.5 * (self.lo + self.hi)
    }

    /// An upper bound of half the width.
    #[must_use]
    pub fn radius(self) -> f64 {
        let middle = self.middle();
        (self.hi - middle).max(middle - self.lo).next_up()
    }

    /// The same without its negative part: for a number that is known not to be negative.
    #[must_use]
    pub fn not_negative(self) -> Self {
        // The larger of 0 and an end that is no number, such as 0 times infinity, would be 0: such an end stays what it is.
        let hi = if self.hi < 0.0 { 0.0 } else { self.hi };
        Self {
            lo: self.lo.max(0.0),
            hi,
        }
    }

    /// The quotient by an interval above 0.
    #[must_use]
    pub fn over(self, divisor: Self) -> Self {
        debug_assert!(divisor.lo > 0.0, "a divisor above 0");
        let lo = if self.lo >= 0.0 {
            divisor.hi
        } else {
            divisor.lo
        };
        let hi = if self.hi >= 0.0 {
            divisor.lo
        } else {
            divisor.hi
        };
        let quotient = Self {
            lo: (self.lo / lo).next_down(),
            hi: (self.hi / hi).next_up(),
        };
        if self.lo >= 0.0 {
            quotient.not_negative()
        } else {
            quotient
        }
    }

    /// A power of an interval that is not negative.
    #[must_use]
    pub fn power(self, power: u64) -> Self {
        let mut result = Self::ONE;
        for bit in (0..u64::BITS - power.leading_zeros()).rev() {
            result = result * result;
            if power >> bit & 1 == 1 {
                result = result * self;
            }
        }
        result
    }
}

fn is_above(double: f64, value: &Rational) -> bool {
    rational::from_f64(double).is_ok_and(|double| double > *value) || double == f64::INFINITY
}

fn is_below(double: f64, value: &Rational) -> bool {
    rational::from_f64(double).is_ok_and(|double| double < *value) || double == f64::NEG_INFINITY
}

impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            lo: -self.hi,
            hi: -self.lo,
        }
    }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let sum = Self {
            lo: (self.lo + other.lo).next_down(),
            hi: (self.hi + other.hi).next_up(),
        };
        // A sum of doubles that are not negative is not negative.
        let is_positive = self.lo >= 0.0 && other.lo >= 0.0;
        if is_positive { sum.not_negative() } else { sum }
    }
}

impl Sub for Interval {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self {
            lo: (self.lo - other.hi).next_down(),
            hi: (self.hi - other.lo).next_up(),
        }
    }
}

impl Mul for Interval {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        if self.lo >= 0.0 && other.lo >= 0.0 {
            return Self {
                lo: (self.lo * other.lo).next_down().max(0.0),
                hi: (self.hi * other.hi).next_up(),
            };
        }
        let products = [
            self.lo * other.lo,
            self.lo * other.hi,
            self.hi * other.lo,
            self.hi * other.hi,
        ];
        Self {
            lo: products
                .into_iter()
                .fold(f64::INFINITY, f64::min)
                .next_down(),
            hi: products
                .into_iter()
                .fold(f64::NEG_INFINITY, f64::max)
                .next_up(),
        }
    }
}
