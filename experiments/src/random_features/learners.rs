//! What every learner reaches, on all three data sets, at budgets that hold: which one to take.
//!
//! The learners are the library's, exact, with discrete noise; only errors are measured in floats. Their parameters
//! come from what is public: the number of records, the number of features and the budget; two constants of R6 and the
//! variance that R2 to R4 give their noise were chosen on the white wine and on made-up records.

use super::Settings;
use super::predictors::squared_error_of_mean;
use super::public::{GRID_BITS, Public, in_floats};
use super::repaired::{FEATURE_BITS, coins, predict};
use super::solvers::minimum_norm;
use crate::data::Source;
use crate::draws::Draws;
use crate::table::{Cell, Table, summary};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::steps::{Fit, INVERSE_NOISE_VARIANCE, RidgeParameters};
use dp_assay::random_features::{
    Dataset, Model, Record, adassp, clipped_gradient_descent, clipped_interpolation,
    clipped_kaczmarz, noisy_statistics, ridge_of_bounded_labels, ridge_of_normed_labels,
};
use dp_assay::sample::DiscreteGaussian;
use dp_assay_cli::error::Error;
use dp_assay_cli::papers::random_features::model::{USUAL_FREQUENCIES, USUAL_INVERSE_VARIANCE};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

/// Runs every learner: a table for each data set.
pub fn run(
    medical: &Source,
    red: &Source,
    white: &Source,
    settings: &Settings,
) -> Result<Vec<Table>, Error> {
    let (insurance, wine) = (Public::insurance()?, Public::wine(white)?);
    [
        ("learners-insurance", medical, &insurance),
        ("learners-red-wine", red, &wine),
        ("learners-white-wine", white, &wine),
    ]
    .into_iter()
    .map(|(name, source, public)| of_data(name, source, public, settings))
    .collect()
}

/// All learners on one data set.
fn of_data(
    name: &'static str,
    source: &Source,
    public: &Public,
    settings: &Settings,
) -> Result<Table, Error> {
    let epsilons = epsilons(settings);
    let mut columns = vec!["learner", "features", "neighbours"];
    columns.extend(epsilons.iter().map(|(name, _)| *name));
    let mut table = Table::new(
        name,
        format!(
            "Every learner on {}: test error, and its standard error",
            source.file
        ),
        &columns,
    );
    let experiment = Experiment::new(source, public)?;
    let repetitions = settings.repetitions_of_learners();
    let splits: Vec<Split> = (0..repetitions)
        .map(|repetition| {
            experiment.split(settings.seed, &format!("learners, {name}, {repetition}"))
        })
        .collect::<Result<_, Error>>()?;
    for (learner, errors) in [
        ("mean, not private", experiment.means(&splits)),
        (
            "least squares, not private",
            experiment.least_squares(&splits)?,
        ),
    ] {
        let mut row: Vec<Cell> = vec![learner.into(), "linear".into(), Cell::Nothing];
        row.extend(epsilons.iter().map(|_| summary(&errors)));
        table.rows.push(row);
    }
    for &(learner, features, relations) in LEARNERS {
        for (neighbours, relation) in relations.iter().take(settings.relations()) {
            let mut row: Vec<Cell> = vec![
                learner.name().into(),
                features.name().into(),
                (*relation).into(),
            ];
            for (_, epsilon) in &epsilons {
                let budget =
                    Budget::approximate(epsilon.clone(), rational::ratio(1, 100_000), *neighbours)?;
                row.push(summary(
                    &experiment.errors(learner, features, &budget, &splits)?,
                ));
            }
            table.rows.push(row);
        }
    }
    table.notes = vec![
        format!(
            "{repetitions} repetitions: each has another split, other features and other noise, the same for every \
             learner and budget; delta is 1e-5; on the scale of Table 1"
        ),
        format!(
            "parameters by what is public: R1 eta 3/8; R2 to R4 the noise of a prediction of variance \
             1/{INVERSE_NOISE_VARIANCE}, in half intervals of the label; R2 to R6 as the library suggests; Fourier: \
             {USUAL_FREQUENCIES} frequencies of variance 1/{USUAL_INVERSE_VARIANCE}"
        ),
        "AdaSSP as published has its noise, which holds under addition and removal".to_owned(),
        "the boxes of the wines, and the constants, come from the white wine: its own table is not that of private data"
            .to_owned(),
    ];
    Ok(table)
}

