//! The public grid that data lives on.

use super::{NumberError, Rational, TimesRoot};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

/// The grid of all multiples of `2^-bits`; a point on it is an integer count of `2^-bits`.
///
/// The grid is public: it is fixed before the data are seen. Placing is record by record, so that
/// neighbouring datasets stay neighbouring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    bits: u32,
}

/// The finest grid accepted, in bits.
pub const FINEST: u32 = 40;

impl Grid {
    /// The multiples of `2^-bits`.
    ///
    /// # Errors
    /// [`NumberError::GridTooFine`] above [`FINEST`] bits.
    pub const fn new(bits: u32) -> Result<Self, NumberError> {
        if bits > FINEST {
            return Err(NumberError::GridTooFine {
                bits,
                limit: FINEST,
            });
        }
        Ok(Self { bits })
    }

    /// The grid's number of bits `b`: its step is `2^-b`.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// How many steps make one: `2^bits`.
    #[must_use]
    pub const fn one(self) -> i64 {
        1 << self.bits
    }

    /// The nearest grid point, ties to even: for data whose norm is bounded with room to spare.
    ///
    /// # Errors
    /// [`NumberError::OffGrid`] if it does not fit in 64 bits.
    pub fn nearest(self, value: &Rational) -> Result<i64, NumberError> {
        let doubled = value.numer() << (self.bits + 1);
        let floor = doubled.div_floor(value.denom());
        let exact = (&doubled % value.denom()) == BigInt::ZERO;
        // `floor` counts half steps: an odd exact one is a tie.
        let (half, odd) = floor.div_mod_floor(&BigInt::from(2));
        let up = odd.is_one() && (!exact || half.is_odd());
        self.fit(if up { half + 1 } else { half }, value)
    }

    /// The nearest grid point that is not farther from zero: never increases a norm.
    ///
    /// # Errors
    /// [`NumberError::OffGrid`] if it does not fit in 64 bits.
    pub fn towards_zero(self, value: &Rational) -> Result<i64, NumberError> {
        let magnitude = (value.numer().abs() << self.bits).div_floor(value.denom());
        self.fit(
            if value.is_negative() {
                -magnitude
            } else {
                magnitude
            },
            value,
        )
    }

    fn fit(self, steps: BigInt, value: &Rational) -> Result<i64, NumberError> {
        steps.to_i64().ok_or_else(|| NumberError::OffGrid {
            value: super::rational::to_scientific(value, 6),
            bits: self.bits,
        })
    }

    /// The rational that a grid point is.
    #[must_use]
    pub fn value(self, steps: i64) -> Rational {
        Rational::new(steps.into(), self.one().into())
    }
}

/// The sum of squares of an integer vector: its squared norm, exactly, if it is below `2^128`.
#[must_use]
pub fn squared_norm(vector: &[i64]) -> u128 {
    vector
        .iter()
        .map(|&v| {
            let magnitude = u128::from(v.unsigned_abs());
            magnitude * magnitude
        })
        .sum()
}

/// Shortens an integer vector that is longer than `radius` to one of norm at most `radius`, each
/// coordinate rounded towards zero; a vector that is not longer is left as it is.
///
/// The result is a function of this vector alone, and its squared norm is at most `radius^2`
/// exactly: a norm bound that privacy may rest on.
pub fn clip_to_radius(vector: &mut [i64], radius: u64) {
    // What wraps round 128 bits would pass for short.
    let square = |&v: &i64| u128::from(v.unsigned_abs()).pow(2);
    let in_words = vector
        .iter()
        .try_fold(0u128, |sum, v| sum.checked_add(square(v)));
    let norm_squared: BigUint = match in_words {
        Some(sum) if sum <= u128::from(radius).pow(2) => return,
        Some(sum) => sum.into(),
        None => vector.iter().map(square).map(BigUint::from).sum(),
    };
    rescale(vector, radius, norm_squared);
}

