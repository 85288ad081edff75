//! The law of the privacy loss of a discrete mechanism on two neighbouring inputs, its composition, and the privacy profile.
//!
//! Let `P` and `Q` be the laws of the outcome on the two inputs. The *privacy loss* of an outcome `o` is
//! `ln(P(o)/Q(o))`, infinite where `Q(o) = 0` (Dwork, Rothblum 2016). With the law of the loss under `P`
//!
//! `delta(epsilon) = sup over E of P(E) - e^epsilon Q(E) = Pr[infinite] + sum over losses l > epsilon of P(l) (1 - e^(epsilon - l))`
//!
//! (Sommer, Meiser, Mohammadi 2019). The loss of independent outcomes is the sum of their losses: the law of `k` mechanisms
//! is a convolution, and nothing is lost where losses are added exactly. Under adaptive choices it bounds `k` mechanisms
//! that are each dominated by this pair (Kairouz, Oh, Viswanath 2015; Zhu, Dong, Wang 2022, Theorem 10).
//!
//! **How a loss is held.** As a rational and whole multiples of a few irrational numbers, such as the logarithm of the quotient
//! of two normalisers. Equal sums are recognised as equal, and merged. Masses are enclosures. Outcomes that are too many to hold have
//! an enclosed total, the *tail*: it may count for anything between nothing and all of it.
//!
//! The constructors are in [`mechanisms`](super::mechanisms). Everything is at a working precision; for digits wrap
//! the call in [`certified`](super::certified()):
//!
//! ```
//! use dp_assay::number::rational::{parse, ratio};
//! use dp_assay::privacy::{certified, mechanisms};
//!
//! // A thousand randomised responses at epsilon 1/10: delta at epsilon 5.
//! let delta = certified(20, |bits| {
//!     let one = mechanisms::randomised_response(&ratio(1, 10), bits)?;
//!     one.times(1000)?.delta(&ratio(5, 1))
//! })?;
//! assert!(delta.lower() > parse("0.38299")? && delta.upper() < parse("0.383")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::PrivacyError;
use super::alone::Alone;
use super::error::proper_delta;
use super::inverse::least_epsilon;
use super::loss_grid::{GUARD, Held, Key, Layout, MOST_LOSSES, convolved, merge};
use crate::coins::Loss;
use crate::number::range::{at_least_one, at_least_zero, require};
use crate::number::rational::shortly;
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// An irrational number that has losses as multiples.
#[derive(Debug, Clone, PartialEq)]
struct Unit {
    /// What it is, exactly: units of one name are one number.
    name: String,
    value: Enclosure,
}

/// An outcome of two neighbouring inputs, for [`LossDistribution::of_outcomes`].
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// The rational part of the loss.
    pub rational: Rational,
    /// The irrational part: what it is exactly, and its value. It is added to the rational part once.
    pub irrational: Option<(String, Enclosure)>,
    /// The probability on the first input.
    pub mass: Enclosure,
}

/// Masses that are not told apart by their losses, on the first input and on the second.
type Pair = [Enclosure; 2];

/// The law of the privacy loss between two inputs, the first over the second.
#[derive(Debug, Clone)]
pub struct LossDistribution {
    bits: u32,
    units: Vec<Unit>,
    /// The masses on the first input.
    masses: Held,
    /// The least and the largest of the finite losses that are held.
    ends: Option<Pair>,
    /// What is possible on the first input alone, and on the second alone.
    alone: [Alone; 2],
    /// Outcomes that are not held.
    tail: Pair,
    /// Whether the losses of the tail are not bounded, from above and from below.
    unbounded: bool,
}

/// The least epsilon at a delta.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "short numbers are held in place")]
pub enum LeastEpsilon {
    /// This number; exactly 0 where the delta is at least that of epsilon 0.
    Finite(Enclosure),
    /// No epsilon is enough.
    Infinite,
}

impl LeastEpsilon {
    /// The number, if there is one.
    #[must_use]
    pub fn finite(self) -> Option<Enclosure> {
        match self {
            Self::Finite(epsilon) => Some(epsilon),
            Self::Infinite => None,
        }
    }
}

