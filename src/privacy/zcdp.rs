//! Zero-concentrated differential privacy: its composition, and what it says in (epsilon, delta).

use super::budget::same;
use crate::number::range::{above_zero, above_zero_below_one, at_least_zero};

use super::search::{BITS, rounded_down, rounded_up, smallest};
use super::{Budget, NeighbouringRelation, PrivacyError, Zcdp};
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// The search for an order stops this close to 1, as a power of two: there the bound says nothing.
const CLOSEST_ORDER: i64 = -256;

/// No epsilon below `2^LEAST_EPSILON` is searched: there it is delta that promises.
const LEAST_EPSILON: i64 = -64;

impl Zcdp {
    /// Gaussian noise of this variance a coordinate, on a query of this l2 sensitivity under
    /// `neighbours`: `rho = sensitivity^2 / (2 variance)` (Bun, Steinke 2016, Proposition 1.6).
    ///
    /// The same holds for the discrete Gaussian with this variance *parameter* on an integer query
    /// (Canonne, Kamath, Steinke 2020, Theorem 14), in any dimension.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless both are above 0.
    pub fn gaussian(
        l2_sensitivity: &Rational,
        variance: &Rational,
        neighbours: NeighbouringRelation,
    ) -> Result<Self, PrivacyError> {
        above_zero("the l2 sensitivity", l2_sensitivity)?;
        above_zero("the variance", variance)?;
        let rho = l2_sensitivity * l2_sensitivity / (variance * BigInt::from(2));
        Self::new(rho, neighbours)
    }

    /// The variance of the Gaussian noise that gives this guarantee under its relation:
    /// `sensitivity^2 / (2 rho)`, exactly.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless the sensitivity is above 0.
    pub fn variance(&self, l2_sensitivity: &Rational) -> Result<Rational, PrivacyError> {
        above_zero("the l2 sensitivity", l2_sensitivity)?;
        Ok(l2_sensitivity * l2_sensitivity / (self.rho() * BigInt::from(2)))
    }

    /// Adaptive composition under one relation: the rhos add up (Bun, Steinke 2016, Lemma 1.7).
    ///
    /// # Errors
    /// [`PrivacyError::NothingToCompose`] and [`PrivacyError::OtherNeighbours`].
    pub fn compose(parts: &[Self]) -> Result<Self, PrivacyError> {
        let first = parts.first().ok_or(PrivacyError::NothingToCompose)?;
        let mut rho = Rational::zero();
        for part in parts {
            same(first.neighbours(), part.neighbours())?;
            rho += part.rho();
        }
        Self::new(rho, first.neighbours())
    }

    /// (epsilon, delta) under the same relation in closed form:
    /// `epsilon = rho + 2 sqrt(rho ln(1 / delta))`, rounded up (Bun, Steinke 2016, Proposition
    /// 1.3).
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `0 < delta < 1`; those of the real functions.
    pub fn closed_budget(&self, delta: &Rational) -> Result<Budget, PrivacyError> {
        above_zero_below_one("delta", delta)?;
        let rho = Enclosure::of(self.rho(), BITS);
        let root = (&rho * logarithm_of_reciprocal(delta)?).sqrt()?;
        let epsilon = rounded_up(&(rho + root.shifted(1)));
        Budget::approximate(epsilon, delta.clone(), self.neighbours())
    }

    /// The largest rho, rounded down, for which [`Zcdp::closed_budget`] stays within the budget:
    /// `(sqrt(ln(1/delta) + epsilon) - sqrt(ln(1/delta)))^2`, under the budget's relation.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] if `delta = 0`: no rho gives pure privacy; those of the real
    /// functions.
    pub fn closed_for(budget: &Budget) -> Result<Self, PrivacyError> {
        above_zero_below_one("delta", budget.delta())?;
        let epsilon = Enclosure::of(budget.epsilon(), BITS);
        let logarithm = logarithm_of_reciprocal(budget.delta())?;
        // sqrt(L + epsilon) - sqrt(L) = epsilon / (sqrt(L + epsilon) + sqrt(L)), without
        // cancellation.
        let sum = (&logarithm + &epsilon).sqrt()? + logarithm.sqrt()?;
        let rho = rounded_down(&epsilon.divided_by(&sum)?.squared());
        Self::new(rho, budget.neighbours())
    }

