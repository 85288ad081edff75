//! The discrete Gaussian law, prepared.

use super::cumulative::{GUARD, LARGEST_SCALE, at_most, gaussian_weights, shares, within_reach};
use super::drawn::{CHUNK, Drawn, pick_around};
use super::gaussian_cells::{beyond, gaussian_reach, half_gaussian};
use super::squeeze::Squeeze;
use crate::coins::{Coins, CoinsError, Table};
use crate::number::Rational;
use crate::sample::DiscreteGaussian;
use num_bigint::{BigInt, BigUint};

/// A [`DiscreteGaussian`] law, prepared (ledger: `sample.prepared-gaussian`).
///
/// Up to variance `2^12` it is one table. Beyond, a magnitude is `h 2^b + l` with a cell `h` from a table and a uniform
/// `l < 2^b`: the proposal's probabilities are those at the cell's start, so that it is accepted with probability
/// `exp(-(2 h 2^b + l) l / (2 variance))`, which is above 98 % on average and squeezed between two cheap bounds.
#[derive(Debug, Clone)]
pub struct PreparedGaussian {
    law: DiscreteGaussian,
    shape: Shape,
}

#[derive(Debug, Clone)]
enum Shape {
    /// The integers from `-reach` to `reach`, and one place for all that is beyond.
    Narrow {
        table: Table,
        reach: i64,
    },
    Wide(Wide),
}

/// Cells of width `2^low_bits`; the last place of the table is for all cells beyond.
#[derive(Debug, Clone)]
struct Wide {
    cells: Table,
    low_bits: u32,
    squeeze: Squeeze,
    // For each cell of the table, a lower bound of the probability that a place in it is accepted, in steps of 2^-64.
    outright: Vec<u64>,
}

const NAME: &str = "prepared discrete Gaussian";

/// Up to this variance one table holds all.
const LARGEST_NARROW: u64 = 1 << 12;

/// A cell is between 1/64 and 1/128 of the standard deviation wide.
const CELLS_BITS: u32 = 6;

impl PreparedGaussian {
    /// Prepares `law`.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] unless the variance is between `2^-80` and `2^80`; those of the enclosures.
    pub fn new(law: &DiscreteGaussian) -> Result<Self, CoinsError> {
        let variance = law.variance();
        let largest = u128::from(LARGEST_SCALE).pow(2);
        within_reach(NAME, "variance", variance, largest)?;
        let shape = if at_most(variance, LARGEST_NARROW) {
            let reach = gaussian_reach(variance);
            Shape::Narrow {
                table: narrow(variance, reach)?,
                reach: reach as i64,
            }
        } else {
            // 2^b <= sigma / 64 < 2^(b + 1)
            let low_bits = sigma_bits(variance) - 1 - CELLS_BITS;
            let cells = half_gaussian(&in_cells(variance, low_bits))?;
            let squeeze = Squeeze::new(&(variance.recip() / BigInt::from(2)));
            // At the last place of the cell.
            let last = (1 << low_bits) - 1;
            let bound = |cell: u64| squeeze.outright(squares(cell << low_bits, last));
            Shape::Wide(Wide {
                outright: (0..cells.places() as u64 - 1).map(bound).collect(),
                cells,
                low_bits,
                squeeze,
            })
        };
        Ok(Self {
            law: law.clone(),
            shape,
        })
    }

    /// The law.
    #[must_use]
    pub fn law(&self) -> &DiscreteGaussian {
        &self.law
    }

