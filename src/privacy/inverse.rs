//! The inverse of a privacy profile, as a certified enclosure.
//!
//! For any event `E` of mass `A` on the first input and `B` on the second, `delta(epsilon) >= A - e^epsilon B`. So where
//! `delta(epsilon) <= delta`, epsilon is at least `ln((A - delta)/B)`, whatever the event. With the event that attains the supremum at
//! some epsilon this is a step of Newton's method on `delta` as a convex function of `e^epsilon`: from below the answer it stays below and
//! gets there quadratically. An upper end is a number at which the profile is certified to be at most `delta`.

use super::PrivacyError;
use crate::number::{Dyadic, Enclosure, Rational};

/// Halvings before Newton's method, and its steps: it ends after a few, and these bound it.
const HALVINGS: u32 = 48;
const STEPS: u32 = 64;

/// The least `epsilon >= 0` at which the falling `profile` is at most `delta`, where that is not yet so at 0; `None` if no upper end is certified at
/// this precision. `largest` bounds it from above, if the profile is known to be at most `delta` there. `rise` is the bound above of the event that is
/// the best at some epsilon, if there is one.
pub(super) fn least_epsilon(
    delta: &Rational,
    largest: Option<&Enclosure>,
    bits: u32,
    profile: impl Fn(&Rational) -> Result<Enclosure, PrivacyError>,
    rise: impl Fn(&Rational) -> Result<Option<Enclosure>, PrivacyError>,
) -> Result<Option<Enclosure>, PrivacyError> {
    // 1. A power of two above it, and halvings: coarse, for where Newton's method is slow.
    let mut low = Dyadic::zero();
    let mut high = Dyadic::new(1, 0);
    let is_beyond = |epsilon: &Dyadic| largest.is_some_and(|largest| epsilon >= largest.hi());
    let mut doublings = 0;
    while !is_beyond(&high) {
        let at = profile(&high.to_rational())?;
        if at.is_above_rational(delta) {
            low = high.clone();
        } else if at.upper() <= *delta {
            break;
        }
        high = high.shifted(1);
        doublings += 1;
        if doublings > HALVINGS {
            return Ok(None);
        }
    }
    for _ in 0..HALVINGS {
        let middle = (&low + &high).shifted(-1);
        if (&high - &low).shifted(12) < middle {
            break;
        }
        if is_beyond(&middle) {
            high = middle;
            continue;
        }
        let at = profile(&middle.to_rational())?;
        if at.is_above_rational(delta) {
            low = middle;
        } else if at.upper() <= *delta {
            high = middle;
        } else {
            break;
        }
    }
    // 2. Newton's method from below.
    let mut bound = Enclosure::new(&low, &low, bits);
    for _ in 0..STEPS {
        let from = bound.lo().clone();
        let Some(next) = rise(&from.to_rational())? else {
            break;
        };
        if next.lo() <= &from {
            break;
        }
        bound = next;
        let gained = bound.lo() - &from;
        if gained.magnitude() < bound.lo().magnitude() - i64::from(bits) {
            break;
        }
    }
    // 3. An upper end that is certified.
    // Zero has no magnitude: there the precision is absolute.
    let size = match bound.hi().is_zero() {
        true => 0,
        false => bound.hi().magnitude(),
    };
    let unit = Dyadic::new(1, size - i64::from(bits));
    let mut slack = bound.width().max(unit);
    loop {
        let candidate = bound.lo() + &slack;
        if let Some(largest) = largest
            && is_beyond(&candidate)
        {
            let end = largest.hi().max(bound.lo());
            return Ok(Some(Enclosure::new(bound.lo(), end, bits)));
        }
        if profile(&candidate.to_rational())?.upper() <= *delta {
            return Ok(Some(Enclosure::new(bound.lo(), &candidate, bits)));
        }
        if slack.magnitude() > bound.hi().magnitude().max(0) + 8 {
            return Ok(None);
        }
        slack = slack.shifted(2);
    }
}
