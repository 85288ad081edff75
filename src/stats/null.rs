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

/// `e^40`, rounded up.
const STEEPEST: u64 = 235_385_266_837_019_986;

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

    /// The hypothesis `p <= slope q + delta` of both orders of the data sets: that of the claim (ln slope, delta).
    ///
    /// # Errors
    /// [`StatsError::Claim`] for a slope outside [1, e^40], to an integer, or a delta outside [0, 1).
    pub fn of_slope(slope: &Rational, delta: &Rational) -> Result<Self, StatsError> {
        let steepest = rational::integer(STEEPEST);
        if *slope < Rational::one()
            || *slope > steepest
            || delta.is_negative()
            || *delta >= Rational::one()
        {
            return Err(StatsError::Claim {
                epsilon: format!("ln {}", rational::shortly(slope)),
                delta: rational::shortly(delta),
            });
        }
        Ok(Self {
            slope: directed::above(slope),
            delta: directed::above(delta),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    #[test]
    fn slope_and_delta_are_not_below_those_of_the_claim() {
        let exactly = |value: f64| rational::from_f64(value).unwrap();
        for parts in 1..60 {
            let (slope, delta) = (ratio(61 + parts, 61), ratio(parts, 61));
            let null = Null::of_slope(&slope, &delta).unwrap();
            assert!(exactly(null.slope) >= slope && exactly(null.delta) >= delta);
            let null = Null::new(&delta, &delta).unwrap();
            let exact = Enclosure::exp_of(&delta, 200).unwrap().lower();
            assert!(exactly(null.slope) >= exact && exactly(null.delta) >= delta);
        }
    }

    #[test]
    fn a_slope_is_the_exponential_of_epsilon() {
        let slope = Enclosure::exp_of(&integer(1), 200).unwrap().upper();
        let [given, computed] = [
            Null::of_slope(&slope, &ratio(1, 3)).unwrap(),
            Null::new(&integer(1), &ratio(1, 3)).unwrap(),
        ];
        assert_eq!(given, computed);
        let steepest = Enclosure::exp_of(&integer(40), 200).unwrap();
        assert_eq!(steepest.upper().ceil().to_integer(), STEEPEST.into());
        assert!(Null::of_slope(&integer(STEEPEST), &integer(0)).is_ok());
        for (slope, delta) in [
            (ratio(99, 100), integer(0)),
            (integer(STEEPEST + 1), integer(0)),
            (integer(2), integer(1)),
            (integer(2), ratio(-1, 9)),
        ] {
            assert!(Null::of_slope(&slope, &delta).is_err());
        }
    }
}
