//! bms22, Algorithm 4, **repaired**: the hinge loss, minimised privately by phased descent. It ships as `erm`.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, all candidates and the choice together, for
//! every epsilon and delta, if [`is_enough`] says so (`bms22.alg4.dp.mixture`). The numbers that are drawn are not
//! published.
//!
//! The printed lines are lost; what the text says of them is in `algorithm_4_as_printed`. Where it departs from that:
//! - line 6: the noise is accounted for by the exact law of how often a record is read (`bms22.uses`);
//! - line 6: every mean with noise is moved into the ball, which the sensitivity of line 8 asks for;
//! - line 6: integers, so that what rounding may part two runs by is known, and is part of the sensitivity
//!   (`bms22.lem3_1.sens`); the step of the smoothed loss is in closed form (`bms22.lem3_1.prox`);
//! - line 8: the sensitivity of a total loss is `1 + q`.
//!
//! The balls of points and of hypotheses are scaled to 1. Then the loss is `max(0, 1 - q <u, z>)`, `z` standing for
//! `y x`.

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Enclosure, Rational};
use crate::privacy::zcdp;
use crate::sample::{DiscreteGaussian, ExponentialMechanism, Noise, ScoreClass, WithReplacement};
use crate::vector::squared_norm;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};

/// What is public, beside the number `m` of points and their dimension and grid. `n = 2^P` is the largest power of two
/// up to `m`, and there are `P` phases.
#[derive(Debug, Clone)]
pub struct Public {
    /// `q > 0`: the largest norm of a hypothesis times that of a point over the margin.
    pub q: Rational,
    /// `M`, the number of rounds.
    pub rounds: u32,
    /// `h > 0`: no step of phase `i` is longer than `h/4^i`.
    pub h: Rational,
    /// Of each phase `b`: its hypotheses are in steps of `2^-b`.
    pub bits: Vec<u32>,
    /// Of each phase the variance of the noise on the sum of its hypotheses, in squared steps.
    pub variances: Vec<Rational>,
    /// The epsilon of the choice among the candidates; the rounds have the rest.
    pub epsilon: Rational,
}

/// The bits of a candidate.
const BITS: u32 = 30;

/// Returns the candidates `w_1, ..., w_M`, in steps of `2^-30`, and which one is chosen. All of it may be published.
///
/// `s`: `true` stands for `y = +1`; there are at least two records.
pub fn learn(
    s: &Points<bool>,
    public: &Public,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<BigInt>>, usize), Error> {
    let signed = |(x, y): &(Vec<i64>, bool)| x.iter().map(|x| if *y { *x } else { -x }).collect();
    let phases = phases(public, s.iter().count(), s.one())?;
    let z: Vec<Vec<i64>> = s.iter().map(signed).collect();
    let draws = phases.iter().map(|phase| phase.n).sum();
    let sample = WithReplacement::new(z.len(), draws, draws)?;

    // 4: for t = 1, ..., M do
    let mut candidates = Vec::new();
    for _ in 0..public.rounds {
        // 5: S_t: the numbers of n - 1 records, drawn uniformly with replacement.
        let numbers = coins.draw(&sample)?;
        let mut s_t = numbers.iter().map(|&number| &z[number][..]);
        // 6: w_t, by a descent from the origin, whose phases take n/2, n/4, ..., 1 of these records.
        let (mut released, mut steps) = (vec![BigInt::zero(); s.dimension()], 0);
        for phase in &phases {
            let start = mean_in_ball(&released, steps, phase.bits);
            let sum = sum_of_hypotheses(start, s_t.by_ref().take(phase.n), phase);
            // What is told of the phase: that sum, with noise around it.
            let noise = DiscreteGaussian::new(phase.variance.clone())?;
            released = coins.draw(&noise.around_all(sum))?;
            steps = phase.bits + phase.n.ilog2();
        }
        candidates.push(mean_in_ball(&released, steps, BITS));
    } // 7: end for

    // 8: w_t, w.p. proportional to exp(-epsilon loss/(2 (1 + q))), by the total loss, the sum of max(0, 1 - q <w_t,
    //    z>).
    let unit = BigInt::from(s.one()) << BITS;
    let loss = |w: &[BigInt], z: &[i64]| {
        (Rational::one() - &public.q * dot(w, z) / &unit).max(Rational::zero())
    };
    let class = |w: &Vec<BigInt>| ScoreClass {
        loss: z.iter().map(|z| loss(w, z)).sum(),
        count: BigUint::one(),
    };
    let classes = candidates.iter().map(class).collect();
    let range = &public.q + Rational::one();
    let choice = ExponentialMechanism::new(public.epsilon.clone(), range, classes)?;
    let chosen = coins.draw(&choice)?;
    Ok((candidates, chosen))
}

