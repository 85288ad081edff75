//! nuz20, Algorithm 2, **as printed**: not private as claimed where some `A x` is 0 (`nuz20.thm10`), and (epsilon, 0)-private
//! under substitution of one record on all other data (`nuz20.alg2`).
//!
//! Every printed line, in order, in the paper's letters. This file needs no other algorithm.
//!
//! What is not printed, and what we put there:
//! - line 1: the constant of `m = O(.)`: `m` is given;
//! - line 2: `A x/|A x|` at `A x = 0`: `Undefined`, an error that depends on the data (`nuz20.e4`);
//! - line 3: which net: `{ k/q : k in Z^m, |k| <= q + sqrt(m)/2 }`, `q = ceil(sqrt(m)/(2 gamma/10))` (`nuz20.net`);
//! - real numbers: none is rounded. `x` is in steps of a public grid, and line 4 compares squares of integers.

use crate::Error;
use crate::coins::Coins;
use crate::number::Rational;
use crate::sample::ScoredChoice;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Returns `k`, with `w = k/q`, and the direction of `w^T A`.
///
/// `s`: records `(x, y)`, each `x` of `d` coordinates, in steps of any public grid, with `|x| <= 1`, and `y` = +1 or -1.
/// `n = |s|`, `gamma` in (0, 1], and `epsilon n <= 2^23`.
pub fn algorithm_2(
    s: &[(Vec<i64>, i64)],
    (m, d): (usize, usize),
    epsilon: &Rational,
    gamma: &Rational,
    coins: &mut impl Coins,
) -> Result<(Vec<i64>, Vec<BigInt>), Error> {
    // 1: Choose a random matrix A in R^{m x d}, A_ij = +1/sqrt(m) w.p. 1/2, -1/sqrt(m) w.p. 1/2.   (here times sqrt(m))
    let mut a = vec![vec![0; d]; m];
    for entry in a.iter_mut().flatten() {
        *entry = if coins.bits(1)? == 1 { 1 } else { -1 };
    }
    // 2: Define S_A <- { (A x/|A x|, y) | (x, y) in S }.                       (here the pairs of sqrt(m) A x and y)
    let mut s_a = Vec::new();
    for (x, y) in s {
        let ax: Vec<BigInt> = a.iter().map(|row| dot(row, x)).collect();
        if ax.iter().all(Zero::is_zero) {
            return Err(Error::Undefined("A x/|A x| at A x = 0"));
        }
        s_a.push((ax, *y));
    }
    // 3: Let W be a gamma/10-net of B_2^m.
    let tenth = gamma / BigInt::from(10);
    let (q, w) = net(m, &tenth);
    // 4: u(D, w) = -(1/n) sum over (x, y) in D of 1{ y <w, x> < gamma/10 }.                          (here -n u)
    let losses = w
        .iter()
        .map(|k| {
            s_a.iter()
                .filter(|(ax, y)| is_below(k, q, ax, *y, &tenth))
                .count() as u32
        })
        .collect();
    // 5: w <- M_E(S_A, u, W): w.p. proportional to exp(epsilon u/(2 Delta u)), Delta u = 1/n.
    let chosen = coins.draw(&ScoredChoice::new(losses, epsilon)?)?;
    //    and return w^T A.
    let k = &w[chosen];
    let pulled_back = (0..d)
        .map(|j| (0..m).map(|i| BigInt::from(k[i]) * a[i][j]).sum())
        .collect();
    Ok((k.clone(), pulled_back))
}

/// `y <w, x> < bound` for `w = k/q`, `x = v/|v|` and `bound > 0`: `y <k, v> < bound q |v|`, negative, or less when squared.
fn is_below(k: &[i64], q: i64, v: &[BigInt], y: i64, bound: &Rational) -> bool {
    let product: BigInt = k.iter().zip(v).map(|(k, v)| v * k).sum::<BigInt>() * y;
    let squared: BigInt = v.iter().map(|v| v * v).sum();
    let bound = bound * BigInt::from(q);
    product.is_negative() || Rational::from(&product * &product) < &bound * &bound * squared
}

/// `q`, and all `k` in Z^m with `4 |k|^2 <= (2 q + sqrt(m))^2 = 4 q^2 + m + sqrt(16 q^2 m)`, in order.
fn net(m: usize, radius: &Rational) -> (i64, Vec<Vec<i64>>) {
    let (m, mut q) = (m as i64, 1);
    while radius * radius * BigInt::from(4 * q * q) < Rational::from(BigInt::from(m)) {
        q += 1;
    }
    let largest = (4 * q * q + m + (16 * q * q * m).isqrt()) / 4;
    let (reach, mut points) = (largest.isqrt(), vec![vec![]]);
    for _ in 0..m {
        let longer = |k: &Vec<i64>| {
            (-reach..=reach)
                .map(|last| [&k[..], &[last]].concat())
                .collect::<Vec<_>>()
        };
        points = points.iter().flat_map(longer).collect();
        points.retain(|k| k.iter().map(|k| k * k).sum::<i64>() <= largest);
    }
    (q, points)
}

fn dot(row: &[i64], x: &[i64]) -> BigInt {
    row.iter().zip(x).map(|(a, x)| BigInt::from(*a) * x).sum()
}
