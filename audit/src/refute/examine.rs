//! The whole audit of a claim, with all the accounting of its level: from datasets to findings that hold together.

use super::confirm::confirm_event;
use super::finding::{Finding, Method, Verdict};
use super::pair::audit_at;
use super::power::{Family, PipelinePower, pipeline_power};
use super::question::{AuditError, Question};
use super::search::{Searched, most_calls, search_pair};
use super::shrink::{Shrunk, shrink_violation};
use super::time::{Buckets, Stamped, audit_times};
use crate::pairs::{Domain, Pair};
use crate::targets::{
    Beliefs, Heard, Refusal, Repetition, Starts, Target, TargetError, check_repeats, check_starts,
    cut,
};
use dp_assay::privacy::NeighbouringRelation;
use std::time::{Duration, Instant};

/// Where the pair of datasets comes from.
#[derive(Debug, Clone)]
pub enum Datasets {
    /// A pair, and how its two datasets are neighbours.
    Given(Pair, NeighbouringRelation),
    /// A pair whose datasets are neighbours by the word of the user, who knows in which way: nothing of them is checked.
    Vouched(Pair),
    /// A description of the datasets, from which a pair is searched.
    Described(Domain),
}

/// What an audit of a claim found. All bounds on epsilon in it hold together, except with probability at most the level of
/// the question.
#[derive(Debug)]
pub struct Examined {
    /// How the two datasets of every pair are neighbours; `None` if the user vouches for the pair.
    pub relation: Option<NeighbouringRelation>,
    /// The domain and the search of it, unless the pair was given.
    pub searched: Option<(Domain, Searched)>,
    /// On the pair that was given or searched.
    pub found: Finding,
    /// `None` if nothing was found, or no smaller witness was wanted or could be looked for.
    pub shrinking: Option<Shrinking>,
    /// The buckets of times, if values were audited with their times.
    pub buckets: Option<Buckets>,
    /// The power of the audit that found it, in each family that was asked for.
    pub power: Vec<PipelinePower>,
    /// Whether it was seen that the program does not repeat itself, if that was looked for.
    pub repetition: Option<Repetition>,
    /// Whether two starts of the program were seen to answer differently, if that was looked for.
    pub starts: Option<Starts>,
    /// What the program said about its own noise in all calls, also on pairs that are not reported.
    pub beliefs: Option<Beliefs>,
    /// How the program failed after the proof, which stays.
    pub failure: Option<Failure>,
    /// From which call on the program refused to answer, after the proof. What followed the proof is then not told.
    pub refusal: Option<Refusal>,
}

/// What came of the search for a smaller witness.
#[derive(Debug)]
pub struct Shrinking {
    /// A smaller pair or a shorter event, proved by itself.
    pub smaller: Option<Finding>,
    /// Another fault, proved on a smaller pair, which does not stand for what was found.
    pub another: Option<Finding>,
    /// All answers that it took, also on pairs on which nothing was proved.
    pub calls: u64,
    /// How long it took.
    pub seconds: Duration,
}

/// How a program failed after a violation was proved.
#[derive(Debug)]
pub struct Failure {
    /// When.
    pub stage: Stage,
    /// How.
    pub error: TargetError,
}

/// What an audit does, for whoever waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// A pair is searched.
    Searching {
        /// The most calls of it.
        most: u64,
    },
    /// The pair is audited.
    Auditing {
        /// The most calls of it.
        most: u64,
    },
    /// Values with their times are audited.
    Timing {
        /// The most calls of it.
        most: u64,
    },
    /// A violation is proved, and its event is confirmed on fresh calls.
    Confirming,
    /// A smaller witness is looked for.
    Shrinking,
}

/// What is done after a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The event is confirmed on fresh calls.
    Confirming,
    /// The other line is audited: that of values, or that of bits.
    OtherLine,
    /// A smaller witness is looked for.
    Shrinking,
    /// The program is told to end.
    Ending,
}

impl Datasets {
    /// How they are neighbours; `None` if that is the word of the user.
    #[must_use]
    pub fn relation(&self) -> Option<NeighbouringRelation> {
        match self {
            Self::Given(_, relation) => Some(*relation),
            Self::Vouched(_) => None,
            Self::Described(domain) => Some(domain.relation()),
        }
    }

    /// The pair that is known before a domain is searched.
    #[must_use]
    pub fn first(&self) -> Option<Pair> {
        match self {
            Self::Given(pair, _) | Self::Vouched(pair) => Some(pair.clone()),
            Self::Described(domain) => domain.pairs(1).into_iter().next(),
        }
    }

