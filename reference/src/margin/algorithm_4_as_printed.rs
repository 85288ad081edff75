//! bms22, Algorithm 4 (Appendix B.2; Algorithm 5 of the first version), **as printed** as far as we can tell: private
//! empirical risk minimisation. The proceedings in our copy have no appendix, and of the first version its lines are
//! lost.
//!
//! Private, in real numbers: (epsilon, delta) under substitution of one record, on all data (`bms22.lem3_1.priv`), with
//! what we put there. What rounding adds is not accounted for in this file; it is in `algorithm_4`.
//!
//! What the text says: `M` rounds; in each "a set of samples drawn uniformly with replacement" (step 5) is given to the
//! "Phased SGD algorithm for GLL" of Bassily, Guzman, Menart 2021, Algorithm 2, at `(epsilon', delta')`; the
//! exponential mechanism with a score function chooses one of `w_1, ..., w_M` (step 8). This file needs no other
//! algorithm.
//!
//! What is not legible, and what we put there:
//! - the loss: any convex generalised linear one; here the hinge loss `max(0, 1 - y <w, x>/rho)`, of Algorithm 2.
//! - lines 1 to 3: `M`, `epsilon'` and `delta'`: those with which the proof of Lemma 3.1 goes through
//!   (`bms22.lem3_1.mult`).
//! - line 5: how many are drawn: as many as line 6 reads.
//! - line 6: nothing of that algorithm is printed in this paper. Its phases are ours: the step of the smoothed loss in
//!   closed form (`bms22.lem3_1.prox`), the noise by zCDP, and into the ball after each noise.
//! - line 8: the budget of the choice, epsilon/2, is told; its sensitivity: `(1 + Lambda r/rho)/m`.
//! - real numbers: points in steps of `r/steps`, hypotheses in steps of `Lambda/grid`, to the nearest; normal noise is
//!   the discrete Gaussian law on that grid; `h` rounded down, the variance up.

use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest, ratio};
use crate::number::{Enclosure, Rational};
use crate::sample::Noise;
use crate::sample::{DiscreteGaussian, ExponentialMechanism, ScoreClass, WithReplacement};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// What Algorithm 4 requires, beside the dataset.
#[derive(Debug, Clone)]
pub struct Required {
    /// `epsilon > 0`
    pub epsilon: Rational,
    /// `delta`, in (0, 1).
    pub delta: Rational,
    /// `Lambda`: hypotheses are in `B^k(Lambda)`.
    pub lambda: Rational,
    /// `r`: points are in `B^k(r)`.
    pub r: Rational,
    /// `rho > 0`
    pub rho: Rational,
    /// `beta`, in (0, 1).
    pub beta: Rational,
    /// Of the grid of points: how many steps to `r`.
    pub steps: i64,
    /// Of the grid of hypotheses: how many steps to `Lambda`.
    pub grid: i64,
}

/// Returns `w~`, in steps of `Lambda/grid`.
///
/// `s`: records `(x, y)`, `x` in steps of `r/steps` and of norm at most `r`, all of one length, `y` = +1 or -1;
/// `m = |s| >= 2`.
pub fn algorithm_4(
    s: &[(Vec<i64>, i64)],
    required: &Required,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let Required {
        epsilon,
        delta,
        beta,
        ..
    } = required;
    // Below, `z` is y x. With w in units of Lambda and x in units of r the loss is max(0, 1 - q <w, z>):
    let q = &required.lambda * &required.r / &required.rho;
    let z: Vec<Vec<i64>> = s
        .iter()
        .map(|(x, y)| x.iter().map(|x| x * y).collect())
        .collect();
    let m = z.len();

    // 1: M = ceil(log2(2/beta)) rounds; in a round no record is drawn more than K = floor(1 + 3 log(2 M/delta)) times,
    //    but for a probability of delta/(2 M).
    let mut rounds = 0u32;
    while integer(BigInt::one() << rounds) * beta < integer(2) {
        rounds += 1;
    }
    let twice_m = integer(2 * rounds);
    let k = (integer(1) + ln(&(&twice_m / delta))?.upper() * integer(3)).floor();
    // 2: epsilon' = epsilon/(2 M K)
    let epsilon_1 = epsilon / (&twice_m * &k);
    // 3: delta' = (delta/(2 M)) (e^epsilon' - 1)/(e^(K epsilon') - 1)
    let delta_1 = real(&(delta / twice_m)) * real(&epsilon_1).exp_minus_one()?;
    let delta_1 = delta_1
        .divided_by(&real(&(&epsilon_1 * &k)).exp_minus_one()?)?
        .lower();

    // 4: for t = 1, ..., M do
    let mut w = Vec::new();
    for _ in 0..rounds {
        // 5: S_t: samples drawn from the dataset uniformly with replacement: n - 1 of them, n = 2^P the largest power
        //    of two up to m.
        let n: usize = 1 << m.checked_ilog2().unwrap_or(0);
        let numbers = coins.draw(&WithReplacement::new(m, n - 1, n - 1)?)?;
        let s_t: Vec<&[i64]> = numbers.iter().map(|&number| &z[number][..]).collect();
        // 6: w_t = A_GLL(S_t, epsilon', delta')
        w.push(a_gll(&s_t, n, &q, (&epsilon_1, &delta_1), required, coins)?);
    } // 7: end for

    // 8: return w_t, by the exponential mechanism over w_1, ..., w_M with epsilon/2 and the score -L^(w): w.p.
    //    proportional to exp((epsilon/2) score/(2 sensitivity)). Score and sensitivity here times m.
    let classes = w
        .iter()
        .map(|w| ScoreClass {
            loss: z.iter().map(|z| loss(w, z, &q, required)).sum(),
            count: BigUint::one(),
        })
        .collect();
    let choice = ExponentialMechanism::new(epsilon / integer(2), q + integer(1), classes)?;
    let chosen = coins.draw(&choice)?;
    Ok(w.swap_remove(chosen))
}

