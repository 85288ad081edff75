//! What is proved of a claim on one pair, and by which test.

use super::claim::{Chosen, Claim, Step};
use super::finding::{EventCounts, Method, Verdict};
use super::question::{AuditError, grid};
use crate::events::{Event, Side};
use crate::targets::Output;
use dp_assay::number::Rational;
use dp_assay::number::rational::integer;
use dp_assay::privacy::HalfPlane;
use dp_assay::stats::power::{detected_epsilon, detected_mass};
use dp_assay::stats::{EProcess, StatsError, TRIALS_LIMIT, TwoSample, delta_lower};

/// What was proved, and by which test.
pub(super) struct Proof {
    pub refuted: bool,
    pub epsilon_lower: Option<Rational>,
    pub parameter_lower: Option<Rational>,
    pub half_plane: Option<HalfPlane>,
    pub method: Method,
    pub delta_lower: Option<f64>,
    pub event_power: Option<Rational>,
    pub event_mass: Option<f64>,
}

/// How often an event came in calls that are spent: what a half-plane is chosen by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spent {
    p: f64,
    q: f64,
}

impl Spent {
    /// Of the outputs on the two datasets; each frequency is smoothed by one occurrence.
    pub fn of(event: &Event, outputs: [&[Output]; 2]) -> Self {
        let [first, second] = outputs;
        let counts = EventCounts {
            first_calls: first.len() as u64,
            first: event.count(first),
            second_calls: second.len() as u64,
            second: event.count(second),
        };
        Self::smoothed(event.likelier, &counts)
    }

    /// Of counts; each frequency is smoothed by one occurrence.
    pub fn smoothed(likelier: Side, counts: &EventCounts) -> Self {
        let (likely, rare) = counts.likelier_first(likelier);
        let rate = |(calls, came): (u64, u64)| (came as f64 + 1.0) / (calls as f64 + 2.0);
        Self {
            p: rate(likely),
            q: rate(rare),
        }
    }

    /// Of counts, not smoothed.
    pub fn seen(event: &Event, counts: &EventCounts) -> Self {
        let (likely, rare) = counts.likelier_first(event.likelier);
        let rate = |(calls, came): (u64, u64)| came as f64 / calls.max(1) as f64;
        Self {
            p: rate(likely),
            q: rate(rare),
        }
    }

    /// The half-plane of the claim that the frequencies exceed most.
    pub fn chooses(self, claim: &Claim) -> Result<Chosen, AuditError> {
        claim.exceeded(self.p, self.q)
    }
}

impl Proof {
    /// Nothing: the bets did not stop, and there is no other test.
    pub fn none(chosen: &Chosen) -> Self {
        Self {
            refuted: false,
            ..Self::of_half_plane(chosen.half_plane.clone())
        }
    }

    /// By bets that stopped the audit. The number of calls depends then on the outputs: nothing is said that needs a
    /// fixed one.
    pub fn by_bets(
        process: &EProcess,
        claim: &Claim,
        level: &Rational,
    ) -> Result<Self, AuditError> {
        let mut proof = Self {
            refuted: true,
            epsilon_lower: None,
            parameter_lower: None,
            half_plane: None,
            method: Method::Sequential,
            delta_lower: None,
            event_power: None,
            event_mass: None,
        };
        if let Some((epsilon, _)) = claim.as_budget() {
            let grid = grid(epsilon);
            proof.epsilon_lower = process.epsilon_lower(&grid, level)?.cloned();
            return Ok(proof);
        }
        let steps: Vec<Step> = claim.steps();
        let from = steps.iter().position(|step| step.factor == integer(1));
        let last = process.last_rejected(
            &steps[from.unwrap_or(0)..],
            level,
            |step, laws| chosen(claim.at(step).exceeded_by(laws)),
            |at, step| step.factor < &at.factor * integer(11) / integer(10),
        )?;
        proof.parameter_lower = last.map(|step| claim.parameter().1 * &step.factor);
        Ok(proof)
    }

