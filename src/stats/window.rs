//! The binomial distribution around its mode, in floats, with a bound on every error.
//!
//! Only `+ - * /`, which IEEE 754 rounds correctly: no logarithm, no factorial. The weights start at
//! 1 near the mode and follow the ratio of neighbouring terms; the total is then known because
//! probabilities sum to one. With `u = 2^-53` each step errs by a factor within `1 ± 8u` (the odds
//! `2u` and their inverse `3u`, the quotient and two products `3u`), each addition by `1 ± u`, so that over a window of `L`
//! terms a quotient of sums errs by less than a factor `1 ± 32 (L + 2) u`. What lies outside the window is bounded by
//! geometric series.
//!
//! Up to [`MOST_TRIALS`](super::MOST_TRIALS), `2^40`, every count is a double. A standard deviation is then at most `2^19`. Where a
//! weight falls below `cut <= 1e-5`, it is at least 4.7 deviations from the mode, so that neighbours have a ratio below
//! `1 - 8e-6` there; and `cut >= 1e-260` is reached within 35 deviations. So `L < 2^26`, the factor is below `1 + 3e-7`, and the
//! ratio is known well enough for the series.
#![allow(clippy::float_arithmetic)] // judged in a statistical test, rounded to the safe side as above

/// The weights of a binomial distribution in a window around its mode.
pub(super) struct Window {
    trials: u64,
    first: u64,
    /// `tails[i]` is the weight of `first + i` and of all above it in the window.
    tails: Vec<f64>,
    weights: Vec<f64>,
    /// Bounds on the weight that lies outside, on either side.
    below: f64,
    above: f64,
    slack: f64,
}

impl Window {
    /// For `trials` trials of probability `p` in [0, 1], cut off where the weight falls below `cut`
    /// times that of the mode.
    pub(super) fn new(trials: u64, p: f64, cut: f64) -> Self {
        let n = trials as f64;
        let mode = if p >= 1.0 {
            trials
        } else {
            (((n + 1.0) * p) as u64).min(trials)
        };
        let odds = p / (1.0 - p);
        // A division less for each term: they are most of the cost.
        let inverse = 1.0 / odds;
        let mut downwards = Vec::new();
        let mut below = 0.0;
        if p < 1.0 {
            let mut weight = 1.0;
            for k in (1..=mode).rev() {
                let ratio = k as f64 / (trials - k + 1) as f64 * inverse;
                weight *= ratio;
                if weight < cut && ratio < 0.999_999 {
                    below = weight / (1.0 - ratio);
                    break;
                }
                downwards.push(weight);
            }
        }
        let first = mode - downwards.len() as u64;
        let mut weights: Vec<f64> = downwards.into_iter().rev().collect();
        weights.push(1.0);
        let mut above = 0.0;
        if p > 0.0 {
            let mut weight = 1.0;
            for k in mode..trials {
                let ratio = (trials - k) as f64 / (k + 1) as f64 * odds;
                weight *= ratio;
                if weight < cut && ratio < 0.999_999 {
                    // The floor covers odds so small that they lost digits.
                    above = (weight / (1.0 - ratio)).max(1e-280);
                    break;
                }
                weights.push(weight);
            }
        }
        let mut tails = weights.clone();
        for i in (0..tails.len() - 1).rev() {
            tails[i] += tails[i + 1];
        }
        let slack = 32.0 * (weights.len() as f64 + 2.0) * f64::EPSILON / 2.0;
        // 1 - ratio is at least 1e-6, and errs by 1e-9 of itself at most.
        Self {
            trials,
            first,
            tails,
            weights,
            below: below * (1.0 + 1e-6),
            above: above * (1.0 + 1e-6),
            slack,
        }
    }

    /// At least `Pr[X >= k]`.
    pub(super) fn upper_tail_above(&self, k: u64) -> f64 {
        if k <= self.first {
            return 1.0;
        }
        if k > self.trials {
            return 0.0;
        }
        let inside = self.tails.get((k - self.first) as usize).unwrap_or(&0.0);
        ((inside + self.above) / self.tails[0] * (1.0 + self.slack)).min(1.0)
    }

    /// At most `Pr[X >= k]`.
    pub(super) fn upper_tail_below(&self, k: u64) -> f64 {
        if k == 0 {
            return 1.0;
        }
        let index = k.saturating_sub(self.first) as usize;
        let inside = self.tails.get(index).unwrap_or(&0.0);
        inside / (self.tails[0] + self.below + self.above) * (1.0 - 2.0 * self.slack)
    }

    /// At least the expectation of `value(X)`, for a function into [0, 1].
    pub(super) fn mean_above(&self, value: impl Fn(u64) -> f64) -> f64 {
        let sum: f64 = self.sum(value);
        ((sum + self.below + self.above) / self.tails[0] * (1.0 + 2.0 * self.slack)).min(1.0)
    }

    /// At most the expectation of `value(X)`, for a function into [0, 1].
    pub(super) fn mean_below(&self, value: impl Fn(u64) -> f64) -> f64 {
        let sum: f64 = self.sum(value);
        sum / (self.tails[0] + self.below + self.above) * (1.0 - 2.0 * self.slack)
    }

    fn sum(&self, value: impl Fn(u64) -> f64) -> f64 {
        let values = self.weights.iter().zip(self.first..);
        values.map(|(weight, k)| weight * value(k)).sum()
    }

    /// The last number in the window.
    pub(super) fn last(&self) -> u64 {
        self.first + (self.weights.len() - 1) as u64
    }

    /// The first number in the window.
    pub(super) fn first(&self) -> u64 {
        self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::{Enclosure, rational};
    use crate::stats::binomial;

    #[test]
    fn the_bounds_hold_against_the_enclosures() {
        let cases = [
            (1u64, 0.5, 1e-20),
            (7, 0.1, 1e-20),
            (50, 0.999, 1e-20),
            (1000, 0.037, 1e-9),
            (100_000, 0.3, 1e-9),
            (1_000_000, 1e-7, 1e-20),
        ];
        for (n, p, cut) in cases {
            let window = Window::new(n, p, cut);
            let exact = Enclosure::of(&rational::from_f64(p).unwrap(), 128);
            let center = (n as f64 * p) as u64;
            let width = (n as f64 * p).sqrt() as u64 + 1;
            for step in 0..8 {
                for k in [center + step * width, center.saturating_sub(step * width)] {
                    let tail = binomial::upper_tail(n, k, &exact).unwrap();
                    let above = rational::from_f64(window.upper_tail_above(k)).unwrap();
                    let below = rational::from_f64(window.upper_tail_below(k)).unwrap();
                    assert!(
                        below <= tail.upper() && tail.lower() <= above,
                        "{n} {p} {k}"
                    );
                    assert!(window.upper_tail_above(k) - window.upper_tail_below(k) < 1e-6);
                }
            }
        }
    }

    #[test]
    fn certain_and_impossible_events() {
        let (never, always) = (Window::new(9, 0.0, 1e-9), Window::new(9, 1.0, 1e-9));
        assert_eq!(
            (never.upper_tail_above(0), never.upper_tail_above(1)),
            (1.0, 0.0)
        );
        assert_eq!(
            (always.upper_tail_above(9), always.upper_tail_above(10)),
            (1.0, 0.0)
        );
        assert!(always.upper_tail_below(9) > 0.999_999);
    }
}
