//! The audit of a claim of stability.

use super::candidates::Candidates;
use super::claim::{Compared, Stability};
use super::error::MapError;
use super::shrink::{Room, shrink};
use crate::pairs::{Domain, Pair};
use crate::targets::{Output, Target, TargetError, excerpt};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The most pairs that are tried for a smaller one.
const STEPS: usize = 500;

/// The datasets.
#[derive(Debug, Clone)]
pub enum Datasets {
    /// A pair.
    Given(Pair),
    /// A domain, whose pairs are tried.
    Described(Domain),
}

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// The most pairs of a domain, at least 1: half of them pathological ones if there are as many, the rest random.
    pub pairs: usize,
    /// The seed of the random ones.
    pub seed: u64,
    /// Whether a smaller pair is looked for.
    pub shrink: bool,
}

/// What was found.
#[derive(Debug)]
pub struct Examined {
    /// The violation, as small as it was made, or the pair that used most of what is allowed; `None` if the
    /// claim says nothing of any pair of the domain.
    pub farthest: Option<Compared>,
    /// The violation as it was found, if it was made smaller.
    pub before: Option<Compared>,
    /// How many pairs were compared before that.
    pub pairs: usize,
    /// How many of them had an exception on at least one side.
    pub with_errors: usize,
    /// All outputs that were asked for.
    pub calls: u64,
    /// How long it took.
    pub seconds: Duration,
    /// How the program failed after the proof, which stays.
    pub failure: Option<TargetError>,
}

impl Examined {
    /// The proof, if there is one.
    #[must_use]
    pub fn violation(&self) -> Option<&Compared> {
        self.farthest
            .as_ref()
            .filter(|compared| compared.violates())
    }
}

/// Audits the claim:
///
/// 1. Compares the given pair, or pairs of the domain, until one violates the claim. Each dataset is asked twice.
/// 2. Makes that one smaller.
/// 3. Asks it again, the other dataset first: a program that remembers earlier requests is no transformation.
/// 4. Ends the program.
///
/// A proof stands if the program does not end well.
///
/// # Errors
/// [`MapError`] if the target fails before there is a proof, or the question is wrong.
pub fn examine(
    target: &mut dyn Target,
    datasets: &Datasets,
    stability: &Stability,
    effort: Effort,
) -> Result<Examined, MapError> {
    let start = Instant::now();
    let mut asked = Asking {
        target,
        stability,
        calls: 0,
        only_error: None,
    };
    let mut examined = Examined {
        farthest: None,
        before: None,
        pairs: 0,
        with_errors: 0,
        calls: 0,
        seconds: Duration::ZERO,
        failure: None,
    };
    // 1. The pairs.
    match datasets {
        Datasets::Given(pair) => {
            let compared = asked.compare(pair)?.ok_or_else(|| of_no_claim(stability))?;
            examined.enter(compared);
        }
        Datasets::Described(domain) => {
            let mut candidates = Candidates::new(domain, &stability.input, effort.seed)?;
            let mut found = false;
            let mut pathological = 0;
            for pair in candidates.pathological().take(effort.pairs.div_ceil(2)) {
                pathological += 1;
                found = examined.compare(&mut asked, &pair)?;
                if found {
                    break;
                }
            }
            for _ in pathological..effort.pairs {
                if found {
                    break;
                }
                if let Some(pair) = candidates.random() {
                    found = examined.compare(&mut asked, &pair)?;
                }
            }
        }
    }
    if let Some(Some(error)) = asked
        .only_error
        .take()
        .filter(|_| examined.violation().is_none())
    {
        return Err(TargetError::NothingButErrors {
            error: excerpt(&error),
        }
        .into());
    }
    // 2. A smaller one.
    if let Some(found) = examined.violation().cloned() {
        let mut smallest = found.clone();
        if effort.shrink {
            let domain = match datasets {
                Datasets::Given(_) => None,
                Datasets::Described(domain) => Some(domain),
            };
            let room = Room {
                input: &stability.input,
                domain,
            };
            let mut failure = None;
            smallest = shrink(&found, &room, STEPS, |pair| match asked.compare(pair) {
                // Outputs of smaller datasets that the metric cannot measure are no smaller proof.
                Err(MapError::Output(_)) => Ok(None),
                // The proof stays, whatever becomes of the program.
                Err(MapError::Target(error)) if !error.makes_answers_doubtful() => {
                    failure = Some(error);
                    Err(None)
                }
                other => other.map_err(Some),
            })
            .or_else(|error| error.map_or_else(|| Ok(found.clone()), Err))?;
            examined.failure = failure;
        }
        // 3. Again.
        if examined.failure.is_none() {
            examined.failure = asked.again(&smallest)?;
        }
        examined.before = (smallest.pair != found.pair).then_some(found);
        examined.farthest = Some(smallest);
    }
    // 4. The end.
    examined.calls = asked.calls;
    let ended = asked.target.finish();
    examined.seconds = start.elapsed();
    match ended {
        Ok(()) => Ok(examined),
        // What answered more than it was asked may have answered another dataset.
        Err(error) if examined.violation().is_some() && !error.makes_answers_doubtful() => {
            examined.failure.get_or_insert(error);
            Ok(examined)
        }
        Err(error) => Err(error.into()),
    }
}