fn epsilons(settings: &Settings) -> Vec<(&'static str, Rational)> {
    let all = vec![
        ("epsilon 1", rational::integer(1)),
        ("epsilon 1/4", rational::ratio(1, 4)),
        ("epsilon 1/2", rational::ratio(1, 2)),
        ("epsilon 2", rational::integer(2)),
    ];
    let count = if settings.quick { 1 } else { all.len() };
    let mut some: Vec<_> = all.into_iter().take(count).collect();
    some.sort_by(|(_, one), (_, two)| one.cmp(two));
    some
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Features {
    Linear,
    Fourier,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    AdaSsp,
    AdaSspAsPublished,
}

type Relations = &'static [(NeighbouringRelation, &'static str)];
const BOTH: Relations = &[
    (NeighbouringRelation::Substitute, "substitute"),
    (NeighbouringRelation::AddOrRemove, "add or remove"),
];
const ADD_OR_REMOVE: Relations = &[(NeighbouringRelation::AddOrRemove, "add or remove")];

const LEARNERS: &[(Method, Features, Relations)] = &[
    (Method::R1, Features::Linear, BOTH),
    (Method::R2, Features::Linear, BOTH),
    (Method::R3, Features::Linear, BOTH),
    (Method::R4, Features::Linear, BOTH),
    (Method::R5, Features::Linear, BOTH),
    (Method::R6, Features::Linear, BOTH),
    (Method::AdaSsp, Features::Linear, BOTH),
    (Method::AdaSspAsPublished, Features::Linear, ADD_OR_REMOVE),
    (Method::R3, Features::Fourier, BOTH),
    (Method::R4, Features::Fourier, BOTH),
    (Method::R5, Features::Fourier, BOTH),
    (Method::R6, Features::Fourier, BOTH),
];

impl Features {
    fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Fourier => "Fourier",
        }
    }
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::R1 => "R1",
            Self::R2 => "R2",
            Self::R3 => "R3",
            Self::R4 => "R4",
            Self::R5 => "R5",
            Self::R6 => "R6",
            Self::AdaSsp => "AdaSSP",
            Self::AdaSspAsPublished => "AdaSSP, as published",
        }
    }
}

/// A data set, ready to be learned from.
struct Experiment<'a> {
    public: &'a Public,
    records: Vec<Record>,
    /// The true labels, as they stand in the file.
    labels: Vec<f64>,
    /// The width between the labels' extremes: the scale of Table 1.
    width: f64,
}

