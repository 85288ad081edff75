//! jt13, Algorithm 3 (TDIL), **repaired**: a model that is near `w*` at all points of a public net.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, for every public net, if `algorithm_2::is_enough` says
//! so of `2 B` draws of loss `e` (`jt13.tdil`). Not covered: the time that it takes.
//!
//! Where it departs from the printed lines:
//! - line 1: `B`, any number of rounds, and `e`, what a draw may cost, are given in the place of `eps_0` (`jt13.alg3.B`); `sigma`
//!   and `eta` follow from what all noise is within (`jt13.thm8.corrected`);
//! - line 5 has the factor `n lambda/(L R^2)` twice (`jt13.thm7`): the exponent is `e |.|/(2 S')`;
//! - lines 8 and 10 draw a second number, or answer: nothing is asked;
//! - line 14 returns an iterate that need not be near (`jt13.alg3.output`): it is that of the first quiet round;
//! - predictions are rounded to steps of `u = S'/16`, `S'` that of the vector that was found (`jt13.eq3.solver`).

use super::algorithm_1::{noise_within, slack};
use super::kernel::Expansion;
use super::minimiser::{Problem, s_prime};
use crate::Error;
use crate::coins::Coins;
use crate::number::Rational;
use crate::number::rational::{integer, nearest, ratio};
use crate::sample::{Censored, DiscreteLaplace, LARGEST_EXPONENT, ScoredChoice};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// What is chosen. All of it is public.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// `B >= 1`, the most rounds.
    pub b: u64,
    /// `e > 0`: what a draw costs.
    pub e: Rational,
    /// `beta`, between 0 and 1, for the error only.
    pub beta: Rational,
}

/// Returns `w^`, and whether a round was quiet: otherwise no bound on the error holds. `w_star`: the vector of
/// `minimiser::vector`. `net`: public points of the ball, at least one.
pub fn learn(
    w_star: &Expansion,
    problem: &Problem,
    net: &[Vec<i64>],
    chosen: &Chosen,
    coins: &mut impl Coins,
) -> Result<(Expansion, bool), Error> {
    let kernel = &problem.kernel;
    for z in net {
        kernel.check(z)?;
    }
    // 1: B and e are given; sigma, eta.
    let Grid {
        u,
        noise,
        sigma,
        eta,
    } = grid(problem, chosen)?;
    // 2: w_1 <- 0.
    let mut w = Vec::new();
    // 3: S is the net.
    // 4: for t = { 1, ..., B } do
    for _ in 0..chosen.b {
        // 5: Sample z in S w.p. proportional to exp(e |<phi(z), w* - w_t>|/(2 S')).
        let mut rest = Vec::new();
        for z in net {
            let rest_of_z = kernel.predict(w_star, z)? - kernel.predict(&w, z)?;
            rest.push(nearest(&(rest_of_z / &u)));
        }
        let z = coins.draw(&choice(&rest, &chosen.e)?)?;
        // 6: d^_t = <phi(z), w* - w_t> + Lap(S'/e),
        // 7: told if |d^_t| > sigma.
        let told = Censored::new(rest[z].clone(), &noise, [-&sigma, sigma.clone()])?;
        let Some(d_hat) = coins.draw(&told)? else {
            // 9, 10, 14: else output w_t.
            return Ok((w, true));
        };
        // 8, 12: w_{t+1} <- w_t + eta sign(d^_t) phi(z).
        let alpha = if d_hat.is_positive() {
            eta.clone()
        } else {
            -&eta
        };
        w.push((alpha, net[z].clone()));
    } // 13
    // 14: Output w_{B+1}.
    Ok((w, false))
}

/// The law of line 5, of differences in steps, which a neighbour moves by at most 16. The law is `exp(-epsilon loss/2)`, for losses
/// that move by 1: with e/16 in the place of its epsilon a draw costs 16 e/16 = e. A score beyond what the law takes, a public
/// number, counts as that: a neighbour moves it no more.
fn choice(rest: &[BigInt], e: &Rational) -> Result<ScoredChoice, Error> {
    let of_step = e / integer(STEPS);
    let most = (integer(2 * LARGEST_EXPONENT) / &of_step).to_integer();
    let most = most.to_u32().unwrap_or(u32::MAX);
    let score = |rest: &BigInt| rest.magnitude().to_u32().unwrap_or(most).min(most);
    let scores: Vec<u32> = rest.iter().map(score).collect();
    // The law has exp(-of_step/2 what is missing to the largest score).
    let largest = scores.iter().copied().max().unwrap_or(0);
    let missing = scores.iter().map(|score| largest - score).collect();
    Ok(ScoredChoice::new(missing, &of_step)?)
}

/// What line 1 comes to.
pub(super) struct Grid {
    pub u: Rational,
    /// `Lap(S'/e)`, in steps.
    pub noise: DiscreteLaplace,
    /// In steps.
    pub sigma: BigInt,
    pub eta: Rational,
}

/// `sigma = 4 omega` and `eta = 3 sigma/(4 R^2)`. All noise is within `omega`, with what rounding, the solver and evaluation add,
/// but with probability `beta/2`. The model has terms of `3 omega/R^2` in `B` rounds: evaluation adds a share of `omega`.
pub(super) fn grid(problem: &Problem, chosen: &Chosen) -> Result<Grid, Error> {
    let (b, squared_r) = (chosen.b, problem.kernel.squared_r());
    let u = s_prime(problem)? / integer(STEPS);
    let scale = integer(STEPS) / &chosen.e;
    let within = noise_within(&scale, b, &(&chosen.beta / integer(2)))?;
    let share = integer(3) * integer(b) * problem.kernel.error() / &squared_r;
    if share > ratio(1, 2) {
        return Err(Error::OutOfRange("the errors of the kernel's values"));
    }
    let fixed = within + slack(problem, &Rational::zero(), &u)? + 1;
    let omega = (integer(fixed) / (Rational::one() - share)).ceil();
    let sigma = omega.to_integer() * 4;
    Ok(Grid {
        noise: DiscreteLaplace::new(scale)?,
        eta: &u * &sigma * integer(3) / (squared_r * integer(4)),
        sigma,
        u,
    })
}

/// How many steps of the grid make `S'`.
pub(super) const STEPS: u64 = 16;
