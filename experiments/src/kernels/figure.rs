//! Accuracy against epsilon for Algorithm 2: the noise as printed with the constant 1, which is not private, with 4 sqrt(2),
//! calibrated exactly, and of a Gaussian process; beside the minimiser without noise.

use super::data::{DataSet, Shape, Sources, covertype, good_wines};
use super::learners::{COORDINATES, by_targets, process_answers};
use super::trial::{Frame, Split, Trial};
use super::{DELTA, Settings, budget};
use crate::draws::Draws;
use crate::plot::{Axis, Chart};
use crate::table::{Cell, Table, mean_and_spread};
use dp_assay::coins::ChaCha;
use dp_assay::kernels::gaussian_process::{self, GaussianProcess};
use dp_assay::kernels::{Calibration, Predictor, TestDependent, TestDependentPlan, as_printed};
use dp_assay::number::rational::{integer, to_f64_for_display};
use dp_assay::privacy::Budget;
use dp_assay_cli::error::Error;
use rayon::prelude::*;

/// A data set of the figure.
pub struct Shown {
    pub data: DataSet,
    table: &'static str,
    plot: &'static str,
}

/// Those of the figure.
pub fn sets(sources: &Sources, settings: &Settings) -> Result<Vec<Shown>, Error> {
    let records = if settings.quick { 500 } else { 10_000 };
    Ok(vec![
        Shown {
            data: good_wines(sources)?,
            table: "figure-wine",
            plot: "figure-wine.svg",
        },
        Shown {
            data: covertype(records, settings.seed)?,
            table: "figure-covertype-shaped",
            plot: "figure-covertype-shaped.svg",
        },
    ])
}

/// Below `2 ln(1/delta)`, for the closed form.
const EPSILONS: [&str; 9] = ["1/10", "1/5", "1/2", "1", "2", "5", "10", "15", "25"];

/// What a line of the figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Printed,
    Closed,
    Exact,
    Process,
}

const METHODS: [Method; 4] = [
    Method::Printed,
    Method::Closed,
    Method::Exact,
    Method::Process,
];

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::Printed => "as printed, constant 1: NOT private",
            Self::Closed => "constant 4 sqrt(2)",
            Self::Exact => "calibrated exactly",
            Self::Process => "Gaussian process",
        }
    }

    fn is_private(self) -> bool {
        self != Self::Printed
    }
}

/// How a line is drawn at one budget.
enum Plan {
    Targets(Box<TestDependentPlan>),
    Process(Box<gaussian_process::Plan>),
}

impl Plan {
    fn new(method: Method, frame: &Frame<'_>, budget: &Budget) -> Result<Self, Error> {
        let norm_bound = frame.norm_bound()?;
        let (stated, points) = (&frame.sensitivity, frame.points);
        let repaired = |calibration| TestDependent {
            budget: budget.clone(),
            calibration,
            norm_bound: norm_bound.clone(),
        };
        let targets = match method {
            Method::Printed => as_printed::test_dependent::plan(
                stated,
                1024,
                points,
                &integer(1),
                budget,
                norm_bound.clone(),
            )?,
            Method::Closed => repaired(Calibration::Closed).plan(stated, points)?,
            Method::Exact => repaired(Calibration::Exact).plan(stated, points)?,
            Method::Process => {
                let asked = GaussianProcess {
                    budget: budget.clone(),
                    coordinates: COORDINATES,
                };
                return Ok(Self::Process(Box::new(asked.plan(stated, &frame.kernel)?)));
            }
        };
        Ok(Self::Targets(Box::new(targets)))
    }

    /// The error on the records to test on, of a model that is made of predictions at the public points.
    fn error(&self, trial: &Trial<'_>, coins: &mut ChaCha) -> Result<f64, Error> {
        let predictions = match self {
            Self::Targets(plan) => by_targets(plan, trial, coins)?,
            Self::Process(plan) => {
                let w = &trial.optimum;
                let mut session = gaussian_process::Session::open(w, *plan.clone(), coins);
                // The public points make the coordinates; then all is answered in their span.
                for z in &trial.public {
                    if session.left() == 0 {
                        break;
                    }
                    session.answer(z, coins)?;
                }
                process_answers(&mut session, &trial.test, coins)?
            }
        };
        Ok(trial.frame.set.error(&predictions, &trial.split.test))
    }
}

