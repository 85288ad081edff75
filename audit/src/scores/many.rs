//! Many trainings that are independent, some with the record and some without: one score each.
//!
//! With bounds on the probabilities of all half-lines at once, on either side, every threshold may be looked at, and the best be told.

use super::{Claim, Scores, zcdp};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::stats::{OrderBand, StatsError};
use num_traits::{One, Signed};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// What is claimed.
    pub claim: Claim,
    /// The probability with which a true claim may be refuted, or a bound be false.
    pub level: Rational,
}

/// The precision of the bounds.
const BITS: u32 = 96;

/// A half-line of scores, on which the two sides differ most.
#[derive(Debug, Clone)]
pub struct HalfLine {
    /// The score at which it begins.
    pub threshold: Rational,
    /// How many of the trainings with the record are at least there.
    pub ins: usize,
    /// How many of those without it.
    pub outs: usize,
    /// Below the probability of it with the record.
    pub with: Rational,
    /// Above the probability of it without.
    pub without: Rational,
}

/// What the scores say.
#[derive(Debug, Clone)]
pub struct Found {
    /// The trainings with the record.
    pub ins: usize,
    /// The trainings without it.
    pub outs: usize,
    /// A bound on the parameter of the claim: epsilon at its delta, or mu.
    pub lower: Option<Rational>,
    /// Whether the claim is refuted.
    pub is_refuted: bool,
    /// Where the bound comes from.
    pub half_line: Option<HalfLine>,
    /// What could have been proved if the scores of the two sides had not overlapped.
    pub ceiling: Option<Rational>,
}

/// Judges the scores.
///
/// # Errors
/// [`StatsError`] for a level outside (0, 1), no training on a side, and more trainings than the bounds take.
pub fn examine(scores: &Scores, question: &Question) -> Result<Found, StatsError> {
    let ins = scores.members();
    let outs = scores.len() - ins;
    let half = &question.level / Rational::from_integer(2.into());
    let with = OrderBand::new(ins as u64, &half)?;
    let without = match ins == outs {
        true => with.clone(),
        false => OrderBand::new(outs as u64, &half)?,
    };
    let half_line = |(threshold, x, y): (Rational, usize, usize)| HalfLine {
        threshold,
        ins: x,
        outs: y,
        with: with.lower(x),
        without: without.upper(y),
    };
    let mut best: Option<(Rational, HalfLine)> = None;
    for at in scores.thresholds() {
        let half_line = half_line(at);
        let Some(bound) = bound(&half_line.with, &half_line.without, &question.claim)? else {
            continue;
        };
        if best.as_ref().is_none_or(|(most, _)| bound > *most) {
            best = Some((bound, half_line));
        }
    }
    let (lower, half_line) = best.unzip();
    Ok(Found {
        ins,
        outs,
        is_refuted: lower
            .as_ref()
            .is_some_and(|lower| *lower > *question.claim.parameter()),
        lower,
        half_line,
        ceiling: bound(&with.lower(ins), &without.upper(0), &question.claim)?,
    })
}

/// What the parameter of a claim is at least, if an event has at least the probability `p` with the record and at most `q` without.
fn bound(p: &Rational, q: &Rational, claim: &Claim) -> Result<Option<Rational>, StatsError> {
    if p <= q {
        return Ok(None);
    }
    let lower = match claim {
        Claim::Budget { delta, .. } => {
            // The event, and what is outside of it, of the other order.
            let one = Rational::one();
            let there = (p - delta) / q;
            let outside = (&one - q - delta) / (&one - p);
            let odds = there.max(outside);
            if !odds.is_positive() {
                return Ok(None);
            }
            Enclosure::of(&odds, BITS).ln()?
        }
        Claim::Zcdp { .. } => return Ok(zcdp::of_event(p, q)?),
        Claim::Gaussian { .. } => {
            let at = |probability| Enclosure::of(probability, BITS).normal_quantile();
            at(p)? - at(q)?
        }
    };
    Ok(Some(lower.lower()).filter(Rational::is_positive))
}

#[cfg(test)]
mod tests {
    use super::super::{Higher, Scored};
    use super::*;
    use dp_assay::number::rational::{integer, ratio};

    fn scores(ins: impl Iterator<Item = i64>, outs: impl Iterator<Item = i64>) -> Scores {
        let scored = |score, is_in| Scored {
            name: None,
            score: integer(score),
            is_in,
        };
        let ins = ins.map(|score| scored(score, true));
        let all = ins.chain(outs.map(|score| scored(score, false))).collect();
        Scores::new(all, Higher::In)
    }

    fn budget(epsilon: Rational, delta: Rational) -> Question {
        Question {
            claim: Claim::Budget { epsilon, delta },
            level: ratio(1, 20),
        }
    }

    #[test]
    fn scores_that_do_not_overlap_prove_the_most() {
        let scores = scores(100..150, 0..50);
        let found = examine(&scores, &budget(integer(1), ratio(1, 100_000))).unwrap();
        assert!(found.is_refuted);
        assert_eq!(found.lower, found.ceiling);
        let half_line = found.half_line.unwrap();
        assert_eq!((half_line.ins, half_line.outs), (50, 0));
        // 0.878 against 0.122.
        let lower = found.lower.unwrap();
        assert!(
            lower > ratio(195, 100) && lower < ratio(199, 100),
            "{lower}"
        );
    }

    #[test]
    fn both_directions_are_looked_at() {
        // 60 of 80 with the record are above all others, or 60 of 80 without it below them.
        let far = scores((0..20).chain(100..160), 0..80);
        let near = scores(100..180, (0..60).chain(100..120));
        let question = budget(integer(1), Rational::default());
        let bounds = [far, near].map(|scores| examine(&scores, &question).unwrap().lower);
        assert_eq!(bounds[0], bounds[1]);
        assert!(bounds[0] > Some(integer(1)), "{bounds:?}");
    }

    #[test]
    fn a_delta_lessens_the_bound_by_no_more_than_itself() {
        let scores = scores(100..150, 0..50);
        let bound = |delta| {
            let question = budget(integer(1), delta);
            examine(&scores, &question).unwrap().lower.unwrap()
        };
        let exact = |delta: Rational| {
            let band = OrderBand::new(50, &ratio(1, 40)).unwrap();
            let odds = (band.lower(50) - delta) / band.upper(0);
            Enclosure::of(&odds, 96).ln().unwrap()
        };
        for delta in [integer(0), ratio(1, 10), ratio(1, 2)] {
            assert!(exact(delta.clone()).contains(&bound(delta)));
        }
        let nothing = examine(&scores, &budget(integer(1), ratio(9, 10))).unwrap();
        assert_eq!((nothing.lower, nothing.is_refuted), (None, false));
    }

    #[test]
    fn a_claim_on_mu_is_bounded_in_mu() {
        let scores = scores(100..150, 0..50);
        let question = Question {
            claim: Claim::Gaussian { mu: integer(2) },
            level: ratio(1, 20),
        };
        let found = examine(&scores, &question).unwrap();
        let lower = found.lower.unwrap();
        // Twice the normal quantile of 0.878.
        assert!(
            lower > ratio(230, 100) && lower < ratio(235, 100),
            "{lower}"
        );
        assert!(found.is_refuted);
    }

    #[test]
    fn scores_that_are_alike_prove_nothing() {
        let found = examine(&scores(0..50, 0..50), &budget(ratio(1, 100), integer(0))).unwrap();
        assert!(!found.is_refuted && found.lower.is_none());
        assert!(examine(&scores(0..50, 0..0), &budget(integer(1), integer(0))).is_err());
    }
}
