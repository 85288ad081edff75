//! The integers under a Gaussian: a table up to a reach, and the tail beyond it.

use super::cumulative::{GUARD, ceiling, gaussian_weights, shares};
use crate::coins::{Coins, CoinsError, Table};
use crate::number::{Enclosure, Rational};
use crate::sample::{DiscreteGaussian, Geometric};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// The law on 0, 1, 2, ... with `Pr[h]` proportional to `exp(-h^2 / (2 variance))`, up to a reach; and one place for what is beyond.
pub(super) fn half_gaussian(variance: &Rational) -> Result<Table, CoinsError> {
    let law = DiscreteGaussian::new(variance.clone())?;
    let reach = gaussian_reach(variance);
    let label = format!("half a discrete Gaussian of variance {variance} up to {reach}");
    Table::new(label, move |bits| {
        let bits = bits + GUARD;
        let weights = gaussian_weights(law.variance(), reach + 1, bits)?;
        // The sum over h >= 0 of what the normaliser sums over all integers.
        let total = (law.normaliser(bits)? + Enclosure::integer(1, bits)).shifted(-1);
        shares(&weights, &total, bits)
    })
}

/// A table ends where less than about `2^-40` is left: at a square of so many variances.
const VARIANCES: u64 = 56;

/// How far a table reaches: at least `sqrt(56 variance)`, about 7.5 standard deviations.
pub(super) fn gaussian_reach(variance: &Rational) -> usize {
    let square = ceiling(&(variance * BigInt::from(VARIANCES)));
    (square.sqrt() + 1u32).to_usize().unwrap_or(1)
}

/// The law on `first, first + 1, ...` with `Pr[k]` proportional to `exp(-k^2 / (2 variance))`.
///
/// `k = first + j`, with `j` geometric of rate `first / variance`, is accepted with probability `exp(-j^2 / (2 variance))`:
/// `k^2 = first^2 + 2 first j + j^2`.
pub(super) fn beyond<C: Coins>(
    first: usize,
    variance: &Rational,
    coins: &mut C,
) -> Result<BigUint, CoinsError> {
    let proposal = Geometric::new(Rational::from_integer(first.into()) / variance)?;
    loop {
        let j = coins.draw(&proposal)?;
        let square = Rational::from_integer(BigInt::from(&j * &j));
        if coins.bernoulli_exp(&(square / (variance * BigInt::from(2))))? {
            return Ok(j + first);
        }
    }
}
