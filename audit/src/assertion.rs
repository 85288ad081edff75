//! A privacy claim as an assertion in a test of Rust.

use crate::refute::{Datasets, Examined, Question, Verdict, examine};
use crate::report::claim;
use crate::targets::Target;

/// Audits a claim, and passes if no proof against it was found. What was found is returned: the report of an audit that
/// passes says which leaks it would have missed.
///
/// A sound mechanism fails this with probability at most the level of the question, by the mechanism's own coins alone:
/// those of the auditor are fixed by the seed. A suite of `k` such tests that may fail wrongly with probability at most
/// `a` in all gives each the level `a / k`.
///
/// ```
/// use dp_assay::coins::{ChaCha, Coins};
/// use dp_assay::number::rational::{integer, ratio};
/// use dp_assay::privacy::NeighbouringRelation;
/// use dp_assay::sample::DiscreteLaplace;
/// use dp_assay_audit::assert_not_refuted;
/// use dp_assay_audit::pairs::Pair;
/// use dp_assay_audit::refute::{Claim, Datasets, Question, Until};
/// use dp_assay_audit::targets::{Function, Output};
/// use serde_json::{Value, json};
///
/// // A count with the noise that epsilon = 1 needs. With scale 1/2 this fails.
/// let noise = DiscreteLaplace::new(integer(1))?;
/// let mut coins = ChaCha::reproducible(7, 0);
/// let mut count = Function(|data: &Value| {
///     let ones: i64 = data.as_array().into_iter().flatten().filter_map(Value::as_i64).sum();
///     Ok(Output::integer(&(coins.draw(&noise)? + ones)))
/// });
/// let pair = Pair(json!([0, 1]), json!([0, 0]));
/// let question = Question {
///     claim: Claim::budget(integer(1), integer(0)),
///     level: ratio(1, 1_000_000),
///     calls: 4000,
///     until: Until::Proof,
///     shrink: true,
///     time: false,
///     seed: 1,
/// };
/// let datasets = Datasets::Given(pair, NeighbouringRelation::Substitute);
/// assert_not_refuted(&mut count, &datasets, &question);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the claim is refuted, with the rows that lead the report: verdict, bound, pair, event and counts. And if the audit
/// could not be carried out, as then nothing is known.
#[track_caller]
pub fn assert_not_refuted(
    target: &mut dyn Target,
    datasets: &Datasets,
    question: &Question,
) -> Examined {
    let examined = match examine(target, datasets, question, &[], &|_| ()) {
        Ok(examined) => examined,
        Err(error) => panic!("the audit could not be carried out: {error}"),
    };
    if examined.found.verdict == Verdict::Violation {
        let report = claim::report(&examined, question, "a function of this test");
        panic!(
            "{}  the auditor's seed  {}",
            report.leading(),
            question.seed
        );
    }
    examined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::Pair;
    use crate::refute::{Claim, Until};
    use crate::targets::{Function, Output, TargetError};
    use dp_assay::coins::{ChaCha, Coins};
    use dp_assay::number::rational::{integer, ratio};
    use dp_assay::privacy::NeighbouringRelation;
    use dp_assay::sample::DiscreteLaplace;
    use serde_json::{Value, json};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn question() -> Question {
        Question {
            claim: Claim::budget(integer(1), integer(0)),
            level: ratio(1, 1_000_000),
            calls: 4000,
            until: Until::Proof,
            shrink: true,
            time: false,
            seed: 5,
        }
    }

    fn given(first: Value, second: Value) -> Datasets {
        Datasets::Given(Pair(first, second), NeighbouringRelation::Substitute)
    }

    /// What a test would print.
    fn failure(target: &mut dyn Target, datasets: &Datasets) -> Option<String> {
        let run = || assert_not_refuted(target, datasets, &question());
        let failed = catch_unwind(AssertUnwindSafe(run)).err()?;
        Some(*failed.downcast::<String>().unwrap())
    }

    fn count(scale: dp_assay::number::Rational) -> impl Target {
        let noise = DiscreteLaplace::new(scale).unwrap();
        let mut coins = ChaCha::reproducible(11, 0);
        Function(move |data: &Value| {
            let ones = data.as_array().into_iter().flatten();
            let ones: i64 = ones.filter_map(Value::as_i64).sum();
            Ok(Output::integer(&(coins.draw(&noise)? + ones)))
        })
    }

    #[test]
    fn a_sound_count_passes_and_half_the_noise_fails_with_the_rows_that_lead() {
        let datasets = given(json!([0, 1]), json!([0, 0]));
        assert_eq!(failure(&mut count(integer(1)), &datasets), None);
        let text = failure(&mut count(ratio(1, 2)), &datasets).unwrap();
        let names = [
            "violation: not (1, 0)-private\n",
            "  epsilon is proved  above ",
            "  pair ",
            "  event ",
            "  counts ",
        ];
        for name in names {
            assert!(text.contains(name), "{name}: {text}");
        }
        assert!(text.ends_with("  the auditor's seed  5"), "{text}");
    }

    #[test]
    fn an_audit_that_could_not_be_carried_out_does_not_pass() {
        let mut fails = Function(|_: &Value| Err(TargetError::Failed));
        let text = failure(&mut fails, &given(json!([0]), json!([1]))).unwrap();
        assert!(
            text.starts_with("the audit could not be carried out: "),
            "{text}"
        );
    }
}
