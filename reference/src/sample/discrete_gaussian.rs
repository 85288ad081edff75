//! The discrete Gaussian law.

use super::DiscreteLaplace;
use crate::Error;
use crate::coins::{Coins, Law};
use crate::error::require;
use crate::number::{Dyadic, Enclosure, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed};

/// The discrete Gaussian law on the integers, `Pr[k]` proportional to `exp(-k^2 / (2 variance))`, for a rational parameter
/// `variance > 0` (ledger: `sample.discrete-gaussian`).
///
/// The parameter is that of the formula; the law's own variance is a little smaller. On a grid of step 2^-b it is counted in
/// squared steps. Added to an integer vector query of l2 sensitivity D, one independent draw a coordinate, it is
/// `D^2 / (2 variance)`-zCDP (Canonne, Kamath, Steinke 2020, Theorem 14; `spec/samplers.md`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscreteGaussian {
    variance: Rational,
    // The scale t = floor(sqrt(variance)) + 1 of the proposals, and the proposals.
    t: BigInt,
    proposal: DiscreteLaplace,
}

impl DiscreteGaussian {
    /// The law with this variance parameter (the *square* of the standard deviation parameter).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless `variance > 0`.
    pub fn new(variance: Rational) -> Result<Self, Error> {
        require(
            variance.is_positive(),
            "the variance of a discrete Gaussian law",
        )?;
        // The square root of the integer part has the same integer part.
        let t: BigInt = variance.floor().to_integer().sqrt() + 1;
        Ok(Self {
            proposal: DiscreteLaplace::new(t.clone().into())?,
            t,
            variance,
        })
    }

    /// The variance parameter.
    #[must_use]
    pub fn variance(&self) -> &Rational {
        &self.variance
    }

    /// `Pr[Y >= k]`. Its time grows with the standard deviation.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn upper_tail(&self, k: &BigInt, bits: u32) -> Result<Enclosure, Error> {
        let normaliser = normaliser(&self.variance, bits)?;
        if k.is_positive() {
            return tail(k, &self.variance, bits)?.divided_by(&normaliser);
        }
        // By symmetry Pr[Y < k] = Pr[Y >= 1 - k].
        let below = tail(&(1 - k), &self.variance, bits)?;
        Ok(below.divided_by(&normaliser)?.complement())
    }
}

impl Law for DiscreteGaussian {
    type Outcome = BigInt;

    /// Canonne, Kamath, Steinke 2020, Algorithm 3.
    fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, Error> {
        loop {
            // 1. Y from the discrete Laplace law of scale t.
            let y = coins.draw(&self.proposal)?;
            // 2. Accepted with probability exp(-(|Y| - variance/t)^2 / (2 variance)). With variance = a/b the exponent is
            //    (|Y| b t - a)^2 / (2 a b t^2).
            let (a, b, t) = (self.variance.numer(), self.variance.denom(), &self.t);
            let gap = y.abs() * b * t - a;
            let exponent = Rational::new_raw(&gap * &gap, BigInt::from(2) * a * b * t * t);
            if coins.bernoulli_exp(&exponent)? {
                return Ok(y);
            }
        }
    }

    fn pmf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, Error> {
        let exponent = Rational::from(k * k) / (&self.variance * BigInt::from(2));
        Enclosure::exp_of(&-exponent, bits)?.divided_by(&normaliser(&self.variance, bits)?)
    }
}

/// `sum over all integers k of exp(-k^2 / (2 variance))`: term by term for narrow laws, and otherwise by Poisson's summation
/// formula, `sqrt(2 pi variance) (1 + 2 sum over j >= 1 of exp(-2 pi^2 variance j^2))`.
fn normaliser(variance: &Rational, bits: u32) -> Result<Enclosure, Error> {
    if *variance < Rational::one() {
        let positive = tail(&BigInt::one(), variance, bits)?;
        return Ok(Enclosure::integer(1, bits) + positive.shifted(1));
    }
    let rate = Enclosure::pi(bits + 8).squared().shifted(1) * Enclosure::of(variance, bits + 8);
    let mut ripple = Enclosure::integer(0, bits);
    for j in 1u64.. {
        let term = (-(&rate * Enclosure::integer(j * j, bits))).exp()?;
        if term.hi().magnitude() < -2 * i64::from(bits) {
            // Each term is at most e^-59 times the one before: this one, doubled, bounds the rest.
            ripple = ripple + Enclosure::new(&Dyadic::zero(), &term.hi().shifted(1), bits);
            break;
        }
        ripple = ripple + term;
    }
    let root = (Enclosure::pi(bits).shifted(1) * Enclosure::of(variance, bits)).sqrt()?;
    Ok(root * (Enclosure::integer(1, bits) + ripple.shifted(1)))
}

/// `sum over k >= first of exp(-k^2 / (2 variance))`, for `first >= 0`, term by term, with a geometric bound on what is left.
fn tail(first: &BigInt, variance: &Rational, bits: u32) -> Result<Enclosure, Error> {
    let rate = variance.recip() / BigInt::from(2);
    // Each step of the recurrence loses less than two units in the last place.
    let bits = bits + 32;
    // term = exp(-rate k^2), and step = exp(-rate (2k + 1)) takes it to k + 1.
    let mut term = Enclosure::exp_of(&(-&rate * first * first), bits)?;
    let mut step = Enclosure::exp_of(&(-&rate * (first * BigInt::from(2) + 1)), bits)?;
    let shrink = Enclosure::exp_of(&(-rate * BigInt::from(2)), bits)?;
    let mut sum = Enclosure::integer(0, bits);
    loop {
        sum = sum + &term;
        term = &term * &step;
        step = &step * &shrink;
        // From here on each term is at most `step` times the one before.
        let gap = step.complement();
        let negligible = term.hi().magnitude() < sum.lo().magnitude().saturating_sub(bits.into());
        if negligible && gap.lo().is_positive() {
            // The rest is at most term (1 + step + step^2 + ...).
            let rest = term.divided_by(&gap)?;
            return Ok(Enclosure::new(sum.lo(), &(sum.hi() + rest.hi()), bits - 32));
        }
    }
}
