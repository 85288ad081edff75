//! Exact small instances, baselines and fairness.

use super::Claim;

/// The claims of this file.
pub(super) const CLAIMS: &[Claim] = &[];
