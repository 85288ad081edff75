//! jt13, Algorithm 3 (TDIL), **as printed**. Read literally not private: a misprint in the exponent of line 5, `jt13.thm7`.
//!
//! Every printed line, in order, in the paper's letters. This file needs no other algorithm.
//!
//! What is not printed, and what we put there:
//! - `log`: natural.
//! - line 1: whether `B` is an integer. The rounds are those up to `B`: `floor(B)` of them, and none if `B < 1`.
//! - line 2: `w_1`, of which line 12 says nothing: `w_1 = w_0 = 0`.
//! - line 3: `r_phi`: 1. Any `nu`-net will do: it is given by a function of `nu`.
//! - line 6: the sum runs over `i` and has `alpha_t`, `z_t` in it: `alpha_i`, `z_i`. It begins at 0, and there is no `z_0`: it
//!   begins at 1, and it ends at `t - 1`, as `alpha_0 = alpha_t = 0`.
//! - line 8 and line 10: `z_t` is set in line 12: it is the `z` of line 5 already.
//! - line 10: `alpha_i <- 0`: `alpha_t`. The sum begins at 1, as in line 6.
//! - real numbers: predictions, and what is compared with them, in steps of `u = S/16`, `S = 2 L R^2/(lambda n)`, to the nearest;
//!   `Lap(1/(2 eps_0))` is the discrete Laplace law on that grid; `B`, `eps_0`, `sigma` and `nu` are rounded down. A score
//!   beyond `2^32` steps counts as that.

use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, Rational};
use crate::sample::Noise;
use crate::sample::{DiscreteLaplace, ScoredChoice};
use num_traits::{Signed, ToPrimitive, Zero};

/// What Algorithm 3 requires, beside `w*`, `K` and a net.
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
    /// `L`, the Lipschitz constant of the loss.
    pub l: Rational,
    /// `lambda`
    pub lambda: Rational,
    /// The dimension of the input space.
    pub d: u64,
    /// `L_phi`, the Lipschitz constant of the feature map.
    pub l_phi: Rational,
}

/// What lines 8, 10 and 14 output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output<Z> {
    /// `a^_t` or what stands in its place, a round each.
    pub answers: Vec<Rational>,
    /// `w^ = w_B`, as the pairs `(alpha_i, z_i)`, also where `alpha_i = 0`.
    pub w: Vec<(Rational, Z)>,
}

