//! jt13, Algorithm 1 (PINP), **repaired**: predictions for queries that come one by one, by noisy answers.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, all answers and refusals of a session together,
//! however the queries are chosen by who sees the answers (`jt13.nt`), if [`is_enough`] says so of `B` and `s`. Not covered: the
//! time of an answer.
//!
//! Where it departs from the printed lines:
//! - line 1 has a real `B`, in other units than a number (`jt13.alg1.B`): `B >= 1` is an integer that is given;
//! - line 2 has `eps_0` and `sigma` by Theorem 9: Theorem A takes its place (`jt13.thmA`). The noise has the scale `S'/s`;
//!   `sigma` and the step follow from `m` and `w`, so that `B` updates suffice (`jt13.nt.error`);
//! - line 4 does not say what happens after `B` updates (`jt13.alg1.halts`): every query is refused;
//! - line 8 has `sign(d_t)` in our copy, a scan: that of the noisy difference (`jt13.alg1.sign`);
//! - predictions are rounded to steps of `u = S'/steps`, `S'` that of the vector that was found (`jt13.eq3.solver`).

use super::kernel::{Expansion, Kernel};
use super::minimiser::{Problem, eta, s_prime};
use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest, ratio};
use crate::number::{Enclosure, Rational};
use crate::sample::{AboveThenAnswer, Censored, DiscreteLaplace};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// What a session is asked for. All of it is public.
#[derive(Debug, Clone)]
pub struct Asked {
    /// `T >= 1`, the most queries.
    pub queries: u64,
    /// `beta`, between 0 and 1: with probability `1 - beta` no answer is off by more than its bound. For the error only.
    pub beta: Rational,
    /// `C >= |w*|`, not of the data. For the error only.
    pub c: Rational,
    /// How many steps of the grid of answers make `S'`.
    pub steps: u64,
}

/// A session. All of it is public but a hidden threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// `K`, and the ball that queries are in.
    pub kernel: Kernel,
    /// A step of the grid of answers, in units of predictions.
    pub u: Rational,
    /// Line 7.
    pub rule: Rule,
    /// By how much an update moves the model, times `phi(z_t)`: `eta` of the paper.
    pub alpha: Rational,
    /// `w_t`
    pub w: Expansion,
    /// How many queries may still be answered, and how many of them from the data: `T - t` and `B - counter`.
    pub left: (u64, u64),
}

/// When the data answer, in steps.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// Where the noisy answer is more than `sigma` from the public prediction.
    NoisyAnswers {
        /// `sigma`
        sigma: BigInt,
        /// Of the answer.
        noise: DiscreteLaplace,
    },
    /// Where the exact difference with the noise of a test reaches a hidden threshold: `super::sparse_vector`.
    HiddenThreshold {
        /// **Not public**: it is never told.
        threshold: BigInt,
        /// The noise of a test.
        test: DiscreteLaplace,
        /// That of an answer.
        noise: DiscreteLaplace,
    },
}

/// Lines 1 to 3: a session of noisy answers of at most `b` updates, where a round costs `s`.
pub fn open(problem: &Problem, asked: &Asked, b: u64, s: &Rational) -> Result<Session, Error> {
    // 1: B is given.
    // 2: the noise has the scale S'/s. With probability 1 - beta all of it is within w.
    let scale = integer(asked.steps) / s;
    let w = noise_within(&scale, asked.queries, &asked.beta)?;
    //    sigma <- m + w, where m > C R/sqrt(B); step size: m/R^2. Rounding and evaluation add e.
    let m = reach(problem, asked, b)? + 1;
    let (u, alpha, e) = units(problem, asked, b, &m)?;
    let rule = Rule::NoisyAnswers {
        sigma: m + w + e,
        noise: DiscreteLaplace::new(scale)?,
    };
    // 3: w_0 = 0.
    Ok(Session {
        kernel: problem.kernel.clone(),
        u,
        rule,
        alpha,
        w: Vec::new(),
        left: (asked.queries, b),
    })
}

/// Lines 4 to 14: the answer to `z_t`, in units of predictions. `w_star`: the vector of `minimiser::vector`.
///
/// Refuses a query outside the ball, and every query after the last; such a query is not counted. Once the coins have failed
/// the session has ended.
pub fn answer(
    session: &mut Session,
    w_star: &Expansion,
    z: &[i64],
    coins: &mut impl Coins,
) -> Result<Rational, Error> {
    // 4: for t in { 1, ..., T } and counter < B do     (here a call for each t)
    session.kernel.check(z)?;
    if session.left.0 == 0 || session.left.1 == 0 {
        return Err(Error::OutOfRange("the number of queries or of updates"));
    }
    let in_steps = |prediction: Rational| nearest(&(prediction / &session.u));
    // 5: a^_t <- <w*, phi(z_t)> + zeta_t. In steps, without its noise:
    let exact = in_steps(session.kernel.predict(w_star, z)?);
    // 6: d^_t <- a^_t - <w_t, phi(z_t)>. What is subtracted is public, in steps:
    let public = in_steps(session.kernel.predict(&session.w, z)?);
    // 7: if |d^_t| > sigma then a^_t is told, and otherwise nothing: one draw decides both.
    let told = match &session.rule {
        Rule::NoisyAnswers { sigma, noise } => {
            let quiet = [&public - sigma, &public + sigma];
            coins.draw(&Censored::new(exact, noise, quiet)?)
        }
        Rule::HiddenThreshold {
            threshold,
            test,
            noise,
        } => {
            let excess = (&exact - &public).abs() - threshold;
            coins.draw(&AboveThenAnswer::new([excess, exact], test, noise))
        }
    };
    session.left.0 -= 1;
    match told {
        Ok(Some(a_hat)) => {
            // 8: w_{t+1} <- w_t + eta sign(d^_t) phi(z_t) and counter <- counter + 1.
            let alpha = if a_hat > public {
                session.alpha.clone()
            } else {
                -&session.alpha
            };
            session.w.push((alpha, z.to_vec()));
            session.left.1 -= 1;
            // 9: output prediction: y^_t = a^_t.
            Ok(&session.u * a_hat)
        }
        // 10, 11, 12: else output prediction: y^_t = <w_t, phi(z_t)>.
        Ok(None) => Ok(&session.u * public),
        Err(error) => {
            session.left.1 = 0;
            Err(error)
        }
    } // 13, 14
}

