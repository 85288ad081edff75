//! Theorem 6.1: the learner with private labels.

use super::{Guarantee, of};
use crate::margin::MarginError;
use crate::number::Rational;
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, zero_to_one};
use crate::number::rational::{integer, to_scientific_above};

/// A run of the learner with private labels ([`mod@crate::margin::labels`]), by what is public of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRun {
    /// The records, `m`.
    pub records: u64,
    /// The hypotheses, `|H|`; the cover has no more.
    pub hypotheses: u64,
    /// The privacy parameter.
    pub epsilon: Rational,
    /// The probability with which the guarantee may fail.
    pub beta: Rational,
}

impl LabelRun {
    /// What the run guarantees if some hypothesis has the margin loss `margin_loss` at `rho` on the data. With probability
    /// `1 - beta/2` each:
    ///
    /// 1. the one chosen has a margin loss at `rho/2` of at most `B = margin_loss + (2/(epsilon m)) ln(2 |H|/beta)`;
    /// 2. its error on the distribution is at most `B + a + sqrt(a^2 + 2 a B)`, `a = ln(2 |H|/beta)/m`.
    ///
    /// Proof: `spec/margin.md`, `bms22.thm6_1`.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a parameter outside its range; those of the enclosures.
    pub fn guarantee(&self, margin_loss: &Rational) -> Result<Guarantee, MarginError> {
        at_least_one("the number of records", self.records)?;
        at_least_one("the number of hypotheses", self.hypotheses)?;
        above_zero("epsilon", &self.epsilon)?;
        above_zero_below_one("beta", &self.beta)?;
        zero_to_one("the margin loss", margin_loss)?;
        let odds = of(&(integer(2) * integer(self.hypotheses) / &self.beta)).ln()?;
        let rate = integer(2) / (&self.epsilon * integer(self.records));
        let by_the_choice = (&odds * of(&rate)).upper();
        let training = margin_loss + &by_the_choice;
        let reason = format!("{} by the choice", to_scientific_above(&by_the_choice, 3));
        Guarantee::of_class(training, &odds, self.records, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{ratio, to_scientific};

    fn run(records: u64, hypotheses: u64) -> LabelRun {
        LabelRun {
            records,
            hypotheses,
            epsilon: integer(1),
            beta: ratio(1, 10),
        }
    }

    #[test]
    fn a_bound_by_hand() {
        // ln(20000) = 9.903488: B = 19.806975/1000, a = 9.903488/1000, and
        // B + a + sqrt(a^2 + 2 a B) = 0.029710 + sqrt(9.8079e-5 + 3.92316e-4) = 0.029710 + 0.022145.
        let found = run(1000, 1000).guarantee(&integer(0)).unwrap();
        assert_eq!(to_scientific(&found.training.unwrap(), 4), "0.01981");
        assert_eq!(to_scientific(&found.alpha.unwrap(), 4), "0.05186");
        let none = run(10, 1000).guarantee(&integer(0)).unwrap();
        assert!(none.alpha.is_none());
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(run(0, 1).guarantee(&integer(0)).is_err());
        assert!(run(1, 0).guarantee(&integer(0)).is_err());
        assert!(run(1, 1).guarantee(&integer(2)).is_err());
    }
}