    /// The bound on delta at `epsilon >= 0` by the Renyi divergence of one order
    /// `alpha = 1 + excess`:
    /// `exp((alpha - 1) (alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1)`, under the same
    /// relation (Canonne, Kamath, Steinke 2020, Corollary 13). Every order above 1 gives a valid
    /// bound.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `excess > 0` and `epsilon >= 0`; those of the real
    /// functions.
    pub fn delta_of_order(
        &self,
        excess: &Rational,
        epsilon: &Rational,
        bits: u32,
    ) -> Result<Enclosure, PrivacyError> {
        above_zero("alpha - 1", excess)?;
        at_least_zero("epsilon", epsilon)?;
        let working = bits + 32;
        let alpha = excess + Rational::one();
        // alpha ln(1 - 1/alpha) = - alpha ln(1 + 1/(alpha - 1)), accurate for small and large
        // orders.
        let shape = Enclosure::of(&alpha, working) * log_one_over_excess(excess, working)?
            + Enclosure::of(excess, working).ln()?;
        let exponent = Enclosure::of(&(excess * (alpha * self.rho() - epsilon)), working);
        Ok((exponent - shape).exp()?.with_bits(bits))
    }

    /// A delta, rounded up and at most 1, with which the mechanism is (epsilon, delta)-private
    /// under the same relation: the smallest of [`Zcdp::delta_of_order`] over the orders that are
    /// searched.
    ///
    /// The logarithm of the bound is convex in `alpha`, with derivative
    /// `(2 alpha - 1) rho - epsilon + ln(1 - 1/alpha)`; its zero is searched, and the bound there
    /// is certified.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `epsilon >= 0`; those of the real functions.
    pub fn delta(&self, epsilon: &Rational) -> Result<Rational, PrivacyError> {
        at_least_zero("epsilon", epsilon)?;
        let closest = Dyadic::new(1, CLOSEST_ORDER).to_rational();
        let excess = smallest(|excess| {
            if *excess <= closest {
                return Ok(false);
            }
            let linear = (excess * BigInt::from(2) + Rational::one()) * self.rho() - epsilon;
            let derivative = Enclosure::of(&linear, 64) - log_one_over_excess(excess, 64)?;
            Ok(!derivative.midpoint().is_negative())
        })?;
        let bound = rounded_up(&self.delta_of_order(&excess, epsilon, BITS)?);
        Ok(bound.min(Rational::one()))
    }

    /// As [`Zcdp::delta`], where an order `1 + below` is known that is not above the best one: delta, and the order that
    /// was found, as `alpha - 1`. For a smaller rho the best order is larger, so that this one is a `below` for it.
    ///
    /// The derivative of the logarithm of the bound is concave in `alpha`, so that Newton's method comes to its zero from
    /// below. The bound is certified at whatever order it ends.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `epsilon >= 0` and `below > 0`; those of the real functions.
    pub(super) fn delta_from_order(
        &self,
        epsilon: &Rational,
        below: &Rational,
    ) -> Result<(Rational, Rational), PrivacyError> {
        const STEPS: u32 = 200;
        let two = BigInt::from(2);
        let mut excess = below.clone();
        for _ in 0..STEPS {
            let linear = (&excess * &two + Rational::one()) * self.rho() - epsilon;
            let derivative = Enclosure::of(&linear, 64) - log_one_over_excess(&excess, 64)?;
            let slope = self.rho() * &two + (&excess * (&excess + Rational::one())).recip();
            let step = -derivative.midpoint().to_rational() / slope;
            let next = Enclosure::of(&(&excess + &step), 48).lower();
            // What is left is about the square of this, and the bound is flat at the best order.
            let small = step.abs() * BigInt::from(1 << 3) <= next.abs();
            if next <= Rational::zero() {
                break;
            }
            excess = next;
            if small {
                break;
            }
        }
        let bound = rounded_up(&self.delta_of_order(&excess, epsilon, 64)?);
        Ok((bound.min(Rational::one()), excess))
    }

    /// (epsilon, delta) under the same relation with the smallest epsilon (rounded up, within one
    /// part in 2^20, and not below `2^-64`) that [`Zcdp::delta`] certifies: never above
    /// [`Zcdp::closed_budget`] by more than that.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `0 < delta < 1`; those of the real functions.
    pub fn budget(&self, delta: &Rational) -> Result<Budget, PrivacyError> {
        above_zero_below_one("delta", delta)?;
        // A delta that suffices with no epsilon at all has no smallest one above 0.
        let least = Dyadic::new(1, LEAST_EPSILON).to_rational();
        let epsilon = if self.delta(&least)? <= *delta {
            least
        } else {
            smallest(|epsilon| Ok(*epsilon > least && self.delta(epsilon)? <= *delta))?
        };
        Budget::approximate(epsilon, delta.clone(), self.neighbours())
    }

