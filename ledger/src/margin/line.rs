//! Least hinge losses on the line, exactly.

use dp_assay::number::Rational;
use num_traits::{One, Signed, Zero};

/// The sum of `weight max(0, 1 - z w)` over points `(weight, z)`.
pub(super) fn hinge(points: &[(Rational, Rational)], w: &Rational) -> Rational {
    let mut sum = Rational::zero();
    for (weight, z) in points {
        sum += weight * (Rational::one() - z * w).max(Rational::zero());
    }
    sum
}

/// A `w` of least [`hinge`], among those with `|w| <= limit` if there is one, and the least value.
///
/// The function is convex, piecewise linear and bounded below: it is least at 0, at an end, or where a term bends,
/// `w = 1/z`.
pub(super) fn least_hinge(
    points: &[(Rational, Rational)],
    limit: Option<&Rational>,
) -> (Rational, Rational) {
    let bends = points.iter().filter(|(_, z)| !z.is_zero());
    let bends = bends.map(|(_, z)| z.recip());
    let ends = limit.into_iter().flat_map(|end| [end.clone(), -end]);
    let inside = |w: &Rational| limit.is_none_or(|end| w.abs() <= *end);
    let mut best = (Rational::zero(), hinge(points, &Rational::zero()));
    for w in bends.chain(ends).filter(inside) {
        let value = hinge(points, &w);
        if value < best.1 {
            best = (w, value);
        }
    }
    best
}
