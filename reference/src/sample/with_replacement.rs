//! Numbers of records, drawn with replacement.

use crate::Error;
use crate::coins::{Coins, Law};
use crate::error::require;
use crate::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// `draws` independent, uniform numbers below `records`, given that no number occurs more than `most` times: which records a
/// pass reads, one after the other (ledger: `bms22.uses`). They do not depend on the data, and are never published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithReplacement {
    records: usize,
    draws: usize,
    most: usize,
}

impl WithReplacement {
    /// The law; `most = draws` asks for nothing.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for 0 records or draws, and unless `most records >= draws`: no sequence is so even.
    pub fn new(records: usize, draws: usize, most: usize) -> Result<Self, Error> {
        require(records > 0, "the number of records")?;
        require(draws > 0, "the number of draws")?;
        require(
            most.saturating_mul(records) >= draws,
            "the most uses of one record",
        )?;
        Ok(Self {
            records,
            draws,
            most,
        })
    }

    /// How many records there are, how many draws, and how often one number may occur.
    #[must_use]
    pub fn parts(&self) -> [usize; 3] {
        [self.records, self.draws, self.most]
    }

    /// How many sequences there are, all of them equally likely: `sum over j <= most of C(n, j) c(n - j)`, record by record.
    fn sequences(&self) -> BigInt {
        // Those of length n from the records so far.
        let mut counts = vec![BigInt::zero(); self.draws + 1];
        counts[0] = BigInt::one();
        for _ in 0..self.records {
            for n in (0..=self.draws).rev() {
                let (mut binomial, mut sum) = (BigInt::one(), BigInt::zero());
                for j in 0..=self.most.min(n) {
                    sum += &binomial * &counts[n - j];
                    binomial = binomial * (n - j) / (j + 1);
                }
                counts[n] = sum;
            }
        }
        counts.swap_remove(self.draws)
    }
}

impl Law for WithReplacement {
    type Outcome = Vec<usize>;

    /// Whole sequences, until one is even enough. A sequence is given up at the first number that occurs too often.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<usize>, Error> {
        'attempt: loop {
            let mut counts = vec![0; self.records];
            let mut sequence = Vec::new();
            for _ in 0..self.draws {
                let record = coins.uniform_below(&BigUint::from(self.records))?;
                let record = record
                    .to_usize()
                    .ok_or(Error::OutOfRange("the number of records"))?;
                counts[record] += 1;
                if counts[record] > self.most {
                    continue 'attempt;
                }
                sequence.push(record);
            }
            return Ok(sequence);
        }
    }

    fn pmf(&self, sequence: &Vec<usize>, bits: u32) -> Result<Enclosure, Error> {
        let mut counts = vec![0; self.records];
        let fits = sequence.len() == self.draws
            && sequence.iter().all(|&record| {
                counts.get_mut(record).is_some_and(|count| {
                    *count += 1;
                    *count <= self.most
                })
            });
        if !fits {
            return Ok(Enclosure::integer(0, bits));
        }
        let one_of = Rational::new(BigInt::one(), self.sequences());
        Ok(Enclosure::of(&one_of, bits))
    }
}
