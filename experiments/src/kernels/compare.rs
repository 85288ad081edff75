//! What every learner reaches: for each data set a table of errors, and a table of what the plans state beforehand.

use super::data::{DataSet, Shape};
use super::learners::{COORDINATES, Learner, Plan, learners};
use super::trial::{FREQUENCIES, Frame, Split, Trial};
use super::{DELTA, Settings, budget};
use crate::draws::Draws;
use crate::table::{Cell, Table, summary};
use dp_assay::privacy::Budget;
use dp_assay_cli::error::Error;
use rayon::prelude::*;

/// The budgets that are compared.
const EPSILONS: [&str; 5] = ["1/4", "1", "4", "16", "64"];

/// Both tables of a data set.
pub fn run(set: &DataSet, settings: &Settings) -> Result<Vec<Table>, Error> {
    let epsilons: Vec<(String, Budget)> = EPSILONS
        .iter()
        .skip(if settings.quick { 2 } else { 0 })
        .map(|epsilon| Ok((format!("epsilon {epsilon}"), budget(epsilon)?)))
        .collect::<Result<_, Error>>()?;
    let splits: Vec<Split> = (0..settings.repetitions)
        .map(|repetition| Split::new(set, settings.seed, repetition))
        .collect::<Result<_, Error>>()?;
    let columns = |more: &[&'static str]| -> Vec<&'static str> {
        let used = EPSILONS.len() - epsilons.len();
        let names = COLUMNS.iter().skip(used);
        more.iter().chain(names).copied().collect()
    };
    let what = if set.of_classes() {
        "share of wrong classes"
    } else {
        "mean squared error"
    };
    let mut errors = Table::new(
        set.name,
        format!(
            "Every learner on {}: {what} on held-out records, and its standard error",
            set.title
        ),
        &columns(&["learner", "kernel", "privacy"]),
    );
    let mut plans = Table::new(
        set.plans,
        format!(
            "What the plans state on {}, in units in which labels are at most 1",
            set.title
        ),
        &columns(&["learner", "kernel", "what"]),
    );
    for (number, &shape) in set.setting.kernels.iter().enumerate() {
        let group = Group::new(set, shape, &epsilons)?;
        let found: Vec<Found> = splits
            .par_iter()
            .map(|split| group.run(split, settings.seed, &epsilons))
            .collect::<Result<_, Error>>()?;
        if number == 0 {
            let constant: Vec<f64> = found.iter().map(|found| found.constant).collect();
            let name = if set.of_classes() {
                "majority class"
            } else {
                "mean of the labels"
            };
            let mut row: Vec<Cell> = vec![name.into(), "none".into(), "none".into()];
            row.extend(epsilons.iter().map(|_| summary(&constant)));
            errors.rows.push(row);
        }
        group.enter(&found, &mut errors, &mut plans);
    }
    errors.notes = notes(set, settings);
    plans.notes.extend([
        format!(
            "no record is needed for these figures; beta is 1/20, and |w*| is at most {}",
            norm_bounds(set)?
        ),
        "noisy answers, a hidden threshold, Algorithm 3: while no prediction is farther than this from 0, the answer is 0"
            .to_owned(),
    ]);
    Ok(vec![errors, plans])
}

/// In the order of [`EPSILONS`].
const COLUMNS: [&str; 5] = [
    "epsilon 1/4",
    "epsilon 1",
    "epsilon 4",
    "epsilon 16",
    "epsilon 64",
];

fn notes(set: &DataSet, settings: &Settings) -> Vec<String> {
    let zero = if set.of_classes() {
        "; a prediction of 0 is half wrong"
    } else {
        ""
    };
    let loss = if set.of_classes() {
        "the hinge loss"
    } else {
        "the Huber loss of width 1, which is half the squared loss up to a residual of 1"
    };
    vec![
        format!(
            "{} repetitions, each with another split, other random features and other noise{zero}; the errors are not \
             private",
            settings.repetitions
        ),
        format!(
            "all are private under substitution of a record, with delta {DELTA}; with a hidden threshold delta is 0"
        ),
        format!(
            "of {} records a tenth, but at most 500, is tested on, and the points of as many are public (Algorithm 2; 3 without \
             a lattice); lambda is {}, \
             with {loss}, and the same for all kernels; it and the kernels' scales were chosen by hand on one split, so that \
             these tables are measurements, not evidence for the choice",
            set.records.len(),
            set.setting.lambda
        ),
        format!(
            "random features: {FREQUENCIES} frequencies; Gaussian process: at most {COORDINATES} coordinates; the last rows \
             of a kernel are other learners of this command, with the parameters that the library suggests"
        ),
    ]
}

fn norm_bounds(set: &DataSet) -> Result<String, Error> {
    let mut all = Vec::new();
    for &shape in set.setting.kernels {
        let frame = Frame::new(set, shape)?;
        let bound = dp_assay::number::rational::to_f64_for_display(&frame.norm_bound()?);
        all.push(format!("{bound:.1} ({})", shape.name()));
    }
    Ok(all.join(", "))
}

/// All learners on one kernel, with their plans: a plan for each budget, or why there is none.
struct Group<'a> {
    frame: Frame<'a>,
    plans: Vec<(Learner, Vec<Result<Plan, String>>)>,
}