    /// The domain, if there is one: what a smaller pair must belong to.
    #[must_use]
    pub fn domain(&self) -> Option<&Domain> {
        match self {
            Self::Given(..) | Self::Vouched(_) => None,
            Self::Described(domain) => Some(domain),
        }
    }
}

impl Examined {
    /// What an audit of one pair found, and nothing else.
    #[must_use]
    pub fn alone(relation: Option<NeighbouringRelation>, found: Finding) -> Self {
        Self {
            relation,
            searched: None,
            beliefs: found.beliefs.clone(),
            found,
            shrinking: None,
            buckets: None,
            power: Vec::new(),
            repetition: None,
            starts: None,
            failure: None,
            refusal: None,
        }
    }

    /// The smaller finding, if there is one.
    #[must_use]
    pub fn smaller(&self) -> Option<&Finding> {
        self.shrinking.as_ref()?.smaller.as_ref()
    }
}

/// Audits the claim:
///
/// 1. Starts the program once more, and checks that it does not begin alike.
/// 2. Searches a pair, if none is given.
/// 3. Checks that the program does not repeat itself on it.
/// 4. Audits the pair.
/// 5. If it does not fall by its values: audits values with their times, if that is asked for.
/// 6. If the claim falls: shows an event on fresh calls, and looks for a smaller witness, if one is wanted.
/// 7. Ends the program.
/// 8. Measures the power of the audit in the families that are named.
///
/// A proof stands if the program fails later: it may refuse smaller datasets, or end slowly. Unless it
/// answered more than it was asked for: then answers may have been taken for those of others.
///
/// `tell` is told which phase begins.
///
/// # Errors
/// [`AuditError::Target`] if the target fails before there is a proof: nothing is concluded; [`AuditError::Question`].
pub fn examine(
    target: &mut dyn Target,
    datasets: &Datasets,
    question: &Question,
    families: &[Family],
    tell: &dyn Fn(Phase),
) -> Result<Examined, AuditError> {
    question.check()?;
    let mut target = Heard::new(target);
    // 1. Two starts.
    let starts = match datasets.first() {
        Some(pair) => check_starts(&mut target, &[&pair.0, &pair.1])?,
        None => Starts::NotCompared("the domain has no pair".to_owned()),
    };
    // 2. The pair.
    let (pair, searched) = match datasets {
        Datasets::Given(pair, _) | Datasets::Vouched(pair) => (pair.clone(), None),
        Datasets::Described(domain) => {
            tell(Phase::Searching {
                most: most_calls(question),
            });
            let searched = search_pair(&mut target, domain, question)?;
            (searched.pair.clone(), Some((domain.clone(), searched)))
        }
    };
    // 3. Repetition.
    let repetition = check_repeats(&mut target, &[&pair.0, &pair.1], question.calls)?;
    // 4. and 5. The verdict.
    let mut examined = Examined {
        searched,
        repetition: Some(repetition),
        starts: Some(starts),
        ..judged(&mut target, &pair, datasets.relation(), question, tell)?
    };
    // 6. The witness.
    let is_asked = examined.failure.is_none() && examined.refusal.is_none();
    if examined.found.verdict == Verdict::Violation && is_asked {
        let before = examined.found.clone();
        witness(&mut target, &mut examined, datasets, question, tell)?;
        let pair = &before.pair;
        examined.refusal = target.refusal(&[&pair.0, &pair.1]).unwrap_or_default();
        if examined.refusal.is_some() {
            // Which of the answers since then were refusals is not known.
            (examined.found, examined.shrinking) = (before, None);
        }
    }
    // 7. The end, of a program that has not failed before.
    if examined.failure.is_none()
        && let Err(error) = target.finish()
    {
        let is_proved = examined.found.verdict == Verdict::Violation;
        if !is_proved || error.makes_answers_doubtful() {
            return Err(error.into());
        }
        let stage = Stage::Ending;
        examined.failure = Some(Failure { stage, error });
    }
    examined.beliefs = target.said();
    // 8. The power.
    let powers = families.iter().map(|one| pipeline_power(one, question));
    examined.power = powers.collect::<Result<_, _>>()?;
    Ok(examined)
}

