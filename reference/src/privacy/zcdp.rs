//! Zero-concentrated privacy, and what it says in (epsilon, delta).
//!
//! A mechanism is `rho`-zCDP if for neighbouring datasets and every order `alpha > 1` the Renyi divergence of order `alpha` is at
//! most `alpha rho` (Bun, Steinke 2016). Under one relation rhos add up, also where a later mechanism depends on the outputs of
//! earlier ones (Lemma 1.7). Gaussian noise of this variance a coordinate on a query of l2 sensitivity `Delta` has
//! `rho = Delta^2 / (2 variance)` (Proposition 1.6); so has the discrete Gaussian law with this variance *parameter* on an integer
//! query, in any dimension (Canonne, Kamath, Steinke 2020, Theorem 14).

use super::{BITS, rounded_up};
use crate::Error;
use crate::error::require;
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// A delta, rounded up and at most 1, with which `rho`-zCDP is (epsilon, delta)-private under the same relation, by the Renyi
/// divergence of one order `alpha = 1 + excess`:
/// `exp((alpha - 1) (alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1)` (Canonne, Kamath, Steinke 2020, Corollary 13).
/// Every order above 1 is valid.
///
/// # Errors
/// [`Error::OutOfRange`] unless `rho >= 0`, `excess > 0` and `epsilon >= 0`; those of the real functions.
pub fn delta_of_order(
    rho: &Rational,
    excess: &Rational,
    epsilon: &Rational,
) -> Result<Rational, Error> {
    require(!rho.is_negative(), "rho")?;
    require(excess.is_positive(), "the order, less one")?;
    require(!epsilon.is_negative(), "epsilon")?;
    let bits = BITS + 32;
    let alpha = excess + Rational::one();
    // alpha ln(1 - 1/alpha) = - alpha ln(1 + 1/(alpha - 1)), accurate for small and large orders.
    let shape = Enclosure::of(&alpha, bits) * Enclosure::of(&excess.recip(), bits).ln_1p()?
        + Enclosure::of(excess, bits).ln()?;
    let exponent = Enclosure::of(&(excess * (alpha * rho - epsilon)), bits);
    let bound = (exponent - shape).min(&Enclosure::integer(0, bits)).exp()?;
    Ok(rounded_up(&bound))
}

/// An order, as `alpha - 1`, close to the best one for [`delta_of_order`]. The logarithm of that bound is convex in `alpha`, with
/// derivative `(2 alpha - 1) rho - epsilon + ln(1 - 1/alpha)`; its zero is the fixed point of
/// `alpha - 1 = ((epsilon + ln(1 + 1/(alpha - 1)))/rho - 1)/2`, which some steps come close to. Nothing rests on how close.
///
/// # Errors
/// [`Error::OutOfRange`] unless `rho > 0`; those of the logarithm.
pub fn good_order(rho: &Rational, epsilon: &Rational) -> Result<Rational, Error> {
    require(rho.is_positive(), "rho")?;
    let (least, two) = (
        Rational::new(1.into(), (1u64 << 32).into()),
        BigInt::from(2),
    );
    let mut excess = Rational::one();
    for _ in 0..64 {
        let logarithm = Enclosure::of(&excess.recip(), 64).ln_1p()?;
        let next = ((epsilon + logarithm.lower()) / rho - Rational::one()) / &two;
        // Halfway, so that it does not swing to and fro; and short.
        let halfway = (excess + next.max(least.clone())) / &two;
        excess = Enclosure::of(&halfway, 64).upper();
    }
    Ok(excess)
}