/// A_GLL(S_t, epsilon', delta'): phased descent on the smoothed loss. None of it is printed.
fn a_gll(
    s_t: &[&[i64]],
    n: usize,
    q: &Rational,
    (epsilon, delta): (&Rational, &Rational),
    required: &Required,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let (grid, d) = (
        BigInt::from(required.grid),
        s_t.first().map_or(0, |z| z.len()),
    );
    // (epsilon', delta') is kept by rho-zCDP with sqrt(rho) = sqrt(log(1/delta') + epsilon') - sqrt(log(1/delta')); the
    // noise is nu times what one use of a record moves, nu^2 = 1/(2 rho).
    let log = ln(&delta.recip())?;
    let roots = (&log + real(epsilon)).sqrt()? + log.sqrt()?;
    let root = real(epsilon).divided_by(&roots)?;
    let squared_nu = real(&ratio(1, 2))
        .divided_by(&root.squared())?
        .with_bits(64)
        .upper();
    // The longest step of phase i is h/4^i, h = 2/sqrt(n c), c = 11/48 + 16 d nu^2/n + 2 sqrt(d) nu/n^2.
    let (size, dimension) = (integer(n), integer(d));
    let c = real(&(ratio(11, 48) + integer(16) * &dimension * &squared_nu / &size))
        + real(&(&dimension * &squared_nu)).sqrt()?.shifted(1) * real(&(&size * &size).recip());
    let h = real(&integer(2))
        .divided_by(&(c * real(&size)).sqrt()?)?
        .with_bits(64)
        .lower();

    let mut samples = s_t.iter();
    let mut w = vec![BigInt::zero(); d];
    for i in 1..=n.ilog2() {
        let (longest, eighth) = (&h / four_to(i), integer(8) / four_to(i));
        // The next n/2^i samples: w <- Pi(w + min(h/4^i, (8/4^i) (1/q - <w, z>)_+/|z|^2) z), and the mean of the w
        // before each.
        let (n_i, mut u) = (n >> i, w);
        let mut sum = vec![BigInt::zero(); d];
        for z in samples.by_ref().take(n_i) {
            sum.iter_mut().zip(&u).for_each(|(sum, u)| *sum += u);
            let below = (q.recip() - product(&u, z, required)).max(Rational::zero());
            let squared: BigInt = z.iter().map(|z| BigInt::from(*z) * z).sum();
            let squared =
                Rational::from(squared) / integer(required.steps) / integer(required.steps);
            if !squared.is_zero() {
                let step = (below * &eighth / squared).min(longest.clone());
                let step = step * ratio(required.grid, required.steps);
                u.iter_mut()
                    .zip(*z)
                    .for_each(|(u, z)| *u += nearest(&(&step * integer(*z))));
                u = into_ball(u, &grid);
            }
        }
        // w_i = Pi(mean + b_i), b_i normal with deviation nu 2 h/4^i
        let mean = sum
            .into_iter()
            .map(|sum| nearest(&(Rational::from(sum) / integer(n_i))));
        let deviation = longest * integer(2) * integer(required.grid);
        let noise = DiscreteGaussian::new(&deviation * &deviation * &squared_nu)?;
        w = into_ball(coins.draw(&noise.around_all(mean))?, &grid);
    }
    Ok(w)
}

/// `max(0, 1 - q <w, z>)`
fn loss(w: &[BigInt], z: &[i64], q: &Rational, required: &Required) -> Rational {
    (integer(1) - q * product(w, z, required)).max(Rational::zero())
}

/// `<w, z>`, in units of `Lambda r`.
fn product(w: &[BigInt], z: &[i64], required: &Required) -> Rational {
    let sum: BigInt = w.iter().zip(z).map(|(w, z)| w * z).sum();
    Rational::new(sum, BigInt::from(required.grid) * required.steps)
}

/// Pi: `u`, and where `|u| > one` the vector `u one/|u|`, each coordinate rounded towards zero.
fn into_ball(u: Vec<BigInt>, one: &BigInt) -> Vec<BigInt> {
    let squared: BigInt = u.iter().map(|u| u * u).sum();
    if squared <= one * one {
        return u;
    }
    let scaled = |u: &BigInt| {
        let root = (u * u * one * one / &squared).sqrt();
        if *u < BigInt::zero() { -root } else { root }
    };
    u.iter().map(scaled).collect()
}

fn four_to(i: u32) -> Rational {
    integer(1u64 << (2 * i))
}

fn ln(x: &Rational) -> Result<Enclosure, Error> {
    Ok(real(x).ln()?)
}

fn real(x: &Rational) -> Enclosure {
    Enclosure::of(x, BITS)
}

const BITS: u32 = 128;
