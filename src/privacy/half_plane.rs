//! What a claim allows the probabilities of one event: the half-planes around its region, in any measure.
//!
//! A claim on all pairs of neighbours, in both orders, allows the probabilities `(p, q)` of an event on the first and the
//! second dataset a closed convex region, symmetric under `(p, q) -> (q, p)` (the datasets are exchanged) and
//! `(p, q) -> (1 - p, 1 - q)` (the event is). It is an intersection of half-planes `p <= slope q + delta` with
//! `slope >= 1`, and each of them is the claim (ln slope, delta). `spec/auditor.md` has the proofs.
//!
//! Every number here is exact or rounded up, so that a half-plane contains the whole region: to refute it refutes the
//! claim. Where it touches the region, that is the choice of whoever asks, and costs power only.

use super::{PrivacyError, gaussian};
use crate::number::range::{above_zero, require};
use crate::number::rational::shortly;
use crate::number::{Enclosure, Rational};
use num_traits::{One, Signed, Zero};

/// `p <= slope q + delta` for the probabilities of every event on two neighbours, in both orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HalfPlane {
    slope: Rational,
    delta: Rational,
}

impl HalfPlane {
    /// With a slope of at least 1, and a delta in [0, 1).
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`].
    pub fn new(slope: Rational, delta: Rational) -> Result<Self, PrivacyError> {
        require(
            slope >= Rational::one(),
            "the slope",
            &shortly(&slope),
            "at least 1",
        )?;
        super::error::proper_delta(&delta)?;
        Ok(Self { slope, delta })
    }

    /// The claim (epsilon, delta), its slope rounded up; at epsilon 0 it is exactly 1.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] for a negative epsilon or a delta outside [0, 1); those of the exponential.
    pub fn of_budget(
        epsilon: &Rational,
        delta: &Rational,
        bits: u32,
    ) -> Result<Self, PrivacyError> {
        let slope = match epsilon.is_zero() {
            true => Rational::one(),
            false => Enclosure::exp_of(epsilon, bits)?.upper(),
        };
        Self::new(slope, delta.clone())
    }

    /// `p <= slope q + intercept` for every event and in both orders, with any slope above 0: below 1 it says the same as
    /// `p <= q / slope + (slope - 1 + intercept) / slope`, of the other order and the complement of the event.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`].
    pub fn line(slope: &Rational, intercept: &Rational) -> Result<Self, PrivacyError> {
        above_zero("the slope", slope)?;
        if *slope >= Rational::one() {
            return Self::new(slope.clone(), intercept.clone());
        }
        let delta = (slope - Rational::one() + intercept) / slope;
        Self::new(slope.recip(), delta)
    }

    /// The half-plane together with `weight` in [0, 1] times its mirror image `(1 - q) <= slope (1 - p) + delta`: their
    /// sum, divided by the coefficient of `p`. With weight 1 the slope is 1.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`].
    pub fn turned(&self, weight: &Rational) -> Result<Self, PrivacyError> {
        let one = Rational::one();
        require(
            !weight.is_negative() && *weight <= one,
            "the weight",
            &shortly(weight),
            "in [0, 1]",
        )?;
        let by = &one + weight * &self.slope;
        let slope = (&self.slope + weight) / &by;
        let delta = (weight * (&self.slope - &one) + (&one + weight) * &self.delta) / by;
        Self::new(slope, delta)
    }

    /// The part `weight` in [0, 1] of the way from this half-plane to another one of the same region.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`].
    pub fn towards(&self, other: &Self, weight: &Rational) -> Result<Self, PrivacyError> {
        let rest = Rational::one() - weight;
        Self::new(
            &rest * &self.slope + weight * &other.slope,
            rest * &self.delta + weight * &other.delta,
        )
    }

    /// The half-plane of the claim whose epsilon and delta are `factor` times as large, rounded up.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] for a factor that is not above 0, or a delta of 1 and more.
    pub fn stretched(&self, factor: &Rational, bits: u32) -> Result<Self, PrivacyError> {
        above_zero("the factor", factor)?;
        let epsilon = Enclosure::of(&self.slope, bits).ln()? * Enclosure::of(factor, bits);
        let slope = epsilon.exp()?.upper().max(Rational::one());
        Self::new(slope, factor * &self.delta)
    }

    /// Of "the Rényi divergence of this order, above 1, is at most epsilon": the tangent of
    /// `p^order q^(1 - order) + (1 - p)^order (1 - q)^(1 - order)`, a convex function of both, at a point
    /// `0 < q < p < 1`. Everywhere on the region the tangent is at most `e^((order - 1) epsilon)`; at a point on its
    /// boundary it touches the region.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`], also if the half-plane at this point says nothing; those of the real functions.
    pub fn of_renyi(
        order: &Rational,
        epsilon: &Rational,
        (p, q): (&Rational, &Rational),
        bits: u32,
    ) -> Result<Self, PrivacyError> {
        let one = Rational::one();
        require(*order > one, "the order", &shortly(order), "above 1")?;
        let likelier = inside(p, q)?;
        let power = Enclosure::of(&(order - &one), bits);
        // Both terms over e^((order - 1) epsilon).
        let term = |ratio: &Rational| {
            let gap = Enclosure::of(ratio, bits).ln()? - Enclosure::of(epsilon, bits);
            (&power * &gap).exp()
        };
        let (within, beside) = (term(&(p / q))?, term(&likelier)?);
        let of = |value: &Rational| Enclosure::of(value, bits);
        let value = of(p) * &within + of(&(&one - p)) * &beside;
        let rise = of(order) * (&within - &beside);
        let fall = &power * &(of(&(p / q)) * &within - of(&likelier) * &beside);
        tangent((p, q), &(of(&one) - value), &rise, &fall, bits)
    }

    /// Of "the Kullback-Leibler divergence is at most `most`", which is the Rényi divergence of order 1: the tangent of
    /// `p ln(p / q) + (1 - p) ln((1 - p) / (1 - q))` at a point `0 < q < p < 1`.
    ///
    /// # Errors
    /// As for [`Self::of_renyi`].
    pub fn of_kullback_leibler(
        most: &Rational,
        (p, q): (&Rational, &Rational),
        bits: u32,
    ) -> Result<Self, PrivacyError> {
        let one = Rational::one();
        let likelier = inside(p, q)?;
        let of = |value: &Rational| Enclosure::of(value, bits);
        let (within, beside) = (of(&(p / q)).ln()?, of(&likelier).ln()?);
        let value = of(p) * &within + of(&(&one - p)) * &beside;
        let fall = of(&(p / q)) - of(&likelier);
        let rise = &within - &beside;
        tangent((p, q), &(of(most) - value), &rise, &fall, bits)
    }

    /// Of "as hard to tell apart as normal laws at distance `mu`" (`mu`-Gaussian privacy): the profile of Gaussian noise
    /// at this epsilon.
    ///
    /// # Errors
    /// As for [`gaussian::profile`].
    pub fn of_gaussian(mu: &Rational, epsilon: &Rational, bits: u32) -> Result<Self, PrivacyError> {
        let delta = gaussian::profile(mu, epsilon, bits)?.upper();
        Self::of_budget(epsilon, &delta, bits)
    }

    /// `e^epsilon`, at least 1.
    #[must_use]
    pub fn slope(&self) -> &Rational {
        &self.slope
    }

    /// Delta, in [0, 1).
    #[must_use]
    pub fn delta(&self) -> &Rational {
        &self.delta
    }
}

