//! What a program tells of one run: its output and its draws.

use crate::targets::{Output, OutputKind, Subprocess, TargetError, excerpt};
use dp_assay::number::Rational;
use num_traits::Signed;
use serde_json::Value;
use std::fmt;

/// The most draws of a run.
const MOST_DRAWS: usize = 100_000;

/// A program that records a run, and repeats it on other data with the same noisy values.
pub trait Recorder {
    /// A run, which is kept.
    ///
    /// # Errors
    /// If there is none.
    fn record(&mut self, data: &Value) -> Result<Output, TargetError>;

    /// A run with the noisy values of the one that was kept.
    ///
    /// # Errors
    /// If there is none.
    fn replay(&mut self, data: &Value) -> Result<Output, TargetError>;
}

impl Recorder for Subprocess {
    fn record(&mut self, data: &Value) -> Result<Output, TargetError> {
        self.request("record", data)
    }

    fn replay(&mut self, data: &Value) -> Result<Output, TargetError> {
        self.request("replay", data)
    }
}

/// The law of noise around 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoiseLaw {
    /// Its density is proportional to `exp(-|x| / scale)`.
    Laplace,
    /// To `exp(-x^2 / (2 scale^2))`.
    Gaussian,
    /// On the integers, `P(k)` is proportional to `exp(-|k| / scale)`.
    DiscreteLaplace,
    /// On the integers, `P(k)` is proportional to `exp(-k^2 / (2 scale^2))`.
    DiscreteGaussian,
    /// Another one, or no noise: nothing is known of it.
    Other(String),
}

impl NoiseLaw {
    /// Whether it is a known law on the integers.
    #[must_use]
    pub const fn is_on_integers(&self) -> bool {
        matches!(self, Self::DiscreteLaplace | Self::DiscreteGaussian)
    }
}

impl fmt::Display for NoiseLaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Laplace => "laplace",
            Self::Gaussian => "gaussian",
            Self::DiscreteLaplace => "discrete-laplace",
            Self::DiscreteGaussian => "discrete-gaussian",
            Self::Other(name) => name,
        })
    }
}

/// A draw of noise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// Its law.
    pub law: NoiseLaw,
    /// The scale, above 0 where the law is known.
    pub scale: Option<Rational>,
    /// What the noise was added to.
    pub value: Option<Rational>,
    /// The sum, the noisy value.
    pub released: Option<Rational>,
    /// Whether the noise was also used in another way.
    pub otherwise_used: bool,
}

impl Draw {
    /// Why the noisy value is not all that is known of this draw; `None` if it is.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let law = &self.law;
        if let NoiseLaw::Other(name) = law {
            return Some(format!(
                "a draw is no noise of a known law, but: {}",
                excerpt(name)
            ));
        }
        if self.otherwise_used {
            return Some(format!(
                "the {law} noise is used in another way than added to one value"
            ));
        }
        if self.scale.as_ref().is_none_or(|scale| !scale.is_positive()) {
            return Some(format!(
                "the scale of the {law} noise is not above 0 and finite"
            ));
        }
        if self.value.is_none() || self.released.is_none() {
            return Some(format!("the {law} noise is added to no number"));
        }
        let numbers = [&self.value, &self.released];
        let whole = numbers.into_iter().flatten().all(Rational::is_integer);
        (law.is_on_integers() && !whole).then(|| format!("the value of {law} noise is no integer"))
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// Its output.
    pub output: Output,
    /// Its draws, in their order.
    pub draws: Vec<Draw>,
}

