//! The theorems of the paper with every constant written out, as printed and corrected.
//!
//! All logarithms are natural. Every bound is an [`Enclosure`] of the formula, so that comparing two of
//! them, or one with an exact probability, is certified. One file for each family:
//!
//! - [`gaussian_mechanism`]: Theorem 7, and how far beyond `epsilon = 1` it holds;
//! - [`kernel`]: Theorem 6 with Hoeffding's inequality;
//! - [`gram`]: Theorem 8, the edges of the Gram matrix, with constants;
//! - [`ridge_sensitivity`]: how far ridge regression moves with one record: what R2, R3 and the baseline rest on;
//! - [`sensitivity`]: what Lemma 9 becomes for a pair of datasets that is fixed in advance;
//! - [`approximation`]: Lemmas 14 to 16, the best approximation by random features;
//! - [`noise`]: Lemma 13 and Theorem 12, the length of the noise and what it does to predictions;
//! - [`generalisation`]: Theorems 10 and 11;
//! - [`figures`]: the closed forms behind the plotted errors.

#![deny(clippy::float_arithmetic)]

pub mod approximation;
pub mod figures;
pub mod gaussian_mechanism;
pub mod generalisation;
pub mod gram;
pub mod kernel;
pub mod noise;
pub mod ridge_sensitivity;
pub mod sensitivity;

use super::RandomFeatureError;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require};
use crate::number::rational::{integer, ratio};
use crate::number::{Enclosure, Rational};
use num_traits::{One, Zero};

/// The working precision: far more than any figure here is printed with.
pub const BITS: u32 = 128;

/// The error of `eta` unless `0 < eta < 1/2`.
///
/// The paper says `eta` in (0, 1); from 1/2 on, `1 - 2 eta` bounds no eigenvalue away from zero.
pub(super) fn require_eta(eta: &Rational) -> Result<(), RandomFeatureError> {
    let right = *eta > Rational::zero() && *eta < ratio(1, 2);
    Ok(require(right, "eta", eta, "above 0 and below 1/2")?)
}

/// The parameters that the theorems share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The records, `m`.
    pub records: u64,
    /// The frequencies, `N`.
    pub features: u64,
    /// Theorem 8's `eta`, in (0, 1/2): the eigenvalues of `A A*/N` are in `[1 - 2 eta, 1 + 2 eta]`.
    pub eta: Rational,
    /// The privacy parameter `epsilon_p > 0`.
    pub epsilon: Rational,
    /// The privacy parameter `delta_p`, in (0, 1).
    pub delta: Rational,
    /// The probability `delta`, in (0, 1), of which the theorems allow a multiple for failure.
    pub failure: Rational,
}

impl Setting {
    /// The same parameters, if they are in their ranges.
    ///
    /// # Errors
    /// [`RandomFeatureError::Parameter`] unless `m, N >= 1`, `0 < eta < 1/2`, `epsilon_p > 0` and
    /// `0 < delta_p, delta < 1`.
    pub fn checked(self) -> Result<Self, RandomFeatureError> {
        at_least_one("records", self.records)?;
        at_least_one("features", self.features)?;
        require_eta(&self.eta)?;
        above_zero("epsilon", &self.epsilon)?;
        above_zero_below_one("delta", &self.delta)?;
        above_zero_below_one("failure", &self.failure)?;
        Ok(self)
    }

    /// `m`, as an enclosure.
    fn m(&self) -> Enclosure {
        Enclosure::integer(self.records, BITS)
    }

    /// `N`, as an enclosure.
    fn n(&self) -> Enclosure {
        Enclosure::integer(self.features, BITS)
    }

    /// `1 - 2 eta`, exactly.
    #[must_use]
    pub fn lower_edge(&self) -> Rational {
        Rational::one() - &self.eta * integer(2)
    }

    /// `1 + 2 eta`, exactly.
    #[must_use]
    pub fn upper_edge(&self) -> Rational {
        Rational::one() + &self.eta * integer(2)
    }

    /// `ln(1.25/delta_p)`.
    ///
    /// # Errors
    /// Those of the logarithm.
    pub fn log_privacy(&self) -> Result<Enclosure, RandomFeatureError> {
        log_privacy(&self.delta)
    }

    /// `ln(times/delta)`.
    ///
    /// # Errors
    /// Those of the logarithm.
    pub fn log_failure(&self, times: u32) -> Result<Enclosure, RandomFeatureError> {
        Ok(of(&(integer(times) / &self.failure)).ln()?)
    }
}

/// `ln(1.25/delta_p)`.
pub(super) fn log_privacy(delta: &Rational) -> Result<Enclosure, RandomFeatureError> {
    Ok(of(&(ratio(5, 4) / delta)).ln()?)
}

/// `x^(1/4)`.
fn fourth_root(x: &Enclosure) -> Result<Enclosure, RandomFeatureError> {
    Ok(x.sqrt()?.sqrt()?)
}

/// An enclosure of a rational at the working precision.
pub fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

/// An enclosure of an integer at the working precision.
pub(super) fn whole(value: u64) -> Enclosure {
    Enclosure::integer(value, BITS)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// `m` records, `N` features, `eta = 3/8`, budget (1, 1e-5), failure 0.05.
    pub(in crate::random_features) fn usual(records: u64, features: u64) -> Setting {
        Setting {
            records,
            features,
            eta: ratio(3, 8),
            epsilon: integer(1),
            delta: ratio(1, 100_000),
            failure: ratio(1, 20),
        }
        .checked()
        .unwrap()
    }

    #[test]
    fn parameters_outside_their_range_are_refused_by_name() {
        let with = |change: fn(&mut Setting)| {
            let mut setting = usual(10, 20);
            change(&mut setting);
            setting.checked()
        };
        let error = with(|setting| setting.eta = ratio(1, 2)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "eta must be above 0 and below 1/2, got 1/2"
        );
        assert!(with(|setting| setting.records = 0).is_err());
        assert!(with(|setting| setting.features = 0).is_err());
        assert!(with(|setting| setting.epsilon = integer(0)).is_err());
        assert!(with(|setting| setting.delta = integer(1)).is_err());
        assert!(with(|setting| setting.failure = integer(0)).is_err());
        assert!(with(|_| ()).is_ok());
    }
}
