//! What a subject is asked with: its parameters, and the place at which the value is taken.

use super::{Kind, Quantity, Subject, Takes};
use crate::error::Error;
use crate::options::number;
use dp_assay::law::named::{LawError, NamedLaw, SHORT_PARAMETER, is_short_parameter};
use dp_assay::number::{Rational, rational, shortened};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::borrow::Cow;

/// A list has at most so many numbers.
const LONGEST_LIST: usize = 1000;

/// A parameter as it was stated.
#[derive(Debug, Clone)]
enum Stated {
    Numbers(Vec<Rational>),
    Law(Box<NamedLaw>),
    Word(&'static str),
}

/// What a subject is asked with.
#[derive(Debug, Clone)]
pub struct Given {
    /// The subject's name.
    pub subject: &'static str,
    parameters: Vec<(&'static str, Stated)>,
    place: Place,
}

/// The place at which a quantity is taken; what the quantity does not take is not there.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The argument.
    pub at: Option<Rational>,
    /// How far the two laws of a profile are apart.
    pub shift: Option<Rational>,
    /// The epsilon of a guarantee.
    pub epsilon: Option<Rational>,
    /// The delta of a guarantee.
    pub delta: Option<Rational>,
}

impl Given {
    /// Reads the parameters of a subject, `name=value` each.
    ///
    /// # Errors
    /// A parameter that the subject does not have, that is missing, there twice, or out of its range.
    pub fn read(subject: &Subject, words: &[&str]) -> Result<Self, Error> {
        let name = subject.name;
        let mut parameters: Vec<(&'static str, Stated)> = Vec::new();
        for word in words {
            let (key, text) = word.split_once('=').unwrap_or((word, ""));
            let (key, text) = meant(subject, key, text);
            let (key, text) = (key, text.as_ref());
            let found = subject.parameters.iter().find(|known| known.name == key);
            let parameter = found.filter(|_| word.contains('=')).ok_or_else(|| {
                let form = subject.form();
                Error::Usage(match form.is_empty() {
                    true => format!("{name} takes no parameter, got '{}'", shortened(word)),
                    false => format!("{name} takes {form}, got '{}'", shortened(word)),
                })
            })?;
            if parameters.iter().any(|(known, _)| *known == parameter.name) {
                return Err(Error::Usage(format!("{name}: {key} is given twice")));
            }
            let stated = parameter.kind.read(text).map_err(|reason| {
                Error::Usage(format!("{name}: {key} {reason}, got {}", shortened(text)))
            })?;
            parameters.push((parameter.name, stated));
        }
        for parameter in &subject.parameters {
            if parameters.iter().any(|(known, _)| *known == parameter.name) {
                continue;
            }
            let text = parameter.default.ok_or_else(|| {
                let got = match words {
                    [] => "nothing".to_owned(),
                    _ => format!("'{}'", shortened(&words.join(" "))),
                };
                Error::Usage(format!("{name} takes {}, got {got}", subject.form()))
            })?;
            let stated = parameter
                .kind
                .read(text)
                .map_err(|reason| Error::Usage(format!("{name}: {} {reason}", parameter.name)))?;
            parameters.push((parameter.name, stated));
        }
        Ok(Self {
            subject: name,
            parameters,
            place: Place::default(),
        })
    }

    /// The same at another place.
    pub fn at_place(&self, place: Place) -> Self {
        Self {
            place,
            ..self.clone()
        }
    }

    /// The subject as it is written: its name and its parameters.
    pub fn written(&self, subject: &Subject) -> String {
        let mut text = subject.name.to_owned();
        for parameter in &subject.parameters {
            if let Some((name, stated)) = self.parameters.iter().find(|(n, _)| *n == parameter.name)
            {
                let value = match stated {
                    Stated::Law(law) => law.to_string().replace([' ', '='], ":"),
                    Stated::Word(word) => (*word).to_owned(),
                    Stated::Numbers(values) => {
                        let values: Vec<String> = values.iter().map(Rational::to_string).collect();
                        values.join(",")
                    }
                };
                text.push_str(&format!(" {name}={value}"));
            }
        }
        text
    }

    fn stated(&self, name: &str) -> Result<&Stated, Error> {
        let found = self.parameters.iter().find(|(known, _)| *known == name);
        found
            .map(|(_, stated)| stated)
            .ok_or_else(|| Error::Usage(format!("{} needs {name}=VALUE", self.subject)))
    }

    /// A parameter that is one number.
    pub fn number(&self, name: &str) -> Result<&Rational, Error> {
        match self.numbers(name)? {
            [value] => Ok(value),
            _ => Err(Error::Usage(format!("{name} must be one number"))),
        }
    }

    /// A parameter that is a list of numbers.
    pub fn numbers(&self, name: &str) -> Result<&[Rational], Error> {
        match self.stated(name)? {
            Stated::Numbers(values) => Ok(values),
            Stated::Law(_) | Stated::Word(_) => {
                Err(Error::Usage(format!("{name} must be a number")))
            }
        }
    }

    /// A parameter that is a whole number.
    pub fn whole(&self, name: &str) -> Result<u64, Error> {
        let value = self.number(name)?.to_integer().to_u64();
        value.ok_or_else(|| Error::Usage(format!("{name} must be a whole number below 2^64")))
    }

    /// A parameter that is a law.
    pub fn law(&self, name: &str) -> Result<&NamedLaw, Error> {
        match self.stated(name)? {
            Stated::Law(law) => Ok(law),
            Stated::Numbers(_) | Stated::Word(_) => {
                Err(Error::Usage(format!("{name} must be a law")))
            }
        }
    }

    /// A parameter that is one of some words.
    pub fn word(&self, name: &str) -> Result<&'static str, Error> {
        match self.stated(name)? {
            Stated::Word(word) => Ok(word),
            Stated::Numbers(_) | Stated::Law(_) => {
                Err(Error::Usage(format!("{name} must be a word")))
            }
        }
    }

