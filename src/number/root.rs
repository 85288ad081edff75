//! The square root.

use super::{Dyadic, Enclosure, NumberError};
use num_integer::Roots;

impl Enclosure {
    /// The square root.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] if the enclosure reaches below zero.
    pub fn sqrt(&self) -> Result<Self, NumberError> {
        if self.lo().is_negative() {
            return Err(self.outside("sqrt", "the argument must not be negative"));
        }
        Ok(self.monotone(|x| sqrt_at(x, self.bits())))
    }
}

/// The square root of one point that is not negative; exact squares have exact roots.
///
/// `x = m 4^e` with an integer `m` of at least `2 bits + 4` bits, whose integer root `r` has at least
/// `bits + 2` bits and satisfies `r^2 <= m < (r + 1)^2`.
pub(super) fn sqrt_at(x: &Dyadic, bits: u32) -> Enclosure {
    let missing = (2 * i64::from(bits) + 4 - x.mantissa_bits() as i64).max(0);
    let shift = missing + (x.exponent() - missing).rem_euclid(2);
    let m = x.mantissa() << shift;
    let r = m.sqrt();
    let above = if &r * &r == m { r.clone() } else { &r + 1u32 };
    let e = (x.exponent() - shift) / 2;
    Enclosure::new(&Dyadic::new(r, e), &Dyadic::new(above, e), bits + 4)
}

/// The least integer `r` with `r^2 >= n`, for `n >= 0`.
pub(crate) fn ceil_sqrt<T: Roots + Clone>(n: &T) -> T {
    let root = n.sqrt();
    match root.clone() * root.clone() < *n {
        true => root + T::one(),
        false => root,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rational::{integer, ratio};
    use super::*;
    use num_bigint::BigUint;
    use proptest::prelude::*;

    #[test]
    fn roots_of_integers_are_rounded_up() {
        for (n, root) in [
            (0u32, 0u32),
            (1, 1),
            (2, 2),
            (3, 2),
            (4, 2),
            (5, 3),
            (16, 4),
            (17, 5),
        ] {
            assert_eq!(ceil_sqrt(&n), root);
            assert_eq!(ceil_sqrt(&BigUint::from(n)), root.into());
        }
        assert_eq!(ceil_sqrt(&u64::MAX), 1 << 32);
    }

    #[test]
    fn known_digits() {
        let root = Enclosure::integer(2, 200).sqrt().unwrap();
        assert_eq!(
            root.to_decimals(50).0,
            "1.4142135623730950488016887242096980785696718753769"
        );
        assert!(root.has_digits(58));
    }

    #[test]
    fn squares_are_exact_and_negatives_refused() {
        let twelve = Enclosure::integer(144, 64).sqrt().unwrap();
        assert!(twelve.width().is_zero() && twelve.contains(&integer(12)));
        assert!(Enclosure::integer(0, 64).sqrt().unwrap().width().is_zero());
        assert!(Enclosure::of(&ratio(-1, 1_000_000), 64).sqrt().is_err());
        let wide = Enclosure::between(&integer(0), &integer(9), 64)
            .sqrt()
            .unwrap();
        assert!(wide.contains(&integer(0)) && wide.contains(&integer(3)));
    }

    proptest! {
        #[test]
        fn the_square_is_undone(m in 0..i64::MAX, e in -3000i64..3000, bits in 2u32..300) {
            let x = Dyadic::new(m, e);
            let root = sqrt_at(&x, bits);
            prop_assert!(root.lo() * root.lo() <= x && x <= root.hi() * root.hi());
            prop_assert!(root.width().is_zero()
                || root.width().magnitude() <= root.hi().magnitude() - i64::from(bits));
        }
    }
}
