//! lnsx25, Algorithm 1, **as printed**: the random features of Section 2.4, the interpolation (4), and lines 1 to 3. Not
//! private as claimed: `lnsx25.alg1`.
//!
//! Every printed line, in order, in the paper's letters. This file needs no other algorithm.
//!
//! What is not printed, and what we put there:
//! - (4): what happens if A A* has no inverse: `Undefined`, an error that depends on the data (`lnsx25.a5`).
//! - line 1: the range of eta: below 1/2, or Delta is no number. Above 0 it is not asked to be.
//! - line 3: how a real z is added to a complex c#: to its real part, so that its imaginary part is returned as it is
//!   (`lnsx25.a1`).
//! - real numbers: frequencies, inputs, A and the real part of c# in steps of a public grid `1/one`, A and c# to the nearest;
//!   `N(0, sigma^2)` is the discrete Gaussian law on that grid, sigma^2 rounded up to a squared step. The solution of (4) for
//!   that A is exact, and the imaginary part is returned as an exact number.

use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest, ratio};
use crate::number::{Enclosure, Rational};
use crate::sample::DiscreteGaussian;
use crate::sample::Noise;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The real part and the imaginary part.
pub type Complex = (Rational, Rational);

/// `c^`: its real part in steps of `1/one`, and its imaginary part.
pub type Output = (Vec<BigInt>, Vec<Rational>);

/// The model `f(x) = sum over k of c^_k exp(i <omega_k, x>)`: the frequencies, in steps of `1/one`, and `c^`.
///
/// `x`: inputs in R^d, in steps of `1/one`. `y`: their labels. `squared_sigma`: of Assumption 1, sigma^2.
pub fn model(
    (x, y): (&[Vec<i64>], &[Rational]),
    (n, d, squared_sigma): (usize, usize, &Rational),
    (epsilon_p, delta_p): (&Rational, &Rational),
    eta: &Rational,
    one: i64,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<BigInt>>, Output), Error> {
    // Assumption 1: the random features omega_1, ..., omega_N are sampled from N(0, sigma^2 I_d).
    let law = DiscreteGaussian::new(squared_sigma * BigInt::from(one) * BigInt::from(one))?;
    let mut omega = vec![vec![BigInt::zero(); d]; n];
    for coordinate in omega.iter_mut().flatten() {
        *coordinate = coins.draw(&law)?;
    }
    // Section 2.4: A in C^{m x N}, A_{j,k} = exp(i <omega_k, x_j>).
    let mut a = Vec::new();
    for x_j in x {
        let row = omega.iter().map(|omega_k| feature(omega_k, x_j, one));
        a.push(row.collect::<Result<Vec<_>, _>>()?);
    }
    // (4): c# in argmin over A c = y of |c|_2.
    let c = min_norm(&a, n, y)?;
    let c = algorithm_1(&c, (epsilon_p, delta_p), eta, one, coins)?;
    Ok((omega, c))
}

/// Algorithm 1. Inputs: non-private coefficient vector c#, privacy budget epsilon_p, privacy parameter delta_p, number of
/// random features N = `c.len()`, and parameter eta. Output: DP coefficient vector c^.
pub fn algorithm_1(
    c: &[Complex],
    (epsilon_p, delta_p): (&Rational, &Rational),
    eta: &Rational,
    one: i64,
    coins: &mut impl Coins,
) -> Result<Output, Error> {
    let n = integer(c.len() as u64);
    // 1. Compute Delta = 2/sqrt(N (1 - 2 eta)) and sigma^2 = 2 ln(1.25/delta_p) Delta^2/epsilon_p^2.
    let gap = integer(1) - eta * integer(2);
    if !gap.is_positive() || !delta_p.is_positive() || !epsilon_p.is_positive() || n.is_zero() {
        return Err(Error::Undefined("line 1"));
    }
    let squared_delta = integer(4) / (n * gap);
    let factor = integer(2) * squared_delta / (epsilon_p * epsilon_p);
    let squared_sigma = real(&(ratio(5, 4) / delta_p)).ln()? * real(&factor);
    // 2. Sample z in R^N from normal distribution N(0, sigma^2 I_N).
    let squared_step = BigInt::from(one) * one;
    let z = DiscreteGaussian::new((squared_sigma.upper() * squared_step).ceil())?;
    // 3. Return private coefficient vector c^ = c# + z.
    let in_steps = c
        .iter()
        .map(|(re, _)| (re * BigInt::from(one)).round().to_integer());
    let re = coins.draw(&z.around_all(in_steps))?;
    let im = c.iter().map(|(_, im)| im.clone()).collect();
    Ok((re, im))
}

