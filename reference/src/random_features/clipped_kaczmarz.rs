//! lnsx25, Kaczmarz's method of Section 4, **repaired** (R4): one pass with clipped residuals, and noise at the end.
//!
//! Private: (epsilon, delta) under `neighbours`, on all data of at most `m` records, if [`is_enough`] says so of the noise
//! (`lnsx25.r4`). The order of the pass is fixed, and neighbours are sequences, in which a substituted record has the same
//! place and the others keep their order; or it is drawn ([`random_order`]) and told to nobody, and they are multisets.
//!
//! Where it departs from what the paper describes:
//! - steps project on the equation of a record, so that the last one is interpolated, or the noise would have to hide its
//!   label (`lnsx25.e-p`): here residuals are clipped to [-tau, tau];
//! - m steps at records drawn with replacement: here each record once;
//! - division by `|phi|^2`: here rows have norm at most 1, and nothing is divided.

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{
    Enclosure, Rational,
    rational::{integer, nearest},
};
use crate::privacy::{NeighbouringRelation, discrete_gaussian};
use crate::sample::{DiscreteGaussian, Noise};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// Returns `c^`, in steps of `1/c_one`. `s`: records `(phi, y)`, `y` in steps of `1/y_one`.
///
/// `order`: the places of the records, each once. `tau`: in steps of `1/(phi_one c_one)`. `variance`: in squared steps of the
/// coefficients.
pub fn learn(
    s: &Points<i64>,
    order: &[usize],
    (y_one, c_one): (i64, i64),
    tau: &BigInt,
    variance: &Rational,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let noise = DiscreteGaussian::new(variance.clone())?;
    let (records, phi_one): (Vec<_>, _) = (s.iter().collect(), BigInt::from(s.one()));
    // 1. c = 0.
    let mut c = vec![BigInt::zero(); s.dimension()];
    for (phi, y) in order.iter().filter_map(|&j| records.get(j).copied()) {
        // 2. The residual y - <phi, c>, in steps of 1/(phi_one c_one) ...
        let y = (&phi_one * *y * c_one).div_floor(&y_one.into());
        let residual = y - c.iter().zip(phi).map(|(c, phi)| c * phi).sum::<BigInt>();
        // ... clipped to [-tau, tau], and rounded to the steps of c.
        let psi = nearest(&Rational::new(
            residual.clamp(-tau, tau.clone()),
            phi_one.clone(),
        ));
        // 3. c <- c + psi phi, each coordinate rounded.
        for (c, phi) in c.iter_mut().zip(phi) {
            *c += nearest(&Rational::new(&psi * phi, phi_one.clone()));
        }
    }
    // 4. c^ = c + z, z discrete Gaussian.
    Ok(coins.draw(&noise.around_all(c))?)
}

/// A uniformly random order of `n` places. Not to be published.
pub fn random_order(n: usize, coins: &mut impl Coins) -> Result<Vec<usize>, Error> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        let drawn = coins.uniform_below(&BigUint::from(last + 1))?;
        order.swap(last, drawn.to_usize().unwrap_or(0));
    }
    Ok(order)
}

/// Whether the noise hides the result in `d` coordinates, which moves by at most `tau + m (sqrt(d) + 1)` under addition or removal,
/// and by `2 tau + m (sqrt(d) + 1)` under substitution, all in steps of the coefficients. A step of the record itself is at most `tau`
/// long. No common step moves two points apart, but its roundings may, in each of at most `m` steps of the pass and on each side: by
/// 1/2 for the rounded residual, and by `sqrt(d)/2` for the rounded coordinates.
pub fn is_enough(
    (phi_one, d): (i64, u64),
    m: u64,
    tau: &BigInt,
    variance: &Rational,
    (epsilon, delta): (&Rational, &Rational),
    neighbours: NeighbouringRelation,
) -> Result<bool, Error> {
    let tau = Rational::new(tau.clone(), phi_one.into());
    let own = match neighbours {
        NeighbouringRelation::AddOrRemove => tau,
        NeighbouringRelation::Substitute => tau * integer(2),
    };
    let rounding = (Enclosure::integer(d, 128).sqrt()?.upper() + integer(1)) * integer(m);
    let moved = own + rounding;
    let squared = (&moved * &moved).to_integer();
    Ok(discrete_gaussian::delta(variance, &squared, d, epsilon)? <= *delta)
}
