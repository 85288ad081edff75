//! Budgets under the substitution of one record, which most checks claim.

use crate::claim::Trouble;
use dp_assay::number::Rational;
use dp_assay::number::rational::parse;
use dp_assay::privacy::{Budget, NeighbouringRelation, PrivacyError};

/// (epsilon, delta).
pub(crate) fn approximate(epsilon: Rational, delta: Rational) -> Result<Budget, PrivacyError> {
    Budget::approximate(epsilon, delta, NeighbouringRelation::Substitute)
}

/// (epsilon, 0).
pub(crate) fn pure(epsilon: Rational) -> Result<Budget, PrivacyError> {
    Budget::pure(epsilon, NeighbouringRelation::Substitute)
}

/// (epsilon, delta), as decimal texts.
pub(crate) fn budget(epsilon: &str, delta: &str) -> Result<Budget, Trouble> {
    Ok(approximate(parse(epsilon)?, parse(delta)?)?)
}
