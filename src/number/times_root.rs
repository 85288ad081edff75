//! Multiplication of integers by one square root, rounded down.

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

/// Multiplies integers by the square root of a fraction, each product rounded down: exactly, and mostly in words.
///
/// The root is bracketed once by two neighbours, in units of `2^-places`. Where the products with both round to the same
/// integer it is that of the root; elsewhere, once in about `2^60 / v` integers `v`, the square decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimesRoot {
    numerator: BigUint,
    denominator: BigUint,
    /// `lower <= 2^places sqrt(numerator / denominator) < lower + 1 <= 2^62`; `None` for a root that is no such number.
    bracket: Option<(u64, u32)>,
}

impl TimesRoot {
    /// The root of `numerator / denominator`; the denominator must not be zero.
    #[must_use]
    pub fn new(numerator: BigUint, denominator: BigUint) -> Self {
        // So many places that the scaled fraction has at most 124 bits.
        let places = (122 + denominator.bits() as i64 - numerator.bits() as i64).div_euclid(2);
        let bracket = u32::try_from(places)
            .ok()
            .filter(|&places| places < 127 && !numerator.is_zero())
            .and_then(|places| {
                // The root of an integer part has the integer part of the root.
                let scaled = ((&numerator << (2 * places)) / &denominator).to_u128()?;
                Some((u64::try_from(scaled.isqrt()).ok()?, places))
            });
        Self {
            numerator,
            denominator,
            bracket,
        }
    }

    /// `floor(v root)`; `None` from `2^64` on.
    #[must_use]
    pub fn floor(&self, v: u64) -> Option<u64> {
        if let Some((lower, places)) = self.bracket {
            let product = |root: u64| (u128::from(v) * u128::from(root)) >> places;
            let (low, high) = (product(lower), product(lower + 1));
            if low == high {
                return u64::try_from(low).ok();
            }
        }
        self.floor_of(&v.into()).to_u64()
    }

    /// `floor(v root)`.
    #[must_use]
    pub fn floor_of(&self, v: &BigUint) -> BigUint {
        (v * v * &self.numerator / &self.denominator).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn root(numerator: u128, denominator: u128) -> TimesRoot {
        TimesRoot::new(numerator.into(), denominator.into())
    }

    #[test]
    fn a_product_that_is_an_integer_is_not_rounded_below_it() {
        // A third has no last binary place: the lower neighbour alone would give 0, 1, 2, ...
        for k in 0..100 {
            assert_eq!(root(1, 9).floor(3 * k), Some(k));
            assert_eq!(root(1, 9).floor(3 * k + 2), Some(k));
        }
        assert_eq!(root(4, 1).floor(21), Some(42));
    }

    #[test]
    fn roots_out_of_the_bracket_are_exact_too() {
        let huge = TimesRoot::new(BigUint::from(1u32) << 126, 1u32.into());
        assert_eq!(huge.bracket, None);
        assert_eq!((huge.floor(1), huge.floor(2)), (Some(1 << 63), None));
        let tiny = TimesRoot::new(1u32.into(), BigUint::from(1u32) << 200);
        assert_eq!(tiny.bracket, None);
        assert_eq!(tiny.floor(u64::MAX), Some(0));
        assert_eq!(tiny.floor_of(&(BigUint::from(5u32) << 100)), 5u32.into());
        assert_eq!(root(0, 5).floor(7), Some(0));
    }

    proptest! {
        #[test]
        fn the_square_of_a_product_is_just_below(
            v in any::<u64>(), v_bits in 0u32..64,
            n in any::<u128>(), n_bits in 0u32..128, d in any::<u128>(), d_bits in 0u32..128,
        ) {
            let (v, n, d) = (v >> v_bits, n >> n_bits, (d >> d_bits).max(1));
            let root = root(n, d);
            let exact = root.floor_of(&v.into());
            prop_assert_eq!(root.floor(v), exact.to_u64());
            let square = BigUint::from(v).pow(2) * n;
            prop_assert!(exact.pow(2) * d <= square && square < (exact + 1u32).pow(2) * d);
        }

        #[test]
        fn the_bracket_holds_the_root(n in 1u128.., d in 1u128.., n_bits in 0u32..128, d_bits in 0u32..128) {
            let (n, d) = ((n >> n_bits).max(1), (d >> d_bits).max(1));
            if let Some((lower, places)) = root(n, d).bracket {
                prop_assert!(lower < 1 << 62);
                let scaled = BigUint::from(n) << (2 * places);
                prop_assert!(BigUint::from(lower).pow(2) * d <= scaled);
                prop_assert!(scaled < BigUint::from(lower + 1).pow(2) * d);
            }
        }
    }
}
