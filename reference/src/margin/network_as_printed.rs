//! bms22, the learner of networks (Section 5, "Our construction"), **as printed** in the proceedings' text; of the
//! first version's the formulas are lost. It has no number. With the parameters of Theorem 5.1 the networks are far too
//! many to go through, but for the smallest ones (`bms22.thm5_1.corrected`): instances are tiny, and it is advised to
//! nobody.
//!
//! Private: (epsilon, 0) under substitution of one record, on all data (`bms22.sec5.dp`).
//!
//! Every printed sentence, in order, in the paper's letters. This file needs no other algorithm.
//!
//! What is not printed, or not legible, and what we put there:
//! - the constants of `k = O(.)` and `gamma = O(.)`: given. `k` is rounded up.
//! - which matrices: random signs over `sqrt(k)`.
//! - which cover: the product of one lattice cover for each layer's ball, each to within `gamma/sqrt(L)`
//!   (`bms22.alg1.cover`).
//! - the score: our copy has `R^_S(h)` in a line that is garbled; with it the worst network would be the likeliest.
//!   Minus it (`bms22.sec5.score`). A tie is an error.
//! - real numbers: points in steps of a public grid `1/one`; projections are kept times `sqrt(k)`. The sign of an
//!   output is told by enclosures of 64 to 4096 bits; what they do not tell is an error.

use crate::Error;
use crate::coins::Coins;
use crate::number::{Enclosure, Rational, rational::integer};
use crate::sample::ScoredChoice;
use num_traits::{One, ToPrimitive};

/// What is required, beside the dataset.
#[derive(Debug, Clone)]
pub struct Required {
    /// `epsilon > 0`
    pub epsilon: Rational,
    /// `L >= 1`, the number of layers.
    pub layers: usize,
    /// `N >= 1`, the neurons of each hidden layer.
    pub neurons: usize,
    /// `eta > 0`: the activation takes `(1 - e^(-eta a/2))/(1 + e^(-eta a/2))` of each coordinate.
    pub eta: Rational,
    /// `Lambda`, the largest Frobenius norm of a layer's matrix.
    pub lambda: Rational,
    /// `r`, the largest norm of a point.
    pub r: Rational,
    /// `rho > 0`
    pub rho: Rational,
    /// The constants of `k` and of `gamma`.
    pub constants: (Rational, Rational),
}

/// A matrix of integers, by its rows.
pub type Matrix = Vec<Vec<i64>>;

/// Returns `sqrt(k) Phi_0, ..., sqrt(k) Phi_{L-1}`, and of each layer the transpose of `W~_j`, in steps of
/// `2 Lambda/q`: a row for each neuron. The network has the weights `Phi_0^T W~_1, ..., Phi_{L-1}^T W~_L`.
///
/// `s`: records `(x, y)`, `x` in steps of `1/one` and of norm at most `r`, all of one length, `y` = +1 or -1.
pub fn network(
    s: &[(Vec<i64>, i64)],
    one: i64,
    required: &Required,
    coins: &mut impl Coins,
) -> Result<(Vec<Matrix>, Vec<Matrix>), Error> {
    let Required {
        layers,
        neurons,
        eta,
        lambda,
        r,
        rho,
        constants,
        ..
    } = required;
    let d = s.first().map_or(0, |(x, _)| x.len());

    // "... reduce the dimension of the inputs in each layer, including the input layer, to k = O(r^2 (2 eta
    // Lambda)^(2L)/rho^2)."
    let stretch = power(&(integer(2) * eta * lambda), *layers);
    let k = &constants.0 * r * r * &stretch * &stretch / (rho * rho);
    let k = k.ceil().to_integer().to_usize().unwrap_or(usize::MAX);

    // "We randomly generate a set Phi = (Phi_0, ..., Phi_{L-1}) of L independent JL matrices."   (here times sqrt(k))
    let mut phi: Vec<Matrix> = Vec::new();
    for j in 0..*layers {
        let mut matrix = vec![vec![0; if j == 0 { d } else { *neurons }]; k];
        for entry in matrix.iter_mut().flatten() {
            *entry = if coins.bits(1)? == 1 { 1 } else { -1 };
        }
        phi.push(matrix);
    }

    // "We start by creating a gamma-cover C of the product space of the matrices W~_1, ..., W~_L, where gamma =
    // O(rho/(r (4 eta Lambda)^L)). C is a gamma-cover of B^{k x N}(2 Lambda) x ... x B^k(2 Lambda)."   W~_j is here
    // transposed.
    let gamma = &constants.1 * rho / (r * power(&(integer(4) * eta * lambda), *layers));
    let mut c: Vec<Vec<Matrix>> = vec![vec![]];
    let mut steps = Vec::new();
    for j in 1..=*layers {
        let outputs = if j == *layers { 1 } else { *neurons };
        // In steps of 2 Lambda/q: q >= sqrt(outputs k) 2 Lambda/(2 gamma/sqrt(L)).
        let squared = integer(outputs * k * layers) * lambda * lambda / (&gamma * &gamma);
        let (q, points) = cover(outputs * k, &squared);
        let matrices: Vec<Matrix> = points.iter().map(|point| rows(point, k)).collect();
        let longer = |before: &Vec<Matrix>| -> Vec<Vec<Matrix>> {
            matrices
                .iter()
                .map(|w| [&before[..], std::slice::from_ref(w)].concat())
                .collect()
        };
        c = c.iter().flat_map(longer).collect();
        steps.push(lambda * integer(2) / integer(q));
    }

    // "... we then run the exponential mechanism over S with privacy parameter epsilon, the score function being the
    // empirical zero-one loss R^_S(h), and the sensitivity 1/m": here minus it, over C.   m R^ = how many (x, y) have y
    // h(x) <= 0.
    let mut errors = Vec::new();
    for w in &c {
        let mut of_w = 0;
        for (x, y) in s {
            of_w += u32::from(is_error((x, *y), one, &phi, w, &steps, eta)?);
        }
        errors.push(of_w);
    }
    let chosen = coins.draw(&ScoredChoice::new(errors, &required.epsilon)?)?;

    // "... to return a neural network h^Priv."
    Ok((phi, c.swap_remove(chosen)))
}

