//! One training, and many canaries, each of which was in by a fair coin of its own.
//!
//! The canaries with the highest scores are guessed to be in, as many with the lowest to be out, and nothing is guessed of the others.
//! How many guesses are best depends on the program, so a list of numbers is looked at, which shares the level, or one that was fixed.

use super::{Claim, Scores, zcdp};
use dp_assay::number::Rational;
use dp_assay::number::rational::integer;
use dp_assay::stats::MOST_CANARIES;
use dp_assay::stats::one_run::of_budget;
use dp_assay::stats::{OneRun, StatsError};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// What is claimed.
    pub claim: Claim,
    /// The probability with which a true claim may be refuted, or a bound be false: of all together.
    pub level: Rational,
    /// The number of guesses, fixed before the scores were seen; otherwise those of [`numbers_of_guesses`].
    pub guesses: Option<u64>,
}

/// One number of guesses.
#[derive(Debug, Clone)]
pub struct Guessed {
    /// How many guesses.
    pub guesses: u64,
    /// How many of them are right.
    pub right: u64,
    /// Whether they refute the claim, at their share of the level.
    pub refutes: bool,
    /// What they bound the parameter of the claim by, epsilon at its delta or mu, if they do.
    pub lower: Option<Rational>,
}

/// What the scores say.
#[derive(Debug, Clone)]
pub struct Found {
    /// How many canaries there are.
    pub canaries: u64,
    /// Each number of guesses, the most first.
    pub guessed: Vec<Guessed>,
    /// The share of the level that each has.
    pub share: Rational,
    /// What could have been proved if all guesses had been right.
    pub ceiling: Option<Rational>,
}

impl Found {
    /// Whether the claim is refuted.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.guessed.iter().any(|guessed| guessed.refutes)
    }

    /// The best of them: the first with the largest bound.
    #[must_use]
    pub fn best(&self) -> Option<&Guessed> {
        let better = |best: &&Guessed, next: &&Guessed| best.lower.cmp(&next.lower);
        self.guessed.iter().rev().max_by(better)
    }
}

/// Fewer guesses are looked at only if there are not as many canaries.
const LEAST_GUESSES: u64 = 25;

/// The numbers of guesses that are looked at: all canaries, half of them, and so on, but 25 at least.
#[must_use]
pub fn numbers_of_guesses(canaries: u64) -> Vec<u64> {
    let halves = (0..).map(|times| canaries >> times);
    let more = halves
        .skip(1)
        .take_while(|guesses| *guesses >= LEAST_GUESSES);
    std::iter::once(canaries).chain(more).collect()
}

/// Judges the scores.
///
/// # Errors
/// [`StatsError`] for a level outside (0, 1), more guesses than canaries, and more canaries than the bound takes.
pub fn examine(scores: &Scores, question: &Question) -> Result<Found, StatsError> {
    let canaries = scores.len() as u64;
    let numbers = match question.guesses {
        Some(guesses) => vec![guesses],
        None => numbers_of_guesses(canaries),
    };
    let share = &question.level / integer(numbers.len() as u64);
    let mut guessed = Vec::new();
    for guesses in numbers.iter().copied() {
        // More guesses than canaries are refused with the next line.
        let right = scores.right(usize::try_from(guesses.min(canaries)).unwrap_or(0)) as u64;
        let run = OneRun::new(canaries, guesses, right)?;
        let lower = lower(&run, &question.claim, &share)?;
        let refutes = refutes(&run, &question.claim, &share)?;
        guessed.push(Guessed {
            guesses,
            right,
            refutes,
            lower,
        });
    }
    Ok(Found {
        canaries,
        guessed,
        ceiling: ceiling(canaries, question)?,
        share,
    })
}

/// The largest bound that so many canaries can give: all guesses are right.
///
/// # Errors
/// As for [`examine`].
pub fn ceiling(canaries: u64, question: &Question) -> Result<Option<Rational>, StatsError> {
    let (guesses, shared) = match question.guesses {
        Some(guesses) => (guesses, 1),
        None => (canaries, numbers_of_guesses(canaries).len() as u64),
    };
    let share = &question.level / integer(shared);
    let all_right = OneRun::new(canaries, guesses, guesses)?;
    lower(&all_right, &question.claim, &share)
}

