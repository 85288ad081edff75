//! The algorithm as printed and as coded, and its repairs.

use super::Claim;

/// The claims of this file.
pub(super) const CLAIMS: &[Claim] = &[];
