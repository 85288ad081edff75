//! Chooses R3's parameters without the private data, in floats: on the white wine, which is taken to be
//! public, and on made-up records.
//!
//! The test error of a ridge model with noise is, in the mean over the noise, that of the model without it
//! plus the noise's variance times the mean squared norm of the features, which is 1. So each choice of
//! bandwidth and penalty is judged without drawing any noise.

use super::public::{Public, in_floats, onto_grid};
use super::solvers::mean_squared_error;
use crate::data::Source;
use crate::draws::Draws;
use crate::table::{Cell, mean_and_spread};
use dp_assay::number::{Rational, rational};
use dp_assay::privacy::{Budget, gaussian};
use dp_assay::random_features::Record;
use dp_assay::random_features::bounds::ridge_sensitivity;
use dp_assay_cli::error::Error;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rayon::prelude::*;

/// The number of frequencies: each gives a cosine and a sine.
pub const FREQUENCIES: usize = 200;
/// The variances of a coordinate of a frequency that are tried.
const VARIANCES: [(i64, i64); 7] = [(1, 16), (1, 8), (1, 4), (1, 2), (1, 1), (2, 1), (4, 1)];
/// The penalties that are tried, over the number of records.
const PENALTIES: [(i64, i64); 7] = [(1, 64), (1, 32), (1, 16), (1, 8), (1, 4), (1, 2), (1, 1)];

/// Parameters of R3.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The variance of a coordinate of a frequency.
    pub variance: Rational,
    /// `Lambda / m`.
    pub penalty: Rational,
    /// What the test error is expected to be there, with labels in [-1, 1].
    pub error: f64,
}

/// How good each choice is without noise, with labels in [-1, 1].
pub struct Surrogate {
    name: &'static str,
    records: usize,
    choices: Vec<Choice>,
    mean_predictor: f64,
}

impl Surrogate {
    /// White wine: at most half of it, and as many records as the private data have, to learn from; the
    /// rest to test on.
    pub fn white_wine(
        white: &Source,
        public: &Public,
        records: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        let placed = public.place(white)?;
        let records = records.min(placed.len() / 2);
        Self::of("white wine", &[placed], records, seed)
    }

    /// Records that nobody has: uniform on the domain of `source`, with labels that are additive in its
    /// columns. Each draw of a label function has a constant, uniform in [-1/2, 1/2], and an effect of each
    /// column, linear with a normal slope or normal for each value, in all of deviation 1/3; errors are
    /// normal of deviation 1/4; labels are clipped to [-1, 1].
    pub fn synthetic(source: &Source, records: usize, seed: u64) -> Result<Self, Error> {
        const FUNCTIONS: usize = 4;
        let mut draws = Draws::new(seed, "synthetic surrogate");
        let numeric = source.numeric.len();
        let values: Vec<usize> = source.categories.iter().map(|(_, v, _)| v.len()).collect();
        let dimension = numeric + values.iter().sum::<usize>();
        let mut sets = Vec::new();
        for _ in 0..FUNCTIONS {
            let constant = draws.uniform()? - 0.5;
            let effects = draws.normals(dimension)?;
            let mut set = Vec::new();
            let mut additive = Vec::new();
            for _ in 0..2 * records {
                let mut x = vec![0.0; dimension];
                for coordinate in x.iter_mut().take(numeric) {
                    *coordinate = 2.0 * draws.uniform()? - 1.0;
                }
                let mut first = numeric;
                for &values in &values {
                    x[first + draws.below(values)?] = 1.0;
                    first += values;
                }
                additive.push(
                    x.iter()
                        .zip(&effects)
                        .map(|(x, effect)| x * effect)
                        .sum::<f64>(),
                );
                set.push(x);
            }
            let (mean, spread) = mean_and_spread(&additive);
            let scale = 1.0 / (3.0 * spread.unwrap_or(1.0));
            let mut placed = Vec::new();
            for (x, additive) in set.iter().zip(additive) {
                let label = constant + (additive - mean) * scale + draws.normal()? / 4.0;
                placed.push(Record {
                    features: x.iter().map(|&x| onto_grid(x)).collect(),
                    label: onto_grid(label.clamp(-1.0, 1.0)),
                });
            }
            sets.push(placed);
        }
        Self::of("synthetic", &sets, records, seed)
    }

