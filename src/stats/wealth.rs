//! What bets have won: a logarithm, never above its true value.
//!
//! A bet multiplies the wealth by a factor of mean at most 1 under the null. Wealth is then a supermartingale, so that
//! it ever reaches `1 / level` with probability at most `level` (Ville). So does a mean of such wealths.
#![allow(clippy::float_arithmetic)] // logarithms in a statistical test, lowered at each step by more than they err

use super::{StatsError, directed};
use crate::number::Rational;

/// The wealth of a bettor in parts of what it started with, rounded down.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Wealth {
    log: f64,
}

/// More than a sum of at most 1,000 terms, and the logarithm of it, err by.
const SLACK: f64 = 1e-12;

/// A sum or difference, lowered by its rounding: half a unit in the last place.
fn lowered(log: f64) -> f64 {
    if log.is_infinite() {
        return log;
    }
    log - log.abs() * f64::EPSILON
}

impl Wealth {
    /// Before the first bet: 1.
    pub const START: Self = Self { log: 0.0 };

    /// Multiplied by a factor, whose logarithm errs by at most `error`.
    #[must_use]
    pub fn times(self, log_factor: f64, error: f64) -> Self {
        let log = lowered(log_factor - error);
        Self {
            log: lowered(self.log + log),
        }
    }

    /// What bettors with these shares of the start have together: at most 1,000 of them, whose shares add up to at most
    /// 1, but for rounding.
    #[must_use]
    pub fn together(shares: impl Iterator<Item = (f64, Self)> + Clone) -> Self {
        let logs = shares.clone().map(|(_, wealth)| wealth.log);
        let top = logs.fold(f64::NEG_INFINITY, f64::max);
        if top == f64::NEG_INFINITY {
            return Self { log: top };
        }
        // log sum s_i w_i = top + log sum s_i e^(log w_i - top)
        let parts = shares.map(|(share, wealth)| share * (wealth.log - top).exp());
        Self {
            log: lowered(top + parts.sum::<f64>().ln() - SLACK),
        }
    }

    /// What bettors with equal shares have together: at most 1,000 of them.
    #[must_use]
    pub fn mean(of: impl Iterator<Item = Self> + Clone) -> Self {
        let share = 1.0 / of.clone().count() as f64;
        Self::together(of.map(|wealth| (share, wealth)))
    }

    /// The wealth `1 / level`, rounded up: who reaches it has refuted the null at this level.
    ///
    /// # Errors
    /// [`StatsError::Parameter`] unless the level is above 0 and below 1.
    pub fn needed(level: &Rational) -> Result<Self, StatsError> {
        // The level is rounded down, to 0 if it is below all floats; then no wealth is enough.
        Ok(Self {
            log: -directed::level(level)?.ln() + SLACK,
        })
    }

    /// The logarithm.
    #[must_use]
    pub fn log(self) -> f64 {
        self.log
    }

    /// The larger of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            log: self.log.max(other.log),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Enclosure;
    use crate::number::rational::{from_f64, integer, ratio};

    /// Not above the true wealth, and lower by less than one part in a billion.
    fn is_rounded_down(wealth: Wealth, truth: &Rational) -> bool {
        let truth = Enclosure::of(truth, 128).ln().unwrap();
        let gap = truth - Enclosure::of(&from_f64(wealth.log()).unwrap(), 128);
        gap.lower() >= integer(0) && gap.is_below_rational(&ratio(1, 1_000_000_000))
    }

    #[test]
    fn wealth_is_rounded_down() {
        // 200 factors of 3/2 and as many of 2/3, to half a unit in the last place.
        let mut wealth = Wealth::START;
        for step in 0..400 {
            let factor = if step % 2 == 0 { 1.5f64 } else { 2.0 / 3.0 };
            wealth = wealth.times(factor.ln(), 1e-15);
        }
        assert!(is_rounded_down(wealth, &integer(1)));
        let rich = (0..100).fold(Wealth::START, |wealth, _| wealth.times(2f64.ln(), 1e-15));
        let half = Wealth::START.times(0.5f64.ln(), 1e-15);
        let all = [rich, half, Wealth::START];
        let sum = integer(num_bigint::BigInt::from(1) << 100) + ratio(3, 2);
        assert!(is_rounded_down(
            Wealth::mean(all.into_iter()),
            &(&sum / integer(3))
        ));
        let shares = [0.25, 0.25, 0.25].into_iter().zip(all);
        assert!(is_rounded_down(
            Wealth::together(shares),
            &(sum / integer(4))
        ));
    }

    #[test]
    fn what_the_sum_of_shares_gains_by_rounding_is_taken_off() {
        // So many equal shares of doubles add up to less than 1, or to more, than their sum in doubles.
        let mut gained = 0;
        for count in 2..300u32 {
            let share = 1.0 / f64::from(count);
            let exact = from_f64(share).unwrap() * integer(count);
            let all = Wealth::mean((0..count).map(|_| Wealth::START));
            assert!(is_rounded_down(all, &exact), "{count}: {all:?}");
            let sum = (0..count).fold(0.0, |sum, _| sum + share);
            gained += u32::from(from_f64(sum).unwrap() > exact);
        }
        assert!(gained > 20, "this test can fail");
    }

    #[test]
    fn ruin_is_no_wealth_and_no_error() {
        let ruined = Wealth::START.times(f64::NEG_INFINITY, 1e-15);
        assert_eq!(
            Wealth::mean([ruined; 3].into_iter()).log(),
            f64::NEG_INFINITY
        );
        assert!(is_rounded_down(
            Wealth::mean([ruined, Wealth::START].into_iter()),
            &ratio(1, 2)
        ));
    }

    #[test]
    fn one_over_the_level_is_needed() {
        let needed = Wealth::needed(&ratio(1, 20)).unwrap();
        let truth = Enclosure::integer(20, 128).ln().unwrap();
        let needed_log = Enclosure::of(&from_f64(needed.log()).unwrap(), 128);
        assert!(truth.is_below(&needed_log));
        assert!(Wealth::START.times(20.1f64.ln(), 1e-15) >= needed);
        let tiny = crate::number::rational::parse("1e-400").unwrap();
        assert_eq!(Wealth::needed(&tiny).unwrap().log(), f64::INFINITY);
        assert!(Wealth::needed(&integer(1)).is_err());
        assert!(Wealth::needed(&integer(0)).is_err());
    }
}
