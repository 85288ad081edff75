//! Discrete Gaussian noise on integer queries: certified deltas, and the least variance for a
//! budget.
//!
//! The query moves by an integer vector `v` with `|v|^2 <= D^2` between neighbours (under the
//! relation for which `D` is meant), and each of its `d` coordinates gets an independent draw of
//! variance parameter `s^2`.
//!
//! In one dimension the profile is exact ([`crate::law`]). In several it is *not* a bound at the l2
//! norm: the law on a lattice has directions. Two bounds are certified for all `v` and `d`, and the
//! smaller is taken: that of zero-concentrated privacy with `rho = D^2 / (2 s^2)`, and the
//! following.
//!
//! # Discrete noise is nearly a post-processing of continuous noise
//!
//! Let `g_c(x) = exp(-x^2 / (2 c^2))` and `s^2 = r^2 + t^2`. Draw `x` from the continuous normal
//! law around `v` with variance `r^2` a coordinate, and round it at random, each coordinate to the
//! integer `y` with probability `g_t(y - x) / theta_t(x)`,
//! `theta_t(x) = sum over integers y of g_t(y - x)`. Call the result's law `R_v`. As `v` is an
//! integer vector and `theta_t` has period 1, `R_v` is `R_0` moved by `v`.
//!
//! 1. Rounding is post-processing: for every set `E` and every real `e`,
//!    `R_v(E) - e^e R_0(E) <= H(|v| / r; e)` with the Gaussian profile
//!    `H(mu; e) = Phi(mu/2 - e/mu) - e^e Phi(-mu/2 - e/mu)`.
//! 2. By Poisson's summation formula `theta_t(x) / (t sqrt(2 pi))` is one plus
//!    `2 sum over k >= 1 of q^(k^2) cos(2 pi k x)` with `q = exp(-2 pi^2 t^2)`: it is between
//!    `1 - eta` and `1 + eta`, where `eta = 2 sum over k >= 1 of q^(k^2)`. And the convolution of a
//!    normal density of variance `r^2` with `g_t` is `(t / s) g_s`. So a coordinate of `R_0` has
//!    mass at `y` between `1/(1 + eta)` and `1/(1 - eta)` times `g_s(y) / (s sqrt(2 pi))`.
//! 3. The discrete Gaussian `N` has mass `g_s(y) / theta_s(0)` and
//!    `theta_s(0) = s sqrt(2 pi) (1 + eta_s)`. With `b = 1 + eta_s` thus, coordinate by coordinate,
//!    `(1 - eta) / b R_0 <= N <= (1 + eta) / b R_0`, and the same for both moved by `v`.
//! 4. For `k` coordinates and every `E`:
//!    `N_v(E) - e^epsilon N_0(E) <= ((1 + eta) / b)^k (R_v(E) - e^e R_0(E))` with
//!    `e = epsilon - k ln((1 + eta) / (1 - eta))`, in which `b` cancels. As `b >= 1`,
//!
//!    **`delta(epsilon) <= (1 + eta)^k H(D / r; epsilon - k ln((1 + eta) / (1 - eta)))`.**
//!
//! Coordinates in which `v` is zero are independent of the others and the same under both laws: `k`
//! counts the others only, at most `min(d, D^2)`. Every `t` with `0 < t^2 < s^2` and `eta < 1` is
//! valid; a good one is searched.

use super::gaussian::hockey_stick;
use super::search::{BITS, Found, rounded_up, smallest};
use super::{Budget, NeighbouringRelation, PrivacyError, Zcdp};
use crate::coins::Law;
use crate::number::range::{
    above_zero, above_zero_below_one, at_least_one, at_least_zero, require,
};
use crate::number::rational::ratio;
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeMap;

