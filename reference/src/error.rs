//! What can go wrong.

use thiserror::Error;

/// An error. None depends on the records, but where a file says so at its top: [`Error::Undefined`], which only algorithms as
/// printed give, and the refusal of records that do not keep a public premise, or of a dual point that is not near enough.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Error {
    /// The source of coins has none to give.
    #[error("the source of coins failed: {0}")]
    Coins(String),
    /// A public parameter outside its range.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    /// A real function where it has no value.
    #[error("{0} is not defined there")]
    OutOfDomain(&'static str),
    /// A record that the domain does not have.
    #[error("a record of another length, or outside the domain")]
    NotAPoint,
    /// What a printed line does not define.
    #[error("the printed algorithm is undefined here: {0}")]
    Undefined(&'static str),
}

/// Refuses what is out of range, by its name.
pub(crate) fn require(right: bool, parameter: &'static str) -> Result<(), Error> {
    right.then_some(()).ok_or(Error::OutOfRange(parameter))
}
