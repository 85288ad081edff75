//! The exponential, and the power series from which all functions of this room are summed.

use super::mantissa::Mantissa;
use super::memo::Memo;
use super::{Dyadic, Enclosure, NumberError, Rational};

/// The exponential is computed for arguments up to `2^RANGE`.
const RANGE: i64 = 22;

thread_local! {
    static EXPONENTIALS: Memo = Memo::new(exp_at);
    static LESS_ONE: Memo = Memo::new(exp_minus_one_at);
}

impl Enclosure {
    /// `e^self`.
    ///
    /// Below `-2^22` the answer is `[0, 2^-(2^22)]`, which is true because `e > 2`.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] for arguments above `2^22`.
    pub fn exp(&self) -> Result<Self, NumberError> {
        if *self.hi() > Dyadic::new(1, RANGE) {
            return Err(self.outside("exp", "the argument must be at most 2^22"));
        }
        Ok(EXPONENTIALS.with(|known| self.monotone(|x| known.at(x, self.bits()))))
    }

    /// `e^x` to nearly `bits` bits, however large the exact `x` is.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] for arguments above `2^22`.
    pub fn exp_of(x: &Rational, bits: u32) -> Result<Self, NumberError> {
        // An absolute error of 2^-(bits + 2) in the argument is a relative one in the exponential,
        // and the argument has at most RANGE + 1 bits before the point.
        let argument = Self::of(x, bits + RANGE as u32 + 4);
        Ok(argument.exp()?.with_bits(bits))
    }

    /// `e^self - 1`, to nearly full relative accuracy also for arguments close to zero.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] for arguments above `2^22`.
    pub fn exp_minus_one(&self) -> Result<Self, NumberError> {
        if *self.hi() > Dyadic::new(1, RANGE) {
            return Err(self.outside("exp_minus_one", "the argument must be at most 2^22"));
        }
        Ok(LESS_ONE.with(|known| self.monotone(|x| known.at(x, self.bits()))))
    }