/// A delta, rounded up and at most 1, with which the noise is (epsilon, delta)-private for every
/// integer query of `dimension` coordinates whose squared l2 sensitivity (in squared steps) is at
/// most `squared_sensitivity`, under the relation for which that is meant. `variance` is the
/// parameter of the law.
///
/// The smaller of the two bounds above, and where only one coordinate can move the exact profile
/// (which far in the tails of a wide law is enclosed less tightly than those).
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `squared_sensitivity >= 1`, `dimension >= 1` and
/// `epsilon >= 0`; [`PrivacyError::Coins`] unless `variance > 0`; those of the real functions.
pub fn delta(
    variance: &Rational,
    squared_sensitivity: &BigInt,
    dimension: u64,
    epsilon: &Rational,
) -> Result<Rational, PrivacyError> {
    let moved = moved_coordinates(squared_sensitivity, dimension)?;
    at_least_zero("epsilon", epsilon)?;
    let law = DiscreteGaussian::new(variance.clone())?;
    let mut least = concentrated(variance, squared_sensitivity)?.delta(epsilon)?;
    if let Some(bound) = rounding_bound(variance, squared_sensitivity, moved, epsilon)? {
        least = least.min(bound);
    }
    if moved == 1 {
        // The laws have monotone likelihood ratios, so that the profile grows with the shift.
        let shift = squared_sensitivity.sqrt();
        let profile = law.profile(&shift, epsilon, working_bits(variance))?;
        least = least.min(rounded_up(&profile));
    }
    Ok(least)
}

/// The least variance parameter (rounded up, within one part in 2^20 of the next smaller one that
/// [`delta`] does not certify) for integer queries of this dimension and squared l2 sensitivity,
/// under the budget's relation.
///
/// # Errors
/// [`PrivacyError::Parameter`] if `delta = 0`, unless `squared_sensitivity >= 1` and
/// `dimension >= 1`; those of the real functions.
pub fn variance(
    budget: &Budget,
    squared_sensitivity: &BigInt,
    dimension: u64,
) -> Result<Rational, PrivacyError> {
    above_zero_below_one("delta", budget.delta())?;
    // The relation plays no part in the search.
    static FOUND: Found<(Rational, Rational, BigInt, u64)> = Found::nothing();
    let (epsilon, delta) = (budget.epsilon(), budget.delta());
    let key = (
        epsilon.clone(),
        delta.clone(),
        squared_sensitivity.clone(),
        dimension,
    );
    FOUND.or_search(key, || {
        search(epsilon, delta, squared_sensitivity, dimension)
    })
}

/// The search of [`variance`].
fn search(
    epsilon: &Rational,
    most: &Rational,
    squared_sensitivity: &BigInt,
    dimension: u64,
) -> Result<Rational, PrivacyError> {
    let moved = moved_coordinates(squared_sensitivity, dimension)?;
    let certified = |variance: &Rational| -> Result<bool, PrivacyError> {
        Ok(delta(variance, squared_sensitivity, dimension, epsilon)? <= *most)
    };
    // The t that was good for one variance is tried first for the next.
    let mut known = None;
    let found = smallest(|variance| {
        if moved > 1 && too_narrow(variance, squared_sensitivity, epsilon, most)? {
            return Ok(false);
        }
        let at = |t_squared: &Rational| {
            rounding_bound_at(variance, squared_sensitivity, moved, epsilon, t_squared)
        };
        if let Some(t_squared) = &known
            && matches!(at(t_squared)?, Split::Bound(bound) if bound <= *most)
        {
            return Ok(true);
        }
        if let Some((t_squared, bound)) = good_split(&at)? {
            known = Some(t_squared);
            if bound <= *most {
                return Ok(true);
            }
        }
        if moved == 1 {
            return certified(variance);
        }
        Ok(concentrated(variance, squared_sensitivity)?.delta(epsilon)? <= *most)
    })?;
    // That t may have been better than the one that `delta` takes: then the search is made without it.
    if certified(&found)? {
        Ok(found)
    } else {
        smallest(certified)
    }
}

/// Whether neither bound can be within `delta`: both are at least the profile of continuous noise of this variance,
/// which both bound as well (`r <= s` and `e <= epsilon`).
fn too_narrow(
    variance: &Rational,
    squared_sensitivity: &BigInt,
    epsilon: &Rational,
    delta: &Rational,
) -> Result<bool, PrivacyError> {
    if !variance.is_positive() {
        return Ok(false);
    }
    let bits = working_bits(variance);
    let squared_mu = Rational::from_integer(squared_sensitivity.clone()) / variance;
    let mu = Enclosure::of(&squared_mu, bits).sqrt()?.lower();
    Ok(mu.is_positive() && hockey_stick(&mu, epsilon, bits)?.is_above_rational(delta))
}