/// Audits the pair: its values and, if the claim stands, values with their times, if that is asked for.
fn judged(
    target: &mut Heard<'_>,
    pair: &Pair,
    relation: Option<NeighbouringRelation>,
    question: &Question,
    tell: &dyn Fn(Phase),
) -> Result<Examined, AuditError> {
    let most = question.calls;
    tell(Phase::Auditing { most });
    let levels = question.levels().found;
    let before = target.answers();
    let (mut found, failure) = audit_at(target, pair, question, levels, None)?;
    let mut refused = refusal(target, pair, &mut found, before)?;
    if let (Verdict::NotRefuted, Some(error)) = (found.verdict, found.answers.only_error()) {
        if let Some(refusal) = target.ends_in_errors() {
            return Err(TargetError::Refuses { refusal }.into());
        }
        let error = cut(format!("{error:?}"));
        return Err(TargetError::NothingButErrors { error }.into());
    }
    let mut buckets = None;
    if question.time && found.verdict == Verdict::NotRefuted {
        tell(Phase::Timing { most });
        let before = target.answers();
        let (mut timed, learned) = audit_times(target, pair, question)?;
        refused = refusal(target, pair, &mut timed, before + learned.calls)?;
        found = match timed.verdict {
            Verdict::Violation => timed.and(found),
            Verdict::NotRefuted => found.and(timed),
        };
        buckets = Some(learned);
    }
    let stage = Stage::OtherLine;
    Ok(Examined {
        buckets,
        failure: failure.map(|error| Failure { stage, error }),
        refusal: refused,
        ..Examined::alone(relation, found)
    })
}

/// Whether the program refused to answer in the audit of this pair, which began after so many answers. A proof from answers
/// that all came before stays, and nothing else does.
fn refusal(
    target: &mut Heard<'_>,
    pair: &Pair,
    found: &mut Finding,
    before: u64,
) -> Result<Option<Refusal>, AuditError> {
    let looked = target.refusal(&[&pair.0, &pair.1]);
    let is_proved = found.verdict == Verdict::Violation;
    let refusal = match looked {
        Ok(None) => return Ok(None),
        // The next request tells it, if there is one.
        Err(error) if is_proved && !error.makes_answers_doubtful() => return Ok(None),
        Err(error) => return Err(error.into()),
        Ok(Some(refusal)) => refusal,
    };
    let stands = |found: &Finding| {
        let is_before = before + found.calls < refusal.from;
        found.verdict == Verdict::Violation && is_before
    };
    if !stands(found) {
        return Err(TargetError::Refuses { refusal }.into());
    }
    found.other_line.take_if(|other| !stands(other));
    Ok(Some(refusal))
}

/// Shows an event of the proof on fresh calls, and looks for a smaller witness. A failure of the target ends it.
fn witness(
    target: &mut Heard<'_>,
    examined: &mut Examined,
    datasets: &Datasets,
    question: &Question,
    tell: &dyn Fn(Phase),
) -> Result<(), AuditError> {
    tell(Phase::Confirming);
    if let Some(buckets) = examined.buckets.as_ref() {
        // Only times speak against the claim, and they are those of this pair.
        let mut stamped = Stamped { target, buckets };
        examined.failure = confirm(&mut stamped, &mut examined.found, question)?;
        return Ok(());
    }
    examined.failure = confirm(target, &mut examined.found, question)?;
    if let (Some(other), None) = (&mut examined.found.other_line, &examined.failure) {
        examined.failure = confirm(target, other, question)?;
    }
    if examined.failure.is_some() || !question.shrink {
        return Ok(());
    }
    tell(Phase::Shrinking);
    let (start, before) = (Instant::now(), target.answers());
    let (relation, domain) = (datasets.relation(), datasets.domain());
    let Shrunk {
        smallest,
        another,
        error,
        ..
    } = shrink_violation(target, &examined.found, relation, domain, question)?;
    let stage = Stage::Shrinking;
    examined.failure = error.map(|error| Failure { stage, error });
    let mut smaller = smallest.filter(|smallest| {
        smallest.pair != examined.found.pair || smallest.event != examined.found.event
    });
    if let (Some(smaller), None) = (&mut smaller, &examined.failure)
        && smaller.confirmation.is_none()
    {
        examined.failure = confirm(target, smaller, question)?;
    }
    examined.shrinking = Some(Shrinking {
        smaller,
        another,
        calls: target.answers() - before,
        seconds: start.elapsed(),
    });
    Ok(())
}

