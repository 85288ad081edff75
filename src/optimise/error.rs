//! What can go wrong in solving.

use crate::coins::CoinsError;
use crate::number::{NumberError, OutOfRange};
use crate::privacy::PrivacyError;
use thiserror::Error;

/// An error of the room `optimise`: it names the field and what would be right, never an entry of the data.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptimiseError {
    /// A parameter outside its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// A vector or a row of the wrong length.
    #[error("{what} must have length {expected}, got {found}")]
    Length {
        /// Which vector.
        what: &'static str,
        /// The length that fits.
        expected: usize,
        /// The length as given.
        found: usize,
    },
    /// A row longer than 1.
    #[error("row {row} must have norm at most 1")]
    RowTooLong {
        /// The number of the row, from 0.
        row: usize,
    },
    /// The asked accuracy needs more bits than the integers have.
    #[error("{what} might not fit in its integers: ask for less accuracy or a larger penalty")]
    Overflow {
        /// What was to be computed.
        what: &'static str,
    },
    /// The solver ended farther from the minimum than its proof allows.
    #[error(
        "the solver did not come within its tolerance: a defect, please report it; nothing is released"
    )]
    Missed,
    /// Two equal rows have different labels, so that nothing interpolates.
    #[error(
        "rows {first} and {second} are equal and their labels are not: nothing interpolates them"
    )]
    Conflict {
        /// The number of the first row, from 0.
        first: usize,
        /// The number of the second.
        second: usize,
    },
    /// The rows could not be certified to be linearly independent.
    #[error(
        "the rows are linearly dependent, or too nearly so to certify an interpolation: \
         remove duplicates or use a penalty"
    )]
    Dependent,
    /// Equations that have no solution, or more than one.
    #[error("the matrix is singular: its inverse does not exist")]
    Singular,
    /// A matrix that is not symmetric.
    #[error(
        "the matrix must be symmetric: its entries ({row}, {column}) and ({column}, {row}) differ"
    )]
    Asymmetric {
        /// The number of the row, from 0.
        row: usize,
        /// The number of the column, from 0.
        column: usize,
    },
    /// A matrix without a certificate.
    #[error(
        "the matrix must be positive semi-definite, and could not be certified to be: \
         a larger jitter on its diagonal may help"
    )]
    NotPositive,
    /// A projection on a row that has no direction.
    #[error("record {record} has no feature other than 0: its equation has no direction")]
    ZeroRow {
        /// The number of the record, from 0.
        record: usize,
    },
    /// A budget or a calibration that cannot be.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// A draw failed.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A computation of an enclosure failed.
    #[error(transparent)]
    Number(#[from] NumberError),
}
crate::published_in_words!(OptimiseError);
