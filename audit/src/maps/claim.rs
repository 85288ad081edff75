//! What is claimed of a stable transformation, and what one pair says of it.

use super::distance::{Distance, Length, Measure, MetricError};
use crate::pairs::Pair;
use crate::targets::Output;
use dp_assay::number::Rational;
use num_traits::One;
use serde_json::Value;
use std::fmt;

/// How far outputs may be apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// So many times as far as the datasets.
    Factor(Rational),
    /// So far, if the datasets are at distance 1 or less.
    Neighbours(Rational),
}

/// A claim of stability.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stability {
    /// How datasets are measured.
    pub input: Measure,
    /// How outputs are measured.
    pub output: Measure,
    /// How far outputs may be apart.
    pub bound: Bound,
}

impl fmt::Display for Stability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (input, output) = (self.input.metric, self.output.metric);
        match &self.bound {
            Bound::Factor(factor) => write!(
                formatter,
                "the {output} distance of two outputs is at most {factor} times the {input} distance of the datasets"
            ),
            Bound::Neighbours(most) => write!(
                formatter,
                "the {output} distance of two outputs is at most {most} where the {input} distance of the datasets is at most 1"
            ),
        }
    }
}

impl Stability {
    /// How far the outputs on two datasets at this distance may be apart; `None` if the claim says nothing of them.
    #[must_use]
    pub fn allowed(&self, input: &Length) -> Option<Length> {
        match &self.bound {
            Bound::Factor(factor) => Some(input.times(factor)),
            Bound::Neighbours(most) => {
                (*input.square() <= Rational::one()).then(|| Length::of(most))
            }
        }
    }

    /// The distance of the datasets of a pair, and how far their outputs may be apart; `None` if the claim says nothing of
    /// them.
    ///
    /// # Errors
    /// [`MetricError`] if the metric of the datasets measures none of them.
    pub fn of_datasets(&self, pair: &Pair) -> Result<Option<(Length, Length)>, MetricError> {
        let Distance::Finite(input) = self.input.between(&read(&pair.0), &read(&pair.1))? else {
            return Ok(None);
        };
        Ok(self.allowed(&input).map(|allowed| (input, allowed)))
    }
}

/// A dataset as a value with distances. An object such as `{"float": "nan"}` is that double; all other texts are texts.
fn read(data: &Value) -> Output {
    match data {
        Value::Null => Output::Null,
        Value::Bool(value) => Output::Boolean(*value),
        Value::String(text) => Output::Label(text.clone()),
        Value::Array(items) => Output::Vector(items.iter().map(read).collect()),
        Value::Object(fields) => double(fields).unwrap_or_else(|| {
            let names = fields.keys().cloned().collect();
            Output::Object(names, fields.values().map(read).collect())
        }),
        Value::Number(number) => {
            let text = number.to_string();
            Output::read(&text).unwrap_or(Output::Label(text))
        }
    }
}

/// The double of an object that has one name, `float`, and under it a text that an output would be read from as a double.
fn double(fields: &serde_json::Map<String, Value>) -> Option<Output> {
    let text = fields.get("float").filter(|_| fields.len() == 1)?;
    let text = Value::from(text.as_str()?).to_string();
    let read = Output::read(&text).ok()?;
    matches!(read, Output::Float(_)).then_some(read)
}

/// A pair, its outputs, and their distances.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The datasets.
    pub pair: Pair,
    /// The output on each.
    pub outputs: [Output; 2],
    /// The distance of the datasets.
    pub input: Length,
    /// How far the outputs may be apart.
    pub allowed: Length,
    /// How far they are.
    pub output: Distance,
}

impl Compared {
    /// Whether the claim is false of this pair.
    #[must_use]
    pub fn violates(&self) -> bool {
        self.output.exceeds(&self.allowed)
    }

    /// Whether this pair uses more of what is allowed than the other one.
    pub(super) fn is_farther_than(&self, other: &Self) -> bool {
        match (&self.output, &other.output) {
            (Distance::Finite(mine), Distance::Finite(theirs)) => {
                mine.square() * other.allowed.square() > theirs.square() * self.allowed.square()
            }
            (mine, _) => matches!(mine, Distance::Infinite(_)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::distance::Metric;
    use serde_json::json;

    #[test]
    fn doubles_in_datasets_are_objects_and_texts_are_texts() {
        assert_eq!(read(&json!({"float": "nan"})), Output::float(f64::NAN));
        assert_eq!(
            read(&json!({"float": "-inf"})),
            Output::float(f64::NEG_INFINITY)
        );
        assert_eq!(read(&json!("nan")), Output::Label("nan".to_owned()));
        assert_eq!(read(&json!(-0.0)), Output::float(-0.0));
        let odd = json!({"float": "nan", "more": [{"float": "x"}]});
        assert_eq!(
            read(&odd).to_string(),
            r#"{"float": "nan", "more": [{"float": "x"}]}"#
        );
    }

    #[test]
    fn a_bound_is_of_neighbours_only() {
        let measure = Measure {
            metric: Metric::Symmetric,
            user: None,
        };
        let stability = |bound| Stability {
            input: measure.clone(),
            output: measure.clone(),
            bound,
        };
        let three = Rational::from_integer(3.into());
        let far = Pair(json!([1]), json!([2]));
        let bound = stability(Bound::Neighbours(three.clone()));
        assert_eq!(bound.of_datasets(&far).unwrap(), None);
        let (input, allowed) = stability(Bound::Factor(three))
            .of_datasets(&far)
            .unwrap()
            .unwrap();
        assert_eq!(
            (input.to_string(), allowed.to_string()),
            ("2".to_owned(), "6".to_owned())
        );
        let near = bound
            .of_datasets(&Pair(json!([1]), json!([])))
            .unwrap()
            .unwrap();
        assert_eq!(near.1.to_string(), "3");
    }
}
