//! bms22, Algorithm 1, **repaired**: a halfspace by a projection, a cover and the exponential mechanism. It ships as
//! `pure`.
//!
//! Private: (epsilon, 0) under substitution of one record, on all data, `(Phi, w)` together (`bms22.alg1.dp`), for
//! every `k` and every cover. The time it takes depends on the data, and is not covered.
//!
//! Its privacy needed no repair. Where it departs from the printed lines:
//! - lines 1 and 4: `k` and the radius of the cover are given, as the printed ones leave nothing that can be gone
//!   through (`bms22.thm3_1`); with `k >= d` nothing is projected;
//! - line 4: only the sign of `<w, Phi x>` matters. So the cover is one of the unit ball, its radius relative to the
//!   ball, and `1/sqrt(k)` is left out (`bms22.alg1.cover`).

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Rational, rational::integer};
use crate::sample::ScoredChoice;
use crate::vector::dot;
use num_bigint::BigInt;
use num_traits::Signed;

/// Returns `sqrt(k) Phi` (the identity, if nothing is projected), and `c` with `w = c/q`, and the direction of
/// `Phi^T w`. All of it may be published.
///
/// `s`: `true` stands for `y = +1`. `k >= 1`; `radius`, in (0, 1], is that of the cover, relative to the ball.
pub fn learn(
    s: &Points<bool>,
    k: usize,
    radius: &Rational,
    epsilon: &Rational,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<i64>>, Vec<i64>, Vec<BigInt>), Error> {
    let d = s.dimension();
    // 1: k is given.
    // 2: Phi in R^{k x d}, each entry +1/sqrt(k) or -1/sqrt(k), w.p. 1/2 each. Here times sqrt(k): no sign changes.
    let phi = if k < d {
        signs(k, d, coins)?
    } else {
        identity(d)
    };

    // 3: S_Phi = { (Phi x, y) }, as the vectors y sqrt(k) Phi x.
    let s_phi: Vec<Vec<BigInt>> = s
        .iter()
        .map(|(x, y)| {
            phi.iter()
                .map(|row| if *y { dot(row, x) } else { -dot(row, x) })
                .collect()
        })
        .collect();

    // 4: C, a cover of the ball.
    let cover = cover(phi.len(), radius)?;

    // 5: w in C, w.p. proportional to exp(-epsilon errors/2): y <w, Phi x> <= 0 is an error, a tie among them.
    let is_error = |c: &[i64], x: &[BigInt]| {
        let product: BigInt = c.iter().zip(x).map(|(c, x)| x * c).sum();
        !product.is_positive()
    };
    let errors = cover
        .iter()
        .map(|c| s_phi.iter().filter(|x| is_error(c, x)).count() as u32)
        .collect();
    let c = cover[coins.draw(&ScoredChoice::new(errors, epsilon)?)?].clone();

    // 6: return Phi^T w.
    let direction = (0..d)
        .map(|j| {
            phi.iter()
                .zip(&c)
                .map(|(row, c)| BigInt::from(row[j]) * c)
                .sum()
        })
        .collect();
    Ok((phi, c, direction))
}

/// All `c` in `Z^k` with `|c| <= q + sqrt(k)/2`, in order, where `q >= sqrt(k)/(2 radius)`: some `c/q` is within
/// `radius` of each point of the unit ball, for rounding to the nearest moves a coordinate by at most `1/(2 q)`.
pub fn cover(k: usize, radius: &Rational) -> Result<Vec<Vec<i64>>, Error> {
    if !radius.is_positive() {
        return Err(Error::OutOfRange("the radius of the cover"));
    }
    let (mut q, rows) = (1, k as i64);
    while radius * radius * integer(4 * q * q) < integer(rows) {
        q += 1;
    }
    let largest = (4 * q * q + rows + (16 * q * q * rows).isqrt()) / 4; // of 4 |c|^2 <= (2 q + sqrt(k))^2
    let mut points = vec![vec![]];
    for _ in 0..k {
        let longer = |c: &Vec<i64>| -> Vec<Vec<i64>> {
            let left = (largest - c.iter().map(|c| c * c).sum::<i64>()).isqrt();
            (-left..=left)
                .map(|last| [&c[..], &[last]].concat())
                .collect()
        };
        points = points.iter().flat_map(longer).collect();
    }
    Ok(points)
}

/// `sqrt(k) Phi`: `k` rows of `d` random signs (`bms22.lemA_3.one-sided`).
pub fn signs(k: usize, d: usize, coins: &mut impl Coins) -> Result<Vec<Vec<i64>>, Error> {
    let mut rows = vec![vec![0; d]; k];
    for entry in rows.iter_mut().flatten() {
        *entry = if coins.bits(1)? == 1 { 1 } else { -1 };
    }
    Ok(rows)
}

/// `I`, of `d` rows.
fn identity(d: usize) -> Vec<Vec<i64>> {
    (0..d)
        .map(|i| (0..d).map(|j| i64::from(i == j)).collect())
        .collect()
}
