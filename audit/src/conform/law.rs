//! What a law is written as: `discrete-laplace scale=2`, `laplace scale=1 grid=1/100 rounded=down`.

use super::tabled::Tabled;
use dp_assay::law::named::{LawError, NamedLaw, SHORT_PARAMETER, forms, is_short_parameter};
use dp_assay::law::{Continuous, Rounding};
use dp_assay::number::range::require;
use dp_assay::number::{NumberError, OutOfRange, Rational, rational, shortened};
use num_traits::ToPrimitive;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A law that the outputs of a program may have, less a centre.
#[derive(Debug, Clone)]
pub enum Law {
    /// Of integers.
    Integers(NamedLaw),
    /// Of integers, by a table: `truncated-discrete-laplace scale=S bound=B`, `skellam variance=V`, `sum first=LAW second=LAW` and
    /// `difference first=LAW second=LAW`, with laws of integers written as `geometric:rate:1/2`.
    Tabled(Tabled),
    /// Of the real line: `laplace scale=S`, `gaussian variance=V`, `staircase epsilon=E sensitivity=D gamma=G`, each with
    /// `grid=STEP`, and `rounded=nearest`, `down` or `toward-zero` if outputs are rounded to multiples of it.
    Reals {
        /// The noise before it is rounded.
        noise: Continuous,
        /// Outputs are told apart by the nearest multiple of it, less the centre; or are multiples of it.
        grid: Rational,
        /// How what is released is rounded; `None` if it is not.
        rounded: Option<Rounding>,
    },
}

/// A text that names no law.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WrittenError {
    /// A name that no law has.
    #[error(
        "a law is one of {}, truncated-discrete-laplace scale=S bound=B, skellam variance=V, sum or difference first=LAW second=LAW, or on the real line laplace scale=S grid=STEP, gaussian variance=V grid=STEP, staircase epsilon=E sensitivity=D gamma=G grid=STEP, each also with rounded=nearest, down or toward-zero; got '{given}'",
        forms()
    )]
    Name {
        /// The text as given.
        given: String,
    },
    /// A law of integers whose parameter is wrong.
    #[error(transparent)]
    Integers(LawError),
    /// A law on the real line without one of its parameters, or with a word that is none of them.
    #[error("{law} takes {takes}, got {given}")]
    Parameters {
        /// The law.
        law: &'static str,
        /// Its parameters.
        takes: &'static str,
        /// What is wrong, in words.
        given: String,
    },
    /// A parameter that is no number, or too long.
    #[error("{law}: {parameter}: {wrong}")]
    Number {
        /// The law.
        law: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What is wrong with it.
        wrong: NumberError,
    },
    /// A parameter outside its range.
    #[error("{law}: {wrong}")]
    Range {
        /// The law.
        law: &'static str,
        /// The parameter, what it must be, and its value.
        wrong: OutOfRange,
    },
}

/// The names of the roundings.
const ROUNDINGS: [(&str, Rounding); 3] = [
    ("nearest", Rounding::Nearest),
    ("down", Rounding::Down),
    ("toward-zero", Rounding::TowardZero),
];

impl fmt::Display for Law {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integers(law) => law.fmt(formatter),
            Self::Tabled(law) => law.fmt(formatter),
            Self::Reals {
                noise,
                grid,
                rounded,
            } => {
                write!(formatter, "{noise} grid={grid}")?;
                match ROUNDINGS
                    .iter()
                    .find(|(_, rounding)| Some(*rounding) == *rounded)
                {
                    Some((name, _)) => write!(formatter, " rounded={name}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl From<NamedLaw> for Law {
    fn from(law: NamedLaw) -> Self {
        Self::Integers(law)
    }
}

impl FromStr for Law {
    type Err = WrittenError;

    /// Reads a name and parameters, in any order.
    fn from_str(text: &str) -> Result<Self, WrittenError> {
        let mut words = text.split_whitespace();
        let (law, parameters, takes): (_, &'static [&'static str], _) = match words.next() {
            Some("laplace") => (
                "laplace",
                &["scale", "grid"],
                "scale=S, grid=STEP and perhaps rounded=nearest, down or toward-zero",
            ),
            Some("gaussian") => (
                "gaussian",
                &["variance", "grid"],
                "variance=V, grid=STEP and perhaps rounded=nearest, down or toward-zero",
            ),
            Some("staircase") => (
                "staircase",
                &["epsilon", "sensitivity", "gamma", "grid"],
                "epsilon=E, sensitivity=D, gamma=G, grid=STEP and perhaps rounded=nearest, down or toward-zero",
            ),
            Some("truncated-discrete-laplace") => (
                "truncated-discrete-laplace",
                &["scale", "bound"],
                "scale=S and bound=B",
            ),
            Some("skellam") => ("skellam", &["variance"], "variance=V"),
            Some(name @ ("sum" | "difference")) => (
                if name == "sum" { "sum" } else { "difference" },
                &["first", "second"],
                "first=LAW and second=LAW, each as in geometric:rate:1/2",
            ),
            _ => {
                return match text.parse::<NamedLaw>() {
                    Ok(law) => Ok(Self::Integers(law)),
                    Err(LawError::Name { given }) => Err(WrittenError::Name {
                        given: shortened(&given),
                    }),
                    Err(error) => Err(WrittenError::Integers(error)),
                };
            }
        };
        let given = Given {
            law,
            takes,
            words: words.collect(),
        };
        given.check(parameters)?;
        if let Some(law) = given.tabled()? {
            return Ok(Self::Tabled(law));
        }
        let number = |parameter| given.number(parameter);
        let noise = match law {
            "laplace" => Continuous::laplace(number("scale")?),
            "gaussian" => Continuous::gaussian(number("variance")?),
            _ => {
                Continuous::staircase(number("epsilon")?, number("sensitivity")?, number("gamma")?)
            }
        };
        Ok(Self::Reals {
            noise: noise.map_err(|wrong| WrittenError::Range { law, wrong })?,
            grid: number("grid")?,
            rounded: given.rounding()?,
        })
    }
}

/// The words after the name of a law on the real line.
struct Given<'a> {
    law: &'static str,
    takes: &'static str,
    words: Vec<&'a str>,
}

impl<'a> Given<'a> {
    fn wrong(&self, given: String) -> WrittenError {
        WrittenError::Parameters {
            law: self.law,
            takes: self.takes,
            given,
        }
    }

