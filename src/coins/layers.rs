//! The trait [`Coins`] and its layers: bits, uniform integers, Bernoulli, Bernoulli(exp(-x)), laws.
//!
//! Each layer is built on the one before, and is exact: no float, no modular bias, no truncation.
//! A real source of coins implements [`Coins::bits`] and [`Coins::consumed`] alone, and gets the
//! rest from the functions here; the [`Explorer`](super::Explorer) replaces one layer by an
//! enumeration of its outcomes.
//! Proofs: `spec/samplers.md`.

use super::CoinsError;
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A source of fair, independent coins, and what is built on them.
pub trait Coins {
    /// `count` fair coins as an integer below `2^count`; `count` is at most 64.
    ///
    /// # Errors
    /// Those of the source.
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError>;

    /// How many bits have been drawn so far.
    fn consumed(&self) -> u64;

    /// A uniform integer in `0..n`: [`uniform_below`].
    ///
    /// # Errors
    /// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        uniform_below(self, n)
    }

    /// True with probability `p`: [`bernoulli`].
    ///
    /// # Errors
    /// [`CoinsError::NotAProbability`] outside [0, 1], and those of the source.
    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        bernoulli(self, p)
    }

    /// True with probability `exp(-x)` for a rational `x >= 0`: [`bernoulli_exp`].
    ///
    /// # Errors
    /// [`CoinsError::NegativeExponent`] for `x < 0`, and those of the source.
    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        bernoulli_exp(self, x)
    }

    /// A draw from `law`, by its own sampler unless this source holds whole laws atomic.
    ///
    /// # Errors
    /// Those of the sampler.
    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError>
    where
        Self: Sized,
    {
        law.sample(self)
    }
}

/// A uniform integer in `0..n`, by rejection (ledger: `sample.uniform-below`).
///
/// Expected bits: less than `2 ceil(log2 n)`.
///
/// # Errors
/// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
pub fn uniform_below(
    coins: &mut (impl Coins + ?Sized),
    n: &BigUint,
) -> Result<BigUint, CoinsError> {
    loop {
        if let Some(value) = uniform_below_attempt(coins, n)? {
            return Ok(value);
        }
    }
}

/// One attempt of [`uniform_below`]: `None` if rejected.
///
/// # Errors
/// [`CoinsError::NoOutcome`] for `n = 0`, and those of the source.
pub fn uniform_below_attempt(
    coins: &mut (impl Coins + ?Sized),
    n: &BigUint,
) -> Result<Option<BigUint>, CoinsError> {
    if n.is_zero() {
        return Err(CoinsError::NoOutcome);
    }
    // 1. The width of n - 1 in bits: the least w with n <= 2^w.
    let width = (n - 1u32).bits();
    // 2. A uniform integer below 2^w.
    let mut candidate = BigUint::zero();
    let mut left = width;
    while left > 0 {
        let count = left.min(64) as u32;
        candidate = (candidate << count) | BigUint::from(coins.bits(count)?);
        left -= u64::from(count);
    }
    // 3. Rejected unless below n: given acceptance it is uniform there. (Reducing it modulo n
    //    instead would favour the small ones.)
    Ok((candidate < *n).then_some(candidate))
}

/// True with probability `p` (ledger: `sample.bernoulli`).
///
/// Compares the binary digits of `p` with those of a uniform number in [0, 1), drawn one at a time,
/// up to the first difference. Expected bits: at most 2, whatever `p`.
///
/// # Errors
/// [`CoinsError::NotAProbability`] outside [0, 1], and those of the source.
pub fn bernoulli(coins: &mut (impl Coins + ?Sized), p: &Rational) -> Result<bool, CoinsError> {
    if p.numer().is_negative() || p.numer() > p.denom() {
        return Err(CoinsError::NotAProbability {
            value: p.to_string(),
        });
    }
    if p.numer() == p.denom() {
        return Ok(true);
    }
    // The invariant: p = 0.d1 d2 ... dj + (remainder / denominator) 2^-j, and the uniform number
    // agrees with p in its first j digits.
    let denominator = p.denom();
    let mut remainder = p.numer().clone();
    // Once the remainder is zero all later digits of p are 0: the uniform number is not below p.
    while !remainder.is_zero() {
        remainder <<= 1u32;
        let digit = remainder >= *denominator;
        if digit {
            remainder -= denominator;
        }
        let coin = coins.bits(1)? == 1;
        if coin != digit {
            return Ok(digit);
        }
    }
    Ok(false)
}

/// True with probability `exp(-x)` for a rational `x >= 0` (ledger: `sample.bernoulli-exp`).
///
/// Canonne, Kamath, Steinke 2020, Algorithm 1.
///
/// # Errors
/// [`CoinsError::NegativeExponent`] for `x < 0`, and those of the source.
pub fn bernoulli_exp(coins: &mut (impl Coins + ?Sized), x: &Rational) -> Result<bool, CoinsError> {
    if x.is_negative() {
        return Err(CoinsError::NegativeExponent {
            value: x.to_string(),
        });
    }
    // 1. exp(-x) = exp(-1)^floor(x) exp(-(x - floor(x))): all factors must come up true.
    let (mut whole, rest) = x.numer().div_rem(x.denom());
    while !whole.is_zero() {
        if !bernoulli_exp_below_one(coins, &Rational::one())? {
            return Ok(false);
        }
        whole -= 1;
    }
    bernoulli_exp_below_one(coins, &Rational::new_raw(rest, x.denom().clone()))
}

/// True with probability `exp(-x)` for `0 <= x <= 1`.
///
/// Draws Bernoulli(x/1), Bernoulli(x/2), ... up to the first that is false, the `k`-th: then
/// `Pr[k > j] = x^j / j!`, so that `Pr[k odd] = 1 - x + x^2/2! - ... = exp(-x)`.
fn bernoulli_exp_below_one(
    coins: &mut (impl Coins + ?Sized),
    x: &Rational,
) -> Result<bool, CoinsError> {
    let mut k = BigInt::one();
    // `new_raw` spares a greatest common divisor: only the quotient matters.
    while coins.bernoulli(&Rational::new_raw(x.numer().clone(), x.denom() * &k))? {
        k += 1;
    }
    Ok(k.bit(0))
}

/// A discrete probability law: how to draw from it, and its probabilities.
pub trait Law {
    /// What is drawn.
    type Outcome: Clone + Ord + std::fmt::Debug;

    /// Draws one outcome with exactly the law's probabilities.
    ///
    /// # Errors
    /// Those of the coins.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Self::Outcome, CoinsError>;

    /// The probability of `outcome`, enclosed with `bits` significant bits of working precision.
    ///
    /// # Errors
    /// Those of the real functions used.
    fn pmf(&self, outcome: &Self::Outcome, bits: u32) -> Result<Enclosure, NumberError>;

    /// The outcomes, each once, numbered from 0 and the likely ones first; `None` past the last.
    fn outcome(&self, index: u64) -> Option<Self::Outcome>;
}
