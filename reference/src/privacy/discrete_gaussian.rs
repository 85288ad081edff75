//! Discrete Gaussian noise on integer queries: certified deltas.
//!
//! The query moves by an integer vector `v` with `|v|^2 <= D^2` between neighbours (under the
//! relation for which `D` is meant), and each of its `d` coordinates gets an independent draw of
//! variance parameter `s^2`.
//!
//! In one dimension the profile is exact. In several it is *not* a bound at the l2 norm: the law on a lattice has
//! directions. Two bounds are certified for all `v` and `d`: that of zero-concentrated privacy with `rho = D^2 / (2 s^2)`
//! ([`super::zcdp`]), and the following.
//!
//! # Discrete noise is nearly a post-processing of continuous noise
//!
//! Let `g_c(x) = exp(-x^2 / (2 c^2))` and `s^2 = r^2 + t^2`. Draw `x` from the continuous normal
//! law around `v` with variance `r^2` a coordinate, and round it at random, each coordinate to the
//! integer `y` with probability `g_t(y - x) / theta_t(x)`,
//! `theta_t(x) = sum over integers y of g_t(y - x)`. Call the result's law `R_v`. As `v` is an
//! integer vector and `theta_t` has period 1, `R_v` is `R_0` moved by `v`.
//!
//! 1. Rounding is post-processing: for every set `E` and every real `e`,
//!    `R_v(E) - e^e R_0(E) <= H(|v| / r; e)` with the Gaussian profile
//!    `H(mu; e) = Phi(mu/2 - e/mu) - e^e Phi(-mu/2 - e/mu)`.
//! 2. By Poisson's summation formula `theta_t(x) / (t sqrt(2 pi))` is one plus
//!    `2 sum over k >= 1 of q^(k^2) cos(2 pi k x)` with `q = exp(-2 pi^2 t^2)`: it is between
//!    `1 - eta` and `1 + eta`, where `eta = 2 sum over k >= 1 of q^(k^2)`. And the convolution of a
//!    normal density of variance `r^2` with `g_t` is `(t / s) g_s`. So a coordinate of `R_0` has
//!    mass at `y` between `1/(1 + eta)` and `1/(1 - eta)` times `g_s(y) / (s sqrt(2 pi))`.
//! 3. The discrete Gaussian `N` has mass `g_s(y) / theta_s(0)` and
//!    `theta_s(0) = s sqrt(2 pi) (1 + eta_s)`. With `b = 1 + eta_s` thus, coordinate by coordinate,
//!    `(1 - eta) / b R_0 <= N <= (1 + eta) / b R_0`, and the same for both moved by `v`.
//! 4. For `k` coordinates and every `E`:
//!    `N_v(E) - e^epsilon N_0(E) <= ((1 + eta) / b)^k (R_v(E) - e^e R_0(E))` with
//!    `e = epsilon - k ln((1 + eta) / (1 - eta))`, in which `b` cancels. As `b >= 1`,
//!
//!    **`delta(epsilon) <= (1 + eta)^k H(D / r; epsilon - k ln((1 + eta) / (1 - eta)))`.**
//!
//! Coordinates in which `v` is zero are independent of the others and the same under both laws: `k`
//! counts the others only, at most `min(d, D^2)`. Every `t` with `0 < t^2 < s^2` and `eta < 1` is
//! valid.

