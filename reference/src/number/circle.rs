//! Pi and the functions of the circle.

use super::exponential::{Sign, exactly, power_series};
use super::logarithm::inverse_tangent_of_reciprocal;
use super::{Dyadic, Enclosure};
use crate::Error;
use num_bigint::BigInt;
use num_integer::Integer;

/// Sine and cosine are computed for arguments up to `2^RANGE`.
const RANGE: i64 = 64;

impl Enclosure {
    /// Pi, by Machin's formula `pi = 16 arctan(1/5) - 4 arctan(1/239)`.
    ///
    /// The remainder of both series is bounded as for every power series of this room.
    #[must_use]
    pub fn pi(bits: u32) -> Self {
        let guarded = bits + 16;
        let part = |n| inverse_tangent_of_reciprocal(n, guarded, Sign::Alternating);
        (part(5).shifted(4) - part(239).shifted(2)).with_bits(bits)
    }

    /// The sine.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] for arguments beyond `2^64` in absolute value.
    pub fn sin(&self) -> Result<Self, Error> {
        self.sine_after(0).ok_or(Error::OutOfDomain("sin"))
    }

    /// The cosine.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] for arguments beyond `2^64` in absolute value.
    pub fn cos(&self) -> Result<Self, Error> {
        self.sine_after(1).ok_or(Error::OutOfDomain("cos"))
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
