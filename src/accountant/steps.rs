//! Steps and what they cost together.

use super::AccountantError;
use super::cells::loss;
use super::companions::{Companion, lower, upper};
use super::curve::Curve;
use super::double::require_nearest;
use super::interval::Interval;
use super::pairs::Noise;
use super::pairs::gaussian::SampledGaussian;
use super::pairs::laplace::SampledLaplace;
use super::pairs::lattice::{discrete_gaussian, discrete_laplace, randomised_response};
use super::tilt::{Target, Tilt, choose};
use super::total::{Kind, convolve};
use crate::number::range::require;
use crate::number::rational::{from_f64, parse, to_f64_for_display};
use crate::number::{Enclosure, Rational};
use num_traits::{One, Zero};

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

/// What makes two datasets neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// One is the other without one record: P with it, Q without.
    Remove,
    /// One is the other with one record more: P without it, Q with it.
    Add,
    /// Either: the larger of both.
    AddOrRemove,
}

/// The most steps.
pub const MOST_STEPS: u64 = 1 << 30;

/// The most digits: beyond, doubles have none.
pub const MOST_DIGITS: u32 = 12;

/// The most cells of one step.
const MOST_CELLS: f64 = 4e6;

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
        let noise = |name, value: &Rational| {
            let right = *value >= parsed("1/20") && *value <= parsed("1e6");
            require(
                right,
                name,
                value,
                "between 1/20 and 1000000, in units of the sensitivity",
            )
        };
        let shift_in_range = |shift: u32| {
            require(
                (1..=1000).contains(&shift),
                "shift",
                &shift,
                "from 1 to 1000",
            )
        };
        match self {
            Self::Gaussian { deviation, rate } => {
                noise("deviation", deviation)?;
                rate_in_range(rate)?;
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

    /// The pair of laws, with tails of about this size left out.
    fn noise(&self, tail: f64) -> Box<dyn Noise> {
        let rest = |rate: &Rational| Interval::of(&(Rational::one() - rate));
        match self {
            Self::Gaussian { deviation, rate } => {
                let mu = Interval::of(&deviation.recip());
                Box::new(SampledGaussian::new(Interval::of(rate), rest(rate), mu))
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

/// Bounds of what was asked for.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    lo: f64,
    hi: f64,
}

impl Bounds {
    fn has(self, digits: u32) -> bool {
        self.hi.is_finite() && (self.hi - self.lo) * 10_f64.powi(digits as i32) <= self.hi
    }

    fn enclosure(self) -> Option<Enclosure> {
        let (lo, hi) = (from_f64(self.lo).ok()?, from_f64(self.hi).ok()?);
        (lo <= hi).then(|| Enclosure::between(&lo, &hi, 64))
    }
}

impl Account {
    /// An account of these steps.
    ///
    /// # Errors
    /// No steps, too many, a parameter outside its range, a processor that rounds in another way.
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
        }
        Ok(Self { noises, relation })
    }

    /// The least epsilon at this delta: an enclosure with so many digits, or the sharpest that there is.
    ///
    /// # Errors
    /// A delta outside of 1e-30 to 1, steps that are too many for the memory, a delta that no epsilon is known to reach.
    pub fn epsilon(&self, delta: &Rational, digits: u32) -> Result<Enclosure, AccountantError> {
        let right = *delta >= parsed("1e-30") && *delta < Rational::one();
        require(right, "delta", delta, "at least 1e-30 and below 1")?;
        // Compared with doubles: from below for an upper end, from above for a lower.
        let delta_between = Interval::of(delta);
        let bounds = self.refined(Target::Delta(to_f64_for_display(delta)), digits, &|curve| {
            Bounds {
                lo: curve.epsilon(delta_between.hi)[0],
                hi: curve.epsilon(delta_between.lo)[1],
            }
        })?;
        bounds
            .enclosure()
            .ok_or_else(|| AccountantError::NoEpsilon {
                delta: crate::number::rational::shortly(delta),
            })
    }

    /// The least delta at this epsilon, in the same way. A delta below some 1e-200 is only bounded from above.
    ///
    /// # Errors
    /// An epsilon outside of 0 to 600, steps that are too many for the memory.
    pub fn delta(&self, epsilon: &Rational, digits: u32) -> Result<Enclosure, AccountantError> {
        let right = *epsilon >= Rational::zero() && *epsilon <= parsed("600");
        require(right, "epsilon", epsilon, "between 0 and 600")?;
        let between = Interval::of(epsilon);
        let bounds = self.refined(Target::Epsilon(between.middle()), digits, &|curve| Bounds {
            lo: curve.below(between.hi),
            hi: curve.above(between.lo.max(0.0)),
        })?;
        bounds.enclosure().ok_or(AccountantError::TooLong {
            longest: super::tilt::LONGEST,
        })
    }

    /// Finer and finer grids, until the digits are there or nothing is gained.
    fn refined(
        &self,
        target: Target,
        digits: u32,
        read: &dyn Fn(&Curve) -> Bounds,
    ) -> Result<Bounds, AccountantError> {
        let digits = digits.clamp(1, MOST_DIGITS);
        let mut best = Bounds {
            lo: 0.0,
            hi: f64::INFINITY,
        };
        let mut points = 16.0;
        let (mut last_step, mut last_width) = (f64::INFINITY, f64::INFINITY);
        let mut tail = match target {
            Target::Delta(delta) => 1e-10 * delta,
            Target::Epsilon(_) => 1e-40,
        };
        loop {
            let Some((bounds, step)) = self.at(target, points, tail, read)? else {
                return match best.hi.is_finite() {
                    true => Ok(best),
                    false => Err(AccountantError::TooLong {
                        longest: super::tilt::LONGEST,
                    }),
                };
            };
            // All bounds hold.
            best = Bounds {
                lo: best.lo.max(bounds.lo),
                hi: best.hi.min(bounds.hi),
            };
            let width = (bounds.hi - bounds.lo) / bounds.hi;
            let is_stuck =
                step >= 0.999 * last_step || (bounds.lo > 0.0 && width >= 0.95 * last_width);
            if best.has(digits) || best.hi == 0.0 || (is_stuck && last_step.is_finite()) {
                return Ok(best);
            }
            if let (Target::Epsilon(_), true) = (target, bounds.hi > 0.0) {
                tail = tail.min(1e-10 * bounds.hi).max(1e-280);
            }
            (last_step, last_width) = (step, width);
            // The width falls with the square of the points.
            let wanted = (width * 10_f64.powi(digits as i32)).sqrt() * 1.1;
            points *= if wanted.is_finite() {
                wanted.clamp(1.5, 12.0)
            } else {
                4.0
            };
        }
    }

    /// The bounds with so many points to a standard deviation, and the step of the grid; nothing where it is too long.
    fn at(
        &self,
        target: Target,
        points: f64,
        tail: f64,
        read: &dyn Fn(&Curve) -> Bounds,
    ) -> Result<Option<(Bounds, f64)>, AccountantError> {
        let steps: f64 = self.noises.iter().map(|(_, times)| *times as f64).sum();
        let noises: Vec<(Box<dyn Noise>, u64)> = self
            .noises
            .iter()
            .map(|(mechanism, times)| (mechanism.noise(tail / steps), *times))
            .collect();
        let variance: f64 = noises
            .iter()
            .map(|(noise, times)| *times as f64 * noise.deviation().powi(2))
            .sum();
        let wanted = (variance / steps).sqrt() / points;
        // What has a grid of its own decides, the widest spread first.
        let weight =
            |(noise, times): &(Box<dyn Noise>, u64)| noise.deviation().powi(2) * *times as f64;
        let first = noises
            .iter()
            .filter(|(noise, _)| noise.step(wanted) != wanted)
            .max_by(|one, other| weight(one).total_cmp(&weight(other)));
        let step = first.map_or(wanted, |(noise, _)| noise.step(wanted));
        let is_symmetric = noises.iter().all(|(noise, _)| noise.is_symmetric());
        let directions: &[bool] = match (self.relation, is_symmetric) {
            (_, true) | (Relation::Remove, _) => &[false],
            (Relation::Add, _) => &[true],
            (Relation::AddOrRemove, _) => &[false, true],
        };
        let mut bounds = Bounds { lo: 0.0, hi: 0.0 };
        for is_swapped in directions {
            let Some(curve) = curve(&noises, *is_swapped, step, tail / steps, target)? else {
                return Ok(None);
            };
            let found = read(&curve);
            bounds = Bounds {
                lo: bounds.lo.max(found.lo),
                hi: bounds.hi.max(found.hi),
            };
        }
        Ok(Some((bounds, step)))
    }
}

/// The curve of all steps in one direction.
fn curve(
    noises: &[(Box<dyn Noise>, u64)],
    is_swapped: bool,
    step: f64,
    tail: f64,
    target: Target,
) -> Result<Option<Curve>, AccountantError> {
    let mut kinds = Vec::new();
    let mut offset = Interval::ZERO;
    let (mut slack, mut infinite) = (Interval::ZERO, Interval::ZERO);
    let mut mass = Interval::ONE;
    for (noise, times) in noises {
        // Before any memory is taken.
        let count = noise.width(tail) / step;
        if !count.is_finite() || count > MOST_CELLS {
            return Ok(None);
        }
        let mut cells = noise.cells(step, tail);
        if is_swapped {
            cells = cells.swapped();
        }
        let exact = Interval::exactly(*times as f64);
        offset = offset + exact * Interval::exactly(cells.offset);
        slack = slack + exact * Interval::exactly(cells.slack);
        let upper = upper(&cells);
        infinite = infinite + exact * Interval::exactly(upper.infinite);
        mass = mass * largest(&upper, cells.offset, step).power(*times);
        kinds.push(Kind {
            upper,
            lower: lower(&cells),
            offset: cells.offset,
            times: *times,
        });
    }
    let parts: Vec<(&Companion, f64, u64)> = kinds
        .iter()
        .map(|kind| (&kind.upper, kind.offset, kind.times))
        .collect();
    let Some(tilt): Option<Tilt> = choose(&parts, step, target) else {
        return Ok(None);
    };
    let total = convolve(&kinds, step, &tilt);
    // (finite + infinite)^k - finite^k <= k infinite (finite + infinite)^(k-1), and so for unlike steps.
    let infinite = (infinite * mass).hi;
    Ok(Some(Curve::new(
        &total,
        &tilt,
        step,
        offset,
        Interval::exactly(slack.hi),
        infinite,
    )))
}

/// What P has in all, at least 1.
fn largest(companion: &Companion, offset: f64, step: f64) -> Interval {
    let masses = companion.masses.iter().enumerate();
    let finite = masses.fold(Interval::ZERO, |sum, (i, mass)| {
        sum + Interval::exactly(*mass) * loss(offset, step, companion.first + i as i64).exp()
    });
    let all = finite + Interval::exactly(companion.infinite);
    Interval::exactly(all.hi.max(1.0))
}
