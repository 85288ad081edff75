//! The square root.

use super::{Dyadic, Enclosure};
use crate::Error;

impl Enclosure {
    /// The square root.
    ///
    /// # Errors
    /// [`Error::OutOfDomain`] if the enclosure reaches below zero.
    pub fn sqrt(&self) -> Result<Self, Error> {
        if self.lo().is_negative() {
            return Err(Error::OutOfDomain("sqrt"));
        }
        Ok(self.monotone(|x| sqrt_at(x, self.bits())))
    }
}

/// The square root of one point that is not negative; exact squares have exact roots.
///
/// `x = m 4^e` with an integer `m` of at least `2 bits + 4` bits, whose integer root `r` has at least
/// `bits + 2` bits and satisfies `r^2 <= m < (r + 1)^2`.
pub(super) fn sqrt_at(x: &Dyadic, bits: u32) -> Enclosure {
    let missing = (2 * i64::from(bits) + 4 - x.mantissa().bits() as i64).max(0);
    let shift = missing + (x.exponent() - missing).rem_euclid(2);
    let m = x.mantissa() << shift;
    let r = m.sqrt();
    let above = if &r * &r == m { r.clone() } else { &r + 1u32 };
    let e = (x.exponent() - shift) / 2;
    Enclosure::new(&Dyadic::new(r, e), &Dyadic::new(above, e), bits + 4)
}
