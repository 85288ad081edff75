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
    let top = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY {
        return top;
    }
    let (mut sum, mut count) = (0.0, 0.0);
    for log in logs {
        sum += (log - top).exp();
        count += 1.0;
    }
    top + (sum / count).ln() - 1e-9
}
