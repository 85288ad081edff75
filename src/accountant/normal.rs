//! How likely a normal variable falls between two points, with nearly full relative accuracy however near they are.

use super::double::{TINY, U, exp};
use super::interval::Interval;

/// Beyond this distance from the mean a mass is below [`TINY`].
const FAR: f64 = 36.9;

/// How far beyond a finite end an infinite piece is followed; what is left is bounded.
const FOLLOWED: f64 = 10.0;

/// The probability that a variable of mean `mean` and variance 1 lies between `a` and `b`, which may be infinite.
#[must_use]
pub fn mass(a: f64, b: f64, mean: Interval) -> Interval {
    let centre = mean.middle();
    if a >= b {
        return Interval::ZERO;
    }
    let is_all = a == f64::NEG_INFINITY && b == f64::INFINITY;
    // By symmetry the infinite end, or the end that is farther out, is on the left.
    if !is_all && a + b > 2.0 * centre {
        return mass(-b, -a, -mean);
    }
    if b - centre < -FAR {
        return Interval::between(0.0, TINY);
    }
    if b - centre > FAR {
        return Interval::between(1.0_f64.next_down(), 1.0);
    }
    let reach = (b - centre).min(0.0) - FOLLOWED;
    let start = a.max(centre + reach.max(-FAR));
    let mut sum = if start > a {
        beyond(start - centre)
    } else {
        Interval::ZERO
    };
    let mut from = start;
    while from < b {
        let to = (from + widest((from - centre).abs())).min(b);
        sum = sum + piece(from, to, mean);
        from = to;
    }
    sum
}

/// An upper bound of the probability above `x`, for a variable of mean `mean` and variance 1.
#[must_use]
pub fn above(x: f64, mean: Interval) -> f64 {
    beyond(-(x - mean.hi).next_down()).hi
}

/// What lies below `x < 0` of a standard normal variable: at most `phi(x) / |x|`, and 1.
fn beyond(x: f64) -> Interval {
    if x > -1.0 {
        return Interval::between(0.0, 1.0);
    }
    // 1e-12 covers the rounding of x, which the callers computed, and of everything here.
    let hi = if x < -FAR {
        TINY
    } else {
        density(x) / -x * (1.0 + 1e-12)
    };
    Interval::between(0.0, hi)
}

/// The widest piece around here: both its half width and that times the distance stay small.
fn widest(distance: f64) -> f64 {
    (0.9 / (distance + 1.0)).min(0.125)
}

/// `phi(x) = e^(-x^2/2) / sqrt(2 pi)`, within a relative error of `(x^2/2 + 7) U`: the square errs by U of itself, the
/// exponential by 4U, the constant and the product by 2U.
fn density(x: f64) -> f64 {
    const ONE_OVER_ROOT: f64 = 0.398_942_280_401_432_7;
    exp(-0.5 * (x * x)) * ONE_OVER_ROOT
}

/// The mass between `a` and `b`, at most [`widest`] apart.
///
/// With `m` about the middle and `c = m - mean`, it is `phi(c)` times the integral of `e^(-ct - t^2/2)` from `a - m` to
/// `b - m`. Both ends are one rounded subtraction. That `c` is rounded, and the mean an interval, moves the piece by
/// at most `shift`, and changes the mass by a factor of at most `e^((|c| + 1) shift)`: its logarithm has a slope of
/// at most `|c| + 1`.
fn piece(a: f64, b: f64, mean: Interval) -> Interval {
    let m = 0.5 * (a + b);
    let (below, above) = (m - a, b - m);
    let c = m - mean.middle();
    let shift = c.abs() * U + mean.radius();
    let (integral, error) = series(c, below, above);
    let relative = error + (0.5 * c * c + 10.0) * U + (c.abs() + 1.0) * shift;
    Interval::within(density(c) * integral, relative * 1.01)
}

/// The integral of `e^(-ct - t^2/2)` from `-below` to `above`, and its relative error.
///
/// The integrand is the sum of `a_n t^n` with `a_0 = 1`, `a_1 = -c`, `(n + 1) a_(n+1) = -c a_n - a_(n-1)`. With `|c|` for
/// `-c` and plus for minus, the same recursion gives majorants `A_n` with sum `e^(|c|t + t^2/2)`. Put `r` for the larger
/// of the ends, and `s = |c|r + r^2 <= .6`. The sum of all `A_n (..)/(n + 1)` is at most `(below + above) e^s`, the integral
/// at least `(below + above) e^-s`.
///
/// Rounding. Each step of the recursion adds three operations, so `a_n` errs by at most `4n U A_n`; each power by at
/// most `2(n + 1) U`; the other operations of a term and its place in the sum by `(5 + N) U`, N terms. As the sum of
/// `n A_n (..)/(n + 1)` is at most `s e^s (below + above)`, the whole is at most `(7 + N + 6s) U e^(2s)`, and
/// `e^(2s) <= 1 + 4s` here. Remainder. `A_n <= e^(|c| + 1/2)` (Cauchy, radius 1), so what follows N terms is at most
/// `2 e^(|c| + 1/2) r^N` of the integral: below U/16 if `N log2(1/r) >= 58 + 1.4427 (|c| + 1/2)`.
fn series(c: f64, below: f64, above: f64) -> (f64, f64) {
    let r = below.max(above);
    if r <= 0.0 {
        return (0.0, 0.0);
    }
    // r < 2^-bits.
    let bits = 1022.0 - ((r.to_bits() >> 52) as f64);
    let terms = ((59.0 + 1.443 * (c.abs() + 0.5)) / bits).ceil();
    let (mut before, mut coefficient) = (1.0, -c);
    let (mut left, mut right) = (-below, above);
    let mut sum = right - left;
    let mut n = 1.0;
    while n < terms {
        left *= -below;
        right *= above;
        sum += coefficient * (right - left) / (n + 1.0);
        (before, coefficient) = (coefficient, (-c * coefficient - before) / (n + 1.0));
        n += 1.0;
    }
    let s = c.abs() * r + r * r;
    (sum, (8.0 + terms + 6.0 * s) * (1.0 + 4.0 * s) * U)
}
