//! Table 2: statistical parity, as the paper's code has it.
//!
//! Inputs without scaling for the random features, between the extremes of each group for regularised
//! least squares; labels over their norm; all records to learn from and to measure on; noise of the same
//! deviation for both.

use super::Settings;
use super::features::CosineFeatures;
use super::noise::deviation;
use super::solvers::{MinimumNorm, minimum_norm, predictions, ridge};
use crate::data::{Source, onto_unit_interval};
use crate::draws::Draws;
use crate::table::{Cell, Table, mean_and_spread, three_digits};
use dp_assay::coins::CoinsError;
use dp_assay_cli::error::Error;
use nalgebra::{DMatrix, DVector};

/// The number of features.
pub const FEATURES: usize = 4000;

/// Records of two groups.
pub struct Grouped {
    /// Coordinates by records, without scaling.
    pub inputs: DMatrix<f64>,
    /// The same between the extremes of each group, and a constant.
    pub scaled: DMatrix<f64>,
    /// Labels, over their norm.
    pub labels: Vec<f64>,
    /// Whether a record is of the first group.
    pub first: Vec<bool>,
}

/// Which records are used.
#[derive(Clone, Copy)]
pub enum Sample {
    /// All.
    All,
    /// At most so many, drawn.
    AtMost(usize),
    /// At most so many of each group, drawn.
    Each(usize),
}

impl Sample {
    /// Their indices, in order; `first` says which are of the first group.
    fn of(self, first: &[bool], settings: &Settings) -> Result<Vec<usize>, CoinsError> {
        let mut order = Draws::new(settings.seed, "groups").permutation(first.len())?;
        match self {
            Self::All => {}
            Self::AtMost(most) => order.truncate(most),
            Self::Each(most) => {
                let mut count = [0; 2];
                order.retain(|&record| {
                    let count = &mut count[usize::from(first[record])];
                    *count += 1;
                    *count <= most
                });
            }
        }
        order.sort_unstable();
        Ok(order)
    }
}

