//! How plain an event is to a person: of events that show a fault as well, the plainest is told.

use super::event::Event;
use super::features::Feature;
use super::predicate::Predicate;
use crate::targets::Output;

/// What an event speaks of: the less it is, the plainer the event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plainness {
    /// The kind of the output: an exception, null, a text.
    Kind,
    /// One value.
    Value,
    /// A half-line of one number.
    HalfLine,
    /// A length, a name, whether a number is finite.
    Shape,
    /// Something of all numbers together: their sum, its remainder, their squares, the largest.
    Together,
    /// An interval, a remainder, a bit, a letter, a few values.
    Part,
    /// Many values, or a weighted sum.
    Learned,
    /// Several of these.
    Compound,
}

/// What an event is of, for people: an exception is another fault than a number, and a length than what has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Which kind of output comes.
    Kind,
    /// How long the output is, or which names it has.
    Shape,
    /// What the output holds.
    Content,
}

/// So many values are a few.
const FEW: usize = 3;

impl Event {
    /// How plain it is.
    #[must_use]
    pub fn plainness(&self) -> Plainness {
        self.predicate.plainness()
    }

    /// What it is of: that of its plainest part.
    #[must_use]
    pub fn subject(&self) -> Subject {
        self.predicate.subject()
    }
}

impl Predicate {
    fn plainness(&self) -> Plainness {
        match self {
            Self::AtMost { feature, .. } | Self::AtLeast { feature, .. } => {
                match feature.innermost().0 {
                    Feature::Number { .. } | Feature::Offset { .. } => Plainness::HalfLine,
                    Feature::Length => Plainness::Shape,
                    Feature::Sum | Feature::Squares | Feature::Largest => Plainness::Together,
                    Feature::Weighted { .. } => Plainness::Learned,
                    _ => Plainness::Part,
                }
            }
            Self::Between { feature, low, high } => match feature.innermost().0 {
                Feature::Number { .. } | Feature::Offset { .. } if low == high => Plainness::Value,
                Feature::Length if low == high => Plainness::Shape,
                Feature::Weighted { .. } => Plainness::Learned,
                _ => Plainness::Part,
            },
            Self::OneOf { feature, values } => of_values(feature, values.iter()),
            Self::All(parts) | Self::Any(parts) => match &parts[..] {
                [one] => one.plainness(),
                _ => Plainness::Compound,
            },
        }
    }

    fn subject(&self) -> Subject {
        match self {
            Self::AtMost { feature, .. }
            | Self::AtLeast { feature, .. }
            | Self::Between { feature, .. } => match feature.innermost().0 {
                Feature::Length => Subject::Shape,
                _ => Subject::Content,
            },
            Self::OneOf { feature, values } => match of_values(feature, values.iter()) {
                Plainness::Kind => Subject::Kind,
                Plainness::Shape => Subject::Shape,
                _ => Subject::Content,
            },
            Self::All(parts) | Self::Any(parts) => {
                let subjects = || parts.iter().map(Self::subject);
                let one = |wanted| subjects().any(|subject| subject == wanted);
                match () {
                    () if one(Subject::Kind) => Subject::Kind,
                    () if one(Subject::Content) => Subject::Content,
                    () => Subject::Shape,
                }
            }
        }
    }
}

fn of_values<'a>(
    feature: &Feature,
    mut values: impl ExactSizeIterator<Item = &'a Output>,
) -> Plainness {
    let count = values.len();
    match feature.innermost().0 {
        Feature::Kind { .. } | Feature::Error => Plainness::Kind,
        Feature::Has { .. } | Feature::Names => Plainness::Shape,
        Feature::Class { .. } | Feature::Finiteness { .. } => Plainness::Shape,
        Feature::SumResidue { .. } => Plainness::Together,
        Feature::Exact { .. } | Feature::Value { .. } => {
            if values.all(|value| matches!(value, Output::Error(_) | Output::Null)) {
                Plainness::Kind
            } else {
                match count {
                    1 => Plainness::Value,
                    ..=FEW => Plainness::Part,
                    _ => Plainness::Learned,
                }
            }
        }
        _ if count > FEW => Plainness::Learned,
        _ => Plainness::Part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::{Real, Side};

    fn one_of(feature: Feature, values: &[Output]) -> Predicate {
        let values = values.iter().cloned().collect();
        Predicate::OneOf { feature, values }
    }

    fn at_most(feature: Feature) -> Predicate {
        let bound = Real::new(1.0);
        Predicate::AtMost { feature, bound }
    }

    #[test]
    fn the_kind_is_plainest_and_several_parts_are_least_plain() {
        let at = None;
        let numbers = [1, 2, 3, 4, 5].map(Output::Integer);
        let kind = one_of(Feature::Kind { at }, &[Output::Label("null".into())]);
        let exact = |values: &[Output]| one_of(Feature::Exact { at }, values);
        let number = at_most(Feature::Number { at });
        let rising = [
            kind.clone(),
            exact(&numbers[..1]),
            number.clone(),
            at_most(Feature::Length),
            at_most(Feature::Squares),
            exact(&numbers[..2]),
            exact(&numbers),
            number.or(kind),
        ];
        let plain = rising.map(|predicate| predicate.plainness());
        assert!(plain.is_sorted() && plain.windows(2).all(|two| two[0] < two[1]));
    }

    #[test]
    fn an_exception_is_another_subject_than_a_number_and_a_length() {
        let subject = |predicate| {
            let likelier = Side::First;
            Event {
                likelier,
                predicate,
            }
            .subject()
        };
        let at = None;
        let error = one_of(Feature::Exact { at }, &[Output::Error("x".into())]);
        assert_eq!(subject(error.clone()), Subject::Kind);
        assert_eq!(subject(at_most(Feature::Length)), Subject::Shape);
        assert_eq!(subject(at_most(Feature::Squares)), Subject::Content);
        assert_eq!(subject(at_most(Feature::Length).or(error)), Subject::Kind);
    }
}
