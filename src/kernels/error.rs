//! What can go wrong in learning with a kernel.

use crate::coins::CoinsError;
use crate::geometry::GeometryError;
use crate::number::{NumberError, OutOfRange};
use crate::optimise::OptimiseError;
use crate::privacy::PrivacyError;
use thiserror::Error;

/// An error of the room `kernels`: each names the field, its value and what would be right.
///
/// Records are private: no error repeats a coordinate or a label.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KernelError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A label that is no class.
    #[error("the label of record {record} must be -1 or 1")]
    Label {
        /// The number of the record as given, from 0.
        record: usize,
    },
    /// A query after the last that a session may answer.
    #[error("the session has answered all that its budget allows: it answers nothing more")]
    Spent,
    /// A matrix of a kernel with a larger value of a point with itself than its bound.
    #[error("entry {row} of the diagonal of the matrix must be at most the bound on it")]
    Diagonal {
        /// The number of the row, from 0.
        row: usize,
    },
    /// What a stopped session is said to have released, and cannot have.
    #[error(
        "answer {answer} is not one of this session: its query adds no coordinate after those before it"
    )]
    OtherSession {
        /// The number of the answer, from 0.
        answer: usize,
    },
    /// A budget or a calibration that cannot be.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// An error of the geometry: a query outside the domain, among others.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// An error of the solver.
    #[error(transparent)]
    Optimise(#[from] OptimiseError),
    /// An error of the source of coins.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A computation of an enclosure failed.
    #[error(transparent)]
    Number(#[from] NumberError),
}
crate::published_in_words!(KernelError);
