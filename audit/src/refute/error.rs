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
    /// A question out of range.
    #[error(transparent)]
    Question(#[from] OutOfRange),
}
