//! Steps and what they cost together.

use super::AccountantError;
use super::curve::Curve;
use super::double::require_nearest;
use super::interval::Interval;
use super::pairs::Noise;
use super::pairs::allocation::Allocation;
use super::pairs::fixed::FixedBatch;
use super::pairs::gaussian::SampledGaussian;
use super::pairs::laplace::SampledLaplace;
use super::pairs::lattice::{discrete_gaussian, discrete_laplace, randomised_response};
use super::refine::{Bounds, Composed, Limit, Noises, refined};
use super::tilt::Target;
use crate::number::range::require;
use crate::number::rational::{from_f64, integer, parse, shortly, to_f64_for_display};
use crate::number::{Enclosure, OutOfRange, Rational};
use num_traits::{One, Signed, ToPrimitive, Zero};

/// A mechanism, with noise in units of the sensitivity of what it is added to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mechanism {
    /// Gaussian noise of this standard deviation, on a Poisson sample.
    Gaussian {
        /// From 1/20 to 1000000.
        deviation: Rational,
        /// The probability that a record is sampled; 1 for all records.
        rate: Rational,
    },
    /// Gaussian noise on the sum of a batch of fixed size, drawn without replacement: only with [`Relation::Substitution`].
    FixedBatch {
        /// From 1/10 to 1000000, in units of the most that one record adds to the sum (its clipping norm). One record in place
        /// of another moves the sum by up to two such units.
        deviation: Rational,
        /// The records of a batch divided by all records.
        rate: Rational,
    },
    /// Gaussian noise on each of several steps together, of which every record takes part in one, drawn uniformly. To run it
    /// again is another epoch, with other draws.
    Allocation {
        /// The standard deviation, from 1/4 to 1000000.
        deviation: Rational,
        /// How many steps an epoch has, from 2 to 100000.
        steps: u64,
    },
    /// Laplace noise of this scale, on a Poisson sample.
    Laplace {
        /// From 1/20 to 1000000.
        scale: Rational,
        /// The probability that a record is sampled; 1 for all records.
        rate: Rational,
    },
    /// Discrete Gaussian noise on an integer.
    DiscreteGaussian {
        /// The variance parameter, from 1/100 to 10^8.
        variance: Rational,
        /// The sensitivity, from 1 to 1000.
        shift: u32,
    },
    /// Discrete Laplace noise on an integer.
    DiscreteLaplace {
        /// From 1/20 to 1000000.
        scale: Rational,
        /// The sensitivity, from 1 to 1000.
        shift: u32,
    },
    /// An answer among several, the true one `e^epsilon` times as likely as each other.
    RandomisedResponse {
        /// From 10^-6 to 20.
        epsilon: Rational,
        /// At least 2.
        answers: u64,
    },
}

/// A mechanism that is run a number of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The mechanism.
    pub mechanism: Mechanism,
    /// How often.
    pub times: u64,
}

impl Step {
    /// Gaussian noise on `times` steps, in whole epochs of `1 / rate` steps, in each of which every record takes part in one.
    ///
    /// # Errors
    /// A rate that is not one divided by a whole number from 2 on; steps that are not whole epochs.
    pub fn allocated(
        deviation: Rational,
        rate: &Rational,
        times: u64,
    ) -> Result<Self, AccountantError> {
        let steps = Some(rate)
            .filter(|rate| rate.is_positive() && rate.numer().is_one())
            .and_then(|rate| rate.denom().to_u64())
            .filter(|steps| *steps >= 2 && times.is_multiple_of(*steps));
        let steps = steps.ok_or_else(|| AccountantError::NotEpochs {
            rate: shortly(rate),
            times,
        })?;
        Ok(Self {
            mechanism: Mechanism::Allocation { deviation, steps },
            times: times / steps,
        })
    }
}

/// What makes two datasets neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// One is the other without one record: P with it, Q without.
    Remove,
    /// One is the other with one record more: P without it, Q with it.
    Add,
    /// Either: the larger of both.
    AddOrRemove,
    /// One is the other with one record in place of another: for [`Mechanism::FixedBatch`] alone.
    Substitution,
}

/// The pair to account: the one that no mechanism of the kind is above, or one that a mechanism attains. Of most kinds they
/// are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pair {
    Dominating,
    Attained,
}

/// The most steps of an epoch.
const MOST_ALLOCATED: u64 = 100_000;

/// The most steps.
pub const MOST_STEPS: u64 = 1 << 30;

/// Steps that are composed, each after the answers of those before it.
#[derive(Debug)]
pub struct Account {
    noises: Vec<(Mechanism, u64)>,
    relation: Relation,
}