/// A repetition: who is learned from and who is tested on, and the features.
struct Split {
    seed: u64,
    label: String,
    training: Vec<usize>,
    test: Vec<usize>,
    linear: FeatureMap,
    fourier: FeatureMap,
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
            width: largest - least,
        })
    }

    fn split(&self, seed: u64, label: &str) -> Result<Split, Error> {
        let order = Draws::new(seed, label).permutation(self.records.len())?;
        let (test, training) = order.split_at(order.len().div_ceil(10));
        let dimension = self
            .records
            .first()
            .map_or(0, |record| record.features.len());
        let (inputs, features) = (Grid::new(GRID_BITS)?, Grid::new(FEATURE_BITS)?);
        let frequencies = Frequencies::draw(
            USUAL_FREQUENCIES,
            dimension,
            &rational::ratio(1, USUAL_INVERSE_VARIANCE),
            features,
            &mut coins(seed, label, "frequencies"),
        )?;
        Ok(Split {
            seed,
            label: label.to_owned(),
            training: training.to_vec(),
            test: test.to_vec(),
            linear: FeatureMap::linear(dimension, inputs, features)?,
            fourier: FeatureMap::new(frequencies, inputs, features)?,
        })
    }

    /// The test errors of a learner, one a repetition. Its noise is calibrated once: it depends on what is public.
    fn errors(
        &self,
        method: Method,
        features: Features,
        budget: &Budget,
        splits: &[Split],
    ) -> Result<Vec<f64>, Error> {
        let Some(first) = splits.first() else {
            return Ok(Vec::new());
        };
        let noise = Trial::new(self, first, method, features, budget)?.noise(budget)?;
        splits
            .par_iter()
            .map(|split| {
                let trial = Trial::new(self, split, method, features, budget)?;
                let (model, unit) = trial.learn(&noise, budget)?;
                let (centre, radius) = self.public.label_centre_and_radius();
                let mut squares = 0.0;
                for &index in &split.test {
                    let point = &self.records[index].features;
                    let prediction = unit * predict(&model, trial.map, point)?;
                    squares += (centre + radius * prediction - self.labels[index]).powi(2);
                }
                Ok(squares / (self.width.powi(2) * split.test.len() as f64))
            })
            .collect()
    }

    fn means(&self, splits: &[Split]) -> Vec<f64> {
        let labels = |indices: &[usize]| -> Vec<f64> {
            indices.iter().map(|&index| self.labels[index]).collect()
        };
        let error =
            |split: &Split| squared_error_of_mean(&labels(&split.training), &labels(&split.test));
        splits
            .iter()
            .map(|split| error(split) / self.width.powi(2))
            .collect()
    }

    /// Least squares on linear features, without a penalty, on the labels as the others have them.
    fn least_squares(&self, splits: &[Split]) -> Result<Vec<f64>, Error> {
        let (centre, radius) = self.public.label_centre_and_radius();
        splits
            .par_iter()
            .map(|split| {
                let columns = |indices: &[usize]| -> Result<DMatrix<f64>, Error> {
                    let mut entries = Vec::new();
                    for &index in indices {
                        let row = split.linear.features(&self.records[index].features)?;
                        entries.extend(row.into_iter().map(f64::from));
                    }
                    let one = f64::from(1u32 << FEATURE_BITS);
                    Ok(DMatrix::from_vec(split.linear.dimension(), indices.len(), entries) / one)
                };
                let labels: Vec<f64> = split
                    .training
                    .iter()
                    .map(|&index| in_floats(self.records[index].label))
                    .collect();
                let solution = minimum_norm(&columns(&split.training)?, &labels);
                let predictions: DVector<f64> =
                    columns(&split.test)?.tr_mul(&solution.coefficients);
                let squares: f64 = predictions
                    .iter()
                    .zip(&split.test)
                    .map(|(prediction, &index)| {
                        (centre + radius * prediction - self.labels[index]).powi(2)
                    })
                    .sum();
                Ok(squares / (self.width.powi(2) * split.test.len() as f64))
            })
            .collect()
    }
}

/// One learner on one split.
struct Trial<'a> {
    split: &'a Split,
    map: &'a FeatureMap,
    data: Dataset,
    /// A label of the data times this is one in [-1, 1].
    unit: f64,
    parameters: Parameters,
}

/// The learner's parameters, by what is public.
enum Parameters {
    R1(clipped_interpolation::Parameters),
    R2(RidgeParameters),
    R3(RidgeParameters),
    R4(clipped_kaczmarz::Parameters),
    R5(noisy_statistics::Parameters),
    R6(clipped_gradient_descent::Parameters),
    AdaSsp(Grid),
    AdaSspAsPublished(Grid),
}

impl<'a> Trial<'a> {
    fn new(
        experiment: &Experiment<'_>,
        split: &'a Split,
        method: Method,
        features: Features,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let map = match features {
            Features::Linear => &split.linear,
            Features::Fourier => &split.fourier,
        };
        let m = split.training.len();
        let mut records: Vec<Record> = split
            .training
            .iter()
            .map(|&index| experiment.records[index].clone())
            .collect();
        let divisor = match method {
            Method::R2 => ridge_of_normed_labels::divisor(m),
            _ => 1,
        };
        for record in &mut records {
            record.label /= divisor;
        }
        let dimension = records.first().map_or(0, |record| record.features.len());
        let domain = experiment
            .public
            .domain(dimension, m, budget.neighbours())?;
        Ok(Self {
            split,
            map,
            parameters: parameters(method, &domain, budget)?,
            data: Dataset::new(domain, records)?,
            unit: divisor as f64,
        })
    }

