//! Integer noise on an integer query: the discrete Gaussian and the discrete Laplace law; and randomised response.

use super::atoms::{Atom, Atoms};
use crate::accountant::cells::Mass;
use crate::accountant::interval::Interval;

/// Discrete Gaussian noise of variance parameter `variance`, moved by `shift >= 1`: a mass of about `tail` is left out.
///
/// The loss of x is `shift (2x - shift) / (2 variance)`: multiples of `shift / variance`, up to an offset.
#[must_use]
pub fn discrete_gaussian(variance: Interval, shift: u32, tail: f64) -> Atoms {
    let shift = i64::from(shift);
    let half = Interval::ONE.over(variance + variance);
    let weight = |x: i64| (-(Interval::exactly((x * x) as f64) * half)).exp();
    // The weights from x > 0 on, in all: each is at most e^(-x/variance) times the one before.
    let rest = |x: i64| {
        let ratio = (-(Interval::exactly(x as f64).over(variance))).exp();
        weight(x).over((Interval::ONE - ratio).not_negative())
    };
    let mut reach = 1 + variance.hi.sqrt() as i64;
    while rest(reach).hi > tail && weight(reach).hi > 1e-280 {
        reach += 1 + reach / 64;
    }
    let tails = Interval::between(0.0, rest(reach + 1).hi);
    let side = (1..=reach).rev().fold(tails, |sum, x| sum + weight(x));
    let total = Interval::ONE + side + side;
    let numerator = Interval::exactly(shift as f64) * half;
    let atom = |x: i64| Atom {
        loss: (Interval::exactly((2 * x - shift) as f64) * numerator).middle(),
        mass: Mass {
            p: weight(x - shift).over(total),
            q: weight(x).over(total),
        },
    };
    let outside = Mass {
        p: tails.over(total),
        q: tails.over(total),
    };
    Atoms {
        atoms: (-reach..=reach + shift).map(atom).collect(),
        below: outside,
        above: outside,
        spacing: (numerator + numerator).middle(),
        error: 16.0,
        is_symmetric: true,
    }
}

/// Discrete Laplace noise of scale `1/rate`, moved by `shift >= 1`.
///
/// The loss of x is `rate (|x| - |x - shift|)`: `rate (2x - shift)` for x from 0 to shift, and the same at the ends for all
/// beyond. With `r = e^-rate`, x has `(1 - r)/(1 + r) r^|x|`, and x and all beyond have `r^x / (1 + r)`.
#[must_use]
pub fn discrete_laplace(rate: Interval, shift: u32) -> Atoms {
    let shift = i64::from(shift);
    let r = (-rate).exp();
    let tail = |x: i64| {
        (-(rate * Interval::exactly(x as f64)))
            .exp()
            .over(Interval::ONE + r)
    };
    let inside = (rate.exp_minus_one() * r).over(Interval::ONE + r);
    let point = |x: i64| (-(rate * Interval::exactly(x as f64))).exp() * inside;
    let atom = |x: i64| {
        let (p, q) = match x {
            0 => (tail(shift), tail(0)),
            x if x == shift => (tail(0), tail(shift)),
            x => (point(shift - x), point(x)),
        };
        Atom {
            loss: (Interval::exactly((2 * x - shift) as f64) * rate).middle(),
            mass: Mass { p, q },
        }
    };
    Atoms {
        atoms: (0..=shift).map(atom).collect(),
        below: Mass::ZERO,
        above: Mass::ZERO,
        spacing: 2.0 * rate.middle(),
        error: 16.0,
        is_symmetric: true,
    }
}

/// Randomised response among `answers >= 2`: the true one is `e^epsilon` times as likely as each other.
#[must_use]
pub fn randomised_response(epsilon: Interval, answers: u64) -> Atoms {
    let others = Interval::exactly((answers - 1) as f64);
    let odds = epsilon.exp();
    let total = odds + others;
    let (kept, other) = (odds.over(total), Interval::ONE.over(total));
    let atom = |loss: f64, p: Interval, q: Interval| Atom {
        loss,
        mass: Mass { p, q },
    };
    let middle = Interval::exactly((answers - 2) as f64) * other;
    let mut atoms = vec![atom(-epsilon.middle(), other, kept)];
    if answers > 2 {
        atoms.push(atom(0.0, middle, middle));
    }
    atoms.push(atom(epsilon.middle(), kept, other));
    Atoms {
        atoms,
        below: Mass::ZERO,
        above: Mass::ZERO,
        spacing: epsilon.middle() * if answers > 2 { 1.0 } else { 2.0 },
        error: 16.0,
        is_symmetric: true,
    }
}
