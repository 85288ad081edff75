//! Bounds with every constant, as printed and corrected.

use super::Claim;

/// The claims of this file.
pub(super) const CLAIMS: &[Claim] = &[];
