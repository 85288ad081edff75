//! The least noise, or the most steps, that a budget allows: found by bisection, certified at both sides.
//!
//! Bisection needs that more noise costs less and more steps cost more, and so finds the place. What is said of the place
//! does not rest on it: what is returned was accounted, and so was its neighbour.

use super::{Account, AccountantError, Mechanism, Relation, Step};
use crate::number::Rational;
use crate::number::range::require;
use crate::number::rational::integer;
use num_traits::{One, Signed};

/// An epsilon and a delta that steps may cost together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// Above 0, at most 600.
    pub epsilon: Rational,
    /// At least 1e-30, below 1.
    pub delta: Rational,
}

/// What an account says of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The steps are within it: the upper end of epsilon is at most the budget's.
    Within,
    /// The worst mechanism of the kind is beyond it: the lower end is above.
    Beyond,
    /// The budget lies between both ends.
    Unknown,
}

/// A value within a budget, beside one that is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    /// This is within the budget.
    pub value: Rational,
    /// The nearest value that was seen to be beyond the budget; nothing where none was.
    pub beyond: Option<Rational>,
    /// Whether that is the next value, by one unit of the last digit: then the value is the least, or the most.
    pub is_sharp: bool,
}

/// Digits of epsilon at which a verdict is tried.
const TRIED: [u32; 3] = [2, 4, 6];

/// The most digits of the noise.
pub const MOST_NOISE_DIGITS: u32 = 5;

/// Steps are repeated at most so often.
const MOST_REPEATED: u64 = super::steps::MOST_STEPS;

impl Budget {
    /// Refuses a budget that is none.
    fn check(&self) -> Result<(), AccountantError> {
        let right = self.epsilon.is_positive() && self.epsilon <= integer(600);
        require(right, "epsilon", &self.epsilon, "above 0 and at most 600")?;
        Ok(())
    }

    /// Whether these steps are within the budget.
    ///
    /// # Errors
    /// What [`Account::new`] and [`Account::epsilon`] refuse.
    pub fn verdict(&self, steps: &[Step], relation: Relation) -> Result<Verdict, AccountantError> {
        self.check()?;
        let account = Account::new(steps, relation)?;
        for digits in TRIED {
            let known = match account.epsilon(&self.delta, digits) {
                // More than is known is more than is allowed, or not known.
                Err(AccountantError::NoEpsilon { .. } | AccountantError::TooLong { .. }) => {
                    return Ok(Verdict::Unknown);
                }
                known => known?,
            };
            if known.value.upper() <= self.epsilon {
                return Ok(Verdict::Within);
            }
            if known.value.lower() > self.epsilon {
                return Ok(Verdict::Beyond);
            }
            if known.limit.is_some() {
                break;
            }
        }
        Ok(Verdict::Unknown)
    }

    /// The least factor, of so many significant digits, by which the noise of all steps is multiplied so that they are
    /// within the budget.
    ///
    /// # Errors
    /// A step whose noise is no deviation and no scale; no noise that is accounted is known to be enough, or all is; what
    /// [`Account::new`] refuses.
    pub fn least_noise(
        &self,
        steps: &[Step],
        relation: Relation,
        digits: u32,
    ) -> Result<Allowed, AccountantError> {
        let [least, most] = factors(steps)?;
        let verdict = |factor: &Rational| self.verdict(&scaled(steps, factor), relation);
        let is_within = |factor: &Rational| Ok(verdict(factor)? == Verdict::Within);
        if !is_within(&most)? {
            return Err(AccountantError::NoNoise);
        }
        if is_within(&least)? {
            return Err(AccountantError::AnyNoise);
        }
        // The first power of ten that is enough.
        let mut decade = -9;
        while power_of_ten(decade) <= least
            || (power_of_ten(decade) < most && !is_within(&power_of_ten(decade))?)
        {
            decade += 1;
        }
        let digits = digits.clamp(1, MOST_NOISE_DIGITS);
        let unit = power_of_ten(decade - digits as i32);
        let at = |units: u64| Rational::from_integer(units.into()) * &unit;
        let enough = |units: u64| match at(units) {
            factor if factor <= least => Ok(false),
            factor if factor >= most => Ok(true),
            factor => is_within(&factor),
        };
        let end = 10_u64.pow(digits);
        let found = first(end / 10 - 1, end, enough)?;
        let below =
            |distance: u64| Some(at(found.checked_sub(distance)?)).filter(|at| *at >= least);
        let (beyond, is_sharp) = nearest(below, verdict)?;
        Ok(Allowed {
            value: at(found).min(most),
            beyond,
            is_sharp,
        })
    }