    /// By the exact test of an event that was chosen before it was counted, in a number of calls that was fixed; as were,
    /// by how often it came in calls that are spent, the half-planes of the claim and of its multiples.
    ///
    /// The power of an event is stated for up to [`TRIALS_LIMIT`] calls on a dataset: of more, hundredths of epsilon say nothing.
    pub fn by_counts(
        event: &Event,
        counts: &EventCounts,
        spent: Spent,
        claim: &Claim,
        level: &Rational,
    ) -> Result<Self, AuditError> {
        let Chosen {
            null, half_plane, ..
        } = spent.chooses(claim)?;
        let (likely, rare) = counts.likelier_first(event.likelier);
        let test = TwoSample::new(likely.0, rare.0, level)?;
        let never_came = rare.1 == 0;
        let mut proof = Self::of_half_plane(half_plane);
        if never_came {
            proof.event_mass = detected_mass(&test, &null)?;
        }
        if let Some((epsilon, delta)) = claim.as_budget() {
            proof.above_epsilon(test.epsilon_lower(likely.1, rare.1, delta)?, epsilon);
            proof.delta_lower = Some(delta_lower(likely, rare, &null, level)?);
            if likely.0.max(rare.0) <= TRIALS_LIMIT {
                proof.event_power = detected_epsilon(&test, &null, rare.1, level)?;
            }
            return Ok(proof);
        }
        let steps = claim.steps();
        let last = test.last_rejected(likely.1, rare.1, &steps, |step| {
            chosen(spent.chooses(claim.at(step)))
        })?;
        proof.above_step(last, claim);
        Ok(proof)
    }

    /// The same where not all calls were counted: `counts` are the worst ones that are possible, and the simple bounds, with their
    /// hundredth of the level, decide alone. The test with its whole level may follow when all are counted: together they have that level.
    pub fn at_worst(
        likelier: Side,
        counts: &EventCounts,
        spent: Spent,
        claim: &Claim,
        level: &Rational,
    ) -> Result<Self, AuditError> {
        let half_plane = spent.chooses(claim)?.half_plane;
        let (likely, rare) = counts.likelier_first(likelier);
        let test = TwoSample::new(likely.0, rare.0, level)?;
        let mut proof = Self::of_half_plane(half_plane);
        if let Some((epsilon, delta)) = claim.as_budget() {
            let lower = test.epsilon_lower_at_worst(likely.1, rare.1, delta)?;
            proof.above_epsilon(lower, epsilon);
            return Ok(proof);
        }
        let steps = claim.steps();
        let last = test.last_rejected_at_worst(likely.1, rare.1, &steps, |step| {
            chosen(spent.chooses(claim.at(step)))
        })?;
        proof.above_step(last, claim);
        Ok(proof)
    }

    /// Nothing yet, of an event whose calls were fixed.
    fn of_half_plane(half_plane: HalfPlane) -> Self {
        Self {
            refuted: false,
            epsilon_lower: None,
            parameter_lower: None,
            half_plane: Some(half_plane),
            method: Method::Fixed,
            delta_lower: None,
            event_power: None,
            event_mass: None,
        }
    }

    /// Epsilon is above this bound. "Above the last rejected": rejecting the claimed epsilon itself is a proof.
    fn above_epsilon(&mut self, lower: Option<Rational>, claimed: &Rational) {
        self.refuted = lower.as_ref() >= Some(claimed);
        self.epsilon_lower = lower;
    }

    /// The parameter of the claim is above that of the last step that is rejected.
    fn above_step(&mut self, last: Option<&Step>, claim: &Claim) {
        self.refuted = last.is_some_and(|step| step.factor >= integer(1));
        self.parameter_lower = last.map(|step| claim.parameter().1 * &step.factor);
    }

    pub fn verdict(&self) -> Verdict {
        if self.refuted {
            Verdict::Violation
        } else {
            Verdict::NotRefuted
        }
    }

    /// Whether something is proved, be it less than the claim's contrary.
    pub fn proves(&self) -> bool {
        self.refuted || self.epsilon_lower.is_some() || self.parameter_lower.is_some()
    }
}

/// The hypothesis alone. A half-plane that cannot be computed is one that cannot be refuted.
fn chosen(chosen: Result<Chosen, AuditError>) -> Result<dp_assay::stats::Null, StatsError> {
    chosen
        .map(|chosen| chosen.null)
        .map_err(|error| match error {
            AuditError::Stats(error) => error,
            error => StatsError::Claim {
                epsilon: error.to_string(),
                delta: "that of a multiple of the claim".to_owned(),
            },
        })
}
