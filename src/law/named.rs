//! Laws by name: `discrete-gaussian variance=4`.

use crate::coins::{Coins, CoinsError, Law};
use crate::number::range::{above_zero, require};
use crate::number::{Enclosure, NumberError, OutOfRange, Rational, rational};
use crate::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::{BigInt, Sign};
use num_traits::Signed;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A family of laws with one parameter.
#[derive(Debug)]
pub struct Family {
    /// The name, as in `discrete-laplace`.
    pub name: &'static str,
    /// The name of the parameter, and its symbol in the definition.
    pub parameter: (&'static str, &'static str),
    /// The least and the largest value of the parameter, as decimals: between them every value of the law is computed
    /// and every draw is made in a bounded time.
    pub range: (&'static str, &'static str),
    /// The range in words.
    within: &'static str,
    /// The probabilities.
    pub definition: &'static str,
}

/// All families that have a name.
pub const FAMILIES: [Family; 3] = [
    Family {
        name: "discrete-laplace",
        parameter: ("scale", "S"),
        range: ("1e-6", "1e100"),
        within: "between 1e-6 and 1e100",
        definition: "Pr[k] = (1 - q) / (1 + q) q^|k| with q = e^(-1/S), for all integers k",
    },
    Family {
        name: "discrete-gaussian",
        parameter: ("variance", "V"),
        range: ("1e-6", "1e200"),
        within: "between 1e-6 and 1e200",
        definition: "Pr[k] = e^(-k^2 / (2 V)) / (sum over all integers j of e^(-j^2 / (2 V))), for all integers k",
    },
    Family {
        name: "geometric",
        parameter: ("rate", "R"),
        range: ("1e-100", "1e6"),
        within: "between 1e-100 and 1e6",
        definition: "Pr[k] = (1 - e^-R) e^(-R k), for k = 0, 1, 2, ...",
    },
];

/// The numerator and the denominator of a parameter have at most so many binary digits.
const PARAMETER_BITS: u64 = 1024;

/// What a parameter must be that is not [`is_short_parameter`].
pub const SHORT_PARAMETER: &str = "a fraction of integers below 2^1024";

/// Whether a number is short enough for a parameter: a fraction of integers below 2^1024.
#[must_use]
pub fn is_short_parameter(value: &Rational) -> bool {
    value.numer().bits().max(value.denom().bits()) <= PARAMETER_BITS
}

impl fmt::Display for Family {
    /// The definition in one line.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name, definition, ..
        } = self;
        let (parameter, symbol) = self.parameter;
        write!(formatter, "{name} {parameter}={symbol}: {definition}")
    }
}

/// The definitions of all families, one a line.
#[must_use]
pub fn definitions() -> String {
    FAMILIES.map(|family| family.to_string()).join("\n")
}

/// What a law is written as: `discrete-laplace scale=S, ...`.
#[must_use]
pub fn forms() -> String {
    FAMILIES
        .map(
            |Family {
                 name, parameter, ..
             }| format!("{name} {}={}", parameter.0, parameter.1),
        )
        .join(", ")
}

