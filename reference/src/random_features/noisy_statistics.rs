//! lnsx25, repair R5, **ours**: noisy sufficient statistics.
//!
//! Private: (epsilon, delta) under `neighbours`, on all data, if [`is_enough`] says so of the noise (`lnsx25.r5`): the
//! statistics are sums over the records. What is beyond a bound is clipped to it, record by record.
//!
//! A model is what anybody makes of them: `c = (G + Lambda)^-1 r`, `G` and `r` the noisy `Phi^T Phi` and `Phi^T y`. The
//! library raises the negative eigenvalues of `G` to 0, and has Lambda a multiple of `sqrt(D) sigma`.

use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::Rational;
use crate::privacy::{NeighbouringRelation, discrete_gaussian};
use crate::sample::{DiscreteGaussian, Noise};
use num_bigint::BigInt;
use num_traits::Zero;

/// What is public, beside the grid `1/phi_one` and the dimension `D` of the features.
#[derive(Debug, Clone)]
pub struct Public {
    /// `l`: no coordinate of a row is larger in magnitude, in steps.
    pub l: i64,
    /// `B`: no label is larger in magnitude, in steps of the labels.
    pub largest_label: i64,
    /// `w`: a label times this is in steps of the features; it says how much of the noise falls on the labels.
    pub weight: i64,
    /// `sigma^2`, in squared steps of the products.
    pub variance: Rational,
}

/// Returns `Phi^T Phi` on and above the diagonal, row by row, and then `w Phi^T y`, with noise, in steps of `1/phi_one^2`.
pub fn learn(
    s: &Points<i64>,
    public: &Public,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let (d, l, b) = (s.dimension(), public.l, public.largest_label);
    let noise = DiscreteGaussian::new(public.variance.clone())?;
    let mut gram = vec![vec![BigInt::zero(); d]; d];
    let mut right = vec![BigInt::zero(); d];
    for (phi, y) in s.iter() {
        // 1. Within the bounds.
        let phi: Vec<BigInt> = phi.iter().map(|&phi| phi.clamp(-l, l).into()).collect();
        let y = BigInt::from((*y).clamp(-b, b)) * public.weight;
        // 2. G += phi phi^T, r += w y phi.
        for i in 0..d {
            for k in i..d {
                gram[i][k] += &phi[i] * &phi[k];
            }
            right[i] += &phi[i] * &y;
        }
    }
    // 3. Noise around each of the D (D + 1)/2 + D numbers: the one place where the data are read.
    let above = gram.into_iter().enumerate();
    let above = above.flat_map(|(i, row)| row.into_iter().skip(i));
    Ok(coins.draw(&noise.around_all(above.chain(right)))?)
}

/// Whether the noise hides what one record moves: squared, and with features in units and `b = w B`, at most
/// - `(1 + l^2)/2 + b^2` under addition or removal: what stands on and above the diagonal of a symmetric matrix has half of its
///   squared norm, and half of that of its diagonal;
/// - `1 + l^2 + 2 b^2 + b^4 D/(D + 1)` under substitution, where the worst cosine of two records' features is `b^2/(1 + 1/D)`; or, if
///   that is above 1, so that the worst is 1, `l^2 + 4 b^2 - 1/D`.
pub fn is_enough(
    public: &Public,
    (phi_one, d): (i64, u64),
    (epsilon, delta): (&Rational, &Rational),
    neighbours: NeighbouringRelation,
) -> Result<bool, Error> {
    let square = |x: BigInt| Rational::from(x.pow(2));
    // Squares, in squared steps of the features. A product of two of them is in squared steps of the products.
    let one2 = square(phi_one.into());
    let l2 = square(public.l.into());
    let b2 = square(BigInt::from(public.weight) * public.largest_label);
    let (two, dimension) = (BigInt::from(2), BigInt::from(d));
    let squared = match neighbours {
        NeighbouringRelation::AddOrRemove => &one2 * (&one2 + l2) / two + one2 * b2,
        NeighbouringRelation::Substitute if &b2 * &dimension <= &one2 * (&dimension + 1) => {
            &one2 * (&one2 + l2 + &b2 * two) + &b2 * &b2 * &dimension / (dimension + 1)
        }
        NeighbouringRelation::Substitute => {
            &one2 * (l2 + b2 * BigInt::from(4)) - &one2 * &one2 / dimension
        }
    };
    let numbers = d * (d + 1) / 2 + d;
    let moved = squared.to_integer();
    Ok(discrete_gaussian::delta(&public.variance, &moved, numbers, epsilon)? <= *delta)
}
