//! Why an audit could not be carried out.

use crate::targets::TargetError;
use dp_assay::coins::CoinsError;
use dp_assay::number::{NumberError, OutOfRange};
use dp_assay::privacy::PrivacyError;
use dp_assay::stats::StatsError;
use thiserror::Error;

/// Why an audit could not be carried out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The target failed: the audit is inconclusive.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A statistic that could not be computed.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// The auditor's own coins failed.
    #[error(transparent)]
    Coins(#[from] CoinsError),
    /// A probability of the reference law could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A half-plane of the claim could not be computed.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// A question out of range: which field of it, and what that must be.
    #[error("{1}")]
    Question(Field, OutOfRange),
}

/// A field of a question. What may be wrong with it says so by name: whoever has another name for it, such as an option, gives
/// that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The claim as a whole.
    Claim,
    /// Epsilon.
    Epsilon,
    /// Delta.
    Delta,
    /// Rho, of zero-concentrated privacy.
    Rho,
    /// The order of Rényi privacy.
    Order,
    /// The epsilon of that order.
    EpsilonOfOrder,
    /// Mu, of Gaussian privacy.
    Mu,
    /// The profile.
    Profile,
    /// The level.
    Level,
    /// The number of calls.
    Calls,
    /// The family of planted violations.
    Family,
    /// The domain of the datasets.
    Domain,
    /// The law of the noise.
    Law,
    /// The centre of the noise.
    Centre,
    /// The grid on which the noise is told apart.
    Grid,
}

impl Field {
    /// Says that what is out of range is this field.
    pub(crate) fn check<T>(self, value: Result<T, OutOfRange>) -> Result<T, AuditError> {
        value.map_err(|wrong| AuditError::Question(self, wrong))
    }
}
