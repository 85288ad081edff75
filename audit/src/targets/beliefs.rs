//! What targets believe about their own noise, and whether it is so on the data at hand.

use super::refusals::{Refusal, Refusals};
use super::{Batch, Target, TargetError, Trace};
use dp_assay::number::{Rational, rational};
use num_traits::Signed;
use serde_json::Value;

/// The traces of a target, added up: the sensitivity that it declares, the scale of its noise, and how far
/// apart the values were that this noise had to hide.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Beliefs {
    /// The traces that had a sensitivity, a scale and a distance.
    pub traces: u64,
    /// The traces without them, or in which one of them is not a number of at least 0: of at most 64 letters, with an
    /// exponent of at most 1100.
    pub others: u64,
    /// Of the former, those whose distance is above their sensitivity.
    pub exceeded: u64,
    /// The largest distance.
    pub distance: Option<Rational>,
    /// The least and the largest sensitivity that were declared.
    pub sensitivity: Option<(Rational, Rational)>,
    /// The least and the largest scale that were declared.
    pub scale: Option<(Rational, Rational)>,
    /// The trace in which the distance exceeds the sensitivity by most: distance and sensitivity.
    pub worst: Option<(Rational, Rational)>,
    /// The trace with the least noise for its sensitivity: sensitivity and scale.
    pub loosest: Option<(Rational, Rational)>,
}

impl Beliefs {
    /// Takes the traces of a batch into account.
    pub fn hear(&mut self, traces: &[Trace]) {
        for trace in traces {
            let read = |name| trace.said.get(name).and_then(number);
            let (Some(sensitivity), Some(scale), Some(distance)) =
                (read("sensitivity"), read("scale"), read("distance"))
            else {
                self.others += 1;
                continue;
            };
            self.traces += 1;
            if distance > sensitivity {
                self.exceeded += 1;
                let further = |(most, declared): &(Rational, Rational)| {
                    &distance - &sensitivity > most - declared
                };
                if self.worst.as_ref().is_none_or(further) {
                    self.worst = Some((distance.clone(), sensitivity.clone()));
                }
            }
            if self.distance.as_ref().is_none_or(|most| distance > *most) {
                self.distance = Some(distance);
            }
            // As products, since a scale may be 0. Of a sensitivity of 0 there is nothing to hide.
            let looser =
                |(declared, noise): &(Rational, Rational)| &sensitivity * noise > declared * &scale;
            if sensitivity.is_positive() && self.loosest.as_ref().is_none_or(looser) {
                self.loosest = Some((sensitivity.clone(), scale.clone()));
            }
            widen(&mut self.sensitivity, sensitivity);
            widen(&mut self.scale, scale);
        }
    }

    /// The beliefs, unless nothing was said.
    #[must_use]
    pub fn said(self) -> Option<Self> {
        (self.traces > 0 || self.others > 0).then_some(self)
    }

    /// Whether a distance was above the sensitivity that was declared with it.
    #[must_use]
    pub fn violated(&self) -> bool {
        self.exceeded > 0
    }

    /// The sensitivity and the scale of a trace whose quotient is above `epsilon`, if there is one: noise of that scale
    /// hides a value of that sensitivity with pure privacy of no less than their quotient, which Laplace noise has.
    #[must_use]
    pub fn too_little_for(&self, epsilon: &Rational) -> Option<&(Rational, Rational)> {
        let looser = |(sensitivity, scale): &&(Rational, Rational)| *sensitivity > epsilon * scale;
        self.loosest.as_ref().filter(looser)
    }
}

/// A target whose answers are counted, and whose traces are added up, whatever becomes of its outputs.
pub struct Heard<'a> {
    target: &'a mut dyn Target,
    beliefs: Beliefs,
    answers: u64,
    refusals: Refusals,
}

/// The most answers on each dataset for a second look at what may be a refusal.
const LOOK: usize = 128;

