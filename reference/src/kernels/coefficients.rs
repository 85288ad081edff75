//! jt13, **ours**, the learner to take: the coefficients of the minimiser, once, with Gaussian noise.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, if [`is_enough`] says so of the noise
//! (`jt13.gp.coefficients`). What is released predicts everywhere, as often as one likes. Not covered: the time that it takes.
//!
//! It is for kernels with a public basis, `K(x, z) = sum of W_a x^a z^a`: the linear and the polynomial ones, and random features
//! as points of a linear one. Then `w = sum of mu_i phi(x_i)` predicts `sum of theta_a z^a`, `theta_a = W_a sum of mu_i x_i^a`,
//! and `|w|^2 = sum of theta_a^2/W_a`. The paper mentions Hall, Rinaldo and Wasserman 2012, who release functions so.

use super::kernel::{Expansion, Kernel, Shape};
use super::minimiser::{Problem, squared_d};
use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, Rational};
use crate::privacy::{discrete_gaussian, zcdp};
use crate::sample::{DiscreteGaussian, Noise};
use num_bigint::BigInt;
use num_traits::{One, Pow, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the `theta_a`, in steps of `gamma`, in the order of [`basis`]. `w_star`: the vector of `minimiser::vector`.
/// `variances`: for each weight `W` of the basis the variance of the noise, in squared steps.
pub fn release(
    w_star: &Expansion,
    kernel: &Kernel,
    gamma: &Rational,
    variances: &BTreeMap<Rational, Rational>,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let basis = basis(kernel)?;
    if !has_all(variances, &basis) {
        return Err(Error::OutOfRange("the weights with a variance"));
    }
    // 1. theta_a = W_a sum of mu_i x_i^a, in steps, to the nearest.
    let theta = |(a, weight): &(Vec<u32>, Rational)| {
        let sum: Rational = w_star.iter().map(|(mu, x)| mu * power(kernel, x, a)).sum();
        nearest(&(weight * sum / gamma))
    };
    let theta: Vec<BigInt> = basis.iter().map(theta).collect();
    // 2. Around those of one weight W, from the least on, noise of variance tau^2 W: one draw, the one place where the data are
    //    read. Only what is drawn is returned.
    let mut released = BTreeMap::new();
    for (weight, variance) in variances {
        let of_weight: Vec<usize> = (0..basis.len())
            .filter(|&a| basis[a].1 == *weight)
            .collect();
        let noise = DiscreteGaussian::new(variance.clone())?;
        let exact = of_weight.iter().map(|&a| theta[a].clone());
        let drawn = coins.draw(&noise.around_all(exact))?;
        released.extend(of_weight.into_iter().zip(drawn));
    }
    Ok(released.into_values().collect())
}

/// Whether the release is (epsilon, delta)-private. The vector moves by at most `D`, and rounding moves it by at most
/// `gamma sqrt(sum of 1/W_a)` more: together `D'`. Of one weight this is one vector of integers with noise of one variance; of
/// several the noise is `D'^2/(2 tau^2)`-zCDP, `tau^2` the least `variance gamma^2/W`, and `excess > 0` an order less 1, any.
pub fn is_enough(
    problem: &Problem,
    gamma: &Rational,
    variances: &BTreeMap<Rational, Rational>,
    excess: &Rational,
    (epsilon, delta): (&Rational, &Rational),
) -> Result<bool, Error> {
    let basis = basis(&problem.kernel)?;
    if !has_all(variances, &basis) {
        return Ok(false);
    }
    // D'^2, rounded up
    let of_rounding: Rational = basis.iter().map(|(_, weight)| weight.recip()).sum();
    let root = |squared: &Rational| Enclosure::of(squared, 128).sqrt();
    let moved = root(&squared_d(problem)?)? + root(&(of_rounding * gamma * gamma))?;
    let squared = moved.squared().upper();
    // (D'/tau)^2: in steps of a weight W the vector moves by D' sqrt(W)/gamma.
    let over_variance =
        |(weight, v): (&Rational, &Rational)| &squared * weight / (gamma * gamma * v);
    let over_variances = variances
        .iter()
        .map(over_variance)
        .max()
        .unwrap_or_else(Rational::zero);
    if let (1, Some(variance)) = (variances.len(), variances.values().next()) {
        // Integers: by no more than the integer below.
        let steps = (over_variances * variance)
            .floor()
            .to_integer()
            .max(BigInt::one());
        let d = basis.len() as u64;
        return Ok(discrete_gaussian::delta(variance, &steps, d, epsilon)? <= *delta);
    }
    let rho = over_variances / integer(2);
    Ok(zcdp::delta_of_order(&rho, excess, epsilon)? <= *delta)
}

fn has_all(variances: &BTreeMap<Rational, Rational>, basis: &[(Vec<u32>, Rational)]) -> bool {
    let weights: BTreeSet<&Rational> = basis.iter().map(|(_, weight)| weight).collect();
    variances.keys().eq(weights)
}

/// What is released predicts `sum of theta_a z^a`. Public.
pub fn predict(
    kernel: &Kernel,
    gamma: &Rational,
    theta: &[BigInt],
    z: &[i64],
) -> Result<Rational, Error> {
    let basis = basis(kernel)?;
    let term = |((a, _), theta): (&(Vec<u32>, _), &BigInt)| power(kernel, z, a) * theta;
    Ok(gamma * basis.iter().zip(theta).map(term).sum::<Rational>())
}

/// The exponents `a` and the weights `W_a = p!/(a! (p - |a|)!) c^(p - |a|)` above 0, the highest exponents first.
pub fn basis(kernel: &Kernel) -> Result<Vec<(Vec<u32>, Rational)>, Error> {
    let Shape::Polynomial { p, c } = kernel.shape else {
        return Err(Error::OutOfRange("the shape of the kernel"));
    };
    let c = Rational::new(c.into(), BigInt::one() << (2 * kernel.bits));
    // Each a with what is left of p, and so far of the weight: p (p - 1) ... over what a! has so far.
    let mut all = vec![(Vec::new(), p, Rational::one())];
    for _ in 0..kernel.d {
        let longer = |(a, left, weight): &(Vec<u32>, u32, Rational)| -> Vec<_> {
            let with = |k: u32| {
                let a = [&a[..], &[k]].concat();
                (a, left - k, weight * choose(*left, k))
            };
            (0..=*left).rev().map(with).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let all = all.into_iter();
    let all = all.map(|(a, left, weight)| (a, weight * Pow::pow(&c, left)));
    Ok(all.filter(|(_, weight)| !weight.is_zero()).collect())
}

/// `n` over `k`
fn choose(n: u32, k: u32) -> Rational {
    (0..k)
        .map(|i| Rational::new((n - i).into(), (k - i).into()))
        .product()
}

/// `x^a`, in the units of the points
fn power(kernel: &Kernel, x: &[i64], a: &[u32]) -> Rational {
    let powers = x.iter().zip(a).map(|(x, a)| BigInt::from(*x).pow(*a));
    Rational::new(
        powers.product(),
        BigInt::one() << (kernel.bits * a.iter().sum::<u32>()),
    )
}
