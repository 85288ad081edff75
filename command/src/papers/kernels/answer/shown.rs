//! What a session prints.

use super::question::Question;
use super::session::{Accuracy, Reply, Session};
use crate::error::Error;
use crate::options::Format;
use crate::output;
use crate::papers::model::Privacy;
use crate::table::Label;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, to_f64_for_display, to_scientific_above};
use num_traits::One;
use serde_json::{Map, Value, json};

/// What a session prints: in which form, and of what.
pub struct Shown {
    format: Format,
    label: Label,
    // How many units of the label a prediction of 1 is.
    unit: Rational,
    privacy: Privacy,
    queries: String,
    // What the first object says of answers.
    accuracy: Map<String, Value>,
    // How many decimals an answer has.
    decimals: usize,
}

impl Shown {
    /// What is printed of a session with such answers.
    pub fn new(question: &Question, accuracy: &Accuracy, format: Format) -> Self {
        let of = |difference: &Rational| to_f64_for_display(&(difference * &question.unit));
        let (keys, noise) = match accuracy {
            Accuracy::Noise(deviation) => (
                json!({"noise": of(deviation), "error_at_most": null, "error_probability": null}),
                deviation,
            ),
            Accuracy::Error {
                at_most,
                probability,
                scale,
            } => (
                json!({
                    "noise": null, "error_at_most": of(at_most),
                    "error_probability": to_f64_for_display(probability)
                }),
                scale,
            ),
        };
        Self {
            format,
            label: question.label.clone(),
            unit: question.unit.clone(),
            privacy: question.privacy.clone(),
            queries: question.queries.columns(),
            accuracy: keys.as_object().cloned().unwrap_or_default(),
            decimals: decimals(&(noise * &question.unit)),
        }
    }

    /// Says where the session stands, and how it is asked.
    pub fn opening(&self, name: &str, session: &dyn Session, goes_on: bool) -> Result<(), Error> {
        let last = session.last_reply()?;
        if goes_on {
            let left = left_in_words(session);
            output::note(&match session.has_ended() {
                true => format!("the session has ended, and answers nothing more; {left}"),
                false => format!("the session goes on; {left}"),
            });
            if let Some(last) = &last {
                output::note(&format!(
                    "the last answer that was kept was {}",
                    self.in_words(last)
                ));
            }
        }
        output::note(&format!(
            "a query is a line with {}; the end of the input ends the session",
            self.queries
        ));
        let Format::Json = self.format else {
            return Ok(());
        };
        let mut opening = json!({
            "session": name, "privacy": self.privacy, "goes_on": goes_on,
            "last_answer": last.map(|last| self.keys(&last)), "left": left(session),
        });
        if let Some(opening) = opening.as_object_mut() {
            opening.extend(self.accuracy.clone());
        }
        output::print(&format!("{opening}\n"))
    }

    /// Says that a line is refused.
    pub fn refused(&self, line: u64, reason: &str) -> Result<(), Error> {
        output::warn(&format!(
            "line {line} is refused, and costs nothing: {reason}"
        ));
        match self.format {
            Format::Table => Ok(()),
            Format::Json => {
                output::print(&format!("{}\n", json!({"line": line, "refused": reason})))
            }
        }
    }

    /// Prints an answer and what is left.
    pub fn answer(
        &self,
        line: u64,
        reply: &Reply,
        clipped: bool,
        session: &dyn Session,
    ) -> Result<(), Error> {
        output::print(&match self.format {
            Format::Table => {
                let clipped = if clipped {
                    ", for the query clipped"
                } else {
                    ""
                };
                let left = left_in_words(session);
                format!("{}{clipped}; {left}\n", self.in_words(reply))
            }
            Format::Json => {
                let mut object = self.keys(reply);
                object.insert("line".to_owned(), line.into());
                object.insert("clipped".to_owned(), clipped.into());
                object.insert("left".to_owned(), left(session).into());
                format!("{}\n", Value::Object(object))
            }
        })
    }

    /// An answer and where it comes from, in words.
    fn in_words(&self, reply: &Reply) -> String {
        let value = self.value(reply);
        let class = self.class(value);
        let class = class.map_or(String::new(), |class| {
            format!("{} ", output::printable(class))
        });
        let off = reply.off.as_ref().map_or(String::new(), |off| {
            let off = to_scientific_above(&(off * &self.unit), 3);
            format!(", and off by up to {off}")
        });
        let (_, source) = reply.source;
        format!("{class}{value:.*}, {source}{off}", self.decimals)
    }

    /// An answer and where it comes from, as keys.
    fn keys(&self, reply: &Reply) -> Map<String, Value> {
        let value = self.value(reply);
        let off = reply.off.as_ref();
        let off = off.map(|off| to_f64_for_display(&(off * &self.unit)));
        let (news, _) = reply.source;
        let keys = json!({
            "value": value, "class": self.class(value), "from_the_data": news, "off_by_up_to": off
        });
        keys.as_object().cloned().unwrap_or_default()
    }

    fn value(&self, reply: &Reply) -> f64 {
        to_f64_for_display(&match &self.label {
            Label::Classes(_) => reply.value.clone(),
            Label::Interval(column) => {
                let (lo, hi) = (column.scale.lo(), column.scale.hi());
                (lo + hi) / integer(2) + &self.unit * &reply.value
            }
        })
    }

    /// The class that the sign says.
    fn class(&self, value: f64) -> Option<&str> {
        match &self.label {
            Label::Classes(classes) if value > 0.0 => Some(&classes.positive),
            Label::Classes(classes) if value < 0.0 => Some(&classes.negative),
            Label::Classes(_) => Some("undecided"),
            Label::Interval(_) => None,
        }
    }
}

/// So many decimals that the last of them is at most a hundredth of the noise, but no more than 30.
fn decimals(noise: &Rational) -> usize {
    let mut decimals = 0;
    let mut last = Rational::one();
    while &last * integer(100) > *noise && decimals < 30 {
        last /= integer(10);
        decimals += 1;
    }
    decimals
}

fn left(session: &dyn Session) -> Map<String, Value> {
    let left = session.left().into_iter();
    left.map(|(key, _, left)| (key.to_owned(), left.into()))
        .collect()
}

fn left_in_words(session: &dyn Session) -> String {
    let left = session.left();
    let parts = left
        .iter()
        .map(|(_, words, left)| format!("{words} {left}"));
    format!("left: {}", parts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::decimals;
    use dp_assay::number::rational::parse;

    #[test]
    fn an_answer_has_as_many_decimals_as_its_noise_leaves() {
        for (noise, expected) in [
            ("2e4", 0),
            ("100", 0),
            ("99", 1),
            ("1", 2),
            ("0.184", 3),
            ("0.001", 5),
            ("3e-11", 13),
            ("0", 30),
        ] {
            assert_eq!(decimals(&parse(noise).unwrap()), expected, "{noise}");
        }
    }
}