impl<'a> Heard<'a> {
    /// Listens to the target from now on.
    pub fn new(target: &'a mut dyn Target) -> Self {
        Self {
            target,
            beliefs: Beliefs::default(),
            answers: 0,
            refusals: Refusals::default(),
        }
    }

    /// Whether the program refuses to answer, from some call on. Where that is not clear, some more answers are asked for on
    /// these datasets.
    ///
    /// # Errors
    /// Those of the target.
    pub fn refusal(&mut self, datasets: &[&Value]) -> Result<Option<Refusal>, TargetError> {
        if self.refusals.found().is_none() && self.refusals.is_suspected() {
            for &data in datasets {
                let mut left = LOOK;
                while left > 0 {
                    let n = left.min(self.at_once(data));
                    let asked = self.sample(data, n)?.outputs.len();
                    left = left.saturating_sub(asked.max(1));
                }
            }
        }
        Ok(self.refusals.found())
    }

    /// The errors that all answers end with, if something else was answered before.
    #[must_use]
    pub fn ends_in_errors(&self) -> Option<Refusal> {
        self.refusals.ends_in_errors()
    }

    /// How many answers there were.
    #[must_use]
    pub fn answers(&self) -> u64 {
        self.answers
    }

    /// What was said, if something was.
    #[must_use]
    pub fn said(self) -> Option<Beliefs> {
        self.beliefs.said()
    }
}

impl Heard<'_> {
    fn hear(&mut self, data: &Value, batch: &Batch) {
        self.beliefs.hear(&batch.traces);
        self.answers += batch.outputs.len() as u64;
        self.refusals.hear(data, &batch.outputs);
    }
}

impl Target for Heard<'_> {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let batch = self.target.sample(data, n)?;
        self.hear(data, &batch);
        Ok(batch)
    }

    fn timed(&mut self, data: &Value) -> Result<(Batch, u64), TargetError> {
        let (batch, time) = self.target.timed(data)?;
        self.hear(data, &batch);
        Ok((batch, time))
    }

    fn at_once(&self, data: &Value) -> usize {
        self.target.at_once(data)
    }

    fn again(&self) -> Result<Box<dyn Target>, String> {
        self.target.again()
    }

    fn finish(&mut self) -> Result<(), TargetError> {
        self.target.finish()
    }
}

/// The fields of a trace that are read.
const FIELDS: [&str; 3] = ["sensitivity", "scale", "distance"];

/// The part of a trace that is kept: the fields that are read, if they may be numbers. A trace may be as long as a line,
/// and an output may have several.
pub(super) fn essence(said: &Value) -> Value {
    let kept = FIELDS.iter().filter_map(|name| {
        let value = match said.get(*name)? {
            Value::Number(number) => Value::Number(number.clone()),
            Value::String(text) if text.len() <= LONGEST => Value::String(text.clone()),
            _ => return None,
        };
        Some(((*name).to_owned(), value))
    });
    Value::Object(kept.collect())
}

/// The longest text of a number that is read.
const LONGEST: usize = 64;
/// The largest exponent, about that of a double: exact sums of larger ones take long.
const LARGEST_EXPONENT: u32 = 1100;

/// An exact number of at least 0.
fn number(value: &Value) -> Option<Rational> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    if text.len() > LONGEST {
        return None;
    }
    let mark = if text.contains(['x', 'X']) {
        ['p', 'P']
    } else {
        ['e', 'E']
    };
    if let Some((_, exponent)) = text.split_once(mark) {
        let exponent: i64 = exponent.trim().parse().ok()?;
        if exponent.unsigned_abs() > u64::from(LARGEST_EXPONENT) {
            return None;
        }
    }
    rational::parse(&text)
        .ok()
        .filter(|value| !value.is_negative())
}