impl LossDistribution {
    /// The law of the loss between two laws on the same finitely many outcomes, of probability `first[i]` and `second[i]`.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless both have as many entries, at least 0, that add up to 1.
    pub fn of_masses(
        first: &[Rational],
        second: &[Rational],
        bits: u32,
    ) -> Result<Self, PrivacyError> {
        let outcomes = "the number of outcomes of the second law";
        require(
            first.len() == second.len(),
            outcomes,
            &second.len(),
            "that of the first law",
        )?;
        for law in [first, second] {
            for mass in law {
                at_least_zero("a probability", mass)?;
            }
            let sum: Rational = law.iter().sum();
            require(
                sum.is_one(),
                "the sum of the probabilities",
                &shortly(&sum),
                "1",
            )?;
        }
        affordable(first.len())?;
        let working = bits + GUARD;
        let mut law = Self::empty(bits);
        let mut alone = [Rational::zero(), Rational::zero()];
        for (p, q) in first.iter().zip(second) {
            if q.is_zero() {
                alone[0] += p;
            } else if p.is_zero() {
                alone[1] += q;
            } else {
                let odds = p / q;
                let mass = Enclosure::of(p, working);
                // ln 2 and ln 1/2 are multiples of one number.
                let greater = if odds < Rational::one() {
                    odds.recip()
                } else {
                    odds.clone()
                };
                let multiple = if greater.is_one() {
                    None
                } else {
                    let value = Enclosure::of(&greater, working).ln()?;
                    let sign = if greater == odds { 1 } else { -1 };
                    Some((format!("ln {greater}"), value, sign))
                };
                law.add(Rational::zero(), multiple, mass);
            }
        }
        law.find_ends();
        law.alone = alone.map(|p| Alone::exactly(p, working));
        Ok(law)
    }

    /// The law of these outcomes, with what is possible on one input alone and what is not held.
    pub(super) fn of_outcomes(
        outcomes: Vec<Outcome>,
        alone: Option<[Alone; 2]>,
        tail: Option<Pair>,
        bits: u32,
    ) -> Result<Self, PrivacyError> {
        affordable(outcomes.len())?;
        let mut law = Self::empty(bits);
        // What cannot happen has no loss.
        let possible = |outcome: &Outcome| outcome.mass.hi().is_positive();
        for outcome in outcomes.into_iter().filter(possible) {
            let irrational = outcome.irrational.map(|(name, value)| (name, value, 1));
            law.add(outcome.rational, irrational, outcome.mass);
        }
        if let Some(alone) = alone {
            law.alone = alone;
        }
        if let Some(tail) = tail {
            law.tail = tail;
            law.unbounded = true;
        }
        law.find_ends();
        Ok(law)
    }

    fn empty(bits: u32) -> Self {
        let none = || Enclosure::integer(0, bits + GUARD);
        Self {
            bits,
            units: Vec::new(),
            masses: BTreeMap::new(),
            ends: None,
            alone: [none(), none()].map(Alone::within),
            tail: [none(), none()],
            unbounded: false,
        }
    }

    /// Adds an outcome with the loss `rational + multiple unit`.
    fn add(
        &mut self,
        rational: Rational,
        irrational: Option<(String, Enclosure, i64)>,
        mass: Enclosure,
    ) {
        let mut multiples = vec![0; self.units.len()];
        if let Some((name, value, multiple)) = irrational {
            let place = self.units.iter().position(|unit| unit.name == name);
            let place = place.unwrap_or_else(|| {
                self.units.push(Unit { name, value });
                multiples.push(0);
                let masses = std::mem::take(&mut self.masses);
                self.masses = masses
                    .into_iter()
                    .map(|(mut key, mass)| {
                        key.multiples.push(0);
                        (key, mass)
                    })
                    .collect();
                self.units.len() - 1
            });
            multiples[place] = multiple;
        }
        merge(
            &mut self.masses,
            Key {
                multiples,
                rational,
            },
            mass,
        );
    }

