//! The privacy loss of known mechanisms on two neighbouring inputs: what a [`LossDistribution`] is made of.
//!
//! Each function takes the two inputs, or how far they are apart, and the working precision in bits; the first input is over
//! the second. Where the two directions differ, [`LossDistribution::reversed`] is the other one.

use super::alone::Alone;
use super::loss_distribution::{Outcome, affordable};
use super::{Budget, LeastEpsilon, LossDistribution, PrivacyError};
use crate::coins::Law;
use crate::law::consecutive::{self, probabilities, reach};
use crate::law::named::NamedLaw;
use crate::number::range::{at_least_zero, require};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::{DiscreteGaussian, DiscreteLaplace, ExponentialMechanism};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

/// Masses are computed with so many bits more than are asked for.
const GUARD: u32 = 48;

fn outcome(rational: Rational, mass: Enclosure) -> Outcome {
    Outcome {
        rational,
        irrational: None,
        mass,
    }
}

/// Randomised response with two answers: the input bit with probability `e^epsilon/(1 + e^epsilon)`, the other one otherwise
/// (Warner 1965). The losses are `epsilon` and `-epsilon`.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `epsilon >= 0`; those of the exponential.
pub fn randomised_response(
    epsilon: &Rational,
    bits: u32,
) -> Result<LossDistribution, PrivacyError> {
    randomised_response_among(2, epsilon, bits)
}

/// Randomised response with `answers = k`: the input with probability `e^epsilon/(e^epsilon + k - 1)`, each other answer with probability
/// `1/(e^epsilon + k - 1)`. The losses are `epsilon` and `-epsilon` of the two inputs, and 0 of the other answers.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `answers >= 2` and `epsilon >= 0`; those of the exponential.
pub fn randomised_response_among(
    answers: u64,
    epsilon: &Rational,
    bits: u32,
) -> Result<LossDistribution, PrivacyError> {
    let working = bits + GUARD;
    let [truth, lie] = response_probabilities(answers, epsilon, working)?;
    let mut outcomes = vec![
        outcome(epsilon.clone(), truth),
        outcome(-epsilon.clone(), lie.clone()),
    ];
    if answers > 2 {
        let rest = Enclosure::integer(answers - 2, working) * lie;
        outcomes.push(outcome(Rational::zero(), rest));
    }
    LossDistribution::of_outcomes(outcomes, None, None, bits)
}

/// The probabilities with which randomised response among `answers = k` gives the input, and each one of the others.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `answers >= 2` and `epsilon >= 0`; those of the exponential.
pub fn response_probabilities(
    answers: u64,
    epsilon: &Rational,
    bits: u32,
) -> Result<[Enclosure; 2], PrivacyError> {
    require(
        answers >= 2,
        "the number of answers",
        &answers,
        "at least 2",
    )?;
    at_least_zero("epsilon", epsilon)?;
    // With w = e^-epsilon: 1/(1 + (k - 1) w), which is never a quotient of huge numbers.
    let weight = Enclosure::exp_of(&-epsilon, bits)?;
    let others = Enclosure::integer(answers - 1, bits) * &weight;
    let one = Enclosure::integer(1, bits);
    let truth = one.divided_by(&(&one + others))?;
    let lie = &truth * weight;
    Ok([truth, lie])
}

/// The mechanism that is the worst with this budget: with probability `delta` it tells the input, otherwise one bit by
/// [`randomised_response`] (Kairouz, Oh, Viswanath 2015, Definition 3.1). Whatever has the budget is a function of its
/// output, so that its composition is optimal composition.
///
/// # Errors
/// Those of the exponential.
pub fn worst_of(budget: &Budget, bits: u32) -> Result<LossDistribution, PrivacyError> {
    let working = bits + GUARD;
    let weight = Enclosure::exp_of(&-budget.epsilon(), working)?;
    let keep = Enclosure::of(&(Rational::one() - budget.delta()), working);
    let truth = keep.divided_by(&(Enclosure::integer(1, working) + &weight))?;
    let lie = &truth * weight;
    let outcomes = vec![
        outcome(budget.epsilon().clone(), truth),
        outcome(-budget.epsilon(), lie),
    ];
    let told = || Alone::exactly(budget.delta().clone(), working);
    LossDistribution::of_outcomes(outcomes, Some([told(), told()]), None, bits)
}

