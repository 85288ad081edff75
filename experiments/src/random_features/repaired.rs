//! What the repaired learners R2 and R3 reach on the real data, at epsilons that hold.
//!
//! The learners are the library's, exact, with discrete noise; only the errors are measured in floats. Their
//! parameters come from [`super::surrogate`], its boxes and label interval from [`super::public`]: neither
//! looks at the data that are learned from. Coins are reproducible here, so that nothing printed is a private
//! release: it is a measurement of one.

use super::Settings;
use super::predictors::squared_error_of_mean;
use super::public::Public;
use super::surrogate::{Choice, FREQUENCIES, Surrogate};
use super::trial::{COEFFICIENT_BITS, Experiment, Fitted, Parameters, Split, Trial};
use crate::data::Source;
use crate::table::{Cell, Table, mean_and_spread};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::steps::RidgeParameters;
use dp_assay_cli::error::Error;
use rayon::prelude::*;

/// Runs R3 on both data sets.
pub fn run(
    medical: &Source,
    red: &Source,
    white: &Source,
    settings: &Settings,
) -> Result<Vec<Table>, Error> {
    let epsilons = [
        rational::ratio(1, 4),
        rational::ratio(1, 2),
        rational::integer(1),
    ];
    let mut chosen = Table::new(
        "surrogate",
        "R3's parameters, chosen without the private data",
        &[
            "for",
            "on",
            "epsilon",
            "frequency variance",
            "penalty / m",
            "expected error",
            "predict mean",
        ],
    );
    chosen.notes.push(format!(
        "{FREQUENCIES} frequencies; labels in [-1, 1]; the least error without noise plus the variance of the \
         noise, on white wine (taken to be public) for red wine, on made-up records for the insurance"
    ));
    let mut table = Table::new(
        "repaired",
        "R2 and R3, private at the epsilon that is stated (delta 1e-5), on the scale of Table 1",
        &[
            "data",
            "learner",
            "epsilon",
            "test error",
            "spread",
            "predict mean",
            "predict 0",
            "predict centre",
            "over mean",
            "runs below mean",
            "runs",
        ],
    );
    let (insurance, wine) = (Public::insurance()?, Public::wine(white)?);
    let training = |source: &Source| source.records() - source.records().div_ceil(10);
    for (name, source, public, surrogate) in [
        (
            "medical cost",
            medical,
            &insurance,
            Surrogate::synthetic(medical, training(medical), settings.seed)?,
        ),
        (
            "red wine",
            red,
            &wine,
            Surrogate::white_wine(white, &wine, training(red), settings.seed)?,
        ),
    ] {
        let experiment = Experiment::new(source, public)?;
        for epsilon in &epsilons {
            chosen.rows.push(surrogate.row(name, epsilon)?);
        }
        for learner in &LEARNERS {
            for epsilon in &epsilons {
                let choice = surrogate.best(epsilon)?;
                let runs = runs(&experiment, learner, (&choice, epsilon), (name, settings))?;
                let mut row: Vec<Cell> = vec![
                    name.into(),
                    learner.name.into(),
                    rational::to_f64_for_display(epsilon).into(),
                ];
                row.extend(summary(&runs));
                table.rows.push(row);
            }
        }
    }
    table.notes = vec![
        "each run has another split, other features and other noise; the same for every epsilon"
            .to_owned(),
        "the mean is that of the training labels: it is not private".to_owned(),
        "labels are clipped to their public interval for learning, not for testing; its middle is the centre"
            .to_owned(),
        "R2 has the noise of a sensitivity 1/sqrt(penalty) times sqrt(m): only a penalty at which it predicts \
         the centre makes it small"
            .to_owned(),
    ];
    Ok(vec![chosen, table])
}

/// A repaired learner under a relation.
struct Learner {
    name: &'static str,
    neighbours: NeighbouringRelation,
    method: Method,
}

enum Method {
    /// R3: the labels within their interval.
    Bounded,
    /// R2: the vector of labels in the unit ball, by a public factor; the chosen penalty times this.
    Normed(i64),
}