/// A phase: `u` in steps of `2^-bits`, and `z` in steps of `1/one`.
struct Phase {
    i: u32,
    /// `n/2^i`
    n: usize,
    bits: u32,
    /// `h/4^i`, as how often `z` is added at most, rounded down.
    longest: BigInt,
    /// `1/q`, as an inner product, rounded down.
    kink: BigInt,
    variance: Rational,
}

fn phases(public: &Public, m: usize, one: i64) -> Result<Vec<Phase>, Error> {
    let Public { q, h, .. } = public;
    if one < 1 || !q.is_positive() || !h.is_positive() {
        return Err(Error::OutOfRange("the grid, q or h"));
    }
    let log_n = m.checked_ilog2().unwrap_or(0);
    if [public.bits.len(), public.variances.len()] != [log_n as usize; 2] {
        return Err(Error::OutOfRange("the number of phases"));
    }
    let phase = |(i, (bits, variance)): (u32, (&u32, &Rational))| Phase {
        i,
        n: 1 << (log_n - i),
        bits: *bits,
        longest: (h * (BigInt::one() << *bits) / (BigInt::one() << (2 * i)) / BigInt::from(one))
            .floor()
            .to_integer(),
        kink: (q.recip() * (BigInt::from(one) << *bits))
            .floor()
            .to_integer(),
        variance: variance.clone(),
    };
    Ok((1..)
        .zip(public.bits.iter().zip(&public.variances))
        .map(phase)
        .collect())
}

/// The sum of the hypotheses at which a step begins, the start among them, the last not.
fn sum_of_hypotheses<'a>(
    start: Vec<BigInt>,
    points: impl Iterator<Item = &'a [i64]>,
    phase: &Phase,
) -> Vec<BigInt> {
    let mut sum = vec![BigInt::zero(); start.len()];
    let mut u = start;
    for z in points {
        sum.iter_mut().zip(&u).for_each(|(sum, u)| *sum += u);
        // c = min(h/4^i, (8/4^i) (1/q - <u, z>)_+/|z|^2), rounded down; at z = 0 there is no step. The second is
        // 8/4^i <= 2 times the way to the half-space <u, z> >= 1/q; the first keeps a step no longer than h/4^i. So, but for
        // rounding, a step takes no two hypotheses further apart.
        let (below, squared) = (&phase.kink - dot(&u, z), squared_norm(z));
        if below.is_positive() && !squared.is_zero() {
            let c: BigInt = ((below << 3) >> (2 * phase.i)) / squared;
            let c = c.min(phase.longest.clone());
            // u <- u + c z, and back into the ball.
            u.iter_mut().zip(z).for_each(|(u, z)| *u += &c * z);
            u = shrunk(u, phase.bits);
        }
    }
    sum
}

/// `u`, and where `|u| > 1`, that is `2^bits`, `u/|u|`: by a factor that is rounded down to `2^-128`, `|u|` being
/// rounded up, each coordinate towards zero.
fn shrunk(u: Vec<BigInt>, bits: u32) -> Vec<BigInt> {
    let squared: BigInt = u.iter().map(|u| u * u).sum();
    if squared <= BigInt::one() << (2 * bits) {
        return u;
    }
    let fine: BigInt = BigInt::one() << 128;
    let factor = (&fine << bits) / (squared.sqrt() + 1);
    u.iter().map(|u| u * &factor / &fine).collect()
}

/// `u/2^steps` in steps of `2^-bits`, and where `|u| > 2^steps`, over its norm rounded up; each coordinate towards
/// zero.
fn mean_in_ball(u: &[BigInt], steps: u32, bits: u32) -> Vec<BigInt> {
    let one: BigInt = BigInt::one() << bits;
    let u: Vec<BigInt> = u
        .iter()
        .map(|u| u * &one / (BigInt::one() << steps))
        .collect();
    let squared: BigInt = u.iter().map(|u| u * u).sum();
    if squared <= one.pow(2) {
        return u;
    }
    let norm = squared.sqrt() + 1;
    u.iter().map(|u| u * &one / &norm).collect()
}

/// `<u, z>`
fn dot(u: &[BigInt], z: &[i64]) -> BigInt {
    u.iter().zip(z).map(|(u, z)| u * z).sum()
}