/// So many canaries are enough to refute the claim, if all guesses are right; none if more are needed than are taken.
///
/// # Errors
/// As for [`examine`].
pub fn canaries_needed(question: &Question) -> Result<Option<u64>, StatsError> {
    let is_enough = |canaries: u64| {
        let (guesses, shared) = match question.guesses {
            Some(guesses) => (guesses, 1),
            None => (canaries, numbers_of_guesses(canaries).len() as u64),
        };
        let run = OneRun::new(canaries.max(guesses), guesses, guesses)?;
        refutes(&run, &question.claim, &(&question.level / integer(shared)))
    };
    // A delta counts as often as there are canaries: too many are not enough either.
    let mut high = 1;
    while !is_enough(high)? {
        if high == MOST_CANARIES {
            return Ok(None);
        }
        high = (2 * high).min(MOST_CANARIES);
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match is_enough(middle)? {
            true => high = middle,
            false => low = middle,
        }
    }
    Ok(Some(high.max(question.guesses.unwrap_or(0))))
}

/// Whether these guesses refute the claim at this level.
fn refutes(run: &OneRun, claim: &Claim, level: &Rational) -> Result<bool, StatsError> {
    match claim {
        Claim::Budget { epsilon, delta } => run.refutes(&of_budget(epsilon, delta)?, level),
        Claim::Zcdp { rho } => zcdp::refutes(run, rho, level),
        Claim::Gaussian { mu } => run.refutes_gaussian(mu, level),
    }
}

/// What they bound the parameter of the claim by.
fn lower(run: &OneRun, claim: &Claim, level: &Rational) -> Result<Option<Rational>, StatsError> {
    match claim {
        Claim::Budget { delta, .. } => run.epsilon_lower(delta, level),
        Claim::Zcdp { .. } => zcdp::lower(run, level),
        Claim::Gaussian { .. } => run.mu_lower(level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::{Higher, Scored};
    use dp_assay::number::rational::ratio;

    fn question(epsilon: Rational, delta: Rational, guesses: Option<u64>) -> Question {
        Question {
            claim: Claim::Budget { epsilon, delta },
            level: ratio(1, 20),
            guesses,
        }
    }

    /// So many canaries, of which every other is in; these of the middle ones look like the others.
    fn scores(canaries: i64, wrong: i64) -> Scores {
        let all = (0..canaries).map(|i| {
            let is_in = i % 2 == 0;
            let looks_in =
                is_in != ((canaries - wrong) / 2..(canaries + wrong) / 2).contains(&(i / 2 * 2));
            Scored {
                name: Some(format!("{i:05}")),
                score: integer(if looks_in { i + canaries } else { -i }),
                is_in,
            }
        });
        Scores::new(all.collect(), Higher::In)
    }

    #[test]
    fn the_numbers_of_guesses_are_halves_down_to_25() {
        for (canaries, numbers) in [
            (1000, &[1000, 500, 250, 125, 62, 31][..]),
            (100, &[100, 50, 25]),
            (49, &[49]),
            (7, &[7]),
        ] {
            assert_eq!(numbers_of_guesses(canaries), numbers);
        }
    }

    #[test]
    fn all_right_reach_the_ceiling_and_no_more() {
        let question = question(integer(2), ratio(1, 100_000), None);
        let found = examine(&scores(100, 0), &question).unwrap();
        assert!(found.is_refuted());
        assert_eq!(found.best().unwrap().lower, found.ceiling);
        // By another program, in floats.
        assert_eq!(found.ceiling, Some(ratio(3174, 1000)));
        assert_eq!(&found.share * integer(3), question.level);
    }

    #[test]
    fn the_canaries_that_are_needed_are_enough_and_one_less_is_not() {
        for (epsilon, guesses) in [(1, None), (5, None), (5, Some(500)), (3, None)] {
            let question = question(integer(epsilon), ratio(1, 1_000_000), guesses);
            let needed = canaries_needed(&question).unwrap().unwrap();
            let reached = ceiling(needed, &question).unwrap().unwrap();
            assert!(
                reached >= integer(epsilon),
                "{epsilon}: {needed}, {reached}"
            );
            if guesses.is_none() {
                let less = ceiling(needed - 1, &question).unwrap().unwrap();
                assert!(less < integer(epsilon), "{epsilon}: {needed}, {less}");
            }
        }
        // No number will do for so large a delta.
        let none = question(integer(5), ratio(1, 10), None);
        assert_eq!(canaries_needed(&none).unwrap(), None);
    }

    #[test]
    fn a_number_that_was_fixed_has_the_whole_level() {
        let scores = scores(1000, 100);
        let delta = ratio(1, 100_000);
        let shared = examine(&scores, &question(integer(1), delta.clone(), None)).unwrap();
        let best = shared.best().unwrap();
        let fixed = question(integer(1), delta, Some(best.guesses));
        let fixed = examine(&scores, &fixed).unwrap();
        assert_eq!(fixed.guessed[0].right, best.right);
        assert!(fixed.guessed[0].lower > best.lower);
        assert!(examine(&scores, &question(integer(1), integer(0), Some(1001))).is_err());
    }
}
