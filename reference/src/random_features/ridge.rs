//! lnsx25, equation (5), **repaired**: ridge regression with noise around it. R2 and R3 are this, and differ in what the
//! noise must hide.
//!
//! Private: if the noise is enough for how far the *exact* minimum moves with one record, by the claim of whoever knows
//! that (`lnsx25.r2`, `lnsx25.r3`), and for what the arithmetic adds on two sides: [`is_enough`].
//!
//! Where it departs from (5) and the lines of Algorithm 1:
//! - the penalty is m lambda, which a removal changes: here a fixed Lambda (`lnsx25.a7`);
//! - c# is the minimum: here a point within a public tolerance of it, by a certificate in integers, and on a grid;
//! - features are real and of norm at most 1, and all coordinates have noise (`lnsx25.alg1.corrected`).

use super::equations::{nearest_or_even, solve};
use crate::Error;
use crate::coins::Coins;
use crate::data::Points;
use crate::number::{Enclosure, Rational, rational::integer};
use crate::privacy::discrete_gaussian;
use crate::sample::{DiscreteGaussian, Noise};
use crate::vector::dot;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// What is public, beside the grid `1/phi_one` and the dimension of the features.
#[derive(Debug, Clone)]
pub struct Public {
    /// Labels are in steps of `1/y_one`.
    pub y_one: i64,
    /// Coefficients are in steps of `1/c_one`.
    pub c_one: i64,
    /// `Lambda > 0`, which depends on no number of records but a public one.
    pub penalty: Rational,
    /// How far from the minimum a guess may be.
    pub tolerance: Rational,
    /// `sigma^2`, in squared steps of the coefficients.
    pub variance: Rational,
}

/// Returns `c^`, in steps of `1/c_one`. `s`: records `(phi, y)`.
///
/// `guess`: what a solver found, and how many of its steps make 1. Any guess will do: one that is not near is not used.
pub fn learn(
    s: &Points<i64>,
    guess: (&[i64], i64),
    public: &Public,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    let noise = DiscreteGaussian::new(public.variance.clone())?;
    // 1. c: within the tolerance of the minimum c* of |Phi c - y|^2 + Lambda |c|^2. The minimum itself always is.
    let c = if is_near(s, guess, public) {
        let value = |&c: &i64| Rational::new(c.into(), guess.1.into());
        guess.0.iter().map(value).collect()
    } else {
        minimum(s, public.y_one, &public.penalty)?
    };
    // 2. On the grid, each coordinate to the nearest.
    let c = c
        .iter()
        .map(|c| nearest_or_even(&(c * BigInt::from(public.c_one))));
    // 3. c^ = c + z, z discrete Gaussian: the one place where the data are read.
    Ok(coins.draw(&noise.around_all(c))?)
}

/// Whether the noise hides a minimum of `d` coordinates that moves by at most `moved`.
///
/// On each of two sides `c` is off by the tolerance and by half a step a coordinate. In steps it moves by an integer
/// vector of squared norm at most `(c_one (moved + 2 tolerance) + sqrt(d))^2`.
pub fn is_enough(
    public: &Public,
    moved: &Rational,
    d: u64,
    (epsilon, delta): (&Rational, &Rational),
) -> Result<bool, Error> {
    if moved.is_negative() || public.tolerance.is_negative() {
        return Err(Error::OutOfRange(
            "the tolerance or how far the minimum moves",
        ));
    }
    let exact = (moved + &public.tolerance * integer(2)) * BigInt::from(public.c_one);
    let steps = exact + root(&integer(d))?;
    let squared = (&steps * &steps).to_integer().max(BigInt::one());
    Ok(discrete_gaussian::delta(&public.variance, &squared, d, epsilon)? <= *delta)
}

/// Whether `|c - c*| <= tolerance`, exactly, for `c` in steps of `1/one`.
///
/// Half the gradient at `c` is `g = Phi^T (Phi c - y) + Lambda c = (Phi^T Phi + Lambda)(c - c*)`, so `|c - c*| <= |g|/Lambda`.
pub fn is_near(s: &Points<i64>, (c, one): (&[i64], i64), public: &Public) -> bool {
    if c.len() != s.dimension() || one < 1 || public.tolerance.is_negative() {
        return false;
    }
    // Phi^T (Phi c - y), in steps of 1/(phi_one^2 one y_one) ...
    let phi_one = BigInt::from(s.one());
    let residuals = s.iter().map(|(phi, y)| {
        let predicted = dot(phi, c) * public.y_one;
        (phi, predicted - &phi_one * *y * one)
    });
    let sums = combination(s.dimension(), residuals);
    // ... and Lambda c, in the same steps.
    let unit = phi_one.pow(2) * public.y_one;
    let g = c
        .iter()
        .zip(sums)
        .map(|(c, sum)| &public.penalty * (&unit * c) + sum);
    let squared: Rational = g.map(|g| &g * &g).sum();
    let most = &public.tolerance * &public.penalty * (unit * one);
    squared <= &most * &most
}

/// `c* = (Phi^T Phi + Lambda)^-1 Phi^T y`, exactly, for labels in steps of `1/y_one`.
pub fn minimum(s: &Points<i64>, y_one: i64, penalty: &Rational) -> Result<Vec<Rational>, Error> {
    if !penalty.is_positive() {
        return Err(Error::OutOfRange("Lambda"));
    }
    // (Phi^T Phi + Lambda phi_one^2) c = Phi^T y phi_one/y_one, with Phi and y in steps.
    let (phi_one, d) = (BigInt::from(s.one()), s.dimension());
    let entry = |i: usize, k: usize| {
        let product = |(phi, _): &(Vec<i64>, i64)| BigInt::from(phi[i]) * phi[k];
        let on_diagonal = if i == k { penalty } else { &Rational::zero() };
        on_diagonal * phi_one.pow(2) + s.iter().map(product).sum::<BigInt>()
    };
    let matrix: Vec<Vec<Rational>> = (0..d)
        .map(|i| (0..d).map(|k| entry(i, k)).collect())
        .collect();
    let labels = s.iter().map(|(phi, y)| (phi, BigInt::from(*y)));
    let right: Vec<Rational> = combination(d, labels)
        .into_iter()
        .map(|sum| Rational::new(sum * &phi_one, y_one.into()))
        .collect();
    solve(&matrix, &right).ok_or(Error::OutOfRange("Lambda")) // positive definite: there is one
}

/// `2 h`, rounded up: `h = 1/(2 sqrt(Lambda))` for `Lambda <= 1` and `1/(1 + Lambda)` above is how far one record moves the
/// minimum at most, if it is removed and its residual at the minimum without it is 1; if it is substituted, two records do
/// (`lnsx25.rls.corrected`).
pub fn two_h(lambda: &Rational) -> Result<Rational, Error> {
    if *lambda > Rational::one() {
        return Ok(integer(2) / (lambda + integer(1)));
    }
    Ok(Enclosure::of(lambda, 128).sqrt()?.lower().recip())
}

/// `sqrt(x)`, rounded up.
pub fn root(x: &Rational) -> Result<Rational, Error> {
    Ok(Enclosure::of(x, 128).sqrt()?.upper())
}

/// `sum of weight phi`, in `d` dimensions.
fn combination<'a>(d: usize, terms: impl Iterator<Item = (&'a Vec<i64>, BigInt)>) -> Vec<BigInt> {
    let mut sums = vec![BigInt::zero(); d];
    for (phi, weight) in terms {
        for (sum, phi) in sums.iter_mut().zip(phi) {
            *sum += &weight * phi;
        }
    }
    sums
}