/// Whether the rounds and the choice together are (epsilon, delta)-private under substitution, on all sets of `m`
/// points of dimension `k` in steps of `1/one`: the rounds at what the choice leaves of epsilon, by `bms22.uses`.
///
/// `orders`: of `J = 1, 2, ...` the order of the conversion from zCDP, less 1; above 0. Every list is valid, and what
/// is beyond its end counts as a failure. A good order is the zero of `(2 a - 1) J rho - epsilon + ln(1 - 1/a)`.
pub fn is_enough(
    public: &Public,
    (m, k, one): (usize, usize, i64),
    orders: &[Rational],
    (epsilon, delta): (&Rational, &Rational),
) -> Result<bool, Error> {
    let of_rounds = epsilon - &public.epsilon;
    let phases = phases(public, m, one)?;
    // One use of a record costs rho = 1/(2 nu^2) in zCDP, j uses in one phase j^2 times that. nu is the least of all
    // phases.
    let squared = |phase: &Phase| &phase.variance / sensitivity(phase, k, one).pow(2);
    let Some(squared_nu) = phases.iter().map(squared).min() else {
        return Ok(false);
    };
    if of_rounds.is_negative() || !squared_nu.is_positive() {
        return Ok(false);
    }
    let rho = (squared_nu * BigInt::from(2)).recip();
    // delta = sum over J of Pr[J] delta(J rho; epsilon), J the sum of all squared uses, whose law no data decide: so delta is
    // the mean of what each J costs; a J beyond the list costs 1.
    let law = law_of_squares(m, &phases, public.rounds, orders.len())?;
    let mut total = law
        .iter()
        .fold(Enclosure::integer(1, PRECISION), |beyond, p| beyond - p);
    for (j, (p, order)) in (1..).zip(law[1..].iter().zip(orders)) {
        let delta = zcdp::delta_of_order(&(&rho * BigInt::from(j)), order, &of_rounds)?;
        total = total + p * Enclosure::of(&delta, PRECISION);
    }
    Ok(total.upper() <= *delta)
}

/// By how much the sum of a phase of `n` steps moves for each time that it reads the record that differs:
/// `(n - 1) (2 h/4^i + e n)`, `e` the rounding of a step on both sides (`bms22.lem3_1.sens`). One use counts for the rounding of all
/// steps. A single step reads no record before its hypothesis, so that nothing moves and any noise would do; `n - 1` counts as 1
/// there, as 0 is no divisor.
fn sensitivity(phase: &Phase, k: usize, one: i64) -> BigInt {
    // One point, `one` steps, for both sides' rounded coefficients; and on each side 2 + sqrt(k) steps for a hypothesis that is
    // shrunk, the root rounded up.
    let rounding = BigInt::from(one) + 2 * (2 + k.isqrt() + 1);
    (BigInt::from(2) * &phase.longest * one + rounding * phase.n) * (phase.n - 1).max(1)
}

/// `Pr[J]` for `J = 0, ..., largest`: `J` is the sum, over rounds and phases, of `j^2`, the uses `j` of the record independent
/// binomial variables, of `n` draws of probability `1/m` each.
fn law_of_squares(
    m: usize,
    phases: &[Phase],
    rounds: u32,
    largest: usize,
) -> Result<Vec<Enclosure>, Error> {
    let zero = || vec![Enclosure::integer(0, PRECISION); largest + 1];
    let sum_of = |a: &[Enclosure], b: &[Enclosure]| {
        let mut law = zero();
        for (i, p) in a.iter().enumerate() {
            for (j, q) in b.iter().enumerate().take(largest + 1 - i) {
                law[i + j] = &law[i + j] + p * q;
            }
        }
        law
    };
    let mut all = zero();
    all[0] = Enclosure::integer(1, PRECISION);
    for phase in phases {
        let (n, mut law) = (phase.n, zero());
        // Pr[j] = C(n, j) (1/m)^j (1 - 1/m)^(n - j), each from the one before.
        let mut p =
            Enclosure::of(&Rational::new((m - 1).into(), m.into()), PRECISION).power(n as u64);
        for j in (0..=n).take_while(|j| j * j <= largest) {
            law[j * j] = p.clone();
            let next = Rational::new((n - j).into(), BigInt::from(j + 1) * (m - 1));
            p = p * Enclosure::of(&next, PRECISION);
        }
        all = sum_of(&all, &law);
    }
    // Of one round; all of them are alike.
    Ok((1..rounds).fold(all.clone(), |sum, _| sum_of(&sum, &all)))
}

/// The precision of a certificate, in bits.
const PRECISION: u32 = 128;
