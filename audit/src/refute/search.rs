//! The pair of a domain whose outputs look farthest apart: no part of any proof.

use super::calls::{room, sample};
use super::question::{AuditError, Field, Question};
use crate::events::{Side, learn_event};
use crate::pairs::{Care, Domain, Effort, Pair, search};
use crate::targets::{Beliefs, Output, Target};
use dp_assay::number::OutOfRange;
use std::time::{Duration, Instant};

/// The calls on each dataset with which a pair of a domain is screened: all pairs together take three quarters of the calls
/// of the question, but not more than 1,000 for a dataset, nor less than 64.
fn screening(calls: u64) -> usize {
    (calls / 200).clamp(64, 1000) as usize
}

/// How many times as many there are for the choice between the last few.
const CHOOSING: usize = 4;

/// The most calls of the search of a domain.
pub(super) fn most_calls(question: &Question) -> u64 {
    let Effort { best, .. } = Effort::default();
    let last = (best + 1) * CHOOSING;
    let screened = Effort::default().measurements() - best - 1;
    2 * ((screened + last) * screening(question.calls)) as u64
}

/// The calls that show how long outputs are.
const FEW: usize = 4;

/// The pair that a search of a domain chose, and the cost of the search.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The pair whose outputs look farthest apart.
    pub pair: Pair,
    /// How many measurements of pairs were made: the last few pairs are measured twice.
    pub measurements: usize,
    /// The calls, on both datasets together.
    pub calls: u64,
    /// How long it took.
    pub seconds: Duration,
}

/// The pair of a domain whose outputs look farthest apart, by a few calls on each: no part of any proof. At most
/// [`Effort::measurements`], of 2,000 calls each, and of 8,000 for the last four; fewer if the question has fewer than
/// 200,000.
///
/// # Errors
/// [`AuditError::Target`].
pub fn search_pair(
    target: &mut dyn Target,
    domain: &Domain,
    question: &Question,
) -> Result<Searched, AuditError> {
    question.check()?;
    let start = Instant::now();
    let (mut measurements, mut calls) = (0, 0);
    let best = search(domain, &Effort::default(), question.seed, |pair, care| {
        let on_each = match care {
            Care::Screening => screening(question.calls),
            Care::Choosing => CHOOSING * screening(question.calls),
        };
        let (promise, made) = promise(target, pair, question, on_each)?;
        measurements += 1;
        calls += made;
        Ok::<_, AuditError>(promise)
    })?;
    let expected = "one with two neighbouring datasets";
    let pair = best.ok_or_else(|| OutOfRange::new("the domain", &"none", expected));
    let pair = Field::Domain.check(pair)?;
    Ok(Searched {
        pair,
        measurements,
        calls,
        seconds: start.elapsed(),
    })
}

/// A rough lower bound on epsilon, and the calls that it took: the learned event, two standard deviations to the safe side.
fn promise(
    target: &mut dyn Target,
    pair: &Pair,
    question: &Question,
    calls: usize,
) -> Result<(f64, u64), AuditError> {
    let mut beliefs = Beliefs::default();
    let mut first = sample(target, &pair.0, FEW, &mut beliefs)?;
    let calls = calls.min((room(first.iter()) as usize).max(FEW));
    first.extend(sample(target, &pair.0, calls - FEW, &mut beliefs)?);
    let second = sample(target, &pair.1, calls, &mut beliefs)?;
    let half = calls / 2;
    let delta = question.claim.first_aim();
    let event = learn_event(&first[..half], &second[..half], delta);
    let rate = |outputs: &[Output]| event.count(&outputs[half..]) as f64 / (calls - half) as f64;
    let (mut p, mut q) = (rate(&first), rate(&second));
    if event.likelier == Side::Second {
        (p, q) = (q, p);
    }
    let spread = |rate: f64| 2.0 * (rate * (1.0 - rate) / half as f64).sqrt() + 1.0 / half as f64;
    let (low, high) = ((p - spread(p) - delta).max(1e-12), q + spread(q));
    Ok(((low / high).ln(), 2 * calls as u64))
}
