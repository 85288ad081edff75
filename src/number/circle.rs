//! Pi and the functions of the circle.

use super::exponential::{Sign, exactly, power_series};
use super::logarithm::{inverse_tangent_of_reciprocal, odd_reciprocals};
use super::memo::Memo;
use super::root::sqrt_at;
use super::{Dyadic, Enclosure, NumberError};
use num_bigint::BigInt;
use num_integer::Integer;

/// Sine and cosine are computed for arguments up to `2^RANGE`.
const RANGE: i64 = 64;

thread_local! {
    static PI: Memo = Memo::new(|_, bits| pi(bits));
}

impl Enclosure {
    /// Pi, by Machin's formula `pi = 16 arctan(1/5) - 4 arctan(1/239)`.
    ///
    /// The remainder of both series is bounded as for every power series of this room.
    #[must_use]
    pub fn pi(bits: u32) -> Self {
        PI.with(|known| known.at(&Dyadic::zero(), bits))
    }

    /// The sine.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] for arguments beyond `2^64` in absolute value.
    pub fn sin(&self) -> Result<Self, NumberError> {
        self.sine_after(0)
            .ok_or_else(|| self.outside("sin", "the argument must be within 2^64 of zero"))
    }

    /// The cosine.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] for arguments beyond `2^64` in absolute value.
    pub fn cos(&self) -> Result<Self, NumberError> {
        self.sine_after(1)
            .ok_or_else(|| self.outside("cos", "the argument must be within 2^64 of zero"))
    }

    /// The inverse tangent, between `-pi/2` and `pi/2`.
    #[must_use]
    pub fn atan(&self) -> Self {
        self.monotone(|x| atan_at(x, self.bits()))
    }

    /// The inverse cosine, between `0` and `pi`; relatively accurate also for arguments close to one.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] unless the whole enclosure is in `[-1, 1]`.
    pub fn acos(&self) -> Result<Self, NumberError> {
        let one = Dyadic::from(1);
        if *self.lo() < -&one || *self.hi() > one {
            return Err(self.outside("acos", "the argument must be between -1 and 1"));
        }
        Ok(self.monotone(|x| acos_at(x, self.bits())))
    }

    /// `sin(self + quarters pi/2)`, or nothing beyond the range.
    ///
    /// No derivative of the sine exceeds one, so that the value at a centre, widened by the radius,
    /// contains all values of the interval, its extrema included.
    fn sine_after(&self, quarters: u8) -> Option<Self> {
        let limit = Dyadic::new(1, RANGE);
        if *self.lo() < -&limit || *self.hi() > limit {
            return None;
        }
        // For a single point the centre is the point and the radius zero.
        let centre = self.midpoint().round_down(self.bits() + 2);
        let radius = (self.hi() - &centre).max(&centre - self.lo());
        let value = sine_at(&centre, self.bits(), quarters).widened(&radius);
        let one = Self::integer(1, self.bits());
        Some(value.max(&-&one).min(&one).with_bits(self.bits()))
    }
}

fn pi(bits: u32) -> Enclosure {
    let guarded = bits + 16;
    let part = |n| inverse_tangent_of_reciprocal(n, guarded, Sign::Alternating);
    (part(5).shifted(4) - part(239).shifted(2)).with_bits(bits)
}

/// `sin(x + quarters pi/2)` at one point within the range.
///
/// With the integer `n` nearest to `x / (pi/2)` and `y = x - n pi/2` it is `+-sin y` or `+-cos y`. A
/// number of `b` bits is hardly ever closer than `2^-b` to a multiple of `pi/2`: the difference is
/// computed to twice the bits, so that its digits are relative also next to a zero of the function.
/// (Where this does not suffice, the enclosure is wide, not wrong.)
fn sine_at(x: &Dyadic, bits: u32, quarters: u8) -> Enclosure {
    let (y, turns) = if *x < Dyadic::new(3, -2) && *x > Dyadic::new(-3, -2) {
        (exactly(x), BigInt::from(quarters))
    } else {
        let reduction = 2 * bits + RANGE as u32 + 32;
        let quarter = Enclosure::pi(reduction).shifted(-1);
        let ratio = exactly(x).with_bits(reduction).over(&quarter).midpoint();
        let n = (&ratio + &Dyadic::new(1, -1)).floor();
        let y = exactly(x) - quarter * Enclosure::integer(n.clone(), reduction);
        (y, n + quarters)
    };
    let guarded = bits + 16;
    let y = y.with_bits(guarded);
    // The ratios of the coefficients 1/(2n)! and 1/(2n+1)!.
    let squared = y.squared();
    let cosine = || {
        power_series(&squared, guarded, Sign::Alternating, |n| {
            (1, (2 * n - 1) * (2 * n))
        })
    };
    let sine = || {
        &y * power_series(&squared, guarded, Sign::Alternating, |n| {
            (1, 2 * n * (2 * n + 1))
        })
    };
    let quadrant = turns.mod_floor(&BigInt::from(4));
    let value = if quadrant.is_even() { sine() } else { cosine() };
    if quadrant >= BigInt::from(2) {
        -value
    } else {
        value
    }
}