    /// The argument.
    pub fn at(&self) -> Result<&Rational, Error> {
        self.place.at.as_ref().ok_or_else(|| missing("--at"))
    }

    /// The argument, where it is an integer.
    pub fn at_integer(&self) -> Result<BigInt, Error> {
        Ok(self.at()?.to_integer())
    }

    /// How far the two laws are apart.
    pub fn shift(&self) -> Result<&Rational, Error> {
        self.place.shift.as_ref().ok_or_else(|| missing("--shift"))
    }

    /// The epsilon of the guarantee.
    pub fn epsilon(&self) -> Result<&Rational, Error> {
        let epsilon = self.place.epsilon.as_ref();
        epsilon.ok_or_else(|| missing("--epsilon"))
    }

    /// The delta of the guarantee.
    pub fn delta(&self) -> Result<&Rational, Error> {
        self.place.delta.as_ref().ok_or_else(|| missing("--delta"))
    }
}

/// What is meant by a parameter: sigma is the deviation or, where a subject has a variance, its root.
fn meant<'a>(subject: &Subject, key: &'a str, text: &'a str) -> (&'a str, Cow<'a, str>) {
    let has = |name| subject.parameters.iter().any(|known| known.name == name);
    let squared = || Some(rational::parse(text).ok()?.pow(2).to_string());
    match key {
        "sigma" if has("sigma") => (key, text.into()),
        "sigma" if has("deviation") => ("deviation", text.into()),
        "sigma" if has("variance") => ("variance", squared().map_or(text.into(), Cow::from)),
        _ => (key, text.into()),
    }
}

fn missing(option: &str) -> Error {
    Error::Usage(format!("{option} is missing"))
}

impl Kind {
    /// Reads a value, or says what it must be.
    fn read(&self, text: &str) -> Result<Stated, String> {
        match self {
            Self::Number { least, most } => {
                let value = short(text, &format!("must be between {least} and {most}"))?;
                within(&value, least, most)?;
                Ok(Stated::Numbers(vec![value]))
            }
            Self::Whole { least, most } => {
                let words = format!("must be a whole number from {least} to {most}");
                let value = short(text, &words)?;
                let fits = value.is_integer()
                    && value >= rational::integer(*least)
                    && value <= rational::integer(*most);
                if !fits {
                    return Err(words);
                }
                Ok(Stated::Numbers(vec![value]))
            }
            Self::Fraction => {
                let words = "must be above 0 and below 1";
                let value = short(text, words)?;
                if value <= rational::integer(0) || value >= rational::integer(1) {
                    return Err(words.to_owned());
                }
                Ok(Stated::Numbers(vec![value]))
            }
            Self::Delta => {
                let words = "must be at least 0 and below 1";
                let value = short(text, words)?;
                if value < rational::integer(0) || value >= rational::integer(1) {
                    return Err(words.to_owned());
                }
                Ok(Stated::Numbers(vec![value]))
            }
            Self::Numbers { least, most } => {
                let words = format!("must be numbers between {least} and {most}, as in 0,1,5/2");
                let mut values = Vec::new();
                for part in text.split(',') {
                    let value = short(part, &words)?;
                    within(&value, least, most)?;
                    values.push(value);
                    if values.len() > LONGEST_LIST {
                        return Err(format!("must have at most {LONGEST_LIST} numbers"));
                    }
                }
                Ok(Stated::Numbers(values))
            }
            Self::Word(words) => match words.iter().find(|word| **word == text) {
                Some(word) => Ok(Stated::Word(word)),
                None => Err(format!(
                    "must be {}: nothing else is proved",
                    words.join(" or ")
                )),
            },
            Self::Law => {
                let words = text.replacen(':', " ", 1).replacen(':', "=", 1);
                let law = words.parse::<NamedLaw>().map_err(|error| match error {
                    LawError::Name { .. } => "must be a law, as in discrete-laplace:scale:2, \
                        discrete-gaussian:variance:4 or geometric:rate:1/2"
                        .to_owned(),
                    error => format!("must be a law ({})", Error::from(error)),
                })?;
                Ok(Stated::Law(Box::new(law)))
            }
        }
    }
}

