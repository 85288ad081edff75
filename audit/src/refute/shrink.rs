//! A smaller pair on which the claim falls too, and a shorter event for it.

use super::confirm::confirm_event;
use super::finding::{Finding, Method, Verdict};
use super::levels::{ForShrinking, SHORTER_EVENTS, SMALLER_PAIRS};
use super::pair::audit_at;
use super::question::{AuditError, Question};
use super::shorten::shorten_event;
use crate::pairs::{Domain, shrink};
use crate::targets::{Target, TargetError};
use dp_assay::number::Rational;
use dp_assay::number::rational::integer;
use dp_assay::privacy::NeighbouringRelation;

/// The most calls of a try, as a multiple of those that the first proof took, and what every try may have: on a pair that
/// is as bad a proof takes no longer, at a share of the level that is 31 times smaller.
const TRY: u64 = 16;
const LEAST_TRY: u64 = 2000;

/// What came of the shrinking.
#[derive(Debug, Default)]
pub struct Shrunk {
    /// The smallest witness that was proved by itself; `None` if that is the one that was found.
    pub smallest: Option<Finding>,
    /// What all tests of it have spent of the level, whatever they proved: the levels at which they were made.
    pub spent: Rational,
    /// A smaller pair on which the claim is proved false in another way: outputs of a kind that did not come before, or an
    /// event of another subject. It does not stand for the one that was found.
    pub another: Option<Finding>,
    /// How the target failed. The original proof stands: a program may refuse smaller datasets.
    pub error: Option<TargetError>,
}

/// A smaller pair on which the claim is proved false once more, in the same aspect, in the same way and on fresh calls, and then a shorter event for it. All
/// proofs of the shrinking are wrong with probability at most the share of the level that is kept for them
/// ([`super::Levels`]); nothing is looked for without one. How many calls a try may have is known before its first one, and so it is an audit like any other.
///
/// # Errors
/// [`AuditError::Target`] if the target did what makes the answers before it doubtful: [`TargetError::makes_answers_doubtful`].
pub fn shrink_violation(
    target: &mut dyn Target,
    found: &Finding,
    relation: Option<NeighbouringRelation>,
    domain: Option<&Domain>,
    question: &Question,
) -> Result<Shrunk, AuditError> {
    if !question.shrink {
        return Ok(Shrunk::default());
    }
    let mut shares = ForShrinking::of(question);
    let mut spent = Rational::default();
    let (mut smallest, mut another) = (None, None);
    let mut tried = 0;
    let each = Question {
        calls: question
            .calls
            .min(LEAST_TRY.max(found.calls.saturating_mul(TRY))),
        ..question.clone()
    };
    // 1. Smaller pairs; no other than the given one is vouched for.
    let most = relation.map_or(0, |_| SMALLER_PAIRS);
    let relation = relation.unwrap_or(NeighbouringRelation::Substitute);
    let smaller = shrink(&found.pair, relation, domain, most, |pair| {
        let Some(share) = shares.of_a_pair() else {
            return Ok(false);
        };
        tried += 1;
        let question = Question {
            seed: each.seed.wrapping_add(tried),
            ..each.clone()
        };
        let only = Some(found.aspect);
        let (finding, _) = audit_at(target, pair, &question, share, only)?;
        spent += &finding.level;
        if finding.verdict != Verdict::Violation {
            return Ok::<_, AuditError>(false);
        }
        let finding = match finding.method {
            Some(Method::Sequential) => confirm_event(target, &finding, &question)?,
            _ => finding,
        };
        let is_same = is_of_the_same_kind(&finding, found);
        match is_same {
            true => smallest = Some(finding),
            false => another = another.take().or(Some(finding)),
        }
        Ok(is_same)
    });
    // 2. A shorter event.
    let shorter = smaller.and_then(|_| {
        let before = smallest.as_ref().unwrap_or(found);
        let share = shares.of_each_event();
        spent += &share * integer(SHORTER_EVENTS as u64);
        shorten_event(target, before, &each, share)
    });
    let error = match shorter {
        Ok(shorter) => {
            smallest = shorter.or(smallest);
            None
        }
        Err(AuditError::Target(error)) if !error.makes_answers_doubtful() => Some(error),
        Err(error) => return Err(error),
    };
    Ok(Shrunk {
        smallest,
        spent,
        another,
        error,
    })
}

/// Whether a finding on a smaller pair shows the same fault, as far as can be told: its outputs are of kinds that came before,
/// and its event is of the same subject.
fn is_of_the_same_kind(smaller: &Finding, found: &Finding) -> bool {
    let kinds = smaller.answers.kinds.is_subset(&found.answers.kinds);
    kinds && smaller.event.subject() == found.event.subject()
}

#[cfg(test)]
mod tests {
    use super::super::pair::audit_pair;
    use super::super::question::tests::question;
    use super::*;
    use crate::pairs::Pair;
    use crate::targets::{Function, Output};
    use dp_assay::coins::{ChaCha, Coins};
    use serde_json::json;

    #[test]
    fn shrinking_what_was_found_at_once_does_not_take_all_calls_for_each_try() {
        // It tells its last record as long as the others are as they were, and tosses a coin otherwise.
        let (mut coins, mut asked) = (ChaCha::reproducible(3, 0), 0);
        let mut fragile = Function(|data: &serde_json::Value| {
            asked += 1;
            let records = data.as_array().unwrap();
            let (last, others) = records.split_last().unwrap();
            let told = others == [json!(11), json!(23), json!(31)];
            let coin = i128::from(coins.bits(1)?);
            Ok(Output::Integer(if told {
                last.as_i64().unwrap().into()
            } else {
                coin
            }))
        });
        let pair = Pair(json!([11, 23, 31, 0]), json!([11, 23, 31, 1]));
        let question = Question {
            shrink: true,
            ..question(100_000)
        };
        let found = audit_pair(&mut fragile, &pair, &question).unwrap();
        assert!(found.calls < 125, "{}", found.calls);
        let relation = Some(NeighbouringRelation::Substitute);
        let shrunk = shrink_violation(&mut fragile, &found, relation, None, &question).unwrap();
        assert!(shrunk.smallest.is_none_or(|smallest| smallest.pair == pair));
        assert!(
            asked <= found.calls + (SMALLER_PAIRS as u64 + 1) * 2000,
            "{asked}"
        );
    }

    #[test]
    fn what_an_audit_spends_with_shrinking_and_shortening_adds_up_to_its_level() {
        // It tells whether there are exactly forty records: no smaller pair is proved, and each try spends its share.
        let mut coins = ChaCha::reproducible(3, 0);
        let mut of_forty = Function(|data: &serde_json::Value| {
            let told = data.as_array().is_some_and(|records| records.len() == 40);
            let coin = i128::from(coins.bits(1)?);
            Ok(Output::Integer(if told { 7 } else { coin }))
        });
        let with = |count: i64| serde_json::Value::Array((0..count).map(|k| json!(k)).collect());
        let pair = Pair(with(39), with(40));
        let question = Question {
            shrink: true,
            ..question(20_000)
        };
        let found = audit_pair(&mut of_forty, &pair, &question).unwrap();
        let relation = Some(NeighbouringRelation::AddOrRemove);
        let shrunk = shrink_violation(&mut of_forty, &found, relation, None, &question).unwrap();
        let kept = &question.level - &found.level;
        assert!(shrunk.spent <= kept, "{} of {kept}", shrunk.spent);
        // Many were tried.
        let each = question.levels().smaller.both();
        assert!(shrunk.spent >= each * integer(10), "{}", shrunk.spent);
    }
}
