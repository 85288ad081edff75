//! The natural logarithm.

use super::exponential::{Sign, power_series};
use super::memo::Memo;
use super::{Dyadic, Enclosure, NumberError, Rational};

thread_local! {
    static LOGARITHMS: Memo = Memo::new(ln_at);
    static OF_ONE_AND: Memo = Memo::new(ln_1p_at);
    static OF_TWO: Memo = Memo::new(|_, bits| ln_two(bits));
}

impl Enclosure {
    /// The natural logarithm, to nearly full relative accuracy also for arguments close to one.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] unless the whole enclosure is positive.
    pub fn ln(&self) -> Result<Self, NumberError> {
        if !self.lo().is_positive() {
            return Err(self.outside("ln", "the argument must be positive"));
        }
        Ok(LOGARITHMS.with(|known| self.monotone(|x| known.at(x, self.bits()))))
    }

    /// `ln(1 + self)`, to nearly full relative accuracy also for tiny arguments.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] unless the whole enclosure is above `-1`.
    pub fn ln_1p(&self) -> Result<Self, NumberError> {
        if *self.lo() <= Dyadic::from(-1) {
            return Err(self.outside("ln_1p", "the argument must be above -1"));
        }
        Ok(OF_ONE_AND.with(|known| self.monotone(|x| known.at(x, self.bits()))))
    }

    /// The natural logarithm of two, as `18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749)`.
    ///
    /// With `2 artanh(1/n) = ln((n + 1) / (n - 1))` this is
    /// `9 ln(27/25) - ln(2401/2400) + 4 ln(4375/4374)`, in which all primes but one `2` cancel.
    #[must_use]
    pub fn ln_two(bits: u32) -> Self {
        OF_TWO.with(|known| known.at(&Dyadic::from(2), bits))
    }
}

fn ln_two(bits: u32) -> Enclosure {
    let guarded = bits + 16;
    let part = |times: i64, n: u64| {
        Enclosure::integer(times, guarded)
            * inverse_tangent_of_reciprocal(n, guarded, Sign::Constant)
    };
    (part(18, 26) - part(2, 4801) + part(8, 8749)).with_bits(bits)
}

/// `ln(1 + x)` at one point above -1.
fn ln_1p_at(x: &Dyadic, bits: u32) -> Enclosure {
    if x.magnitude() <= -2 {
        ln_near_one(x, bits + 16)
    } else {
        ln_at(&(x + &Dyadic::from(1)), bits)
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

#[cfg(test)]
mod tests {
    use super::super::rational::{integer, parse, ratio};
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn any_positive() -> impl Strategy<Value = Dyadic> {
        (1..i64::MAX, -400i64..300).prop_map(|(m, e)| Dyadic::new(m, e))
    }

    #[test]
    fn known_digits() {
        let two = Enclosure::ln_two(200);
        assert!(two.has_digits(58));
        let digits = "0.69314718055994530941723212145817656807550013436025";
        assert_eq!(two.to_decimals(50).0, digits);
        assert_eq!(
            Enclosure::integer(2, 200).ln().unwrap().to_decimals(50).0,
            digits
        );
        let ten = Enclosure::integer(10, 200).ln().unwrap();
        assert_eq!(
            ten.to_decimals(50).0,
            "2.3025850929940456840179914546843642076011014886287"
        );
        let tiny = Enclosure::of(&parse("1e-20").unwrap(), 200)
            .ln_1p()
            .unwrap();
        assert_eq!(
            tiny.to_decimals(45).0,
            "9.99999999999999999995000000000000000000033333e-21"
        );
    }

    #[test]
    fn close_to_one_the_digits_are_relative() {
        let close = Enclosure::new(
            &(&Dyadic::from(1) + &Dyadic::new(1, -150)),
            &(&Dyadic::from(1) + &Dyadic::new(1, -150)),
            200,
        );
        let value = close.ln().unwrap();
        assert!(value.has_digits(58));
        assert!(
            value.meets(
                &Enclosure::new(&Dyadic::new(1, -150), &Dyadic::new(1, -150), 200)
                    .ln_1p()
                    .unwrap()
            )
        );
        assert!(Enclosure::integer(1, 64).ln().unwrap().width().is_zero());
    }

    #[test]
    fn outside_the_domain() {
        assert!(Enclosure::integer(0, 64).ln().is_err());
        assert!(
            Enclosure::between(&integer(-1), &integer(3), 64)
                .ln()
                .is_err()
        );
        assert!(Enclosure::integer(-1, 64).ln_1p().is_err());
        assert!(
            Enclosure::of(&ratio(-999_999, 1_000_000), 64)
                .ln_1p()
                .unwrap()
                .has_digits(13)
        );
    }

    proptest! {
        #[test]
        fn the_exponential_is_undone(m in any::<i64>(), e in -120i64..-50) {
            let x = Dyadic::new(m, e);
            let back = Enclosure::new(&x, &x, 200).exp().unwrap().ln().unwrap();
            prop_assert!(back.contains(&x.to_rational()));
        }

        #[test]
        fn logarithms_add(a in any_positive(), b in any_positive(), bits in 16u32..300) {
            let product = ln_at(&(&a * &b), bits);
            prop_assert!(product.meets(&(ln_at(&a, 200) + ln_at(&b, 200))));
            prop_assert!(product.width().is_zero()
                || product.width().magnitude() <= product.hi().abs().magnitude() - i64::from(bits));
        }

        #[test]
        fn both_forms_agree(n in -999_999i64..i64::MAX, e in 0u32..200) {
            let x = Rational::new(n.into(), BigInt::from(1_000_000) << e);
            let plain = Enclosure::of(&(Rational::from_integer(1.into()) + &x), 600).ln().unwrap();
            let value = Enclosure::of(&x, 128).ln_1p().unwrap();
            prop_assert!(value.meets(&plain));
            // Close to -1 the value depends on the argument more than the argument's own digits say.
            prop_assert!(n <= 0 || value.has_digits(35));
        }
    }
}
