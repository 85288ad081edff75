//! How the level of an audit is spent: the one table.
//!
//! | who may prove something wrong | how often | share of the level |
//! |---|---|---|
//! | the audit of the pair that was given or searched | once | all, or [`FOUND`] if a smaller witness is wanted |
//! | the audit of a smaller pair | at most [`SMALLER_PAIRS`] times | an equal share of the rest |
//! | the exact tests of shorter events | once | one more such share |
//!
//! If values are to be audited together with their times, that audit has half of the share of the pair, all of it for its bets, and the
//! audit of the values alone has the other half.
//!
//! If the outputs have doubles that are no whole numbers, each of these audits but those of smaller pairs is of two lines, of
//! values and of bits, and each line has an equal part of its share ([`PairLevels::of_line`]). Which lines there are is decided
//! by calls that are spent: those before the first bet. A smaller pair is audited on the line of the first proof alone, which
//! has its whole share.
//!
//! The audit of a pair gives [`EXACT`] of its share, or [`EXACT_WITH_DELTA`] if the claim has a delta, to the exact test at the end and the rest to the bets, or all of it to
//! the exact test if all calls are spent. The tests of shorter events share theirs equally, at most [`SHORTER_EVENTS`] of
//! them. How an exact test divides its own share stands beside it: [`dp_assay::stats::TwoSample`].
//!
//! What a test spends is moved into it: what is kept for the shrinking is taken out of [`ForShrinking`], a share at a time, so that none
//! is spent twice. What was spent is added up as it is spent ([`super::Shrunk::spent`]).
//!
//! All other calls decide nothing and spend nothing: the search of a domain, training, the confirmation of an event, and
//! the planted violations that measure power. The check of repetition errs by itself, with probability 1e-9 at most, and
//! only towards "inconclusive". The bound on delta is a statement of its own, at the level of the exact test.

use super::question::{Question, Until};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};

/// The share of the audit of the first pair, if a smaller witness is wanted.
pub const FOUND: (i64, i64) = (1, 2);
/// The share of the exact test in the audit of a pair: most proofs come before the end, and a fifth of the level costs the
/// exact test a fifth of its precision.
pub const EXACT: (i64, i64) = (1, 5);
/// The same where the claim is (epsilon, delta) with a delta above 0. One event of a half-line is then nearly all that there is
/// to see, and bets on it win late: of Gaussian noise that exceeds the claim by a little most proofs come at the end.
pub const EXACT_WITH_DELTA: (i64, i64) = (3, 4);
/// The most smaller pairs that are audited.
pub const SMALLER_PAIRS: usize = 30;
/// The most shorter events that are tested.
pub const SHORTER_EVENTS: usize = 6;

/// The levels of all tests of an audit. Together they are at most the level of the question; a test adds them up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    /// Of the audit of the pair that was given or searched.
    pub found: PairLevels,
    /// Of the audit of values with their times: 0 unless it is asked for.
    pub time: PairLevels,
    /// Of the audit of each smaller pair.
    pub smaller: PairLevels,
    /// Of the exact test of each shorter event.
    pub shorter: Rational,
}

/// The levels of the two tests in the audit of one pair.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PairLevels {
    /// Of the bets: 0 if all calls are spent.
    pub bets: Rational,
    /// Of the exact test.
    pub exact: Rational,
}

impl PairLevels {
    fn of(share: &Rational, until: Until, exact: (i64, i64)) -> Self {
        let exact = match until {
            Until::Proof | Until::Proofs => share * ratio(exact.0, exact.1),
            Until::End => share.clone(),
        };
        Self {
            bets: share - &exact,
            exact,
        }
    }

    /// Of each line, if so many share them equally; at least one.
    #[must_use]
    pub fn of_line(&self, lines: usize) -> Self {
        let part = integer(lines.max(1) as u64);
        Self {
            bets: &self.bets / &part,
            exact: &self.exact / part,
        }
    }

    /// Both together.
    #[must_use]
    pub fn both(&self) -> Rational {
        &self.bets + &self.exact
    }
}

