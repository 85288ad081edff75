//! What every learner reaches, on all three data sets, at budgets that hold: which one to take.
//!
//! The learners are the library's, exact, with discrete noise; only errors are measured in floats. Their parameters
//! come from what is public: the number of records, the number of features and the budget; two constants of R6 and the
//! variance that R2 to R4 give their noise were chosen on the white wine and on made-up records.

use super::Settings;
use super::predictors::squared_error_of_mean;
use super::public::{Public, in_floats};
use super::solvers::minimum_norm;
use super::trial::{
    COEFFICIENT_BITS, Experiment, FEATURE_BITS, Fitted, Noisy, Parameters, Split, Trial,
};
use crate::data::Source;
use crate::table::{Cell, Table, summary};
use dp_assay::geometry::FeatureMap;
use dp_assay::number::{Grid, Rational, rational};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::steps::INVERSE_NOISE_VARIANCE;
use dp_assay::random_features::{
    Domain, clipped_interpolation, clipped_kaczmarz, ridge_of_bounded_labels,
    ridge_of_normed_labels,
};
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
    let variance = rational::ratio(1, USUAL_INVERSE_VARIANCE);
    let splits: Vec<Split> = (0..repetitions)
        .map(|repetition| {
            let label = format!("learners, {name}, {repetition}");
            experiment.split((settings.seed, &label), (USUAL_FREQUENCIES, &variance))
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

    fn map(self, split: &Split) -> &FeatureMap {
        match self {
            Self::Linear => &split.linear,
            Self::Fourier => &split.fourier,
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

impl Experiment<'_> {
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
        let trial = |split| {
            let domain = self.domain(split, budget)?;
            let parameters = parameters(method, &domain, budget)?;
            Trial::new(self, split, (features.map(split), parameters), budget)
        };
        let noise = trial(first)?.noise(budget)?;
        splits
            .par_iter()
            .map(|split| trial(split)?.error(&noise, budget))
            .collect()
    }

    fn means(&self, splits: &[Split]) -> Vec<f64> {
        let error = |split: &Split| {
            let labels = [&split.training, &split.test].map(|part| self.labels_of(part));
            squared_error_of_mean(&labels[0], &labels[1]) / self.scale(1)
        };
        splits.iter().map(error).collect()
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
                Ok(squares / self.scale(split.test.len()))
            })
            .collect()
    }
}

/// Parameters by the number of records and the budget alone.
fn parameters(method: Method, domain: &Domain, budget: &Budget) -> Result<Parameters, Error> {
    let fitted = match method {
        Method::R1 => Fitted::R1(clipped_interpolation::Parameters {
            eta: rational::ratio(3, 8),
            coefficient_grid: Grid::new(COEFFICIENT_BITS)?,
        }),
        Method::R2 => Fitted::R2(ridge_of_normed_labels::suggested(domain, budget)?),
        Method::R3 => Fitted::R3(ridge_of_bounded_labels::suggested(domain, budget)?),
        Method::R4 => Fitted::R4(clipped_kaczmarz::Parameters::suggested(domain, budget)?),
        Method::R5 => return Ok(Parameters::Noisy(Noisy::r5()?)),
        Method::R6 => return Ok(Parameters::Noisy(Noisy::r6(domain, budget)?)),
        Method::AdaSsp => return Ok(Parameters::Noisy(Noisy::ada_ssp()?)),
        Method::AdaSspAsPublished => {
            let grid = Grid::new(COEFFICIENT_BITS)?;
            return Ok(Parameters::Noisy(Noisy::AdaSspAsPublished(grid)));
        }
    };
    Ok(Parameters::Fitted(fitted))
}
