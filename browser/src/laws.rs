//! The laws that the page offers: the reference's samplers and stated probabilities, and beside each sampler a twin with a mistake that
//! programs have had. A check that cannot fail shows nothing: the reader may run the twin, and sees it refused.

use dp_assay::number::{Rational, rational};
use dp_assay_reference::Error;
use dp_assay_reference::coins::{Coins, Law as _};
use dp_assay_reference::number::Enclosure;
use dp_assay_reference::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::Deserialize;

/// A law by its name and its parameter, as the page has them.
#[derive(Debug, Deserialize)]
pub struct Named {
    law: String,
    parameter: String,
    /// Whether the twin with a mistake is meant.
    #[serde(default)]
    broken: bool,
}

/// A law with its sampler.
pub struct Sampler {
    law: Law,
    broken: bool,
}

enum Law {
    UniformBelow(BigUint),
    Bernoulli(Rational),
    BernoulliExp(Rational),
    Geometric(Geometric),
    DiscreteLaplace(DiscreteLaplace),
    DiscreteGaussian(DiscreteGaussian),
}

impl Named {
    /// The law with its sampler.
    pub fn sampler(&self) -> Result<Sampler, String> {
        let name = self.law.as_str();
        let (least, most) = match name {
            "uniform-below" => ("1", "1000"),
            "bernoulli" => ("0", "1"),
            "bernoulli-exp" => ("0", "20"),
            _ => ("1/1000", "1000000"),
        };
        let refused = || {
            format!(
                "the parameter of {name} is an exact number from {least} to {most}, such as 3/2 or 0.1, got '{}'",
                self.parameter.chars().take(40).collect::<String>()
            )
        };
        let bound = |text| rational::parse(text).map_err(|_| refused());
        // A text of a million digits would take long to be read.
        let is_short = self.parameter.len() <= 40;
        let value = rational::parse(&self.parameter).ok().filter(|_| is_short);
        let value = value.ok_or_else(refused)?;
        if value < bound(least)? || value > bound(most)? {
            return Err(refused());
        }
        let failed = |error: Error| error.to_string();
        let law = match name {
            "uniform-below" => {
                let n = Some(&value).filter(|n| n.is_integer());
                let n = n.and_then(|n| n.to_integer().to_biguint());
                Law::UniformBelow(n.ok_or_else(refused)?)
            }
            "bernoulli" => Law::Bernoulli(value),
            "bernoulli-exp" => Law::BernoulliExp(value),
            "geometric" => Law::Geometric(Geometric::new(value).map_err(failed)?),
            "discrete-laplace" => {
                Law::DiscreteLaplace(DiscreteLaplace::new(value).map_err(failed)?)
            }
            "discrete-gaussian" => {
                Law::DiscreteGaussian(DiscreteGaussian::new(value).map_err(failed)?)
            }
            other => return Err(format!("there is no law '{other}' here")),
        };
        Ok(Sampler {
            law,
            broken: self.broken,
        })
    }
}

impl Sampler {
    /// A draw: by the reference, or by the twin.
    pub fn sample<C: Coins>(&self, coins: &mut C) -> Result<BigInt, Error> {
        let whole = |value: bool| BigInt::from(u8::from(value));
        if self.broken {
            return match &self.law {
                Law::UniformBelow(n) => by_remainder(n, coins),
                Law::Bernoulli(p) => by_a_byte(p, coins).map(whole),
                Law::BernoulliExp(x) => by_three_terms(x, coins).map(whole),
                Law::Geometric(law) => Ok(BigInt::from(coins.draw(law)?) + 1),
                Law::DiscreteLaplace(law) => with_two_zeros(law, coins),
                Law::DiscreteGaussian(law) => without_its_centre(law, coins),
            };
        }
        match &self.law {
            Law::UniformBelow(n) => Ok(coins.uniform_below(n)?.into()),
            Law::Bernoulli(p) => coins.bernoulli(p).map(whole),
            Law::BernoulliExp(x) => coins.bernoulli_exp(x).map(whole),
            Law::Geometric(law) => Ok(coins.draw(law)?.into()),
            Law::DiscreteLaplace(law) => coins.draw(law),
            Law::DiscreteGaussian(law) => coins.draw(law),
        }
    }

