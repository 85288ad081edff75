//! Wealth, as logarithms that are too low by more than they err.

/// Subtracted from each logarithm, for the rounding of the bet.
const SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// The sum of two logarithms, lowered by more than it errs.
pub fn multiplied(wealth: f64, factor: f64) -> f64 {
    let sum = wealth + factor - SLACK;
    sum - sum.abs() * f64::EPSILON
}

/// The logarithm of the mean of what has these logarithms, lowered by more than it errs.
pub fn log_mean(logs: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = logs.clone().count() as f64;
    log_sum(logs.map(|log| (1.0 / count, log)))
}

/// The logarithm of the sum of what has these weights, of sum at most 1, and logarithms, lowered by more than it errs.
pub fn log_sum(parts: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let top = parts
        .clone()
        .fold(f64::NEG_INFINITY, |top, (_, log)| top.max(log));
    if top == f64::NEG_INFINITY {
        return top;
    }
    let sum: f64 = parts.map(|(weight, log)| weight * (log - top).exp()).sum();
    top + sum.ln() - 1e-9
}

/// A bet that is the same at each call.
pub struct Bet {
    /// What the outputs are like if it wins, in words.
    pub says: String,
    /// For each cell, the logarithm of the factor.
    factors: Vec<f64>,
    /// The logarithm of what it has won.
    pub wealth: f64,
}

impl Bet {
    /// The bet whose factors are in these proportions, and of mean 1 for the probabilities `up`.
    pub fn new(says: String, proportions: &[f64], up: &[f64]) -> Self {
        let mean: f64 = proportions.iter().zip(up).map(|(r, p)| r * p).sum();
        Self {
            says,
            factors: proportions.iter().map(|r| (r / mean).ln()).collect(),
            wealth: 0.0,
        }
    }

    /// Bets on an output, in that cell.
    pub fn update(&mut self, cell: usize) {
        self.wealth = multiplied(self.wealth, self.factors[cell]);
    }

    /// The factors, for tests.
    #[cfg(test)]
    pub fn factors(&self) -> impl Iterator<Item = f64> {
        self.factors.iter().map(|log| log.exp())
    }
}