/// Whether `y h(x) <= 0`, `h(x) = W~_L^T Phi_{L-1} psi(... psi(W~_1^T Phi_0 x))`, or it is not told.
fn is_error(
    (x, y): (&[i64], i64),
    one: i64,
    phi: &[Matrix],
    w: &[Matrix],
    steps: &[Rational],
    eta: &Rational,
) -> Result<bool, Error> {
    for bits in [64, 256, 1024, 4096] {
        let real = |value: &Rational| Enclosure::of(value, bits);
        let mut v: Vec<Enclosure> = x
            .iter()
            .map(|x| real(&Rational::new((*x).into(), one.into())))
            .collect();
        for (j, ((phi, w), step)) in phi.iter().zip(w).zip(steps).enumerate() {
            // psi(u) = tanh(eta u/4), coordinate by coordinate, before every layer but the first.
            if j > 0 {
                let quarter = real(&(eta / integer(4)));
                v = v
                    .iter()
                    .map(|v| tanh(&(v * &quarter)))
                    .collect::<Result<_, _>>()?;
            }
            let scale = real(step).divided_by(&Enclosure::integer(phi.len(), bits).sqrt()?)?;
            v = times(w, &times(phi, &v, bits), bits)
                .iter()
                .map(|v| v * &scale)
                .collect();
        }
        let output = if y > 0 { v[0].clone() } else { -&v[0] };
        if output.lo().is_positive() || output.hi().is_negative() {
            return Ok(output.hi().is_negative());
        }
    }
    Ok(true)
}

/// `q`, the least integer with `q^2 >= squared`, and all `c` in `Z^dimension` with `|c| <= q + sqrt(dimension)/2`, in
/// order. With `q >= sqrt(dimension)/(2 z)` the points `c/q` cover the unit ball to within `z`: rounding to the nearest
/// is enough.
fn cover(dimension: usize, squared: &Rational) -> (i64, Vec<Vec<i64>>) {
    let (mut q, entries) = (1, dimension as i64);
    while integer(q * q) < *squared {
        q += 1;
    }
    let largest = (4 * q * q + entries + (16 * q * q * entries).isqrt()) / 4; // of 4 |c|^2 <= (2 q + sqrt(dimension))^2
    let mut points = vec![vec![]];
    for _ in 0..dimension {
        let longer = |c: &Vec<i64>| -> Vec<Vec<i64>> {
            let left = (largest - c.iter().map(|c| c * c).sum::<i64>()).isqrt();
            (-left..=left)
                .map(|last| [&c[..], &[last]].concat())
                .collect()
        };
        points = points.iter().flat_map(longer).collect();
    }
    (q, points)
}

/// The matrix with these entries, row by row.
fn rows(entries: &[i64], columns: usize) -> Matrix {
    entries.chunks(columns).map(<[i64]>::to_vec).collect()
}

/// The product of a matrix and a vector.
fn times(matrix: &Matrix, v: &[Enclosure], bits: u32) -> Vec<Enclosure> {
    let row = |row: &Vec<i64>| {
        let products = row
            .iter()
            .zip(v)
            .map(|(a, v)| v * Enclosure::integer(*a, bits));
        products.fold(Enclosure::integer(0, bits), |sum, product| sum + product)
    };
    matrix.iter().map(row).collect()
}

fn power(base: &Rational, exponent: usize) -> Rational {
    (0..exponent).fold(Rational::one(), |product, _| product * base)
}

/// `tanh(x) = (e^(2x) - 1)/(e^(2x) + 1)`
fn tanh(x: &Enclosure) -> Result<Enclosure, Error> {
    let grown = x.shifted(1).exp_minus_one()?;
    grown.divided_by(&(&grown + Enclosure::integer(2, x.bits())))
}
