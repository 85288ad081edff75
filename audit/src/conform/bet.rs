//! A bet on cells that is the same at each call.

use dp_assay::stats::Wealth;

/// More than the logarithm of a factor errs by: a sum of products of at most 107 positive numbers, a quotient, a
/// logarithm.
pub const ROUNDING: f64 = 1.0 / (1u64 << 40) as f64;

/// A bet that is the same at each call.
pub struct Bet {
    /// For each cell, the logarithm of the factor.
    factors: Vec<f64>,
    /// What it has won.
    pub wealth: Wealth,
}

impl Bet {
    /// The bet whose factors are in these proportions, and of mean 1 for the probabilities `up`.
    pub fn new(proportions: &[f64], up: &[f64]) -> Self {
        let mean: f64 = proportions.iter().zip(up).map(|(r, p)| r * p).sum();
        Self {
            factors: proportions.iter().map(|r| (r / mean).ln()).collect(),
            wealth: Wealth::START,
        }
    }

    /// Bets on an output, in that cell.
    pub fn update(&mut self, cell: usize) {
        self.wealth = self.wealth.times(self.factors[cell], ROUNDING);
    }

    /// The factors, for tests.
    #[cfg(test)]
    pub fn factors(&self) -> impl Iterator<Item = f64> {
        self.factors.iter().map(|log| log.exp())
    }
}