/// A text that names no law.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LawError {
    /// Another name, or none.
    #[error("a law is one of {}; got '{given}'", forms())]
    Name {
        /// The text as given.
        given: String,
    },
    /// The parameter is missing, or is another one.
    #[error("{law} takes {parameter}=NUMBER, got {given}")]
    Parameter {
        /// The family.
        law: &'static str,
        /// The parameter's name.
        parameter: &'static str,
        /// What was given, in quotes, or `nothing`.
        given: String,
    },
    /// A parameter outside the range in which the law is computed.
    #[error("{law}: {wrong}")]
    Range {
        /// The family.
        law: &'static str,
        /// The parameter, what it must be, and its value.
        wrong: OutOfRange,
    },
    /// A parameter that is not a number.
    #[error("{law}: {parameter}: {wrong}")]
    Number {
        /// The family.
        law: &'static str,
        /// The parameter's name.
        parameter: &'static str,
        /// What is wrong with it.
        wrong: NumberError,
    },
    /// A parameter that the law does not have.
    #[error(transparent)]
    Coins(#[from] CoinsError),
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

impl FromStr for NamedLaw {
    type Err = LawError;

    /// Reads a name and one parameter, as in `geometric rate=1/2`.
    fn from_str(text: &str) -> Result<Self, LawError> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let family = FAMILIES.iter().find(|family| family.name == name);
        let family = family.ok_or_else(|| LawError::Name {
            given: text.to_owned(),
        })?;
        let value = family.value(&words.collect::<Vec<_>>())?;
        Ok(match family.name {
            "discrete-laplace" => Self::DiscreteLaplace(DiscreteLaplace::new(value)?),
            "discrete-gaussian" => Self::DiscreteGaussian(DiscreteGaussian::new(value)?),
            _ => Self::Geometric(Geometric::new(value)?),
        })
    }
}

impl Family {
    /// The parameter's value in the words after the name.
    fn value(&self, words: &[&str]) -> Result<Rational, LawError> {
        let (law, parameter) = (self.name, self.parameter.0);
        let (least, most) = self.range;
        let text = match words {
            [word] => word
                .split_once('=')
                .filter(|(given, _)| *given == parameter)
                .map(|(_, text)| text),
            _ => None,
        };
        let text = text.ok_or_else(|| LawError::Parameter {
            law,
            parameter,
            given: match words {
                [] => "nothing".to_owned(),
                [word] if parameter == "variance" && word.starts_with("sigma=") => {
                    format!("'{word}', whose square it is")
                }
                _ => format!("'{}'", words.join(" ")),
            },
        })?;
        let number = |text| {
            rational::parse(text).map_err(|wrong| LawError::Number {
                law,
                parameter,
                wrong,
            })
        };
        let value = match number(text) {
            Err(LawError::Number {
                wrong: NumberError::ExponentTooLarge { .. },
                ..
            }) => Rational::ZERO,
            value => value?,
        };
        let is_within = value >= number(least)? && value <= number(most)?;
        require(is_within, parameter, &text, self.within)
            .and_then(|()| {
                require(
                    is_short_parameter(&value),
                    parameter,
                    &text,
                    SHORT_PARAMETER,
                )
            })
            .map_err(|wrong| LawError::Range { law, wrong })?;
        Ok(value)
    }
}

