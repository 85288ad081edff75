//! Exact rationals.

use num_bigint::BigInt;

/// An exact rational number in lowest terms.
pub type Rational = num_rational::BigRational;

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
    (value + ratio(1, 2)).floor().to_integer()
}
