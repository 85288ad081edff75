//! How many guesses of who was in the data may be right, of one run of a private program.
//!
//! Each of `m` canaries is in the data by a fair coin of its own. Whoever sees the output, and no coin, guesses `r` of the coins and
//! abstains from the others; `v` of the guesses are right. Of an (epsilon, delta)-private program that is as likely as a binomial
//! tail allows, and `m delta` times a gain. `spec/auditor.md`, section 5, has statement and proof; the bound is attained.

use super::{MOST_CANARIES, StatsError};
use crate::number::range::above_zero_below_one;
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, NumberError, Rational};
use crate::privacy::HalfPlane;
use num_traits::Signed;

/// Bounds on epsilon are multiples of one part in so many, up to [`LARGEST_EPSILON`].
const PARTS: i64 = 1000;

/// No bound on epsilon is above it.
const LARGEST_EPSILON: i64 = 40;

/// No bound on mu is above it.
const LARGEST_MU: i64 = 10;

/// Where the profile of normal laws is looked at: tenths of mu from mu^2/2 on, the loss in standard deviations from its mean.
const PLACES: std::ops::RangeInclusive<i64> = -15..=45;

/// The working precision: a step errs by a few units in the last of these bits, and there are at most 2^17 steps.
const BITS: u32 = 128;

/// What was guessed of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneRun {
    canaries: u64,
    guesses: u64,
    right: u64,
}

/// A bound on the probability that so many guesses are right: `tail + m delta gain`.
#[derive(Debug, Clone)]
pub struct Chance {
    /// The binomial tail: all of it for delta = 0.
    pub tail: Enclosure,
    /// What delta adds.
    pub delta_term: Enclosure,
}

impl Chance {
    /// Both together; it may be above 1.
    #[must_use]
    pub fn total(&self) -> Enclosure {
        &self.tail + &self.delta_term
    }
}

impl OneRun {
    /// `right` of `guesses` guesses were right, and nothing was guessed of the other canaries.
    ///
    /// # Errors
    /// [`StatsError::Guesses`] unless `right <= guesses <= canaries <= MOST_CANARIES` and `guesses >= 1`.
    pub fn new(canaries: u64, guesses: u64, right: u64) -> Result<Self, StatsError> {
        if guesses == 0 || right > guesses || guesses > canaries || canaries > MOST_CANARIES {
            return Err(StatsError::Guesses {
                canaries,
                guesses,
                right,
            });
        }
        Ok(Self {
            canaries,
            guesses,
            right,
        })
    }

    /// At least the probability of as many right guesses, of every program within the claim (ln slope, delta), for neighbours that
    /// differ in one canary, and every way of guessing that sees no coin. The number of guesses is fixed before the run.
    ///
    /// # Errors
    /// Those of enclosures.
    pub fn chance(&self, claim: &HalfPlane, bits: u32) -> Result<Chance, NumberError> {
        let number = |value: u64| Enclosure::integer(value, bits);
        if self.right == 0 {
            let (tail, delta_term) = (number(1), number(0));
            return Ok(Chance { tail, delta_term });
        }
        let slope = Enclosure::of(claim.slope(), bits);
        // Of X binomial, P(X < j)/(j P(X = j)) from 1 up to the number that were right, and P(X >= j)/(j P(X = j)) from the end down.
        let (mut below, mut most_below) = (number(0), number(0));
        for j in 1..=self.right {
            let weight = &slope * number(self.guesses - j + 1);
            below = (&below * number(j - 1) + number(1)).divided_by(&weight)?;
            most_below = most_below.max(&below);
        }
        let (mut from, mut most_from) = (number(0), number(0));
        for j in (self.right..=self.guesses).rev() {
            let weight = &slope * number(self.guesses - j);
            from = (&from * weight + number(1)).divided_by(&number(j))?;
            most_from = most_from.max(&from);
        }
        let tail = from.divided_by(&(&below + &from))?;
        let gain = (&tail * most_below).max(&(tail.complement() * most_from));
        let delta = Enclosure::of(claim.delta(), bits);
        Ok(Chance {
            delta_term: number(self.canaries) * delta * gain,
            tail,
        })
    }

