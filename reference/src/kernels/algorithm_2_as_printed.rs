//! jt13, Algorithm 2 (TDDL), **as printed**. Not private with the constant 1 in line 1: `jt13.thm4`.
//!
//! Every printed line, in order, in the paper's letters. This file needs no other algorithm.
//!
//! What is not printed, and what we put there:
//! - line 1: the constant of `nu = O(.)`: `constant` is given. With `4 sqrt(2)` it is private (`jt13.thm4.corrected`).
//! - `log`: natural.
//! - line 2: how to minimise over `C`, any convex set. The objective depends on `w*` and the noise by the numbers
//!   `y_t = <w*, phi(z_t)> + b_t` alone, so that `C` is given by a function: the `w` of `C` with the least
//!   `(1/T) sum over t of (<w, phi(z_t)> - y_t)^2`. The line has `w*` in it, and whoever minimises may see `y` only.
//! - real numbers: predictions in steps of `u = S/steps`, `S = 2 L R^2/(lambda n)`, to the nearest; `Lap(nu)` is the discrete
//!   Laplace law on that grid, `nu` rounded up.

use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, Rational};
use crate::sample::DiscreteLaplace;
use crate::sample::Noise;

/// What Algorithm 2 requires, beside `w*`, `K`, `Z` and `C`.
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
    /// `L`, the Lipschitz constant of the loss.
    pub l: Rational,
    /// `lambda`
    pub lambda: Rational,
    /// What the `O` of line 1 hides.
    pub constant: Rational,
    /// Of the grid: how many to `S`.
    pub steps: u64,
}

/// Returns `w^`, whatever `C` is made of.
///
/// `w_star`: the pairs `(mu_i, x_i)` of `w* = sum of mu_i phi(x_i)`, the optimum of (2). `kernel(x, v)` = `K(x, v)`. `z`: the
/// `T >= 1` points of `Z`, sampled uniformly from the test set. `argmin_in_c`: `C`, as in the header.
pub fn algorithm_2<Z, W>(
    required: &Required,
    w_star: &[(Rational, Z)],
    kernel: impl Fn(&Z, &Z) -> Rational,
    z: &[Z],
    argmin_in_c: impl FnOnce(&[Rational]) -> W,
    coins: &mut impl Coins,
) -> Result<W, Error> {
    let Required {
        n,
        squared_r,
        epsilon,
        delta,
        l,
        lambda,
        constant,
        steps,
    } = required;
    let queries = integer(z.len() as u64);
    let n_lambda = lambda * integer(*n);

    // 1: Sample b_1, ..., b_T i.i.d. from Lap(nu), where nu = O(L R^2 sqrt(T log(1/delta))/(lambda n epsilon)).
    let root = (real(&queries) * -real(delta).ln()?).sqrt()?;
    let nu = real(&(constant * l * squared_r / (&n_lambda * epsilon))) * root;
    //    (In steps of u = S/steps. b_t is drawn around the prediction that line 2 adds it to.)
    let s = integer(2) * l * squared_r / &n_lambda;
    let s_over_nu = real(&s).divided_by(&nu)?.with_bits(64).lower();
    let noise = DiscreteLaplace::new(integer(*steps) / s_over_nu)?;
    let u = s / integer(*steps);
    let mut y = Vec::new();
    for z_t in z {
        let exact: Rational = w_star.iter().map(|(mu, x)| mu * kernel(z_t, x)).sum();
        y.push(&u * coins.draw(&noise.around(nearest(&(exact / &u))))?);
    }
    // 2: Output w^ = argmin over w in C of (1/T) sum over t from 1 to T of (<w - w*, phi(z_t)> - b_t)^2.
    Ok(argmin_in_c(&y))
}

fn real(x: &Rational) -> Enclosure {
    Enclosure::of(x, 128)
}
