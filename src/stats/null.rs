//! The hypothesis that a pair of laws is (epsilon, delta)-indistinguishable.

use super::{StatsError, directed};
use crate::number::{Enclosure, Rational, rational};
use num_traits::{One, Signed};

/// `P(A) <= e^epsilon Q(A) + delta`, with `e^epsilon` and delta as floats rounded up: what satisfies
/// the claim satisfies this, so that a rejection of this is a rejection of the claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Null {
    pub(super) slope: f64,
    pub(super) delta: f64,
}

impl Null {
    /// The hypothesis for this claim.
    ///
    /// # Errors
    /// [`StatsError::Claim`] for an epsilon outside [0, 40] or a delta outside [0, 1).
    pub fn new(epsilon: &Rational, delta: &Rational) -> Result<Self, StatsError> {
        if epsilon.is_negative()
            || *epsilon > rational::ratio(40, 1)
            || delta.is_negative()
            || *delta >= Rational::one()
        {
            return Err(StatsError::Claim {
                epsilon: epsilon.to_string(),
                delta: delta.to_string(),
            });
        }
        Ok(Self {
            slope: directed::above(&Enclosure::exp_of(epsilon, 96)?.upper()),
            delta: directed::above(delta),
        })
    }
}
