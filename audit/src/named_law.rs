//! The laws that can be named on the command line.

use dp_assay::coins::{Coins, CoinsError, Law};
use dp_assay::number::{Enclosure, NumberError, Rational, rational};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::{BigInt, Sign};
use num_traits::Signed;
use std::fmt;
use thiserror::Error;

/// The names, for help and for errors.
pub const NAMES: &str =
    "discrete-laplace scale=S, discrete-gaussian variance=V (in squared steps) or geometric rate=R";

/// A text that names no law.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LawError {
    /// The name or its parameter is missing, or is another one.
    #[error("{0}")]
    Name(String),
    /// A parameter that is not a number.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A parameter that the law does not have.
    #[error(transparent)]
    Parameter(#[from] CoinsError),
}

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
    ///
    /// # Errors
    /// [`LawError`], which says what was expected.
    pub fn read(words: &[String]) -> Result<Self, LawError> {
        let words: Vec<&str> = words
            .iter()
            .flat_map(|word| word.split_whitespace())
            .collect();
        let (&name, parameters) = words
            .split_first()
            .ok_or_else(|| LawError::Name(format!("LAW is missing: {NAMES}")))?;
        let expected = match name {
            "discrete-laplace" => "scale",
            "discrete-gaussian" => "variance",
            "geometric" => "rate",
            _ => {
                return Err(LawError::Name(format!("LAW must be {NAMES}, got '{name}'")));
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
            LawError::Name(format!("{name} takes {expected}=NUMBER, got {given}"))
        })?;
        let value = rational::parse(value)?;
        Ok(match name {
            "discrete-laplace" => Self::DiscreteLaplace(DiscreteLaplace::new(value)?),
            "discrete-gaussian" => Self::DiscreteGaussian(DiscreteGaussian::new(value)?),
            _ => Self::Geometric(Geometric::new(value)?),
        })
    }

    /// The law of the same kind whose noise is `factor` times as large.
    ///
    /// # Errors
    /// [`LawError::Parameter`] if the factor is not above 0.
    pub fn scaled(&self, factor: &Rational) -> Result<Self, LawError> {
        Ok(match self {
            Self::DiscreteLaplace(law) => {
                Self::DiscreteLaplace(DiscreteLaplace::new(law.scale() * factor)?)
            }
            Self::DiscreteGaussian(law) => {
                Self::DiscreteGaussian(DiscreteGaussian::new(law.variance() * factor * factor)?)
            }
            Self::Geometric(law) => match factor.is_positive() {
                true => Self::Geometric(Geometric::new(law.rate() / factor)?),
                false => Self::Geometric(Geometric::new(factor.clone())?),
            },
        })
    }

    /// Whether `k` and `-k` are equally likely.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        !matches!(self, Self::Geometric(_))
    }

    /// One draw.
    ///
    /// # Errors
    /// Those of the coins.
    pub fn draw(&self, coins: &mut impl Coins) -> Result<BigInt, CoinsError> {
        match self {
            Self::DiscreteLaplace(law) => coins.draw(law),
            Self::DiscreteGaussian(law) => coins.draw(law),
            Self::Geometric(law) => Ok(coins.draw(law)?.into()),
        }
    }

    /// The probability of `k`.
    ///
    /// # Errors
    /// Those of the real functions.
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
    ///
    /// # Errors
    /// Those of the real functions.
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
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn mean(&self, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            Self::DiscreteLaplace(law) => Ok(Enclosure::of(&law.mean(), bits)),
            Self::DiscreteGaussian(law) => Ok(Enclosure::of(&law.mean(), bits)),
            Self::Geometric(law) => law.mean(bits),
        }
    }

    /// The variance.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn variance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            Self::DiscreteLaplace(law) => law.variance(bits),
            Self::DiscreteGaussian(law) => law.variance_of_law(bits),
            Self::Geometric(law) => law.variance(bits),
        }
    }

    /// The privacy profile as additive noise, if the law is one that is added.
    #[must_use]
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
