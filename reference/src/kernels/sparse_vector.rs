//! jt13, Algorithm 1 with a hidden noisy threshold, the sparse vector technique, **ours**: purely private.
//!
//! Private: (epsilon, 0) under substitution of one record, on all data, all answers and refusals of a session together,
//! however the queries are chosen by who sees the answers, `epsilon = e_1 + e_2 + e_3` (`jt13.svt`). The threshold is never
//! told, and what is told has fresh noise, not that of its test: with that it would not be private. Not covered: the time of an
//! answer.
//!
//! The session is that of [`algorithm_1`](super::algorithm_1), with another rule in line 7.

use super::algorithm_1::{Asked, Rule, Session, noise_within, reach, units};
use super::minimiser::Problem;
use crate::Error;
use crate::coins::Coins;
use crate::number::Rational;
use crate::number::rational::integer;
use crate::sample::{DiscreteLaplace, Noise};

/// Lines 1 to 3: a session of at most `b` updates, to be asked by [`answer`](super::algorithm_1::answer). `e`: what of epsilon the
/// threshold, the tests and the answers get, each above 0.
pub fn open(
    problem: &Problem,
    asked: &Asked,
    b: u64,
    e: [&Rational; 3],
    coins: &mut impl Coins,
) -> Result<Session, Error> {
    // 1: B is given.
    // 2: noise of scale S'/e_1 for the threshold, 2 B S'/e_2 for a test, B S'/e_3 for an answer. In a test that passes both sides
    //    may move by S', the difference and the threshold that makes up for quiet tests: 2 S', at most B times.
    let scales = [
        integer(asked.steps) / e[0],
        integer(asked.steps) * integer(b) * integer(2) / e[1],
        integer(asked.steps) * integer(b) / e[2],
    ];
    //    With probability 1 - beta that of the threshold and of all tests comes to at most gamma, and of all answers to omega.
    let third = &asked.beta / integer(3);
    let gamma =
        noise_within(&scales[0], 1, &third)? + noise_within(&scales[1], asked.queries, &third)?;
    let omega = noise_within(&scales[2], b.min(asked.queries), &third)?;
    //    sigma <- m + gamma, where m > omega and m > C R/sqrt(B); step size: m/R^2. Rounding and evaluation add to sigma.
    let m = reach(problem, asked, b)?.max(omega) + 1;
    let (u, alpha, slack) = units(problem, asked, b, &m)?;
    let sigma = m + gamma + slack;
    //    The threshold: sigma and noise, once.
    let [of_threshold, test, noise] = scales.map(DiscreteLaplace::new);
    let rule = Rule::HiddenThreshold {
        threshold: coins.draw(&of_threshold?.around(sigma))?,
        test: test?,
        noise: noise?,
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