    /// Each word is a parameter, and none is there twice.
    fn check(&self, parameters: &[&str]) -> Result<(), WrittenError> {
        let mut seen = Vec::new();
        for word in &self.words {
            let name = word.split_once('=').map_or(*word, |(name, _)| name);
            let is_rounding = name == "rounded" && parameters.contains(&"grid");
            let is_one = word.contains('=') && (parameters.contains(&name) || is_rounding);
            if !is_one && name == "sigma" && parameters.contains(&"variance") {
                let word = shortened(word);
                return Err(self.wrong(format!("'{word}', whose square it is")));
            }
            if !is_one {
                return Err(self.wrong(format!("'{}'", shortened(word))));
            }
            if seen.contains(&name) {
                return Err(self.wrong(format!("{name} twice")));
            }
            seen.push(name);
        }
        Ok(())
    }

    fn value(&self, parameter: &str) -> Option<&'a str> {
        let pairs = self.words.iter().filter_map(|word| word.split_once('='));
        pairs
            .into_iter()
            .find(|(name, _)| *name == parameter)
            .map(|(_, value)| value)
    }

    fn number(&self, parameter: &'static str) -> Result<Rational, WrittenError> {
        let text = self
            .value(parameter)
            .ok_or_else(|| self.wrong(format!("no {parameter}")))?;
        let law = self.law;
        let value = rational::parse(text).map_err(|wrong| WrittenError::Number {
            law,
            parameter,
            wrong,
        })?;
        if !is_short_parameter(&value) {
            let wrong = OutOfRange::new(parameter, &shortened(text), SHORT_PARAMETER);
            return Err(WrittenError::Range { law, wrong });
        }
        Ok(value)
    }

    /// A law that is known by a table, if it is one.
    fn tabled(&self) -> Result<Option<Tabled>, WrittenError> {
        let number = |parameter, least: Rational, most: i64, words| {
            let value = self.number(parameter)?;
            let is_within = value >= least && value <= rational::integer(most);
            let text = shortened(self.value(parameter).unwrap_or_default());
            let right = require(is_within, parameter, &text, words);
            right.map_err(|wrong| WrittenError::Range {
                law: self.law,
                wrong,
            })?;
            Ok::<_, WrittenError>(value)
        };
        let least = || rational::ratio(1, 1_000_000);
        Ok(Some(match self.law {
            "truncated-discrete-laplace" => {
                let bound = number("bound", rational::integer(1), 1 << 40, "from 1 to 2^40")?;
                let bound = require(bound.is_integer(), "bound", &bound, "a whole number")
                    .map(|()| bound.to_integer().to_u64().unwrap_or(1))
                    .map_err(|wrong| WrittenError::Range {
                        law: self.law,
                        wrong,
                    })?;
                let scale = number("scale", least(), 1000, "from 1e-6 to 1000")?;
                Tabled::Truncated { scale, bound }
            }
            "skellam" => Tabled::Skellam {
                variance: number("variance", least(), 10_000, "from 1e-6 to 1e4")?,
            },
            "sum" | "difference" => Tabled::Two {
                laws: Box::new([self.one("first")?, self.one("second")?]),
                is_difference: self.law == "difference",
            },
            _ => return Ok(None),
        }))
    }

