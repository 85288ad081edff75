//! jt13, **ours**: predictions for queries that come one by one, with the noise of a Gaussian process. For kernels without a basis.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, all answers of a session together, however the
//! queries are chosen by who sees the answers (`jt13.gp.online`, `jt13.gp.adaptive`), if [`is_enough`] says so of the noise. Not
//! covered: the time of an answer.
//!
//! Each query that is not in the span of those before adds a coordinate, a vector `e_t = sum of c_i phi(z_i)`, and `<w*, e_t>` is
//! released with noise, once. How good the coordinates are does not matter for privacy, as long as each is certified: every row of
//! `G - I`, `G` the matrix of their inner products, has an absolute sum of at most `kappa = 2^-10`.
//!
//! Algorithm 2 with this noise is such a session, asked at its public points, and what is nearest to the answers
//! (`jt13.tddl.gaussian`).

use super::kernel::{Expansion, Kernel};
use super::minimiser::{Problem, eta, squared_d};
use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, Rational};
use crate::privacy::discrete_gaussian;
use crate::sample::{DiscreteGaussian, Noise};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// A session. All of it is public.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// `K`, and the ball that queries are in.
    pub kernel: Kernel,
    /// `m`, the most coordinates.
    pub m: usize,
    /// `A`: the largest `sum of |c_i|` of a coordinate, in steps of `2^-64`.
    pub longest: BigInt,
    /// A step of what is released, in the units of `|w*|`.
    pub gamma: Rational,
    /// `tau^2`, in squared steps of `gamma`.
    pub variance: Rational,
    /// The queries that added a coordinate.
    pub z: Vec<Vec<i64>>,
    /// The coordinates: the `c_i` of each, in steps of `2^-64`.
    pub e: Vec<Vec<BigInt>>,
    /// What was released of each, in steps of `gamma`.
    pub v: Vec<BigInt>,
}

/// Returns the prediction at a query, in units of predictions, and at least the squared distance of `phi(z)` from what it is a
/// prediction for, 0 if a coordinate was added. `w_star`: the vector of `minimiser::vector`.
///
/// Refuses a query outside the ball, and every query once the coins have failed.
pub fn answer(
    session: &mut Session,
    w_star: &Expansion,
    z: &[i64],
    coins: &mut impl Coins,
) -> Result<(Rational, Rational), Error> {
    let Session { kernel, gamma, .. } = &session;
    kernel.check(z)?;
    if session.v.len() != session.e.len() {
        return Err(Error::OutOfRange("the coins, which failed"));
    }
    // 1. phi(z) = sum of u_j e_j + rest, nearly, by Gram and Schmidt's method, twice. `rest` has weights of z_1, ..., z_t and of z.
    //    In steps of 2^-48 K, of 2^-64 u_j and e_j, of 2^-128 rest; and so <e, rest> of 2^-(64 + 128 + 48) = 2^-240, which is 176 bits
    //    below u, and |rest|^2 of 2^-(128 + 128 + 48) = 2^-304, its root of 2^-152.
    let points = [&session.z[..], &[z.to_vec()]].concat();
    let k = values(kernel, &points)?;
    let mut u = vec![BigInt::zero(); session.e.len()];
    let mut rest = vec![BigInt::zero(); session.e.len()];
    rest.push(BigInt::one() << 128);
    for _ in 0..2 {
        let along = |e: &Vec<BigInt>| inner(&k, e, &rest) >> 176;
        let more: Vec<BigInt> = session.e.iter().map(along).collect();
        for (e, more) in session.e.iter().zip(&more) {
            rest.iter_mut()
                .zip(e)
                .for_each(|(rest, c)| *rest -= more * c);
        }
        u.iter_mut().zip(more).for_each(|(u, more)| *u += more);
    }
    // 2. e_t = rest/|rest| is a coordinate, if it is certified.
    let squared = inner(&k, &rest, &rest);
    let norm = squared.clone().max(BigInt::zero()).sqrt(); // in steps of 2^-152
    let known: BigInt = u.iter().zip(&session.v).map(|(u, v)| u * v).sum();
    let known = gamma * steps(known, 64);
    let coordinates = with_direction(&session.e, &rest, &norm);
    if !is_certified(session, &k, &coordinates) {
        let squared = squared + length(&rest).pow(2) * error(kernel);
        return Ok((known, steps(squared, 304)));
    }
    // 3. v_t = <w*, e_t> = sum of c_i f(z_i), in steps, to the nearest, and noise around it.
    let mut exact = Rational::zero();
    for (c, z) in coordinates[u.len()].iter().zip(&points) {
        exact += kernel.predict(w_star, z)? * steps(c.clone(), 64);
    }
    let exact = nearest(&(exact / gamma));
    let gamma = gamma.clone();
    (session.z, session.e) = (points, coordinates);
    let v = coins.draw(&DiscreteGaussian::new(session.variance.clone())?.around(exact))?;
    session.v.push(v.clone());
    // 4. sum of u_j v_j + |rest| v_t.
    Ok((known + gamma * steps(norm * v, 152), Rational::zero()))
}