impl Mechanism {
    /// Refuses a parameter outside its range.
    fn check(&self) -> Result<(), AccountantError> {
        let rate_in_range = |rate: &Rational| {
            let right = *rate >= parsed("1e-9") && *rate <= Rational::one();
            require(right, "rate", rate, "between 1e-9 and 1")
        };
        let noise = |name, value| self.noise_in_range(name, value);
        let shift_in_range = |shift: u32| {
            require(
                (1..=1000).contains(&shift),
                "shift",
                &shift,
                "from 1 to 1000",
            )
        };
        match self {
            Self::Gaussian { deviation, rate } | Self::FixedBatch { deviation, rate } => {
                noise("deviation", deviation)?;
                rate_in_range(rate)?;
            }
            Self::Allocation { deviation, steps } => {
                noise("deviation", deviation)?;
                require(
                    (2..=MOST_ALLOCATED).contains(steps),
                    "steps of an epoch",
                    steps,
                    "from 2 to 100000",
                )?;
            }
            Self::Laplace { scale, rate } => {
                noise("scale", scale)?;
                rate_in_range(rate)?;
            }
            Self::DiscreteGaussian { variance, shift } => {
                let right = *variance >= parsed("1e-2") && *variance <= parsed("1e8");
                require(right, "variance", variance, "between 1/100 and 100000000")?;
                shift_in_range(*shift)?;
            }
            Self::DiscreteLaplace { scale, shift } => {
                noise("scale", scale)?;
                shift_in_range(*shift)?;
            }
            Self::RandomisedResponse { epsilon, answers } => {
                let right = *epsilon >= parsed("1e-6") && *epsilon <= parsed("20");
                require(right, "epsilon", epsilon, "between 0.000001 and 20")?;
                require(
                    (2..=1 << 40).contains(answers),
                    "answers",
                    answers,
                    "from 2 to 2^40",
                )?;
            }
        }
        Ok(())
    }

    /// Refuses a deviation or a scale out of range.
    fn noise_in_range(&self, name: &'static str, value: &Rational) -> Result<(), OutOfRange> {
        let [least, most] = self.noise_range();
        let right = *value >= least && *value <= most;
        let expected = match self {
            Self::FixedBatch { .. } => {
                "between 1/10 and 1000000 on batches of a fixed size, in units of the most that one record adds"
            }
            Self::Allocation { .. } => {
                "between 1/4 and 1000000 where records are allocated to steps, in units of the sensitivity"
            }
            _ => "between 1/20 and 1000000, in units of the sensitivity",
        };
        require(right, name, value, expected)
    }

    /// What its deviation or its scale may be.
    pub(super) fn noise_range(&self) -> [Rational; 2] {
        let least = match self {
            Self::FixedBatch { .. } => "1/10",
            Self::Allocation { .. } => "1/4",
            _ => "1/20",
        };
        [parsed(least), parsed("1e6")]
    }

    /// Refuses a relation for which it has no pair.
    fn check_relation(&self, relation: Relation) -> Result<(), AccountantError> {
        let is_fixed = matches!(self, Self::FixedBatch { .. });
        match (is_fixed, relation == Relation::Substitution) {
            (true, false) => Err(AccountantError::OnlySubstitution),
            (false, true) => Err(AccountantError::NoSubstitution),
            _ => Ok(()),
        }
    }

    /// The pair of laws, with tails of about this size left out.
    fn noise(&self, tail: f64, pair: Pair) -> Box<dyn Noise> {
        let rest = |rate: &Rational| Interval::of(&(Rational::one() - rate));
        match self {
            Self::Gaussian { deviation, rate } => {
                let mu = Interval::of(&deviation.recip());
                Box::new(SampledGaussian::new(Interval::of(rate), rest(rate), mu))
            }
            Self::FixedBatch { deviation, rate } => {
                // One record in place of another moves a sum by up to twice what one record adds.
                let mu = Interval::of(&(integer(2) / deviation));
                let sampled = SampledGaussian::new(Interval::of(rate), rest(rate), mu);
                match pair {
                    Pair::Dominating => Box::new(FixedBatch::new(sampled)),
                    Pair::Attained => Box::new(sampled),
                }
            }
            Self::Allocation { deviation, steps } => {
                Box::new(Allocation::new(Interval::of(&deviation.recip()), *steps))
            }
            Self::Laplace { scale, rate } => {
                let b = Interval::of(&scale.recip());
                Box::new(SampledLaplace::new(Interval::of(rate), rest(rate), b))
            }
            Self::DiscreteGaussian { variance, shift } => {
                Box::new(discrete_gaussian(Interval::of(variance), *shift, tail))
            }
            Self::DiscreteLaplace { scale, shift } => {
                Box::new(discrete_laplace(Interval::of(&scale.recip()), *shift))
            }
            Self::RandomisedResponse { epsilon, answers } => {
                Box::new(randomised_response(Interval::of(epsilon), *answers))
            }
        }
    }
}

fn parsed(text: &str) -> Rational {
    parse(text).unwrap_or_else(|_| Rational::zero())
}

