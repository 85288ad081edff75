//! The Gamma mechanism on the integer lattice, exactly, in low dimension.
//!
//! On `R^d` noise `b` of density proportional to `exp(-xi |b|)`, with `xi = epsilon / Delta`, makes a query of l2 sensitivity
//! `Delta` (epsilon, 0)-private: the ratio of two densities is at most `exp(xi ||o - q'| - |o - q||) <= exp(xi |q - q'|)`. On
//! the lattice `Z^d` the same noise, with *mass* proportional to `exp(-xi |k|)`, does the same for a query on the lattice: a
//! shift by a lattice vector maps the lattice on itself, so that both laws have one normaliser, and the inequality is the same.
//!
//! A draw is a product of discrete Laplace draws, accepted with a probability of about `0.76^d`: hopeless in many dimensions.

use super::DiscreteLaplace;
use crate::Error;
use crate::coins::{Coins, Law, uniform};
use crate::error::require;
use crate::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::{Signed, ToPrimitive, Zero};

/// Noise on `Z^d` with mass proportional to `exp(-rate |k|)`, `|k|` the l2 norm (ledger: `lnsx25.gamma-lattice`). (epsilon, 0)-private
/// for a query on the lattice of l2 sensitivity `epsilon/rate`, under the relation for which the sensitivity is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GammaNoise {
    rate: Rational,
    dimension: usize,
    // r <= 1/sqrt(d), a rational: the mass is at most exp(-rate r |k|_1).
    share: Rational,
    proposal: DiscreteLaplace,
}

impl GammaNoise {
    /// The noise of this rate, for each step of the lattice.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless `rate > 0` and `dimension` is 1 to 16: beyond, hardly a draw is accepted.
    pub fn new(rate: Rational, dimension: usize) -> Result<Self, Error> {
        require(rate.is_positive(), "the rate of Gamma noise")?;
        require(
            (1..=16).contains(&dimension),
            "the dimension of Gamma noise",
        )?;
        // r = floor(2^20 / sqrt(d)) / 2^20, exact where d is 1, 4 or 16.
        let squared = (1u64 << 40) / dimension as u64;
        let share = Rational::new(squared.isqrt().into(), (1u64 << 20).into());
        let proposal = DiscreteLaplace::new((&rate * &share).recip())?;
        Ok(Self {
            rate,
            dimension,
            share,
            proposal,
        })
    }

    /// The rate.
    #[must_use]
    pub fn rate(&self) -> &Rational {
        &self.rate
    }

    /// The number of coordinates.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// `exp(-rate (sqrt(squared) - less))`, where `sqrt(squared) >= less`: so no enclosure of the difference reaches below 0.
    fn decay(&self, squared: &BigInt, less: &Rational, bits: u32) -> Result<Enclosure, Error> {
        let root = Enclosure::integer(squared.clone(), bits).sqrt()?;
        let zero = Enclosure::integer(0, bits);
        let difference = (root - Enclosure::of(less, bits)).max(&zero);
        (-(Enclosure::of(&self.rate, bits) * difference)).exp()
    }

    /// The sum of all masses, to about 15 digits: a sum over a box, and a bound on the rest.
    ///
    /// With `q = exp(-rate r)` the mass `exp(-rate |k|)` is at most the product of the `q^|k_i|`, so that the rest is at most
    /// `T^d - S^d`, where `T` is the sum of `q^|k|` over all integers and `S` over the side of the box.
    fn normaliser(&self, bits: u32) -> Result<Enclosure, Error> {
        let d = self.dimension as u64;
        // 1. The box |k_i| <= side, such that q^side < e^-36.
        let decay = &self.rate * &self.share;
        let side = (Rational::from_integer(36.into()) / &decay).ceil();
        let side = side.to_integer().to_u64().unwrap_or(u64::MAX);
        // 2. How many points of the box have each squared norm.
        let mut counts = vec![BigUint::from(1u32)];
        for _ in 0..d {
            counts = add_a_coordinate(&counts, side);
        }
        // 3. The sum over the box.
        let mut inside = Enclosure::integer(0, bits);
        for (squared, count) in counts
            .iter()
            .enumerate()
            .filter(|(_, count)| !count.is_zero())
        {
            let count = Enclosure::integer(BigInt::from(count.clone()), bits);
            inside = inside + count * self.decay(&squared.into(), &Rational::zero(), bits)?;
        }
        // 4. The rest: T = (1 + q)/(1 - q) and S = T - 2 q^(side + 1)/(1 - q).
        let q = Enclosure::exp_of(&-&decay, bits)?;
        let miss = q.complement();
        let all = (Enclosure::integer(1, bits) + &q).divided_by(&miss)?;
        let missing = q.power(side + 1).shifted(1).divided_by(&miss)?;
        let rest = all.power(d) - (&all - &missing).power(d);
        Ok(Enclosure::new(inside.lo(), (&inside + &rest).hi(), bits))
    }
}

/// How many points have each squared norm, with one coordinate of -side to side more.
fn add_a_coordinate(counts: &[BigUint], side: u64) -> Vec<BigUint> {
    let mut next = vec![BigUint::zero(); counts.len() + (side * side) as usize];
    for (squared, count) in counts.iter().enumerate() {
        next[squared] += count;
        for k in 1..=side {
            next[squared + (k * k) as usize] += count * 2u32;
        }
    }
    next
}

impl Law for GammaNoise {
    type Outcome = Vec<BigInt>;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<BigInt>, Error> {
        loop {
            // 1. Independent discrete Laplace coordinates: mass proportional to exp(-rate r |k|_1).
            let mut k = Vec::new();
            for _ in 0..self.dimension {
                k.push(coins.draw(&self.proposal)?);
            }
            // 2. Accepted with probability exp(-rate (|k| - r |k|_1)); |k| >= |k|_1 / sqrt(d) >= r |k|_1.
            let squared: BigInt = k.iter().map(|k| k * k).sum();
            let less = &self.share * k.iter().map(Signed::abs).sum::<BigInt>();
            let root = squared.sqrt();
            let accepted = if &root * &root == squared {
                // Where the norm is an integer the exponent is rational.
                coins.bernoulli_exp(&(&self.rate * (Rational::from(root) - less)))?
            } else {
                let probability = |bits| self.decay(&squared, &less, bits);
                uniform::falls_below(coins, probability)?
            };
            if accepted {
                return Ok(k);
            }
        }
    }

    /// Known to about 15 digits, whatever `bits`; slow for small rates in three dimensions and more.
    fn pmf(&self, k: &Vec<BigInt>, bits: u32) -> Result<Enclosure, Error> {
        if k.len() != self.dimension {
            return Ok(Enclosure::integer(0, bits));
        }
        let squared = k.iter().map(|k| k * k).sum();
        self.decay(&squared, &Rational::zero(), bits)?
            .divided_by(&self.normaliser(bits)?)
    }
}
