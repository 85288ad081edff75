//! The natural logarithm.

use super::exponential::{Sign, power_series};
use super::{Dyadic, Enclosure, Rational};
use crate::Error;

impl Enclosure {
    /// The natural logarithm, to nearly full relative accuracy also for arguments close to one.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] unless the whole enclosure is positive.
    pub fn ln(&self) -> Result<Self, Error> {
        if !self.lo().is_positive() {
            return Err(Error::OutOfDomain("ln"));
        }
        Ok(self.monotone(|x| ln_at(x, self.bits())))
    }

    /// `ln(1 + self)`, to nearly full relative accuracy also for tiny arguments.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] unless the whole enclosure is above `-1`.
    pub fn ln_1p(&self) -> Result<Self, Error> {
        if *self.lo() <= Dyadic::from(-1) {
            return Err(Error::OutOfDomain("ln_1p"));
        }
        Ok(self.monotone(|x| {
            if x.magnitude() <= -2 {
                ln_near_one(x, self.bits() + 16)
            } else {
                ln_at(&(x + &Dyadic::from(1)), self.bits())
            }
        }))
    }

    /// The natural logarithm of two, as `18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749)`.
    ///
    /// With `2 artanh(1/n) = ln((n + 1) / (n - 1))` this is
    /// `9 ln(27/25) - ln(2401/2400) + 4 ln(4375/4374)`, in which all primes but one `2` cancel.
    #[must_use]
    pub fn ln_two(bits: u32) -> Self {
        let guarded = bits + 16;
        let part = |times: i64, n: u64| {
            Self::integer(times, guarded)
                * inverse_tangent_of_reciprocal(n, guarded, Sign::Constant)
        };
        (part(18, 26) - part(2, 4801) + part(8, 8749)).with_bits(bits)
    }
}

/// `ln x` at one positive point.
///
/// `x = 2^k m` with `3/4 <= m < 3/2`. If `k = 0` there is nothing to cancel; otherwise
/// `|k| ln 2 >= 0.69` and `|ln m| < 0.41`, so that the sum loses at most two bits.
pub(super) fn ln_at(x: &Dyadic, bits: u32) -> Enclosure {
    let guarded = bits + 24;
    let mut k = x.magnitude();
    if x.shifted(-k) < Dyadic::new(3, -2) {
        k -= 1;
    }
    let from_one = &x.shifted(-k) - &Dyadic::from(1);
    let value = ln_near_one(&from_one, guarded);
    if k == 0 {
        return value;
    }
    value + Enclosure::integer(k, guarded) * Enclosure::ln_two(guarded)
}

/// `ln(1 + x) = 2 artanh(z)` with `z = x / (2 + x)`, for `-1/4 <= x < 1/2`.
///
/// Then `z^2 <= 1/25`, and the series in `z^2` is multiplied by `z` at the end: what is lost of a
/// tiny `x` is relative to it.
fn ln_near_one(x: &Dyadic, bits: u32) -> Enclosure {
    let two_plus_x = x + &Dyadic::from(2);
    let z = Enclosure::new(
        &x.divided_below(&two_plus_x, bits),
        &x.divided_above(&two_plus_x, bits),
        bits,
    );
    z.shifted(1) * power_series(&z.squared(), bits, Sign::Constant, odd_reciprocals)
}

/// `1 / n` times the sum of `(+-1)^j / ((2j + 1) n^(2j))`: the inverse tangent of `1/n` if the signs
/// alternate, otherwise the inverse hyperbolic tangent; for `n >= 2`.
pub(super) fn inverse_tangent_of_reciprocal(n: u64, bits: u32, sign: Sign) -> Enclosure {
    let z = Enclosure::of(&Rational::new(1.into(), n.into()), bits);
    let series = power_series(&z.squared(), bits, sign, odd_reciprocals);
    z * series
}

/// The ratios that make the coefficients `1, 1/3, 1/5, ...`; they are below one.
pub(super) fn odd_reciprocals(n: u64) -> (u64, u64) {
    (2 * n - 1, 2 * n + 1)
}