    /// Finds the least and the largest loss.
    fn find_ends(&mut self) {
        let mut values = self.masses.keys().map(|key| self.value(key));
        let first = values.next();
        self.ends = first.map(|first| {
            values.fold([first.clone(), first], |[least, largest], value| {
                [least.min(&value), largest.max(&value)]
            })
        });
    }

    fn working(&self) -> u32 {
        self.bits + GUARD
    }

    /// The number that a key stands for.
    fn value(&self, key: &Key) -> Enclosure {
        Enclosure::of(&key.rational, self.working()) + self.irrational(key)
    }

    fn irrational(&self, key: &Key) -> Enclosure {
        let zero = Enclosure::integer(0, self.working());
        let multiples = key.multiples.iter().zip(&self.units);
        multiples
            .filter(|(multiple, _)| **multiple != 0)
            .fold(zero, |sum, (&multiple, unit)| {
                sum + Enclosure::integer(multiple, self.working()) * &unit.value
            })
    }

    /// The working precision in significant bits.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The losses, each with its probability on the first input; those of the composition of mechanisms may have probability 0. The
    /// infinite one comes last, if it has any.
    pub fn losses(&self) -> impl Iterator<Item = (Loss, Enclosure)> + '_ {
        let infinite = self.alone[0].enclosed();
        self.masses
            .iter()
            .map(|(key, mass)| {
                let exact = key.multiples.iter().all(|&multiple| multiple == 0);
                let loss = if exact {
                    Loss::Exact(key.rational.clone())
                } else {
                    Loss::Enclosed(self.value(key).with_bits(self.bits))
                };
                (loss, mass.with_bits(self.bits))
            })
            .chain(
                infinite
                    .hi()
                    .is_positive()
                    .then(|| (Loss::Infinite, infinite.with_bits(self.bits))),
            )
    }

    /// A bound on the probability, on the first input, of outcomes that are not held one by one.
    #[must_use]
    pub fn tail(&self) -> &Enclosure {
        &self.tail[0]
    }

    /// Each loss that may be above `epsilon`, with its mass and `e^(epsilon - loss)`. The exponentials are powers of one number
    /// where the losses are on a grid.
    fn above(&self, epsilon: &Rational) -> Result<Vec<(&Enclosure, Enclosure)>, NumberError> {
        let working = self.working();
        let mut found = Vec::new();
        // Of the losses with these multiples: e^-(the irrational part), the last rational one and its power, the last step and its.
        let mut unit: Option<(&[i64], Enclosure, Enclosure)> = None;
        let mut last: Option<(&Rational, Enclosure)> = None;
        let mut step: Option<(Rational, Enclosure)> = None;
        for (key, mass) in &self.masses {
            if unit
                .as_ref()
                .is_none_or(|(multiples, ..)| *multiples != key.multiples)
            {
                let irrational = self.irrational(key);
                let power = (-&irrational).exp()?;
                unit = Some((&key.multiples, irrational, power));
                last = None;
            }
            let Some((_, irrational, of_unit)) = &unit else {
                continue;
            };
            let rational = &key.rational;
            let is_above = if irrational.width().is_zero() && irrational.contains_zero() {
                rational > epsilon
            } else {
                !(Enclosure::of(rational, working) + irrational).is_below_rational(epsilon)
            };
            if !is_above {
                continue;
            }
            let power = match &last {
                None => Enclosure::exp_of(&(epsilon - rational), working)?,
                Some((before, power)) => {
                    let difference = rational - *before;
                    if step.as_ref().is_none_or(|(known, _)| *known != difference) {
                        let factor = Enclosure::exp_of(&-&difference, working)?;
                        step = Some((difference, factor));
                    }
                    match &step {
                        Some((_, factor)) => power * factor,
                        None => power.clone(),
                    }
                }
            };
            found.push((mass, &power * of_unit));
            last = Some((rational, power));
        }
        Ok(found)
    }

    /// `delta(epsilon)`, the least delta for which `P(E) <= e^epsilon Q(E) + delta` for all events `E`, for
    /// `epsilon >= 0`. `P` is the law on the first input: [`Self::reversed`] has the other direction.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `epsilon >= 0`; those of the exponential.
    pub fn delta(&self, epsilon: &Rational) -> Result<Enclosure, PrivacyError> {
        at_least_zero("epsilon", epsilon)?;
        Ok(self.sum_above(epsilon)?.with_bits(self.bits))
    }

    /// The same to the working precision.
    fn sum_above(&self, epsilon: &Rational) -> Result<Enclosure, PrivacyError> {
        let zero = Enclosure::integer(0, self.working());
        let mut sum = self.alone[0].enclosed() + from_zero_to(&self.tail[0]);
        for (mass, power) in self.above(epsilon)? {
            sum = sum + (mass * power.complement()).max(&zero);
        }
        Ok(sum)
    }

    /// The least `epsilon >= 0` with `delta(epsilon) <= delta`, for `0 <= delta < 1`.
    ///
    /// With the masses `A` on the first input and `B` on the second of the losses above it, it is `ln((A - delta)/B)`; either end of the enclosure is
    /// certified (`spec/samplers.md`, `privacy.least-epsilon`).
    ///
    /// Exact cases: 0 where `delta(0)` is certified to be at most `delta`; where the two are equal, the enclosure may only begin at 0. At `delta = 0` the largest loss (infinite if it is not bounded, or if an outcome is
    /// possible on the first input alone). Infinite where the outcomes that are possible on the first input alone have more than `delta`.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `0 <= delta < 1`; [`NumberError::OutOfDomain`] where at this precision `delta` is not told
    /// from the mass of those outcomes, or of the tail; those of the real functions.
    pub fn epsilon(&self, delta: &Rational) -> Result<LeastEpsilon, PrivacyError> {
        proper_delta(delta)?;
        let working = self.working();
        let undecided = || NumberError::OutOfDomain {
            function: "the inverse of the privacy profile",
            argument: shortly(delta),
            expected: "delta must not be within the width of the probability that has no finite loss or is not held",
        };
        let alone = &self.alone[0];
        if alone.enclosed().is_above_rational(delta) {
            return Ok(LeastEpsilon::Infinite);
        }
        let finite = |epsilon: Enclosure| Ok(LeastEpsilon::Finite(epsilon.with_bits(self.bits)));
        let zero = Enclosure::integer(0, working);
        let largest = match &self.ends {
            Some([_, largest]) => largest.max(&zero),
            None => zero.clone(),
        };
        // Delta may be spent on no finite loss.
        let is_all = alone.is(delta);
        let has_tail = self.tail[0].hi().is_positive();
        match (is_all, has_tail, self.unbounded) {
            (true, false, _) => return finite(largest),
            (true, true, true) => return Ok(LeastEpsilon::Infinite),
            (true, true, false) => return Err(undecided().into()),
            (false, ..) => {}
        }
        if !(alone.enclosed() + &self.tail[0]).is_below_rational(delta) {
            return Err(undecided().into());
        }
        let at_zero = self.delta(&Rational::zero())?;
        if at_zero.upper() <= *delta {
            return finite(zero);
        }
        let target = Enclosure::of(delta, working);
        let rise = |from: &Rational| {
            let (mut on_first, mut on_second) = (alone.enclosed().clone(), zero.clone());
            for (mass, power) in self.above(from)? {
                on_first = on_first + mass;
                on_second = on_second + mass * power;
            }
            let gain = on_first - &target;
            if !gain.lo().is_positive() || !on_second.lo().is_positive() {
                return Ok(None);
            }
            // What was summed is e^from times the masses on the second input.
            let further = gain.divided_by(&on_second)?.ln()?;
            Ok(Some(Enclosure::of(from, working) + further))
        };
        let bound = (!has_tail).then_some(&largest);
        let profile = |epsilon: &Rational| self.sum_above(epsilon);
        match least_epsilon(delta, bound, self.bits, profile, rise)? {
            Some(epsilon) => finite(epsilon),
            None => Err(undecided().into()),
        }
    }

    /// The law of the loss of the second input over the first, on which the other direction of privacy rests.
    ///
    /// The masses on the second input are `e^-loss` times those on the first, and so are the widths of their enclosures: reverse a mechanism
    /// before it is composed, not after.
    ///
    /// # Errors
    /// Those of the exponential, where a loss is below `-2^22`.
    pub fn reversed(&self) -> Result<Self, PrivacyError> {
        let least = self.masses.keys().map(|key| &key.rational).min();
        let least = least.cloned().unwrap_or_default() - Rational::one();
        let mut reversed = Self {
            masses: BTreeMap::new(),
            ends: self
                .ends
                .as_ref()
                .map(|[least, largest]| [-largest, -least]),
            alone: [self.alone[1].clone(), self.alone[0].clone()],
            tail: [self.tail[1].clone(), self.tail[0].clone()],
            ..self.clone()
        };
        // Of each loss the mass on the second input: e^-least e^(least - loss) times that on the first.
        let factor = Enclosure::exp_of(&-&least, self.working())?;
        for (key, (mass, power)) in self.masses.keys().zip(self.powers_from(&least)?) {
            reversed
                .masses
                .insert(key.times(-1), mass * power * &factor);
        }
        Ok(reversed)
    }

    /// All masses with `e^(from - loss)`.
    fn powers_from(&self, from: &Rational) -> Result<Vec<(&Enclosure, Enclosure)>, NumberError> {
        self.masses
            .iter()
            .map(|(key, mass)| {
                let power = Enclosure::exp_of(&(from - &key.rational), self.working())?;
                Ok((mass, power * (-self.irrational(key)).exp()?))
            })
            .collect()
    }

    /// The law of the loss of `times` such mechanisms, all run on the first input or all on the second.
    ///
    /// On a grid of losses by repeated squaring of lists of masses, each squaring one product of two long integers.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `times >= 1`; [`PrivacyError::TooManyLosses`]; those of the real functions.
    pub fn times(&self, times: u64) -> Result<Self, PrivacyError> {
        at_least_one("the number of mechanisms", times)?;
        if times == 1 {
            return Ok(self.clone());
        }
        let factor = Enclosure::integer(times, self.working());
        let ends = self
            .ends
            .as_ref()
            .map(|ends| ends.each_ref().map(|end| end * &factor));
        let masses = match Layout::new(self.units.len(), &[(&self.masses, times)], self.bits) {
            Ok(layout) => layout.masses(&layout.fixed(&self.masses).power(times), self.bits),
            Err(points) => {
                let mut result: Option<Held> = None;
                for bit in (0..=times.ilog2()).rev() {
                    if let Some(half) = &result {
                        result = Some(convolved(half, half, &points)?);
                    }
                    if times >> bit & 1 == 1 {
                        result = Some(match &result {
                            None => self.masses.clone(),
                            Some(even) => convolved(even, &self.masses, &points)?,
                        });
                    }
                }
                result.unwrap_or_default()
            }
        };
        let [first, second] = self.alone.each_ref().map(|alone| alone.in_some_of(times));
        let tail = self
            .tail
            .each_ref()
            .map(|each| from_zero_to(&(each * Enclosure::integer(times, self.working()))));
        Ok(Self {
            bits: self.bits,
            units: self.units.clone(),
            masses,
            ends,
            alone: [first?, second?],
            tail,
            unbounded: self.unbounded,
        })
    }

    /// The law of the loss of this mechanism and another one, both run on the first input or both on the second.
    ///
    /// # Errors
    /// [`PrivacyError::TooManyLosses`]; those of the real functions.
    pub fn with(&self, other: &Self) -> Result<Self, PrivacyError> {
        let bits = self.bits.max(other.bits);
        let mut units = self.units.clone();
        for unit in &other.units {
            if !units.iter().any(|known| known.name == unit.name) {
                units.push(unit.clone());
            }
        }
        let [this, other] = [self, other].map(|law| law.in_units(&units, bits));
        let ends = match (&this.ends, &other.ends) {
            (Some(these), Some(others)) => Some([0, 1].map(|side| &these[side] + &others[side])),
            _ => None,
        };
        let masses = match Layout::new(units.len(), &[(&this.masses, 1), (&other.masses, 1)], bits)
        {
            Ok(layout) => {
                let product = layout
                    .fixed(&this.masses)
                    .product(&layout.fixed(&other.masses));
                layout.masses(&product, bits)
            }
            Err(points) => convolved(&this.masses, &other.masses, &points)?,
        };
        Ok(Self {
            bits,
            masses,
            ends,
            alone: [0, 1].map(|side| this.alone[side].in_either(&other.alone[side])),
            tail: [0, 1].map(|side| from_zero_to(&(&this.tail[side] + &other.tail[side]))),
            unbounded: this.unbounded || other.unbounded,
            units,
        })
    }

    /// The same law with its losses as multiples of these units, its own among them.
    fn in_units(&self, units: &[Unit], bits: u32) -> Self {
        let places: Vec<usize> = self
            .units
            .iter()
            .filter_map(|unit| units.iter().position(|other| other.name == unit.name))
            .collect();
        let moved = |key: &Key| {
            let mut multiples = vec![0; units.len()];
            for (&place, &multiple) in places.iter().zip(&key.multiples) {
                multiples[place] = multiple;
            }
            Key {
                multiples,
                rational: key.rational.clone(),
            }
        };
        let masses = self.masses.iter();
        Self {
            bits,
            units: units.to_vec(),
            masses: masses
                .map(|(key, mass)| (moved(key), mass.clone()))
                .collect(),
            ..self.clone()
        }
    }
}