/// Whether what a session releases is (epsilon, delta)-private. On every path it moves by no more, in the Euclidean norm, than
/// `D' = (1 + kappa/2) D + 2 sqrt(m) A eta + gamma sqrt(m)`, by the vector, by what evaluation adds and by rounding.
pub fn is_enough(
    problem: &Problem,
    session: &Session,
    (epsilon, delta): (&Rational, &Rational),
) -> Result<bool, Error> {
    let Session { m, gamma, .. } = session;
    let of = |x: &Rational| Enclosure::of(x, 128);
    let root = Enclosure::integer(*m as u64, 128).sqrt()?;
    let of_vector = of(&squared_d(problem)?).sqrt()? * of(&(integer(1) + steps(BigInt::one(), 11)));
    let evaluated = integer(2) * steps(session.longest.clone(), 64) * eta(problem)?;
    let moved = of_vector + root * of(&(evaluated + gamma));
    // In steps it moves by integers: no more than the integer below.
    let squared = (moved.squared().upper() / gamma / gamma)
        .floor()
        .to_integer();
    let (variance, m) = (&session.variance, *m as u64);
    Ok(discrete_gaussian::delta(variance, &squared.max(BigInt::one()), m, epsilon)? <= *delta)
}

/// The coordinates and `rest/|rest|`, which is nothing if nothing is left.
fn with_direction(e: &[Vec<BigInt>], rest: &[BigInt], norm: &BigInt) -> Vec<Vec<BigInt>> {
    // 2^-128 over 2^-152, in steps of 2^-64.
    let weight = |c: &BigInt| {
        if norm.is_zero() {
            BigInt::zero()
        } else {
            (c << 88) / norm
        }
    };
    [e, &[rest.iter().map(weight).collect()]].concat()
}

/// Whether there may be so many coordinates, none of them too long, and all nearly orthonormal. What the values of the kernel are off
/// by is counted.
fn is_certified(session: &Session, k: &[Vec<BigInt>], e: &[Vec<BigInt>]) -> bool {
    let kappa = BigInt::one() << (176 - 10);
    let entry = |i: usize, j: usize| {
        let one: BigInt = BigInt::from(u8::from(i == j)) << 176;
        let error = length(&e[i]) * length(&e[j]) * error(&session.kernel);
        (inner(k, &e[i], &e[j]) - one).abs() + error
    };
    e.len() <= session.m
        && e.iter().all(|e| length(e) <= session.longest)
        && (0..e.len()).all(|i| (0..e.len()).map(|j| entry(i, j)).sum::<BigInt>() <= kappa)
}

/// `K(z_i, z_j)`, in steps of `2^-48`
fn values(kernel: &Kernel, z: &[Vec<i64>]) -> Result<Vec<Vec<BigInt>>, Error> {
    let row = |x: &Vec<i64>| z.iter().map(|z| kernel.value(x, z)).collect();
    z.iter().map(row).collect()
}

/// `<sum of a_i phi(z_i), sum of b_j phi(z_j)>`, in the steps of `a`, `b` and `2^-48`
fn inner(k: &[Vec<BigInt>], a: &[BigInt], b: &[BigInt]) -> BigInt {
    let row =
        |(a, k): (&BigInt, &Vec<BigInt>)| a * b.iter().zip(k).map(|(b, k)| b * k).sum::<BigInt>();
    a.iter().zip(k).map(row).sum()
}

/// By how many steps a value of the kernel is off at most.
fn error(kernel: &Kernel) -> BigInt {
    (kernel.error() * integer(BigInt::one() << 48)).to_integer()
}

fn length(c: &[BigInt]) -> BigInt {
    c.iter().map(Signed::abs).sum()
}

/// What so many steps of `2^-bits` are.
fn steps(count: BigInt, bits: u32) -> Rational {
    Rational::new(count, BigInt::one() << bits)
}