impl Account {
    /// An account of these steps.
    ///
    /// # Errors
    /// No steps, too many, a parameter outside its range, a relation for which a mechanism has no pair, a processor that rounds
    /// in another way.
    pub fn new(steps: &[Step], relation: Relation) -> Result<Self, AccountantError> {
        require_nearest()?;
        let noises: Vec<_> = steps
            .iter()
            .filter(|step| step.times > 0)
            .map(|step| (step.mechanism.clone(), step.times))
            .collect();
        let all: u128 = steps.iter().map(|step| u128::from(step.times)).sum();
        match all {
            0 => return Err(AccountantError::NoSteps),
            all if all > MOST_STEPS.into() => {
                return Err(AccountantError::TooManySteps {
                    steps: all,
                    most: MOST_STEPS,
                });
            }
            _ => {}
        }
        for (mechanism, _) in &noises {
            mechanism.check()?;
            mechanism.check_relation(relation)?;
        }
        Ok(Self { noises, relation })
    }

    /// The least epsilon at this delta: with so many digits, or the sharpest that there is.
    ///
    /// # Errors
    /// A delta outside of 1e-30 to 1, steps that are too many for the memory, a delta that no epsilon is known to reach.
    pub fn epsilon(&self, delta: &Rational, digits: u32) -> Result<Known, AccountantError> {
        let right = *delta >= parsed("1e-30") && *delta < Rational::one();
        require(right, "delta", delta, "at least 1e-30 and below 1")?;
        // Compared with doubles: from below for an upper end, from above for a lower.
        let delta_between = Interval::of(delta);
        let target = Target::Delta(to_f64_for_display(delta));
        let (bounds, limit) = self.refined(target, digits, &|curve| Bounds {
            lo: curve.epsilon(delta_between.hi)[0],
            hi: curve.epsilon(delta_between.lo)[1],
        })?;
        known(bounds, limit).ok_or_else(|| AccountantError::NoEpsilon {
            delta: shortly(delta),
        })
    }

    /// The least delta at this epsilon, in the same way. A delta below some 1e-200 is only bounded from above.
    ///
    /// # Errors
    /// An epsilon outside of 0 to 600, steps that are too many for the memory.
    pub fn delta(&self, epsilon: &Rational, digits: u32) -> Result<Known, AccountantError> {
        let right = *epsilon >= Rational::zero() && *epsilon <= parsed("600");
        require(right, "epsilon", epsilon, "between 0 and 600")?;
        let between = Interval::of(epsilon);
        let target = Target::Epsilon(between.middle());
        let (bounds, limit) = self.refined(target, digits, &|curve| Bounds {
            lo: curve.below(between.hi),
            hi: curve.above(between.lo.max(0.0)),
        })?;
        known(bounds, limit).ok_or(AccountantError::TooLong {
            longest: super::tilt::LONGEST,
        })
    }

    /// Bounds from both pairs. Where they are not the same, the upper end is that of the pair that dominates, and the lower
    /// that of the one that is attained.
    fn refined(
        &self,
        target: Target,
        digits: u32,
        read: &dyn Fn(&Curve) -> Bounds,
    ) -> Result<(Bounds, Option<Limit>), AccountantError> {
        let (above, limit) = self.refined_for(Pair::Dominating, target, digits, read)?;
        if self.relation != Relation::Substitution {
            return Ok((above, limit));
        }
        let (attained, _) = self.refined_for(Pair::Attained, target, digits, read)?;
        let bounds = Bounds {
            lo: attained.lo,
            hi: above.hi,
        };
        let limit = (!bounds.has(digits)).then_some(Limit::Worst);
        Ok((bounds, limit))
    }

    fn refined_for(
        &self,
        pair: Pair,
        target: Target,
        digits: u32,
        read: &dyn Fn(&Curve) -> Bounds,
    ) -> Result<(Bounds, Option<Limit>), AccountantError> {
        let noises = |tail: f64| -> Noises {
            let noises = self.noises.iter();
            noises
                .map(|(mechanism, times)| (mechanism.noise(tail, pair), *times))
                .collect()
        };
        let composed = Composed {
            noises: &noises,
            directions: &|is_symmetric| self.directions(is_symmetric),
            steps: self.noises.iter().map(|(_, times)| *times as f64).sum(),
        };
        refined(&composed, target, digits, read)
    }

    /// The directions that are asked for: whether P and Q change places.
    fn directions(&self, is_symmetric: bool) -> &'static [bool] {
        match (self.relation, is_symmetric) {
            (_, true) | (Relation::Remove, _) => &[false],
            (Relation::Add, _) => &[true],
            (Relation::AddOrRemove | Relation::Substitution, _) => &[false, true],
        }
    }
}

/// What is known of a number.
#[derive(Debug, Clone)]
pub struct Known {
    /// It lies in here.
    pub value: Enclosure,
    /// Why it is not known to the digits that were asked for, if it is not.
    pub limit: Option<Limit>,
}

fn known(bounds: Bounds, limit: Option<Limit>) -> Option<Known> {
    let (lo, hi) = (from_f64(bounds.lo).ok()?, from_f64(bounds.hi).ok()?);
    let value = (lo <= hi).then(|| Enclosure::between(&lo, &hi, 64))?;
    Some(Known { value, limit })
}
