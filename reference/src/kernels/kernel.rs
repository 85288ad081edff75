//! jt13, Section 3: kernels `K(x, z) = <phi(x), phi(z)>` on a ball of a public grid, and sums of feature vectors.
//!
//! A value is an integer, in steps of `2^-48`: exact where the grid of the points allows, and otherwise the nearest. What a
//! step of error costs is counted in `eta` (`jt13.eq3.solver`).

use crate::Error;
use crate::number::rational::{integer, nearest};
use crate::number::{Enclosure, Rational};
use crate::vector::{dot, squared_norm};
use num_bigint::BigInt;
use num_traits::{One, Pow, Zero};

/// A kernel on the ball of a public grid: points are vectors of `d` integers of length at most `radius`. Public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// `K`
    pub shape: Shape,
    /// `d`
    pub d: usize,
    /// A step of the points is `2^-bits`.
    pub bits: u32,
    /// In steps of the points, at least 1.
    pub radius: i64,
}

/// Which kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// `(<x, z> + c)^p`, `c` in squared steps of the points. The linear kernel has `p = 1`, `c = 0`.
    Polynomial {
        /// At least 1.
        p: u32,
        /// At least 0.
        c: i64,
    },
    /// `exp(-|x - z|^2/(2 V))`.
    Gaussian {
        /// `V`, above 0.
        v: Rational,
    },
}

/// `w = sum of mu_i phi(x_i)`, as `w*` and the models `w_t` are: pairs `(mu_i, x_i)`.
pub type Expansion = Vec<(Rational, Vec<i64>)>;

impl Kernel {
    /// `K(x, z)`, in steps of `2^-48`, halves up.
    pub fn value(&self, x: &[i64], z: &[i64]) -> Result<BigInt, Error> {
        match &self.shape {
            Shape::Polynomial { p, c } => Ok(nearest(
                &(self.polynomial(dot(x, z), *p, *c) * steps_to_one()),
            )),
            Shape::Gaussian { v } => {
                let apart: Vec<i64> = x.iter().zip(z).map(|(x, z)| x - z).collect();
                exp_minus(&(self.squared(squared_norm(&apart)) / (v * integer(2))))
            }
        }
    }

    /// `<w, phi(z)> = sum of mu_i K(x_i, z)`. As private as `w` is.
    pub fn predict(&self, w: &Expansion, z: &[i64]) -> Result<Rational, Error> {
        let mut sum = Rational::zero();
        for (mu, x) in w {
            sum += mu * self.value(x, z)?;
        }
        Ok(sum / steps_to_one())
    }

    /// `R^2`, the largest `K(x, x)` of the ball; not of the data.
    pub fn squared_r(&self) -> Rational {
        match &self.shape {
            Shape::Polynomial { p, c } => {
                self.polynomial(BigInt::from(self.radius) * self.radius, *p, *c)
            }
            Shape::Gaussian { .. } => Rational::one(),
        }
    }

    /// By how much a value is off at most: a step, or nothing where all values are multiples of one.
    pub fn error(&self) -> Rational {
        match self.shape {
            Shape::Polynomial { p, .. } if 2 * self.bits * p <= VALUE_BITS => Rational::zero(),
            _ => steps_to_one().recip(),
        }
    }

    /// Refuses a public point, a query, that is not in the ball. (Of private points the type is `Points`.)
    pub fn check(&self, z: &[i64]) -> Result<(), Error> {
        if z.len() == self.d && squared_norm(z) <= BigInt::from(self.radius) * self.radius {
            return Ok(());
        }
        Err(Error::NotAPoint)
    }

    /// `(product + c)^p`, of squared steps.
    fn polynomial(&self, product: BigInt, p: u32, c: i64) -> Rational {
        Pow::pow(self.squared(product + c), p)
    }

    /// What so many squared steps of the points are.
    fn squared(&self, steps: BigInt) -> Rational {
        Rational::new(steps, BigInt::one() << (2 * self.bits))
    }
}

const VALUE_BITS: u32 = 48;

/// `2^48`
fn steps_to_one() -> Rational {
    integer(BigInt::one() << VALUE_BITS)
}

/// `e^-x` to the nearest step, `x >= 0`. For `x > 0` it is irrational, and so never a half: some precision decides.
fn exp_minus(x: &Rational) -> Result<BigInt, Error> {
    if x.is_zero() {
        return Ok(BigInt::one() << VALUE_BITS);
    }
    let mut bits = 64;
    loop {
        let value = Enclosure::exp_of(&-x, bits)?.shifted(VALUE_BITS.into());
        let (low, high) = (nearest(&value.lower()), nearest(&value.upper()));
        if low == high {
            return Ok(low);
        }
        bits *= 2;
    }
}