/// Checks that `0 < q < p < 1`, and gives `(1 - p) / (1 - q)`.
fn inside(p: &Rational, q: &Rational) -> Result<Rational, PrivacyError> {
    let one = Rational::one();
    require(
        q.is_positive() && q < p && *p < one,
        "the point",
        &format!("({}, {})", shortly(p), shortly(q)),
        "two probabilities, the first above the second",
    )?;
    Ok((&one - p) / (one - q))
}

/// The half-plane of `rise (P - p) - fall (Q - q) <= spare`.
fn tangent(
    (p, q): (&Rational, &Rational),
    spare: &Enclosure,
    rise: &Enclosure,
    fall: &Enclosure,
    bits: u32,
) -> Result<HalfPlane, PrivacyError> {
    let slope = fall.divided_by(rise)?;
    let delta = Enclosure::of(p, bits) - &slope * &Enclosure::of(q, bits);
    let delta = (delta + spare.divided_by(rise)?).upper();
    // A point inside the region, or rounding, may give less than what every event has.
    HalfPlane::line(&slope.upper(), &delta)
}

#[cfg(test)]
#[allow(clippy::float_arithmetic)] // a second arithmetic, which decides nothing
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio, to_f64_for_display};
    use proptest::prelude::*;

    const BITS: u32 = 96;

    /// The Rényi divergence of a two-point law from another, in floats: an arithmetic and a formula of its own.
    fn divergence(order: f64, p: f64, q: f64) -> f64 {
        let term = |p: f64, q: f64| p * ((order - 1.0) * (p / q).ln()).exp();
        if order == 1.0 {
            return p * (p / q).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).ln();
        }
        (term(p, q) + term(1.0 - p, 1.0 - q)).ln() / (order - 1.0)
    }

    fn excess(half_plane: &HalfPlane, p: f64, q: f64) -> f64 {
        p - to_f64_for_display(half_plane.slope()) * q - to_f64_for_display(half_plane.delta())
    }

    /// Every point of a grid that satisfies the divergence bound in both orders is in every half-plane, and in its mirror
    /// images.
    fn contains(half_plane: &HalfPlane, order: f64, most: f64) {
        for i in 1..60 {
            for j in 1..60 {
                let (p, q) = (f64::from(i) / 60.0, f64::from(j) / 60.0);
                if divergence(order, p, q).max(divergence(order, q, p)) > most {
                    continue;
                }
                for (p, q) in [(p, q), (q, p), (1.0 - p, 1.0 - q), (1.0 - q, 1.0 - p)] {
                    let excess = excess(half_plane, p, q);
                    assert!(excess < 1e-12, "{order} {most} {p} {q}: {excess}");
                }
            }
        }
    }

    /// The largest `p` with this divergence from `q`.
    fn boundary(order: f64, q: f64, most: f64) -> f64 {
        let (mut low, mut high) = (q, 1.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if divergence(order, middle, q) <= most {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The tangent at these doubles.
    fn of_divergence(
        order: &Rational,
        most: &Rational,
        (p, q): (f64, f64),
        bits: u32,
    ) -> HalfPlane {
        let exact = |value: f64| crate::number::rational::from_f64(value).unwrap();
        let point = (&exact(p), &exact(q));
        match *order == integer(1) {
            true => HalfPlane::of_kullback_leibler(most, point, bits),
            false => HalfPlane::of_renyi(order, most, point, bits),
        }
        .unwrap()
    }

    /// For these orders and bounds and each `q`: the tangent at the largest `p` contains the region, and its excess there is right.
    fn tangents(bounds: &[(&str, &str)], qs: &[f64], bits: u32, is_right: impl Fn(f64) -> bool) {
        for (order, epsilon) in bounds {
            let (order, epsilon) = (parse(order).unwrap(), parse(epsilon).unwrap());
            let (a, most) = (to_f64_for_display(&order), to_f64_for_display(&epsilon));
            for &q in qs {
                let p = boundary(a, q, most);
                if p + q > 1.0 {
                    // Beyond the corner the other order bounds the region.
                    continue;
                }
                let half_plane = of_divergence(&order, &epsilon, (p, q), bits);
                contains(&half_plane, a, most);
                let excess = excess(&half_plane, p, q);
                assert!(is_right(excess), "{bits} {a} {most} {q}: {excess}");
            }
        }
    }

    #[test]
    fn a_tangent_contains_the_region_and_touches_it() {
        let bounds = [
            ("1", "0.02"),
            ("1", "1"),
            ("1.01", "0.5"),
            ("2", "0.1"),
            ("2", "1"),
            ("5", "1/2"),
            ("32", "3"),
        ];
        // At the point itself nothing is lost, and nothing is gained.
        tangents(&bounds, &[0.4, 0.2, 0.05, 1e-3, 1e-6], BITS, |excess| {
            (-1e-9..1e-12).contains(&excess)
        });
    }

    /// The slope cancels at the point itself, where other tests look.
    #[test]
    fn the_slope_and_the_delta_of_a_tangent_are_rounded_up() {
        let (p, q, spare) = (ratio(1, 2), ratio(1, 10), ratio(1, 9));
        let (rise, fall) = (ratio(7, 5), ratio(10, 3));
        for bits in 6..=40 {
            let of = |value: &Rational| Enclosure::of(value, bits);
            let found = tangent((&p, &q), &of(&spare), &of(&rise), &of(&fall), bits).unwrap();
            let slope = &fall / &rise;
            assert!(*found.slope() >= slope, "{bits}");
            assert!(
                *found.delta() >= &p - &slope * &q + &spare / &rise,
                "{bits}"
            );
        }
    }

    #[test]
    fn a_gaussian_half_plane_contains_the_gaussian_region_and_touches_it() {
        // (p, q) = (Phi(mu - t), Phi(-t)), on the boundary for every t.
        let mu = ratio(3, 2);
        let phi = |x: &Rational| {
            let value = Enclosure::of(x, BITS).normal_cdf();
            to_f64_for_display(&value.upper())
        };
        for epsilon in ["0", "1/2", "2", "5"] {
            let epsilon = parse(epsilon).unwrap();
            let half_plane = HalfPlane::of_gaussian(&mu, &epsilon, BITS).unwrap();
            let mut nearest = f64::NEG_INFINITY;
            for step in -400..=400 {
                let t = ratio(step, 100) + &epsilon / &mu;
                let (p, q) = (phi(&(&mu - &t)), phi(&-t));
                nearest = nearest.max(excess(&half_plane, p, q));
            }
            assert!((-1e-4..1e-12).contains(&nearest), "{epsilon} {nearest}");
        }
    }

    /// With few bits, a delta or an exponential that is rounded to the wrong side cuts off points: with many, too few to see.
    #[test]
    fn with_few_bits_a_half_plane_still_contains_the_region() {
        for bits in 10..=24 {
            let bounds = [("1", "1"), ("1.01", "0.5"), ("2", "1"), ("5", "1/2")];
            tangents(&bounds, &[0.3, 0.2, 0.05], bits, |excess| excess < 1e-12);
        }
        let slope = |epsilon: &Rational| Enclosure::exp_of(epsilon, 200).unwrap().lower();
        for epsilon in [ratio(1, 10), ratio(1, 2), integer(2)] {
            let exactly = HalfPlane::of_budget(&epsilon, &Rational::zero(), 200).unwrap();
            let (least, stretched_least) = (slope(&epsilon), slope(&(&epsilon * ratio(3, 2))));
            let profile = gaussian::profile(&integer(1), &epsilon, 200).unwrap();
            for bits in 10..=24 {
                let claim = HalfPlane::of_budget(&epsilon, &Rational::zero(), bits).unwrap();
                assert!(*claim.slope() >= least, "{bits} {epsilon}");
                let stretched = exactly.stretched(&ratio(3, 2), bits).unwrap();
                assert!(*stretched.slope() >= stretched_least, "{bits} {epsilon}");
                let gaussian = HalfPlane::of_gaussian(&integer(1), &epsilon, bits).unwrap();
                assert!(*gaussian.delta() >= profile.lower(), "{bits} {epsilon}");
            }
        }
    }

    #[test]
    fn a_flat_line_is_that_of_the_complement() {
        // q <= 1/2 p + 1/4, exchanged twice.
        let half_plane = HalfPlane::line(&ratio(1, 2), &ratio(3, 4)).unwrap();
        assert_eq!(half_plane.slope(), &integer(2));
        assert_eq!(half_plane.delta(), &ratio(1, 2));
        for i in 0..=20 {
            for j in 0..=20 {
                let (p, q) = (ratio(i, 20), ratio(j, 20));
                let one = Rational::one();
                let flat = (&one - &q) <= ratio(1, 2) * (&one - &p) + ratio(3, 4);
                let steep = p <= half_plane.slope() * &q + half_plane.delta();
                assert_eq!(flat, steep, "{p} {q}");
            }
        }
        assert!(HalfPlane::line(&integer(0), &ratio(1, 2)).is_err());
        // (1, 1) must be allowed.
        assert!(HalfPlane::line(&ratio(1, 2), &ratio(1, 4)).is_err());
    }

    proptest! {
        /// What is in a half-plane and in its mirror image is in every mixture, and the corner of both is on its edge.
        #[test]
        fn turned_half_planes_contain_what_both_contain(
            slope in 100i64..2000, delta in 0i64..90, weight in 0i64..=10, p in 0i64..=100, q in 0i64..=100,
        ) {
            let half_plane = HalfPlane::new(ratio(slope, 100), ratio(delta, 100)).unwrap();
            let turned = half_plane.turned(&ratio(weight, 10)).unwrap();
            let one = Rational::one();
            let within = |half_plane: &HalfPlane, p: &Rational, q: &Rational| {
                *p <= half_plane.slope() * q + half_plane.delta()
            };
            let (p, q) = (ratio(p, 100), ratio(q, 100));
            if within(&half_plane, &p, &q) && within(&half_plane, &(&one - &q), &(&one - &p)) {
                prop_assert!(within(&turned, &p, &q));
            }
            let corner = (half_plane.slope() + half_plane.delta()) / (&one + half_plane.slope());
            let edge = turned.slope() * (&one - &corner) + turned.delta();
            prop_assert_eq!(corner, edge);
        }
    }

    #[test]
    fn between_two_half_planes_is_what_both_contain() {
        let first = HalfPlane::new(integer(1), ratio(1, 5)).unwrap();
        let second = HalfPlane::new(integer(3), ratio(1, 50)).unwrap();
        let between = first.towards(&second, &ratio(1, 2)).unwrap();
        assert_eq!(
            (between.slope(), between.delta()),
            (&integer(2), &ratio(11, 100))
        );
        // The corner, q = 9/100, is on all three edges.
        for half_plane in [first, second, between] {
            let edge = half_plane.slope() * ratio(9, 100) + half_plane.delta();
            assert_eq!(edge, ratio(29, 100));
        }
    }

    #[test]
    fn a_stretched_claim_has_the_multiple_of_both_numbers() {
        let claim = HalfPlane::of_budget(&ratio(1, 2), &ratio(1, 100), BITS).unwrap();
        let twice = claim.stretched(&integer(2), BITS).unwrap();
        let e = Enclosure::exp_of(&integer(1), 60).unwrap();
        assert!(e.contains(twice.slope()) && *twice.delta() == ratio(1, 50));
        assert!(*twice.slope() >= Enclosure::exp_of(&integer(1), 200).unwrap().lower());
        assert!(claim.stretched(&integer(100), BITS).is_err());
    }

    #[test]
    fn points_and_orders_outside_their_range_are_refused() {
        let (half, third) = (ratio(1, 2), ratio(1, 3));
        let two = integer(2);
        for point in [
            (&third, &half),
            (&half, &half),
            (&integer(1), &half),
            (&half, &integer(0)),
        ] {
            assert!(HalfPlane::of_renyi(&two, &half, point, BITS).is_err());
            assert!(HalfPlane::of_kullback_leibler(&half, point, BITS).is_err());
        }
        assert!(HalfPlane::of_renyi(&integer(1), &half, (&half, &third), BITS).is_err());
        assert!(HalfPlane::new(ratio(1, 2), half.clone()).is_err());
        assert!(HalfPlane::new(two, integer(1)).is_err());
    }
}