    /// Whether a program within the claim has as many right guesses with probability at most `level`: certified.
    ///
    /// All claims that are refuted are false together, but for an error of probability `level`. A wider claim allows more, and so of all
    /// false refutations the one of the least true claim comes with the others.
    ///
    /// # Errors
    /// [`StatsError::Parameter`] for a level outside (0, 1), and those of enclosures.
    pub fn refutes(&self, claim: &HalfPlane, level: &Rational) -> Result<bool, StatsError> {
        above_zero_below_one("level", level)?;
        let chance = self.chance(claim, BITS)?.total();
        Ok(chance.upper() <= *level)
    }

    /// Whether as many right guesses have probability at most `level` for every program that is as hard to tell apart as normal laws at
    /// distance `mu`: by one of the claims (epsilon, delta) that this implies.
    ///
    /// All of these bound one probability, so that to look at many costs nothing.
    ///
    /// # Errors
    /// As for [`OneRun::refutes`]; [`StatsError::Claim`] for a `mu` that is not above 0.
    pub fn refutes_gaussian(&self, mu: &Rational, level: &Rational) -> Result<bool, StatsError> {
        for place in PLACES.step_by(3) {
            let epsilon = mu * mu / integer(2) + mu * ratio(place, 10);
            if epsilon.is_negative() || epsilon > integer(LARGEST_EPSILON) {
                continue;
            }
            let wrong = |_| StatsError::Claim {
                epsilon: epsilon.to_string(),
                delta: format!("that of mu = {mu}"),
            };
            let claim = HalfPlane::of_gaussian(mu, &epsilon, BITS).map_err(wrong)?;
            if self.refutes(&claim, level)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A distance, a multiple of 1/1000 up to 10, so that the program's outputs are easier to tell apart than normal laws of variance 1
    /// at this distance, but for an error of probability `level`; `None` if none is refuted.
    ///
    /// It says nothing of any (epsilon, delta).
    ///
    /// # Errors
    /// As for [`OneRun::refutes`].
    pub fn mu_lower(&self, level: &Rational) -> Result<Option<Rational>, StatsError> {
        let refuted = largest_refuted(PARTS * LARGEST_MU - 1, |parts| {
            self.refutes_gaussian(&ratio(parts + 1, PARTS), level)
        });
        Ok(refuted?.map(|parts| ratio(parts + 1, PARTS)))
    }

    /// An epsilon, a multiple of 1/1000 up to 40, so that the program is not (epsilon, delta)-private, but for an error of probability
    /// `level`; `None` if not even 0 is refuted.
    ///
    /// # Errors
    /// [`StatsError::Parameter`] for a level outside (0, 1), [`StatsError::Claim`] for a delta that is none, and those of enclosures.
    pub fn epsilon_lower(
        &self,
        delta: &Rational,
        level: &Rational,
    ) -> Result<Option<Rational>, StatsError> {
        let refuted = largest_refuted(PARTS * LARGEST_EPSILON, |parts| {
            self.refutes(&of_budget(&ratio(parts, PARTS), delta)?, level)
        });
        Ok(refuted?.map(|parts| ratio(parts, PARTS)))
    }
}

/// The claim (epsilon, delta), rounded so that what satisfies it satisfies this.
///
/// # Errors
/// [`StatsError::Claim`] for an epsilon outside [0, 40] or a delta outside [0, 1).
pub fn of_budget(epsilon: &Rational, delta: &Rational) -> Result<HalfPlane, StatsError> {
    let claim = (*epsilon <= integer(LARGEST_EPSILON))
        .then(|| HalfPlane::of_budget(epsilon, delta, BITS).ok())
        .flatten();
    claim.ok_or_else(|| StatsError::Claim {
        epsilon: epsilon.to_string(),
        delta: delta.to_string(),
    })
}

/// The largest of `0..=most` that is refuted, found by halving: each that is refuted is a proof, whatever the others are.
pub(super) fn largest_refuted(
    most: i64,
    mut is_refuted: impl FnMut(i64) -> Result<bool, StatsError>,
) -> Result<Option<i64>, StatsError> {
    if !is_refuted(0)? {
        return Ok(None);
    }
    let (mut low, mut high) = (0, most + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match is_refuted(middle)? {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(Some(low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::binomial::exact_upper_tail;
    use num_traits::{One, Zero};

    fn guessed(canaries: u64, guesses: u64, right: u64) -> OneRun {
        OneRun::new(canaries, guesses, right).unwrap()
    }

    fn claim(slope: i64, delta: Rational) -> HalfPlane {
        HalfPlane::new(integer(slope), delta).unwrap()
    }

    #[test]
    fn without_delta_it_is_the_binomial_tail() {
        for (guesses, right) in [(1, 1), (7, 0), (7, 5), (40, 33), (40, 12)] {
            let chance = guessed(50, guesses, right).chance(&claim(3, ratio(0, 1)), 160);
            let exact = exact_upper_tail(guesses, right, &ratio(3, 4));
            let total = chance.unwrap().total();
            assert!(total.contains(&exact) && total.has_digits(30), "{total}");
        }
    }

    /// The formula of the page, term by term in rationals.
    fn by_the_formula(run: &OneRun, slope: i64, delta: &Rational) -> Rational {
        let p = ratio(slope, slope + 1);
        let from = |j| exact_upper_tail(run.guesses, j, &p);
        let tail = from(run.right);
        let gains = (1..=run.guesses).map(|j| {
            let mass = from(j) - from(j + 1);
            let share = match j <= run.right {
                true => &tail * (Rational::one() - from(j)),
                false => (Rational::one() - &tail) * from(j),
            };
            share / (mass * integer(j))
        });
        let gain = gains.max().unwrap_or_default();
        tail + integer(run.canaries) * delta * gain
    }

    #[test]
    fn a_delta_adds_the_largest_gain() {
        let delta = ratio(1, 1000);
        for (canaries, guesses, right) in [(4, 4, 4), (4, 2, 1), (30, 12, 9), (30, 30, 24)] {
            let run = guessed(canaries, guesses, right);
            for slope in [1, 2, 7] {
                let total = run.chance(&claim(slope, delta.clone()), 160).unwrap();
                let exact = by_the_formula(&run, slope, &delta);
                assert!(total.total().contains(&exact), "{run:?} {slope}");
            }
        }
    }

    #[test]
    fn all_right_certify_no_more_than_the_ceiling() {
        // ln(1/(20^(1/100) - 1)) = 3.4925...
        let level = ratio(1, 20);
        let bound = guessed(100, 100, 100).epsilon_lower(&Rational::zero(), &level);
        assert_eq!(bound.unwrap(), Some(ratio(3492, 1000)));
        // 2^-4 is above 1/20.
        let none = guessed(4, 4, 4).epsilon_lower(&Rational::zero(), &level);
        assert_eq!(none.unwrap(), None);
    }

    #[test]
    fn many_guesses_at_a_large_epsilon_keep_their_digits() {
        // Where logarithms of doubles gave a bound of 0.47 instead of 3.8.
        let run = guessed(10_000, 2000, 1983);
        let bound = run.epsilon_lower(&ratio(1, 100_000), &ratio(1, 20));
        let bound = bound.unwrap().unwrap();
        assert!(bound > ratio(43, 10) && bound < ratio(45, 10), "{bound}");
    }

    #[test]
    fn a_claim_on_mu_falls_by_what_it_implies() {
        let run = guessed(100, 50, 46);
        let mu = run.mu_lower(&ratio(1, 20)).unwrap().unwrap();
        // One of the implied claims is refuted there, and beyond it no claim is.
        assert!(run.refutes_gaussian(&mu, &ratio(1, 20)).unwrap());
        let more = &mu + ratio(1, 100);
        assert!(!run.refutes_gaussian(&more, &ratio(1, 20)).unwrap());
        let none = guessed(100, 50, 25).mu_lower(&ratio(1, 20)).unwrap();
        assert_eq!(none, None);
        assert!(run.refutes_gaussian(&ratio(0, 1), &ratio(1, 20)).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for (canaries, guesses, right) in
            [(5, 0, 0), (5, 3, 4), (5, 6, 4), (MOST_CANARIES + 1, 5, 5)]
        {
            let wrong = OneRun::new(canaries, guesses, right).unwrap_err();
            assert!(matches!(wrong, StatsError::Guesses { .. }));
        }
        let run = guessed(5, 5, 5);
        assert!(run.epsilon_lower(&integer(1), &ratio(1, 20)).is_err());
        assert!(run.epsilon_lower(&Rational::zero(), &integer(1)).is_err());
        assert!(of_budget(&integer(41), &Rational::zero()).is_err());
    }
}
