//! More or less noise of the same kind: a wrong scale is the likeliest error.
//!
//! The logarithms of the ratios are those of a geometric sequence, `d = 2^(-k/2)` for `k` from 0 to 13: from ratios of
//! `e` to one 90th. A bet on the ratio `e^d` grows like `1 - (1 - d/t)^2` of the best if the truth is `e^t` and both are
//! small: the nearest in the sequence loses 3 % of the growth at most, and its neighbours win nearly as much. The
//! weights are as `d^(-1/4)`: a large error takes few calls to prove, whatever its weight.

use super::bet::Bet;
use crate::refute::AuditError;
use dp_assay::law::named::NamedLaw;
use dp_assay::number::{Rational, rational};
use dp_assay::stats::Wealth;

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

fn scaled(law: &NamedLaw, factor: Rational) -> Result<(Rational, NamedLaw), AuditError> {
    let scaled = law.scaled(&factor)?;
    Ok((factor, scaled))
}

/// The law with less noise, each with its ratio to that of the law.
pub fn less(law: &NamedLaw) -> Result<Vec<(Rational, NamedLaw)>, AuditError> {
    distances()
        .map(|distance| scaled(law, rounded((-distance).exp())))
        .collect()
}

/// The law with more noise.
pub fn more(law: &NamedLaw) -> Result<Vec<(Rational, NamedLaw)>, AuditError> {
    distances()
        .map(|distance| scaled(law, rounded(distance.exp())))
        .collect()
}

/// The law so scaled, in words.
pub fn says(law: &NamedLaw, factor: &Rational) -> String {
    let factor = rational::to_f64_for_display(factor);
    format!("the law {law} with {factor} times the noise")
}