impl Question {
    /// How the level is spent.
    #[must_use]
    pub fn levels(&self) -> Levels {
        let exact = match self.claim.has_delta() {
            true => EXACT_WITH_DELTA,
            false => EXACT,
        };
        let levels = Levels::new(&self.level, self.until, self.shrink, exact);
        match self.time {
            true => levels.with_time(),
            false => levels,
        }
    }
}

impl Levels {
    /// The table for an audit of this level, whose exact tests have this part of the level of a pair.
    #[must_use]
    pub fn new(level: &Rational, until: Until, shrinks: bool, exact: (i64, i64)) -> Self {
        let found = match shrinks {
            true => level * ratio(FOUND.0, FOUND.1),
            false => level.clone(),
        };
        let share = (level - &found) / integer(SMALLER_PAIRS as u64 + 1);
        Self {
            found: PairLevels::of(&found, until, exact),
            time: PairLevels::default(),
            smaller: PairLevels::of(&share, until, exact),
            shorter: share / integer(SHORTER_EVENTS as u64),
        }
    }

    /// With half of the share of the pair for values with their times.
    fn with_time(self) -> Self {
        let found = self.found.of_line(2);
        let time = PairLevels {
            bets: found.both(),
            exact: Rational::default(),
        };
        Self {
            found,
            time,
            ..self
        }
    }
}

/// The shares of the level that are kept for the shrinking, as long as they are not spent.
#[derive(Debug)]
pub(super) struct ForShrinking {
    pairs: Vec<PairLevels>,
    event: Rational,
}

impl ForShrinking {
    /// All of them.
    pub(super) fn of(question: &Question) -> Self {
        let levels = question.levels();
        Self {
            pairs: vec![levels.smaller; SMALLER_PAIRS],
            event: levels.shorter,
        }
    }

    /// That of the next smaller pair, until all are spent.
    pub(super) fn of_a_pair(&mut self) -> Option<PairLevels> {
        self.pairs.pop()
    }

    /// That of the exact test of each of [`SHORTER_EVENTS`] events; with them nothing is left for another pair.
    pub(super) fn of_each_event(self) -> Rational {
        self.event
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    #[test]
    fn all_shares_add_up_to_the_level_in_each_mode() {
        for level in [ratio(1, 20), ratio(1, 1000), ratio(999, 1000)] {
            for until in [Until::Proof, Until::Proofs, Until::End] {
                for (shrinks, exact) in [
                    (false, EXACT),
                    (true, EXACT),
                    (false, EXACT_WITH_DELTA),
                    (true, EXACT_WITH_DELTA),
                ] {
                    let levels = Levels::new(&level, until, shrinks, exact);
                    for lines in 1..=2 {
                        let line = levels.found.of_line(lines);
                        let all = (line.bets + line.exact) * integer(lines as u64);
                        assert_eq!(all, levels.found.both(), "{levels:?}");
                    }
                    let spent = levels.found.both()
                        + levels.smaller.both() * integer(SMALLER_PAIRS as u64)
                        + &levels.shorter * integer(SHORTER_EVENTS as u64);
                    assert_eq!(spent, level, "{levels:?}");
                    assert_eq!(levels.found.bets.is_zero(), until == Until::End);
                    assert_eq!(levels.shorter.is_zero(), !shrinks);
                }
            }
        }
    }

    #[test]
    fn values_with_their_times_have_half_of_the_share_of_the_pair_all_for_bets() {
        for until in [Until::Proof, Until::Proofs, Until::End] {
            let levels = Levels::new(&ratio(1, 20), until, true, EXACT);
            let timed = levels.clone().with_time();
            assert_eq!(timed.found.both() + timed.time.both(), levels.found.both());
            assert_eq!(
                (timed.time.bets, timed.time.exact),
                (ratio(1, 80), integer(0))
            );
            assert_eq!(
                (timed.smaller, timed.shorter),
                (levels.smaller, levels.shorter)
            );
        }
    }

    #[test]
    fn the_two_tests_of_a_pair_share_its_level() {
        let found = |until| Levels::new(&ratio(1, 20), until, false, EXACT).found;
        let [early, late] = [Until::Proof, Until::End].map(found);
        assert_eq!((early.bets, early.exact), (ratio(1, 25), ratio(1, 100)));
        assert_eq!((late.bets, late.exact), (integer(0), ratio(1, 20)));
    }
}