/// The exponential mechanism on the scores of two neighbouring inputs: class by class the same outcomes, with other losses.
///
/// With the exponents `x` and `x'` of a class, and the sums `Z` and `Z'` of all weights, its privacy loss is
/// `x' - x + ln(Z'/Z)`. The last is one number for all classes. It is 0 exactly if either input has the same exponents as often, counted from the least:
/// powers of e with different rational exponents are linearly independent over the rationals (Lindemann, Weierstrass).
///
/// # Errors
/// [`PrivacyError::Parameter`] unless the two have as many classes, of the same sizes; those of the exponential.
pub fn exponential_mechanism(
    first: &ExponentialMechanism,
    second: &ExponentialMechanism,
    bits: u32,
) -> Result<LossDistribution, PrivacyError> {
    let sizes = |law: &ExponentialMechanism| -> Vec<BigUint> {
        law.classes()
            .iter()
            .map(|class| class.count.clone())
            .collect()
    };
    let same = sizes(first) == sizes(second);
    let given = second.classes().len();
    require(
        same,
        "the classes of the second input",
        &format!("{given} classes of other sizes"),
        "as many as those of the first, each with as many outcomes",
    )?;
    let working = bits + GUARD;
    let [these, those] = [first, second].map(occupied);
    let total = |classes: &[(Rational, BigUint)]| -> Result<Enclosure, NumberError> {
        let mut sum = Enclosure::integer(0, working);
        for (exponent, count) in classes {
            let count = Enclosure::integer(BigInt::from(count.clone()), working);
            sum = sum + count * Enclosure::exp_of(&-exponent, working)?;
        }
        Ok(sum)
    };
    let [z, z_of_second] = [total(&these)?, total(&those)?];
    let irrational = if counted(&these) == counted(&those) {
        None
    } else {
        let quotient = z_of_second.divided_by(&z)?.ln()?;
        Some((
            format!("ln(Z'/Z) of {} and {}", first.label(), second.label()),
            quotient,
        ))
    };
    let mut outcomes = Vec::new();
    for ((exponent, count), (other, _)) in these.iter().zip(&those) {
        let count = Enclosure::integer(BigInt::from(count.clone()), working);
        let weight = count * Enclosure::exp_of(&-exponent, working)?;
        outcomes.push(Outcome {
            rational: other - exponent,
            irrational: irrational.clone(),
            mass: weight.divided_by(&z)?,
        });
    }
    LossDistribution::of_outcomes(outcomes, None, None, bits)
}

/// The exponents and sizes of the classes that are not empty.
fn occupied(law: &ExponentialMechanism) -> Vec<(Rational, BigUint)> {
    let classes = law.exponents().iter().zip(law.classes());
    classes
        .filter(|(_, class)| !class.count.is_zero())
        .map(|(exponent, class)| (exponent.clone(), class.count.clone()))
        .collect()
}

/// How many outcomes have each exponent.
fn counted(classes: &[(Rational, BigUint)]) -> std::collections::BTreeMap<&Rational, BigUint> {
    let mut counts = std::collections::BTreeMap::new();
    for (exponent, count) in classes {
        *counts.entry(exponent).or_insert_with(BigUint::zero) += count;
    }
    counts
}

/// Discrete Laplace noise around two integers that are `shift` apart. With `D = |shift|` the loss at `k` is `(|k - D| - |k|)/scale`: `D/scale`
/// up to 0, `-D/scale` from `D` on, and in steps of `2/scale` between. Both directions are the same.
///
/// # Errors
/// [`NumberError::TooManyTerms`] if `D` is too large; those of the exponential.
pub fn discrete_laplace(
    law: &DiscreteLaplace,
    shift: &BigInt,
    bits: u32,
) -> Result<LossDistribution, PrivacyError> {
    let working = bits + GUARD;
    let d = shift.abs();
    let loss = |steps: &BigInt| Rational::from_integer(steps.clone()) / law.scale();
    let mut outcomes = Vec::new();
    if d.is_zero() {
        outcomes.push(outcome(Rational::zero(), Enclosure::integer(1, working)));
    } else {
        outcomes.push(outcome(loss(&d), law.cdf(&BigInt::zero(), working)?));
        outcomes.push(outcome(loss(&-&d), law.cdf(&-&d, working)?));
        affordable(consecutive::affordable(&d)?)?;
        let named = NamedLaw::DiscreteLaplace(law.clone());
        let between = probabilities(&named, &1.into(), &(&d - 1), working)?;
        for (k, mass) in (1u64..).zip(between) {
            outcomes.push(outcome(loss(&(&d - 2 * k)), mass));
        }
    }
    LossDistribution::of_outcomes(outcomes, None, None, bits)
}