impl Recording {
    /// Reads `{"output": …, "draws": [{"law": …, "scale": …, "value": …, "released": …, "otherwise_used": …}, …]}`.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(told: &Output) -> Result<Self, String> {
        let wrong = |got: &Output| {
            format!(
                "expected {{\"output\": …, \"draws\": […]}}, got: {} (a program that is asked to record its noise needs a recorder, such as audit/targets/python/recorder.py)",
                excerpt(&got.to_string())
            )
        };
        let (Some(output), Some(Output::Vector(draws))) =
            (field(told, "output"), field(told, "draws"))
        else {
            return Err(wrong(told));
        };
        if draws.len() > MOST_DRAWS {
            return Err(format!(
                "expected at most {MOST_DRAWS} draws, got {}",
                draws.len()
            ));
        }
        let output = match output {
            Output::Object(names, values) if names == &["error"] => match &values[..] {
                [Output::Label(text)] => Output::Error(text.clone()),
                _ => output.clone(),
            },
            output => output.clone(),
        };
        let draws = draws.iter().map(|draw| {
            let of_draw = |name: &str, expected: &str| {
                format!(
                    "{name} must be {expected} in each draw, got {}",
                    excerpt(&draw.to_string())
                )
            };
            let Some(Output::Label(law)) = field(draw, "law") else {
                return Err(of_draw("law", "a text"));
            };
            let Some(Output::Boolean(otherwise_used)) = field(draw, "otherwise_used") else {
                return Err(of_draw("otherwise_used", "true or false"));
            };
            let number = |name| match field(draw, name) {
                None | Some(Output::Null) => Ok(None),
                Some(value) => match value.exact_number() {
                    Some(number) => Ok(Some(number)),
                    None if value.kind() == OutputKind::Number => Ok(None),
                    None => Err(of_draw(name, "a number or null")),
                },
            };
            Ok(Draw {
                law: match law.as_str() {
                    "laplace" => NoiseLaw::Laplace,
                    "gaussian" => NoiseLaw::Gaussian,
                    "discrete-laplace" => NoiseLaw::DiscreteLaplace,
                    "discrete-gaussian" => NoiseLaw::DiscreteGaussian,
                    other => NoiseLaw::Other(other.to_owned()),
                },
                scale: number("scale")?,
                value: number("value")?,
                released: number("released")?,
                otherwise_used: *otherwise_used,
            })
        });
        Ok(Self {
            output,
            draws: draws.collect::<Result<_, _>>()?,
        })
    }
}

fn field<'a>(of: &'a Output, name: &str) -> Option<&'a Output> {
    match of {
        Output::Object(names, values) => values.get(names.iter().position(|other| other == name)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio};

    #[test]
    fn a_recording_is_read() {
        let told = r#"{"output": [3, "0x1.8p+0"], "draws": [
            {"law": "laplace", "scale": 2, "value": 1, "released": "0x1.8p+0", "otherwise_used": false},
            {"law": "discrete-laplace", "scale": 2, "value": 1, "released": 3, "otherwise_used": false}]}"#;
        let recording = Recording::read(&Output::read(told).unwrap()).unwrap();
        assert_eq!(recording.draws[0].released, Some(ratio(3, 2)));
        assert_eq!(recording.draws[1].fault(), None);
        for (draw, says) in [
            ("3", "law must be a text in each draw, got 3"),
            (
                r#"{"law": "laplace"}"#,
                "otherwise_used must be true or false",
            ),
            (
                r#"{"law": "laplace", "otherwise_used": false, "scale": "two"}"#,
                "scale must be a number or null in each draw, got",
            ),
        ] {
            let told = format!(r#"{{"output": 1, "draws": [{draw}]}}"#);
            let error = Recording::read(&Output::read(&told).unwrap()).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
        for wrong in ["3", "{\"output\": 1}"] {
            let error = Recording::read(&Output::read(wrong).unwrap()).unwrap_err();
            assert!(error.contains("recorder"), "{error}");
        }
    }

    #[test]
    fn a_draw_has_a_fault_if_more_is_known_than_its_noisy_value() {
        let good = Draw {
            law: NoiseLaw::DiscreteLaplace,
            scale: Some(integer(2)),
            value: Some(integer(1)),
            released: Some(integer(3)),
            otherwise_used: false,
        };
        assert_eq!(good.fault(), None);
        let faulty = [
            Draw {
                otherwise_used: true,
                ..good.clone()
            },
            Draw {
                law: NoiseLaw::Other("choice".to_owned()),
                ..good.clone()
            },
            Draw {
                scale: Some(integer(0)),
                ..good.clone()
            },
            Draw {
                scale: None,
                ..good.clone()
            },
            Draw {
                released: None,
                ..good.clone()
            },
            Draw {
                value: Some(ratio(1, 2)),
                ..good.clone()
            },
        ];
        for draw in faulty {
            assert!(draw.fault().is_some(), "{draw:?}");
        }
    }
}
