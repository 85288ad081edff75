//! Why nothing was concluded of a transformation.

use super::distance::MetricError;
use crate::targets::{Output, TargetError, excerpt};
use serde_json::Value;
use thiserror::Error;

/// Why nothing was concluded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MapError {
    /// The target failed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The program answers one dataset with two outputs.
    #[error(
        "the program is not deterministic, and a transformation must be: on the dataset {} it answered {} and then {}", excerpt(&data.to_string()), excerpt(&first.to_string()), excerpt(&second.to_string())
    )]
    NotDeterministic {
        /// The dataset.
        data: Box<Value>,
        /// An output.
        first: Box<Output>,
        /// Another one.
        second: Box<Output>,
    },
    /// A metric that does not measure the datasets.
    #[error("--input-metric: {0}")]
    Input(MetricError),
    /// A metric that does not measure the outputs.
    #[error("--output-metric: {0}")]
    Output(MetricError),
    /// A question that cannot be asked.
    #[error("{0}")]
    Question(String),
}
