//! The two predictors that look at no input.

use super::data::Prepared;

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
    let mean = training.labels.iter().sum::<f64>() / training.labels.len() as f64;
    let error = |constant: f64| {
        let squares = test.labels.iter().map(|label| (label - constant).powi(2));
        squares.sum::<f64>() / test.labels.len() as f64
    };
    Trivial {
        zero: error(0.0),
        mean: error(mean),
    }
}
