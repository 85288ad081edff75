//! What a mechanism may spend: (epsilon, delta) and rho.

use super::error::proper_delta;
use super::{NeighbouringRelation, PrivacyError};
use crate::coins::Promise;
use crate::number::Rational;
use crate::number::range::{above_zero, at_least_one};
use num_bigint::BigInt;
use num_traits::Zero;
use std::fmt;

/// (epsilon, delta)-differential privacy under the relation it names: for neighbouring datasets and
/// every set `E` of outputs, `Pr[M(S) in E] <= e^epsilon Pr[M(S') in E] + delta`.
///
/// (Dwork, McSherry, Nissim, Smith 2006; Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.) The two
/// numbers are exact rationals with `epsilon > 0` and `0 <= delta < 1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    epsilon: Rational,
    delta: Rational,
    neighbours: NeighbouringRelation,
}

impl Budget {
    /// Pure privacy, `delta = 0`.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `epsilon > 0`.
    pub fn pure(epsilon: Rational, neighbours: NeighbouringRelation) -> Result<Self, PrivacyError> {
        Self::approximate(epsilon, Rational::zero(), neighbours)
    }

    /// Approximate privacy.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `epsilon > 0` and `0 <= delta < 1`: at `delta = 1`
    /// nothing is promised.
    pub fn approximate(
        epsilon: Rational,
        delta: Rational,
        neighbours: NeighbouringRelation,
    ) -> Result<Self, PrivacyError> {
        above_zero("epsilon", &epsilon)?;
        proper_delta(&delta)?;
        Ok(Self {
            epsilon,
            delta,
            neighbours,
        })
    }

    /// Approximate privacy where one record is substituted.
    ///
    /// # Errors
    /// As [`Budget::approximate`].
    pub fn substituting(epsilon: &Rational, delta: &Rational) -> Result<Self, PrivacyError> {
        let relation = NeighbouringRelation::Substitute;
        Self::approximate(epsilon.clone(), delta.clone(), relation)
    }

    /// The exponent epsilon.
    #[must_use]
    pub fn epsilon(&self) -> &Rational {
        &self.epsilon
    }

    /// The additive delta.
    #[must_use]
    pub fn delta(&self) -> &Rational {
        &self.delta
    }

    /// The relation under which it holds.
    #[must_use]
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }

    /// One of `parts` equal parts, which compose to the whole by basic composition.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `parts >= 1`.
    pub fn split(&self, parts: u64) -> Result<Self, PrivacyError> {
        at_least_one("the number of parts", parts)?;
        let parts = BigInt::from(parts);
        Ok(Self {
            epsilon: &self.epsilon / &parts,
            delta: &self.delta / &parts,
            neighbours: self.neighbours,
        })
    }

    /// The budget as the promise of a stage, for the meter.
    #[must_use]
    pub fn promise(&self) -> Promise {
        Promise::Approximate {
            epsilon: self.epsilon.clone(),
            delta: self.delta.clone(),
        }
    }

    /// Whether this promise implies the other: the same relation, and neither number is larger.
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        self.neighbours == other.neighbours
            && self.epsilon <= other.epsilon
            && self.delta <= other.delta
    }

    /// An error unless this budget is under `expected`.
    pub(crate) fn under(&self, expected: NeighbouringRelation) -> Result<(), PrivacyError> {
        same(expected, self.neighbours)
    }
}

impl fmt::Display for Budget {
    /// The two numbers exactly, and the relation.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "(epsilon = {}, delta = {}), {}",
            self.epsilon, self.delta, self.neighbours
        )
    }
}

/// `rho`-zero-concentrated differential privacy under the relation it names: for neighbouring
/// datasets and every order `alpha > 1`, the Renyi divergence of order `alpha` is at most
/// `alpha rho` (Bun, Steinke 2016).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zcdp {
    rho: Rational,
    neighbours: NeighbouringRelation,
}

impl Zcdp {
    /// The guarantee with this exact `rho`.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `rho > 0`.
    pub fn new(rho: Rational, neighbours: NeighbouringRelation) -> Result<Self, PrivacyError> {
        above_zero("rho", &rho)?;
        Ok(Self { rho, neighbours })
    }

    /// The exact rho.
    #[must_use]
    pub fn rho(&self) -> &Rational {
        &self.rho
    }

    /// The relation under which it holds.
    #[must_use]
    pub fn neighbours(&self) -> NeighbouringRelation {
        self.neighbours
    }
}

impl fmt::Display for Zcdp {
    /// Rho exactly, and the relation.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rho = {}, {}", self.rho, self.neighbours)
    }
}

/// An error unless the two relations are the same.
pub(super) fn same(
    expected: NeighbouringRelation,
    found: NeighbouringRelation,
) -> Result<(), PrivacyError> {
    if expected == found {
        return Ok(());
    }
    Err(PrivacyError::OtherNeighbours { expected, found })
}

#[cfg(test)]
mod tests {
    use super::NeighbouringRelation::{AddOrRemove, Substitute};
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn a_budget_that_promises_nothing_is_refused() {
        for (epsilon, delta) in [(0, 0), (-1, 0), (1, -1), (1, 1), (1, 2)] {
            let refused = Budget::approximate(integer(epsilon), integer(delta), Substitute);
            assert!(matches!(refused, Err(PrivacyError::Parameter { .. })));
        }
        assert!(Zcdp::new(integer(0), Substitute).is_err());
        let message = Budget::pure(integer(0), Substitute)
            .unwrap_err()
            .to_string();
        assert_eq!(message, "epsilon must be above 0, got 0");
    }

    #[test]
    fn a_promise_implies_a_weaker_one_under_the_same_relation_only() {
        let strong = Budget::approximate(ratio(1, 2), ratio(1, 100), Substitute).unwrap();
        let weak = Budget::approximate(integer(1), ratio(1, 100), Substitute).unwrap();
        assert!(strong.implies(&weak) && !weak.implies(&strong));
        let other = Budget::approximate(integer(1), ratio(1, 100), AddOrRemove).unwrap();
        assert!(!strong.implies(&other));
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let whole = Budget::approximate(integer(1), ratio(1, 100), Substitute).unwrap();
        let part = whole.split(3).unwrap();
        assert_eq!(part.epsilon(), &ratio(1, 3));
        assert_eq!(part.delta(), &ratio(1, 300));
        assert!(whole.split(0).is_err());
        assert_eq!(
            part.to_string(),
            "(epsilon = 1/3, delta = 1/300), substitute one record"
        );
    }

    #[test]
    fn rho_prints_with_its_relation() {
        let printed = Zcdp::new(ratio(1, 2), AddOrRemove).unwrap().to_string();
        assert_eq!(printed, "rho = 1/2, add or remove one record");
    }
}