/// Discrete Gaussian noise around two integers that are `shift` apart. With `D = |shift|` the loss at `k` is `(D^2 - 2 k D)/(2 variance)`. Where the
/// law is below about `2^-bits` on either input it is the tail, whose losses are not bounded. Both directions are the same.
///
/// # Errors
/// [`NumberError::TooManyTerms`] if the noise is too wide or `D` too large; those of the real functions.
pub fn discrete_gaussian(
    law: &DiscreteGaussian,
    shift: &BigInt,
    bits: u32,
) -> Result<LossDistribution, PrivacyError> {
    let working = bits + GUARD;
    let d = shift.abs();
    if d.is_zero() {
        let sure = outcome(Rational::zero(), Enclosure::integer(1, working));
        return LossDistribution::of_outcomes(vec![sure], None, None, bits);
    }
    let named = NamedLaw::DiscreteGaussian(law.clone());
    let reach = reach(&named, bits + GUARD);
    let [from, to] = [-&reach, &d + &reach];
    affordable(consecutive::affordable(&(&to - &from + 1))?)?;
    let masses = probabilities(&named, &from, &to, working)?;
    let twice = law.variance() * BigInt::from(2);
    let mut outcomes = Vec::with_capacity(masses.len());
    for (place, mass) in masses.into_iter().enumerate() {
        let k = &from + place;
        let loss = Rational::from_integer(&d * &d - &k * &d * 2) / &twice;
        outcomes.push(outcome(loss, mass));
    }
    // Below -reach and above D + reach; of the noise around D as much.
    let beyond =
        law.upper_tail(&(&reach + 1), working)? + law.upper_tail(&(&d + &reach + 1), working)?;
    LossDistribution::of_outcomes(outcomes, None, Some([beyond.clone(), beyond]), bits)
}

/// Partition selection by a Laplace threshold: a key that `count >= 1` records have is released, with the noisy count, if
/// `count + X >= threshold` for discrete Laplace noise `X`. A key that no record has is never released.
///
/// Neighbours: one record more or less, which has one key.
#[derive(Debug, Clone)]
pub struct LaplaceThreshold {
    noise: DiscreteLaplace,
    threshold: BigInt,
}

impl LaplaceThreshold {
    /// The threshold and the noise.
    #[must_use]
    pub fn new(noise: DiscreteLaplace, threshold: BigInt) -> Self {
        Self { noise, threshold }
    }

    /// The noise.
    #[must_use]
    pub fn noise(&self) -> &DiscreteLaplace {
        &self.noise
    }

    /// The threshold.
    #[must_use]
    pub fn threshold(&self) -> &BigInt {
        &self.threshold
    }

    /// The probability that a key of so many records is released: `Pr[X >= threshold - count]`, and 0 of `count = 0`.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `count >= 0`; those of the exponential.
    pub fn released(&self, count: &BigInt, bits: u32) -> Result<Enclosure, PrivacyError> {
        at_least_zero("the count", &Rational::from_integer(count.clone()))?;
        if count.is_zero() {
            return Ok(Enclosure::integer(0, bits));
        }
        Ok(self.noise.cdf(&(count - &self.threshold), bits)?)
    }

    /// The delta that no epsilon repairs: the probability that a key of one record is released, `q^(threshold - 1)/(1 + q)` with
    /// `q = e^(-1/scale)` where `threshold >= 1`.
    ///
    /// # Errors
    /// Those of the exponential.
    pub fn delta_of_one(&self, bits: u32) -> Result<Enclosure, PrivacyError> {
        self.released(&1.into(), bits)
    }

