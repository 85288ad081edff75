//! jt13, Algorithm 2 (TDDL), **repaired**: a model from noisy predictions at public points.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, the targets and the model together, for all public
//! points and every `C0`, if [`is_enough`] says so of `T` draws of loss `e` (`jt13.thm4.exact`, `jt13.thm4.corrected`). The
//! points must be public, and every one counts, also one that is there again. Not covered: the time that it takes.
//!
//! Where it departs from the printed lines:
//! - line 1 hides a constant: the noise has the scale `S'/e` for an `e` that is given, `S'` that of the vector that was found;
//! - line 2 has `w*` in it: all targets are drawn before anything is fitted, and what is fitted is a function of them;
//! - line 2 has any convex set: it is `|w| <= C0`, and of the minimisers the one in the span of the points (`jt13.alg2.span`);
//! - predictions are rounded to steps of `u = S'/steps`.

use super::kernel::Expansion;
use super::minimiser::{Problem, s_prime};
use super::span::nearest_in_span;
use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, Rational};
use crate::sample::{DiscreteLaplace, Noise};

/// Returns the targets `y_t`, in units of predictions, and `w^`. `w_star`: the vector of `minimiser::vector`. `z`: the public
/// points, in the ball. `c0 > 0`.
pub fn learn(
    w_star: &Expansion,
    problem: &Problem,
    z: &[Vec<i64>],
    (e, steps): (&Rational, u64),
    c0: &Rational,
    coins: &mut impl Coins,
) -> Result<(Vec<Rational>, Expansion), Error> {
    let kernel = &problem.kernel;
    for z_t in z {
        kernel.check(z_t)?;
    }
    // 1: Sample b_1, ..., b_T i.i.d. from Lap(nu), nu = S'/e. Here around the predictions, y_t = <w*, phi(z_t)> + b_t.
    let u = s_prime(problem)? / integer(steps);
    let noise = DiscreteLaplace::new(integer(steps) / e)?;
    let mut y = Vec::new();
    for z_t in z {
        let exact = nearest(&(kernel.predict(w_star, z_t)? / &u));
        y.push(&u * coins.draw(&noise.around(exact))?);
    }
    // 2: Output w^ = argmin over |w| <= C0 of (1/T) sum over t of (<w, phi(z_t)> - y_t)^2.
    let w_hat = nearest_in_span(kernel, z, &y, c0)?;
    Ok((y, w_hat))
}

/// Whether `k` draws of pure loss `e`, chosen one after the other, are (epsilon, delta)-private together (`KOV15`): the worst are
/// `k` answers of randomised response, `l` of which are lies with probability `C(k, l) e^((k-l) e)/(1 + e^e)^k`, and
/// `delta = sum over l with (k - 2l) e > epsilon of this, times 1 - e^(epsilon - (k - 2l) e)`.
pub fn is_enough(
    (k, e): (u64, &Rational),
    (epsilon, delta): (&Rational, &Rational),
) -> Result<bool, Error> {
    let exp = |x: Rational| Enclosure::exp_of(&x, BITS);
    let (one, lie) = (Enclosure::integer(1, BITS), exp(-e)?);
    let mut probability = one.divided_by(&(&one + &lie))?.power(k);
    let mut sum = Enclosure::integer(0, BITS);
    for l in 0..k {
        let told = e * (integer(k) - integer(2) * integer(l));
        if told <= *epsilon {
            break;
        }
        sum = sum + &probability * exp(epsilon - told)?.complement();
        let odds = Rational::new((k - l).into(), (l + 1).into());
        probability = probability * &lie * Enclosure::of(&odds, BITS);
    }
    Ok(sum.upper() <= *delta)
}

const BITS: u32 = 256;
