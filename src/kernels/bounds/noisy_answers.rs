//! What a round of Algorithm 1 may cost, in closed form: Theorem 9, line 2 of Algorithm 1, and ours from Theorem A.
//!
//! The *loss of a round* is `s = S eps_0`, where `S` is what a substituted record moves a prediction by at most and
//! `1/eps_0` is the scale of the noise. `B` bounds the number of updates, in all rounds together. The sharpest loss that
//! we can prove is [`privacy::noisy_answers::largest_loss`](crate::privacy::noisy_answers::largest_loss).

use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require};
use crate::number::rational::integer;
use crate::number::{Enclosure, NumberError, Rational};
use crate::privacy::{Budget, PrivacyError};

const BITS: u32 = 128;

/// `s = epsilon/(3 sqrt(B) ln(1/delta))`, rounded down: Corollary A1 (`jt13.corA1`). With `updates = B` of them the rounds
/// are (epsilon, delta)-private, under the relation under which a round is.
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `updates >= 1`, `0 < delta <= e^-5` and `epsilon <= ln(1/delta)/5`; those of the
/// real functions.
pub fn closed_loss(updates: u64, budget: &Budget) -> Result<Rational, PrivacyError> {
    at_least_one("the number of updates", updates)?;
    above_zero_below_one("delta", budget.delta())?;
    let logarithm = -Enclosure::of(budget.delta(), BITS).ln()?;
    let enough = budget.epsilon().max(&integer(1)) * integer(5);
    let expected = "at most e^(-5 epsilon), and at most e^-5";
    let right = logarithm.lower() >= enough;
    require(right, "delta", budget.delta(), expected)?;
    loss(&integer(updates), budget.epsilon(), 3, &logarithm)
}

/// `s = epsilon/(100 sqrt(B) ln(4/delta))`, rounded down: what lines 1 and 2 of Algorithm 1 come to with
/// `S = 2 L R^2/(lambda n)` of the paper's (3). `B > 0` is real, as printed. Private for `B >= 1` (`jt13.corA2`); not
/// for small ones (`jt13.thm2`).
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `updates > 0` and `0 < delta < 1`; those of the real functions.
pub fn printed_loss(updates: &Rational, budget: &Budget) -> Result<Rational, PrivacyError> {
    above_zero("the number of updates", updates)?;
    loss(updates, budget.epsilon(), 100, &four_over_delta(budget)?)
}

/// `s = epsilon/(200 sqrt(B) ln(4/delta))`, rounded down: Theorem 9 (`jt13.thm9`), half of [`printed_loss`].
///
/// # Errors
/// Those of [`printed_loss`].
pub fn theorem_9_loss(updates: u64, budget: &Budget) -> Result<Rational, PrivacyError> {
    at_least_one("the number of updates", updates)?;
    let four = four_over_delta(budget)?;
    loss(&integer(updates), budget.epsilon(), 200, &four)
}

/// `ln(4/delta)`.
fn four_over_delta(budget: &Budget) -> Result<Enclosure, PrivacyError> {
    above_zero_below_one("delta", budget.delta())?;
    Ok(Enclosure::of(&(integer(4) / budget.delta()), BITS).ln()?)
}

/// `epsilon/(constant sqrt(updates) logarithm)`, rounded down.
fn loss(
    updates: &Rational,
    epsilon: &Rational,
    constant: u32,
    logarithm: &Enclosure,
) -> Result<Rational, PrivacyError> {
    let root = Enclosure::of(updates, BITS).sqrt()?;
    let divisor = Enclosure::integer(constant, BITS) * root * logarithm;
    let found: Result<Enclosure, NumberError> = Enclosure::of(epsilon, BITS).divided_by(&divisor);
    Ok(found?.with_bits(64).lower())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, ratio};
    use crate::privacy::NeighbouringRelation::Substitute;

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    #[test]
    fn losses_have_the_values_of_another_program() {
        let budget = budget("1", "1e-6");
        let near = |found: Rational, value: &str| {
            let known = parse(value).unwrap();
            let apart = (&found - &known) / known;
            assert!(apart < ratio(1, 1000) && apart > ratio(-1, 1000), "{found}");
        };
        near(closed_loss(1, &budget).unwrap(), "0.02412747");
        near(closed_loss(100, &budget).unwrap(), "0.002412747");
        near(printed_loss(&integer(1), &budget).unwrap(), "6.578e-4");
        near(printed_loss(&ratio(1, 4), &budget).unwrap(), "13.156e-4");
        near(theorem_9_loss(1, &budget).unwrap(), "3.289e-4");
    }

    #[test]
    fn what_the_closed_form_is_not_proved_for_is_refused() {
        assert!(closed_loss(0, &budget("1", "1e-6")).is_err());
        assert!(closed_loss(1, &budget("1", "0.0068")).is_err());
        assert!(closed_loss(1, &budget("1", "0.0067")).is_ok());
        assert!(closed_loss(1, &budget("3", "1e-6")).is_err());
        assert!(printed_loss(&integer(0), &budget("1", "1e-6")).is_err());
        assert!(printed_loss(&integer(1), &budget("1", "0")).is_err());
        assert!(theorem_9_loss(0, &budget("1", "1e-6")).is_err());
    }
}