/// A row of the paper's table.
struct Experiment {
    name: &'static str,
    /// The standard deviation of a coordinate of a frequency.
    frequency_deviation: f64,
    epsilon: f64,
    /// As printed: targets, private random features, least squares, private least squares.
    paper: [&'static str; 4],
}

const SEX: Experiment = Experiment {
    name: "medical, sex",
    // Variance 2e-5 and 20, here as the paper says.
    frequency_deviation: 0.004_472_135_955,
    epsilon: 0.5,
    paper: ["0.06", "0.117 +- 0.047", "0.074", "0.427 +- 0.233"],
};
const SMOKER: Experiment = Experiment {
    name: "medical, smoker",
    paper: ["0.873", "0.410 +- 0.098", "0.999", "0.516 +- 0.302"],
    ..SEX
};
const WINE: Experiment = Experiment {
    name: "wine, colour",
    frequency_deviation: 4.472_135_955,
    epsilon: 0.05,
    paper: ["0.130", "0.028 +- 0.009", "0.279", "0.312 +- 0.239"],
};

/// Runs the three experiments.
pub fn run(
    medical: &Source,
    red: &Source,
    white: &Source,
    settings: &Settings,
) -> Result<Table, Error> {
    let mut table = Table::new(
        "table2",
        "Table 2: statistical parity (exact Kolmogorov-Smirnov distance between the groups' outputs)",
        &[
            "data",
            "what",
            "paper",
            "ours",
            "without noise",
            "output rms",
            "label rms",
            "noise floor",
        ],
    );
    let sample = if settings.quick {
        Sample::AtMost(600)
    } else {
        Sample::All
    };
    for (experiment, grouped) in [
        (&SEX, of_category(medical, "sex", sample, settings)?),
        (&SMOKER, of_category(medical, "smoker", sample, settings)?),
        (&WINE, of_wine(red, white, sample, settings)?),
    ] {
        table.rows.extend(rows(experiment, &grouped, settings)?);
    }
    table.notes = vec![
        format!(
            "mean +- spread over {} draws of the noise, one of the features{}",
            draws_of_noise(settings),
            match sample {
                Sample::AtMost(most) => format!("; a sample of {most} records of each data set"),
                Sample::All | Sample::Each(_) => String::new(),
            }
        ),
        "noise floor: what two samples of the same law stay below with probability 0.95 (asymptotic)"
            .to_owned(),
        "where the outputs are tens of times as large as the labels they are noise, and that is why they \
         differ little between the groups"
            .to_owned(),
    ];
    Ok(table)
}

fn draws_of_noise(settings: &Settings) -> usize {
    if settings.quick { 5 } else { 20 }
}

/// The rows of one experiment.
fn rows(
    experiment: &Experiment,
    grouped: &Grouped,
    settings: &Settings,
) -> Result<Vec<Vec<Cell>>, CoinsError> {
    let label = format!("table 2, {}", experiment.name);
    let mut draws = Draws::new(settings.seed, &label);
    let map = CosineFeatures::draw(
        FEATURES,
        grouped.inputs.nrows(),
        experiment.frequency_deviation,
        &mut draws,
    )?;
    let features = map.of(&grouped.inputs);
    let MinimumNorm {
        coefficients, rank, ..
    } = minimum_norm(&features, &grouped.labels);
    let m = grouped.labels.len();
    let penalty = (FEATURES as f64).sqrt() / (2.0 * m as f64);
    let least_squares = ridge(&grouped.scaled, &grouped.labels, penalty);
    let [paper_targets, paper_features, paper_squares, paper_private] = experiment.paper;
    let targets = DVector::from_column_slice(&grouped.labels);
    let row = |what: &str, paper: &str, ours: Cell, without: Option<f64>, rms: f64| {
        vec![
            experiment.name.into(),
            what.into(),
            paper.into(),
            ours,
            without.into(),
            rms.into(),
            (1.0 / (m as f64).sqrt()).into(),
            floor(&grouped.first).into(),
        ]
    };
    let distance = |outputs: &DVector<f64>| kolmogorov_smirnov(outputs.as_slice(), &grouped.first);
    let mut noisy = |features: &DMatrix<f64>, coefficients: &DVector<f64>| {
        let mut distances = Vec::new();
        let mut squares = 0.0;
        for _ in 0..draws_of_noise(settings) {
            let noise = DVector::from_vec(draws.normals(coefficients.len())?);
            let noisy = coefficients + noise * deviation(FEATURES, experiment.epsilon);
            let outputs = predictions(features, &noisy);
            squares += outputs.norm_squared() / (m * draws_of_noise(settings)) as f64;
            distances.push(distance(&outputs));
        }
        let (mean, spread) = mean_and_spread(&distances);
        let text = match spread {
            Some(spread) => format!("{} +- {}", three_digits(mean), three_digits(spread)),
            None => three_digits(mean),
        };
        Ok::<_, CoinsError>((text, squares.sqrt()))
    };
    let rms = |outputs: &DVector<f64>| (outputs.norm_squared() / m as f64).sqrt();
    let mut rows = vec![row(
        "targets",
        paper_targets,
        distance(&targets).into(),
        None,
        rms(&targets),
    )];
    let (ours, size) = noisy(&features, &coefficients)?;
    let plain = distance(&predictions(&features, &coefficients));
    rows.push(row(
        &format!("features of rank {rank}, private"),
        paper_features,
        ours.into(),
        Some(plain),
        size,
    ));
    if let Some(coefficients) = least_squares {
        let outputs = predictions(&grouped.scaled, &coefficients);
        let plain = distance(&outputs);
        rows.push(row(
            "least squares",
            paper_squares,
            plain.into(),
            None,
            rms(&outputs),
        ));
        let (ours, size) = noisy(&grouped.scaled, &coefficients)?;
        rows.push(row(
            "least squares, private",
            paper_private,
            ours.into(),
            Some(plain),
            size,
        ));
    }
    Ok(rows)
}

/// The records of `source`, grouped by the first value of a category and the rest.
pub fn of_category(
    source: &Source,
    category: &str,
    sample: Sample,
    settings: &Settings,
) -> Result<Grouped, Error> {
    let column = source
        .categories
        .iter()
        .find(|(name, ..)| *name == category);
    let first = column.map_or_else(Vec::new, |(_, _, column)| {
        column.iter().map(|&value| value == 0).collect()
    });
    let numeric = source.numeric.len();
    Grouped::new(
        source.unscaled(),
        numeric,
        source.labels(),
        first,
        sample,
        settings,
    )
}

/// Red wine, then white wine.
pub fn of_wine(
    red: &Source,
    white: &Source,
    sample: Sample,
    settings: &Settings,
) -> Result<Grouped, Error> {
    let (red_inputs, white_inputs) = (red.unscaled(), white.unscaled());
    let (rows, reds) = red_inputs.shape();
    let records = reds + white_inputs.ncols();
    let inputs = DMatrix::from_fn(rows, records, |coordinate, record| {
        if record < reds {
            red_inputs[(coordinate, record)]
        } else {
            white_inputs[(coordinate, record - reds)]
        }
    });
    let labels = [red.labels(), white.labels()].concat();
    let first = (0..records).map(|record| record < reds).collect();
    Grouped::new(inputs, rows, labels, first, sample, settings)
}

impl Grouped {
    /// The sampled records; scaled by group in the first `numeric` coordinates.
    fn new(
        inputs: DMatrix<f64>,
        numeric: usize,
        labels: Vec<f64>,
        first: Vec<bool>,
        sample: Sample,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let order = sample.of(&first, settings)?;
        let inputs = inputs.select_columns(&order);
        let first: Vec<bool> = order.iter().map(|&record| first[record]).collect();
        let labels: Vec<f64> = order.iter().map(|&record| labels[record]).collect();
        let norm = labels.iter().map(|y| y * y).sum::<f64>().sqrt();
        let mut scaled = inputs.clone().insert_row(inputs.nrows(), 1.0);
        for coordinate in 0..numeric {
            for group in [true, false] {
                let members: Vec<usize> = (0..first.len())
                    .filter(|&record| first[record] == group)
                    .collect();
                let values = members.iter().map(|&record| inputs[(coordinate, record)]);
                for (&record, value) in members.iter().zip(onto_unit_interval(values.collect())) {
                    // A coordinate that is constant in a group says nothing there.
                    scaled[(coordinate, record)] = if value.is_finite() { value } else { 0.0 };
                }
            }
        }
        Ok(Self {
            inputs,
            scaled,
            labels: labels.into_iter().map(|y| y / norm).collect(),
            first,
        })
    }
}

/// The largest difference of the two empirical distribution functions, over all thresholds.
///
/// Both are constant between outputs and continuous from the right, so that the values at the outputs
/// are all there are; equal outputs count together.
pub fn kolmogorov_smirnov(outputs: &[f64], first: &[bool]) -> f64 {
    let mut merged: Vec<(f64, bool)> = outputs.iter().copied().zip(first.iter().copied()).collect();
    merged.sort_by(|a, b| a.0.total_cmp(&b.0));
    let size = first.iter().filter(|&&first| first).count();
    let sizes = [first.len() - size, size].map(|size| size as f64);
    let mut below = [0.0; 2];
    let mut largest = 0f64;
    for (index, (output, first)) in merged.iter().enumerate() {
        below[usize::from(*first)] += 1.0;
        if merged.get(index + 1).is_none_or(|(next, _)| next != output) {
            largest = largest.max((below[0] / sizes[0] - below[1] / sizes[1]).abs());
        }
    }
    largest
}

/// The asymptotic 95 % point of the two-sample statistic under equality (Smirnov 1948).
fn floor(first: &[bool]) -> f64 {
    let n = first.len() as f64;
    let size = first.iter().filter(|&&first| first).count() as f64;
    1.358 * (n / (size * (n - size))).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_exact_with_ties() {
        let first = [true, true, false, false];
        assert_eq!(kolmogorov_smirnov(&[1.0, 2.0, 3.0, 4.0], &first), 1.0);
        assert_eq!(kolmogorov_smirnov(&[1.0, 2.0, 1.0, 2.0], &first), 0.0);
        assert_eq!(kolmogorov_smirnov(&[1.0, 2.0, 2.0, 3.0], &first), 0.5);
    }

    #[test]
    fn no_grid_of_thresholds_finds_more() {
        let mut draws = Draws::new(1, "grid");
        for _ in 0..20 {
            let outputs = draws.normals(60).unwrap();
            let first: Vec<bool> = (0..60).map(|index| index % 3 == 0).collect();
            let exact = kolmogorov_smirnov(&outputs, &first);
            let below = |threshold: f64, group: bool| {
                let of = |index: &usize| first[*index] == group;
                let all = (0..60).filter(of).count() as f64;
                let under = (0..60)
                    .filter(of)
                    .filter(|&index| outputs[index] <= threshold);
                under.count() as f64 / all
            };
            for step in 0..500 {
                let t = -3.0 + 6.0 * f64::from(step) / 499.0;
                assert!((below(t, true) - below(t, false)).abs() <= exact + 1e-12);
            }
        }
    }
}