fn of_no_claim(stability: &Stability) -> MapError {
    MapError::Question(format!(
        "the claim says nothing of this pair: the {} distance of its datasets is infinite{}",
        stability.input.metric,
        match stability.bound {
            super::Bound::Factor(_) => "",
            super::Bound::Neighbours(_) => " or above 1",
        }
    ))
}

fn not_deterministic(data: &Value, first: &Output, second: &Output) -> MapError {
    MapError::NotDeterministic {
        data: Box::new(data.clone()),
        first: Box::new(first.clone()),
        second: Box::new(second.clone()),
    }
}

impl Examined {
    /// Compares a pair, if the claim says anything of it, and says whether it is a proof.
    fn compare(&mut self, asked: &mut Asking<'_>, pair: &Pair) -> Result<bool, MapError> {
        Ok(asked
            .compare(pair)?
            .is_some_and(|compared| self.enter(compared)))
    }

    /// Counts a pair, keeps the one that is farthest, and says whether it is a proof.
    fn enter(&mut self, compared: Compared) -> bool {
        self.pairs += 1;
        let is_error = |output: &Output| matches!(output, Output::Error(_));
        self.with_errors += usize::from(compared.outputs.iter().any(is_error));
        let violates = compared.violates();
        let best = self.farthest.as_ref();
        if best.is_none_or(|best| compared.is_farther_than(best)) {
            self.farthest = Some(compared);
        }
        violates
    }
}

/// A target that is asked twice each time.
struct Asking<'a> {
    target: &'a mut dyn Target,
    stability: &'a Stability,
    calls: u64,
    // The one error that it always answered so far; Some(None) once it answered something else.
    only_error: Option<Option<String>>,
}

impl Asking<'_> {
    fn ask(&mut self, data: &Value) -> Result<Output, MapError> {
        let mut outputs = Vec::with_capacity(2);
        while outputs.len() < 2 {
            let n = (2 - outputs.len()).min(self.target.at_once(data).max(1));
            outputs.extend(self.target.sample(data, n)?.outputs);
            self.calls += n as u64;
        }
        let second = outputs.pop();
        match (outputs.pop(), second) {
            (Some(first), Some(second)) if first == second => {
                let error = match &first {
                    Output::Error(text) => Some(text.clone()),
                    _ => None,
                };
                let same = self.only_error.as_ref().is_none_or(|only| *only == error);
                self.only_error = Some(error.filter(|_| same));
                Ok(first)
            }
            (Some(first), Some(second)) => Err(not_deterministic(data, &first, &second)),
            // A target that gives fewer outputs than it was asked for breaks its contract.
            _ => Err(TargetError::Failed.into()),
        }
    }

    /// Asks for a proof again, the other dataset first, and says how the program failed instead of answering.
    fn again(&mut self, proof: &Compared) -> Result<Option<TargetError>, MapError> {
        for side in [1, 0] {
            let data = [&proof.pair.0, &proof.pair.1][side];
            match self.ask(data) {
                Ok(again) if again == proof.outputs[side] => {}
                Ok(again) => return Err(not_deterministic(data, &proof.outputs[side], &again)),
                Err(MapError::Target(error)) if !error.makes_answers_doubtful() => {
                    return Ok(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Compares a pair; `None` if the claim says nothing of it.
    fn compare(&mut self, pair: &Pair) -> Result<Option<Compared>, MapError> {
        let datasets = self.stability.of_datasets(pair).map_err(MapError::Input)?;
        let Some((input, allowed)) = datasets else {
            return Ok(None);
        };
        let outputs = [self.ask(&pair.0)?, self.ask(&pair.1)?];
        let output = self.stability.output.between(&outputs[0], &outputs[1]);
        Ok(Some(Compared {
            pair: pair.clone(),
            output: output.map_err(MapError::Output)?,
            outputs,
            input,
            allowed,
        }))
    }
}
