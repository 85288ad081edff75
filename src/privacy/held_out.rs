//! How a model errs on records that were held out from it: the sum of their errors, released with noise.
//!
//! Which records are held out goes by their places, and nothing is computed of all records before. Then a record is learned
//! from or held out, never both, and under substitution the release costs nothing beside a model that has the same epsilon
//! (`spec/meter.md`, Theorem 10).

use super::PrivacyError;
use crate::coins::{Coins, Promise, Stage};
use crate::law::Noise;
use crate::number::Rational;
use crate::number::range::{above_zero, at_least_one, require};
use crate::sample::DiscreteLaplace;
use num_bigint::BigInt;

/// The release of the sum of errors, each an integer from 0 to the largest: of two classes 1 for a wrong one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldOut {
    records: u64,
    largest: u64,
    epsilon: Rational,
    noise: DiscreteLaplace,
}

impl HeldOut {
    /// For so many records, whose errors are at most `largest`: `(epsilon, 0)`-private under substitution of one of them,
    /// and of one label.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless all three are above 0.
    pub fn new(records: u64, largest: u64, epsilon: &Rational) -> Result<Self, PrivacyError> {
        at_least_one("the number of held-out records", records)?;
        at_least_one("the largest error", largest)?;
        above_zero("epsilon", epsilon)?;
        Ok(Self {
            records,
            largest,
            epsilon: epsilon.clone(),
            noise: DiscreteLaplace::new(Rational::from_integer(largest.into()) / epsilon)?,
        })
    }

    /// How many records are held out: public.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The largest error that one record adds.
    #[must_use]
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// The noise around the sum: substitution moves the sum by at most the largest error.
    #[must_use]
    pub fn noise(&self) -> &DiscreteLaplace {
        &self.noise
    }

    /// The sum of the errors with noise. An error above the largest counts as that.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] for another number of records, which is public; those of the coins.
    pub fn release(&self, errors: &[u64], coins: &mut impl Coins) -> Result<BigInt, PrivacyError> {
        let (count, expected) = (errors.len() as u64, "as many as were stated");
        require(
            count == self.records,
            "the number of held-out records",
            &count,
            expected,
        )?;
        let promise = Promise::Pure(self.epsilon.clone());
        coins.stage(&Stage::once("the held-out errors", promise).apart());
        let errors = errors.iter().map(|&error| error.min(self.largest));
        let sum: u128 = errors.map(u128::from).sum();
        Ok(coins.draw(&self.noise.around(sum))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Meter, Outcomes};
    use crate::number::rational::{integer, ratio};
    use crate::privacy::meter::meter;
    use crate::privacy::{Budget, NeighbouringRelation};

    /// A model of the first records, which is their noisy sum, and the errors of the others.
    fn learn(
        data: &[u64],
        coins: &mut Meter,
        split: impl Fn(&[u64]) -> (Vec<u64>, Vec<u64>),
    ) -> Result<[BigInt; 2], PrivacyError> {
        let (learned, held_out) = split(data);
        let epsilon = ratio(1, 2);
        coins.stage(&Stage::once("the model", Promise::Pure(epsilon.clone())));
        let noise = DiscreteLaplace::new(integer(2))?;
        let model = coins.draw(&noise.around(learned.iter().sum::<u64>()))?;
        let errors = HeldOut::new(held_out.len() as u64, 1, &epsilon)?;
        Ok([model, errors.release(&held_out, coins)?])
    }

    fn faults(
        second: [u64; 4],
        split: impl Fn(&[u64]) -> (Vec<u64>, Vec<u64>) + Sync,
    ) -> Vec<String> {
        let claim = Budget::pure(ratio(1, 2), NeighbouringRelation::Substitute).unwrap();
        let learner = |data: &[u64], coins: &mut Meter| {
            learn(data, coins, &split).map_err(|error| error.to_string())
        };
        let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
        let first = [1, 0, 1, 0];
        meter(learner, &first[..], &second[..], outcomes, &claim)
            .unwrap()
            .faults()
    }

    #[test]
    fn a_model_and_its_held_out_errors_cost_one_epsilon() {
        let by_place = |data: &[u64]| (data[..2].to_vec(), data[2..].to_vec());
        for second in [[0, 0, 1, 0], [1, 1, 1, 0], [1, 0, 0, 0], [1, 0, 1, 1]] {
            assert_eq!(faults(second, by_place), Vec::<String>::new());
        }
    }

    #[test]
    fn held_out_by_content_both_parts_change() {
        let by_content = |data: &[u64]| {
            let mut sorted = data.to_vec();
            sorted.sort_unstable();
            (sorted[..2].to_vec(), sorted[2..].to_vec())
        };
        // Two of 0 and two of 1; with 0, 0, 0, 1 the held-out part alone changes, and with 0, 1, 1, 1 the other.
        assert_eq!(faults([0, 0, 1, 0], by_content), Vec::<String>::new());
        // By the first record, which says whose turn it is.
        let by_the_first = |data: &[u64]| match data[0] {
            0 => (data[..2].to_vec(), data[2..].to_vec()),
            _ => (vec![data[0], data[2]], vec![data[1], data[3]]),
        };
        let found = faults([0, 0, 1, 0], by_the_first);
        let named = |fault: &String| fault.contains("read the same record");
        assert!(found.iter().any(named), "{found:?}");
    }

    #[test]
    fn a_large_error_counts_as_the_largest_and_other_numbers_are_refused() {
        let release = HeldOut::new(2, 3, &integer(4)).unwrap();
        assert_eq!(release.noise().scale(), &ratio(3, 4));
        let told = |errors: &[u64]| {
            let mut coins = ChaCha::reproducible(5, 0);
            release.release(errors, &mut coins)
        };
        assert_eq!(told(&[1, 9]), told(&[1, 3]));
        let refused = told(&[1]).unwrap_err().to_string();
        assert!(refused.contains("as many as were stated"), "{refused}");
        for (records, largest, epsilon) in [(0, 1, 1), (1, 0, 1), (1, 1, 0)] {
            assert!(HeldOut::new(records, largest, &integer(epsilon)).is_err());
        }
    }
}
