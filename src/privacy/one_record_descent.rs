//! Noise for gradient descent that reads one record a step.
//!
//! Each of `T` steps draws one of `n` records uniformly, afresh and hidden, and publishes a
//! function of that record and of what was published before, plus spherical Gaussian noise. How
//! much noise makes the whole sequence (epsilon, delta)-private under
//! [`Substitute`](NeighbouringRelation::Substitute), for *every* `epsilon > 0` and `0 < delta < 1`?
//! (The calibration of Bassily, Smith, Thakurta 2014 needs conditions and better constants; see the
//! ledger.)
//!
//! # The certificate
//!
//! 1. One step on its own record: Gaussian noise of `z` times the l2 sensitivity is
//!    `(eps0, delta0)`-private for the multiplier `z` of the analytic Gaussian mechanism (Balle,
//!    Wang 2018).
//! 2. On a hidden record of `n` it is `(eps1, delta0 / n)`-private, `e^eps1 = 1 + (e^eps0 - 1) / n`
//!    (Balle, Barthe, Gaboardi 2018, Theorem 9).
//! 3. A pair of outputs that is `(eps1, delta1)`-indistinguishable is a post-processing of
//!    randomised response that fails openly with probability `delta1` and is purely `eps1`-private
//!    otherwise (Kairouz, Oh, Viswanath 2015, in the proof of Theorem 3.3). With
//!    `delta0 <= n delta / (2 T)` the `T` steps fail with probability at most `delta / 2` in all.
//!    What is left is `eps1^2 / 2`-zCDP a step and `T eps1^2 / 2`-zCDP in all (Bun, Steinke 2016,
//!    Proposition 1.4 and Lemma 1.7), thus with another `delta / 2` private for
//!    `epsilon = T eps1^2 / 2 + eps1 sqrt(2 T ln(2 / delta))` (ibid., Proposition 1.3). The closed
//!    form of Kairouz, Oh and Viswanath (Theorem 3.4) gives the same with
//!    `tanh(eps1 / 2) <= eps1 / 2`.
//! 4. Solved for eps1: with `L = ln(2 / delta)`,
//!    `eps1 = (sqrt(2 L + 2 epsilon) - sqrt(2 L)) / sqrt(T)`.

use super::search::{BITS, rounded_down};
use super::{Budget, NeighbouringRelation, PrivacyError, Zcdp, gaussian, subsampling};
use crate::number::range::{above_zero_below_one, at_least_one};
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;

/// A calibrated descent: `steps` steps of Gaussian noise, each on one of `records` records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneRecordDescent {
    records: u64,
    steps: u64,
    whole: Budget,
    amplified: Budget,
    own: Budget,
    noise_multiplier: Rational,
}

