//! Does an event come as often as it should?

use super::binomial;
use crate::number::range::{above_zero_below_one, require};
use crate::number::{Enclosure, NumberError, OutOfRange, Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use thiserror::Error;

/// A test that cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StatsError {
    /// A level outside (0, 1), or an event that is certain or impossible, about which a frequency says
    /// nothing.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// More occurrences than trials, no trials, or more trials than the tests take.
    #[error("{occurrences} occurrences in {trials} trials: need 1 to {limit} trials and no more occurrences than trials", limit = super::MOST_TRIALS)]
    Counts {
        /// The number of trials.
        trials: u64,
        /// The number of occurrences.
        occurrences: u64,
    },
    /// More guesses that are right than guesses, more guesses than canaries, or none.
    #[error(
        "{right} right guesses of {guesses}, of {canaries} canaries: need 1 guess at least, no more than canaries, no more right than guessed, and at most {limit} canaries",
        limit = super::MOST_CANARIES
    )]
    Guesses {
        /// The number of canaries.
        canaries: u64,
        /// The number of guesses.
        guesses: u64,
        /// How many of them were right.
        right: u64,
    },
    /// A privacy claim that is not one.
    #[error(
        "need epsilon from 0 to 40 and delta from 0 to below 1, got epsilon = {epsilon}, delta = {delta}"
    )]
    Claim {
        /// Epsilon as given.
        epsilon: String,
        /// Delta as given.
        delta: String,
    },
    /// Cells of outputs that do not fit together.
    #[error("cells: {reason}")]
    Cells {
        /// What is wrong with them.
        reason: &'static str,
    },
    /// A binomial tail could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
}

/// A two-sided test that an event has probability `p`, from the number of its occurrences in `n`
/// independent trials: it rejects outside `least..=most`.
#[derive(Debug, Clone)]
pub struct FrequencyTest {
    trials: u64,
    probability: Enclosure,
    level: Rational,
    least: u64,
    most: u64,
}

impl FrequencyTest {
    /// The test with false-alarm probability at most `level`, half on either side, by certified
    /// binomial tails.
    ///
    /// # Errors
    /// [`StatsError::Parameter`].
    pub fn new(trials: u64, probability: Enclosure, level: Rational) -> Result<Self, StatsError> {
        above_zero_below_one("level", &level)?;
        let right = probability.lo().is_positive() && probability.complement().lo().is_positive();
        let expected = "above 0 and below 1";
        require(right, "the event's probability", &probability, expected)?;
        let half = &level / BigInt::from(2);
        let most = most_occurrences(trials, &probability, &half)?;
        let misses = most_occurrences(trials, &probability.complement(), &half)?;
        Ok(Self {
            least: trials - misses,
            most,
            trials,
            probability,
            level,
        })
    }

    /// Whether this many occurrences are compatible with the probability.
    #[must_use]
    pub fn accepts(&self, occurrences: u64) -> bool {
        (self.least..=self.most).contains(&occurrences)
    }

    /// The number of trials.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.trials
    }

    /// The false-alarm probability.
    #[must_use]
    pub fn level(&self) -> &Rational {
        &self.level
    }

    /// The smallest ratio, on a grid of thousandths, such that an event that comes more often than it
    /// should by this ratio is rejected with probability at least 0.99, and so is one that comes
    /// that much more seldom: the deviation that the test detects.
    ///
    /// # Errors
    /// Those of the tails.
    pub fn detects(&self) -> Result<Rational, StatsError> {
        let (mut low, mut high) = (0u32, 4000u32);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.rejects_at(middle)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(Rational::one() + rational::ratio(i64::from(high), 1000))
    }

    /// Whether both deviations by the ratio `1 + thousandths / 1000` are rejected with probability 0.99.
    fn rejects_at(&self, thousandths: u32) -> Result<bool, StatsError> {
        let bits = self.probability.bits();
        let ratio = Enclosure::of(
            &(Rational::one() + rational::ratio(i64::from(thousandths), 1000)),
            bits,
        );
        let wanted = rational::ratio(99, 100);
        let more = &self.probability * &ratio;
        let less = self.probability.divided_by(&ratio)?;
        // An event that would be certain is rejected unless all trials are accepted.
        let rejected_above = if more.complement().lo().is_positive() {
            binomial::upper_tail(self.trials, self.most + 1, &more)?.lower() >= wanted
        } else {
            self.most < self.trials
        };
        let rejected_below = self.least > 0
            && binomial::lower_tail(self.trials, self.least - 1, &less)?.lower() >= wanted;
        Ok(rejected_above && rejected_below)
    }
}

/// The least `b` with `Pr[X > b] <= level`, certified.
fn most_occurrences(
    trials: u64,
    probability: &Enclosure,
    level: &Rational,
) -> Result<u64, StatsError> {
    if level.is_zero() {
        return Ok(trials);
    }
    let (mut low, mut high) = (0, trials);
    while low < high {
        let middle = low + (high - low) / 2;
        if binomial::upper_tail(trials, middle + 1, probability)?.upper() <= *level {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    fn half() -> Enclosure {
        Enclosure::of(&ratio(1, 2), 96)
    }

    #[test]
    fn the_level_is_kept_exactly() {
        let test = FrequencyTest::new(20, half(), ratio(1, 100)).unwrap();
        let above = binomial::exact_upper_tail(20, test.most + 1, &ratio(1, 2));
        let below = binomial::exact_upper_tail(20, 20 - test.least + 1, &ratio(1, 2));
        assert!(&above + &below <= ratio(1, 100));
        // One occurrence narrower would break it.
        assert!(binomial::exact_upper_tail(20, test.most, &ratio(1, 2)) > ratio(1, 200));
        assert_eq!((test.least, test.most), (4, 16));
    }

    #[test]
    fn more_trials_detect_smaller_deviations() {
        let few = FrequencyTest::new(1_000, half(), ratio(1, 1_000_000))
            .unwrap()
            .detects()
            .unwrap();
        let many = FrequencyTest::new(100_000, half(), ratio(1, 1_000_000))
            .unwrap()
            .detects()
            .unwrap();
        assert!(many < few, "{many} {few}");
        assert!(many < ratio(103, 100));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(FrequencyTest::new(10, half(), ratio(0, 1)).is_err());
        assert!(FrequencyTest::new(10, half(), ratio(1, 1)).is_err());
        assert!(FrequencyTest::new(10, Enclosure::integer(1, 64), ratio(1, 10)).is_err());
    }
}