/// Makes an interval hold `value`.
fn widen(interval: &mut Option<(Rational, Rational)>, value: Rational) {
    match interval {
        Some((least, _)) if value < *least => *least = value,
        Some((_, most)) if value > *most => *most = value,
        Some(_) => {}
        None => *interval = Some((value.clone(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio};
    use serde_json::json;

    fn hear(said: &[Value]) -> Beliefs {
        let mut beliefs = Beliefs::default();
        for said in said {
            beliefs.hear(&[Trace {
                line: 1,
                output: 0,
                said: said.clone(),
            }]);
        }
        beliefs
    }

    #[test]
    fn a_distance_above_the_sensitivity_is_found() {
        let beliefs = hear(&[
            json!({"sensitivity": 1, "scale": 2, "distance": 1}),
            json!({"sensitivity": 1, "scale": "1/2", "distance": 1.5}),
            json!({"sensitivity": 4, "scale": 2, "distance": 3}),
        ]);
        assert!(beliefs.violated());
        assert_eq!((beliefs.traces, beliefs.exceeded), (3, 1));
        assert_eq!(beliefs.distance, Some(integer(3)));
        assert_eq!(beliefs.worst, Some((ratio(3, 2), integer(1))));
        assert_eq!(beliefs.sensitivity, Some((integer(1), integer(4))));
        assert_eq!(beliefs.scale, Some((ratio(1, 2), integer(2))));
    }

    #[test]
    fn a_scale_that_is_too_small_for_the_claim_is_found() {
        let beliefs = hear(&[
            json!({"sensitivity": 4, "scale": 4, "distance": 1}),
            json!({"sensitivity": 1, "scale": "1/2", "distance": 1}),
            json!({"sensitivity": 1, "scale": 1, "distance": 1}),
        ]);
        let found = (integer(1), ratio(1, 2));
        assert_eq!(beliefs.too_little_for(&ratio(199, 100)), Some(&found));
        assert_eq!(beliefs.too_little_for(&integer(2)), None);
        // No noise at all.
        let beliefs = hear(&[
            json!({"sensitivity": 4, "scale": 1, "distance": 1}),
            json!({"sensitivity": 1, "scale": 0, "distance": 1}),
        ]);
        let found = (integer(1), integer(0));
        assert_eq!(beliefs.too_little_for(&integer(40)), Some(&found));
        // Nothing to hide, and then something.
        let nothing = json!({"sensitivity": 0, "scale": 0, "distance": 0});
        let beliefs = hear(std::slice::from_ref(&nothing));
        assert_eq!(beliefs.too_little_for(&integer(1)), None);
        let beliefs = hear(&[
            nothing,
            json!({"sensitivity": 3, "scale": 1, "distance": 1}),
        ]);
        assert!(beliefs.too_little_for(&integer(1)).is_some());
    }

    #[test]
    fn of_a_long_trace_only_the_numbers_are_kept() {
        let long = "9".repeat(1 << 20);
        let said = json!({
            "sensitivity": 1, "scale": "1/2", "distance": long, "more": [long], "iteration": 7,
        });
        assert_eq!(essence(&said), json!({"sensitivity": 1, "scale": "1/2"}));
        let said = json!({"sensitivity": 1, "scale": 2.5, "distance": 3});
        assert_eq!(essence(&said), said);
    }

    #[test]
    fn equality_is_no_finding_and_nonsense_is_counted_apart() {
        let beliefs = hear(&[
            json!({"sensitivity": 0.1, "scale": 2, "distance": "1/10"}),
            json!({"sensitivity": 1, "scale": 2}),
            json!({"sensitivity": 1, "scale": 2, "distance": -3}),
            json!({"sensitivity": 1, "scale": 2, "distance": [7]}),
            json!({"sensitivity": 1, "scale": 2, "distance": "far"}),
            json!({"sensitivity": "1e-9999", "scale": 2, "distance": "1e9999"}),
            json!({"sensitivity": "0x1p-1101", "scale": 2, "distance": 1}),
            json!({"sensitivity": "0x1ep-1074", "scale": 2, "distance": 0}),
        ]);
        assert!(!beliefs.violated());
        assert_eq!((beliefs.traces, beliefs.others), (2, 6));
        assert_eq!(hear(&[]).said(), None);
    }
}