    /// Fills `out` with independent draws.
    ///
    /// # Errors
    /// Those of the coins; [`CoinsError::TooLarge`] if a draw does not fit, with probability below `e^-100000` each.
    pub fn fill(&self, coins: &mut impl Coins, out: &mut [i64]) -> Result<(), CoinsError> {
        match &self.shape {
            Shape::Narrow { table, reach } => {
                for chunk in out.chunks_mut(CHUNK) {
                    if pick_around(table, *reach, coins, chunk)? {
                        for value in chunk.iter_mut().filter(|value| **value > *reach) {
                            *value = self.beyond(*reach, coins)?.small(NAME)?;
                        }
                    }
                }
            }
            Shape::Wide(wide) => {
                // 1. The cells. 2. and 3. What is rejected is drawn again, cell and all.
                coins.pick_each(&wide.cells, out)?;
                for value in out {
                    *value = match self.attempt(wide, *value as usize, coins)? {
                        Attempt::Accepted(accepted) => accepted,
                        Attempt::Rejected => self.drawn(coins)?.small(NAME)?,
                        Attempt::Beyond(rest) => match self.attempt_beyond(wide, rest, coins)? {
                            Some(accepted) => accepted.small(NAME)?,
                            None => self.drawn(coins)?.small(NAME)?,
                        },
                    };
                }
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn drawn<C: Coins>(&self, coins: &mut C) -> Result<Drawn, CoinsError> {
        match &self.shape {
            Shape::Narrow { table, reach } => {
                let place = coins.pick(table)?;
                if place + 1 < table.places() {
                    return Ok(Drawn::Small(place as i64 - reach));
                }
                self.beyond(*reach, coins)
            }
            Shape::Wide(wide) => loop {
                // 1. A cell.
                let cell = coins.pick(&wide.cells)?;
                match self.attempt(wide, cell, coins)? {
                    Attempt::Accepted(accepted) => return Ok(Drawn::Small(accepted)),
                    Attempt::Rejected => {}
                    Attempt::Beyond(rest) => {
                        if let Some(accepted) = self.attempt_beyond(wide, rest, coins)? {
                            return Ok(accepted);
                        }
                    }
                }
            },
        }
    }

    /// Both tails of a narrow law.
    #[cold]
    fn beyond<C: Coins>(&self, reach: i64, coins: &mut C) -> Result<Drawn, CoinsError> {
        let negative = coins.bits(1)? == 1;
        let magnitude = beyond(reach as usize + 1, self.law.variance(), coins)?;
        Ok(signed(negative, magnitude))
    }

    /// One attempt of a wide draw, from a cell.
    #[inline(always)]
    fn attempt<C: Coins>(
        &self,
        wide: &Wide,
        cell: usize,
        coins: &mut C,
    ) -> Result<Attempt, CoinsError> {
        // 2. A sign, and a place in the cell.
        let word = coins.bits(wide.low_bits + 1)?;
        let (negative, low) = (word & 1 == 1, word >> 1);
        let Some(&outright) = wide.outright.get(cell) else {
            return Ok(Attempt::Beyond(word));
        };
        let start = (cell as u64) << wide.low_bits;
        let magnitude = start + low;
        // 3. Zero has two signs: -0 is rejected.
        if negative && magnitude == 0 {
            return Ok(Attempt::Rejected);
        }
        // 4. Accepted with probability exp(-(2 start + l) l / (2 variance)), which is 1 at the cell's start.
        let n = || squares(start, low);
        if low != 0 && !wide.squeeze.accepts(n, outright, coins)? {
            return Ok(Attempt::Rejected);
        }
        // The sign without a branch, which would be wrong half the time.
        let sign = -i64::from(negative);
        Ok(Attempt::Accepted((magnitude as i64 ^ sign) - sign))
    }

    /// The same from the cells beyond the table on.
    #[cold]
    fn attempt_beyond<C: Coins>(
        &self,
        wide: &Wide,
        word: u64,
        coins: &mut C,
    ) -> Result<Option<Drawn>, CoinsError> {
        let (negative, low) = (word & 1 == 1, word >> 1);
        let first = wide.cells.places() - 1;
        let cell = beyond(first, &in_cells(self.law.variance(), wide.low_bits), coins)?;
        let start = cell << wide.low_bits;
        let squares = BigInt::from((&start * 2u32 + low) * low);
        let exponent = Rational::from(squares) / (self.law.variance() * BigInt::from(2));
        let accepted = coins.bernoulli_exp(&exponent)?;
        Ok(accepted.then(|| signed(negative, start + low)))
    }
}

/// `(start + l)^2 - start^2`
#[inline]
fn squares(start: u64, low: u64) -> u128 {
    u128::from(2 * start + low) * u128::from(low)
}

/// How an attempt ends.
enum Attempt {
    Accepted(i64),
    Rejected,
    /// The cell lies beyond the table; the sign and the place in the cell, as drawn.
    Beyond(u64),
}

fn signed(negative: bool, magnitude: BigUint) -> Drawn {
    let magnitude = BigInt::from(magnitude);
    Drawn::of(if negative { -magnitude } else { magnitude })
}

/// The variance counted in squared cells.
fn in_cells(variance: &Rational, low_bits: u32) -> Rational {
    variance / (BigInt::from(1) << (2 * low_bits))
}

/// How many binary digits the integer part of the standard deviation has.
fn sigma_bits(variance: &Rational) -> u32 {
    variance.floor().to_integer().sqrt().bits() as u32
}

/// The law on `-reach..=reach`, and one place for what is beyond.
fn narrow(variance: &Rational, reach: usize) -> Result<Table, CoinsError> {
    let law = DiscreteGaussian::new(variance.clone())?;
    let label = format!("discrete Gaussian of variance {variance} up to {reach}");
    Table::new(label, move |bits| {
        let bits = bits + GUARD;
        let weights = gaussian_weights(law.variance(), reach + 1, bits)?;
        let in_order = weights[1..].iter().rev().chain(&weights);
        shares(in_order, &law.normaliser(bits)?, bits)
    })
}
