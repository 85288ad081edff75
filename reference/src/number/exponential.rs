//! The exponential, and the power series from which all functions of this room are summed.

use super::{Dyadic, Enclosure, Rational};
use crate::Error;
use num_bigint::BigInt;
use num_traits::One;

/// The exponential is computed for arguments up to `2^RANGE`.
const RANGE: i64 = 22;

impl Enclosure {
    /// `e^self`.
    ///
    /// Below `-2^22` the answer is `[0, 2^-(2^22)]`, which is true because `e > 2`.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] for arguments above `2^22`.
    pub fn exp(&self) -> Result<Self, Error> {
        if *self.hi() > Dyadic::new(1, RANGE) {
            return Err(Error::OutOfDomain("exp"));
        }
        Ok(self.monotone(|x| exp_at(x, self.bits())))
    }

    /// `e^x` to nearly `bits` bits, however large the exact `x` is.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] for arguments above `2^22`.
    pub fn exp_of(x: &Rational, bits: u32) -> Result<Self, Error> {
        // An absolute error of 2^-(bits + 2) in the argument is a relative one in the exponential,
        // and the argument has at most RANGE + 1 bits before the point.
        let argument = Self::of(x, bits + RANGE as u32 + 4);
        Ok(argument.exp()?.with_bits(bits))
    }

    /// `e^self - 1`, to nearly full relative accuracy also for arguments close to zero.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] for arguments above `2^22`.
    pub fn exp_minus_one(&self) -> Result<Self, Error> {
        if *self.hi() > Dyadic::new(1, RANGE) {
            return Err(Error::OutOfDomain("exp_minus_one"));
        }
        Ok(self.monotone(|x| exp_minus_one_at(x, self.bits())))
    }
}

/// `e^x` at one point that is at most `2^RANGE`.
///
/// With `y = |x| / 2^k < 2^-s` the series of `e^y` has ratios of at most `1/2` and [`power_series`]
/// bounds its remainder. Each of the `k` squarings at most doubles the relative width and adds the
/// rounding, so that `k` guard bits and a few more keep `bits` bits.
pub(super) fn exp_at(x: &Dyadic, bits: u32) -> Enclosure {
    if *x < Dyadic::new(-1, RANGE) {
        let tiny = Dyadic::new(1, -(1 << RANGE));
        return Enclosure::new(&Dyadic::zero(), &tiny, bits);
    }
    // Each halving costs a squaring at the end and saves terms: about the square root balances.
    let small = i64::from(bits.isqrt() / 2 + 1);
    let halvings = x.magnitude().saturating_add(small).max(0);
    let guarded = bits + halvings as u32 + 24;
    let reduced = exactly(&x.abs().shifted(-halvings));
    let mut value = power_series(&reduced, guarded, Sign::Constant, |n| (1, n));
    for _ in 0..halvings {
        value = value.squared();
    }
    if x.is_negative() {
        value = Enclosure::integer(1, guarded).over(&value);
    }
    value.with_bits(bits + 4)
}

/// `e^x - 1` at one point that is at most `2^RANGE`.
///
/// Near zero it is `x` times the series of `x^n / (n + 1)!`, which does not cancel; from `1/2` on the
/// subtraction costs at most two bits.
fn exp_minus_one_at(x: &Dyadic, bits: u32) -> Enclosure {
    let guarded = bits + 16;
    let value = if x.magnitude() < 0 {
        let sign = if x.is_negative() {
            Sign::Alternating
        } else {
            Sign::Constant
        };
        exactly(x) * power_series(&exactly(&x.abs()), guarded, sign, |n| (1, n + 1))
    } else {
        exp_at(x, guarded) - Enclosure::integer(1, guarded)
    };
    value.with_bits(bits + 4)
}

/// The enclosure of one dyadic, at the precision it has.
pub(super) fn exactly(x: &Dyadic) -> Enclosure {
    Enclosure::new(x, x, x.mantissa().bits() as u32)
}

/// The signs of the terms of a power series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// All terms are added.
    Constant,
    /// Terms with an odd index are subtracted.
    Alternating,
}

/// The sum over `n >= 0` of `(+-1)^n c_n u^n` with `c_0 = 1` and `c_n = c_(n-1) * a / b` for
/// `(a, b) = ratio(n)`, to an absolute error of a few units `2^-bits` for each term.
///
/// The caller guarantees `u >= 0` and that from some term on the ratio `u a / b` of each term to the
/// one before stays at most `1/2`: either because `a / b` never increases and tends to zero, or
/// because `a <= b` and `u <= 1/2`.
///
/// Two integers carry a lower and an upper bound of each term in units of `2^-bits`: one is always
/// rounded down and the other up. We stop at a term of at most one unit from which on the ratios are
/// at most `1/2`; the terms after it are then at most `1/2 + 1/4 + ... = 1` unit together, whatever
/// their signs, and both bounds of the sum are moved apart by this unit.
pub(super) fn power_series(
    u: &Enclosure,
    bits: u32,
    sign: Sign,
    ratio: impl Fn(u64) -> (u64, u64),
) -> Enclosure {
    let one = BigInt::one() << bits;
    let u_lo = u.lo().shifted(i64::from(bits)).floor();
    let u_hi = u.hi().shifted(i64::from(bits)).ceil();
    let (mut term_lo, mut term_hi) = (one.clone(), one.clone());
    let (mut sum_lo, mut sum_hi) = (one.clone(), one.clone());
    let mut n = 1;
    loop {
        let (a, b) = ratio(n);
        term_lo = ((term_lo * &u_lo * a) >> bits) / b;
        term_hi = ((term_hi * &u_hi * a) >> bits) / b + 1u32;
        if sign == Sign::Alternating && n % 2 == 1 {
            sum_lo -= &term_hi;
            sum_hi -= &term_lo;
        } else {
            sum_lo += &term_lo;
            sum_hi += &term_hi;
        }
        if term_hi.is_one() && &u_hi * (2 * a) <= &one * b {
            break;
        }
        n += 1;
    }
    if sign == Sign::Alternating {
        sum_lo -= 1u32;
    }
    sum_hi += 1u32;
    let scale = -i64::from(bits);
    Enclosure::new(
        &Dyadic::new(sum_lo, scale),
        &Dyadic::new(sum_hi, scale),
        bits,
    )
}
