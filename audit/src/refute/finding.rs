//! What an audit of one pair found.

use super::answers::Answers;
use crate::events::{Aspect, Event, Side};
use crate::pairs::Pair;
use crate::targets::{Beliefs, Output};
use dp_assay::number::Rational;
use dp_assay::privacy::HalfPlane;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What an audit says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim is false, except with probability at most the level.
    Violation,
    /// No proof was found. That is not a proof of privacy.
    NotRefuted,
}

/// Which of the two tests gave the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The e-process on the cells, which may stop early.
    Sequential,
    /// The exact test of the learned event, at the end.
    Fixed,
}

/// Which calls an event is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counted {
    /// Those that it was learned from, whose outputs were kept: the bets stopped before the last epoch.
    Training,
    /// Those of the audit after it was learned.
    Later,
    /// Fresh calls after the proof, which decide nothing: [`Confirmation`].
    Confirming,
}

/// What came of the calls that confirm the event of a proof by bets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Confirmation {
    /// Whether an event was found that came more often than the claim allows, by two standard errors, on calls that it was
    /// not learned from. It is then the event of the finding.
    pub exceeds: bool,
    /// All calls that it took.
    pub calls: u64,
}

/// How often the event came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventCounts {
    /// Calls on the first dataset.
    pub first_calls: u64,
    /// Of these, in the event.
    pub first: u64,
    /// Calls on the second dataset.
    pub second_calls: u64,
    /// Of these, in the event.
    pub second: u64,
}

/// What an audit of one pair found, in one aspect of the outputs.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The aspect: the line of the report that it is.
    pub aspect: Aspect,
    /// The finding on the same pair and the same calls in the other aspect, if values and bits were audited apart and the
    /// audit went on until that one was decided too; and after them that on values with their times, if it was asked for. Of these the
    /// one is told first that is a violation, and values before bits before times: so this one is a violation only if that one is.
    pub other_line: Option<Box<Finding>>,
    /// The verdict.
    pub verdict: Verdict,
    /// Epsilon is above this, except with probability at most the level; `None` if nothing is proved, or the claim is in
    /// another measure than (epsilon, delta).
    pub epsilon_lower: Option<Rational>,
    /// The same of a claim in another measure: of its parameter ([`super::Claim::parameter`]).
    pub parameter_lower: Option<Rational>,
    /// A half-plane that the claim allows one event: of a proof by counts the one that was tested, and otherwise the one
    /// that the event exceeds most.
    pub half_plane: HalfPlane,
    /// The level of this proof.
    pub level: Rational,
    /// Delta at the claimed epsilon is at least this, except with probability at most the level of the exact test: a
    /// statement by itself, beside that on epsilon. `None` if the sequential test stopped: the number of calls
    /// then depends on the outputs, and bounds for a fixed number do not hold.
    pub delta_lower: Option<f64>,
    /// Which test gave the bound.
    pub method: Option<Method>,
    /// The pair.
    pub pair: Pair,
    /// The learned event.
    pub event: Event,
    /// Where the bets won, if they are the proof: events among which the one that is shown is chosen.
    pub won: Vec<Event>,
    /// How often it came.
    pub counts: EventCounts,
    /// In which calls.
    pub counted: Counted,
    /// What came of its confirmation, if the proof is by bets and it was asked for.
    pub confirmation: Option<Confirmation>,
    /// All calls.
    pub calls: u64,
    /// A leak of less than this mass on one dataset is missed with probability at least `miss`.
    pub undetectable_mass: f64,
    /// See `undetectable_mass`.
    pub miss: Rational,
    /// For this event and these numbers of calls: the epsilon that would be rejected with probability 0.95.
    /// `None` also if the sequential test stopped, as for `delta_lower`.
    pub event_power: Option<Rational>,
    /// If the event never came on the other dataset there is no such epsilon. This is then the probability of the event at
    /// which the claim would be rejected with probability 0.95, if the event never comes on the other dataset.
    pub event_mass: Option<f64>,
    /// What the search for events read of such outputs, in words.
    pub features_read: Vec<String>,
    /// Properties of all answers up to this finding, without the calls that only shortened its event.
    pub answers: Answers,
    /// What the target said about its own noise in these calls, if it said something. [`crate::targets::Heard`] adds up
    /// what it says in all calls.
    pub beliefs: Option<Beliefs>,
    /// How long it took.
    pub seconds: Duration,
}

impl Finding {
    /// This one and the other lines of the same audit.
    pub fn lines(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |line| line.other_line.as_deref())
    }

    /// With one more line after those that there are.
    #[must_use]
    pub(super) fn and(mut self, last: Self) -> Self {
        self.other_line = Some(Box::new(match self.other_line.take() {
            Some(other) => other.and(last),
            None => last,
        }));
        self
    }

    /// The bound on the parameter of the claim, in whatever measure.
    #[must_use]
    pub fn lower(&self) -> Option<&Rational> {
        self.epsilon_lower
            .as_ref()
            .or(self.parameter_lower.as_ref())
    }
}

impl fmt::Display for EventCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} on the first dataset, {} of {} on the second",
            self.first, self.first_calls, self.second, self.second_calls
        )
    }
}

impl EventCounts {
    pub(super) fn count(&mut self, event: &Event, outputs: &[Vec<Output>; 2]) {
        self.first_calls += outputs[0].len() as u64;
        self.first += event.count(&outputs[0]);
        self.second_calls += outputs[1].len() as u64;
        self.second += event.count(&outputs[1]);
    }

    /// The calls and the occurrences where the event is suspected to be too frequent, and on the other dataset.
    #[must_use]
    pub fn likelier_first(&self, side: Side) -> ((u64, u64), (u64, u64)) {
        let (first, second) = (
            (self.first_calls, self.first),
            (self.second_calls, self.second),
        );
        match side {
            Side::First => (first, second),
            Side::Second => (second, first),
        }
    }
}
