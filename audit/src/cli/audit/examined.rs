//! What an audit of a claim found: on the pair that was given or searched, and in the shrinking.

use super::power::Measured;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::pairs::{Domain, Neighbourhood, Pair};
use dp_assay_audit::refute::{Finding, Searched, Until};
use dp_assay_audit::targets::{Batch, Beliefs, Repetition, Target, TargetError};
use serde_json::Value;
use std::time::Duration;

/// What was examined.
pub struct Examined {
    /// Where the pair came from.
    pub origin: Origin,
    /// On the pair that was given or searched.
    pub found: Finding,
    /// `None` if there was none: nothing was found, or it was not wanted.
    pub shrinking: Option<Shrinking>,
    /// The power of the audit that found it.
    pub power: Measured,
    /// Whether it was seen that the program does not repeat itself, if that was looked for.
    pub repetition: Option<Repetition>,
    /// What the program said about its own noise in all of this, also on pairs of which nothing is told.
    pub beliefs: Option<Beliefs>,
}

/// Where a pair came from.
pub struct Origin {
    /// How the two datasets are neighbours.
    pub relation: NeighbouringRelation,
    /// The domain and the search of it, unless the pair was given.
    pub searched: Option<(Domain, Searched)>,
}

impl Origin {
    /// What was checked of a pair that was audited: no other is.
    pub fn checked(&self, pair: &Pair) -> Neighbourhood {
        let checked = pair.check(self.relation);
        checked.unwrap_or(Neighbourhood::Unchecked)
    }
}

/// What came of the shrinking.
pub struct Shrinking {
    /// A smaller pair or a shorter event, proved by itself.
    pub smaller: Option<Finding>,
    /// How the program failed on what would have been a smaller witness.
    pub error: Option<TargetError>,
    /// All answers that it took, those on pairs of which nothing was proved among them.
    pub calls: u64,
    /// How long it took.
    pub seconds: Duration,
}

/// A target whose answers are counted.
pub struct Counted<'a> {
    target: &'a mut dyn Target,
    /// How many there were.
    pub answers: u64,
}

impl<'a> Counted<'a> {
    /// Counts from now on.
    pub fn new(target: &'a mut dyn Target) -> Self {
        Self { target, answers: 0 }
    }
}

impl Target for Counted<'_> {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let batch = self.target.sample(data, n)?;
        self.answers += batch.outputs.len() as u64;
        Ok(batch)
    }

    fn at_once(&self, data: &Value) -> usize {
        self.target.at_once(data)
    }

    fn finish(&mut self) -> Result<(), TargetError> {
        self.target.finish()
    }
}

/// Two findings in the order in which they are told.
pub struct Told<'a> {
    /// The one that was asked for: the better bound on epsilon if all calls were to be spent for it, and otherwise the
    /// smaller witness.
    pub first: &'a Finding,
    /// The other one, and what it is.
    pub other: Option<(&'static str, &'a Finding)>,
}

impl Examined {
    /// What was found, without shrinking.
    pub fn alone(origin: Origin, found: Finding, power: Measured) -> Self {
        Self {
            origin,
            beliefs: found.beliefs.clone(),
            found,
            shrinking: None,
            power,
            repetition: None,
        }
    }

    /// Whether the program failed in the shrinking.
    pub fn ended_early(&self) -> bool {
        let shrinking = self.shrinking.as_ref();
        shrinking.is_some_and(|shrinking| shrinking.error.is_some())
    }

    /// The smaller finding, if there is one.
    pub fn smaller(&self) -> Option<&Finding> {
        self.shrinking.as_ref()?.smaller.as_ref()
    }

    /// What is told first, and what else.
    pub fn told(&self, until: Until) -> Told<'_> {
        let found = &self.found;
        let Some(smaller) = self.smaller() else {
            return Told {
                first: found,
                other: None,
            };
        };
        if until == Until::End && smaller.epsilon_lower < found.epsilon_lower {
            Told {
                first: found,
                other: Some(("a smaller witness", smaller)),
            }
        } else {
            Told {
                first: smaller,
                other: Some(("before shrinking", found)),
            }
        }
    }
}