/// Theorem A at the order `l > 0` (`jt13.thmA`): rounds that cost at most `s` each, `b` of which are updates, are
/// (epsilon, delta)-private together if `e^(B c - l epsilon) (1/(1+l)) (l/(1+l))^l <= delta`, `c = ln(1 + (T-1)/(1-D))`,
/// `T = cosh((l+1/2) s)/cosh(s/2)`, `D = max { (1 - e^-s/2) (2 - e^-s)^l, e^((1+l) s)/(1 + e^s) } < 1`. Every order is valid.
/// Of a round, `T` is the largest moment of order `l` of the ratio of two laws: that of randomised response. The claim is
/// `d + e^-c U <= 1`: `d` is what the quiet outcome has of that moment, `U` what the updates have. If an update has probability 1/2 or
/// more under either law, `d <= D`. The worst pairs have an update `e^s` times as likely under the law that is divided by: there 1/2,
/// and `e^-s/2` under the other; or `e^s/(1 + e^s)` and `1/(1 + e^s)`, randomised response. Between the two, `d` is convex. For a rarer
/// update, scale the probabilities of all updates: the left side is convex in the scale, it is 1 at 0, and where the larger
/// probability is 1/2 it is at most 1.
pub fn is_enough(
    (b, s): (u64, &Rational),
    l: &Rational,
    (epsilon, delta): (&Rational, &Rational),
) -> Result<bool, Error> {
    let exp = |x: Rational| Enclosure::exp_of(&x, BITS);
    let ln = |x: Rational| Enclosure::of(&x, BITS).ln();
    let of = |x: &Rational| Enclosure::of(x, BITS);
    let (one, l_1) = (Enclosure::integer(1, BITS), l + Rational::one());
    // T, twice both cosh
    let (x, y) = ((l + ratio(1, 2)) * s, s / integer(2));
    let t = (exp(x.clone())? + exp(-x)?).divided_by(&(exp(y.clone())? + exp(-y)?))?;
    // D
    let lost = exp(-s)?;
    let power = (of(l) * (Enclosure::integer(2, BITS) - &lost).ln()?).exp()?;
    let half = lost.shifted(-1).complement() * power;
    let response = exp(&l_1 * s)?.divided_by(&(&one + exp(s.clone())?))?;
    let room = half.max(&response).complement();
    if !room.lo().is_positive() {
        return Ok(false);
    }
    // B c - l epsilon - ln(1 + l) - l ln(1 + 1/l)
    let c = (one + (t - Enclosure::integer(1, BITS)).divided_by(&room)?).ln()?;
    let logarithm = Enclosure::integer(b, BITS) * c
        - of(&(l * epsilon))
        - ln(l_1.clone())?
        - of(l) * ln(l_1 / l)?;
    Ok(logarithm.exp()?.upper() <= *delta)
}

/// `u`; the step size `u m/R^2` for an `m` in steps; and, in steps, what rounding and evaluation add to a difference of predictions.
pub(super) fn units(
    problem: &Problem,
    asked: &Asked,
    b: u64,
    m: &BigInt,
) -> Result<(Rational, Rational, BigInt), Error> {
    let u = s_prime(problem)? / integer(asked.steps);
    let alpha = &u * m / problem.kernel.squared_r();
    let of_model = &alpha * integer(b) * problem.kernel.error();
    let e = slack(problem, &of_model, &u)?;
    Ok((u, alpha, e))
}

/// `C R/sqrt(B)` in steps, rounded down.
pub(super) fn reach(problem: &Problem, asked: &Asked, b: u64) -> Result<BigInt, Error> {
    let u = s_prime(problem)? / integer(asked.steps);
    let squared = &asked.c * &asked.c * problem.kernel.squared_r() / (&u * &u * integer(b));
    Ok(squared.floor().to_integer().sqrt())
}

/// In steps: half a step for each of two roundings, and what two predictions are off by: that of the vector that was found, by
/// `r + eta`, and that of a model, by `of_model`.
pub(super) fn slack(problem: &Problem, of_model: &Rational, u: &Rational) -> Result<BigInt, Error> {
    let evaluated = &problem.r + eta(problem)? + of_model;
    Ok((evaluated / u).ceil().to_integer() + 1)
}

/// The least `w` with which so many draws of discrete Laplace noise are all within `w` but with probability `beta`:
/// `2 draws a^(w+1)/(1+a) <= beta`, `a = e^(-1/scale)`.
pub(super) fn noise_within(scale: &Rational, draws: u64, beta: &Rational) -> Result<BigInt, Error> {
    let one_plus = Enclosure::exp_of(&-scale.recip(), 128)? + Enclosure::integer(1, 128);
    let allowed = Enclosure::of(&(integer(draws) * integer(2) / beta), 128);
    let needed = allowed.divided_by(&one_plus)?.ln()? * Enclosure::of(scale, 128);
    let least: BigInt = needed.upper().ceil().to_integer() - 1;
    Ok(least.max(BigInt::zero()))
}

const BITS: u32 = 512;