/// Of one split.
struct Found {
    constant: f64,
    /// Of each learner, for each budget: an error where there is a plan.
    errors: Vec<Vec<Option<f64>>>,
}

impl<'a> Group<'a> {
    fn new(set: &'a DataSet, shape: Shape, epsilons: &[(String, Budget)]) -> Result<Self, Error> {
        let frame = Frame::new(set, shape)?;
        let of = |learner: Learner| {
            let plan = |(_, budget): &(String, Budget)| {
                (learner.plan)(&frame, budget).map_err(|error| error.to_string())
            };
            let plans = epsilons.par_iter().map(plan).collect();
            (learner, plans)
        };
        let plans = learners(&frame).into_iter().map(of).collect();
        Ok(Self { frame, plans })
    }

    fn run(&self, split: &Split, seed: u64, epsilons: &[(String, Budget)]) -> Result<Found, Error> {
        let set = self.frame.set;
        let trial = Trial::new(&self.frame, split, seed)?;
        let constant = vec![trial.constant(); split.test.len()];
        let mut errors = Vec::new();
        for (learner, plans) in &self.plans {
            let mut row = Vec::new();
            for ((name, _), plan) in epsilons.iter().zip(plans) {
                let Ok(plan) = plan else {
                    row.push(None);
                    continue;
                };
                let label = format!(
                    "{}, {}, {:?}, {name}",
                    split.label, learner.stream, self.frame.shape
                );
                let mut coins = Draws::new(seed, &label).into_coins();
                let predictions = (plan.predictions)(&trial, &mut coins)?;
                row.push(Some(set.error(&predictions, &split.test)));
            }
            errors.push(row);
        }
        Ok(Found {
            constant: set.error(&constant, &split.test),
            errors,
        })
    }

    /// Adds the rows of both tables.
    fn enter(&self, found: &[Found], errors: &mut Table, plans: &mut Table) {
        let kernel = self.frame.shape.name();
        for (place, (learner, planned)) in self.plans.iter().enumerate() {
            let name = learner.name;
            let mut row: Vec<Cell> =
                vec![name.into(), kernel.clone().into(), learner.privacy.into()];
            for (budget, plan) in planned.iter().enumerate() {
                row.push(match plan {
                    Err(_) => "refused".into(),
                    Ok(_) => {
                        let all: Vec<f64> = found
                            .iter()
                            .filter_map(|f| f.errors[place][budget])
                            .collect();
                        summary(&all)
                    }
                });
            }
            errors.rows.push(row);
            let stated = |plan: &Result<Plan, String>| plan.as_ref().ok()?.stated;
            if let Some((what, _)) = planned.iter().find_map(stated) {
                let mut row: Vec<Cell> = vec![name.into(), kernel.clone().into(), what.into()];
                let values = planned
                    .iter()
                    .map(|plan| stated(plan).map(|(_, value)| value));
                row.extend(values.map(Cell::from));
                plans.rows.push(row);
            }
            if let Some(reason) = planned.iter().find_map(|plan| plan.as_ref().err()) {
                plans
                    .notes
                    .push(format!("{name}, {kernel}, refused: {reason}"));
            }
        }
    }
}