    /// The mean over sets of records. Of each set `m` records are to learn from.
    fn of(name: &'static str, sets: &[Vec<Record>], m: usize, seed: u64) -> Result<Self, Error> {
        let mut draws = Draws::new(seed, name);
        let mut surrogate = Self {
            name,
            records: m,
            choices: choices(),
            mean_predictor: 0.0,
        };
        for records in sets {
            let order = draws.permutation(records.len())?;
            let of = |&index: &usize| &records[index];
            let training: Vec<&Record> = order.iter().take(m).map(of).collect();
            let test: Vec<&Record> = order.iter().skip(m).map(of).collect();
            surrogate.add(&training, &test, 1.0 / sets.len() as f64, &mut draws)?;
        }
        Ok(surrogate)
    }

    /// Adds the errors on one set, times `weight`.
    fn add(
        &mut self,
        training: &[&Record],
        test: &[&Record],
        weight: f64,
        draws: &mut Draws,
    ) -> Result<(), Error> {
        let labels = |records: &[&Record]| -> Vec<f64> {
            records
                .iter()
                .map(|record| in_floats(record.label))
                .collect()
        };
        let (y_training, y_test) = (labels(training), labels(test));
        let dimension = training.first().map_or(0, |record| record.features.len());
        let normals = draws.normals(FREQUENCIES * dimension)?;
        let normals = DMatrix::from_vec(FREQUENCIES, dimension, normals);
        let errors: Vec<Vec<f64>> = VARIANCES
            .par_iter()
            .map(|&(numerator, denominator)| {
                let deviation = (numerator as f64 / denominator as f64).sqrt();
                let frequencies = &normals * deviation;
                let a_training = pairs(&frequencies, training);
                let a_test = pairs(&frequencies, test);
                ridge_errors(&a_training, &y_training, &a_test, &y_test)
            })
            .collect();
        for (choice, error) in self.choices.iter_mut().zip(errors.concat()) {
            choice.error += weight * error;
        }
        let (mean, _) = mean_and_spread(&y_training);
        let squares: f64 = y_test.iter().map(|y| (y - mean).powi(2)).sum();
        self.mean_predictor += weight * squares / y_test.len() as f64;
        Ok(())
    }

    /// The best choice for a budget under substitution of one of as many records.
    pub fn best(&self, epsilon: &Rational) -> Result<Choice, Error> {
        let budget = Budget::substituting(epsilon, &rational::ratio(1, 100_000))?;
        let multiplier = gaussian::noise_multiplier(&budget)?;
        let mut best: Option<Choice> = None;
        for choice in &self.choices {
            let penalty = &choice.penalty * rational::integer(self.records as u64);
            let sensitivity = ridge_sensitivity::of_bounded_labels(
                &rational::integer(1),
                &penalty,
                self.records,
                budget.neighbours(),
            )?;
            let deviation = rational::to_f64_for_display(&(sensitivity * &multiplier));
            let error = choice.error + deviation.powi(2);
            if best.as_ref().is_none_or(|best| error < best.error) {
                best = Some(Choice {
                    error,
                    ..choice.clone()
                });
            }
        }
        best.ok_or_else(|| Error::Usage("no choice of parameters was tried".to_owned()))
    }

    /// A row of the table of what was chosen.
    pub fn row(&self, data: &str, epsilon: &Rational) -> Result<Vec<Cell>, Error> {
        let choice = self.best(epsilon)?;
        Ok(vec![
            data.into(),
            self.name.into(),
            rational::to_f64_for_display(epsilon).into(),
            choice.variance.to_string().into(),
            choice.penalty.to_string().into(),
            choice.error.into(),
            self.mean_predictor.into(),
        ])
    }
}

