//! lnsx25, Algorithm 1, **repaired** (R1): the interpolation of least norm, clipped to a ball, with noise around it.
//!
//! Private: (epsilon, delta) under either relation, on all data, if [`is_enough`] says so of the noise
//! (`lnsx25.alg1.corrected`): two points of a ball of radius R are at most 2 R apart (`lnsx25.r1`). That hides any two
//! datasets from each other, neighbours or not, so that little is learned (`lnsx25.e-n`).
//!
//! Where it departs from the printed lines:
//! - c# is complex and z is real: here features are real, a cosine and a sine, and all 2 N coordinates have noise (`lnsx25.a1`);
//! - line 1 takes `|c#| <= Delta/2` for granted: here c# is clipped (`lnsx25.a2`);
//! - (4) has no solution for dependent rows: there c# = 0, and no error tells (`lnsx25.a5`);
//! - line 1 has a closed form for sigma: here the noise is checked, and discrete (`sample.discrete-gaussian.multivariate.corrected`).

use super::equations::{nearest_or_even, solve};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::Rational;
use crate::privacy::discrete_gaussian;
use crate::sample::{DiscreteGaussian, Noise};
use crate::vector::{dot, into_ball};
use num_bigint::BigInt;
use num_traits::Zero;

/// Returns `c^`, in steps of `1/c_one`.
///
/// `c`: [`interpolation`] of the data, or what another solver makes of them. Privacy does not ask what it is.
/// `radius`: R in steps; the paper's is `1/sqrt(1 - 2 eta)`, for rows of norm 1. `variance`: in squared steps.
pub fn learn(
    c: &[Rational],
    c_one: i64,
    radius: i64,
    variance: &Rational,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let noise = DiscreteGaussian::new(variance.clone())?;
    // 1: Delta = 2 R: c# on the grid, and into the ball.
    let in_steps = |c: &Rational| nearest_or_even(&(c * BigInt::from(c_one)));
    let c = into_ball(&c.iter().map(in_steps).collect::<Vec<_>>(), radius);
    // 2: z from N(0, sigma^2 I_2N), discrete.   3: return c^ = c# + z.
    Ok(coins.draw(&noise.around_all(c))?)
}

/// Whether noise of this variance in `d` coordinates hides any two points of the ball.
pub fn is_enough(
    radius: i64,
    variance: &Rational,
    d: u64,
    (epsilon, delta): (&Rational, &Rational),
) -> Result<bool, Error> {
    let squared = BigInt::from(radius).pow(2) * 4;
    Ok(discrete_gaussian::delta(variance, &squared, d, epsilon)? <= *delta)
}

/// (4): `c# = Phi^T (Phi Phi^T)^-1 y`, exactly, or 0 if the rows are dependent. Labels are in steps of `1/y_one`.
pub fn interpolation(s: &Points<i64>, y_one: i64) -> Vec<Rational> {
    let rows: Vec<&Vec<i64>> = s.iter().map(|(phi, _)| phi).collect();
    let gram: Vec<Vec<Rational>> = rows
        .iter()
        .map(|phi| rows.iter().map(|other| dot(phi, other).into()).collect())
        .collect();
    let y: Vec<Rational> = s
        .iter()
        .map(|(_, y)| Rational::new(BigInt::from(*y) * s.one(), y_one.into()))
        .collect();
    let mut c = vec![Rational::zero(); s.dimension()];
    for (phi, weight) in rows.iter().zip(solve(&gram, &y).unwrap_or_default()) {
        for (c, phi) in c.iter_mut().zip(*phi) {
            *c += &weight * BigInt::from(*phi);
        }
    }
    c
}
