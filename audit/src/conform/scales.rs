//! More or less noise of the same kind, and shifts: a wrong scale is the likeliest error.
//!
//! The logarithms of the ratios are those of a geometric sequence, `d = 2^(-k/2)` for `k` from 0 to 13: from ratios of
//! `e` to one 90th. A bet on the ratio `e^d` grows like `1 - (1 - d/t)^2` of the best if the truth is `e^t` and both are
//! small: the nearest in the sequence loses 3 % of the growth at most, and its neighbours win nearly as much. The
//! weights are as `d^(-1/4)`: a large error takes few calls to prove, whatever its weight.

use super::bet::Bet;
use super::guess::Guess;
use super::placed::Placed;
use crate::refute::AuditError;
use dp_assay::number::{Rational, rational};
use dp_assay::stats::Wealth;
use num_bigint::BigInt;
use num_traits::Signed;

/// The logarithms of the ratios.
fn distances() -> impl Iterator<Item = f64> + Clone {
    (0..=13).map(|k| 0.5f64.powf(f64::from(k) / 2.0))
}

/// A ratio, to three digits after the point.
fn rounded(ratio: f64) -> Rational {
    rational::ratio((1000.0 * ratio).round() as i64, 1000)
}

/// What the bets on the ratios, in this order, have won together, with these weights.
pub fn wealth(bets: &[Bet]) -> Wealth {
    let weights = distances().map(|distance| distance.powf(-0.25));
    let all = weights.clone().sum::<f64>();
    let shares = weights.map(|weight| weight / all);
    Wealth::together(shares.zip(bets.iter().map(|bet| bet.wealth)))
}

fn scaled(law: &Placed, factor: Rational) -> Result<(Rational, Placed), AuditError> {
    let scaled = law.scaled(&factor)?;
    Ok((factor, scaled))
}

/// The law with less noise, each with its ratio to that of the law.
pub fn less(law: &Placed) -> Result<Vec<(Rational, Placed)>, AuditError> {
    distances()
        .map(|distance| scaled(law, rounded((-distance).exp())))
        .collect()
}

/// The law with more noise.
pub fn more(law: &Placed) -> Result<Vec<(Rational, Placed)>, AuditError> {
    distances()
        .map(|distance| scaled(law, rounded(distance.exp())))
        .collect()
}

/// Shifts both ways: by 1, and by parts of the distance from the middle to the quarter.
pub fn shifts(law: &Placed) -> Vec<BigInt> {
    let guess = Guess::of(law);
    let quarter = guess.quantile(0.75) - guess.quantile(0.5);
    let mut shifts: Vec<BigInt> = [1, 4, 16].map(|part| &quarter / part).into();
    shifts.push(1.into());
    shifts.retain(Signed::is_positive);
    shifts.sort();
    shifts.dedup();
    shifts
        .iter()
        .flat_map(|shift| [-shift, shift.clone()])
        .collect()
}
