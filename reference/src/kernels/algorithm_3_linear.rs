//! jt13, Algorithm 3 for linear kernels, **ours**: the net is a lattice, and the score `ln cosh`.
//!
//! Private: as [`algorithm_3`](super::algorithm_3), (epsilon, delta) under substitution of one record, on all data of the unit
//! ball, if `algorithm_2::is_enough` says so of `2 B` draws of loss `e` (`jt13.tdil.linear`). Not covered: the time that it takes.
//!
//! The weight of a point in line 5 is `cosh(x)` in the place of `exp(|x|)`, which is at most twice that: the sum of two
//! exponentials of linear functions. So one of two is drawn, and then a point by it. Here each point of the lattice is gone through;
//! `jt13.tdil.linear` says how it is drawn in polynomial time.

use super::algorithm_3::{Chosen, Grid, grid};
use super::kernel::{Expansion, Shape};
use super::minimiser::{Problem, s_prime};
use crate::Error;
use crate::coins::Coins;
use crate::number::Rational;
use crate::number::rational::{integer, nearest};
use crate::sample::{Censored, ExponentialMechanism, LARGEST_EXPONENT, ScoreClass};
use crate::vector::squared_norm;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Returns `w^`, and whether a round was quiet: otherwise no bound on the error holds. `w_star`: the vector of
/// `minimiser::vector`. `q >= 1`: the net is `{ k/q : k in Z^d, |k| <= q }`, within `sqrt(d)/q` of each point of the ball.
pub fn learn(
    w_star: &Expansion,
    problem: &Problem,
    q: i64,
    chosen: &Chosen,
    coins: &mut impl Coins,
) -> Result<(Vec<Rational>, bool), Error> {
    let (kernel, d) = (&problem.kernel, problem.kernel.d);
    // With at most 48 bits the values at the unit vectors are exact. With more, d rounded values would enter a prediction, and S'
    // counts one.
    if kernel.shape != (Shape::Polynomial { p: 1, c: 0 })
        || kernel.bits > 48
        || BigInt::from(kernel.radius) != BigInt::one() << kernel.bits
    {
        return Err(Error::OutOfRange("the kernel or the radius"));
    }
    // 1: B and e are given; sigma, eta.
    let Grid {
        u,
        noise,
        sigma,
        eta,
    } = grid(problem, chosen)?;
    // 2: w_1 <- 0, and so v = w* - w_1 = w*: what it predicts at the unit vectors.
    let mut w = vec![Rational::zero(); d];
    let mut v = Vec::new();
    for j in 0..d {
        let mut axis = vec![0; d];
        axis[j] = kernel.radius;
        v.push(kernel.predict(w_star, &axis)?);
    }
    // 3: S is the lattice.
    let s = lattice(d, q);
    // 4: for t = { 1, ..., B } do
    for _ in 0..chosen.b {
        // 5: Sample z = k/q in S w.p. proportional to cosh(e <z, v>/(2 S')): a fair sign, and k by e^<slopes, k>.
        let slope = &chosen.e / (s_prime(problem)? * integer(2 * q));
        let slopes = clipped(&v, &slope, q);
        let negative = coins.bits(1)? == 1;
        let k = &s[coins.draw(&exponential(&slopes, &s)?)?];
        let z: Vec<Rational> = k
            .iter()
            .map(|k| Rational::new((if negative { -k } else { *k }).into(), q.into()))
            .collect();
        // 6: d^_t = <z, v> + Lap(S'/e),
        // 7: told if |d^_t| > sigma.
        let exact: Rational = v.iter().zip(&z).map(|(v, z)| v * z).sum();
        let exact = nearest(&(exact / &u));
        let told = Censored::new(exact, &noise, [-&sigma, sigma.clone()])?;
        let Some(d_hat) = coins.draw(&told)? else {
            // 9, 10, 14: else output w_t.
            return Ok((w, true));
        };
        // 8, 12: w_{t+1} <- w_t + eta sign(d^_t) z.
        for ((w, v), z) in w.iter_mut().zip(&mut v).zip(&z) {
            let step = &eta * d_hat.signum() * z;
            *v -= &step;
            *w += step;
        }
    } // 13
    // 14: Output w_{B+1}.
    Ok((w, false))
}

/// The slopes `e v/(2 S' q)`, each clipped to a public bound with which no difference of two `<slopes, k>` is above what can be
/// enclosed, whatever `v` is. Those of neighbours come no farther apart.
fn clipped(v: &[Rational], slope: &Rational, q: i64) -> Vec<Rational> {
    let root = v.len().saturating_sub(1).isqrt() + 1; // at least sqrt(d)
    let most = integer(LARGEST_EXPONENT / 2) / (integer(q) * integer(root));
    v.iter()
        .map(|v| (v * slope).clamp(-&most, most.clone()))
        .collect()
}

/// The law of the number of a point `k`, with probability proportional to `e^<slopes, k>`.
fn exponential(slopes: &[Rational], s: &[Vec<i64>]) -> Result<ExponentialMechanism, Error> {
    // It has exp(-epsilon loss/(2 sensitivity)): that is exp(-loss).
    let class = |k: &Vec<i64>| ScoreClass {
        loss: slopes
            .iter()
            .zip(k)
            .map(|(s, k)| s * BigInt::from(-k))
            .sum(),
        count: 1u32.into(),
    };
    let classes = s.iter().map(class).collect();
    Ok(ExponentialMechanism::new(integer(2), integer(1), classes)?)
}

/// All `k` in Z^d with `|k| <= q`.
fn lattice(d: usize, q: i64) -> Vec<Vec<i64>> {
    let mut points = vec![vec![]];
    for _ in 0..d {
        points = points
            .iter()
            .flat_map(|k: &Vec<i64>| (-q..=q).map(|last| [&k[..], &[last]].concat()))
            .filter(|k| squared_norm(k) <= BigInt::from(q).pow(2))
            .collect();
    }
    points
}