    /// The stated probability of an outcome, between two numbers.
    pub fn stated(&self, outcome: &BigInt, bits: u32) -> Result<[Rational; 2], Error> {
        let exactly = |value: Rational| Ok([value.clone(), value]);
        let either = |p: Rational| match outcome.to_u8() {
            Some(0) => Rational::one() - p,
            Some(1) => p,
            _ => Rational::zero(),
        };
        let natural = outcome.to_biguint();
        let value = match (&self.law, natural) {
            (Law::UniformBelow(n), Some(k)) if k < *n => {
                return exactly(Rational::new(BigInt::one(), n.clone().into()));
            }
            (Law::Bernoulli(p), _) => return exactly(either(p.clone())),
            (Law::BernoulliExp(x), Some(k)) => {
                let one = Enclosure::exp_of(&-x, bits)?;
                match k.to_u8() {
                    Some(0) => one.complement(),
                    Some(1) => one,
                    _ => return exactly(Rational::zero()),
                }
            }
            (Law::Geometric(law), Some(k)) => law.pmf(&k, bits)?,
            (Law::DiscreteLaplace(law), _) => law.pmf(outcome, bits)?,
            (Law::DiscreteGaussian(law), _) => law.pmf(outcome, bits)?,
            _ => return exactly(Rational::zero()),
        };
        Ok([value.lower(), value.upper()])
    }

    /// The likeliest outcomes of the stated law, which are compared whether they came or not.
    pub fn likeliest(&self) -> Vec<BigInt> {
        let range = match &self.law {
            Law::UniformBelow(n) => 0..n.to_i64().unwrap_or(i64::MAX).min(8),
            Law::Bernoulli(_) | Law::BernoulliExp(_) => 0..2,
            Law::Geometric(_) => 0..4,
            Law::DiscreteLaplace(_) | Law::DiscreteGaussian(_) => -2..3,
        };
        range.map(BigInt::from).collect()
    }

    /// The mistake of the twin.
    pub fn mistake(&self) -> Option<&'static str> {
        self.broken.then_some(match self.law {
            Law::UniformBelow(_) => "takes the remainder, which favours the small numbers",
            Law::Bernoulli(_) => "compares with the first eight binary digits of p",
            Law::BernoulliExp(_) => "ends its series after three terms",
            Law::Geometric(_) => "counts one too many",
            Law::DiscreteLaplace(_) => {
                "does not reject the negative zero, so that 0 comes too often"
            }
            Law::DiscreteGaussian(_) => "leaves variance / t out of its exponent",
        })
    }
}

/// A uniform integer of as many bits as `n - 1` has, modulo `n`.
fn by_remainder(n: &BigUint, coins: &mut impl Coins) -> Result<BigInt, Error> {
    let width = (n - 1u32).bits().min(64) as u32;
    Ok((BigUint::from(coins.bits(width)?) % n).into())
}

/// Whether a uniform byte is below `256 p`, rounded down.
fn by_a_byte(p: &Rational, coins: &mut impl Coins) -> Result<bool, Error> {
    let below = (p * BigInt::from(256)).floor().to_integer();
    Ok(BigInt::from(coins.bits(8)?) < below)
}

/// The parity of the first false among three draws of Bernoulli(x/k), of a whole exponent `x` the product.
fn by_three_terms(x: &Rational, coins: &mut impl Coins) -> Result<bool, Error> {
    let mut rest = x.clone();
    while rest > Rational::one() {
        if !by_three_terms(&Rational::one(), coins)? {
            return Ok(false);
        }
        rest -= Rational::one();
    }
    let mut k = 1;
    while k <= 3 && coins.bernoulli(&(&rest / BigInt::from(k)))? {
        k += 1;
    }
    Ok(k % 2 == 1)
}

/// Zero with both signs.
fn with_two_zeros(law: &DiscreteLaplace, coins: &mut impl Coins) -> Result<BigInt, Error> {
    let negative = coins.bits(1)? == 1;
    let magnitude = BigInt::from(coins.draw(&Geometric::new(law.scale().recip())?)?);
    Ok(if negative { -magnitude } else { magnitude })
}

/// Proposals accepted with probability `exp(-Y^2 / (2 variance))`.
fn without_its_centre(law: &DiscreteGaussian, coins: &mut impl Coins) -> Result<BigInt, Error> {
    let t: BigInt = law.variance().floor().to_integer().sqrt() + 1;
    let proposal = DiscreteLaplace::new(t.into())?;
    loop {
        let y = coins.draw(&proposal)?;
        let exponent = Rational::from(y.abs() * y.abs()) / (law.variance() * BigInt::from(2));
        if coins.bernoulli_exp(&exponent)? {
            return Ok(y);
        }
    }
}
