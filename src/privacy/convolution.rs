//! Convolution of masses on a range of integers, in fixed point.
//!
//! Masses are integers in units of `2^-point`, rounded down, and one number bounds how far each is below the truth. A
//! product of two lists is one product of two long integers: the masses stand side by side in them, far enough apart that
//! no sum of products runs into the next.
//!
//! The bound: let `a <= A <= a + s` and `b <= B <= b + t`, entry by entry, with true masses `A`, `B` of sum at most 1. Then
//! an entry of the convolution has `sum of A B - sum of a b = sum of A (B - b) + sum of b (A - a) <= t + s`, since either
//! sum runs over each mass once. Rounding down costs one unit more.

use crate::number::{Dyadic, Enclosure};
use num_bigint::BigUint;
use num_traits::Zero;

/// Masses at 0, 1, 2, ...: of a law, or of a part of it.
pub(super) struct Masses {
    /// In units of `2^-point`, rounded down.
    units: Vec<BigUint>,
    /// No mass is more units above its entry.
    error: BigUint,
    point: u32,
}

impl Masses {
    /// Masses at given places below `length`, which differ.
    pub(super) fn new(masses: &[(usize, &Enclosure)], length: usize, point: u32) -> Self {
        let mut units = vec![BigUint::zero(); length];
        let mut error = BigUint::zero();
        for (place, mass) in masses {
            let [below, above] = [
                mass.lo().shifted(point.into()),
                mass.hi().shifted(point.into()),
            ];
            let below = below.floor().magnitude().clone();
            error = error.max(above.ceil().magnitude() - &below);
            units[*place] = below;
        }
        Self {
            units,
            error,
            point,
        }
    }

    /// The masses of the sum of two independent integers.
    pub(super) fn product(&self, other: &Self) -> Self {
        // No sum of products is above the product of the sums.
        let sum = |masses: &Self| masses.units.iter().sum::<BigUint>().bits();
        let words = ((sum(self) + sum(other)) / 32 + 1) as usize;
        let long = self.side_by_side(words) * other.side_by_side(words);
        let digits = long.to_u32_digits();
        let units = (0..self.units.len() + other.units.len() - 1).map(|place| {
            let start = (place * words).min(digits.len());
            let end = (start + words).min(digits.len());
            BigUint::from_slice(&digits[start..end]) >> self.point
        });
        Self {
            units: units.collect(),
            error: &self.error + &other.error + 1u32,
            point: self.point,
        }
    }

    /// The masses of the sum of `times >= 1` independent integers, by repeated squaring.
    pub(super) fn power(&self, times: u64) -> Self {
        let mut result: Option<Self> = None;
        for bit in (0..times.max(1).ilog2() + 1).rev() {
            result = result.map(|half| half.product(&half));
            if times >> bit & 1 == 1 {
                result = Some(match &result {
                    None => Self {
                        units: self.units.clone(),
                        error: self.error.clone(),
                        point: self.point,
                    },
                    Some(even) => even.product(self),
                });
            }
        }
        result.unwrap_or(Self {
            units: Vec::new(),
            error: BigUint::zero(),
            point: self.point,
        })
    }

    /// The masses as enclosures.
    pub(super) fn enclosures(&self, bits: u32) -> impl Iterator<Item = Enclosure> + '_ {
        let exponent = -i64::from(self.point);
        self.units.iter().map(move |units| {
            let above = units + &self.error;
            Enclosure::new(
                &Dyadic::new(units.clone(), exponent),
                &Dyadic::new(above, exponent),
                bits,
            )
        })
    }

    fn side_by_side(&self, words: usize) -> BigUint {
        let mut digits = vec![0u32; self.units.len() * words];
        for (place, units) in self.units.iter().enumerate() {
            for (digit, word) in digits[place * words..]
                .iter_mut()
                .zip(units.iter_u32_digits())
            {
                *digit = word;
            }
        }
        BigUint::from_slice(&digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Rational;
    use crate::number::rational::ratio;
    use proptest::prelude::*;

    /// The convolution term by term, in rationals.
    fn term_by_term(a: &[Rational], b: &[Rational]) -> Vec<Rational> {
        let mut sums = vec![ratio(0, 1); a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                sums[i + j] += x * y;
            }
        }
        sums
    }

    fn masses(of: &[Rational], point: u32) -> Masses {
        let enclosed: Vec<Enclosure> = of.iter().map(|p| Enclosure::of(p, 200)).collect();
        let places: Vec<_> = enclosed.iter().enumerate().collect();
        Masses::new(&places, of.len(), point)
    }

    proptest! {
        #[test]
        fn the_truth_is_enclosed(weights in prop::collection::vec(0i64..1000, 1..6), times in 1u64..9, point in 10u32..100) {
            let total: i64 = weights.iter().sum::<i64>() + 1;
            let law: Vec<Rational> = weights.iter().map(|&w| ratio(w, total)).collect();
            let mut truth = law.clone();
            for _ in 1..times {
                truth = term_by_term(&truth, &law);
            }
            let power = masses(&law, point).power(times);
            let found: Vec<Enclosure> = power.enclosures(200).collect();
            prop_assert_eq!(found.len(), truth.len());
            for (found, truth) in found.iter().zip(&truth) {
                prop_assert!(found.contains(truth));
                let units = (found.upper() - found.lower()) * Rational::from_integer(num_bigint::BigInt::from(1) << point);
                prop_assert!(units <= ratio(3 * times as i64, 1));
            }
        }
    }
}
