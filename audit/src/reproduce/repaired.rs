//! What the repaired learner R3 reaches on the real data, at epsilons that hold.
//!
//! The learner is the library's, exact, with discrete noise; only the errors are measured in floats. Its
//! parameters come from [`super::surrogate`], its boxes and label interval from [`super::public`]: neither
//! looks at the data that are learned from. Coins are reproducible here, so that nothing printed is a private
//! release: it is a measurement of one.

use super::Settings;
use super::data::Source;
use super::draws::Draws;
use super::predictors::squared_error_of_mean;
use super::public::{GRID_BITS, Public};
use super::surrogate::{Choice, FREQUENCIES, Surrogate};
use super::table::{Cell, Table, mean_and_spread};
use crate::error::Error;
use dp_assay::coins::ChaCha;
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::ridge_of_bounded_labels::{Parameters, learn};
use dp_assay::random_features::{Dataset, FeatureMap, Frequencies, Model, Record};
use num_traits::ToPrimitive;
use rayon::prelude::*;

/// Features and frequencies are multiples of 2^-20, coefficients of 2^-24.
const FEATURE_BITS: u32 = 20;
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
        "R3, private at the epsilon that is stated (delta 1e-5), on the scale of Table 1",
        &[
            "data",
            "neighbours",
            "epsilon",
            "test error",
            "spread",
            "predict mean",
            "predict 0",
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
        for (neighbours, relation) in [
            ("substitution", NeighbouringRelation::Substitute),
            ("addition, removal", NeighbouringRelation::AddOrRemove),
        ] {
            for epsilon in &epsilons {
                let choice = surrogate.best(epsilon)?;
                let runs = (0..settings.repetitions_of_repaired())
                    .into_par_iter()
                    .map(|repetition| {
                        let label = format!("R3, {name}, {repetition}");
                        experiment.run(&choice, epsilon, relation, settings.seed, &label)
                    })
                    .collect::<Result<Vec<_>, Error>>()?;
                let mut row: Vec<Cell> = vec![
                    name.into(),
                    neighbours.into(),
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
        "labels are clipped to their public interval for learning, not for testing".to_owned(),
    ];
    Ok(vec![chosen, table])
}

/// Test errors of one run, on the scale of Table 1: labels between their extremes.
struct Run {
    learner: f64,
    mean: f64,
    zero: f64,
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
        choice: &Choice,
        epsilon: &Rational,
        neighbours: NeighbouringRelation,
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
        let domain = self.public.domain(dimension, training.len(), neighbours)?;
        let records = training.iter().map(|&index| self.records[index].clone());
        let data = Dataset::new(domain, records.collect())?;
        let parameters = Parameters {
            penalty: &choice.penalty * rational::integer(training.len() as u64),
            coefficient_grid: grid(COEFFICIENT_BITS)?,
        };
        let budget = Budget::approximate(epsilon.clone(), rational::ratio(1, 100_000), neighbours)?;
        let model = learn(
            &data,
            &map,
            &parameters,
            &budget,
            &mut coins(seed, label, "noise"),
        )?;
        // 3. Its errors, in floats.
        let scale = (self.extremes.1 - self.extremes.0).powi(2);
        let (centre, radius) = self.public.label_centre_and_radius();
        let mut squares = 0.0;
        for &index in test {
            let prediction = predict(&model, &map, &self.records[index].features)?;
            squares += (centre + radius * prediction - self.labels[index]).powi(2);
        }
        let labels = |indices: &[usize]| -> Vec<f64> {
            indices.iter().map(|&index| self.labels[index]).collect()
        };
        let (y_training, y_test) = (labels(training), labels(test));
        let zero = y_test
            .iter()
            .map(|y| (y - self.extremes.0).powi(2))
            .sum::<f64>();
        Ok(Run {
            learner: squares / test.len() as f64 / scale,
            mean: squared_error_of_mean(&y_training, &y_test) / scale,
            zero: zero / test.len() as f64 / scale,
        })
    }
}

/// Coins for one purpose.
fn coins(seed: u64, label: &str, purpose: &str) -> ChaCha {
    Draws::new(seed, &format!("{label}, {purpose}")).into_coins()
}

/// A prediction in floats, with labels in [-1, 1].
fn predict(model: &Model, map: &FeatureMap, point: &[i64]) -> Result<f64, Error> {
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