/// How many coordinates of an integer vector can be nonzero: at most `min(d, D^2)`.
fn moved_coordinates(squared_sensitivity: &BigInt, dimension: u64) -> Result<u64, PrivacyError> {
    above_zero(
        "the squared l2 sensitivity",
        &Rational::from_integer(squared_sensitivity.clone()),
    )?;
    at_least_one("the dimension", dimension)?;
    Ok(squared_sensitivity
        .to_u64()
        .map_or(dimension, |most| most.min(dimension)))
}

/// The concentrated guarantee, `rho = D^2 / (2 s^2)`; the relation plays no part here.
fn concentrated(variance: &Rational, squared_sensitivity: &BigInt) -> Result<Zcdp, PrivacyError> {
    let rho = Rational::from_integer(squared_sensitivity.clone()) / (variance * BigInt::from(2));
    Zcdp::new(rho, NeighbouringRelation::Substitute)
}

/// Wide laws move little compared with their width, and the profile is a small difference: more
/// bits.
fn working_bits(variance: &Rational) -> u32 {
    BITS + variance.to_integer().bits().min(1 << 16) as u32
}

/// The candidates for `t^2`: sixteenths up to 4, where `eta` is already below 2^-112.
const FINEST_SPLIT: i64 = 16;
const CANDIDATES: i64 = 64;

/// The bound of the module's text, rounded up, at a good `t`; `None` if no candidate is below
/// `s^2`.
fn rounding_bound(
    variance: &Rational,
    squared_sensitivity: &BigInt,
    moved: u64,
    epsilon: &Rational,
) -> Result<Option<Rational>, PrivacyError> {
    let at = |t_squared: &Rational| {
        rounding_bound_at(variance, squared_sensitivity, moved, epsilon, t_squared)
    };
    Ok(good_split(&at)?.map(|(_, bound)| bound))
}