    /// The loss of `count >= 1` records over `count - 1`. A noisy count has the loss `1/scale` if it is at least `count`, and
    /// `-1/scale` otherwise; that nothing is released has `ln(F/F')`, with the probabilities `F` and `F'` that noise stays below. If
    /// `count = 1`, whatever is released is possible on the first input alone.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `count >= 1`; those of the real functions.
    pub fn losses(&self, count: &BigInt, bits: u32) -> Result<LossDistribution, PrivacyError> {
        require(count.is_positive(), "the count", count, "at least 1")?;
        let working = bits + GUARD;
        // Silent if X is at most this, and on the second input if it is at most one more.
        let most = &self.threshold - count - 1u32;
        let [silent, silent_of_second] = [
            self.noise.cdf(&most, working)?,
            self.noise.cdf(&(&most + 1u32), working)?,
        ];
        let name = |quotient: &str| {
            format!(
                "ln {quotient} of scale {}, below {}",
                self.noise.scale(),
                &most + 1u32
            )
        };
        if count.is_one() {
            let loss = silent.ln()?;
            let none = Outcome {
                rational: Rational::zero(),
                irrational: Some((name("F"), loss)),
                mass: silent,
            };
            let alone = [
                self.released(count, working)?,
                Enclosure::integer(0, working),
            ]
            .map(Alone::within);
            return LossDistribution::of_outcomes(vec![none], Some(alone), None, bits);
        }
        let rate = self.noise.scale().recip();
        // F/F' = q as long as both are on the left, up to 0.
        let none = if most.is_negative() {
            outcome(-&rate, silent)
        } else {
            // F/F' = 1 - Pr[X = most + 1]/F'
            let last = self.noise.pmf(&(&most + 1u32), working)?;
            let quotient = last.divided_by(&silent_of_second)?;
            Outcome {
                rational: Rational::zero(),
                irrational: Some((name("F/F'"), (-quotient).ln_1p()?)),
                mass: silent,
            }
        };
        let from = &most + 1u32;
        let high = self
            .noise
            .cdf(&-from.clone().max(BigInt::zero()), working)?;
        let low = self.noise.between(&from, &BigInt::from(-1), working)?;
        let outcomes = vec![none, outcome(rate.clone(), high), outcome(-rate, low)];
        LossDistribution::of_outcomes(outcomes, None, None, bits)
    }

    /// `delta(epsilon)` over all neighbours that differ in one key, in both directions: the larger of [`Self::delta_of_one`] and
    /// of the profile of the noise at shift 1 (`spec/samplers.md`, `privacy.laplace-threshold`).
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `epsilon >= 0`; those of the exponential.
    pub fn delta(&self, epsilon: &Rational, bits: u32) -> Result<Enclosure, PrivacyError> {
        at_least_zero("epsilon", epsilon)?;
        let noise = self.noise.profile(&BigInt::one(), epsilon, bits)?;
        Ok(self.delta_of_one(bits)?.max(&noise))
    }