    /// A law within another one, as in `geometric:rate:1/2`.
    fn one(&self, parameter: &'static str) -> Result<NamedLaw, WrittenError> {
        let text = self
            .value(parameter)
            .ok_or_else(|| self.wrong(format!("no {parameter}")))?;
        let words = text.replacen(':', " ", 1).replacen(':', "=", 1);
        words.parse().map_err(WrittenError::Integers)
    }

    fn rounding(&self) -> Result<Option<Rounding>, WrittenError> {
        let Some(text) = self.value("rounded") else {
            return Ok(None);
        };
        let named = ROUNDINGS.iter().find(|(name, _)| *name == text);
        let (_, rounding) =
            named.ok_or_else(|| self.wrong(format!("'rounded={}'", shortened(text))))?;
        Ok(Some(*rounding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_is_written_as_it_is_read() {
        for text in [
            "discrete-laplace scale=7/3",
            "laplace scale=1 grid=1/100",
            "gaussian variance=4 grid=1 rounded=nearest",
            "laplace scale=1 grid=1 rounded=down",
            "truncated-discrete-laplace scale=2 bound=10",
            "skellam variance=7/2",
            "sum first=discrete-laplace:scale:2 second=discrete-gaussian:variance:9",
            "difference first=geometric:rate:1/2 second=geometric:rate:1/3",
            "staircase epsilon=1 sensitivity=2 gamma=1/3 grid=1/8 rounded=toward-zero",
        ] {
            assert_eq!(text.parse::<Law>().unwrap().to_string(), text);
        }
        let mixed = "laplace  rounded=down grid=0.01 scale=1.5"
            .parse::<Law>()
            .unwrap();
        assert_eq!(
            mixed.to_string(),
            "laplace scale=3/2 grid=1/100 rounded=down"
        );
    }

    #[test]
    fn what_is_no_law_is_refused_by_its_parameter() {
        let long = format!("laplace scale=1 grid=1/{}", "9".repeat(400));
        for (text, says) in [
            (
                "cauchy scale=1",
                "or on the real line laplace scale=S grid=STEP",
            ),
            ("cauchy scale=1", "or toward-zero; got 'cauchy scale=1'"),
            (
                "discrete-laplace scale=nan",
                "discrete-laplace: scale: 'nan' is not an exact number",
            ),
            (
                "discrete-laplace variance=1",
                "takes scale=NUMBER, got 'variance=1'",
            ),
            (
                "laplace scale=1",
                "laplace takes scale=S, grid=STEP and perhaps rounded=nearest, down or toward-zero, got no grid",
            ),
            ("laplace grid=1", "got no scale"),
            ("laplace scale=1 grid=1 scale=2", "got scale twice"),
            ("laplace scale=1 grid=1 deviation=2", "got 'deviation=2'"),
            ("laplace scale=1 grid=1 sigma=2", "got 'sigma=2'"),
            (
                "gaussian sigma=2 grid=1",
                "grid=STEP and perhaps rounded=nearest, down or toward-zero, got 'sigma=2', whose square it is",
            ),
            (
                "discrete-gaussian sigma=2",
                "takes variance=NUMBER, got 'sigma=2', whose square it is",
            ),
            ("skellam scale=1", "skellam takes variance=V, got 'scale=1'"),
            (
                "skellam variance=1e5",
                "skellam: variance must be from 1e-6 to 1e4",
            ),
            ("skellam variance=1 rounded=down", "got 'rounded=down'"),
            (
                "truncated-discrete-laplace scale=1",
                "takes scale=S and bound=B, got no bound",
            ),
            (
                "truncated-discrete-laplace scale=1 bound=3/2",
                "bound must be a whole number",
            ),
            (
                "truncated-discrete-laplace scale=1 bound=0",
                "bound must be from 1 to 2^40",
            ),
            (
                "truncated-discrete-laplace scale=2000 bound=9",
                "scale must be from 1e-6 to 1000",
            ),
            ("difference first=geometric:rate:1", "got no second"),
            (
                "sum first=geometric:rate:1 second=cauchy:scale:1",
                "a law is one of discrete-laplace",
            ),
            ("laplace scale 1", "got 'scale'"),
            ("laplace scale=1 grid=1 rounded=up", "got 'rounded=up'"),
            (
                "laplace scale=x grid=1",
                "laplace: scale: 'x' is not an exact number",
            ),
            (
                "gaussian variance=-1 grid=1",
                "gaussian: variance must be above 0, got -1",
            ),
            (
                "staircase epsilon=1 sensitivity=1 gamma=2 grid=1",
                "staircase: gamma must be",
            ),
            (&long, "a fraction of integers below 2^1024"),
        ] {
            let error = text.parse::<Law>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