    /// The largest rho (rounded down, within one part in 2^20) that [`Zcdp::delta`] certifies for
    /// the budget, under the budget's relation: a sharper [`Zcdp::closed_for`].
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] if `delta = 0`; those of the real functions.
    pub fn largest_for(budget: &Budget) -> Result<Self, PrivacyError> {
        above_zero_below_one("delta", budget.delta())?;
        let reciprocal = smallest(|reciprocal| {
            let candidate = Self::new(reciprocal.recip(), budget.neighbours())?;
            Ok(candidate.delta(budget.epsilon())? <= *budget.delta())
        })?;
        Self::new(reciprocal.recip(), budget.neighbours())
    }
}

/// `ln(1 / delta)`.
fn logarithm_of_reciprocal(delta: &Rational) -> Result<Enclosure, NumberError> {
    // Of the distance to 1 where delta is close to it.
    Ok(-Enclosure::of(
        &(delta - Rational::one()),
        BITS + 64 + delta.denom().bits() as u32,
    )
    .ln_1p()?)
}

/// `ln(1 + 1 / excess) = -ln(1 - 1/alpha)` for `alpha = 1 + excess`.
fn log_one_over_excess(excess: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    Enclosure::of(&excess.recip(), bits).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::NeighbouringRelation::{AddOrRemove, Substitute};
    use super::*;
    use crate::number::rational::{integer, parse, ratio, to_scientific};
    use proptest::prelude::*;

    fn zcdp(rho: &str) -> Zcdp {
        Zcdp::new(parse(rho).unwrap(), Substitute).unwrap()
    }

    #[test]
    fn known_conversions() {
        let delta = parse("1e-6").unwrap();
        // 1/2 + 2 sqrt(ln(10^6) / 2), and what it is with the sharper conversion.
        let closed = zcdp("1/2").closed_budget(&delta).unwrap();
        assert_eq!(to_scientific(closed.epsilon(), 10), "5.756521770");
        let sharp = zcdp("1/2").budget(&delta).unwrap();
        assert!(sharp.epsilon() < closed.epsilon());
        assert_eq!(to_scientific(sharp.epsilon(), 4), "5.222");
    }

    #[test]
    fn an_epsilon_that_delta_makes_superfluous_is_no_denormal() {
        // The total variation is at most sqrt(rho / 2) = 0.0071 < delta.
        let spent = zcdp("1e-4").budget(&parse("0.01").unwrap()).unwrap();
        assert_eq!(
            *spent.epsilon(),
            Dyadic::new(1, LEAST_EPSILON).to_rational()
        );
        assert!(crate::number::rational::to_f64_for_display(spent.epsilon()) > 0.0);
    }

    #[test]
    fn the_variance_and_rho_are_inverse() {
        let sensitivity = ratio(3, 2);
        let rho = zcdp("0.07");
        let variance = rho.variance(&sensitivity).unwrap();
        assert_eq!(
            Zcdp::gaussian(&sensitivity, &variance, Substitute).unwrap(),
            rho
        );
        assert!(Zcdp::gaussian(&integer(0), &variance, Substitute).is_err());
        assert!(Zcdp::gaussian(&sensitivity, &integer(-1), Substitute).is_err());
    }

    #[test]
    fn rho_without_its_factor_two_is_not_the_divergence() {
        // The Gaussian at distance 1 with variance 1 has Renyi divergence alpha/2 of every order:
        // its exact delta stays below the bound of rho = 1/2, and goes above that of rho = 1/4, the
        // broken twin.
        let exact = crate::privacy::gaussian::profile(&integer(1), &integer(1), 128).unwrap();
        let right = Zcdp::gaussian(&integer(1), &integer(1), Substitute).unwrap();
        assert_eq!(right, zcdp("1/2"));
        assert!(exact.upper() <= right.delta(&integer(1)).unwrap());
        assert!(exact.lower() > zcdp("1/4").delta(&integer(1)).unwrap());
    }

    #[test]
    fn the_order_that_is_found_is_the_best_one() {
        for (rho, epsilon) in [("1/2", "4"), ("0.01", "1/2"), ("3", "1"), ("1e-6", "0.01")] {
            let (rho, epsilon) = (zcdp(rho), parse(epsilon).unwrap());
            let found = rho.delta(&epsilon).unwrap();
            for k in -40..18i64 {
                let excess = Dyadic::new(1 + (k & 1), k / 2).to_rational();
                let bound = rho.delta_of_order(&excess, &epsilon, 128).unwrap();
                assert!(bound.upper() * ratio(1_000_001, 1_000_000) >= found);
            }
        }
    }

    #[test]
    fn the_order_that_is_found_from_below_is_the_best_one_too() {
        for epsilon in ["1e-3", "1/2", "4", "30"] {
            let epsilon = parse(epsilon).unwrap();
            let mut below = Dyadic::new(1, -64).to_rational();
            for rho in ["40", "3", "1", "0.4", "0.1", "0.01", "1e-4", "1e-6"] {
                let rho = zcdp(rho);
                let (found, order) = rho.delta_from_order(&epsilon, &below).unwrap();
                let best = rho.delta(&epsilon).unwrap();
                assert!(
                    found <= best.min(integer(1)) * ratio(1001, 1000),
                    "{rho:?} {epsilon}"
                );
                // Not below the bound of the order that it states, with more bits.
                let sharp = rho.delta_of_order(&order, &epsilon, 256).unwrap();
                assert!(found >= sharp.lower().min(integer(1)));
                assert!(order >= below);
                below = order;
            }
        }
    }

    #[test]
    fn rhos_add_up_under_one_relation() {
        let sum = Zcdp::compose(&[zcdp("0.1"), zcdp("0.2")]).unwrap();
        assert_eq!(sum, zcdp("0.3"));
        let other = Zcdp::new(integer(1), AddOrRemove).unwrap();
        assert!(Zcdp::compose(&[sum, other]).is_err());
        assert_eq!(Zcdp::compose(&[]), Err(PrivacyError::NothingToCompose));
    }

    #[test]
    fn pure_privacy_is_refused() {
        let pure = Budget::pure(integer(1), Substitute).unwrap();
        assert!(Zcdp::closed_for(&pure).is_err() && Zcdp::largest_for(&pure).is_err());
        assert!(zcdp("1").budget(&integer(0)).is_err());
        assert!(zcdp("1").closed_budget(&integer(1)).is_err());
    }

    #[test]
    fn extreme_parameters_are_answered() {
        for (epsilon, delta) in [
            ("1e-9", "1e-12"),
            ("1000", "1e-300"),
            ("1", "0.999999999999"),
            ("1e6", "1/2"),
        ] {
            let budget =
                Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute)
                    .unwrap();
            let closed = Zcdp::closed_for(&budget).unwrap();
            let sharp = Zcdp::largest_for(&budget).unwrap();
            assert!(sharp.delta(budget.epsilon()).unwrap() <= *budget.delta());
            assert!(sharp.rho() * ratio((1 << 20) + 1, 1 << 20) >= *closed.rho());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn the_calibration_is_within_the_budget_and_close(e in 1i64..2000, d in 1i64..1_000_000) {
            let budget = Budget::approximate(ratio(e, 100), ratio(d, 1_000_000_000), Substitute).unwrap();
            let rho = Zcdp::closed_for(&budget).unwrap();
            let back = rho.closed_budget(budget.delta()).unwrap();
            // Each is on its safe side, at a precision that tells it from the rounding.
            let logarithm = -Enclosure::of(budget.delta(), 300).ln().unwrap();
            let root = (Enclosure::of(rho.rho(), 300) * logarithm).sqrt().unwrap();
            let exactly = Enclosure::of(rho.rho(), 300) + root.shifted(1);
            prop_assert!(exactly.is_below_rational(budget.epsilon()));
            prop_assert!(exactly.is_below_rational(back.epsilon()));
            // Both directions round, so that epsilon may come back larger by as much as that.
            prop_assert!(*back.epsilon() <= budget.epsilon() * ratio((1 << 60) + 1, 1 << 60));
            prop_assert!(*back.epsilon() >= budget.epsilon() * ratio((1 << 60) - 1, 1 << 60));
            prop_assert!(rho.delta(budget.epsilon()).unwrap() <= *budget.delta());
            let sharp = rho.budget(budget.delta()).unwrap();
            prop_assert!(sharp.implies(&budget));
        }
    }
}
