//! lnsx25, repair R6, **ours**: full-batch gradient descent on clipped residuals, with noise in every step.
//!
//! Private: (epsilon, delta) under `neighbours`, on all data, if [`is_enough`] says so of the noise (`lnsx25.r6`): one
//! record moves a step by at most `tau`, or by `2 tau` if it is substituted, whatever `c` is. It rests on no curvature, no
//! penalty and no solver.

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::Rational;
use crate::privacy::{NeighbouringRelation, discrete_gaussian};
use crate::sample::{DiscreteGaussian, Noise};
use crate::vector::{dot, into_ball};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// What is public, beside the grid `1/phi_one` and the dimension of the features. Integers are at least 1.
#[derive(Debug, Clone)]
pub struct Public {
    /// Labels are in steps of `1/y_one`.
    pub y_one: i64,
    /// Coefficients are in steps of `1/c_one`.
    pub c_one: i64,
    /// `m`, the number of records under substitution; a cap on it under addition and removal.
    pub m: i64,
    /// `T`, the number of steps.
    pub steps: u32,
    /// `tau`, in steps of the labels.
    pub tau: i64,
    /// How far a step goes; above 0.
    pub rate: Rational,
    /// Of the ball in which `c` stays, in steps of the coefficients.
    pub radius: i64,
    /// `sigma^2`, in squared steps of features times labels.
    pub variance: Rational,
}

/// Returns `c`, in steps. `s`: records `(phi, y)`, `phi` a function of the record and of public numbers.
pub fn learn(s: &Points<i64>, public: &Public, coins: &mut impl Coins) -> Result<Vec<i64>, Error> {
    let noise = DiscreteGaussian::new(public.variance.clone())?;
    let phi_one = BigInt::from(s.one());
    // 1. c = 0.
    let mut c = vec![0; s.dimension()];
    for _ in 0..public.steps {
        // 2. g = sum over j of psi(y_j - <phi_j, c>) phi_j, psi the clip to [-tau, tau] ...
        let mut g = vec![BigInt::zero(); s.dimension()];
        for (phi, y) in s.iter() {
            // ... the residual in steps of the labels, towards zero: a function of this record and of c alone.
            let unit = &phi_one * public.c_one;
            let residual = (&unit * *y - dot(phi, &c) * public.y_one) / &unit;
            let psi = residual.clamp(-BigInt::from(public.tau), public.tau.into());
            g.iter_mut().zip(phi).for_each(|(g, phi)| *g += &psi * phi);
        }
        // 3. ... and noise around every coordinate: the one place where the data are read.
        let g = coins.draw(&noise.around_all(g))?;
        // 4. c <- c + (rate/m) g, and back into the ball. Of what is public by now.
        let scale =
            &public.rate * BigInt::from(public.c_one) / (&phi_one * public.y_one * public.m);
        let moved = c.iter().zip(&g).map(|(c, g)| (&scale * g).to_integer() + c);
        c = into_ball(&moved.collect::<Vec<_>>(), public.radius)
            .iter()
            .map(|c| c.to_i64().unwrap_or(0)) // in the ball, it fits
            .collect();
    }
    // 5. return c.
    Ok(c)
}

/// Whether all `T` steps together are (epsilon, delta)-private: as `T d` coordinates that move by `sqrt(T) tau`, or by
/// `sqrt(T) 2 tau` under substitution. A step is taken at what was released before. But fix two neighbours, and let the
/// noise be continuous: then a step can be made from one draw that was there before everything, around 0 or around the most that a
/// step moves by, and from nothing else that tells the two apart. So all steps are made from one vector. Its coordinates are rounded
/// after that (`lnsx25.r6`).
pub fn is_enough(
    public: &Public,
    (phi_one, d): (i64, u64),
    (epsilon, delta): (&Rational, &Rational),
    neighbours: NeighbouringRelation,
) -> Result<bool, Error> {
    let tau = BigInt::from(public.tau) * phi_one;
    let moved = match neighbours {
        NeighbouringRelation::AddOrRemove => tau,
        NeighbouringRelation::Substitute => tau * 2,
    };
    let (squared, coordinates) = (&moved * &moved * public.steps, u64::from(public.steps) * d);
    Ok(discrete_gaussian::delta(&public.variance, &squared, coordinates, epsilon)? <= *delta)
}
