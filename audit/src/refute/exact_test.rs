//! What is proved of a claim on one pair, and by which test.

use super::finding::{EventCounts, Method, Verdict};
use super::question::Question;
use crate::events::Event;
use dp_assay::number::Rational;
use dp_assay::stats::power::{detected_epsilon, detected_mass};
use dp_assay::stats::{Null, StatsError, TwoSample, delta_lower};

/// What was proved, and by which test.
pub(super) struct Proof {
    pub epsilon_lower: Option<Rational>,
    pub method: Method,
    pub delta_lower: Option<f64>,
    pub event_power: Option<Rational>,
    pub event_mass: Option<f64>,
}

impl Proof {
    /// By bets that stopped the audit. The number of calls depends then on the outputs: nothing is said that needs a
    /// fixed one.
    pub fn by_bets(epsilon_lower: Option<Rational>) -> Self {
        Self {
            epsilon_lower,
            method: Method::Sequential,
            delta_lower: None,
            event_power: None,
            event_mass: None,
        }
    }

    /// By the exact test of an event that was chosen before it was counted, in a number of calls that was fixed.
    pub fn by_counts(
        event: &Event,
        counts: &EventCounts,
        question: &Question,
        level: &Rational,
    ) -> Result<Self, StatsError> {
        let null = Null::new(&question.epsilon, &question.delta)?;
        let (likely, rare) = counts.likelier_first(event.likelier);
        let test = TwoSample::new(likely.0, rare.0, level)?;
        let never_came = rare.1 == 0;
        Ok(Self {
            epsilon_lower: test.epsilon_lower(likely.1, rare.1, &question.delta)?,
            method: Method::Fixed,
            delta_lower: Some(delta_lower(likely, rare, &null, level)?),
            event_power: detected_epsilon(&test, &null, rare.1, level)?,
            event_mass: match never_came {
                true => detected_mass(&test, &null)?,
                false => None,
            },
        })
    }

    /// "Above the last rejected": rejecting the claimed epsilon itself is a proof.
    pub fn verdict(&self, question: &Question) -> Verdict {
        if self.epsilon_lower.as_ref() >= Some(&question.epsilon) {
            Verdict::Violation
        } else {
            Verdict::NotRefuted
        }
    }
}
