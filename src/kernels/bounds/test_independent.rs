//! Theorem 8 as printed, with 1 for its constant, and the displays of its proof.

use crate::number::rational::integer;
use crate::number::{Enclosure, NumberError, Rational};
use crate::privacy::Budget;
use num_bigint::BigInt;

const BITS: u32 = 128;

/// What Theorem 8 speaks of.
#[derive(Debug, Clone)]
pub struct Printed {
    /// `L`.
    pub lipschitz: Rational,
    /// `lambda`.
    pub penalty: Rational,
    /// `n`.
    pub records: Rational,
    /// `R`.
    pub bound: Rational,
    /// `d`.
    pub dimension: Rational,
    /// `L_phi`.
    pub of_features: Rational,
    /// The budget.
    pub budget: Budget,
    /// `beta`.
    pub failure: Rational,
}

impl Printed {
    /// `R d^(1/3) L^(8/3) ln(L_phi) ln(1/beta) ln(1/delta)^2/((lambda^2 n)^(2/3) sqrt(epsilon))`: the error.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn error(&self) -> Result<Enclosure, NumberError> {
        let square = &self.penalty * &self.penalty * &self.records;
        let powers = power(&self.dimension, 1)? * power(&self.lipschitz, 8)?;
        let scale = power(&square, 2)? * Enclosure::of(self.budget.epsilon(), BITS).sqrt()?;
        let outer = Enclosure::of(&self.bound, BITS) * powers * self.logarithms()?;
        outer.divided_by(&scale)
    }

    /// `|w*| R^2 d^(1/3) L^(2/3) ln(L_phi) ln(1/delta)^2 ln(1/beta)/((lambda n)^(2/3) sqrt(epsilon))`: the last display of the
    /// proof, for predictions.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn last_display(&self, norm: &Rational) -> Result<Enclosure, NumberError> {
        let powers = power(&self.dimension, 1)? * power(&self.lipschitz, 2)?;
        let scale = power(&(&self.penalty * &self.records), 2)?
            * Enclosure::of(self.budget.epsilon(), BITS).sqrt()?;
        let outer = Enclosure::of(&(norm * &self.bound * &self.bound), BITS);
        (outer * powers * self.logarithms()?).divided_by(&scale)
    }

    /// The two terms of the display before it: `|w*| R/(2 sigma epsilon)`, and
    /// `d L^2 R^6 ln(L_phi) ln(1/beta) |w*|^2/(sigma^2 lambda^2 n^2 epsilon)`.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn terms(&self, norm: &Rational, sigma: &Rational) -> Result<[Enclosure; 2], NumberError> {
        let epsilon = self.budget.epsilon();
        let first = norm * &self.bound / (sigma * epsilon * BigInt::from(2));
        let cube = &self.bound * &self.bound * &self.bound;
        let up = &self.lipschitz * norm * cube;
        let down = sigma * &self.penalty * &self.records;
        let square = &up * &up * &self.dimension / (&down * &down * epsilon);
        let of = |value: &Rational| Enclosure::of(value, BITS);
        let logarithms = of(&self.of_features).ln()? * -of(&self.failure).ln()?;
        Ok([of(&first), of(&square) * logarithms])
    }

    /// `ln(L_phi) ln(1/beta) ln(1/delta)^2`.
    fn logarithms(&self) -> Result<Enclosure, NumberError> {
        let of = |value: &Rational| Enclosure::of(value, BITS).ln();
        Ok(of(&self.of_features)? * -of(&self.failure)? * of(self.budget.delta())?.squared())
    }
}

/// `value^(thirds/3)`.
fn power(value: &Rational, thirds: i64) -> Result<Enclosure, NumberError> {
    let logarithm = Enclosure::of(value, BITS).ln()?;
    let exponent = integer(thirds) / BigInt::from(3);
    (Enclosure::of(&exponent, BITS) * logarithm).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{parse, ratio};
    use crate::privacy::NeighbouringRelation::Substitute;

    #[test]
    fn what_is_printed_has_the_values_of_another_program() {
        let printed = Printed {
            lipschitz: integer(2),
            penalty: ratio(1, 4),
            records: integer(1_000_000),
            bound: integer(3),
            dimension: integer(5),
            of_features: integer(7),
            budget: Budget::approximate(ratio(1, 2), ratio(1, 1_000_000), Substitute).unwrap(),
            failure: ratio(1, 20),
        };
        let near = |found: Enclosure, value: &str| {
            let known = parse(value).unwrap();
            let apart = (found.upper() - &known) / known;
            assert!(apart < ratio(1, 1000) && apart > ratio(-1, 1000), "{found}");
        };
        near(printed.error().unwrap(), "32.54462");
        near(printed.last_display(&integer(11)).unwrap(), "106.5516");
        let [first, second] = printed.terms(&integer(11), &integer(13)).unwrap();
        near(first, "2.538462");
        near(second, "1.947296e-6");
    }
}