/// All choices, without errors yet: all penalties for each variance.
fn choices() -> Vec<Choice> {
    VARIANCES
        .iter()
        .flat_map(|&(numerator, denominator)| {
            PENALTIES.map(|(over, under)| Choice {
                variance: rational::ratio(numerator, denominator),
                penalty: rational::ratio(over, under),
                error: 0.0,
            })
        })
        .collect()
}

/// The test errors of ridge regression with each penalty: one eigenvalue problem for all.
fn ridge_errors(
    a_training: &DMatrix<f64>,
    y_training: &[f64],
    a_test: &DMatrix<f64>,
    y_test: &[f64],
) -> Vec<f64> {
    let SymmetricEigen {
        eigenvalues,
        eigenvectors,
    } = SymmetricEigen::new(a_training * a_training.transpose());
    let right = eigenvectors.tr_mul(&(a_training * DVector::from_column_slice(y_training)));
    let rotated_test = eigenvectors.transpose() * a_test;
    PENALTIES
        .iter()
        .map(|&(over, under)| {
            let penalty = over as f64 / under as f64 * y_training.len() as f64;
            let coefficients = right.zip_map(&eigenvalues, |r, value| r / (value + penalty));
            mean_squared_error(&rotated_test.tr_mul(&coefficients), y_test)
        })
        .collect()
}

/// Cosine and sine features, of norm 1: features by records.
fn pairs(frequencies: &DMatrix<f64>, records: &[&Record]) -> DMatrix<f64> {
    let n = frequencies.nrows();
    let inputs = DMatrix::from_fn(frequencies.ncols(), records.len(), |coordinate, column| {
        in_floats(records[column].features[coordinate])
    });
    let angles = frequencies * inputs;
    let scale = 1.0 / (n as f64).sqrt();
    DMatrix::from_fn(2 * n, records.len(), |row, column| {
        let angle = angles[(row % n, column)];
        scale * if row < n { angle.cos() } else { angle.sin() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records with one coordinate, uniform, and twice its value as a label, clipped.
    fn records(n: usize) -> Vec<Record> {
        let mut draws = Draws::new(1, "test");
        (0..n)
            .map(|_| {
                let x = 2.0 * draws.uniform().unwrap() - 1.0;
                Record {
                    features: vec![onto_grid(x)],
                    label: onto_grid((2.0 * x).clamp(-1.0, 1.0)),
                }
            })
            .collect()
    }

    #[test]
    fn a_larger_budget_is_given_no_larger_penalty_and_no_larger_error() {
        let surrogate = Surrogate::of("test", &[records(400)], 200, 1).unwrap();
        assert_eq!(surrogate.choices.len(), VARIANCES.len() * PENALTIES.len());
        let choices: Vec<Choice> = ["1/4", "1", "20"]
            .iter()
            .map(|epsilon| surrogate.best(&rational::parse(epsilon).unwrap()).unwrap())
            .collect();
        for pair in choices.windows(2) {
            assert!(pair[1].penalty <= pair[0].penalty);
            assert!(pair[1].error <= pair[0].error);
        }
        // With hardly any noise the labels are learned.
        assert!(choices[2].error < 0.1 * surrogate.mean_predictor);
    }

    #[test]
    fn a_choice_is_never_better_than_without_noise() {
        let surrogate = Surrogate::of("test", &[records(400)], 200, 1).unwrap();
        let best = surrogate.best(&rational::integer(1)).unwrap();
        let same =
            |choice: &&Choice| choice.variance == best.variance && choice.penalty == best.penalty;
        let without = surrogate.choices.iter().find(same).unwrap();
        assert!(without.error < best.error);
    }
}
