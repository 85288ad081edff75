//! Numbers of records, drawn with replacement.

use crate::coins::{Coins, CoinsError};
use crate::number::Rational;
use crate::number::range::{at_least_one, require};
use crate::number::rational::{integer, ratio};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// `draws` independent, uniform numbers below `records`: which records a pass reads, one after the other. They do not
/// depend on the data, and are drawn hidden ([`Coins::draw_hidden`]). On a neighbour under substitution the law is the
/// same, and so are the numbers.
///
/// [`Self::at_most`] is the law given that no number occurs more often than that: the same for all data too.
/// What such a pass costs, `privacy::with_replacement` computes; ledger: `bms22.uses`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithReplacement {
    records: usize,
    draws: usize,
    most: usize,
}

impl WithReplacement {
    /// So many draws from so many records, both at least 1.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] for 0 records or draws.
    pub fn new(records: usize, draws: usize) -> Result<Self, CoinsError> {
        at_least_one("the number of records", records as u64).map_err(wrong)?;
        at_least_one("the number of draws", draws as u64).map_err(wrong)?;
        Ok(Self {
            records,
            draws,
            most: draws,
        })
    }

    /// Given that no number occurs more than `most` times. Drawn by rejection of whole sequences, none of which depends
    /// on the data. At least a quarter is accepted, and of up to 8 draws one in 417; with `(most + 1)! >= 4 records` and at
    /// most as many draws as records, three of four.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless `most * records >= draws`: no sequence is so even; and for more than 8 draws if
    /// they are more than the records, or a quarter is not shown to be accepted.
    pub fn at_most(self, most: usize) -> Result<Self, CoinsError> {
        let (draws, records) = (self.draws, self.records);
        let name = "the most uses of one record";
        let possible = most.saturating_mul(records) >= draws;
        require(possible, name, &most, "at least draws / records").map_err(wrong)?;
        if draws > 8 && most < draws {
            let name = "the number of draws";
            require(draws <= records, name, &draws, "at most 8, or records").map_err(wrong)?;
        }
        let quick = draws <= 8 || most >= draws || self.rejects_rarely(most);
        require(
            quick,
            name,
            &most,
            "large enough for a quarter of the sequences",
        )
        .map_err(wrong)?;
        Ok(Self {
            most: most.min(self.draws),
            ..self
        })
    }

    /// Whether at most 3/4 sets of `most + 1` draws are expected to give one number:
    /// `records C(draws, most + 1)/records^(most + 1)`, which falls in `most`.
    fn rejects_rarely(&self, most: usize) -> bool {
        let few = ratio(3, 4);
        let mut expected = integer(self.records);
        for drawn in 0..=most {
            let left = BigInt::from(self.draws.saturating_sub(drawn));
            expected *= Rational::new(left, BigInt::from(drawn + 1) * self.records);
            if expected <= few {
                return true;
            }
        }
        false
    }

    /// Draws a sequence.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn draw(&self, coins: &mut impl Coins) -> Result<Vec<usize>, CoinsError> {
        loop {
            if let Some(sequence) = self.attempt(coins)? {
                return Ok(sequence);
            }
        }
    }

    /// One attempt at a sequence: `None` if a number occurs too often.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn attempt(&self, coins: &mut impl Coins) -> Result<Option<Vec<usize>>, CoinsError> {
        let mut counts = vec![0; self.records];
        let mut sequence = Vec::with_capacity(self.draws);
        for _ in 0..self.draws {
            let record = self.record(coins)?;
            counts[record] += 1;
            // Whatever would follow: the whole sequence is rejected.
            if counts[record] > self.most {
                return Ok(None);
            }
            sequence.push(record);
        }
        Ok(Some(sequence))
    }

    /// How many records there are.
    #[must_use]
    pub fn records(&self) -> usize {
        self.records
    }

    /// How many draws one sequence has.
    #[must_use]
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// How often one number may occur: `draws` if nothing else was asked for.
    #[must_use]
    pub fn most(&self) -> usize {
        self.most
    }

    /// Whether this is a sequence of the law.
    #[must_use]
    pub fn contains(&self, sequence: &[usize]) -> bool {
        let mut counts = vec![0; self.records];
        sequence.len() == self.draws
            && sequence.iter().all(|&record| {
                counts.get_mut(record).is_some_and(|count| {
                    *count += 1;
                    *count <= self.most
                })
            })
    }

    /// How many sequences the law has, all of them equally likely: `sum over j of C(n, j) c(n - j)`, record by record.
    /// Its time grows with `records * draws * most`: it is for small sizes, and no draw asks for it.
    #[must_use]
    pub fn sequences(&self) -> BigInt {
        if self.most == self.draws {
            return BigInt::from(self.records).pow(self.draws as u32);
        }
        // Those of length n from the records so far.
        let mut counts = vec![BigInt::zero(); self.draws + 1];
        counts[0] = BigInt::one();
        for _ in 0..self.records {
            for n in (0..=self.draws).rev() {
                let mut binomial = BigInt::one();
                let mut sum = BigInt::zero();
                for j in 0..=self.most.min(n) {
                    sum += &binomial * &counts[n - j];
                    binomial = binomial * (n - j) / (j + 1);
                }
                counts[n] = sum;
            }
        }
        counts.swap_remove(self.draws)
    }

    /// A uniform number below `records`.
    fn record(&self, coins: &mut impl Coins) -> Result<usize, CoinsError> {
        let record = coins.uniform_below(&BigUint::from(self.records))?;
        record.to_usize().ok_or(CoinsError::NoOutcome)
    }
}

fn wrong(wrong: crate::number::OutOfRange) -> CoinsError {
    CoinsError::Parameter {
        law: "draws with replacement",
        wrong,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_of_which_few_sequences_are_accepted_is_refused() {
        let of = |records, draws, most| {
            WithReplacement::new(records, draws)
                .unwrap()
                .at_most(most)
                .is_ok()
        };
        // Of 1,000 draws of 1,000 records 1.4 sets of six are expected to give one record, and a fifth of a set of seven.
        assert!(!of(1000, 1000, 1) && !of(1000, 1000, 5) && of(1000, 1000, 6));
        assert!(!of(3, 3, 0) && of(8, 8, 1) && !of(9, 9, 1) && !of(8, 9, 8) && of(8, 9, 9));
        assert!(of(3, 3, usize::MAX) && of(9, 9, 9) && of(5, 1, 1));
        // 1 set of seven draws of one record is expected, and an eighth of a set of eight.
        assert!(!of(5040, 5040, 6) && of(5040, 5040, 7));
    }
}
