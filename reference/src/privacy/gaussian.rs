//! Gaussian noise: its exact privacy profile.

use crate::Error;
use crate::error::require;
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::Signed;

/// The exact `delta(epsilon)` of continuous Gaussian noise, in any dimension:
/// `Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)` with `mu = l2 sensitivity / standard deviation > 0` (Balle,
/// Wang 2018, Theorem 8), under the relation for which the sensitivity is meant. It is the hockey-stick divergence of order
/// `e^epsilon` between normal laws of variance 1 at distance `mu`; the formula holds for negative `epsilon` as well.
///
/// # Errors
/// [`Error::OutOfRange`] unless `mu > 0`; those of the real functions.
pub fn profile(mu: &Rational, epsilon: &Rational, bits: u32) -> Result<Enclosure, Error> {
    require(mu.is_positive(), "mu")?;
    let (half, slope) = (mu / BigInt::from(2), epsilon / mu);
    let likely = upper_tail(&(&slope - &half), bits);
    let unlikely = upper_tail(&(slope + half), bits);
    let difference = likely - Enclosure::exp_of(epsilon, bits)? * unlikely;
    Ok(difference.max(&Enclosure::integer(0, bits)))
}

/// `Pr[Z >= x]` for a standard normal `Z`: in the tail the relative error is `x^2` times that of `x`.
fn upper_tail(x: &Rational, bits: u32) -> Enclosure {
    let guard = 16 + 2 * x.to_integer().bits().min(64) as u32;
    let x = Enclosure::of(x, bits + guard);
    x.normal_upper().with_bits(bits)
}