    /// How often `steps` may be repeated within the budget, at most.
    ///
    /// # Errors
    /// Not once, or more often than steps are counted; what [`Account::new`] refuses.
    pub fn most_steps(
        &self,
        steps: &[Step],
        relation: Relation,
    ) -> Result<Allowed, AccountantError> {
        let repeated = |times: u64| -> Vec<Step> {
            let each = steps.iter().cloned();
            each.map(|step| Step {
                times: step.times.saturating_mul(times),
                ..step
            })
            .collect()
        };
        let verdict = |times: u64| match self.verdict(&repeated(times), relation) {
            Err(AccountantError::TooManySteps { .. }) => Ok(Verdict::Unknown),
            verdict => verdict,
        };
        let is_beyond = |times: u64| Ok(verdict(times)? != Verdict::Within);
        if is_beyond(1)? {
            return Err(AccountantError::NotOnce);
        }
        let mut high = 2;
        while !is_beyond(high)? {
            if high >= MOST_REPEATED {
                return Err(AccountantError::AnySteps);
            }
            high *= 2;
        }
        let next = first(high / 2, high, is_beyond)?;
        let above = |distance: u64| Some(next - 1 + distance).filter(|at| *at <= MOST_REPEATED);
        let (beyond, is_sharp) = nearest(above, |times| verdict(*times))?;
        let whole = |times: u64| Rational::from_integer(times.into());
        Ok(Allowed {
            value: whole(next - 1),
            beyond: beyond.map(whole),
            is_sharp,
        })
    }
}

/// The first of the values at the distances 1, 2, 4, ... that is beyond the budget, and whether its distance is 1.
fn nearest<T>(
    at: impl Fn(u64) -> Option<T>,
    verdict: impl Fn(&T) -> Result<Verdict, AccountantError>,
) -> Result<(Option<T>, bool), AccountantError> {
    let mut distance = 1;
    while let Some(value) = at(distance) {
        if verdict(&value)? == Verdict::Beyond {
            return Ok((Some(value), distance == 1));
        }
        distance *= 2;
    }
    Ok((None, false))
}

/// The noise of a step, where it is a deviation or a scale.
fn noise(mechanism: &mut Mechanism) -> Option<&mut Rational> {
    match mechanism {
        Mechanism::Gaussian { deviation, .. }
        | Mechanism::FixedBatch { deviation, .. }
        | Mechanism::Allocation { deviation, .. } => Some(deviation),
        Mechanism::Laplace { scale, .. } | Mechanism::DiscreteLaplace { scale, .. } => Some(scale),
        Mechanism::DiscreteGaussian { .. } | Mechanism::RandomisedResponse { .. } => None,
    }
}

/// The factors for which all noise is accounted.
fn factors(steps: &[Step]) -> Result<[Rational; 2], AccountantError> {
    let (mut least, mut most) = (power_of_ten(-9), power_of_ten(9));
    for mut step in steps.iter().cloned() {
        let [from, to] = step.mechanism.noise_range();
        let noise = noise(&mut step.mechanism).ok_or(AccountantError::NotScaled)?;
        require(noise.is_positive(), "noise", noise, "above 0")?;
        least = least.max(from / &*noise);
        most = most.min(to / &*noise);
    }
    Ok([least, most])
}

/// The steps with their noise multiplied.
fn scaled(steps: &[Step], factor: &Rational) -> Vec<Step> {
    let mut steps = steps.to_vec();
    for step in &mut steps {
        if let Some(noise) = noise(&mut step.mechanism) {
            *noise *= factor;
        }
    }
    steps
}

fn power_of_ten(exponent: i32) -> Rational {
    let power = integer(10).pow(exponent.abs());
    if exponent < 0 {
        Rational::one() / power
    } else {
        power
    }
}

/// The first number above `low` at which a condition holds that holds at `high`, by bisection: at the number before it the
/// condition was seen not to hold, or that is `low`.
fn first(
    mut low: u64,
    mut high: u64,
    holds: impl Fn(u64) -> Result<bool, AccountantError>,
) -> Result<u64, AccountantError> {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbour_of_which_nothing_is_known_is_passed_over_and_not_sharp() {
        let known_from = |first: u64| {
            let verdict = move |distance: &u64| {
                Ok(match *distance >= first {
                    true => Verdict::Beyond,
                    false => Verdict::Unknown,
                })
            };
            nearest(|distance| (distance <= 16).then_some(distance), verdict).unwrap()
        };
        assert_eq!(known_from(1), (Some(1), true));
        assert_eq!(known_from(2), (Some(2), false));
        assert_eq!(known_from(3), (Some(4), false));
        assert_eq!(known_from(17), (None, false));
    }

    #[test]
    fn a_factor_keeps_the_noise_of_every_step_in_range() {
        let step = |deviation: i64| Step {
            mechanism: Mechanism::Gaussian {
                deviation: integer(deviation),
                rate: Rational::one(),
            },
            times: 1,
        };
        let least = Rational::one() / integer(20);
        for deviations in [[10, 1000], [1000, 10]] {
            let found = factors(&deviations.map(step)).unwrap();
            assert_eq!(found, [&least / integer(10), integer(1000)]);
        }
        let none = [step(10), step(0)];
        assert!(factors(&none).is_err());
    }
}
