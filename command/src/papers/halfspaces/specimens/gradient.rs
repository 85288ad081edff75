//! The gradient learners on a pair that moves a gradient as far as it can move: F' and the repaired
//! Algorithm 3, each with one candidate after one step, in one dimension and without a projection.
//!
//! One noisy gradient is all that such a model tells, so that its law is known: the learner itself is run on
//! every value of the noise. What it tells is a part of what its budget pays for. The broken twins have the noise of a larger epsilon than they claim.

use super::dataset;
use crate::papers::tiny::{BITS, refused};
use dp_assay::coins::{ChaCha, Coins, CoinsError, Law};
use dp_assay::halfspaces::efficient::{EfficientParameters, EfficientPlan};
use dp_assay::halfspaces::full_batch::{self, FullBatchParameters, FullBatchPlan};
use dp_assay::halfspaces::steps::overridden;
use dp_assay::halfspaces::{Dataset, HalfspaceError, Shape};
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::Budget;
use dp_assay::sample::DiscreteGaussian;
use dp_assay_audit::specimen::{Mechanism, Specimen, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// Which learner.
enum Plan {
    FullBatch(Box<FullBatchPlan>),
    Efficient(Box<EfficientPlan>),
}

struct OneStep {
    plan: Plan,
    noise: DiscreteGaussian,
}

/// The points of a run: F' averages the origin and the point after the step, and takes a gradient there that no
/// point comes from; Noise-GD returns the point after the step.
const STEPS: u64 = 2;

fn shape() -> Result<Shape, HalfspaceError> {
    Ok(Shape {
        records: 2,
        dimension: 1,
        grid: Grid::new(BITS)?,
    })
}

fn budget(epsilon: i64) -> Result<Budget, HalfspaceError> {
    Ok(Budget::substituting(&integer(epsilon), &ratio(1, 100))?)
}

impl OneStep {
    fn full_batch(epsilon: i64) -> Result<Self, HalfspaceError> {
        let (shape, half) = (shape()?, ratio(1, 2));
        let mut parameters =
            FullBatchParameters::from_theorem((&half, &half), budget(epsilon)?, &half, (2, 1))?;
        parameters.runs = overridden(1);
        parameters.steps = Some(STEPS);
        let rho = full_batch::concentrated(&parameters.budget, 1)?;
        Ok(Self {
            noise: full_batch::noise(&rho, 1, STEPS, shape.grid)?,
            plan: Plan::FullBatch(Box::new(parameters.plan(shape)?)),
        })
    }

    fn efficient(epsilon: i64) -> Result<Self, HalfspaceError> {
        let (shape, half) = (shape()?, ratio(1, 2));
        let mut parameters =
            EfficientParameters::from_theorem((&half, &half), budget(epsilon)?, &half, (2, 1))?;
        parameters.runs = overridden(1);
        parameters.steps = overridden(STEPS);
        let variance = parameters.noise(shape.records, shape.dimension, shape.grid)?;
        Ok(Self {
            noise: DiscreteGaussian::new(variance)?,
            plan: Plan::Efficient(Box::new(parameters.plan(shape)?)),
        })
    }

    /// The one candidate, in steps of the grid.
    fn learn(&self, data: &Dataset, coins: &mut impl Coins) -> Result<Output, HalfspaceError> {
        let model = match &self.plan {
            Plan::FullBatch(plan) => plan.learn(data, coins)?,
            Plan::Efficient(plan) => plan.learn(data, coins)?,
        };
        Ok(Output::Integer(model.halfspace.direction[0].into()))
    }

    fn law(&self, data: &Dataset) -> Result<Vec<(Output, f64)>, HalfspaceError> {
        let variance = to_f64_for_display(self.noise.variance());
        // Nine standard deviations: what is left out has a mass below 1e-18.
        let values: Vec<(u64, f64)> = (0..=(18.0 * variance.sqrt()) as u64 + 2)
            .filter_map(|index| Some((index, self.noise.outcome(index)?.to_f64()?)))
            .map(|(index, value)| (index, (-value * value / (2.0 * variance)).exp()))
            .collect();
        let total: f64 = values.iter().map(|(_, weight)| weight).sum();
        let records = data.records().len() as u64;
        let mut law = Vec::new();
        for record in 0..records {
            for (noise, weight) in &values {
                let mut coins = Decided {
                    record,
                    noise: *noise,
                };
                let mass = weight / total / records as f64;
                law.push((self.learn(data, &mut coins)?, mass));
            }
        }
        Ok(law)
    }
}

/// Coins that are no coins: the record and the noise of the first gradient are decided. What is drawn later, a
/// gradient without use and the choice among one candidate, moves nothing.
struct Decided {
    record: u64,
    noise: u64,
}

impl Coins for Decided {
    fn bits(&mut self, _: u32) -> Result<u64, CoinsError> {
        Err(CoinsError::NoOutcome)
    }

    fn consumed(&self) -> u64 {
        0
    }

    fn uniform_below(&mut self, _: &BigUint) -> Result<BigUint, CoinsError> {
        Ok(self.record.into())
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        // A law that does not number its outcomes is drawn by its sampler, from these same coins.
        if law.outcome(0).is_none() {
            return law.sample(self);
        }
        law.outcome(std::mem::take(&mut self.noise))
            .ok_or(CoinsError::NoOutcome)
    }
}

impl Mechanism for OneStep {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.learn(&dataset(data, 1)?, coins).map_err(refused(data))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let law = self.law(&dataset(data, 1)?).map_err(refused(data))?;
        // Many values of the noise lead to the same point.
        let mut points = std::collections::BTreeMap::new();
        for (output, mass) in law {
            *points.entry(output).or_insert(0.0) += mass;
        }
        Ok(Some(points.into_iter().collect()))
    }
}

pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&json!("constants"));
    let claimed: Rational = ratio(1, 100);
    let pair = || [json!([[8, 1], [8, 1]]), json!([[8, 1], [8, -1]])];
    let mut all = Vec::new();
    for (name, about, mechanism) in [
        (
            "learner-full-batch",
            "right: F' with one candidate after one step",
            OneStep::full_batch(1),
        ),
        (
            "learner-full-batch-16",
            "F' with the noise of epsilon = 16",
            OneStep::full_batch(16),
        ),
        (
            "learner-efficient",
            "right: the repaired Algorithm 3 with one candidate after one step",
            OneStep::efficient(1),
        ),
        (
            "learner-efficient-64",
            "the repaired Algorithm 3 with the noise of epsilon = 64",
            OneStep::efficient(64),
        ),
    ] {
        let mechanism = mechanism.map_err(&constants)?;
        all.push(specimen(name, about, pair(), mechanism)?.claiming(claimed.clone())?);
    }
    Ok(all)
}