impl OneRecordDescent {
    /// The least noise that the certificate of this module allows for the whole sequence of
    /// published values, under substitution.
    ///
    /// `delta0` is at most one half: where `n delta / (2 T)` is larger, most records are never
    /// read, and the certificate would let a step publish its record; a smaller `delta0` is always
    /// valid.
    ///
    /// # Errors
    /// [`PrivacyError::OtherNeighbours`] unless the budget is under substitution;
    /// [`PrivacyError::Parameter`] if `delta = 0`, and unless `records >= 1` and `steps >= 1`;
    /// those of the real functions.
    pub fn calibrated(budget: &Budget, records: u64, steps: u64) -> Result<Self, PrivacyError> {
        budget.under(NeighbouringRelation::Substitute)?;
        above_zero_below_one("delta", budget.delta())?;
        at_least_one("the number of records", records)?;
        at_least_one("the number of steps", steps)?;
        let eps1 = step_epsilon(budget, steps)?;
        let rate = Rational::new(1.into(), records.into());
        let eps0 = own_epsilon(budget, records, steps)?;
        let most = Rational::new(1.into(), 2.into());
        let delta0 = (budget.delta() / (&rate * BigInt::from(steps) * BigInt::from(2))).min(most);
        let own = Budget::approximate(eps0, delta0.clone(), budget.neighbours())?;
        Ok(Self {
            records,
            steps,
            whole: budget.clone(),
            amplified: Budget::approximate(eps1, delta0 * rate, budget.neighbours())?,
            noise_multiplier: gaussian::noise_multiplier(&own)?,
            own,
        })
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many steps are published.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What the whole sequence is private for, under substitution.
    #[must_use]
    pub fn whole(&self) -> &Budget {
        &self.whole
    }

    /// What one step costs the whole dataset, `(eps1, delta0 / n)`, under substitution; eps1 is
    /// rounded down.
    #[must_use]
    pub fn amplified_step(&self) -> &Budget {
        &self.amplified
    }

    /// What one step is private for on the record it reads, `(eps0, delta0)`; eps0 is rounded down.
    #[must_use]
    pub fn own_step(&self) -> &Budget {
        &self.own
    }

    /// The noise multiplier `z`, rounded up: the standard deviation of a step's noise a coordinate,
    /// divided by the l2 distance over which substituting the record that is read can move the
    /// step's value.
    ///
    /// For a gradient of norm at most `L`, scaled by `n`, that distance is `2 n L`.
    #[must_use]
    pub fn noise_multiplier(&self) -> &Rational {
        &self.noise_multiplier
    }
}

/// The epsilon, rounded down, that the calibration gives a step for the record that it reads, one of `records`.
///
/// # Errors
/// Those of [`OneRecordDescent::calibrated`].
pub fn own_epsilon(budget: &Budget, records: u64, steps: u64) -> Result<Rational, PrivacyError> {
    above_zero_below_one("delta", budget.delta())?;
    at_least_one("the number of records", records)?;
    at_least_one("the number of steps", steps)?;
    let rate = Rational::new(1.into(), records.into());
    let eps1 = step_epsilon(budget, steps)?;
    Ok(subsampling::step_epsilon_for(&eps1, &rate)?)
}

/// A delta, rounded up, with which `steps` steps are (epsilon, delta)-private in all, where each is private with the
/// budget `own` for the record that it reads, one of `records`: steps 2 and 3 of the certificate, forwards. The rest of
/// delta is by the sharper conversion of [`Zcdp::delta`].
///
/// # Errors
/// [`PrivacyError::OtherNeighbours`] unless `own` is under substitution; [`PrivacyError::Parameter`] unless
/// `records >= 1`, `steps >= 1` and `epsilon >= 0`; those of the real functions.
pub fn composed_delta(
    own: &Budget,
    records: u64,
    steps: u64,
    epsilon: &Rational,
) -> Result<Rational, PrivacyError> {
    at_least_one("the number of steps", steps)?;
    let step = subsampling::amplified(own, 1, records)?;
    let steps = BigInt::from(steps);
    let rho = step.epsilon() * step.epsilon() * &steps / BigInt::from(2);
    let left = Zcdp::new(rho, own.neighbours())?.delta(epsilon)?;
    Ok((step.delta() * steps + left).min(Rational::from_integer(1.into())))
}

/// `eps1 = 2 epsilon / (sqrt(2 L + 2 epsilon) + sqrt(2 L)) / sqrt(T)`, rounded down: step 4 without
/// cancellation.
fn step_epsilon(budget: &Budget, steps: u64) -> Result<Rational, NumberError> {
    let half = budget.delta() / BigInt::from(2);
    let double_log = (-Enclosure::of(&half, BITS).ln()?).shifted(1);
    let double_epsilon = Enclosure::of(budget.epsilon(), BITS).shifted(1);
    let sum = (&double_log + &double_epsilon).sqrt()? + double_log.sqrt()?;
    let root = Enclosure::integer(steps, BITS).sqrt()?;
    Ok(rounded_down(&double_epsilon.divided_by(&(sum * root))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, parse, ratio, to_scientific};
    use crate::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
    use crate::privacy::composition::{advanced, optimal_delta};
    use proptest::prelude::*;

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    /// The delta at the whole epsilon of a descent with noise multiplier `z`, rebuilt from the
    /// theorems alone: profile of the noise at eps0, amplification, optimal composition.
    fn rebuilt_delta(descent: &OneRecordDescent, z: &Rational) -> Rational {
        let eps0 = descent.own_step().epsilon();
        let delta0 = gaussian::profile(&z.recip(), eps0, 128).unwrap().upper();
        let own = Budget::approximate(eps0.clone(), delta0, Substitute).unwrap();
        let step = subsampling::amplified(&own, 1, descent.records()).unwrap();
        let epsilon = descent.whole().epsilon();
        optimal_delta(&step, descent.steps(), epsilon, 128)
            .unwrap()
            .upper()
    }

    #[test]
    fn optimal_composition_of_the_steps_is_within_the_budget() {
        for (epsilon, delta, records, steps) in [
            ("1", "1e-6", 100, 10_000),
            ("20", "1e-6", 100, 10_000),
            ("0.1", "1e-3", 10, 100),
            ("100", "1e-9", 7, 49),
            ("1", "0.999", 30, 900),
            ("1", "1e-6", 1000, 50),
            ("1", "1e-6", 1, 1),
            ("3", "0.5", 1000, 3),
        ] {
            let budget = budget(epsilon, delta);
            let descent = OneRecordDescent::calibrated(&budget, records, steps).unwrap();
            let total = rebuilt_delta(&descent, descent.noise_multiplier());
            assert!(total <= *budget.delta(), "{budget} {records} {steps}");
        }
    }

    #[test]
    fn the_steps_compose_to_the_budget_forwards() {
        for (epsilon, delta, records, steps) in [
            ("1", "1e-6", 100, 10_000),
            ("1/14", "1e-7", 1000, 6000),
            ("3", "1/2", 3, 5),
        ] {
            let budget = budget(epsilon, delta);
            let descent = OneRecordDescent::calibrated(&budget, records, steps).unwrap();
            let own = descent.own_step();
            let total = composed_delta(own, records, steps, budget.epsilon()).unwrap();
            assert!(total <= *budget.delta() && total >= budget.delta() / BigInt::from(2));
            // A step that costs its record twice as much is not within the budget.
            let twice = own.epsilon() * BigInt::from(2);
            let dearer = Budget::approximate(twice, own.delta().clone(), Substitute).unwrap();
            let total = composed_delta(&dearer, records, steps, budget.epsilon()).unwrap();
            assert!(total > *budget.delta(), "{epsilon} {records} {steps}");
        }
    }

    #[test]
    fn the_closed_form_of_composition_gives_the_budget_back() {
        for (epsilon, delta, n) in [("1", "1e-6", 100), ("0.01", "1e-9", 1000)] {
            let budget = budget(epsilon, delta);
            let descent = OneRecordDescent::calibrated(&budget, n, n * n).unwrap();
            let half = budget.delta() / BigInt::from(2);
            let back = advanced(descent.amplified_step(), n * n, &half).unwrap();
            assert!(back.implies(&budget), "{back}");
            assert!(*back.epsilon() > budget.epsilon() * ratio(999, 1000));
        }
    }

    #[test]
    fn the_values_of_the_derivation_are_met() {
        let z = |epsilon| {
            let descent = OneRecordDescent::calibrated(&budget(epsilon, "1e-6"), 100, 10_000);
            to_scientific(descent.unwrap().noise_multiplier(), 5)
        };
        assert_eq!(z("1"), "28.773");
        assert_eq!(z("20"), "3.8547");
    }

    #[test]
    fn a_tenth_of_the_noise_is_not_certified() {
        let descent = OneRecordDescent::calibrated(&budget("1", "1e-6"), 100, 10_000).unwrap();
        let less = descent.noise_multiplier() / BigInt::from(10);
        assert!(rebuilt_delta(&descent, &less) > *descent.whole().delta());
    }

    #[test]
    fn composition_with_linear_amplification_overspends() {
        // The broken twin: eps0 = n eps1. Where n eps1 is large, the true cost of such a step is
        // far above eps1.
        let budget = budget("20", "1e-6");
        let descent = OneRecordDescent::calibrated(&budget, 100, 100).unwrap();
        let linear = descent.amplified_step().epsilon() * BigInt::from(100);
        let own =
            Budget::approximate(linear, descent.own_step().delta().clone(), Substitute).unwrap();
        let step = subsampling::amplified(&own, 1, 100).unwrap();
        let total = optimal_delta(&step, 100, budget.epsilon(), 128).unwrap();
        assert!(total.lower() > ratio(99, 100));
    }

    #[test]
    fn delta_of_a_step_never_exceeds_one_half() {
        let descent = OneRecordDescent::calibrated(&budget("1", "0.9"), 1_000_000, 1).unwrap();
        assert_eq!(descent.own_step().delta(), &ratio(1, 2));
    }

    #[test]
    fn what_the_certificate_does_not_cover_is_refused() {
        let other = Budget::approximate(integer(1), ratio(1, 10), AddOrRemove).unwrap();
        assert!(OneRecordDescent::calibrated(&other, 10, 10).is_err());
        let pure = Budget::pure(integer(1), Substitute).unwrap();
        assert!(OneRecordDescent::calibrated(&pure, 10, 10).is_err());
        assert!(OneRecordDescent::calibrated(&budget("1", "0.1"), 0, 10).is_err());
        assert!(OneRecordDescent::calibrated(&budget("1", "0.1"), 10, 0).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn every_calibration_is_within_its_budget(e in 1i64..3000, d in 1i64..10_000, records in 1u64..300, steps in 1u64..600) {
            let budget = Budget::approximate(ratio(e, 100), ratio(d, 10_001), Substitute).unwrap();
            let descent = OneRecordDescent::calibrated(&budget, records, steps).unwrap();
            prop_assert!(rebuilt_delta(&descent, descent.noise_multiplier()) <= *budget.delta());
            // eps1 is rounded down: T eps1^2 / 2 + eps1 sqrt(2 T ln(2 / delta)) is below epsilon.
            let eps1 = Enclosure::of(descent.amplified_step().epsilon(), 300);
            let half = budget.delta() / BigInt::from(2);
            let logarithm = -Enclosure::of(&half, 300).ln().unwrap();
            let times = Enclosure::integer(steps, 300);
            let root = (&times * logarithm).shifted(1).sqrt().unwrap();
            let exactly = (eps1.squared() * times).shifted(-1) + eps1 * root;
            prop_assert!(exactly.is_below_rational(budget.epsilon()));
        }
    }
}
