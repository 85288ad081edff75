//! bms22, Algorithm 2 (A_EffPrivMrg), **as printed** in the proceedings; of the first version's the lines are lost.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, if what line 4 calls is
//! (`bms22.alg4.dp.paper`): points are moved into a ball, and `Phi` is drawn without the data.
//!
//! Every printed line, in order, in the paper's letters. Line 4 calls Algorithm 4, which is handed in.
//!
//! What is not printed, or not legible, and what we put there:
//! - require: points are in `B^d(R)`: `R` is `r` (`bms22.e12`).
//! - line 1: our copy has `log^(d/2)(1/delta)`: it is `log^(3/2)` (`bms22.alg2.k`). `log`: natural. `k` is rounded up.
//! - line 2: the construction of Lemma A.4: `P H D/sqrt(k)`, random signs, the Walsh-Hadamard matrix of the least power
//!   of two from `d` on, and `k` of its rows, drawn with replacement (`bms22.lemA_4`).
//! - line 4: the budget and the confidence of Algorithm 4: all of them.
//! - real numbers: points in steps of a public grid `1/one`; images are kept times `sqrt(k)`, and where they are moved
//!   into the ball rounded towards zero; its radius is rounded down to a whole step.

use crate::Error;
use crate::coins::Coins;
use crate::number::{Enclosure, Rational, rational::integer};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// What Algorithm 2 requires, beside the dataset.
#[derive(Debug, Clone)]
pub struct Required {
    /// `epsilon > 0`
    pub epsilon: Rational,
    /// `delta`, in (0, 1).
    pub delta: Rational,
    /// `Lambda`, the largest norm of a hypothesis.
    pub lambda: Rational,
    /// `r`, the largest norm of a point.
    pub r: Rational,
    /// `rho`, in (0, Lambda r].
    pub rho: Rational,
    /// `beta`, in (0, 1).
    pub beta: Rational,
}

/// Returns `sqrt(k) Phi`, and `w~`, and `sqrt(k) Phi^T w~`, the direction of `w^Priv`.
///
/// `s`: records `(x, y)`, `x` in steps of `1/one` and of norm at most `r`, all of one length, `y` = +1 or -1;
/// `m = |s|`. `algorithm_4` is given the records, how many of their steps are `r`, and what it requires; it returns `w~`
/// in steps of its own.
pub fn algorithm_2<C: Coins>(
    s: &[(Vec<i64>, i64)],
    one: i64,
    required: &Required,
    coins: &mut C,
    algorithm_4: impl FnOnce(&[(Vec<i64>, i64)], i64, &Required, &mut C) -> Result<Vec<BigInt>, Error>,
) -> Result<(Vec<Vec<i64>>, Vec<BigInt>, Vec<BigInt>), Error> {
    let Required {
        epsilon,
        delta,
        lambda,
        r,
        beta,
        ..
    } = required;
    let (m, d) = (s.len(), s.first().map_or(0, |(x, _)| x.len()));

    // 1: Let k = epsilon m log(m/beta)/(log^(3/2)(1/delta) log(1/beta)).
    let log_delta = ln(&delta.recip())?;
    let k = real(&(epsilon * integer(m))) * ln(&(integer(m) / beta))?;
    let k = k.divided_by(&(&log_delta * log_delta.sqrt()? * ln(&beta.recip())?))?;
    let k = k.upper().ceil().to_integer().to_i64().unwrap_or(i64::MAX);

    // 2: Let Phi be a random k x d matrix from the construction in Lemma A.4.   (here times sqrt(k))
    let length = d.next_power_of_two();
    let mut signs = Vec::new();
    for _ in 0..d {
        signs.push(if coins.bits(1)? == 1 { 1 } else { -1 });
    }
    let mut phi: Vec<Vec<i64>> = Vec::new();
    for _ in 0..k {
        let row = coins.bits(length.ilog2())? as usize;
        phi.push((0..d).map(|j| hadamard(row, j) * signs[j]).collect());
    }

    // 3: Let S_Phi = { (Pi_{B^k(2r)}(x_Phi), y) : (x, y) in S }, where x_Phi = Phi x in R^k.
    let squared = r * r * integer(4 * k) * integer(one) * integer(one); // (2 r)^2 in squared steps of the image
    let radius = squared.floor().to_integer().sqrt();
    let projected = |x: &[i64]| -> Vec<i64> {
        let image: Vec<BigInt> = phi.iter().map(|row| dot(row, x)).collect();
        into_ball(image, &radius)
            .iter()
            .map(|v| v.to_i64().unwrap_or(0))
            .collect()
    };
    let s_phi: Vec<(Vec<i64>, i64)> = s.iter().map(|(x, y)| (projected(x), *y)).collect();

    // 4: Privately solve the convex ERM problem: argmin over w in B^k(2 Lambda) of L^_{S_Phi}^rho(w) via Algorithm 4,
    //    and return w~ in B^k(2 Lambda).
    let problem = Required {
        lambda: lambda * integer(2),
        r: r * integer(2),
        ..required.clone()
    };
    let steps = radius.to_i64().ok_or(Error::OutOfRange("the grid"))?;
    let w = algorithm_4(&s_phi, steps, &problem, coins)?;

    // 5: return w^Priv = Phi^T w~.
    let w_priv = (0..d)
        .map(|j| phi.iter().zip(&w).map(|(row, w)| w * row[j]).sum())
        .collect();
    Ok((phi, w, w_priv))
}

/// The entry `(i, j)` of the Walsh-Hadamard matrix: `(-1)^(i . j)`, `i . j` how many binary ones both have in common.
fn hadamard(i: usize, j: usize) -> i64 {
    if (i & j).count_ones().is_multiple_of(2) {
        1
    } else {
        -1
    }
}

/// Pi: `v`, and where `|v| > radius` the vector `v radius/|v|`, each coordinate rounded towards zero.
fn into_ball(v: Vec<BigInt>, radius: &BigInt) -> Vec<BigInt> {
    let squared: BigInt = v.iter().map(|v| v * v).sum();
    if squared <= radius * radius {
        return v;
    }
    let scaled = |v: &BigInt| {
        let root = (v * v * radius * radius / &squared).sqrt();
        if *v < BigInt::ZERO { -root } else { root }
    };
    v.iter().map(scaled).collect()
}

fn dot(row: &[i64], x: &[i64]) -> BigInt {
    row.iter().zip(x).map(|(a, x)| BigInt::from(*a) * x).sum()
}

fn ln(x: &Rational) -> Result<Enclosure, Error> {
    Ok(real(x).ln()?)
}

fn real(x: &Rational) -> Enclosure {
    Enclosure::of(x, 128)
}