const LEARNERS: [Learner; 4] = [
    Learner {
        name: "R3, substitution",
        neighbours: NeighbouringRelation::Substitute,
        method: Method::Bounded,
    },
    Learner {
        name: "R3, addition or removal",
        neighbours: NeighbouringRelation::AddOrRemove,
        method: Method::Bounded,
    },
    Learner {
        name: "R2, substitution",
        neighbours: NeighbouringRelation::Substitute,
        method: Method::Normed(1),
    },
    Learner {
        name: "R2, penalty 4096 times as large",
        neighbours: NeighbouringRelation::Substitute,
        method: Method::Normed(4096),
    },
];

/// Test errors of one run, on the scale of Table 1: labels between their extremes.
struct Run {
    learner: f64,
    mean: f64,
    zero: f64,
    centre: f64,
}

fn summary(runs: &[Run]) -> Vec<Cell> {
    let of = |of: fn(&Run) -> f64| mean_and_spread(&runs.iter().map(of).collect::<Vec<_>>());
    let (learner, spread) = of(|run| run.learner);
    let (mean, _) = of(|run| run.mean);
    let below = runs.iter().filter(|run| run.learner < run.mean).count();
    vec![
        learner.into(),
        spread.into(),
        mean.into(),
        of(|run| run.zero).0.into(),
        of(|run| run.centre).0.into(),
        (learner / mean).into(),
        below.into(),
        runs.len().into(),
    ]
}

/// The runs of a learner, each on a split of its own. The noise is calibrated once: it depends on what is public.
fn runs(
    experiment: &Experiment<'_>,
    learner: &Learner,
    (choice, epsilon): (&Choice, &Rational),
    (name, settings): (&str, &Settings),
) -> Result<Vec<Run>, Error> {
    let delta = rational::ratio(1, 100_000);
    let budget = Budget::approximate(epsilon.clone(), delta, learner.neighbours)?;
    let split = |repetition: usize| {
        let label = format!("repaired, {name}, {repetition}");
        experiment.split((settings.seed, &label), (FREQUENCIES, &choice.variance))
    };
    let first = split(0)?;
    let noise = learner
        .trial(experiment, &first, choice, &budget)?
        .noise(&budget)?;
    (0..settings.repetitions_of_repaired())
        .into_par_iter()
        .map(|repetition| {
            let split = split(repetition)?;
            let trial = learner.trial(experiment, &split, choice, &budget)?;
            let [training, test] =
                [&split.training, &split.test].map(|part| experiment.labels_of(part));
            let scale = experiment.scale(test.len());
            let error =
                |constant: f64| test.iter().map(|y| (y - constant).powi(2)).sum::<f64>() / scale;
            let mean = squared_error_of_mean(&training, &test);
            Ok(Run {
                learner: trial.error(&noise, &budget)?,
                mean: mean * test.len() as f64 / scale,
                zero: error(experiment.extremes[0]),
                centre: error(experiment.public.label_centre_and_radius().0),
            })
        })
        .collect()
}

impl Learner {
    /// The learner on a split, with the parameters that were chosen.
    fn trial<'a>(
        &self,
        experiment: &'a Experiment<'a>,
        split: &'a Split,
        choice: &Choice,
        budget: &Budget,
    ) -> Result<Trial<'a>, Error> {
        let penalty = &choice.penalty * rational::integer(split.training.len() as u64);
        let with = |penalty| -> Result<RidgeParameters, Error> {
            Ok(RidgeParameters {
                penalty,
                coefficient_grid: Grid::new(COEFFICIENT_BITS)?,
            })
        };
        let fitted = match self.method {
            Method::Bounded => Fitted::R3(with(penalty)?),
            Method::Normed(factor) => Fitted::R2(with(penalty * rational::integer(factor))?),
        };
        let parameters = Parameters::Fitted(fitted);
        Trial::new(experiment, split, (&split.fourier, parameters), budget)
    }
}