/// `w_star`: the pairs `(mu_i, x_i)` of `w* = sum of mu_i phi(x_i)`, the optimum of (2). `kernel(x, v)` = `K(x, v)`. `net`: a
/// `nu`-net of the ball, for a given `nu`.
pub fn algorithm_3<Z: Clone>(
    required: &Required,
    w_star: &[(Rational, Z)],
    kernel: impl Fn(&Z, &Z) -> Rational,
    net: impl FnOnce(&Rational) -> Vec<Z>,
    coins: &mut impl Coins,
) -> Result<Output<Z>, Error> {
    let Required {
        n,
        squared_r,
        epsilon,
        delta,
        beta,
        l,
        lambda,
        d,
        l_phi,
    } = required;
    let log_delta = real(&(integer(4) / delta)).ln()?; // log(4/delta)
    let r = real(squared_r).sqrt()?;
    let n = integer(*n);
    let down = |x: Enclosure| x.with_bits(64).lower();

    // 1: B <- n epsilon/(100 L R log(4/delta)),
    let b = real(&(&n * epsilon)).divided_by(&(real(&(l * integer(100))) * &r * &log_delta))?;
    let b = down(b);
    //    eps_0 <- n epsilon lambda/(10 L R^2 sqrt(B) log(4/delta)),
    let eps_0 = real(&(&n * epsilon * lambda))
        .divided_by(&(real(&(l * squared_r * integer(10))) * real(&b).sqrt()? * &log_delta))?;
    let eps_0 = down(eps_0);
    //    sigma <- (4/eps_0) log(2B/beta),
    let log_b = real(&(&b * integer(2) / beta)).ln()?;
    let sigma = down(real(&(integer(4) / &eps_0)) * log_b);
    //    step size: eta <- sigma/(4 R^2),
    let eta = &sigma / (squared_r * integer(4));
    //    net size: nu = d R/(eps_0 n L_phi).
    let nu = down(r * real(&(integer(*d) / (&eps_0 * &n * l_phi))));
    //    (In steps of u = S/16: the noise of scale 1/(2 eps_0) in line 6 and line 8, and sigma in line 7.)
    let sensitivity = l * squared_r * integer(2) / (lambda * &n);
    let u = &sensitivity / integer(16);
    let noise = DiscreteLaplace::new((&eps_0 * integer(2) * &u).recip())?;
    let sigma = (sigma / &u).floor().to_integer();

    // 2: alpha_0 <- 0, ..., alpha_B <- 0, w_0 <- 0.   (implicitly, w_t = sum of alpha_i phi(z_i): the pairs so far)
    let mut w: Vec<(Rational, Z)> = Vec::new();
    let mut output = Output {
        answers: Vec::new(),
        w: w.clone(),
    };
    let predict = |w: &[(Rational, Z)], z: &Z| -> Rational {
        w.iter().map(|(alpha, z_i)| alpha * kernel(z, z_i)).sum()
    };
    // 3: Let S be nu-net on the ball { z : |z| <= r_phi }.
    let s = net(&nu);
    // 4: for t = { 1, ..., B } do
    for _ in 0..b.floor().to_integer().to_u64().unwrap_or(u64::MAX) {
        output.w.clone_from(&w);
        // 5: Sample z in S w.p. exp(eps_0 n lambda/(8 L R^2) |<phi(z), w_t - w*>|).
        let differences: Vec<Rational> = s
            .iter()
            .map(|z| predict(w_star, z) - predict(&w, z))
            .collect();
        let scores: Vec<u32> = differences
            .iter()
            .map(|x| nearest(&(x / &u)).magnitude().to_u32().unwrap_or(u32::MAX))
            .collect();
        //    (The law below has exp(-x/2 what is missing to the largest score), x in steps.)
        let largest = scores.iter().copied().max().unwrap_or(0);
        let missing = scores.iter().map(|score| largest - score).collect();
        let exponent = &eps_0 * &n * lambda / (integer(8) * l * squared_r);
        let chosen = coins.draw(&ScoredChoice::new(missing, &(exponent * &u * integer(2)))?)?;
        let z = &s[chosen];
        // 6: d^_t = <w*, phi(z)> - sum over i from 0 to t of alpha_t phi(z)^T phi(z_t) + Lap(1/(2 eps_0)).
        let d_hat = coins.draw(&noise.around(nearest(&(&differences[chosen] / &u))))?;
        // 7: if |d^_t| > sigma then
        let alpha = if d_hat.abs() > sigma {
            // 8: alpha_t <- eta sign(d^_t). Output: a^_t <- <w*, phi(z_t)> + Lap(1/(2 eps_0)).
            let a_hat = coins.draw(&noise.around(nearest(&(predict(w_star, z) / &u))))?;
            output.answers.push(&u * a_hat);
            if d_hat.is_positive() {
                eta.clone()
            } else {
                -&eta
            }
        } else {
            // 9, 10: else alpha_i <- 0. Output: sum over i from 0 to t of alpha_i phi(z_i)^T phi(z_t).
            output.answers.push(&u * nearest(&(predict(&w, z) / &u)));
            Rational::zero()
        }; // 11: end if
        // 12: z_t <- z and w_{t+1} <- sum over i from 1 to t of alpha_i phi(z_i).
        w.push((alpha, z.clone()));
    } // 13: end for
    // 14: Output: w^ = w_B.
    Ok(output)
}

fn real(x: &Rational) -> Enclosure {
    Enclosure::of(x, 128)
}
