//! The laws that can be named on the command line.

use crate::error::Error;
use dp_assay::coins::{Coins, CoinsError, Law};
use dp_assay::number::{Enclosure, NumberError, Rational, rational};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::{BigInt, Sign};
use std::fmt;

/// The names, for help and for errors.
pub const NAMES: &str =
    "discrete-laplace scale=S, discrete-gaussian variance=V (in squared steps) or geometric rate=R";

/// A law by name.
#[derive(Debug, Clone)]
pub enum NamedLaw {
    /// `discrete-laplace scale=S`.
    DiscreteLaplace(DiscreteLaplace),
    /// `discrete-gaussian variance=V`.
    DiscreteGaussian(DiscreteGaussian),
    /// `geometric rate=R`.
    Geometric(Geometric),
}

impl fmt::Display for NamedLaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DiscreteLaplace(law) => {
                write!(formatter, "discrete-laplace scale={}", law.scale())
            }
            Self::DiscreteGaussian(law) => {
                write!(formatter, "discrete-gaussian variance={}", law.variance())
            }
            Self::Geometric(law) => write!(formatter, "geometric rate={}", law.rate()),
        }
    }
}

impl NamedLaw {
    /// Reads a name and one parameter, in one word or in several.
    pub fn read(words: &[String]) -> Result<Self, Error> {
        let words: Vec<&str> = words
            .iter()
            .flat_map(|word| word.split_whitespace())
            .collect();
        let (&name, parameters) = words
            .split_first()
            .ok_or_else(|| Error::Usage(format!("LAW is missing: {NAMES}")))?;
        let expected = match name {
            "discrete-laplace" => "scale",
            "discrete-gaussian" => "variance",
            "geometric" => "rate",
            _ => {
                return Err(Error::Usage(format!("LAW must be {NAMES}, got '{name}'")));
            }
        };
        let value = match parameters {
            [parameter] => parameter
                .split_once('=')
                .filter(|(given, _)| *given == expected)
                .map(|(_, value)| value),
            _ => None,
        };
        let value = value.ok_or_else(|| {
            let given = if parameters.is_empty() {
                "nothing".to_owned()
            } else {
                format!("'{}'", parameters.join(" "))
            };
            Error::Usage(format!("{name} takes {expected}=NUMBER, got {given}"))
        })?;
        let value = rational::parse(value)?;
        Ok(match name {
            "discrete-laplace" => Self::DiscreteLaplace(DiscreteLaplace::new(value)?),
            "discrete-gaussian" => Self::DiscreteGaussian(DiscreteGaussian::new(value)?),
            _ => Self::Geometric(Geometric::new(value)?),
        })
    }

    /// One draw.
    pub fn draw(&self, coins: &mut impl Coins) -> Result<BigInt, CoinsError> {
        match self {
            Self::DiscreteLaplace(law) => coins.draw(law),
            Self::DiscreteGaussian(law) => coins.draw(law),
            Self::Geometric(law) => Ok(coins.draw(law)?.into()),
        }
    }

    /// The probability of `k`.
    pub fn pmf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            Self::DiscreteLaplace(law) => law.pmf(k, bits),
            Self::DiscreteGaussian(law) => law.pmf(k, bits),
            Self::Geometric(law) => match k.sign() {
                Sign::Minus => Ok(Enclosure::integer(0, bits)),
                _ => law.pmf(k.magnitude(), bits),
            },
        }
    }

    /// The probability of at most `k`.
    pub fn cdf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            Self::DiscreteLaplace(law) => law.cdf(k, bits),
            Self::DiscreteGaussian(law) => law.cdf(k, bits),
            Self::Geometric(law) => match k.sign() {
                Sign::Minus => Ok(Enclosure::integer(0, bits)),
                _ => law.cdf(k.magnitude(), bits),
            },
        }
    }

    /// The mean.
    pub fn mean(&self, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            Self::DiscreteLaplace(law) => Ok(Enclosure::of(&law.mean(), bits)),
            Self::DiscreteGaussian(law) => Ok(Enclosure::of(&law.mean(), bits)),
            Self::Geometric(law) => law.mean(bits),
        }
    }

    /// The variance.
    pub fn variance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            Self::DiscreteLaplace(law) => law.variance(bits),
            Self::DiscreteGaussian(law) => law.variance_of_law(bits),
            Self::Geometric(law) => law.variance(bits),
        }
    }

    /// The privacy profile as additive noise, if the law is one that is added.
    pub fn profile(
        &self,
        shift: &BigInt,
        epsilon: &Rational,
        bits: u32,
    ) -> Option<Result<Enclosure, NumberError>> {
        match self {
            Self::DiscreteLaplace(law) => Some(law.profile(shift, epsilon, bits)),
            Self::DiscreteGaussian(law) => Some(law.profile(shift, epsilon, bits)),
            Self::Geometric(_) => None,
        }
    }
}
