//! The claim, and the calls that may be spent on it.

use super::claim::Claim;
pub use super::error::{AuditError, Field};
use dp_assay::number::Rational;
use dp_assay::number::range::{above_zero_below_one, require};
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::stats::TRIALS_LIMIT;
use serde::Serialize;

/// A claim, and how much may be spent on it.
#[derive(Debug, Clone)]
pub struct Question {
    /// What is claimed.
    pub claim: Claim,
    /// The probability with which a true claim may be called violated.
    pub level: Rational,
    /// The most calls on the final pair: from [`LEAST_CALLS`] to 16,777,216, the most that the exact test takes
    /// ([`TRIALS_LIMIT`]).
    pub calls: u64,
    /// When to stop.
    pub until: Until,
    /// Whether a smaller witness is wanted if the claim falls. A part of the level is then kept for it ([`super::Levels`]).
    pub shrink: bool,
    /// Whether values together with their times are audited too, on calls of their own. They have a part of the level, whatever comes of them.
    pub time: bool,
    /// The seed of the auditor's own coins.
    pub seed: u64,
}

/// The fewest calls of an audit, 50: of them 38 are left for the exact test, which then rejects a claim of epsilon = 1 by an
/// event that always comes on one dataset and never on the other.
pub const LEAST_CALLS: u64 = 50;

/// When an audit stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// As soon as the claim is refuted, by whichever line. Two tests share the level: one that may stop, and one at the end.
    #[default]
    Proof,
    /// As soon as each line is refuted, that of values and that of bits; otherwise like [`Until::Proof`].
    Proofs,
    /// When all calls are spent: one test has the whole level, and gives the best bound on epsilon.
    End,
}

impl Question {
    /// Checks that it is a question.
    ///
    /// # Errors
    /// [`AuditError::Question`], which names the field.
    pub fn check(&self) -> Result<(), AuditError> {
        self.claim.check()?;
        Field::Level.check(above_zero_below_one("the level", &self.level))?;
        Field::Calls.check(require(
            (LEAST_CALLS..=TRIALS_LIMIT).contains(&self.calls),
            "the number of calls",
            &self.calls,
            "at least 50 and at most 16777216",
        ))
    }
}

/// The epsilons of the bound of the sequential test: the claimed one, and upwards by hundredths of the one before, but
/// by 1e-4 at least.
pub(super) fn grid(epsilon: &Rational) -> Vec<Rational> {
    let thousandth = epsilon * ratio(1, 1000);
    // At most 100,000, as the claim is at least 1e-6.
    let least = (ratio(LEAST_STEP.0, LEAST_STEP.1) / &thousandth).ceil();
    let least = to_f64_for_display(&least) as i64;
    let steps = std::iter::successors(Some(1000_i64), |step| Some(step + (step / 100).max(least)));
    steps
        .map(|step| &thousandth * integer(step))
        .take_while(|epsilon| *epsilon <= integer(40))
        .collect()
}

/// With all calls frequencies are known to some 1e-4: no bound is known better.
const LEAST_STEP: (i64, i64) = (1, 10_000);

#[cfg(test)]
pub(super) mod tests {
    use super::super::pair::audit_pair;
    use super::*;
    use crate::pairs::Pair;
    use crate::targets::Function;
    use serde_json::json;

    /// Of a claim of epsilon = 1.
    pub fn question(calls: u64) -> Question {
        Question {
            claim: Claim::budget(ratio(1, 1), integer(0)),
            level: ratio(1, 20),
            calls,
            until: Until::Proof,
            shrink: false,
            time: false,
            seed: 1,
        }
    }

    #[test]
    fn more_calls_than_the_exact_test_takes_are_refused_before_the_first() {
        assert_eq!(TRIALS_LIMIT, 16_777_216);
        for (calls, right) in [
            (49, false),
            (50, true),
            (1 << 24, true),
            ((1 << 24) + 1, false),
        ] {
            assert_eq!(question(calls).check().is_ok(), right, "{calls}");
        }
        let mut never = Function(|_: &serde_json::Value| panic!("was called"));
        let pair = Pair(json!([0]), json!([1]));
        let error = audit_pair(&mut never, &pair, &question(u64::MAX)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the number of calls must be at least 50 and at most 16777216, got 18446744073709551615"
        );
    }

    #[test]
    fn an_epsilon_that_no_calls_can_show_is_refused() {
        let check = |epsilon: &str| {
            let epsilon = dp_assay::number::rational::parse(epsilon).unwrap();
            Question {
                claim: Claim::budget(epsilon, integer(0)),
                ..question(400)
            }
            .check()
        };
        check("1e-6").unwrap();
        for small in ["0", "-1", "9e-7", "1e-20", "1e-400", "1e-9999"] {
            let error = check(small).unwrap_err().to_string();
            assert!(
                error.starts_with("epsilon must be at least 1e-6"),
                "{error}"
            );
            assert!(error.len() < 160, "{error}");
        }
        let least = grid(&ratio(1, 1_000_000));
        assert!(least.len() < 1000, "{}", least.len());
        // Small steps are no smaller than what can be told.
        for (epsilon, second) in [
            (ratio(1, 1_000_000), ratio(101, 1_000_000)),
            (ratio(1, 1000), ratio(11, 10_000)),
            (ratio(1, 100), ratio(101, 10_000)),
            (ratio(1, 1), ratio(101, 100)),
            (ratio(10, 1), ratio(101, 10)),
        ] {
            let grid = grid(&epsilon);
            assert_eq!((&grid[0], &grid[1]), (&epsilon, &second));
            assert!(grid.windows(2).all(|two| two[0] < two[1]));
        }
    }
}
