//! jt13, Algorithm 1 (PINP), **as printed**, with its own loop. Not private for `B` far below 1: `jt13.thm2`.
//!
//! Every printed line, in order, in the paper's letters. This file needs no other algorithm.
//!
//! What is not printed, and what we put there:
//! - `log`: natural.
//! - line 1: whether `B` is an integer. It is taken as it comes, a real number, and may be below 1 (`jt13.thm2`).
//! - line 4: where the counter begins: at 0. What happens once it reaches `B`: no further query is answered
//!   (`jt13.alg1.halts`).
//! - line 6: the sum begins at tau = 0, and there is no `z_0`: it begins at 1, as `alpha_0 = 0`.
//! - line 8: `d_t` has no hat in our copy, a scan, and is nowhere defined: `sign(d^_t)` (`jt13.alg1.sign`).
//! - real numbers: predictions in steps of `u = S/steps`, `S = 2 L R^2/(lambda n)`, to the nearest; `Lap(1/eps_0)` is the
//!   discrete Laplace law on that grid, `eps_0` rounded down, `sigma` and `B` rounded up.
//! - the queries `z` are given as a list. The answers are the same if each is asked when those before it are answered.

use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, Rational};
use crate::sample::DiscreteLaplace;
use crate::sample::Noise;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// What Algorithm 1 requires, beside `w*`, `K` and the test points.
#[derive(Debug, Clone)]
pub struct Required {
    /// `n`, the number of records.
    pub n: u64,
    /// `R_phi^2`: the largest `K(z, z)` over all `z` of the input space.
    pub squared_r: Rational,
    /// `epsilon`
    pub epsilon: Rational,
    /// `delta`
    pub delta: Rational,
    /// `beta`, the probability of failure.
    pub beta: Rational,
    /// `C >= |w*|`
    pub c: Rational,
    /// `L`, the Lipschitz constant of the loss.
    pub l: Rational,
    /// `lambda`
    pub lambda: Rational,
    /// Of the grid: how many to `S`.
    pub steps: u64,
}

/// Returns `y^_1, y^_2, ...`, one for each of the `T` queries `z` that is answered.
///
/// `w_star`: the pairs `(mu_i, x_i)` of `w* = sum of mu_i phi(x_i)`, the optimum of (2). `kernel(x, v)` = `K(x, v)`.
pub fn algorithm_1<Z>(
    required: &Required,
    w_star: &[(Rational, Z)],
    kernel: impl Fn(&Z, &Z) -> Rational,
    z: &[Z],
    coins: &mut impl Coins,
) -> Result<Vec<Rational>, Error> {
    let Required {
        n,
        squared_r,
        epsilon,
        delta,
        beta,
        c,
        l,
        lambda,
        steps,
    } = required;
    let queries = integer(z.len() as u64);
    let log_queries = ln(&(queries * integer(2) / beta))?; // log(2T/beta)
    let log_delta = ln(&(integer(4) / delta))?; // log(4/delta)
    let r = real(squared_r).sqrt()?;
    let n_lambda = lambda * integer(*n);

    // 1: B <- n lambda epsilon C^2/(200 L R sqrt(2 log(2T/beta)) log(4/delta)).
    let b = real(&(&n_lambda * epsilon * c * c));
    let b = b.divided_by(
        &(real(&(integer(200) * l)) * r * log_queries.shifted(1).sqrt()? * &log_delta),
    )?;
    let b = b.with_bits(64).upper();
    // 2: eps_0 <- n epsilon lambda/(200 L R^2 sqrt(B) log(4/delta)),    (here S eps_0: one over the noise, in units of S)
    let s = integer(2) * l * squared_r / &n_lambda;
    let eps_0 = real(&(&n_lambda * epsilon))
        .divided_by(&(real(&(integer(200) * l * squared_r)) * real(&b).sqrt()? * log_delta))?;
    let s_eps_0 = (real(&s) * eps_0).with_bits(64).lower();
    //    sigma <- (4/eps_0) log(2T/beta),                              (in steps of u = S/steps, and so is the noise)
    let scale = integer(*steps) / s_eps_0;
    let sigma: BigInt = (log_queries.shifted(2) * real(&scale))
        .upper()
        .ceil()
        .to_integer();
    let noise = DiscreteLaplace::new(scale)?;
    let u = s / integer(*steps);
    //    eta <- sigma/(4 R^2).
    let eta = &u * &sigma / (integer(4) * squared_r);
    // 3: alpha_0 <- 0.   (implicitly, w_0 = 0)
    let mut alpha: Vec<Rational> = Vec::new();
    let (mut counter, mut answers) = (0u64, Vec::new());
    // 4: for t in { 1, ..., T } and counter < B do
    for (t, z_t) in z.iter().enumerate() {
        if integer(counter) >= b {
            break;
        }
        // 5: a^_t <- <w*, phi(z_t)> + zeta_t = sum over i from 1 to n of mu_i K(z_t, x_i) + zeta_t, zeta_t ~ Lap(1/eps_0).
        let exact: Rational = w_star.iter().map(|(mu, x)| mu * kernel(z_t, x)).sum();
        let a_hat = coins.draw(&noise.around(nearest(&(exact / &u))))?;
        // 6: d^_t <- a^_t - sum over tau from 0 to t - 1 of alpha_tau K(z_t, z_tau).
        let public: Rational = (0..t).map(|tau| &alpha[tau] * kernel(z_t, &z[tau])).sum();
        let d_hat = &a_hat - nearest(&(public / &u));
        // 7: if |d^_t| > sigma then
        if d_hat.abs() > sigma {
            // 8: alpha_t <- eta sign(d_t) and counter <- counter + 1.   (implicitly, w_t = sum of alpha_tau phi(z_tau))
            alpha.push(if d_hat.is_positive() {
                eta.clone()
            } else {
                -&eta
            });
            counter += 1;
            // 9: output prediction: y^_t = a^_t.
            answers.push(&u * &a_hat);
        } else {
            // 10, 11: else alpha_t <- 0.
            alpha.push(Rational::zero());
            // 12: output prediction: y^_t = sum over tau from 1 to t of alpha_tau K(z_tau, z_t).
            let sum: Rational = (0..=t).map(|tau| &alpha[tau] * kernel(&z[tau], z_t)).sum();
            answers.push(&u * nearest(&(sum / &u)));
        } // 13: end if
    } // 14: end for
    Ok(answers)
}

fn ln(x: &Rational) -> Result<Enclosure, Error> {
    Ok(real(x).ln()?)
}

fn real(x: &Rational) -> Enclosure {
    Enclosure::of(x, 128)
}
