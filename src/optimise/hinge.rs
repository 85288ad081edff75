//! The hinge loss on the unit ball, in integers, and the choice among candidates by it.

use crate::coins::CoinsError;
use crate::number::{Rational, rational};
use crate::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;

/// The loss `l(w; (x, y)) = max(0, target - y <w, x>) / width` of hypotheses and points of the unit
/// ball: convex in `w`, with slope at most `1 / width`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hinge {
    /// The margin from which on nothing is lost, in (0, 1].
    pub target: Rational,
    /// The margin over which the loss falls by one.
    pub width: Rational,
}

impl Hinge {
    /// The loss `max(0, 1 - y <w, x> / margin)`, at least one where `y <w, x> <= 0`.
    #[must_use]
    pub fn of_margin(margin: &Rational) -> Self {
        Self {
            target: margin.clone(),
            width: margin.clone(),
        }
    }

    /// The largest loss, at `y <w, x> = -1`; the smallest is 0. So much does the total loss of a
    /// fixed `w` move under substitution of one record: its sensitivity.
    #[must_use]
    pub fn range(&self) -> Rational {
        (&self.target + rational::integer(1)) / &self.width
    }

    /// The least integer that is not below `target` where `scale` stands for 1: for `w` in steps of `1/a` and `x` in
    /// steps of `1/b`, an inner product is below the target if and only if its integer is below this at `scale = a b`.
    #[must_use]
    pub fn kink(&self, scale: i64) -> BigInt {
        (&self.target * BigInt::from(scale)).ceil().to_integer()
    }

    /// The total loss of `w` over `points`, each of them `y x`, where an inner product of `scale` stands for 1. Exact.
    #[must_use]
    pub fn total(&self, w: &[i64], points: &[Vec<i64>], scale: i64) -> Rational {
        let kink = self.kink(scale);
        let mut below = 0u64;
        let mut sum = BigInt::ZERO;
        for point in points {
            let product = inner_product(w, point);
            if BigInt::from(product) < kink {
                below += 1;
                sum += product;
            }
        }
        (&self.target * BigInt::from(below) - Rational::new(sum, scale.into())) / &self.width
    }

    /// The exponential mechanism on the total losses of the candidates: their sensitivity under
    /// substitution is the loss's range.
    ///
    /// # Errors
    /// Those of [`ExponentialMechanism::new`].
    pub fn choice(
        &self,
        candidates: &[Vec<i64>],
        points: &[Vec<i64>],
        epsilon: &Rational,
        scale: i64,
    ) -> Result<ExponentialMechanism, CoinsError> {
        let class = |w: &Vec<i64>| ScoreClass {
            loss: self.total(w, points, scale),
            count: 1u32.into(),
        };
        let classes = candidates.iter().map(class).collect();
        ExponentialMechanism::new(epsilon.clone(), self.range(), classes)
    }
}

/// The inner product of two vectors of norm at most `2^30`: no partial sum exceeds `2^60`, by the
/// inequality of Cauchy and Schwarz.
#[must_use]
pub fn inner_product(w: &[i64], x: &[i64]) -> i64 {
    w.iter().zip(x).map(|(w, x)| w * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use num_traits::Zero;

    #[test]
    fn the_total_is_the_sum_of_the_losses() {
        let hinge = Hinge {
            target: ratio(12, 25),
            width: ratio(43, 100),
        };
        // The target is at 30.72 / 64; the product of the last with w is 31, the kink.
        let points = vec![vec![3, -2], vec![-4, 4], vec![0, 0], vec![8, 0], vec![5, 3]];
        let w = [5, 2];
        let expected: Rational = points
            .iter()
            .map(|p| {
                let s = ratio(p[0] * w[0] + p[1] * w[1], 64);
                ((&hinge.target - s) / &hinge.width).max(Rational::zero())
            })
            .sum();
        assert_eq!(hinge.total(&w, &points, 64), expected);
    }

    #[test]
    fn the_choice_is_made_with_the_range_as_sensitivity() {
        // Losses 0, 1 and 5 of three candidates on one point, in a range of 5.
        let hinge = Hinge::of_margin(&ratio(1, 4));
        assert_eq!(hinge.range(), integer(5));
        let candidates = [vec![2], vec![0], vec![-8]];
        let law = hinge.choice(&candidates, &[vec![8]], &integer(3), 64);
        let exponents = [integer(0), ratio(3, 10), ratio(15, 10)];
        assert_eq!(law.unwrap().exponents(), exponents);
        assert_eq!(
            hinge.choice(&[], &[], &integer(3), 64),
            Err(CoinsError::NoOutcome)
        );
    }
}
