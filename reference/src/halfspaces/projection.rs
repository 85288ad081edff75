//! nuz20, lines 1 and 2 of Algorithms 1 to 3, and Lemma 4, **repaired**: random signs, and an `x_A` that has a value everywhere.
//!
//! Private: `A` is drawn without the data, once, and published; `x_A` is a function of its record and of `A` alone, so that
//! neighbours stay neighbours (`nuz20.e4.corrected`, `nuz20.e5.corrected`). To draw `A` again because the data did not suit
//! it would not be private.
//!
//! Where it departs from the printed lines:
//! - line 1 has `m = O(log(1/beta_JL)/gamma^2)`: `m` is given, and [`rows_are_enough`] checks it (`nuz20.lem4`). Without an
//!   `m` nothing is projected: the identity stands in the place of `A`, and no margin is lost;
//! - line 2 has no value at `A x = 0`: there `x_A` is the first unit vector (`nuz20.e4.corrected`);
//! - `x_A` is on the grid of the data, each coordinate rounded towards zero: its norm is at most 1, exactly.

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Enclosure, Rational};
use crate::vector::{dot, towards_zero};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// 1: `sqrt(m) A` in {+1, -1}^(m x d), each entry by a fair coin; without an `m` the identity, by no coin.
pub fn draw(m: Option<usize>, d: usize, coins: &mut impl Coins) -> Result<Vec<Vec<i64>>, Error> {
    let Some(m) = m else {
        let unit = |i| (0..d).map(|j| i64::from(i == j)).collect();
        return Ok((0..d).map(unit).collect());
    };
    let mut a = vec![vec![0; d]; m];
    for entry in a.iter_mut().flatten() {
        *entry = if coins.bits(1)? == 1 { 1 } else { -1 };
    }
    Ok(a)
}

/// 2: of each record `(x, y)` the vector `y x_A`, in steps: all that the losses read of it. `a` is `sqrt(m) A`, and
/// `x_A = A x/|A x|`.
pub fn unit_points(a: &[Vec<i64>], s: &Points<bool>) -> Vec<Vec<i64>> {
    let point = |(x, y): &(Vec<i64>, bool)| {
        let sign = if *y { 1 } else { -1 };
        let x_a = direction(&times(a, x), s.one());
        x_a.iter().map(|x| sign * x).collect()
    };
    s.iter().map(point).collect()
}

/// `sqrt(m) A x`
pub fn times(a: &[Vec<i64>], x: &[i64]) -> Vec<BigInt> {
    a.iter().map(|row| dot(row, x)).collect()
}

/// `v one/|v|`, each coordinate towards zero; where `v = 0` the first unit vector, `one e_1`.
fn direction(v: &[BigInt], one: i64) -> Vec<i64> {
    let squared: BigInt = v.iter().map(|v| v * v).sum();
    if squared.is_zero() {
        return (0..v.len()).map(|i| if i == 0 { one } else { 0 }).collect();
    }
    let squared_one = BigInt::from(one).pow(2);
    v.iter()
        .map(|v| towards_zero(v, &squared_one, &squared))
        .map(|x| x.to_i64().unwrap_or(0)) // at most `one`
        .collect()
}

/// `w^T sqrt(m) A`: the last line of each algorithm. Its direction is that of `w^T A`.
pub fn pull_back(w: &[i64], a: &[Vec<i64>], d: usize) -> Vec<BigInt> {
    (0..d)
        .map(|j| (0..a.len()).map(|i| BigInt::from(w[i]) * a[i][j]).sum())
        .collect()
}

/// Lemma 4: whether `m` rows keep `|A x|^2` within `1 +- kappa` times `|x|^2`, but for a probability of at most `b`, for every
/// `x`: `m >= ln(2/b)/(kappa^2/4 - kappa^3/6)`, for `0 < b < 1` and `0 < kappa <= 1` (`nuz20.lem4`).
pub fn rows_are_enough(m: u64, b: &Rational, kappa: &Rational) -> Result<bool, Error> {
    let (zero, one) = (Rational::zero(), Rational::from(BigInt::from(1)));
    if *b <= zero || *b >= one || *kappa <= zero || *kappa > one {
        return Err(Error::OutOfRange("b or kappa"));
    }
    let square = kappa * kappa;
    let rate = &square / BigInt::from(4) - square * kappa / BigInt::from(6);
    let log = Enclosure::of(&(b.recip() * BigInt::from(2)), 128).ln()?;
    Ok(log.upper() <= rate * BigInt::from(m))
}