/// (4): "The solution is given by c# = A* (A A*)^-1 y." `a`: the `m` rows of A, each with `n` entries.
pub fn min_norm(a: &[Vec<Complex>], n: usize, y: &[Rational]) -> Result<Vec<Complex>, Error> {
    // A A* and y beside it; then (A A*)^-1 y, by elimination.
    let mut rows: Vec<Vec<Complex>> = Vec::new();
    for (a_j, y_j) in a.iter().zip(y) {
        let products = a.iter().map(|a_l| {
            let terms = a_j.iter().zip(a_l).map(|(p, q)| times(p, &conjugate(q)));
            terms.fold(zero(), |sum, term| plus(&sum, &term))
        });
        let label = (y_j.clone(), Rational::zero());
        rows.push(products.chain([label]).collect());
    }
    for k in 0..rows.len() {
        let pivot = (k..rows.len()).find(|&j| rows[j][k] != zero());
        let pivot = pivot.ok_or(Error::Undefined("A A* has no inverse"))?;
        rows.swap(k, pivot);
        let inverse = inverse(&rows[k][k]);
        let unit: Vec<Complex> = rows[k].iter().map(|p| times(p, &inverse)).collect();
        for row in &mut rows {
            let factor = times(&row[k], &(integer(-1), integer(0)));
            for (p, unit) in row.iter_mut().zip(&unit) {
                *p = plus(p, &times(&factor, unit));
            }
        }
        rows[k] = unit;
    }
    // A* of it.
    let mut c = vec![zero(); n];
    for (a_j, row) in a.iter().zip(&rows) {
        for (c_k, p) in c.iter_mut().zip(a_j) {
            *c_k = plus(c_k, &times(&conjugate(p), &row[rows.len()]));
        }
    }
    Ok(c)
}

/// `exp(i <omega, x>)`, both parts to the nearest step.
fn feature(omega: &[BigInt], x: &[i64], one: i64) -> Result<Complex, Error> {
    let product: BigInt = omega.iter().zip(x).map(|(omega, x)| omega * x).sum();
    let angle = real(&Rational::new(product, BigInt::from(one) * one));
    let on_grid = |value: Enclosure| {
        let middle = (value.lower() + value.upper()) / integer(2);
        Rational::new(nearest(&(middle * BigInt::from(one))), one.into())
    };
    Ok((on_grid(angle.cos()?), on_grid(angle.sin()?)))
}

fn zero() -> Complex {
    (Rational::zero(), Rational::zero())
}

fn plus((a, b): &Complex, (c, d): &Complex) -> Complex {
    (a + c, b + d)
}

/// `(a + i b)(c + i d) = a c - b d + i (a d + b c)`
fn times((a, b): &Complex, (c, d): &Complex) -> Complex {
    (a * c - b * d, a * d + b * c)
}

fn conjugate((a, b): &Complex) -> Complex {
    (a.clone(), -b)
}

/// `1/(a + i b) = (a - i b)/(a^2 + b^2)`
fn inverse((a, b): &Complex) -> Complex {
    let squared = a * a + b * b;
    (a / &squared, -b / &squared)
}

fn real(x: &Rational) -> Enclosure {
    Enclosure::of(x, 160)
}