/// Replaces `v` by `v * radius / |v|`, each coordinate rounded towards zero; `norm_squared` is
/// `|v|^2` and must not be zero.
pub fn rescale_towards_zero(vector: &mut [i64], radius: u64, norm_squared: u128) {
    rescale(vector, radius, norm_squared.into());
}

fn rescale(vector: &mut [i64], radius: u64, norm_squared: BigUint) {
    let factor = TimesRoot::new(BigUint::from(radius).pow(2), norm_squared);
    for coordinate in vector.iter_mut() {
        let scaled = factor.floor(coordinate.unsigned_abs());
        let scaled = scaled.map_or(i64::MAX, |scaled| i64::try_from(scaled).unwrap_or(i64::MAX));
        *coordinate = if *coordinate < 0 { -scaled } else { scaled };
    }
}

#[cfg(test)]
mod tests {
    use super::super::rational::ratio;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ties_go_to_even() {
        let grid = Grid::new(0).unwrap();
        for (numerator, nearest) in [(1, 0), (3, 2), (5, 2), (-1, 0), (-3, -2), (-5, -2)] {
            assert_eq!(
                grid.nearest(&ratio(numerator, 2)).unwrap(),
                nearest,
                "{numerator}/2"
            );
        }
        assert_eq!(grid.nearest(&ratio(-26, 10)).unwrap(), -3);
        assert_eq!(grid.nearest(&ratio(-24, 10)).unwrap(), -2);
        assert_eq!(grid.towards_zero(&ratio(-26, 10)).unwrap(), -2);
    }

    #[test]
    fn of_all_vectors_around_a_radius_those_beyond_are_clipped_and_no_others() {
        for radius in 0..30u64 {
            for x in 0..=radius as i64 + 1 {
                for y in [-x, 3, radius as i64 - 1, radius as i64] {
                    let mut clipped = [x, y];
                    clip_to_radius(&mut clipped, radius);
                    let is_inside = squared_norm(&[x, y]) <= u128::from(radius).pow(2);
                    assert_eq!(clipped == [x, y], is_inside, "{x} {y}, {radius}");
                    assert!(squared_norm(&clipped) <= u128::from(radius).pow(2));
                }
            }
        }
    }

    #[test]
    fn a_vector_whose_squared_norm_needs_more_than_128_bits_is_clipped() {
        // 128 squares of 2^61 are 2^129, which is 0 in 128 bits: within any ball.
        let mut vector = vec![1i64 << 61; 128];
        clip_to_radius(&mut vector, 1 << 20);
        assert!(squared_norm(&vector) <= 1 << 40);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        assert!(Grid::new(FINEST + 1).is_err());
        let grid = Grid::new(40).unwrap();
        assert!(grid.nearest(&ratio(i64::MAX, 1)).is_err());
    }

    proptest! {
        #[test]
        fn rounding_errs_by_at_most_half_a_step(n in -1_000_000i64..1_000_000, d in 1i64..1_000_000, bits in 0u32..=20) {
            let grid = Grid::new(bits).unwrap();
            let value = ratio(n, d);
            let error = (grid.value(grid.nearest(&value).unwrap()) - &value).abs();
            prop_assert!(error * ratio(2, 1) <= ratio(1, grid.one()));
            let inward = grid.value(grid.towards_zero(&value).unwrap());
            prop_assert!(inward.abs() <= value.abs());
            prop_assert!((inward - value).abs() < ratio(1, grid.one()));
        }

        #[test]
        fn a_clipped_vector_is_inside_and_close(vector in prop::collection::vec(-1_000_000_000i64..1_000_000_000, 1..8), radius in 0u64..1 << 30) {
            let before = squared_norm(&vector);
            let mut clipped = vector.clone();
            clip_to_radius(&mut clipped, radius);
            prop_assert!(squared_norm(&clipped) <= u128::from(radius).pow(2));
            if before <= u128::from(radius).pow(2) {
                prop_assert_eq!(&clipped, &vector);
            }
            for (c, v) in clipped.iter().zip(&vector) {
                prop_assert!(c.signum() * v.signum() >= 0 && c.abs() <= v.abs());
            }
        }
    }
}
