//! One step of a projected gradient descent on the public grid, in integers.
//!
//! What is done here is done to a vector that noise has already made public: it needs no privacy
//! argument. It is exact integer arithmetic all the same, so that equal coins give equal models.

use crate::number::root::ceil_sqrt;
use crate::number::{Rational, TimesRoot, grid};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

/// How far a coordinate moves for a noisy gradient coordinate `v`: `|v| / sqrt(squared_scale)`, rounded
/// down, in the direction of `v`.
#[must_use]
pub fn shift(v: &BigInt, squared_scale: &Rational) -> BigInt {
    // The integer part of a square root is that of the root of the integer part.
    let quotient = (v.pow(2) * squared_scale.denom()).div_floor(squared_scale.numer());
    let magnitude = quotient.sqrt();
    if v.is_negative() {
        -magnitude
    } else {
        magnitude
    }
}

/// The least `v >= 0` that [`shift`] moves by `distance >= 0` or more.
#[must_use]
pub fn least_moved_by(distance: &BigInt, squared_scale: &Rational) -> BigInt {
    // v / sqrt(Q) >= distance, that is v^2 >= distance^2 Q.
    ceil_sqrt(&(squared_scale * distance.pow(2)).ceil().to_integer())
}

/// Beyond this a coordinate is cut off before the projection on the unit ball, so that its square fits:
/// 2^22 times the radius on the finest grid.
const FARTHEST: i128 = 1 << 52;

/// Moves `w` by [`shift`] of each coordinate of `gradient`, and projects it on the ball of radius `one`.
pub fn step(w: &mut [i64], gradient: &[BigInt], squared_scale: &Rational, one: i64) {
    let (numerator, denominator) = (squared_scale.denom(), squared_scale.numer());
    let root = TimesRoot::new(
        numerator.magnitude().clone(),
        denominator.magnitude().clone(),
    );
    for (coordinate, v) in w.iter_mut().zip(gradient) {
        let distance = match v.magnitude().to_u64() {
            Some(word) => root.floor(word),
            None => root.floor_of(v.magnitude()).to_u64(),
        };
        // Beyond 64 bits it ends at the farthest point on its side, wherever it began.
        let distance = i128::from(distance.unwrap_or(u64::MAX));
        let shift = if v.is_negative() { -distance } else { distance };
        let moved = i128::from(*coordinate) + shift;
        *coordinate = moved.clamp(-FARTHEST, FARTHEST) as i64;
    }
    grid::clip_to_radius(w, one.unsigned_abs());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn shifts_are_rounded_towards_zero() {
        // 10 / sqrt(7) = 3.77...
        assert_eq!(shift(&10.into(), &ratio(7, 1)), 3.into());
        assert_eq!(shift(&(-10).into(), &ratio(7, 1)), (-3).into());
        // 6 / sqrt(9/4) = 4 exactly
        assert_eq!(shift(&6.into(), &ratio(9, 4)), 4.into());
    }

    #[test]
    fn the_least_that_moves_so_far_is_found() {
        for scale in [ratio(7, 1), ratio(9, 4), ratio(1, 3), ratio(400, 1)] {
            for distance in 1..20 {
                let least = least_moved_by(&distance.into(), &scale);
                assert!(shift(&least, &scale) >= distance.into());
                assert!(shift(&(least - 1), &scale) < distance.into());
            }
        }
    }

    #[test]
    fn a_step_ends_in_the_ball() {
        let mut w = vec![3, 4];
        step(
            &mut w,
            &[1_000_000.into(), BigInt::from(10).pow(60)],
            &ratio(1, 1),
            16,
        );
        assert!(grid::squared_norm(&w) <= 256);
        assert_eq!(w[1], 15);
    }

    #[test]
    fn a_step_moves_each_coordinate_by_its_shift() {
        let gradient: Vec<BigInt> = (-40..40)
            .map(|k: i64| BigInt::from(k.pow(5)) * 10_000_000_000_000i64)
            .collect();
        for scale in [
            ratio(9, 1),
            ratio(1 << 40, 3),
            Rational::from(BigInt::from(10).pow(36)),
        ] {
            let mut w = vec![5; gradient.len()];
            step(&mut w, &gradient, &scale, 1 << 56);
            for (moved, v) in w.iter().zip(&gradient) {
                let farthest = BigInt::from(FARTHEST);
                let expected = (shift(v, &scale) + 5i64).clamp(-&farthest, farthest);
                assert_eq!(BigInt::from(*moved), expected, "{v}");
            }
        }
    }

    #[test]
    fn a_scale_that_is_not_in_lowest_terms_moves_as_far() {
        let gradient: Vec<BigInt> = (-40..40)
            .map(|k: i64| BigInt::from(k.pow(5)) * 10_000_000_000_000i64)
            .collect();
        for scale in [ratio(9, 1), ratio(1 << 40, 3), ratio(7, 1 << 50)] {
            for factor in [1i64, 2, 999_999, i64::MAX] {
                let raw = Rational::new_raw(scale.numer() * factor, scale.denom() * factor);
                let [mut reduced, mut unreduced] = [(); 2].map(|()| vec![5; gradient.len()]);
                step(&mut reduced, &gradient, &scale, 1 << 30);
                step(&mut unreduced, &gradient, &raw, 1 << 30);
                assert_eq!(reduced, unreduced, "{scale}, {factor}");
            }
        }
    }

    #[test]
    fn a_step_far_out_ends_on_its_side_of_the_ball() {
        let far = BigInt::from(10).pow(60);
        let mut w = vec![0, 0];
        step(&mut w, &[-&far, BigInt::ZERO], &ratio(1, 1), 16);
        assert_eq!(w, [-16, 0]);
        step(&mut w, &[far.clone(), -far], &ratio(1, 1), 16);
        // 16/sqrt(2) = 11.3...
        assert_eq!(w, [11, -11]);
    }
}
