//! bms22, Algorithm 3, **repaired**: learning with a kernel, by features drawn without the data and Algorithm 2. It
//! ships as `kernel`.
//!
//! Private: (epsilon, delta) under substitution of one record, on all data, if [`algorithm_4::is_enough`] says so for
//! `m` points of the projected dimension in steps of `1/radius` (`bms22.thm4_2.corrected`); for all features, and every
//! map and radius.
//!
//! Where it departs from the printed lines:
//! - line 2: the number of frequencies is given: `4 m ln(8m/beta)` are enough (`bms22.thm4_2.corrected`);
//! - lines 1 and 3: frequencies are on a grid, by an exact law (`bms22.rff.laws`); of a polynomial kernel the features
//!   are its monomials with their weights, and nothing is drawn (`bms22.poly.kernel`);
//! - line 4: features are integers, of a norm that is at most the public radius (`bms22.thm4_1.norm`).
//!
//! [`algorithm_4::is_enough`]: super::algorithm_4::is_enough

use super::algorithm_2::{self, Matrix};
use super::algorithm_4::Public;
use crate::Error;
use crate::coins::{Coins, Law};
use crate::data::Points;
use crate::number::{Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// Which features stand for the kernel.
#[derive(Debug, Clone)]
pub enum Features {
    /// Of a shift-invariant kernel with `K(x, x) = 1`: cosine and sine of each frequency.
    Fourier {
        /// `omega_1, ..., omega_D`, drawn without the data: see [`frequencies`].
        omega: Vec<Vec<BigInt>>,
        /// An angle is `<omega, x>/unit`: the steps of the frequencies to 1 times those of the points.
        unit: BigInt,
        /// How many steps of the features are 1.
        one: i64,
    },
    /// Of the kernel `(<x, x'> + c)^degree`: all monomials.
    Polynomial {
        /// The degree, at least 1.
        degree: u32,
        /// `c >= 0`, in squared steps of the points.
        offset: u64,
        /// A step of the features is `2^coarser` steps of the points to the power of the degree.
        coarser: u32,
    },
}

/// Returns what Algorithm 2 returns: the direction of `w` is that of the predictor `x -> <w, psi(x)>`.
///
/// `s`: `true` stands for `y = +1`; there are at least two records. `map`, `radius` and `public` as in Algorithm 2,
/// `map` for vectors as long as the features.
pub fn learn(
    s: &Points<bool>,
    features: &Features,
    map: &Matrix,
    radius: i64,
    public: &Public,
    coins: &mut impl Coins,
) -> Result<(Vec<Vec<BigInt>>, usize, Vec<BigInt>), Error> {
    // 1., 2., 3. The frequencies are there. (To draw until they suit the data would not be private.)

    // 4. S_psi: the features of each record, made from it alone, and of a norm that is at most `one`.
    let (one, dimension) = space(features, s.one(), s.dimension())?;
    let s_psi = s.iter().map(|(x, y)| (psi(x, features), *y)).collect();
    let s_psi = Points::new(one, dimension, s_psi)?; // they are in the ball

    // 5. w, by Algorithm 2 on S_psi.
    // 6. return the predictor x -> <w, psi(x)>.
    algorithm_2::learn(&s_psi, map, radius, public, coins)
}

/// 3. `count` frequencies of dimension `d`, with independent coordinates of the law `p`, in steps of their grid.
pub fn frequencies(
    (count, d): (usize, usize),
    p: &impl Law<Outcome = BigInt>,
    coins: &mut impl Coins,
) -> Result<Vec<Vec<BigInt>>, Error> {
    let mut omega = vec![vec![BigInt::ZERO; d]; count];
    for coordinate in omega.iter_mut().flatten() {
        *coordinate = coins.draw(p)?;
    }
    Ok(omega)
}

/// The features of a point; of norm at most the radius of [`space`], whatever the point of the ball.
pub fn psi(x: &[i64], features: &Features) -> Vec<i64> {
    match features {
        Features::Fourier { omega, unit, one } => fourier(x, omega, unit, *one),
        Features::Polynomial {
            degree,
            offset,
            coarser,
        } => exponents(x.len(), *degree, *offset)
            .iter()
            .map(|k| monomial(x, k, *degree, *offset) / (BigInt::one() << *coarser))
            .map(|feature| feature.to_i64().unwrap_or(0))
            .collect(),
    }
}

/// Where the features of points of dimension `d` in steps of `1/one` are: how many steps the radius has, and their
/// dimension.
pub fn space(features: &Features, one: i64, d: usize) -> Result<(i64, usize), Error> {
    match features {
        Features::Fourier { omega, unit, one } if unit.is_positive() => Ok((*one, 2 * omega.len())),
        Features::Polynomial {
            degree,
            offset,
            coarser,
        } if one > 0 => {
            // |psi(x)|^2 = (|x|^2 + c)^degree; the root is rounded up to a step.
            let squared: BigInt = (BigInt::from(one).pow(2) + offset).pow(*degree) - 1;
            let radius: BigInt = (squared.sqrt() >> *coarser) + 1;
            let radius = radius.to_i64().ok_or(Error::OutOfRange("the degree"))?;
            Ok((radius, exponents(d, *degree, *offset).len()))
        }
        _ => Err(Error::OutOfRange("the grid")),
    }
}

/// `(1/sqrt(D)) (cos<omega_1, x>, sin<omega_1, x>, ..., cos<omega_D, x>, sin<omega_D, x>)`, each towards zero: a pair
/// is no longer than `one/sqrt(D)`. Beyond an angle of `2^64` it is 0.
fn fourier(x: &[i64], omega: &[Vec<BigInt>], unit: &BigInt, one: i64) -> Vec<i64> {
    let length = (BigInt::from(one) * one / omega.len().max(1)).sqrt(); // rounded down
    let scaled = |value: Result<Enclosure, Error>| -> i64 {
        let value = value.map(|value| value * Enclosure::integer(length.clone(), BITS));
        value.map_or(0, |value| towards_zero(&value))
    };
    let pair = |omega: &Vec<BigInt>| {
        let angle: BigInt = omega.iter().zip(x).map(|(omega, x)| omega * x).sum();
        let angle = Enclosure::of(&Rational::new(angle, unit.clone()), BITS);
        [scaled(angle.cos()), scaled(angle.sin())]
    };
    omega.iter().flat_map(pair).collect()
}

/// The end that is nearer to zero, rounded towards zero.
fn towards_zero(value: &Enclosure) -> i64 {
    let (lo, hi) = (value.lower(), value.upper());
    let end = if lo.is_positive() {
        lo.to_integer()
    } else if hi.is_negative() {
        hi.to_integer()
    } else {
        BigInt::ZERO
    };
    end.to_i64().unwrap_or(0)
}

/// The exponents `k_1, ..., k_d` of all monomials of degree at most `p`, or of degree `p` if `c = 0`, the highest
/// first.
fn exponents(d: usize, p: u32, c: u64) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for _ in 0..d {
        let longer = |k: &Vec<u32>| -> Vec<Vec<u32>> {
            let left = p - k.iter().sum::<u32>();
            (0..=left)
                .rev()
                .map(|last| [&k[..], &[last]].concat())
                .collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.retain(|k| c > 0 || k.iter().sum::<u32>() == p);
    all
}

/// `sqrt(p!/(k_0! k_1! ... k_d!) c^(k_0)) x_1^(k_1) ... x_d^(k_d)`, `k_0` what is missing to the degree `p`; towards
/// zero.
fn monomial(x: &[i64], k: &[u32], p: u32, c: u64) -> BigInt {
    let factorial = |n: u32| (1..=n).map(BigInt::from).product::<BigInt>();
    let missing = p - k.iter().sum::<u32>();
    let others: BigInt = k.iter().map(|k| factorial(*k)).product();
    let weight = factorial(p) / factorial(missing) / others * BigInt::from(c).pow(missing);
    let product: BigInt = x
        .iter()
        .zip(k)
        .map(|(x, k)| BigInt::from(*x).pow(*k))
        .product();
    let root = (weight * &product * &product).sqrt();
    if product.is_negative() { -root } else { root }
}

/// The precision of a cosine, in bits.
const BITS: u32 = 128;