    /// The hyperbolic tangent of `self`, of any size, to nearly full relative accuracy also for arguments close to zero.
    #[must_use]
    pub fn tanh(&self) -> Self {
        self.monotone(|x| tanh_at(x, self.bits()))
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

/// `tanh(x)` at one point: odd, and `(e^(2x) - 1)/(e^(2x) + 1)` for `x >= 0`.
fn tanh_at(x: &Dyadic, bits: u32) -> Enclosure {
    if x.is_negative() {
        return -tanh_at(&x.abs(), bits);
    }
    let guarded = bits + 8;
    if x.magnitude() > RANGE - 2 {
        // 1 - tanh(x) = 2/(e^(2x) + 1), which is below 2^-x for x >= 1.
        let below = Dyadic::new(1, -i64::from(guarded.min(1 << (RANGE - 3))));
        let one = Dyadic::new(1, 0);
        return Enclosure::new(&(&one - &below), &one, guarded);
    }
    let grown = exp_minus_one_at(&x.shifted(1), guarded);
    let value = grown.over(&(&grown + Enclosure::integer(2, guarded)));
    let one = Enclosure::integer(1, guarded);
    value.min(&one).with_bits(bits + 4)
}

/// The enclosure of one dyadic, at the precision it has.
pub(super) fn exactly(x: &Dyadic) -> Enclosure {
    Enclosure::new(x, x, x.mantissa_bits() as u32)
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
    let (unit, places) = (Mantissa::from(1), u64::from(bits));
    let one = &unit << places;
    let u_lo = u.lo().shifted(i64::from(bits)).whole();
    let u_hi = -&(-u.hi()).shifted(i64::from(bits)).whole();
    let (mut term_lo, mut term_hi) = (one.clone(), one.clone());
    let (mut sum_lo, mut sum_hi) = (one.clone(), one.clone());
    let mut n = 1;
    loop {
        let (a, b) = ratio(n);
        term_lo = ((term_lo * &u_lo * a) >> places) / b;
        term_hi = ((term_hi * &u_hi * a) >> places) / b + &unit;
        if sign == Sign::Alternating && n % 2 == 1 {
            sum_lo -= &term_hi;
            sum_hi -= &term_lo;
        } else {
            sum_lo += &term_lo;
            sum_hi += &term_hi;
        }
        if term_hi == unit && &u_hi * (2 * a) <= &one * b {
            break;
        }
        n += 1;
    }
    if sign == Sign::Alternating {
        sum_lo -= &unit;
    }
    sum_hi += &unit;
    let scale = -i64::from(bits);
    Enclosure::new(&Dyadic::of(sum_lo, scale), &Dyadic::of(sum_hi, scale), bits)
}

#[cfg(test)]
mod tests {
    use super::super::rational::{integer, parse, ratio};
    use super::*;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    fn any_argument() -> impl Strategy<Value = Dyadic> {
        (any::<i64>(), -200i64..-50).prop_map(|(m, e)| Dyadic::new(m, e))
    }

    fn point(x: &Dyadic, bits: u32) -> Enclosure {
        Enclosure::new(x, x, bits)
    }

    #[test]
    fn known_digits() {
        let e = Enclosure::integer(1, 200).exp().unwrap();
        assert!(e.has_digits(58));
        let (below, above) = e.to_decimals(50);
        assert_eq!(below, "2.7182818284590452353602874713526624977572470936999");
        assert_eq!(above, "2.7182818284590452353602874713526624977572470937000");
        let tiny = Enclosure::of(&parse("1e-20").unwrap(), 200)
            .exp_minus_one()
            .unwrap();
        assert_eq!(
            tiny.to_decimals(45).0,
            "1.00000000000000000000500000000000000000001666e-20"
        );
    }

    #[test]
    fn the_ends_of_the_range() {
        let top = Enclosure::integer(1 << 22, 64);
        assert!(top.exp().unwrap().has_digits(16));
        assert!((&top + &Enclosure::integer(1, 64)).exp().is_err());
        assert!((&top + &Enclosure::integer(1, 64)).exp_minus_one().is_err());
        let bottom = (-&top).exp().unwrap();
        assert!(bottom.lo().is_positive() && bottom.has_digits(16));
        let below = Enclosure::of(&integer(-BigInt::from(10).pow(40)), 64);
        let vanished = below.exp().unwrap();
        assert!(vanished.lo().is_zero() && vanished.hi().is_positive());
        assert!(bottom.hi() < vanished.hi());
        assert!(below.exp_minus_one().unwrap().contains(&ratio(-1, 1)));
        let wide = Enclosure::between(&integer(-BigInt::from(10).pow(40)), &integer(1), 64);
        assert!(wide.exp().unwrap().contains(&integer(2)));
        assert_eq!(
            Enclosure::integer(0, 64).exp_minus_one().unwrap().width(),
            Dyadic::zero()
        );
    }

    #[test]
    fn hyperbolic_tangents_of_another_program() {
        let tanh = |text: &str, bits: u32| Enclosure::of(&parse(text).unwrap(), bits).tanh();
        let at = |text: &str| tanh(text, 200).to_decimals(30).0;
        assert_eq!(at("0.5"), "0.462117157260009758502318483643");
        assert_eq!(at("-2"), "-0.964027580075816883946413724101");
        assert_eq!(at("1e-20"), "9.99999999999999999999999999999e-21");
        assert!(tanh("1e-20", 200).has_digits(58));
        assert!(at("30").starts_with("0.9999999999999999999999999824"));
        // Odd, within [-1, 1], and 1 to all bits far out.
        for size in ["0", "1/3", "100", "1048575", "1048577", "1e40"] {
            let (plus, minus) = (tanh(size, 64), tanh(&format!("-{size}"), 64));
            assert_eq!(plus, -&minus);
            assert!(plus.hi() <= Enclosure::integer(1, 64).hi() && plus.has_digits(16));
        }
        let wide = Enclosure::between(&integer(-1), &ratio(1, 2), 64).tanh();
        assert!(wide.contains(&ratio(-76, 100)) && wide.contains(&ratio(46, 100)));
        assert!(!wide.contains(&ratio(-77, 100)) && !wide.contains(&ratio(47, 100)));
    }

    #[test]
    fn a_rational_argument_keeps_its_digits_when_it_is_large() {
        let value = Enclosure::exp_of(&ratio(-10_000_000, 3), 128).unwrap();
        assert!(value.has_digits(36));
        assert!(
            value
                .power(3)
                .meets(&Enclosure::exp_of(&integer(-10_000_000), 128).unwrap())
        );
    }

    proptest! {
        #[test]
        fn exponents_add(a in any_argument(), b in any_argument(), bits in 16u32..300) {
            prop_assume!(a.magnitude() <= 12 && b.magnitude() <= 12);
            let product = point(&a, 400).exp().unwrap() * point(&b, 400).exp().unwrap();
            let sum = point(&(&a + &b), 400).exp().unwrap();
            prop_assert!(product.meets(&sum));
            // A lower precision meets the same number and is as narrow as it says.
            let wide = exp_at(&a, bits);
            prop_assert!(wide.meets(&exp_at(&a, 400)));
            prop_assert!(wide.width().magnitude() <= wide.hi().magnitude() - i64::from(bits));
        }

        #[test]
        fn minus_one_is_relative(a in any_argument(), bits in 16u32..300) {
            let x = a.shifted(-a.magnitude().max(-1000) / 2);
            prop_assume!(x.magnitude() <= 12);
            let value = exp_minus_one_at(&x, bits);
            prop_assert!(value.width().is_zero()
                || value.width().magnitude() <= value.hi().abs().magnitude() - i64::from(bits));
            let other = exp_at(&x, 600) - Enclosure::integer(1, 600);
            prop_assert!(value.meets(&other));
        }

        #[test]
        fn the_hyperbolic_tangent_is_a_quotient_of_exponentials(a in any_argument(), bits in 16u32..300) {
            let x = a.shifted(-a.magnitude().max(-1000) / 2);
            prop_assume!(x.magnitude() <= 8);
            let value = tanh_at(&x, bits);
            prop_assert!(value.width().is_zero()
                || value.width().magnitude() <= value.hi().abs().magnitude() + 1 - i64::from(bits));
            let (up, down) = (exp_at(&x, 3000), exp_at(&-&x, 3000));
            prop_assert!(value.meets(&(&up - &down).over(&(up + down))));
        }

        #[test]
        fn larger_arguments_have_larger_exponentials(a in any_argument(), b in any_argument()) {
            prop_assume!(a < b && b.magnitude() <= 14);
            let (low, high) = (exp_at(&a, 300), exp_at(&b, 300));
            prop_assert!(low.lo() <= high.hi());
            let both = Enclosure::new(&a, &b, 300).exp().unwrap();
            prop_assert!(both.meets(&low) && both.meets(&high));
        }
    }
}