    fn noise(&self, budget: &Budget) -> Result<DiscreteGaussian, Error> {
        let domain = self.data.domain();
        Ok(match &self.parameters {
            Parameters::R5(parameters) => {
                let shape =
                    noisy_statistics::Shape::new(domain, self.map, &parameters.label_weight)?;
                noisy_statistics::noise(&shape, budget)?
            }
            Parameters::R6(parameters) => {
                clipped_gradient_descent::noise(domain, self.map, parameters, budget)?
            }
            Parameters::AdaSsp(_) => adassp::noise(domain, self.map, budget)?,
            Parameters::AdaSspAsPublished(_) => adassp::published_noise(self.map, budget)?,
            Parameters::R1(_) | Parameters::R2(_) | Parameters::R3(_) | Parameters::R4(_) => {
                self.fit()?.noise(budget)?
            }
        })
    }

    /// The model, and what its predictions are to be multiplied by.
    fn learn(&self, noise: &DiscreteGaussian, budget: &Budget) -> Result<(Model, f64), Error> {
        let (data, map, split) = (&self.data, self.map, self.split);
        let coins = &mut coins(split.seed, &split.label, "noise");
        let model = match &self.parameters {
            Parameters::R5(parameters) => {
                noisy_statistics::learn_with(data, map, parameters, (noise, budget), coins)?
            }
            Parameters::R6(parameters) => {
                clipped_gradient_descent::learn_with(data, map, parameters, (noise, budget), coins)?
            }
            Parameters::AdaSsp(grid) | Parameters::AdaSspAsPublished(grid) => {
                adassp::learn_with(data, map, *grid, (noise, budget), coins)?
            }
            Parameters::R1(_) | Parameters::R2(_) | Parameters::R3(_) | Parameters::R4(_) => {
                self.fit()?.release_with((noise, budget), coins)?
            }
        };
        Ok((model, self.unit))
    }

    /// The fit of R1 to R4, before its noise.
    fn fit(&self) -> Result<Fit, Error> {
        let data = &self.data;
        let features = data.features(self.map)?;
        Ok(match &self.parameters {
            Parameters::R1(parameters) => clipped_interpolation::fit(data, &features, parameters)?,
            Parameters::R2(parameters) => ridge_of_normed_labels::fit(data, &features, parameters)?,
            Parameters::R4(parameters) => {
                let mut order = coins(self.split.seed, &self.split.label, "order");
                clipped_kaczmarz::fit(data, &features, parameters, &mut order)?
            }
            Parameters::R3(parameters) => {
                ridge_of_bounded_labels::fit(data, &features, parameters)?
            }
            Parameters::R5(_)
            | Parameters::R6(_)
            | Parameters::AdaSsp(_)
            | Parameters::AdaSspAsPublished(_) => {
                return Err(Error::Usage("this learner has no fit".to_owned()));
            }
        })
    }
}

/// Parameters by the number of records and the budget alone.
fn parameters(
    method: Method,
    domain: &dp_assay::random_features::Domain,
    budget: &Budget,
) -> Result<Parameters, Error> {
    let coefficient_grid = Grid::new(24)?;
    Ok(match method {
        Method::R1 => Parameters::R1(clipped_interpolation::Parameters {
            eta: rational::ratio(3, 8),
            coefficient_grid,
        }),
        Method::R2 => Parameters::R2(ridge_of_normed_labels::suggested(domain, budget)?),
        Method::R3 => Parameters::R3(ridge_of_bounded_labels::suggested(domain, budget)?),
        Method::R4 => Parameters::R4(clipped_kaczmarz::Parameters::suggested(domain, budget)?),
        Method::R5 => Parameters::R5(noisy_statistics::Parameters::suggested()?),
        Method::R6 => Parameters::R6(clipped_gradient_descent::Parameters::suggested(
            domain, budget,
        )?),
        Method::AdaSsp => Parameters::AdaSsp(coefficient_grid),
        Method::AdaSspAsPublished => Parameters::AdaSspAsPublished(coefficient_grid),
    })
}