/// The inverse tangent at one point.
///
/// It is odd, and `arctan x = pi/2 - arctan(1/x)` for `x > 0`. On `[0, 1]` the argument is halved,
/// `arctan y = 2 arctan(y / (1 + sqrt(1 + y^2)))`, until `y <= 1/8`: three times at most, as
/// `tan(pi/32) < 1/8`. What is left is `y` times an alternating series in `y^2`.
fn atan_at(x: &Dyadic, bits: u32) -> Enclosure {
    let guarded = bits + 24;
    let one = Enclosure::integer(1, guarded);
    let size = exactly(&x.abs()).with_bits(guarded);
    let inverted = *size.lo() > Dyadic::from(1);
    let mut y = if inverted { one.over(&size) } else { size };
    let mut halvings = 0;
    while *y.hi() > Dyadic::new(1, -3) {
        y = y.over(&(&one + (&one + y.squared()).monotone(|x| sqrt_at(x, guarded))));
        halvings += 1;
    }
    let y = y.with_bits(guarded);
    let series = power_series(&y.squared(), guarded, Sign::Alternating, odd_reciprocals);
    let mut value = (y * series).shifted(halvings);
    if inverted {
        value = Enclosure::pi(guarded).shifted(-1) - value;
    }
    if x.is_negative() { -value } else { value }
}

/// The inverse cosine at one point of `[-1, 1]`, as `2 arctan(sqrt((1 - x) / (1 + x)))`.
fn acos_at(x: &Dyadic, bits: u32) -> Enclosure {
    let guarded = bits + 24;
    let one = Dyadic::from(1);
    let above = exactly(&(&one + x)).with_bits(guarded);
    if above.lo().is_zero() {
        return Enclosure::pi(guarded);
    }
    let below = exactly(&(&one - x)).with_bits(guarded);
    let tangent = below.over(&above).monotone(|x| sqrt_at(x, guarded));
    tangent.atan().shifted(1)
}

#[cfg(test)]
mod tests {
    use super::super::rational::{integer, parse, ratio};
    use super::*;
    use proptest::prelude::*;

    fn point(x: &Dyadic, bits: u32) -> Enclosure {
        Enclosure::new(x, x, bits)
    }

    fn any_argument() -> impl Strategy<Value = Dyadic> {
        (any::<i64>(), -200i64..=0).prop_map(|(m, e)| Dyadic::new(m, e))
    }

    #[test]
    fn known_digits() {
        let pi = Enclosure::pi(200);
        assert_eq!(
            pi.to_decimals(50).0,
            "3.1415926535897932384626433832795028841971693993751"
        );
        assert!(pi.has_digits(58));
        assert!(Enclosure::pi(2000).meets(&pi) && Enclosure::pi(2000).has_digits(600));
        let one = Enclosure::integer(1, 200);
        let (sin, cos) = (one.sin().unwrap(), one.cos().unwrap());
        assert_eq!(
            sin.to_decimals(50).0,
            "0.84147098480789650665250232163029899962256306079837"
        );
        assert_eq!(
            cos.to_decimals(50).0,
            "0.54030230586813971740093660744297660373231042061792"
        );
        let large = Enclosure::of(&parse("1e15").unwrap(), 200).sin().unwrap();
        assert_eq!(
            large.to_decimals(50).0,
            "0.85827279317023583552388639084840664660020340822072"
        );
        let three = Enclosure::integer(3, 200).atan();
        assert_eq!(
            three.to_decimals(50).0,
            "1.2490457723982544258299170772810901230778294041298"
        );
        let third = Enclosure::of(&ratio(1, 3), 200).acos().unwrap();
        assert_eq!(
            third.to_decimals(50).0,
            "1.2309594173407746821349291782479873757103400093550"
        );
    }