/// An exact number that is not too long.
fn short(text: &str, words: &str) -> Result<Rational, String> {
    let value = number(text).map_err(|reason| match rational::parse(text) {
        // A number, but far out of any range.
        Ok(_) | Err(dp_assay::number::NumberError::ExponentTooLarge { .. }) => words.to_owned(),
        Err(_) => reason.replacen("it must", "must", 1),
    })?;
    match is_short_parameter(&value) {
        true => Ok(value),
        false => Err(format!("must be {SHORT_PARAMETER}")),
    }
}

fn within(value: &Rational, least: &str, most: &str) -> Result<(), String> {
    let end = |text: &str| rational::parse(text).map_err(|error| error.to_string());
    match *value >= end(least)? && *value <= end(most)? {
        true => Ok(()),
        false => Err(format!("must be between {least} and {most}")),
    }
}

/// An option's values: one, or a range of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    first: Rational,
    step: Rational,
    count: usize,
}

/// A range has at most so many values.
pub const LONGEST_RANGE: usize = 100_000;

impl Span {
    /// Reads `A`, `A..B` or `A..B..STEP`.
    ///
    /// # Errors
    /// A text that is none of these, an empty range, a range that is too long.
    pub fn read(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split("..").collect();
        let (first, last, step) = match parts[..] {
            [one] => (number(one)?, None, rational::integer(1)),
            [first, last] => (number(first)?, Some(number(last)?), rational::integer(1)),
            [first, last, step] => (number(first)?, Some(number(last)?), number(step)?),
            _ => return Err("a range is A..B or A..B..STEP".to_owned()),
        };
        if step <= rational::integer(0) {
            return Err("the step of a range must be above 0".to_owned());
        }
        let Some(last) = last else {
            return Ok(Self {
                first,
                step,
                count: 1,
            });
        };
        if last < first {
            return Err("the range is empty: it must begin with its smaller end".to_owned());
        }
        let steps = ((last - &first) / &step).floor().to_integer();
        let count = steps.to_usize().map_or(usize::MAX, |n| n.saturating_add(1));
        if count > LONGEST_RANGE {
            return Err(format!(
                "a range has at most {LONGEST_RANGE} values: take a larger step"
            ));
        }
        Ok(Self { first, step, count })
    }

    /// How many values.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The values, from the smallest on.
    fn values(&self) -> impl Iterator<Item = Rational> + '_ {
        (0..self.count).map(|index| &self.first + &self.step * BigInt::from(index))
    }

    fn last(&self) -> Rational {
        &self.first + &self.step * BigInt::from(self.count - 1)
    }
}

/// The options as they were given.
#[derive(Debug, Default)]
pub struct Asked {
    /// `--at`
    pub at: Option<Span>,
    /// `--shift`
    pub shift: Option<Span>,
    /// `--epsilon`
    pub epsilon: Option<Span>,
    /// `--delta`
    pub delta: Option<Span>,
}

