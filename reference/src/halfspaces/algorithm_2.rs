//! nuz20, Algorithm 2, **repaired**: a large-margin halfspace with pure differential privacy.
//!
//! Private: (epsilon, 0) under substitution of one record, on all data, `(A, w)` together (`nuz20.alg2.corrected`), for
//! every `m`, `radius` and `threshold`. The time it takes depends on the data, and is not covered.
//!
//! Where it departs from the printed lines:
//! - line 1 projects always: without an `m` the identity stands in the place of `A` (`nuz20.thm11.run`);
//! - line 2 has `A x/|A x|`, without a value at `A x = 0`: such a record is bad for every `w` (`nuz20.e4.corrected`);
//! - line 4 counts `y <w, x_A> = 0` as good if `gamma = 0`: a tie is bad (`nuz20.e3.corrected`);
//! - line 3 takes any net: here it is `{ k/q : k in Z^m, |k| <= q + sqrt(m)/2 }` (`nuz20.net`).

use super::projection::{draw, pull_back, times};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::Rational;
use crate::sample::ScoredChoice;
use crate::vector::squared_norm;
use num_bigint::BigInt;
use num_traits::Signed;

/// Returns `sqrt(m) A`, and `k` with `w = k/q`, and the direction of `w^T A`. All of it may be published.
///
/// `s`: `true` stands for `y = +1`. The paper has `radius` = `threshold` = `gamma/10`, and `m = O(log(1/beta_JL)/gamma^2)`; here
/// `0 < radius`, `0 <= threshold` and `epsilon n <= 2^23` (`sample.exponential-mechanism`).
pub fn learn(
    s: &Points<bool>,
    m: Option<usize>,
    (radius, threshold): (&Rational, &Rational),
    epsilon: &Rational,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<i64>>, Vec<i64>, Vec<BigInt>), Error> {
    let most = Rational::from(BigInt::from(1 << 23));
    if !radius.is_positive() || threshold.is_negative() || epsilon * BigInt::from(s.len()) > most {
        return Err(Error::OutOfRange("radius, threshold or epsilon n"));
    }

    // 1: Choose a random matrix A in R^{m x d}, A_ij = +1/sqrt(m) w.p. 1/2, -1/sqrt(m) w.p. 1/2.   (here times sqrt(m))
    let a = draw(m, s.dimension(), coins)?;

    // 2: S_A <- { (A x/|A x|, y) | (x, y) in S }. Here v = y sqrt(m) A x; it is line 4 that compares with |v|.
    let sign = |y: bool| BigInt::from(if y { 1 } else { -1 });
    let s_a: Vec<Vec<BigInt>> = s
        .iter()
        .map(|(x, y)| times(&a, x).iter().map(|v| sign(*y) * v).collect())
        .collect();

    // 3: Let W be a (gamma/10)-net of the unit ball: the integer vectors k of its points k/q.
    let (q, w) = net(a.len(), radius);

    // 4: -n u(S_A, w) = sum over (x, y) in S_A of 1{ y <w, x> < gamma/10 }.                  (e3, e4: see `is_bad`)
    let errors = w
        .iter()
        .map(|k| s_a.iter().filter(|v| is_bad(k, v, q, threshold)).count() as u32)
        .collect();

    // 5: w <- M_E(S_A, u, W): w.p. proportional to exp(epsilon u/(2 Delta)), Delta = 1/n, that is exp(-epsilon errors/2).
    let chosen = coins.draw(&ScoredChoice::new(errors, epsilon)?)?;
    //    and return w^T A.
    let pulled_back = pull_back(&w[chosen], &a, s.dimension());
    Ok((a, w[chosen].clone(), pulled_back))
}

/// Whether `y <w, x_A> < threshold` for `w = k/q` and `x_A = v/|v|`, or there is a tie, `<k, v> = 0`; so at `v = 0` too.
fn is_bad(k: &[i64], v: &[BigInt], q: i64, threshold: &Rational) -> bool {
    let product: BigInt = k.iter().zip(v).map(|(k, v)| v * k).sum();
    let squared_norm_of_v: BigInt = v.iter().map(|v| v * v).sum();
    let bound = threshold * BigInt::from(q); // <k, v> < bound |v|, of which neither side is negative from here on
    !product.is_positive()
        || Rational::from(&product * &product) < &bound * &bound * squared_norm_of_v
}

/// `q`, and all `k` in Z^m with `|k| <= q + sqrt(m)/2`, in order: `k/q` is within `radius` of each point of the ball.
///
/// `q >= sqrt(m)/(2 radius)`: rounded to the nearest, each coordinate moves by at most `1/(2q)`.
pub fn net(m: usize, radius: &Rational) -> (i64, Vec<Vec<i64>>) {
    let m = m as i64;
    let mut q = 1;
    while radius * radius * BigInt::from(4 * q * q) < Rational::from(BigInt::from(m)) {
        q += 1;
    }
    // 4 |k|^2 <= (2 q + sqrt(m))^2, where 4 q sqrt(m) = sqrt(16 q^2 m)
    let largest = (4 * q * q + m + (16 * q * q * m).isqrt()) / 4;
    let (reach, mut points) = (largest.isqrt(), vec![vec![]]);
    for _ in 0..m {
        let longer = |k: &Vec<i64>| {
            (-reach..=reach)
                .map(|last| [&k[..], &[last]].concat())
                .collect::<Vec<_>>()
        };
        points = points.iter().flat_map(longer).collect();
        points.retain(|k| squared_norm(k) <= largest.into());
    }
    (q, points)
}
