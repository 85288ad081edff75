//! The algorithms of `spec/vectors/algorithms.md`, as the library ships them.

use super::numbers::fraction;
use dp_assay::coins::{Coins, CoinsError, Law};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};
use serde_json::{Value, json};
use std::fmt;

/// An algorithm with one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    UniformBelow,
    Bernoulli,
    BernoulliExp,
    Geometric,
    DiscreteLaplace,
    DiscreteGaussian,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sample {
    Truth(bool),
    Integer(BigInt),
}

impl fmt::Display for Sample {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(value) => write!(formatter, "{value}"),
            Self::Integer(value) => write!(formatter, "{value}"),
        }
    }
}

impl Sample {
    /// As a number: false is 0, true is 1.
    pub fn number(&self) -> BigInt {
        match self {
            Self::Truth(value) => BigInt::from(u8::from(*value)),
            Self::Integer(value) => value.clone(),
        }
    }
}

impl Algorithm {
    pub const ALL: [Self; 6] = [
        Self::UniformBelow,
        Self::Bernoulli,
        Self::BernoulliExp,
        Self::Geometric,
        Self::DiscreteLaplace,
        Self::DiscreteGaussian,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::UniformBelow => "uniform-below",
            Self::Bernoulli => "bernoulli",
            Self::BernoulliExp => "bernoulli-exp",
            Self::Geometric => "geometric",
            Self::DiscreteLaplace => "discrete-laplace",
            Self::DiscreteGaussian => "discrete-gaussian",
        }
    }

    /// The name of its parameter.
    pub fn parameter(self) -> &'static str {
        match self {
            Self::UniformBelow => "n",
            Self::Bernoulli => "p",
            Self::BernoulliExp => "x",
            Self::Geometric => "rate",
            Self::DiscreteLaplace => "scale",
            Self::DiscreteGaussian => "variance",
        }
    }

    /// A value of its parameter as it is written: of `uniform-below` an integer, otherwise a rational.
    pub fn written(self, value: &Rational) -> String {
        match self {
            Self::UniformBelow => value.numer().to_string(),
            _ => fraction(value),
        }
    }

    /// The parameters of a case.
    pub fn parameters(self, value: &Rational) -> Value {
        json!({ self.parameter(): self.written(value) })
    }

    /// The algorithm and its parameter in an id: `discrete-laplace-scale=2/1`.
    pub fn id(self, value: &Rational) -> String {
        format!(
            "{}-{}={}",
            self.name(),
            self.parameter(),
            self.written(value)
        )
    }

    /// The shipped sampler with this parameter.
    ///
    /// # Errors
    /// That of a parameter which is refused when the law is made; others are refused by the first draw.
    pub fn sampler(self, value: &Rational) -> Result<Sampler, CoinsError> {
        let value = value.clone();
        Ok(match self {
            Self::UniformBelow => Sampler::UniformBelow(value.numer().magnitude().clone()),
            Self::Bernoulli => Sampler::Bernoulli(value),
            Self::BernoulliExp => Sampler::BernoulliExp(value),
            Self::Geometric => Sampler::Geometric(Geometric::new(value)?),
            Self::DiscreteLaplace => Sampler::DiscreteLaplace(DiscreteLaplace::new(value)?),
            Self::DiscreteGaussian => Sampler::DiscreteGaussian(DiscreteGaussian::new(value)?),
        })
    }
}

/// A shipped sampler.
#[derive(Debug, Clone)]
pub enum Sampler {
    UniformBelow(BigUint),
    Bernoulli(Rational),
    BernoulliExp(Rational),
    Geometric(Geometric),
    DiscreteLaplace(DiscreteLaplace),
    DiscreteGaussian(DiscreteGaussian),
}

impl Sampler {
    pub fn draw(&self, coins: &mut impl Coins) -> Result<Sample, CoinsError> {
        Ok(match self {
            Self::UniformBelow(n) => Sample::Integer(coins.uniform_below(n)?.into()),
            Self::Bernoulli(p) => Sample::Truth(coins.bernoulli(p)?),
            Self::BernoulliExp(x) => Sample::Truth(coins.bernoulli_exp(x)?),
            Self::Geometric(law) => Sample::Integer(coins.draw(law)?.into()),
            Self::DiscreteLaplace(law) => Sample::Integer(coins.draw(law)?),
            Self::DiscreteGaussian(law) => Sample::Integer(coins.draw(law)?),
        })
    }

    /// The probability of a sample.
    pub fn pmf(&self, sample: &Sample, bits: u32) -> Result<Enclosure, NumberError> {
        let of_truth = |truth: Enclosure| match sample {
            Sample::Truth(true) => truth,
            _ => truth.complement(),
        };
        let k = sample.number();
        match self {
            Self::UniformBelow(n) => {
                let n = BigInt::from(n.clone());
                Ok(Enclosure::of(&Rational::new(BigInt::one(), n), bits))
            }
            Self::Bernoulli(p) => Ok(of_truth(Enclosure::of(p, bits))),
            Self::BernoulliExp(x) => Ok(of_truth(Enclosure::exp_of(&-x, bits)?)),
            Self::Geometric(law) => law.pmf(k.magnitude(), bits),
            Self::DiscreteLaplace(law) => law.pmf(&k, bits),
            Self::DiscreteGaussian(law) => law.pmf(&k, bits),
        }
    }

    /// The outcomes, each once, the likely ones first.
    pub fn outcome(&self, index: u64) -> Option<Sample> {
        match self {
            Self::UniformBelow(n) => {
                (BigUint::from(index) < *n).then(|| Sample::Integer(index.into()))
            }
            Self::Bernoulli(_) | Self::BernoulliExp(_) => match index {
                0 => Some(Sample::Truth(true)),
                1 => Some(Sample::Truth(false)),
                _ => None,
            },
            Self::Geometric(law) => law.outcome(index).map(|k| Sample::Integer(k.into())),
            Self::DiscreteLaplace(law) => law.outcome(index).map(Sample::Integer),
            Self::DiscreteGaussian(law) => law.outcome(index).map(Sample::Integer),
        }
    }

    /// How many outcomes there are, if they are few.
    pub fn outcomes(&self) -> Option<u64> {
        match self {
            Self::UniformBelow(n) => n.to_u64(),
            Self::Bernoulli(_) | Self::BernoulliExp(_) => Some(2),
            _ => None,
        }
    }
}