impl NamedLaw {
    /// The law of the same kind whose noise is `factor` times as large.
    ///
    /// # Errors
    /// [`CoinsError::Parameter`] if the factor is not above 0.
    pub fn scaled(&self, factor: &Rational) -> Result<Self, CoinsError> {
        above_zero("factor", factor).map_err(|wrong| CoinsError::Parameter {
            law: "scaled noise",
            wrong,
        })?;
        Ok(match self {
            Self::DiscreteLaplace(law) => {
                Self::DiscreteLaplace(DiscreteLaplace::new(law.scale() * factor)?)
            }
            Self::DiscreteGaussian(law) => {
                Self::DiscreteGaussian(DiscreteGaussian::new(law.variance() * factor * factor)?)
            }
            Self::Geometric(law) => Self::Geometric(Geometric::new(law.rate() / factor)?),
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

    /// The probability of at least `k`, without cancellation far above.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn upper_tail(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        match self {
            // By symmetry.
            Self::DiscreteLaplace(law) => law.cdf(&-k, bits),
            Self::DiscreteGaussian(law) => law.upper_tail(k, bits),
            Self::Geometric(law) if k.is_positive() => Enclosure::exp_of(&(-law.rate() * k), bits),
            Self::Geometric(_) => Ok(Enclosure::integer(1, bits)),
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
    use crate::coins::{ChaCha, Explorer, Layer};

    #[test]
    fn a_law_is_written_as_it_is_read_and_its_family_is_defined() {
        for text in [
            "discrete-laplace scale=7/3",
            "discrete-gaussian variance=4",
            "geometric rate=1/2",
        ] {
            let law: NamedLaw = text.parse().unwrap();
            assert_eq!(law.to_string(), text);
            let name = text.split(' ').next().unwrap();
            let lines = definitions();
            let lines = lines.lines().filter(|line| line.starts_with(name));
            assert_eq!(lines.filter(|line| line.contains("Pr[k] = ")).count(), 1);
        }
    }

    #[test]
    fn at_the_ends_of_the_range_the_law_is_computed_and_drawn() {
        for family in &FAMILIES {
            for end in [family.range.0, family.range.1] {
                let text = format!("{} {}={end}", family.name, family.parameter.0);
                let law: NamedLaw = text.parse().unwrap();
                for k in [0, 1] {
                    let (pmf, cdf) = (law.pmf(&k.into(), 64), law.cdf(&k.into(), 64));
                    assert!(pmf.unwrap().lower().is_positive(), "{text}");
                    assert!(cdf.unwrap().lower().is_positive(), "{text}");
                }
                law.draw(&mut ChaCha::reproducible(1, 0)).unwrap();
            }
        }
    }

    #[test]
    fn what_is_no_law_is_refused_by_name() {
        for (text, says) in [
            ("", "a law is one of discrete-laplace scale=S, "),
            ("laplace scale=1", "got 'laplace scale=1'"),
            (
                "geometric scale=2",
                "geometric takes rate=NUMBER, got 'scale=2'",
            ),
            ("geometric", "got nothing"),
            ("geometric rate=x", "'x' is not an exact number"),
            (
                "discrete-gaussian variance=1e-400",
                "discrete-gaussian: variance must be between 1e-6 and 1e200, got 1e-400",
            ),
            ("discrete-gaussian variance=-1", "got -1"),
            ("discrete-laplace scale=1e99999", "got 1e99999"),
            ("geometric rate=1000001", "between 1e-100 and 1e6"),
        ] {
            let error = text.parse::<NamedLaw>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let long = format!("geometric rate=0.{}", "3".repeat(400));
        let error = long.parse::<NamedLaw>().unwrap_err().to_string();
        assert!(error.contains("integers below 2^1024"), "{error}");
    }

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
            let law = name.parse::<NamedLaw>().unwrap();
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

    #[test]
    fn a_law_is_scaled_as_its_noise_is() {
        for (law, scaled) in [
            ("discrete-laplace scale=7/3", "discrete-laplace scale=7"),
            // The variance goes with the square.
            (
                "discrete-gaussian variance=4",
                "discrete-gaussian variance=36",
            ),
            ("geometric rate=1/2", "geometric rate=1/6"),
        ] {
            let law = law.parse::<NamedLaw>().unwrap();
            let found = law.scaled(&rational::integer(3)).unwrap();
            assert_eq!(found.to_string(), scaled);
            assert!(law.scaled(&rational::integer(0)).is_err(), "{law}");
            assert!(law.scaled(&rational::integer(-3)).is_err(), "{law}");
        }
    }

    #[test]
    fn probabilities_say_what_is_symmetric_possible_and_at_most_k() {
        for family in &FAMILIES {
            let text = format!("{} {}=2", family.name, family.parameter.0);
            let law: NamedLaw = text.parse().unwrap();
            let [below, above] = [-1, 1].map(|k| law.pmf(&k.into(), 128).unwrap());
            assert_eq!(law.is_symmetric(), below.meets(&above), "{text}");
            for k in [-1, 0, 1, 2] {
                let pmf = law.pmf(&k.into(), 128).unwrap();
                let occurs = !pmf.hi().is_zero();
                assert_eq!(law.is_possible(&k.into()), occurs, "{text} {k}");
                // And the probability is the step of the distribution function.
                let [before, at] = [k - 1, k].map(|k| law.cdf(&k.into(), 128).unwrap());
                let error = (at - before - pmf).abs();
                assert!(error.upper() < rational::ratio(1, 1 << 60), "{text} {k}");
            }
        }
    }

    /// Every family, with a narrow and a wide law.
    const LAWS: [&str; 6] = [
        "discrete-laplace scale=1/3",
        "discrete-laplace scale=7/2",
        "discrete-gaussian variance=1/3",
        "discrete-gaussian variance=7/2",
        "geometric rate=5/2",
        "geometric rate=2/5",
    ];

    fn sum(values: impl Iterator<Item = Enclosure>) -> Enclosure {
        values.fold(Enclosure::integer(0, 128), |sum, value| sum + value)
    }

    fn are_close(first: &Enclosure, second: &Enclosure) -> bool {
        (first - second).abs().upper() < rational::ratio(1, 1 << 50)
    }

    #[test]
    fn mean_and_variance_are_those_of_the_probabilities() {
        for text in LAWS {
            let law: NamedLaw = text.parse().unwrap();
            let (mean, variance) = (law.mean(128).unwrap(), law.variance(128).unwrap());
            let pmf = |k: i64| law.pmf(&k.into(), 128).unwrap();
            let number = |k: i64| Enclosure::integer(k, 128);
            let first = sum((-300..300).map(|k| number(k) * pmf(k)));
            assert!(are_close(&mean, &first), "{text}: {mean} {first}");
            let second = sum((-300..300).map(|k| (number(k) - &mean).squared() * pmf(k)));
            assert!(are_close(&variance, &second), "{text}: {variance} {second}");
        }
    }

    #[test]
    fn the_profile_of_additive_noise_is_what_the_probabilities_lose() {
        for text in LAWS {
            let law: NamedLaw = text.parse().unwrap();
            for (shift, epsilon) in [(1i64, rational::ratio(1, 4)), (-2, rational::integer(0))] {
                let profile = law.profile(&shift.into(), &epsilon, 128);
                assert_eq!(profile.is_some(), law.is_symmetric(), "{text}");
                let Some(profile) = profile else { continue };
                let factor = Enclosure::exp_of(&epsilon, 128).unwrap();
                let pmf = |k: i64| law.pmf(&k.into(), 128).unwrap();
                let gain = |k: i64| pmf(k) - &factor * pmf(k - shift);
                let zero = Enclosure::integer(0, 128);
                let lost = sum((-300..300).map(|k| gain(k).max(&zero)));
                assert!(are_close(&profile.unwrap(), &lost), "{text} {shift}");
            }
        }
    }

    #[test]
    fn draws_have_the_probabilities() {
        for text in LAWS {
            let law: NamedLaw = text.parse().unwrap();
            let found = Explorer::new(Layer::Laws, 1000)
                .explore(|coins| law.draw(coins))
                .unwrap();
            assert!(found.undecided < rational::ratio(1, 1 << 30), "{text}");
            for k in found.lower.keys() {
                assert!(found.allows(k, &law.pmf(k, 128).unwrap()), "{text} {k}");
            }
        }
    }

    #[test]
    fn a_parameter_has_at_most_so_many_binary_digits() {
        // (2^n + 1) / 2^n, with n + 1 binary digits above and below.
        let parsed = |n: u32| {
            let power = BigInt::from(2).pow(n);
            format!("geometric rate={}/{power}", &power + 1).parse::<NamedLaw>()
        };
        assert!(parsed(1023).is_ok());
        assert!(matches!(parsed(1024), Err(LawError::Range { .. })));
    }

    #[test]
    fn residue_classes_are_as_sharp_where_the_law_is_narrow_or_wide() {
        for family in &FAMILIES {
            for end in [family.range.0, family.range.1] {
                let text = format!("{} {}={end}", family.name, family.parameter.0);
                let law: NamedLaw = text.parse().unwrap();
                let bound = law.residue_at_most(1, 1 << 16, 128).unwrap();
                assert!(bound.has_digits(38), "{text}: {bound}");
            }
        }
    }
}
