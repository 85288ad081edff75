//! bms22, Algorithm 1 (A_PrivMrg), **as printed** in the proceedings; of the first version's the lines are lost.
//!
//! Private: (epsilon, 0) under substitution of one record, on all data (`bms22.alg1.dp`). With the parameters of its
//! theorem the cover is too large to go through (`bms22.thm3_1`): instances are tiny.
//!
//! Every printed line, in order, in the paper's letters. This file needs no other algorithm.
//!
//! What is not printed, and what we put there:
//! - line 1: the constant of `O(.)`: `constant`, given. `log`: natural. `k` is rounded up.
//! - line 4: which cover: all points of a lattice that is fine enough (`bms22.alg1.cover`).
//! - line 5: the exponential mechanism, which is cited: w.p. proportional to `exp(epsilon score/(2 sensitivity))`.
//! - real numbers: points in steps of a public grid `1/one`; `Phi` is kept times `sqrt(k)`, and `w` in the lattice's
//!   steps of `2 Lambda/q`: neither changes the sign of `<w, Phi x>`.

use crate::Error;
use crate::coins::Coins;
use crate::number::{Enclosure, Rational, rational::integer};
use crate::sample::ScoredChoice;
use num_traits::ToPrimitive;

/// What Algorithm 1 requires, beside the dataset.
#[derive(Debug, Clone)]
pub struct Required {
    /// `epsilon > 0`
    pub epsilon: Rational,
    /// `Lambda`, the largest norm of a hypothesis.
    pub lambda: Rational,
    /// `r`, the largest norm of a point.
    pub r: Rational,
    /// `rho`, in (0, Lambda r].
    pub rho: Rational,
    /// `beta > 0`
    pub beta: Rational,
    /// The constant of line 1.
    pub constant: Rational,
}

/// Returns `sqrt(k) Phi`, and `c` with `w~ = (2 Lambda/q) c`, and `sqrt(k) Phi^T c`, the direction of `w^Priv`.
///
/// `s`: records `(x, y)`, `x` in steps of a grid, all of one length, `y` = +1 or -1; `m = |s|`.
pub fn algorithm_1(
    s: &[(Vec<i64>, i64)],
    required: &Required,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<i64>>, Vec<i64>, Vec<i64>), Error> {
    let Required {
        epsilon,
        lambda,
        r,
        rho,
        beta,
        constant,
    } = required;
    let (m, d) = (s.len() as u64, s.first().map_or(0, |(x, _)| x.len()));

    // 1: Let k = O(Lambda^2 r^2 log(m/beta)/rho^2).
    let ratio = lambda * r / rho;
    let log = Enclosure::of(&(integer(m) / beta), 128).ln()?;
    let k = Enclosure::of(&(constant * &ratio * &ratio), 128) * log;
    let k = k.upper().ceil().to_integer().to_i64().unwrap_or(i64::MAX);

    // 2: Let Phi be a random k x d matrix with entries drawn i.i.d. uniformly from { +-1/sqrt(k) }.
    //    (here times sqrt(k))
    let mut phi = Vec::new();
    for _ in 0..k {
        let mut row = Vec::new();
        for _ in 0..d {
            row.push(if coins.bits(1)? == 1 { 1 } else { -1 });
        }
        phi.push(row);
    }

    // 3: Let S_Phi = { (x_Phi, y) : (x, y) in S }, where x_Phi = Phi x in R^k.
    let s_phi: Vec<(Vec<i128>, i64)> = s
        .iter()
        .map(|(x, y)| (phi.iter().map(|row| dot(row, x)).collect(), *y))
        .collect();

    // 4: Let C be a rho/(10 r)-cover of B^k(2 Lambda).
    let cover = cover(k, &(ratio * integer(20)));

    // 5: Run the Exponential mechanism over C with privacy parameter epsilon, sensitivity 1/m, and score function
    //    -R^_{S_Phi}^(k)(w) for w in C, to select w~ in C.   m R^ = how many (x, y) in S_Phi have y <w, x> <= 0.
    let is_error = |w: &[i64], (x, y): &(Vec<i128>, i64)| {
        let product: i128 = w.iter().zip(x).map(|(w, x)| i128::from(*w) * x).sum();
        !(product * i128::from(*y)).is_positive()
    };
    let errors = cover
        .iter()
        .map(|w| s_phi.iter().filter(|record| is_error(w, record)).count() as u32)
        .collect();
    let w = cover[coins.draw(&ScoredChoice::new(errors, epsilon)?)?].clone();

    // 6: return w^Priv = Phi^T w~.
    let w_priv = (0..d)
        .map(|j| phi.iter().zip(&w).map(|(row, w)| row[j] * w).sum())
        .collect();
    Ok((phi, w, w_priv))
}

/// A cover of the ball of radius `2 Lambda` in `R^k`, to within `2 Lambda/fineness`: the points `(2 Lambda/q) c`, `c`
/// in `Z^k`, `|c| <= q + sqrt(k)/2`, in order, where `q >= fineness sqrt(k)/2`. Rounding to the nearest is enough.
fn cover(k: i64, fineness: &Rational) -> Vec<Vec<i64>> {
    let mut q = 1;
    while integer(4 * q * q) < fineness * fineness * integer(k) {
        q += 1;
    }
    let largest = (4 * q * q + k + (16 * q * q * k).isqrt()) / 4; // of 4 |c|^2 <= (2 q + sqrt(k))^2
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
    points
}

fn dot(row: &[i64], x: &[i64]) -> i128 {
    row.iter()
        .zip(x)
        .map(|(a, x)| i128::from(*a) * i128::from(*x))
        .sum()
}