/// Refuses more outcomes than are held.
pub(super) fn affordable(outcomes: usize) -> Result<(), PrivacyError> {
    if outcomes as u64 <= MOST_LOSSES {
        return Ok(());
    }
    Err(PrivacyError::TooManyLosses {
        points: format!("{outcomes} outcomes"),
    })
}

/// What may count for nothing or for all of it.
fn from_zero_to(mass: &Enclosure) -> Enclosure {
    Enclosure::new(&Dyadic::zero(), mass.hi(), mass.bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use crate::privacy::{certified, mechanisms};
    use crate::sample::{DiscreteGaussian, DiscreteLaplace};
    use proptest::prelude::*;

    fn response(epsilon: Rational) -> LossDistribution {
        mechanisms::randomised_response(&epsilon, 128).unwrap()
    }

    #[test]
    fn losses_are_added_and_equal_ones_merged() {
        let two = response(ratio(1, 3)).times(2).unwrap();
        let losses: Vec<Loss> = two.losses().map(|(loss, _)| loss).collect();
        let exact = |n| Loss::Exact(ratio(n, 3));
        assert_eq!(losses, [exact(-2), exact(0), exact(2)]);
        let masses: Vec<Enclosure> = two.losses().map(|(_, mass)| mass).collect();
        let sum = masses.iter().fold(Enclosure::integer(0, 128), |s, p| s + p);
        assert!(sum.contains(&integer(1)) && sum.has_digits(30));
        assert!(two.tail().hi().is_zero() && two.bits() == 128);
    }

    #[test]
    fn an_irrational_loss_cancels_against_its_negative() {
        let quarters = [ratio(3, 4), ratio(1, 4)];
        let back = [ratio(1, 4), ratio(3, 4)];
        let law = LossDistribution::of_masses(&quarters, &back, 128).unwrap();
        let two = law.times(2).unwrap();
        let zero = two.losses().find(|(loss, _)| *loss == Loss::none());
        // 3/4 1/4 twice.
        assert!(zero.unwrap().1.contains(&ratio(3, 8)));
        assert_eq!(two.losses().count(), 3);
        // delta(0) is 9/16 - 1/16.
        assert!(two.delta(&integer(0)).unwrap().contains(&ratio(1, 2)));
    }

    #[test]
    fn what_is_alone_stays_and_the_other_direction_has_its_own() {
        let first = [ratio(1, 2), ratio(1, 2), ratio(0, 1)];
        let second = [ratio(3, 4), ratio(0, 1), ratio(1, 4)];
        let law = LossDistribution::of_masses(&first, &second, 128).unwrap();
        let large = integer(50);
        let near = |found: Enclosure, expected: Rational| {
            (found - Enclosure::of(&expected, 128))
                .abs()
                .hi()
                .magnitude()
                < -100
        };
        let twice = law.times(2).unwrap();
        assert!(near(law.delta(&large).unwrap(), ratio(1, 2)));
        assert!(near(twice.delta(&large).unwrap(), ratio(3, 4)));
        assert!(near(
            law.with(&law).unwrap().delta(&large).unwrap(),
            ratio(3, 4)
        ));
        let back = law.reversed().unwrap();
        assert!(near(back.delta(&large).unwrap(), ratio(1, 4)));
        assert!(near(
            twice.reversed().unwrap().delta(&large).unwrap(),
            ratio(7, 16)
        ));
        assert!(matches!(law.losses().last(), Some((Loss::Infinite, _))));
        assert_eq!(law.epsilon(&ratio(1, 3)).unwrap(), LeastEpsilon::Infinite);
    }

    #[test]
    fn losses_off_any_grid_are_convolved_term_by_term() {
        // Seven losses ln p/q of different primes: a grid of all their multiples has 5^7 places for two, 7^7 for three, 9^7 for four,
        // and more than 2^18 are too many. Three by day, four at night.
        let times: u32 = match std::env::var_os("NIGHTLY") {
            Some(_) => 4,
            None => 3,
        };
        let first: Vec<Rational> = [2, 3, 5, 7, 11, 13, 17].map(|p| ratio(p, 58)).to_vec();
        let mut second = first.clone();
        second.rotate_left(1);
        let law = LossDistribution::of_masses(&first, &second, 64).unwrap();
        let found = law.times(times.into()).unwrap();
        let factor = Enclosure::exp_of(&ratio(1, 2), 128).unwrap();
        let mut sum = Enclosure::integer(0, 128);
        for code in 0..7usize.pow(times) {
            let places = (0..times).map(|i| code / 7usize.pow(i) % 7);
            let (p, q) = places.fold((integer(1), integer(1)), |(p, q), place| {
                (p * &first[place], q * &second[place])
            });
            let gain = Enclosure::of(&p, 128) - &factor * Enclosure::of(&q, 128);
            sum = sum + gain.max(&Enclosure::integer(0, 128));
        }
        let delta = found.delta(&ratio(1, 2)).unwrap();
        assert!((delta - sum).abs().hi().magnitude() < -55);
    }

    #[test]
    fn what_is_too_much_is_refused_with_what_would_be_right() {
        let wide = DiscreteGaussian::new(integer(1_000_000)).unwrap();
        let law = mechanisms::discrete_gaussian(&wide, &1.into(), 64).unwrap();
        let refused = law.times(1000).unwrap_err();
        assert!(
            matches!(refused, PrivacyError::TooManyLosses { .. }),
            "{refused}"
        );
        assert!(refused.to_string().contains("compose fewer mechanisms"));
        assert!(law.times(0).is_err());
        assert!(law.delta(&ratio(-1, 2)).is_err() && law.epsilon(&integer(1)).is_err());
        let half = [ratio(1, 2), ratio(1, 2)];
        for (first, second) in [
            (&half[..], &half[..1]),
            (&half[..1], &half[..1]),
            (&[ratio(3, 2), ratio(-1, 2)][..], &half[..]),
        ] {
            assert!(LossDistribution::of_masses(first, second, 64).is_err());
        }
    }

    #[test]
    fn a_thousand_steps_to_fifty_digits() {
        let laplace = DiscreteLaplace::new(integer(10)).unwrap();
        let response = |bits| mechanisms::randomised_response(&ratio(1, 10), bits)?.times(1000);
        let noise = |bits| mechanisms::discrete_laplace(&laplace, &1.into(), bits)?.times(1000);
        let found = [
            certified(50, |bits| response(bits)?.delta(&integer(5))).unwrap(),
            certified(50, |bits| noise(bits)?.delta(&integer(5))).unwrap(),
        ];
        // With one step to the side discrete Laplace noise is randomised response.
        assert!(found[0].meets(&found[1]));
        let inverse = certified(50, |bits| {
            let epsilon = response(bits)?.epsilon(&found[0].lower())?;
            Ok(epsilon.finite().unwrap())
        });
        let off = inverse.unwrap() - Enclosure::integer(5, 200);
        assert!(off.abs().hi().magnitude() < -150);
    }

    #[test]
    fn however_often_delta_0_has_the_largest_loss() {
        for times in [1, 4096, 5000] {
            let law = response(ratio(1, 100)).times(times).unwrap();
            let found = law.epsilon(&integer(0)).unwrap().finite().unwrap();
            assert!(
                found.contains(&ratio(times as i64, 100)),
                "{times}: {found}"
            );
        }
    }

    #[test]
    fn at_the_delta_of_epsilon_0_the_inverse_encloses_0_narrowly() {
        let [mostly, seldom] = [ratio(3, 4), ratio(1, 4)];
        let two = [[&mostly, &seldom], [&seldom, &mostly]].map(|law| law.map(Clone::clone));
        let law = LossDistribution::of_masses(&two[0], &two[1], 128).unwrap();
        // Pr[first] - Pr[second] = 1/2 at epsilon 0.
        let found = law.epsilon(&ratio(1, 2)).unwrap().finite().unwrap();
        assert!(found.contains(&ratio(0, 1)), "{found}");
        assert!(found.width() <= Dyadic::new(1, -120), "{found}");
    }

    #[test]
    fn the_inverse_takes_a_small_delta() {
        // delta = 1e-100 of a hundred steps, far above the mean of the loss.
        let delta = crate::number::rational::parse("1e-30").unwrap();
        let step = response(ratio(1, 2));
        let epsilon = step.times(100).unwrap().epsilon(&delta).unwrap();
        let epsilon = epsilon.finite().unwrap();
        assert!(epsilon.has_digits(15), "{epsilon}");
        let kov = |at: Rational| {
            let budget = crate::privacy::Budget::pure(
                ratio(1, 2),
                crate::privacy::NeighbouringRelation::Substitute,
            );
            crate::privacy::composition::optimal_delta(&budget.unwrap(), 100, &at, 200).unwrap()
        };
        let little = ratio(1, 1 << 30);
        assert!(kov(epsilon.upper() + &little).upper() <= delta);
        assert!(kov(epsilon.lower() - little).lower() > delta);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn composed_by_parts_or_at_once(weights in prop::collection::vec((1i64..40, 1i64..40), 2..4), e in 0i64..300) {
            let total = |side: fn(&(i64, i64)) -> i64| weights.iter().map(side).sum::<i64>();
            let (p, q) = (total(|w| w.0), total(|w| w.1));
            let first: Vec<_> = weights.iter().map(|w| ratio(w.0, p)).collect();
            let second: Vec<_> = weights.iter().map(|w| ratio(w.1, q)).collect();
            let law = LossDistribution::of_masses(&first, &second, 100).unwrap();
            let by_parts = law.times(2).unwrap().with(&law.times(3).unwrap()).unwrap();
            let at_once = law.times(5).unwrap();
            let epsilon = ratio(e, 100);
            let (a, b) = (by_parts.delta(&epsilon).unwrap(), at_once.delta(&epsilon).unwrap());
            prop_assert!(a.meets(&b) && (&a - &b).abs().hi().magnitude() < -90);
            // Data processing: fewer steps have no more, and either direction ends at the total variation.
            prop_assert!(law.delta(&epsilon).unwrap().lo() <= a.hi());
            let back = at_once.reversed().unwrap().delta(&Rational::zero()).unwrap();
            prop_assert!(back.meets(&at_once.delta(&Rational::zero()).unwrap()));
        }
    }
}
