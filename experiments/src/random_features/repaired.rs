//! What the repaired learners R2 and R3 reach on the real data, at epsilons that hold.
//!
//! The learners are the library's, exact, with discrete noise; only the errors are measured in floats. Their
//! parameters come from [`super::surrogate`], its boxes and label interval from [`super::public`]: neither
//! looks at the data that are learned from. Coins are reproducible here, so that nothing printed is a private
//! release: it is a measurement of one.

use super::Settings;
use super::predictors::squared_error_of_mean;
use super::public::{GRID_BITS, Public};
use super::surrogate::{Choice, FREQUENCIES, Surrogate};
use crate::data::Source;
use crate::draws::Draws;
use crate::table::{Cell, Table, mean_and_spread};
use dp_assay::coins::ChaCha;
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::ridge_of_bounded_labels::learn;
use dp_assay::random_features::steps::RidgeParameters;
use dp_assay::random_features::{Dataset, Model, Record, ridge_of_normed_labels};
use dp_assay_cli::error::Error;
use num_traits::ToPrimitive;
use rayon::prelude::*;

/// Features and frequencies are multiples of 2^-20, coefficients of 2^-24.
pub const FEATURE_BITS: u32 = 20;
const COEFFICIENT_BITS: u32 = 24;

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
                let runs = (0..settings.repetitions_of_repaired())
                    .into_par_iter()
                    .map(|repetition| {
                        let label = format!("repaired, {name}, {repetition}");
                        experiment.run(learner, &choice, epsilon, settings.seed, &label)
                    })
                    .collect::<Result<Vec<_>, Error>>()?;
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

/// A data set, ready to be learned from.
struct Experiment<'a> {
    public: &'a Public,
    records: Vec<Record>,
    /// The true labels, as they stand in the file.
    labels: Vec<f64>,
    /// The labels' extremes: the scale of Table 1.
    extremes: (f64, f64),
}

impl<'a> Experiment<'a> {
    fn new(source: &Source, public: &'a Public) -> Result<Self, Error> {
        let labels = source.labels();
        let least = labels.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = labels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Ok(Self {
            public,
            records: public.place(source)?,
            labels,
            extremes: (least, largest),
        })
    }

    fn run(
        &self,
        learner: &Learner,
        choice: &Choice,
        epsilon: &Rational,
        seed: u64,
        label: &str,
    ) -> Result<Run, Error> {
        // 1. The public split, and the public frequencies.
        let order = Draws::new(seed, label).permutation(self.records.len())?;
        let (test, training) = order.split_at(order.len().div_ceil(10));
        let dimension = self
            .records
            .first()
            .map_or(0, |record| record.features.len());
        let grid = |bits| Grid::new(bits);
        let frequencies = Frequencies::draw(
            FREQUENCIES,
            dimension,
            &choice.variance,
            grid(FEATURE_BITS)?,
            &mut coins(seed, label, "frequencies"),
        )?;
        let map = FeatureMap::new(frequencies, grid(GRID_BITS)?, grid(FEATURE_BITS)?)?;
        // 2. The exact learner.
        let m = training.len();
        let neighbours = learner.neighbours;
        let domain = self.public.domain(dimension, m, neighbours)?;
        let mut records: Vec<Record> = training
            .iter()
            .map(|&index| self.records[index].clone())
            .collect();
        let mut parameters = RidgeParameters {
            penalty: &choice.penalty * rational::integer(m as u64),
            coefficient_grid: grid(COEFFICIENT_BITS)?,
        };
        let budget = Budget::approximate(epsilon.clone(), rational::ratio(1, 100_000), neighbours)?;
        let mut noise = coins(seed, label, "noise");
        let (model, unit) = match learner.method {
            Method::Bounded => {
                let data = Dataset::new(domain, records)?;
                (learn(&data, &map, &parameters, &budget, &mut noise)?, 1.0)
            }
            Method::Normed(factor) => {
                // sqrt(m), rounded up: as many labels of magnitude 1 over this have norm at most 1.
                let divisor = (m as u64).isqrt() as i64 + 1;
                for record in &mut records {
                    record.label /= divisor;
                }
                parameters.penalty *= rational::integer(factor);
                let data = Dataset::new(domain, records)?;
                let model =
                    ridge_of_normed_labels::learn(&data, &map, &parameters, &budget, &mut noise)?;
                (model, divisor as f64)
            }
        };
        // 3. Its errors, in floats.
        let scale = (self.extremes.1 - self.extremes.0).powi(2) * test.len() as f64;
        let (centre, radius) = self.public.label_centre_and_radius();
        let mut squares = 0.0;
        for &index in test {
            let prediction = unit * predict(&model, &map, &self.records[index].features)?;
            squares += (centre + radius * prediction - self.labels[index]).powi(2);
        }
        let labels = |indices: &[usize]| -> Vec<f64> {
            indices.iter().map(|&index| self.labels[index]).collect()
        };
        let (y_training, y_test) = (labels(training), labels(test));
        let error =
            |constant: f64| y_test.iter().map(|y| (y - constant).powi(2)).sum::<f64>() / scale;
        Ok(Run {
            learner: squares / scale,
            mean: squared_error_of_mean(&y_training, &y_test) * y_test.len() as f64 / scale,
            zero: error(self.extremes.0),
            centre: error(centre),
        })
    }
}

/// Coins for one purpose.
pub fn coins(seed: u64, label: &str, purpose: &str) -> ChaCha {
    Draws::new(seed, &format!("{label}, {purpose}")).into_coins()
}

/// A prediction in floats, with labels in [-1, 1].
pub fn predict(model: &Model, map: &FeatureMap, point: &[i64]) -> Result<f64, Error> {
    let sum: f64 = map
        .features(point)?
        .iter()
        .zip(&model.coefficients)
        .map(|(&feature, coefficient)| {
            // Far below 2^53 steps, or rounded.
            f64::from(feature) * coefficient.to_f64().unwrap_or(f64::NAN)
        })
        .sum();
    let bits = map.feature_grid().bits() + model.grid.bits();
    Ok(sum / (1u64 << bits) as f64)
}
