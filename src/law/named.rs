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

    /// Whether the law can answer `k`.
    #[must_use]
    pub fn is_possible(&self, k: &BigInt) -> bool {
        self.is_symmetric() || !k.is_negative()
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

    /// A bound from above on the probability of all `k` with `k = residue` modulo `modulus`; `residue < modulus`.
    ///
    /// Of discrete Laplace and geometric noise the probability itself, a sum of two geometric series. Of discrete
    /// Gaussian noise of variance parameter `v` it is, by Poisson's formula on either lattice,
    /// `(1 + 2 sum cos(2 pi j residue / modulus) e^(-a j^2)) / (modulus (1 + 2 sum e^(-a modulus^2 j^2)))` over
    /// `j >= 1`, with `a = 2 pi^2 v / modulus^2`; so at most `(1 + 2 / (e^a - 1)) / modulus`, since `j^2 >= j`. Exact
    /// to many digits where the noise is wide, and useless where it is narrower than the modulus.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn residue_at_most(
        &self,
        residue: u32,
        modulus: u32,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        // So many bits are lost in 1 - e^-x for a small x.
        let narrowest = match self {
            Self::DiscreteLaplace(law) => law.scale().clone(),
            Self::Geometric(law) => law.rate().recip(),
            Self::DiscreteGaussian(law) => law.variance().recip() * BigInt::from(modulus).pow(2),
        };
        let lost = u32::try_from(narrowest.ceil().to_integer().bits()).unwrap_or(u32::MAX);
        let bits = bits.saturating_add(lost).saturating_add(8);
        let one = || Enclosure::integer(1, bits);
        // e^(-rate k)
        let power = |rate: &Rational, k: u32| Enclosure::exp_of(&(-rate * BigInt::from(k)), bits);
        match self {
            Self::DiscreteLaplace(law) => {
                let rate = law.scale().recip();
                let series = power(&rate, residue)? + power(&rate, modulus - residue)?;
                let q = power(&rate, 1)?;
                let of_zero = q.complement().divided_by(&(one() + q))?;
                (of_zero * series).divided_by(&power(&rate, modulus)?.complement())
            }
            Self::Geometric(law) => {
                let of_zero = power(law.rate(), 1)?.complement();
                (of_zero * power(law.rate(), residue)?)
                    .divided_by(&power(law.rate(), modulus)?.complement())
            }
            Self::DiscreteGaussian(law) => {
                let squared = BigInt::from(u64::from(modulus).pow(2));
                let a = Enclosure::pi(bits).squared().shifted(1)
                    * Enclosure::of(&(law.variance() / squared), bits);
                let first = (-a).exp()?;
                let sum = first.divided_by(&first.complement())?;
                (one() + sum.shifted(1)).divided_by(&Enclosure::integer(modulus, bits))
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residue_classes_are_bounded_by_what_they_sum_to() {
        for (name, exact) in [
            ("discrete-laplace scale=3", true),
            ("discrete-laplace scale=1/7", true),
            ("geometric rate=1/4", true),
            ("discrete-gaussian variance=30", true),
            // Narrower than the modulus: a bound, and not the value.
            ("discrete-gaussian variance=1", false),
        ] {
            let law = NamedLaw::read(&[name.to_owned()]).unwrap();
            for modulus in [2, 3, 4, 8] {
                for residue in 0..modulus {
                    let bound = law.residue_at_most(residue, modulus, 128).unwrap();
                    let sum = (-400..=400i64)
                        .filter(|k| k.rem_euclid(modulus.into()) == i64::from(residue))
                        .map(|k| law.pmf(&k.into(), 128).unwrap())
                        .fold(Enclosure::integer(0, 128), |sum, p| sum + p);
                    assert!(bound.upper() >= sum.lower(), "{name} {residue}/{modulus}");
                    let slack = rational::to_f64_for_display(&(bound.upper() - sum.lower()));
                    // The sums leave out less than e^-100; Gaussian noise of variance 30 ripples by 2 e^-9 at 8.
                    let most = if exact { 1e-3 } else { 2.0 };
                    assert!(slack < most, "{name} {residue}/{modulus}: {slack}");
                }
            }
        }
    }
}
