//! jt13, Algorithm 2, line 2, **ours**: what is nearest to given numbers, in the span of given points, exactly.
//!
//! Nothing here is private: points and numbers are public.

use super::kernel::{Expansion, Kernel};
use crate::Error;
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The `w` of `|w| <= c0` with the least `(1/T) sum over t of (<w, phi(z_t)> - y_t)^2`, the only one in the span of the `phi(z_t)`
/// (`jt13.alg2.span`): `sum of a_t phi(z_t)` with `(K + mu) a = y` on the range of `K`, `mu >= 0`, and `mu = 0` or `|w| = c0`.
///
/// It is exact where `c0` does not bind. Where it does, `mu` is at most one part in `2^32` too large, and `w` as little too short.
pub fn nearest_in_span(
    kernel: &Kernel,
    z: &[Vec<i64>],
    y: &[Rational],
    c0: &Rational,
) -> Result<Expansion, Error> {
    let k = gram(kernel, z)?;
    let expansion = |a: Vec<Rational>| a.into_iter().zip(z.iter().cloned()).collect();
    let too_long = |a: &[Rational]| product(a, &times(&k, a)) > c0 * c0;
    // 1. mu = 0: K (K a - y) = 0 has a solution, and all of them are the same w.
    let squared: Vec<Vec<Rational>> = k.iter().map(|row| times(&k, row)).collect();
    let a = solution(squared, times(&k, y));
    if !too_long(&a) {
        return Ok(expansion(a));
    }
    // 2. |w| falls as mu rises, and is at most |y|/(2 sqrt(mu)): between 0 and a power of two there is the least mu that will do.
    let of_mu = |mu: &Rational| {
        let mut matrix = k.clone();
        (0..z.len()).for_each(|t| matrix[t][t] += mu);
        solution(matrix, y.to_vec())
    };
    let (mut high, two) = (Rational::one(), integer(2));
    while !too_long(&of_mu(&high)) {
        high /= &two;
    }
    while too_long(&of_mu(&high)) {
        high *= &two;
    }
    let (mut low, part) = (&high / &two, &high / integer(1u64 << 33));
    while &high - &low > part {
        let middle = (&low + &high) / &two;
        if too_long(&of_mu(&middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(expansion(of_mu(&high)))
}

/// `|w|^2`, and by how much the objective of `w = sum of a_t phi(z_t)` is above the least over `|w| <= c0` at most, rounded up: it
/// is convex, so by no more than `<g, w> + c0 |g|`, `g = (2/T) sum over t of (<w, phi(z_t)> - y_t) phi(z_t)` its gradient.
pub fn certificate(
    kernel: &Kernel,
    z: &[Vec<i64>],
    y: &[Rational],
    c0: &Rational,
    a: &[Rational],
) -> Result<(Rational, Rational), Error> {
    let k = gram(kernel, z)?;
    let predictions = times(&k, a);
    let off: Vec<Rational> = predictions.iter().zip(y).map(|(f, y)| f - y).collect();
    let length = Enclosure::of(&product(&off, &times(&k, &off)), 128).sqrt()?;
    let gap = product(&off, &predictions) + c0 * length.upper();
    let squared = product(a, &predictions);
    Ok((squared, gap * integer(2) / integer(z.len() as u64)))
}

/// `K(z_s, z_t)`
fn gram(kernel: &Kernel, z: &[Vec<i64>]) -> Result<Vec<Vec<Rational>>, Error> {
    let step = Rational::new(BigInt::one(), BigInt::one() << 48);
    let row = |x: &Vec<i64>| {
        z.iter()
            .map(|z| Ok(&step * kernel.value(x, z)?))
            .collect::<Result<Vec<_>, Error>>()
    };
    z.iter().map(row).collect()
}

/// A solution of a system that has one, by elimination; what is free is 0.
fn solution(mut matrix: Vec<Vec<Rational>>, mut right: Vec<Rational>) -> Vec<Rational> {
    let (count, mut done, mut pivots) = (right.len(), 0, Vec::new());
    for column in 0..count {
        let Some(pivot) = (done..count).find(|&row| !matrix[row][column].is_zero()) else {
            continue;
        };
        matrix.swap(done, pivot);
        right.swap(done, pivot);
        for row in (0..count).filter(|&row| row != done) {
            let factor = &matrix[row][column] / &matrix[done][column];
            let of_pivot = matrix[done].clone();
            matrix[row]
                .iter_mut()
                .zip(&of_pivot)
                .for_each(|(entry, of_pivot)| *entry -= &factor * of_pivot);
            right[row] = &right[row] - &factor * &right[done];
        }
        pivots.push(column);
        done += 1;
    }
    let mut x = vec![Rational::zero(); count];
    for (row, column) in pivots.into_iter().enumerate() {
        x[column] = &right[row] / &matrix[row][column];
    }
    x
}

fn times(matrix: &[Vec<Rational>], x: &[Rational]) -> Vec<Rational> {
    matrix.iter().map(|row| product(row, x)).collect()
}

fn product(x: &[Rational], z: &[Rational]) -> Rational {
    x.iter().zip(z).map(|(x, z)| x * z).sum()
}