impl Asked {
    fn options(&self) -> [(&'static str, Option<&Span>); 4] {
        [
            ("--at", self.at.as_ref()),
            ("--shift", self.shift.as_ref()),
            ("--epsilon", self.epsilon.as_ref()),
            ("--delta", self.delta.as_ref()),
        ]
    }

    /// The places at which this quantity is asked for, in their order; and whether they are a range.
    ///
    /// # Errors
    /// An option that the quantity does not take, one that it needs, a value out of its range, two ranges.
    pub fn places(&self, quantity: &Quantity) -> Result<(Vec<Place>, bool), Error> {
        let name = quantity.name;
        let mut ranges = 0;
        for (option, span) in self.options() {
            let takes = quantity.takes.iter().find(|takes| takes.option() == option);
            match (takes, span) {
                (Some(takes), Some(span)) => {
                    for value in [&span.first, &span.step, &span.last()] {
                        takes.check(value, std::ptr::eq(value, &span.step))?;
                    }
                    ranges += usize::from(span.count > 1);
                }
                (Some(takes), None) => {
                    return Err(Error::Usage(format!(
                        "--quantity {name} needs {}",
                        takes.form()
                    )));
                }
                (None, Some(_)) => {
                    let takes: Vec<&str> =
                        quantity.takes.iter().map(|takes| takes.form()).collect();
                    return Err(Error::Usage(match takes[..] {
                        [] => format!("--quantity {name} takes no {option}: it is one number"),
                        _ => format!(
                            "--quantity {name} takes no {option}, only {}",
                            takes.join(" and ")
                        ),
                    }));
                }
                (None, None) => {}
            }
        }
        if ranges > 1 {
            return Err(Error::Usage(
                "only one option may be a range: give the others one value each".to_owned(),
            ));
        }
        let longest = self.options().into_iter().filter_map(|(_, span)| span);
        let count = longest.map(Span::count).max().unwrap_or(1);
        // A span of one value is repeated along the range.
        let column = |span: &Option<Span>| -> Vec<Option<Rational>> {
            match span {
                None => vec![None; count],
                Some(span) if span.count == count => span.values().map(Some).collect(),
                Some(span) => vec![Some(span.first.clone()); count],
            }
        };
        let (at, shift) = (column(&self.at), column(&self.shift));
        let (epsilon, delta) = (column(&self.epsilon), column(&self.delta));
        let rows = at.into_iter().zip(shift).zip(epsilon).zip(delta);
        let places = rows.map(|(((at, shift), epsilon), delta)| Place {
            at,
            shift,
            epsilon,
            delta,
        });
        Ok((places.collect(), ranges == 1))
    }
}

/// The exponential is computed up to 2^22.
const LARGEST_EPSILON: u32 = 1_000_000;

impl Takes {
    /// Refuses a value that this option cannot have; a step has only to be an integer where values are.
    fn check(self, value: &Rational, is_step: bool) -> Result<(), Error> {
        let shown = || rational::shortly(value);
        let (zero, one) = (rational::integer(0), rational::integer(1));
        let whole = matches!(self, Self::Integer | Self::IntegerShift | Self::Natural);
        if whole && !value.is_integer() {
            let what = if is_step {
                "the step of the range "
            } else {
                ""
            };
            return Err(Error::option(
                self.option(),
                "an integer",
                format!("{what}{value}"),
            ));
        }
        if is_step {
            return Ok(());
        }
        let expected = match self {
            Self::Natural if *value < zero => "at least 0",
            Self::Probability if *value <= zero || *value >= one => "above 0 and below 1",
            Self::Epsilon if *value < zero || *value > rational::integer(LARGEST_EPSILON) => {
                "between 0 and 1000000"
            }
            Self::Delta if *value <= zero || *value >= one => "above 0 and below 1",
            Self::AnyDelta if *value < zero || *value >= one => "at least 0 and below 1",
            _ => return Ok(()),
        };
        Err(Error::option(self.option(), expected, shown()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_its_ends_and_its_step() {
        let span = Span::read("-1..2").unwrap();
        let values: Vec<String> = span.values().map(|value| value.to_string()).collect();
        assert_eq!(values, ["-1", "0", "1", "2"]);
        let span = Span::read("0..1..2/5").unwrap();
        let values: Vec<String> = span.values().map(|value| value.to_string()).collect();
        assert_eq!(values, ["0", "2/5", "4/5"]);
        assert_eq!(Span::read("1..100000").unwrap().count(), 100_000);
        assert_eq!(Span::read("3..3").unwrap().count(), 1);
    }

    #[test]
    fn a_range_that_is_none_is_refused() {
        for (text, expected) in [
            ("2..1", "smaller end"),
            ("0..1..0", "above 0"),
            ("0..1..-1", "above 0"),
            ("0..100000", "at most 100000 values"),
            ("0..1e300", "at most 100000 values"),
            ("1..2..3..4", "A..B..STEP"),
            ("..", "an exact number"),
            ("1..", "an exact number"),
            ("x", "an exact number"),
        ] {
            let message = Span::read(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
