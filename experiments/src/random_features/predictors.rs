//! The two predictors that look at no input.

use crate::data::Prepared;

/// The mean squared errors, on test records, of predicting 0 and of predicting the mean label of the
/// training records.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Trivial {
    /// Always 0.
    pub zero: f64,
    /// Always the mean of the training labels: not private, and near what is.
    pub mean: f64,
}

/// Their test errors.
pub fn trivial(training: &Prepared, test: &Prepared) -> Trivial {
    let squares = test.labels.iter().map(|label| label * label);
    Trivial {
        zero: squares.sum::<f64>() / test.labels.len() as f64,
        mean: squared_error_of_mean(&training.labels, &test.labels),
    }
}

/// The mean squared error, on test labels, of predicting the mean of the training labels.
pub fn squared_error_of_mean(training: &[f64], test: &[f64]) -> f64 {
    let mean = training.iter().sum::<f64>() / training.len() as f64;
    let squares = test.iter().map(|label| (label - mean).powi(2));
    squares.sum::<f64>() / test.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn the_mean_is_that_of_the_training_labels() {
        let of = |labels: &[f64]| Prepared {
            inputs: DMatrix::zeros(1, labels.len()),
            labels: labels.to_vec(),
        };
        let trivial = trivial(&of(&[1.0, 3.0]), &of(&[2.0, 4.0]));
        assert_eq!(
            trivial,
            Trivial {
                zero: 10.0,
                mean: 2.0
            }
        );
    }
}