use super::gaussian::profile;
use super::{BITS, rounded_up, zcdp};
use crate::Error;
use crate::error::require;
use crate::number::{Dyadic, Enclosure, Rational, rational::integer, rational::ratio};
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// A delta, rounded up and at most 1, with which noise of this variance parameter is (epsilon, delta)-private for every integer
/// query of `dimension` coordinates whose squared l2 sensitivity (in squared steps) is at most `squared_sensitivity`, under the
/// relation for which that is meant: the least of the bounds of this file, the rounding at each sixteenth for `t^2` up to 4
/// (beyond, `eta` is below `2^-112`), and the concentrated one at the order whose equation is solved by iteration. Where only
/// one coordinate can move, and the variance is below `2^24`, also the exact profile: beyond, the
/// rounding costs less than a part in `2^22` of the variance.
///
/// # Errors
/// [`Error::OutOfRange`] unless `variance > 0`, `squared_sensitivity >= 1`, `dimension >= 1` and `epsilon >= 0`; those of the
/// real functions.
pub fn delta(
    variance: &Rational,
    squared_sensitivity: &BigInt,
    dimension: u64,
    epsilon: &Rational,
) -> Result<Rational, Error> {
    require(
        squared_sensitivity.is_positive(),
        "the squared l2 sensitivity",
    )?;
    require(dimension >= 1, "the dimension")?;
    require(!epsilon.is_negative(), "epsilon")?;
    let law = DiscreteGaussian::new(variance.clone())?;
    // 1. The bound by concentrated privacy.
    let rho = integer(squared_sensitivity.clone()) / (variance * BigInt::from(2));
    let mut least = zcdp::delta_of_order(&rho, &zcdp::good_order(&rho, epsilon)?, epsilon)?;
    // 2. The bound by rounding. At most so many coordinates of an integer vector are not 0.
    let moved = squared_sensitivity
        .to_u64()
        .map_or(dimension, |most| most.min(dimension));
    for sixteenths in 1..=64 {
        let t_squared = ratio(sixteenths, 16);
        if let Some(bound) = by_rounding(variance, squared_sensitivity, moved, epsilon, &t_squared)?
        {
            least = least.min(bound);
        }
    }
    // 3. The exact profile, where one coordinate moves alone: there is no other, or D^2 = 1. The laws have monotone likelihood
    //    ratios, so that it grows with the shift, which is floor(D) at most. Of wide laws the bound by rounding is as good, and the
    //    sum is long.
    if moved == 1 && *variance < integer(1 << 24) {
        let shift = squared_sensitivity.sqrt();
        least = least.min(rounded_up(&profile_of_one(&law, &shift, epsilon)?));
    }
    Ok(least)
}

/// The bound of this file's text at one `t^2`, rounded up; `None` where that is not below `s^2`, or `eta` not below 1.
///
/// # Errors
/// Those of the real functions.
pub fn by_rounding(
    variance: &Rational,
    squared_sensitivity: &BigInt,
    moved: u64,
    epsilon: &Rational,
    t_squared: &Rational,
) -> Result<Option<Rational>, Error> {
    let bits = working_bits(variance);
    let rest = variance - t_squared;
    let eta = eta(t_squared, bits)?;
    if !rest.is_positive() || eta.upper() >= Rational::one() {
        return Ok(None);
    }
    let moved = Enclosure::integer(moved, bits);
    let (above, below) = (eta.ln_1p()?, (-&eta).ln_1p()?);
    let factor = (&moved * &above).exp()?;
    // The profile grows with mu and falls with epsilon: both are rounded to where it is larger.
    let room = Enclosure::of(epsilon, bits) - moved * (above - below);
    let squared_mu = integer(squared_sensitivity.clone()) / rest;
    let mu = Enclosure::of(&squared_mu, bits).sqrt()?.upper();
    let bound = factor * profile(&mu, &room.lower(), bits)?;
    Ok(Some(rounded_up(&bound)))
}

/// `eta = 2 sum over k >= 1 of q^(k^2)` with `q = exp(-2 pi^2 t^2)`, from above: as `k^2 - 1 >= 3 (k - 1)`, the sum is at most
/// `q / (1 - q^3)`.
fn eta(t_squared: &Rational, bits: u32) -> Result<Enclosure, Error> {
    let exponent = Enclosure::pi(bits).squared().shifted(1) * Enclosure::of(t_squared, bits);
    let q = (-exponent).exp()?;
    let bound = q.divided_by(&q.power(3).complement())?.shifted(1);
    Ok(Enclosure::new(&Dyadic::zero(), bound.hi(), bits))
}

/// The exact profile in one dimension, `Pr[Y + D in E] - e^epsilon Pr[Y in E]` on the best event `E`: the privacy loss at `k` of
/// noise around `D` against noise around 0 is `(2 k D - D^2) / (2 v)`, above epsilon for `k > epsilon v / D + D / 2`.
fn profile_of_one(
    law: &DiscreteGaussian,
    d: &BigInt,
    epsilon: &Rational,
) -> Result<Enclosure, Error> {
    let bits = working_bits(law.variance());
    let threshold = epsilon * law.variance() / d + integer(d.clone()) / BigInt::from(2);
    let first = threshold.floor().to_integer() + 1;
    let likely = law.upper_tail(&(&first - d), bits)?;
    let unlikely = law.upper_tail(&first, bits)?;
    Ok(likely - Enclosure::exp_of(epsilon, bits)? * unlikely)
}

/// Wide laws move little compared with their width, and the profile is a small difference: more bits.
fn working_bits(variance: &Rational) -> u32 {
    BITS + variance.to_integer().bits().min(1 << 16) as u32
}