/// Confirms the event of a proof by bets. Another proof has tested its event itself.
fn confirm(
    target: &mut dyn Target,
    found: &mut Finding,
    question: &Question,
) -> Result<Option<Failure>, AuditError> {
    let is_proved = found.verdict == Verdict::Violation;
    if !is_proved || found.method != Some(Method::Sequential) {
        return Ok(None);
    }
    match confirm_event(target, found, question) {
        Ok(confirmed) => {
            *found = confirmed;
            Ok(None)
        }
        Err(AuditError::Target(error)) if !error.makes_answers_doubtful() => {
            let stage = Stage::Confirming;
            Ok(Some(Failure { stage, error }))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::super::question::tests::question;
    use super::*;
    use crate::targets::{Batch, Output};
    use serde_json::{Value, json};
    use std::time::Duration;

    /// Tells the datasets apart, or nothing, as long as it is not asked for too much.
    struct Fragile {
        tells: bool,
        /// The most answers to one request; more make it die.
        most: usize,
        /// How it ends.
        end: Option<TargetError>,
    }

    impl Target for Fragile {
        fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
            if n > self.most {
                return Err(TargetError::Ended {
                    status: "exit status: 7".to_owned(),
                    said: String::new(),
                    got: 0,
                    expected: n,
                });
            }
            let told = if self.tells { data[0].as_i64() } else { None };
            Ok(Batch {
                outputs: vec![Output::Integer(told.unwrap_or(2).into()); n],
                traces: Vec::new(),
            })
        }

        fn finish(&mut self) -> Result<(), TargetError> {
            self.end.take().map_or(Ok(()), Err)
        }
    }

    fn lingers() -> Option<TargetError> {
        let grace = Duration::from_secs(1);
        Some(TargetError::Lingers { grace })
    }

    fn floods() -> Option<TargetError> {
        Some(TargetError::Flood {
            expected: 1,
            unit: "lines",
            example: String::new(),
        })
    }

    fn audit(tells: bool, most: usize, end: Option<TargetError>) -> Result<Examined, AuditError> {
        let pair = Pair(json!([0]), json!([1]));
        let datasets = Datasets::Given(pair, NeighbouringRelation::Substitute);
        let question = Question {
            shrink: true,
            ..question(400)
        };
        let mut target = Fragile { tells, most, end };
        examine(&mut target, &datasets, &question, &[], &|_| ())
    }

    #[test]
    fn a_proof_is_kept_whatever_the_program_does_afterwards() {
        let stage = |found: Examined| {
            assert_eq!(found.found.verdict, Verdict::Violation);
            found.failure.map(|failure| failure.stage)
        };
        assert_eq!(stage(audit(true, 1000, None).unwrap()), None);
        let lingers = audit(true, 1000, lingers()).unwrap();
        assert_eq!(stage(lingers), Some(Stage::Ending));
        // The check of repetition asks for 25 answers, a round of a short audit for 4, and a confirmation for some 32.
        let dies = audit(true, 28, None).unwrap();
        assert_eq!(dies.found.counted, super::super::Counted::Training);
        assert_eq!(stage(dies), Some(Stage::Confirming));
    }

    #[test]
    fn a_pair_that_is_vouched_for_is_audited_as_it_is() {
        let pair = Pair(json!([0, 5, 5]), json!([1, 7]));
        let question = Question {
            shrink: true,
            ..question(400)
        };
        let mut target = Fragile {
            tells: true,
            most: 1000,
            end: None,
        };
        let datasets = Datasets::Vouched(pair.clone());
        let found = examine(&mut target, &datasets, &question, &[], &|_| ()).unwrap();
        assert_eq!(
            (found.relation, found.found.verdict),
            (None, Verdict::Violation)
        );
        assert!(found.smaller().is_none_or(|smaller| smaller.pair == pair));
    }

    #[test]
    fn without_a_proof_or_after_too_many_answers_nothing_is_concluded() {
        assert!(audit(false, 1000, None).is_ok());
        assert!(audit(false, 1000, lingers()).is_err());
        assert!(audit(true, 1000, floods()).is_err());
    }

    #[test]
    fn the_proofs_that_are_reported_keep_to_their_shares_of_the_level() {
        let found = audit(true, 1000, None).unwrap();
        let levels = question(400).levels().found.both();
        let smaller = found.smaller().map(|smaller| &smaller.level);
        let spent = smaller.map_or(found.found.level.clone(), |level| {
            level + &found.found.level
        });
        assert!(spent < levels, "{spent}");
    }
}