/// The figure of a data set, as a table and as a plot.
pub fn run(shown: &Shown, settings: &Settings) -> Result<(Table, (&'static str, String)), Error> {
    let set = &shown.data;
    let shape = set
        .setting
        .kernels
        .first()
        .copied()
        .unwrap_or(Shape::Linear);
    let frame = Frame::new(set, shape)?;
    let split = Split::new(set, settings.seed, 0)?;
    let trial = Trial::new(&frame, &split, settings.seed)?;
    let mut table = Table::new(
        shown.table,
        format!(
            "Accuracy against epsilon for Algorithm 2 on {}, delta {DELTA}",
            set.title
        ),
        &["noise", "private", "epsilon", "accuracy", "standard error"],
    );
    let optimum: Vec<f64> = trial
        .test
        .iter()
        .map(|z| to_f64_for_display(&trial.optimum.prediction(z)))
        .collect();
    let optimum = 1.0 - set.error(&optimum, &split.test);
    let constant = 1.0 - set.error(&vec![trial.constant(); split.test.len()], &split.test);
    let epsilons = EPSILONS.iter().step_by(if settings.quick { 4 } else { 1 });
    for epsilon in epsilons {
        let budget = budget(epsilon)?;
        let value = to_f64_for_display(budget.epsilon());
        for (name, accuracy) in [
            ("none: the minimiser", optimum),
            ("none: the majority class", constant),
        ] {
            let row: Vec<Cell> = vec![
                name.into(),
                "no".into(),
                value.into(),
                accuracy.into(),
                Cell::Nothing,
            ];
            table.rows.push(row);
        }
        for method in METHODS {
            let plan = Plan::new(method, &frame, &budget)?;
            let accuracies: Vec<f64> = (0..settings.repetitions)
                .into_par_iter()
                .map(|repetition| {
                    let label = format!("{}, {method:?}, {epsilon}, {repetition}", split.label);
                    let mut coins = Draws::new(settings.seed, &label).into_coins();
                    Ok(1.0 - plan.error(&trial, &mut coins)?)
                })
                .collect::<Result<_, Error>>()?;
            let (mean, spread) = mean_and_spread(&accuracies);
            let error = spread.map(|spread| spread / (accuracies.len() as f64).sqrt());
            table.rows.push(vec![
                method.name().into(),
                if method.is_private() { "yes" } else { "no" }.into(),
                value.into(),
                mean.into(),
                error.into(),
            ]);
        }
    }
    table.notes = vec![
        format!(
            "one split: {} records to learn from, {} public points, {} to test on; {} draws of the noise, and the standard error \
             is that of the noise alone",
            split.training.len(),
            split.public.len(),
            split.test.len(),
            settings.repetitions
        ),
        format!(
            "kernel {}, lambda {}, hinge loss; Gaussian process: at most {COORDINATES} coordinates, made of public points",
            shape.name(),
            set.setting.lambda
        ),
        "with the constant 1 the formula is as printed if its O is read so, and (epsilon, delta)-privacy fails (jt13.thm4)"
            .to_owned(),
    ];
    let plot = chart(&table).svg();
    Ok((table, (shown.plot, plot)))
}

fn chart(table: &Table) -> Chart {
    let mut chart = Chart {
        title: table.title.clone(),
        x: "epsilon",
        y: "accuracy",
        axes: [Axis::Logarithmic, Axis::Linear],
        lines: Vec::new(),
    };
    for row in &table.rows {
        let (Cell::Text(name), [Some(epsilon), Some(accuracy)]) =
            (&row[0], [&row[2], &row[3]].map(Cell::number))
        else {
            continue;
        };
        chart.add(name, row[1] == "no".into(), (epsilon, accuracy));
    }
    chart
}
