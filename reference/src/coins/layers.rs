//! Uniform integers, Bernoulli(p) and Bernoulli(exp(-x)), each on the layer before: exact, without float, modular bias or truncation.
//! Proofs: `spec/samplers.md`.

use super::Coins;
use crate::Error;
use crate::error::require;
use crate::number::Rational;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A uniform integer in `0..n`, by rejection (ledger: `sample.uniform-below`).
///
/// Expected bits: less than `2 ceil(log2 n)`.
///
/// # Errors
/// [`Error::OutOfRange`] for `n = 0`, and those of the source.
pub fn uniform_below(coins: &mut (impl Coins + ?Sized), n: &BigUint) -> Result<BigUint, Error> {
    loop {
        if let Some(value) = uniform_below_attempt(coins, n)? {
            return Ok(value);
        }
    }
}

/// One attempt of [`uniform_below`]: `None` if rejected.
///
/// # Errors
/// [`Error::OutOfRange`] for `n = 0`, and those of the source.
pub fn uniform_below_attempt(
    coins: &mut (impl Coins + ?Sized),
    n: &BigUint,
) -> Result<Option<BigUint>, Error> {
    if n.is_zero() {
        return Err(Error::OutOfRange("the number of outcomes"));
    }
    // 1. The width of n - 1 in bits: the least w with n <= 2^w.
    let width = (n - 1u32).bits();
    // 2. A uniform integer below 2^w.
    let mut candidate = BigUint::zero();
    let mut left = width;
    while left > 0 {
        let count = left.min(64) as u32;
        candidate = (candidate << count) + coins.bits(count)?;
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
/// [`Error::OutOfRange`] outside [0, 1], and those of the source.
pub fn bernoulli(coins: &mut (impl Coins + ?Sized), p: &Rational) -> Result<bool, Error> {
    require(!p.is_negative() && *p <= Rational::one(), "a probability")?;
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
/// [`Error::OutOfRange`] for `x < 0`, and those of the source.
pub fn bernoulli_exp(coins: &mut (impl Coins + ?Sized), x: &Rational) -> Result<bool, Error> {
    require(!x.is_negative(), "the exponent of exp(-x)")?;
    if x.numer() <= x.denom() {
        return bernoulli_exp_up_to_one(coins, x);
    }
    // exp(-x) = exp(-1)^floor(x) exp(-(x - floor(x))): all factors must come up true.
    let (mut whole, rest) = x.numer().div_rem(x.denom());
    while !whole.is_zero() {
        if !coins.bernoulli_exp(&Rational::one())? {
            return Ok(false);
        }
        whole -= 1;
    }
    coins.bernoulli_exp(&Rational::new_raw(rest, x.denom().clone()))
}

/// True with probability `exp(-x)` for `0 <= x <= 1`.
///
/// Draws Bernoulli(x/1), Bernoulli(x/2), ... up to the first that is false, the `k`-th: then
/// `Pr[k > j] = x^j / j!`, so that `Pr[k odd] = 1 - x + x^2/2! - ... = exp(-x)`.
fn bernoulli_exp_up_to_one(coins: &mut (impl Coins + ?Sized), x: &Rational) -> Result<bool, Error> {
    let mut k = BigInt::one();
    // `new_raw` spares a greatest common divisor: only the quotient matters.
    while coins.bernoulli(&Rational::new_raw(x.numer().clone(), x.denom() * &k))? {
        k += 1;
    }
    Ok(k.bit(0))
}
