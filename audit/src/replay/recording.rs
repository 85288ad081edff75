//! What a program tells of one run: its output and its draws.

use crate::targets::{Output, Subprocess, TargetError, excerpt};
use dp_assay::number::Rational;
use dp_assay::number::rational::{from_f64, integer};
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
    /// Another one, or no noise: nothing is known of it.
    Other(String),
}

impl fmt::Display for NoiseLaw {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Laplace => "laplace",
            Self::Gaussian => "gaussian",
            Self::DiscreteLaplace => "discrete-laplace",
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
        (*law == NoiseLaw::DiscreteLaplace && !whole)
            .then(|| "the value of discrete-laplace noise is no integer".to_owned())
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
            let Some(Output::Label(law)) = field(draw, "law") else {
                return Err(wrong(draw));
            };
            let Some(Output::Boolean(otherwise_used)) = field(draw, "otherwise_used") else {
                return Err(wrong(draw));
            };
            let number = |name| field(draw, name).and_then(number);
            Ok(Draw {
                law: match law.as_str() {
                    "laplace" => NoiseLaw::Laplace,
                    "gaussian" => NoiseLaw::Gaussian,
                    "discrete-laplace" => NoiseLaw::DiscreteLaplace,
                    other => NoiseLaw::Other(other.to_owned()),
                },
                scale: number("scale"),
                value: number("value"),
                released: number("released"),
                otherwise_used: *otherwise_used,
            })
        });
        Ok(Self {
            output,
            draws: draws.collect::<Result<_, _>>()?,
        })
    }

    /// The first noisy value that does not stand in the output, if there is one: as often as it was made.
    #[must_use]
    pub fn hidden(&self) -> Option<&Rational> {
        let mut shown = Vec::new();
        numbers_of(&self.output, &mut shown);
        self.draws
            .iter()
            .filter_map(|draw| draw.released.as_ref())
            .find(|released| {
                let place = shown.iter().position(|number| number == *released);
                place.map(|place| shown.swap_remove(place)).is_none()
            })
    }
}

fn field<'a>(of: &'a Output, name: &str) -> Option<&'a Output> {
    match of {
        Output::Object(names, values) => values.get(names.iter().position(|other| other == name)?),
        _ => None,
    }
}

/// A finite number, exactly.
fn number(value: &Output) -> Option<Rational> {
    match value {
        Output::Integer(value) => Some(integer(*value)),
        Output::Large(value) => Some(integer((**value).clone())),
        Output::Float(bits) => from_f64(f64::from_bits(*bits)).ok(),
        _ => None,
    }
}

fn numbers_of(value: &Output, numbers: &mut Vec<Rational>) {
    match value.entries() {
        Some(entries) => entries.iter().for_each(|entry| numbers_of(entry, numbers)),
        None => numbers.extend(number(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    #[test]
    fn a_recording_is_read_and_its_hidden_values_are_seen() {
        let told = r#"{"output": [3, "0x1.8p+0"], "draws": [
            {"law": "laplace", "scale": 2, "value": 1, "released": "0x1.8p+0", "otherwise_used": false},
            {"law": "discrete-laplace", "scale": 2, "value": 1, "released": 3, "otherwise_used": false}]}"#;
        let recording = Recording::read(&Output::read(told).unwrap()).unwrap();
        assert_eq!(recording.draws[0].released, Some(ratio(3, 2)));
        assert_eq!(recording.draws[1].fault(), None);
        assert_eq!(recording.hidden(), None);
        let mut hiding = recording.clone();
        hiding.output = Output::Integer(3);
        assert_eq!(hiding.hidden(), Some(&ratio(3, 2)));
        // A value that is made twice must stand there twice.
        let mut twice = recording.clone();
        twice.draws.push(twice.draws[1].clone());
        assert_eq!(twice.hidden(), Some(&integer(3)));
        for wrong in ["3", "{\"output\": 1}", "{\"output\": 1, \"draws\": [3]}"] {
            let error = Recording::read(&Output::read(wrong).unwrap()).unwrap_err();
            assert!(error.contains("recorder"), "{error}");
        }
    }

    #[test]
    fn a_draw_of_which_more_is_known_than_its_noisy_value_has_a_fault() {
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