    /// The least epsilon at `delta`, for `0 <= delta < 1`, over the same neighbours: infinite below [`Self::delta_of_one`], and otherwise that of
    /// the noise at shift 1.
    ///
    /// # Errors
    /// Those of [`LossDistribution::epsilon`]; [`NumberError::OutOfDomain`] where `delta` is not told from that of one record.
    pub fn epsilon(&self, delta: &Rational, bits: u32) -> Result<LeastEpsilon, PrivacyError> {
        let least = self.delta_of_one(bits + GUARD)?;
        if least.is_above_rational(delta) {
            return Ok(LeastEpsilon::Infinite);
        }
        if !least.is_below_rational(delta) {
            return Err(NumberError::OutOfDomain {
                function: "the inverse of the privacy profile",
                argument: delta.to_string(),
                expected: "delta must not be within the width of the probability that a key of one record is released",
            }
            .into());
        }
        discrete_laplace(&self.noise, &BigInt::one(), bits)?.epsilon(delta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Loss;
    use crate::number::rational::{integer, parse, ratio};
    use crate::privacy::certified;
    use crate::sample::ScoreClass;

    /// The values that are published in `spec/vectors`: `at`, `lo` and `hi` of the lines of a group.
    fn published(text: &str, group: &str) -> Vec<(String, Rational, Rational)> {
        let from = text.find(&format!("\"quantity\": \"{group}\"")).unwrap();
        let quoted = |line: &str, key: &str| {
            let start = line.find(&format!("\"{key}\": \"")).unwrap() + key.len() + 5;
            line[start..].split('"').next().unwrap().to_owned()
        };
        text[from..]
            .lines()
            .skip_while(|line| !line.contains("\"at\""))
            .take_while(|line| line.contains("\"at\""))
            .map(|line| {
                let key = if line.contains("\"count\"") {
                    "count"
                } else {
                    "epsilon"
                };
                let [lo, hi] = ["lo", "hi"].map(|end| parse(&quoted(line, end)).unwrap());
                (quoted(line, key), lo, hi)
            })
            .collect()
    }

    #[test]
    fn the_published_values_are_met() {
        let text =
            include_str!("../../spec/vectors/v1/values/randomised-response/epsilon=355_113.json");
        let values = published(text, "profile");
        assert!(values.len() > 5);
        for (at, lo, hi) in values {
            let response = randomised_response(&ratio(355, 113), 240).unwrap();
            let found = response.delta(&parse(&at).unwrap()).unwrap();
            assert!(found.lower() <= hi && found.upper() >= lo, "{at}");
        }
        let text = include_str!(
            "../../spec/vectors/v1/values/laplace-threshold/scale=355_113,threshold=40.json"
        );
        let mut values = published(text, "release");
        assert!(values.len() > 3);
        values.extend(published(text, "delta"));
        let noise = DiscreteLaplace::new(ratio(355, 113)).unwrap();
        let mechanism = LaplaceThreshold::new(noise, 40.into());
        for (count, lo, hi) in values {
            let count: BigInt = count.parse().unwrap();
            let found = mechanism.released(&count, 240).unwrap();
            assert!(found.lower() <= hi && found.upper() >= lo, "{count}");
        }
        let values = published(text, "profile");
        assert!(values.len() > 3);
        for (at, lo, hi) in values {
            let found = mechanism.delta(&parse(&at).unwrap(), 240).unwrap();
            assert!(found.lower() <= hi && found.upper() >= lo, "{at}");
        }
    }

    #[test]
    fn the_normalisers_cancel_exactly_where_they_are_equal() {
        let mechanism = |losses: [i64; 3]| {
            let classes = losses.map(|loss| ScoreClass {
                loss: integer(loss),
                count: 1u32.into(),
            });
            ExponentialMechanism::new(integer(2), integer(1), classes.to_vec()).unwrap()
        };
        let equal =
            exponential_mechanism(&mechanism([0, 1, 3]), &mechanism([4, 3, 6]), 64).unwrap();
        let losses: Vec<Loss> = equal.losses().map(|(loss, _)| loss).collect();
        let exact = |n| Loss::Exact(integer(n));
        assert_eq!(losses, [exact(-1), exact(0), exact(1)]);
        assert!(equal.delta(&integer(1)).unwrap().hi().is_zero());
        let other =
            exponential_mechanism(&mechanism([0, 1, 3]), &mechanism([0, 1, 4]), 64).unwrap();
        assert!(
            other
                .losses()
                .all(|(loss, _)| matches!(loss, Loss::Enclosed(_)))
        );
        let fewer = ExponentialMechanism::new(
            integer(2),
            integer(1),
            Vec::from([ScoreClass {
                loss: integer(0),
                count: 1u32.into(),
            }]),
        );
        assert!(exponential_mechanism(&mechanism([0, 1, 3]), &fewer.unwrap(), 64).is_err());
    }

    #[test]
    fn what_does_not_move_loses_nothing() {
        let laplace = DiscreteLaplace::new(integer(2)).unwrap();
        let gaussian = DiscreteGaussian::new(integer(2)).unwrap();
        let zero = BigInt::zero();
        for law in [
            discrete_laplace(&laplace, &zero, 64).unwrap(),
            discrete_gaussian(&gaussian, &zero, 64).unwrap(),
            randomised_response_among(3, &integer(0), 64).unwrap(),
        ] {
            assert!(law.delta(&integer(0)).unwrap().hi().is_zero());
            assert_eq!(law.losses().count(), 1);
        }
    }

    #[test]
    fn a_threshold_has_an_epsilon_from_its_delta_on() {
        let mechanism = LaplaceThreshold::new(DiscreteLaplace::new(integer(1)).unwrap(), 5.into());
        // 0.01338980...: a release strictly above the threshold would have 0.0049258.
        let delta = certified(10, |bits| mechanism.delta_of_one(bits)).unwrap();
        assert_eq!(
            delta.to_decimals(6),
            ("0.0133898".to_owned(), "0.0133899".to_owned())
        );
        assert_eq!(
            mechanism.epsilon(&ratio(13, 1000), 64).unwrap(),
            LeastEpsilon::Infinite
        );
        let enough = mechanism
            .epsilon(&ratio(14, 1000), 64)
            .unwrap()
            .finite()
            .unwrap();
        assert!(enough.is_below_rational(&integer(1)) && enough.is_above_rational(&ratio(9, 10)));
        assert!(mechanism.losses(&0.into(), 64).is_err());
        assert!(mechanism.released(&(-1).into(), 64).is_err());
    }

    #[test]
    fn wide_noise_is_refused() {
        let gaussian = DiscreteGaussian::new(parse("1e12").unwrap()).unwrap();
        assert!(discrete_gaussian(&gaussian, &1.into(), 64).is_err());
        let laplace = DiscreteLaplace::new(integer(1)).unwrap();
        assert!(discrete_laplace(&laplace, &(1 << 19).into(), 64).is_err());
        assert!(randomised_response_among(1, &integer(1), 64).is_err());
    }
}