    #[test]
    fn next_to_a_zero_the_digits_are_relative() {
        // The double nearest to pi.
        let near = parse("0x3.243f6a8885a3p+0").unwrap();
        let value = Enclosure::of(&near, 128).sin().unwrap();
        assert!(value.has_digits(36));
        assert_eq!(value.to_decimals(10).0, "1.224646799e-16");
    }

    #[test]
    fn wide_intervals_contain_the_extrema() {
        let around = |lo, hi| Enclosure::between(&lo, &hi, 64);
        let top = around(ratio(3, 2), ratio(17, 10)).sin().unwrap();
        assert!(top.contains(&integer(1)) && *top.hi() == Dyadic::from(1));
        let all = around(integer(-100), integer(100)).cos().unwrap();
        assert!(
            all.contains(&integer(1))
                && all.contains(&integer(-1))
                && all.width() == Dyadic::from(2)
        );
        let limit = integer(BigInt::from(1) << 64);
        assert!(
            around(limit.clone(), limit.clone())
                .cos()
                .unwrap()
                .has_digits(16)
        );
        assert!(around(limit.clone(), limit + integer(1)).cos().is_err());
    }

    #[test]
    fn the_ends_of_the_inverse_functions() {
        let one = Enclosure::integer(1, 128);
        assert!(one.acos().unwrap().contains(&integer(0)));
        assert!((-&one).acos().unwrap().meets(&Enclosure::pi(128)));
        assert!((&one + &one).acos().is_err());
        assert!(one.atan().shifted(2).meets(&Enclosure::pi(128)));
        assert!(Enclosure::integer(0, 128).atan().width().is_zero());
        assert!(
            Enclosure::new(&Dyadic::new(1, 9000), &Dyadic::new(1, 9000), 128)
                .atan()
                .has_digits(37)
        );
        let close = Enclosure::of(&(integer(1) - parse("1e-30").unwrap()), 300)
            .acos()
            .unwrap();
        // arccos(1 - t) = sqrt(2 t) (1 + t/12 + ...)
        assert_eq!(
            close.to_decimals(30).0,
            "1.41421356237309504880168872420e-15"
        );
    }

    proptest! {
        #[test]
        fn squares_add_to_one(x in any_argument(), bits in 16u32..300) {
            let (sin, cos) = (point(&x, 64).with_bits(bits.max(64)).sin().unwrap(), point(&x, 64).cos().unwrap());
            prop_assert!((sin.squared() + cos.squared()).contains(&integer(1)));
            for value in [sine_at(&x, bits, 0), sine_at(&x, bits, 1)] {
                prop_assert!(value.width().is_zero()
                    || value.width().magnitude() <= value.hi().abs().magnitude() - i64::from(bits));
            }
            prop_assert!(sine_at(&x, bits, 0).meets(&sine_at(&x, 400, 0)));
            let double = sine_at(&x, 300, 0) * sine_at(&x, 300, 1);
            prop_assert!(double.shifted(1).meets(&sine_at(&x.shifted(1), 300, 0)));
        }

        #[test]
        fn every_point_of_a_wide_interval_is_covered(x in -1000i64..1000, width in 0i64..400, at in 0i64..=400) {
            let (lo, hi) = (ratio(x, 100), ratio(x + width, 100));
            let inner = ratio(x + at.min(width), 100);
            let value = Enclosure::of(&inner, 64).sin().unwrap();
            prop_assert!(Enclosure::between(&lo, &hi, 64).sin().unwrap().meets(&value));
        }

        #[test]
        fn the_inverse_tangent_is_undone(x in any_argument(), bits in 16u32..300) {
            let angle = atan_at(&x, bits);
            prop_assert!(angle.width().is_zero()
                || angle.width().magnitude() <= angle.hi().abs().magnitude() - i64::from(bits));
            let angle = point(&x, 400).atan();
            let back = angle.sin().unwrap().divided_by(&angle.cos().unwrap()).unwrap();
            prop_assert!(back.contains(&x.to_rational()));
        }

        #[test]
        fn the_inverse_cosine_is_undone(n in -1_000_000i64..=1_000_000) {
            let x = Enclosure::of(&ratio(n, 1_000_000), 200);
            let back = x.acos().unwrap().cos().unwrap();
            prop_assert!(back.meets(&x) && back.width() < Dyadic::new(1, -180));
        }
    }
}