/// A good `t^2`, and the bound there.
///
/// Where the best `t` lies is not proved: the bound falls and then rises in `t`, so that bisection
/// on neighbouring candidates finds it, and any candidate is valid.
fn good_split(
    at: &impl Fn(&Rational) -> Result<Split, PrivacyError>,
) -> Result<Option<(Rational, Rational)>, PrivacyError> {
    let at = |candidate: i64| at(&ratio(candidate, FINEST_SPLIT));
    let (mut low, mut high) = (1, CANDIDATES);
    while low < high {
        let middle = low + (high - low) / 2;
        match (at(middle)?, at(middle + 1)?) {
            // A small t has a useless eta, a large one no room below s^2.
            (Split::EtaTooLarge, _) => low = middle + 1,
            (_, Split::NoRoom) => high = middle,
            (Split::Bound(here), Split::Bound(next)) if here > next => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(match at(low)? {
        Split::Bound(bound) => Some((ratio(low, FINEST_SPLIT), bound)),
        _ => None,
    })
}

enum Split {
    NoRoom,
    EtaTooLarge,
    Bound(Rational),
}

/// The bound at one `t^2`.
fn rounding_bound_at(
    variance: &Rational,
    squared_sensitivity: &BigInt,
    moved: u64,
    epsilon: &Rational,
    t_squared: &Rational,
) -> Result<Split, PrivacyError> {
    let bits = working_bits(variance);
    let rest = variance - t_squared;
    if !rest.is_positive() {
        return Ok(Split::NoRoom);
    }
    let eta = eta(t_squared, bits)?;
    if eta.upper() >= Rational::one() {
        return Ok(Split::EtaTooLarge);
    }
    let moved = Enclosure::integer(moved, bits);
    let above = eta.ln_1p()?;
    let below = (-&eta).ln_1p()?;
    let factor = (&moved * &above).exp()?;
    // The profile grows with mu and falls with epsilon: both are rounded to where it is larger.
    let room = Enclosure::of(epsilon, bits) - moved * (above - below);
    let squared_mu = Rational::from_integer(squared_sensitivity.clone()) / rest;
    let mu = Enclosure::of(&squared_mu, bits).sqrt()?.upper();
    let bound = factor * hockey_stick(&mu, &room.lower(), bits)?;
    Ok(Split::Bound(rounded_up(&bound)))
}

/// `eta = 2 sum over k >= 1 of q^(k^2)` with `q = exp(-2 pi^2 t^2)`, from above: as
/// `k^2 - 1 >= 3 (k - 1)`, the sum is at most `q / (1 - q^3)`.
fn eta(t_squared: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    let exponent = Enclosure::pi(bits).squared().shifted(1) * Enclosure::of(t_squared, bits);
    let q = (-exponent).exp()?;
    let bound = q.divided_by(&q.power(3).complement())?.shifted(1);
    Ok(Enclosure::new(&Dyadic::zero(), bound.hi(), bits))
}

/// The widest convolution of [`profile_of_shift`].
const WIDEST_SUPPORT: u64 = 1 << 20;

/// The exact profile `delta(epsilon)` between noise around the integer vector `shift` and noise
/// around 0, for `epsilon >= 0`: [`ShiftedSum::profile`].
///
/// # Errors
/// Those of [`ShiftedSum`].
pub fn profile_of_shift(
    variance: &Rational,
    shift: &[i64],
    epsilon: &Rational,
    bits: u32,
) -> Result<Enclosure, PrivacyError> {
    ShiftedSum::new(variance, shift, bits)?.profile(epsilon)
}

/// The law of `T = <shift, Y>`, `Y` independent noise in each coordinate, convolved term by term, in
/// time that grows with `s^2` and `|shift|`: to check the bounds on small cases.
#[derive(Debug, Clone)]
pub struct ShiftedSum {
    variance: Rational,
    squared_norm: Rational,
    bits: u32,
    sums: BTreeMap<BigInt, Enclosure>,
    /// The probability that was left out.
    missing: Enclosure,
}

impl ShiftedSum {
    /// The law, to about `bits` bits after the point.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] where it is too wide for this; [`PrivacyError::Coins`] unless
    /// `variance > 0`; those of the real functions.
    pub fn new(variance: &Rational, shift: &[i64], bits: u32) -> Result<Self, PrivacyError> {
        let law = DiscreteGaussian::new(variance.clone())?;
        let working = bits + 32;
        // Beyond this a coordinate has less than 2^-bits: k^2 >= 2 s^2 bits ln 2, and ln 2 < 7/10.
        let reach: BigInt = (variance * BigInt::from(bits) * ratio(14, 10))
            .ceil()
            .to_integer()
            .sqrt()
            + 2;
        let length: BigInt = shift.iter().map(|&v| BigInt::from(v).abs()).sum();
        let support = (&reach * length).to_u64().unwrap_or(u64::MAX);
        require(
            support <= WIDEST_SUPPORT,
            "the range of <shift, Y>",
            &support,
            "at most 2^20",
        )?;
        let reach = reach.to_i64().unwrap_or(i64::MAX);
        let masses = (0..=reach)
            .map(|k| law.pmf(&BigInt::from(k), working))
            .collect::<Result<Vec<_>, _>>()?;
        let left_out = law
            .upper_tail(&BigInt::from(reach + 1), working)?
            .shifted(1);
        let mut sums = BTreeMap::from([(BigInt::zero(), Enclosure::integer(1, working))]);
        let mut squared_norm = BigInt::zero();
        let mut missing = Enclosure::integer(0, working);
        for &coordinate in shift.iter().filter(|&&coordinate| coordinate != 0) {
            squared_norm += BigInt::from(coordinate).pow(2);
            missing = missing + &left_out;
            let mut next: BTreeMap<BigInt, Enclosure> = BTreeMap::new();
            for (sum, mass) in &sums {
                for (k, own) in (0..).zip(&masses) {
                    for signed in if k == 0 { vec![0] } else { vec![k, -k] } {
                        let cell = next
                            .entry(sum + BigInt::from(coordinate) * signed)
                            .or_insert_with(|| Enclosure::integer(0, working));
                        *cell = &*cell + mass * own;
                    }
                }
            }
            sums = next;
        }
        Ok(Self {
            variance: variance.clone(),
            squared_norm: Rational::from_integer(squared_norm),
            bits,
            sums,
            missing,
        })
    }

    /// The exact profile between noise around the shift and noise around 0, for `epsilon >= 0`:
    ///
    /// `Pr[T > epsilon s^2 - |shift|^2 / 2] - e^epsilon Pr[T > epsilon s^2 + |shift|^2 / 2]`,
    ///
    /// because the privacy loss at `y` is `(2 <shift, y> - |shift|^2) / (2 s^2)`. Right to about the
    /// bits after the point that were asked for, whatever its size. It is a statement about this one
    /// shift, under no relation.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `epsilon >= 0`; those of the real functions.
    pub fn profile(&self, epsilon: &Rational) -> Result<Enclosure, PrivacyError> {
        at_least_zero("epsilon", epsilon)?;
        let working = self.bits + 32;
        let middle = epsilon * &self.variance;
        let half = &self.squared_norm / BigInt::from(2);
        let above = |threshold: &Rational| {
            self.sums
                .range(threshold.floor().to_integer() + 1..)
                .fold(Enclosure::integer(0, working), |all, (_, mass)| all + mass)
        };
        let factor = Enclosure::exp_of(epsilon, working)?;
        let counted = above(&(&middle - &half)) - &factor * above(&(middle + half));
        // What was left out may be on either side, and counts at most e^epsilon times.
        let unsure = factor * &self.missing;
        Ok(counted
            .widened(unsure.hi())
            .max(&Enclosure::integer(0, self.bits)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, to_scientific};
    use crate::privacy::NeighbouringRelation::Substitute;
    use crate::privacy::gaussian::noise_multiplier;
    use proptest::prelude::*;

    fn squared_norm(shift: &[i64]) -> BigInt {
        shift.iter().map(|&v| BigInt::from(v).pow(2)).sum()
    }

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    #[test]
    fn the_one_dimensional_profile_is_not_a_bound_in_four_dimensions() {
        // |(1, 1, 1, 1)| = 2, and yet its delta is above that of the shift 2.
        for (variance, ratio) in [(4, "1.337"), (1, "1.471")] {
            let law = DiscreteGaussian::new(integer(variance)).unwrap();
            let flat = law.profile(&2.into(), &integer(4), 128).unwrap();
            let spread = profile_of_shift(law.variance(), &[1, 1, 1, 1], &integer(4), 128).unwrap();
            assert!(flat.is_below(&spread));
            assert_eq!(
                to_scientific(&spread.divided_by(&flat).unwrap().lower(), 4),
                ratio
            );
        }
    }

    #[test]
    fn the_convolution_of_one_coordinate_is_the_profile() {
        for (variance, shift, epsilon) in [(25, 1, "0"), (4, -2, "4"), (9, 3, "1")] {
            let law = DiscreteGaussian::new(integer(variance)).unwrap();
            let epsilon = parse(epsilon).unwrap();
            let profile = law.profile(&shift.into(), &epsilon, 128).unwrap();
            let summed = profile_of_shift(law.variance(), &[shift, 0], &epsilon, 128).unwrap();
            assert!((profile - summed).abs().upper() < ratio(1, 1 << 60));
        }
    }

    #[test]
    fn the_bound_is_above_every_shift_and_close() {
        // (variance, shift, epsilon, the most that the bound may be above the exact value)
        let cases: [(i64, &[i64], &str, &str); 9] = [
            (9, &[-3], "1", "1.0000001"),
            (64, &[1, 1, 1, 1], "0.5", "1.04"),
            (64, &[2, 0, 0], "0.5", "1.04"),
            (4, &[1, 1, 1, 1], "4", "2.62"),
            (4, &[1, 1, 1, 1], "1", "1.18"),
            (1, &[1, 1], "1", "1.51"),
            (100, &[1, -2, 2], "1", "1.05"),
            (400, &[1, 1], "0", "1.01"),
            (2500, &[3, 4], "0.01", "1.001"),
        ];
        // The last is the widest law by far, and takes longest: at night.
        let so_many = match std::env::var_os("NIGHTLY") {
            Some(_) => 9,
            None => 8,
        };
        for (variance, shift, epsilon, slack) in cases.into_iter().take(so_many) {
            let epsilon = parse(epsilon).unwrap();
            let exact = profile_of_shift(&integer(variance), shift, &epsilon, 96).unwrap();
            let bound = delta(
                &integer(variance),
                &squared_norm(shift),
                shift.len() as u64,
                &epsilon,
            )
            .unwrap();
            assert!(bound >= exact.upper());
            assert!(
                bound <= exact.lower() * parse(slack).unwrap(),
                "{variance} {shift:?} {epsilon}"
            );
        }
    }

    #[test]
    fn the_continuous_profile_is_not_a_bound_for_discrete_noise() {
        // The broken twins: no rounding at all, and a rounding whose factors are forgotten.
        let (variance, one) = (integer(25), integer(1));
        let exact = profile_of_shift(&variance, &[1], &one, 128).unwrap();
        let continuous = hockey_stick(&ratio(1, 5), &one, 128).unwrap();
        let excess = exact.divided_by(&continuous).unwrap();
        assert_eq!(to_scientific(&excess.lower(), 4), "1.043");
        let t_squared = ratio(1, 16);
        let squared_mu = (&variance - &t_squared).recip();
        let mu = Enclosure::of(&squared_mu, 128).sqrt().unwrap().upper();
        assert!(hockey_stick(&mu, &one, 128).unwrap().is_below(&exact));
        // With its factors the bound holds at every t.
        for candidate in 1..=CANDIDATES {
            let t_squared = ratio(candidate, FINEST_SPLIT);
            let bound = rounding_bound_at(&variance, &1.into(), 1, &one, &t_squared).unwrap();
            assert!(matches!(bound, Split::Bound(bound) if bound >= exact.upper()));
        }
    }

    #[test]
    fn the_bound_has_the_value_of_its_formula() {
        // Both factors, by another program: s^2 = 4, D^2 = 4, four coordinates, epsilon 1, t^2 = 1/4.
        let (four, one) = (integer(4), integer(1));
        let bound = rounding_bound_at(&four, &4.into(), 4, &one, &ratio(1, 4)).unwrap();
        assert!(
            matches!(bound, Split::Bound(bound) if to_scientific(&bound, 10) == "0.1706912120")
        );
    }

    #[test]
    fn eta_bounds_the_ripple_of_the_lattice_sum() {
        for (n, d) in [(1, 16), (1, 4), (1, 1)] {
            let t_squared = ratio(n, d);
            // theta(0) = t sqrt(2 pi) (1 + 2 sum of q^(k^2)) is the reciprocal of the mass at 0.
            let at_zero = DiscreteGaussian::new(t_squared.clone())
                .unwrap()
                .pmf(&BigInt::zero(), 256)
                .unwrap();
            let width = (Enclosure::pi(256).shifted(1) * Enclosure::of(&t_squared, 256))
                .sqrt()
                .unwrap();
            let one = Enclosure::integer(1, 256);
            let ripple = one.divided_by(&(at_zero * width)).unwrap() - one;
            let eta = eta(&t_squared, 256).unwrap().upper();
            assert!(ripple.upper() <= eta && eta <= ripple.lower() * ratio(103, 100));
        }
    }

    #[test]
    fn the_smaller_of_the_two_bounds_is_taken() {
        // A narrow law leaves no room for rounding; a wide one makes it the better bound.
        let narrow = ratio(1, 20);
        let one = integer(1);
        let concentrated_only = concentrated(&narrow, &4.into())
            .unwrap()
            .delta(&integer(60))
            .unwrap();
        assert_eq!(
            delta(&narrow, &4.into(), 4, &integer(60)).unwrap(),
            concentrated_only
        );
        let wide = integer(10_000);
        let renyi = concentrated(&wide, &100.into())
            .unwrap()
            .delta(&one)
            .unwrap();
        assert!(delta(&wide, &100.into(), 100, &one).unwrap() < renyi);
    }

    #[test]
    fn the_variance_is_the_least_that_is_certified() {
        // The search without shortcuts. The last two are narrow: there the bound of zero-concentrated privacy is taken.
        for (epsilon, delta_, squared, dimension) in [
            ("1", "0.00001", 1 << 24, 32),
            ("1", "0.1", 9, 2),
            ("1/4", "0.01", 1, 1),
            // One coordinate, where discrete noise (0.293) is certified with less variance than continuous noise (0.388).
            ("2", "0.3", 1, 1),
            ("30", "0.000001", 40, 1000),
            ("60", "0.1", 4, 4),
        ] {
            let (budget, squared) = (budget(epsilon, delta_), BigInt::from(squared));
            let plainly = smallest(|variance| {
                Ok(delta(variance, &squared, dimension, budget.epsilon())? <= *budget.delta())
            });
            assert_eq!(variance(&budget, &squared, dimension), plainly, "{budget}");
        }
    }

    #[test]
    fn in_one_dimension_little_discrete_noise_does_with_less_than_continuous_noise_would() {
        // Continuous noise of variance 1/2 has delta = 0.286 there, discrete noise 0.190.
        let found = variance(&budget("1", "0.2"), &BigInt::one(), 1).unwrap();
        assert!(found <= ratio(1, 2), "{found}");
    }

    #[test]
    fn wide_noise_in_a_million_dimensions_costs_as_much_as_continuous_noise() {
        let (variance, squared) = (integer(1i64 << 40), BigInt::from(1i64 << 38));
        for epsilon in ["0.1", "1", "4"] {
            let epsilon = parse(epsilon).unwrap();
            let bound = delta(&variance, &squared, 1_000_000, &epsilon).unwrap();
            let continuous = hockey_stick(&ratio(1, 2), &epsilon, 128).unwrap();
            assert!(bound >= continuous.lower());
            assert!(bound <= continuous.upper() * ratio(1_000_001, 1_000_000));
        }
    }

    #[test]
    fn the_least_variance_is_certified_and_less_is_not() {
        for (epsilon, delta_target, squared, dimension) in [
            ("1", "1e-6", 4, 4),
            ("1", "1e-6", 1, 1),
            ("5", "1e-9", 10_000, 50),
            ("0.1", "1e-5", 2, 1_000),
            ("1e-3", "1e-300", 1, 1),
        ] {
            let budget = budget(epsilon, delta_target);
            let squared = BigInt::from(squared);
            let least = variance(&budget, &squared, dimension).unwrap();
            assert!(
                delta(&least, &squared, dimension, budget.epsilon()).unwrap() <= *budget.delta()
            );
            // Close to what continuous noise would need.
            let z = noise_multiplier(&budget).unwrap();
            assert!(least <= z.pow(2) * Rational::from(squared.clone()) * ratio(101, 100));
            let closed = Zcdp::closed_for(&budget).unwrap();
            let from_rho =
                Rational::from_integer(squared.clone()) / (closed.rho() * BigInt::from(2));
            assert!(least <= from_rho);
            let less = least * ratio(99, 100);
            assert!(delta(&less, &squared, dimension, budget.epsilon()).unwrap() > *budget.delta());
        }
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        let one = integer(1);
        assert!(delta(&integer(0), &1.into(), 1, &one).is_err());
        assert!(delta(&integer(-1), &4.into(), 2, &one).is_err());
        assert!(delta(&one, &0.into(), 1, &one).is_err());
        assert!(delta(&one, &1.into(), 0, &one).is_err());
        assert!(delta(&one, &1.into(), 1, &integer(-1)).is_err());
        assert!(profile_of_shift(&one, &[i64::MIN], &one, 64).is_err());
        assert!(profile_of_shift(&parse("1e30").unwrap(), &[1], &one, 64).is_err());
        assert!(
            profile_of_shift(&one, &[0], &one, 64)
                .unwrap()
                .contains(&Rational::zero())
        );
        assert!(variance(&Budget::pure(one, Substitute).unwrap(), &1.into(), 1).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10))]
        #[test]
        fn no_small_shift_is_above_the_bound(v in 1i64..40, shift in prop::collection::vec(-2i64..=2, 1..4), e in 0i64..40) {
            prop_assume!(shift.iter().any(|&c| c != 0));
            let (variance, epsilon) = (ratio(v, 2), ratio(e, 10));
            let exact = profile_of_shift(&variance, &shift, &epsilon, 64).unwrap();
            let bound = delta(&variance, &squared_norm(&shift), shift.len() as u64, &epsilon).unwrap();
            // The exact value is enclosed, and where the bound is exact too they only meet.
            prop_assert!(bound >= exact.lower());
        }
    }

    #[test]
    fn noise_of_variance_8_hides_a_distance_of_2_with_a_quarter_of_rho() {
        let found = concentrated(&integer(8), &4.into()).unwrap();
        assert_eq!(found.rho(), &ratio(1, 4));
    }
}
