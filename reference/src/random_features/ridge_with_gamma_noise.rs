//! lnsx25, the baseline of Section 4 with Gamma noise, **repaired**: ridge regression with pure differential privacy.
//!
//! Private: (epsilon, 0) under substitution of one of `m` records, on all data, if [`is_enough`] says so of the noise
//! (`lnsx25.rls.corrected`, `lnsx25.gamma-lattice`). A label beyond `B` is clipped to it, a function of its record alone.
//!
//! Where it departs from what the paper says of the baseline:
//! - its l2 sensitivity `2/(m lambda)` is a bound for losses of slope 1, and false for squares (`lnsx25.rls`);
//! - noise of density proportional to `exp(-xi |b|)` on R^d: here of such masses on Z^d, for at most 16 coordinates
//!   (`lnsx25.gamma-lattice`).

use super::ridge::{self, root, two_h};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Rational, rational::integer};
use crate::sample::{GammaNoise, Noise};
use num_bigint::BigInt;

/// Returns the private minimum, in steps of `1/c_one`.
///
/// `b`: `B`, in steps of `1/y_one`, in which labels are. `rate`: `xi`, of the noise in steps of `1/c_one`.
pub fn learn(
    s: &Points<i64>,
    (b, y_one): (i64, i64),
    c_one: i64,
    lambda: &Rational,
    rate: &Rational,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let noise = GammaNoise::new(rate.clone(), s.dimension())?;
    // 1. |y_j| <= B.
    let bounded = s.iter().map(|(x, y)| (x.clone(), (*y).clamp(-b, b)));
    let s = Points::new(s.one(), s.dimension(), bounded.collect())?;
    // 2. theta = argmin of sum over j of (<x_j, theta> - y_j)^2 + Lambda |theta|^2, exactly; then on the grid, to the nearest.
    let theta = ridge::minimum(&s, y_one, lambda)?;
    let theta = theta
        .iter()
        .map(|theta| (theta * BigInt::from(c_one)).round().to_integer());
    // 3. theta + z, z of mass proportional to exp(-xi |z|): the one place where the data are read.
    Ok(coins.draw(&noise.around_all(theta))?)
}

/// Whether `xi` times the sensitivity, in steps, is at most epsilon: that of the minimum,
/// `B min(sqrt(m/Lambda), 2 h (1 + sqrt(m - 1)/(2 sqrt(Lambda))))` with the h of [`two_h`], and `sqrt(d)` steps more, as each of
/// two minima is rounded by half a step a coordinate.
///
/// `b`: `B`, in units of the labels.
pub fn is_enough(
    (b, m): (&Rational, u64),
    c_one: i64,
    lambda: &Rational,
    d: u64,
    rate: &Rational,
    epsilon: &Rational,
) -> Result<bool, Error> {
    let others = root(&(integer(m.max(1) - 1) / lambda))? / integer(2);
    let through = two_h(lambda)? * (integer(1) + others);
    let minimum = root(&(integer(m) / lambda))?.min(through) * b;
    let steps = minimum * BigInt::from(c_one) + root(&integer(d))?;
    Ok(rate * steps <= *epsilon)
}
