//! nuz20, Algorithm 3, **as printed**: procedure F and Noise-GD included. Not private as claimed: `nuz20.alg3`.
//!
//! Every printed line, in order, in the paper's letters; lines 1 to 4 and 6 are those of Algorithm 1. This file needs no other
//! algorithm.
//!
//! What is not printed, and what we put there:
//! - line 1: the constant of `m = O(.)`: `m` is given;
//! - line 2: `A x/|A x|` at `A x = 0`: `Undefined`, an error that depends on the data (`nuz20.e4`);
//! - line 8 and line 12: the base of `log`: e (`nuz20.e6`, `nuz20.alg-noisegd`);
//! - line 10: the budget of `M_E`: epsilon, the only one at hand (`nuz20.alg-F`). Its score: minus the *total* loss;
//! - line 14: the point: the origin;
//! - line 15: the gradient where `y <w, x> = 96 gamma/100`: 0, as on the right of it;
//! - real numbers: points in steps of a public grid `1/one`, rounded towards zero, after each step and each projection;
//!   `N(0, sigma^2)` is the discrete Gaussian law on that grid, `sigma^2` rounded up by less than `2^-58 n^2`, relative to `L^2`.

use crate::Error;
use crate::coins::Coins;
use crate::number::{Enclosure, Rational, rational::ratio};
use crate::sample::Noise;
use crate::sample::{DiscreteGaussian, ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// The hypotheses `w^(1), ..., w^(k)` in steps, which one is chosen, from 0, and the direction of `w^T A`.
pub type Output = (Vec<Vec<BigInt>>, usize, Vec<BigInt>);

/// `s`: records `(x, y)`, each `x` of `d` coordinates in steps of `1/one`, with `|x| <= 1`, and `y` = +1 or -1; `n = |s|`.
/// (epsilon, delta) is claimed under substitution. `gamma` in (0, 1], `beta` and `delta` in (0, 1), and `epsilon n <= 2^23`.
pub fn algorithm_3(
    s: &[(Vec<i64>, i64)],
    (m, d, one): (usize, usize, i64),
    (epsilon, delta): (&Rational, &Rational),
    (gamma, beta): (&Rational, &Rational),
    coins: &mut impl Coins,
) -> Result<Output, Error> {
    // 1: Choose a random matrix A in R^{m x d}, A_ij = +1/sqrt(m) w.p. 1/2, -1/sqrt(m) w.p. 1/2.   (here times sqrt(m))
    let mut a = vec![vec![0; d]; m];
    for entry in a.iter_mut().flatten() {
        *entry = if coins.bits(1)? == 1 { 1 } else { -1 };
    }
    // 2: S_A <- { (A x/|A x|, y) | (x, y) in S }.
    let mut s_a = Vec::new();
    for (x, y) in s {
        let ax: Vec<BigInt> = a.iter().map(|row| dot(row, x)).collect();
        let squared: BigInt = ax.iter().map(|v| v * v).sum();
        if squared.is_zero() {
            return Err(Error::Undefined("A x/|A x| at A x = 0"));
        }
        let normalised = |v| times_root(v, &BigInt::from(one).pow(2), &squared);
        s_a.push((ax.iter().map(normalised).collect(), *y));
    }
    // 3: C <- B_2^m, the unit ball: |C|_2 = 2.
    // 4: l(w; (x, y)) = 1{ y <w, x> < 96 gamma/100 } (96/86 - y <w, x>/(86 gamma/100)), which is 100/(86 gamma)-Lipschitz.
    // 5: w <- F(S_A, l, (epsilon, delta), C).
    let (candidates, chosen) = f(&s_a, (m, one), gamma, (epsilon, delta), beta, coins)?;
    // 6: return w^T A.
    let w = &candidates[chosen];
    let pulled_back = (0..d)
        .map(|j| (0..m).map(|i| &w[i] * a[i][j]).sum())
        .collect();
    Ok((candidates, chosen, pulled_back))
}

/// 7: procedure F(D, l, (epsilon, delta), C)
fn f(
    data: &[(Vec<BigInt>, i64)],
    (m, one): (usize, i64),
    gamma: &Rational,
    (epsilon, delta): (&Rational, &Rational),
    beta: &Rational,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<BigInt>>, usize), Error> {
    // 8: for i <- 1 to ceil(log(8/beta)) do  w^(i) <- Noise-GD(D, l, (epsilon/ceil(.), delta/ceil(.)), C).  end
    let k: BigInt = ln(&(ratio(8, 1) / beta))?.hi().ceil();
    let split = (&(epsilon / &k), &(delta / &k));
    let mut candidates = Vec::new();
    for _ in 0..k.to_u32().unwrap_or(u32::MAX) {
        candidates.push(noise_gd(data, (m, one), gamma, split, coins)?);
    }
    // 9: W <- { w^(1), ..., w^(ceil(log(8/beta))) }: `candidates`.
    // 10: return w <- M_E(D, -l, W): w.p. proportional to exp(-epsilon l(w; D)/(2 Delta)), Delta = l's range.
    let range = (gamma * ratio(96, 100) + ratio(1, 1)) / (gamma * ratio(86, 100));
    let total = |w: &Vec<BigInt>| data.iter().map(|record| loss(w, record, gamma, one)).sum();
    let classes = candidates
        .iter()
        .map(|w| ScoreClass {
            loss: total(w),
            count: 1u32.into(),
        })
        .collect();
    let chosen = coins.draw(&ExponentialMechanism::new(epsilon.clone(), range, classes)?)?;
    Ok((candidates, chosen))
}

/// 11: procedure Noise-GD(D, l, (epsilon', delta'), C)
fn noise_gd(
    data: &[(Vec<BigInt>, i64)],
    (m, one): (usize, i64),
    gamma: &Rational,
    (epsilon, delta): (&Rational, &Rational),
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let n = data.len() as i64;
    if n == 0 {
        return Err(Error::Undefined("log(n/delta') at n = 0"));
    }
    // 12: sigma^2 <- 32 L^2 n^2 log(n/delta') log(1/delta')/epsilon'^2.    (here sigma^2/L^2: L cancels in line 15)
    let logs = ln(&(ratio(n, 1) / delta))? * ln(&delta.recip())?;
    let logs = logs.divided_by(&Enclosure::of(epsilon, BITS).squared())?;
    let logs = Rational::new(logs.hi().shifted(63).ceil(), BigInt::from(1u64 << 63));
    let squared_sigma = logs * BigInt::from(32 * n * n);
    let noise = DiscreteGaussian::new(&squared_sigma * BigInt::from(one).pow(2))?;
    // 13: eta(t) = |C|_2/sqrt(t (n^2 L^2 + m sigma^2)).                     (here (L eta(t))^2)
    let squared_eta = |t: i64| ratio(4, t) / (ratio(n * n, 1) + &squared_sigma * BigInt::from(m));
    // 14: Choose a point from C, w_1.
    let mut w = vec![BigInt::zero(); m];
    // 15: for t <- 1 to n^2 - 1 do
    for t in 1..=n * n - 1 {
        //  Pick (x, y) ~ D uniformly, with replacement.
        let picked = coins.uniform_below(&data.len().into())?;
        let (x, y) = &data[picked.to_usize().unwrap_or(0)];
        //  w_{t+1} <- Pi_C(w_t - eta(t) [n grad l(w_t; (x, y)) + b_t]), b_t ~ N(0, I_m sigma^2).
        //  grad l = -L y x where y <w, x> < 96 gamma/100, and 0 elsewhere; b_t has the law of -b_t.
        let active = is_active(&w, x, *y, gamma, one);
        let eta = squared_eta(t);
        for (w, x) in w.iter_mut().zip(x) {
            let minus_n_gradient = if active {
                BigInt::from(n * y) * x
            } else {
                BigInt::zero()
            };
            let moved = coins.draw(&noise.around(minus_n_gradient))?;
            *w += times_root(&moved, eta.numer(), eta.denom());
        }
        let (squared, squared_one) = (w.iter().map(|w| w * w).sum(), BigInt::from(one).pow(2));
        if squared > squared_one {
            let projected = |w| times_root(w, &squared_one, &squared);
            w = w.iter().map(projected).collect();
        }
    } // end
    // 16: return w_{n^2}.
    Ok(w)
}

/// `1{ y <w, x> < 96 gamma/100 }`
fn is_active(w: &[BigInt], x: &[BigInt], y: i64, gamma: &Rational, one: i64) -> bool {
    product(w, x, y, one) < gamma * ratio(96, 100)
}

/// `l(w; (x, y))`
fn loss(w: &[BigInt], (x, y): &(Vec<BigInt>, i64), gamma: &Rational, one: i64) -> Rational {
    if !is_active(w, x, *y, gamma, one) {
        return Rational::zero();
    }
    ratio(96, 86) - product(w, x, *y, one) / (gamma * ratio(86, 100))
}

/// `y <w, x>`
fn product(w: &[BigInt], x: &[BigInt], y: i64, one: i64) -> Rational {
    let sum: BigInt = w.iter().zip(x).map(|(w, x)| w * x).sum();
    Rational::new(sum * y, BigInt::from(one).pow(2))
}

fn dot(row: &[i64], x: &[i64]) -> BigInt {
    row.iter().zip(x).map(|(a, x)| BigInt::from(*a) * x).sum()
}

/// `v sqrt(numerator/denominator)`, towards zero.
fn times_root(v: &BigInt, numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let root = (v * v * numerator / denominator).sqrt();
    if *v < BigInt::zero() { -root } else { root }
}

fn ln(x: &Rational) -> Result<Enclosure, Error> {
    Ok(Enclosure::of(x, BITS).ln()?)
}

const BITS: u32 = 160;
