//! Certified values: of the real functions, of laws, of statistics and of privacy guarantees.
//!
//! - a [`Subject`] is what can be asked about, and its [`Quantity`]s what can be asked of it. [`subjects`] has all;
//! - [`Given`] is a subject with its parameters, at a [`Place`]; [`Asked`] is what the options say;
//! - a quantity gives an [`Answer`]; [`Value`] is that to so many digits; [`answer`] writes what a [`Question`] asks for;
//! - `functions`, `laws`, `continuous`, `deployed`, `statistics`, `guarantees`, `mechanisms`, `selection`, `losses`, `renyi` and `accounts` are the subjects; `forms` has what most laws have; `root` inverts a
//!   decreasing function, and `second` computes values once more by another arithmetic.

mod accounts;
mod continuous;
mod deployed;
mod forms;
mod functions;
mod given;
mod guarantees;
pub mod laws;
mod losses;
pub mod mechanisms;
mod renyi;
mod root;
mod second;
pub mod selection;
mod statistics;
mod value;
mod written;

pub use given::{Asked, Given, Place, Span};
pub use value::{Answer, Value, Worth};
pub use written::{Format, MOST_DIGITS, Question, answer};

use crate::error::Error;
use dp_assay::number::{NumberError, Rational, rational, shortened};
use dp_assay::privacy::{MOST_LOSSES, PrivacyError};

/// Something that has certified values.
pub struct Subject {
    /// The name.
    pub name: &'static str,
    /// What it is, in one line.
    pub definition: String,
    /// What it needs to be known.
    pub parameters: Vec<Parameter>,
    /// What can be asked of it; the first is the default.
    pub quantities: Vec<Quantity>,
    /// Parameters to try it with.
    pub example: &'static str,
}

/// A parameter of a subject.
pub struct Parameter {
    /// The name, as in `scale`.
    pub name: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Its value where none is given.
    pub default: Option<&'static str>,
}

/// A parameter, and its value where none is given.
const fn parameter(name: &'static str, kind: Kind, default: Option<&'static str>) -> Parameter {
    Parameter {
        name,
        kind,
        default,
    }
}

/// What the epsilon of a mechanism, a step or a budget may be.
const EPSILON: Kind = Kind::Number {
    least: "1e-9",
    most: "1e4",
};

/// What a parameter may be.
pub enum Kind {
    /// A number between two decimals.
    Number {
        least: &'static str,
        most: &'static str,
    },
    /// A whole number.
    Whole { least: u64, most: u64 },
    /// Above 0 and below 1.
    Fraction,
    /// At least 0 and below 1.
    Delta,
    /// A list of numbers, with commas.
    Numbers {
        least: &'static str,
        most: &'static str,
    },
    /// A law with its parameter, as in `discrete-laplace:scale:2`.
    Law,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// A number that a subject has at each place.
pub struct Quantity {
    /// The name, as in `pmf`.
    pub name: &'static str,
    /// What it is, in one line; of a bound it says that it is one.
    pub meaning: &'static str,
    /// How one value is written, with `{at}`, `{shift}`, `{epsilon}` and `{delta}` for the place.
    pub label: &'static str,
    /// How it is computed.
    pub method: &'static str,
    /// The options that say where it is taken.
    pub takes: &'static [Takes],
    /// Options to try it with.
    pub example: &'static str,
    /// The most values in a range: fewer where each takes long.
    pub most: usize,
    /// The value.
    pub answer: Ask,
}

/// What gives a value.
type Ask = fn(&Given) -> Result<Answer<'_>, Error>;

/// An option that says where a quantity is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// `--at`, an integer.
    Integer,
    /// `--at`, an integer that is not negative.
    Natural,
    /// `--at`, a number.
    Number,
    /// `--at`, a probability strictly between 0 and 1.
    Probability,
    /// `--shift`, an integer.
    IntegerShift,
    /// `--shift`, a number.
    Shift,
    /// `--epsilon`.
    Epsilon,
    /// `--delta`, strictly between 0 and 1.
    Delta,
    /// `--delta`, at least 0 and below 1.
    AnyDelta,
}

impl Takes {
    /// The option.
    pub fn option(self) -> &'static str {
        match self {
            Self::Integer | Self::Natural | Self::Number | Self::Probability => "--at",
            Self::IntegerShift | Self::Shift => "--shift",
            Self::Epsilon => "--epsilon",
            Self::Delta | Self::AnyDelta => "--delta",
        }
    }

    /// The option and what stands for its value.
    pub fn form(self) -> &'static str {
        match self {
            Self::Integer | Self::Natural => "--at K",
            Self::Number => "--at X",
            Self::Probability => "--at P",
            Self::IntegerShift | Self::Shift => "--shift D",
            Self::Epsilon => "--epsilon E",
            Self::Delta | Self::AnyDelta => "--delta D",
        }
    }
}

/// How a least epsilon is computed.
const INVERSE: &str =
    "the profile, inverted: an enclosure of it is above delta at one end and below at the other";

/// Values that are computed quickly; ones that take up to about a millisecond at 50 digits; ones that take longer.
const QUICK: usize = given::LONGEST_RANGE;
const SLOW: usize = 10_000;
const SLOWEST: usize = 1_000;

/// All subjects.
pub fn subjects() -> Vec<Subject> {
    let rooms = [
        functions::subjects(),
        laws::subjects(),
        continuous::subjects(),
        deployed::subjects(),
        statistics::subjects(),
        guarantees::subjects(),
        mechanisms::subjects(),
        selection::subjects(),
        losses::subjects(),
        renyi::subjects(),
        accounts::subjects(),
    ];
    rooms.into_iter().flatten().collect()
}

/// The subject of this name.
///
/// # Errors
/// Another name: the nearest is named.
pub fn subject(name: &str) -> Result<Subject, Error> {
    let near = |known: &Subject| strsim::jaro_winkler(name, known.name);
    let mut subjects = subjects();
    // An equal name is the nearest.
    subjects.sort_by(|one, other| near(other).total_cmp(&near(one)));
    let nearest = subjects.swap_remove(0);
    match nearest.name == name {
        true => Ok(nearest),
        false => Err(Error::Usage(format!(
            "no subject is called '{}': the nearest is {}, and 'assay truth --list' has all",
            shortened(name),
            nearest.name
        ))),
    }
}

impl Subject {
    /// The parameters as they are written, `scale=NUMBER`; those with a default in brackets.
    pub fn form(&self) -> String {
        let each = self.parameters.iter().map(|parameter| {
            let value = match parameter.kind {
                Kind::Number { .. } | Kind::Fraction | Kind::Delta => "NUMBER",
                Kind::Whole { .. } => "WHOLE",
                Kind::Numbers { .. } => "NUMBER,...",
                Kind::Law => "LAW",
                Kind::Word(_) => "WORD",
            };
            match parameter.default {
                None => format!("{}={value}", parameter.name),
                Some(_) => format!("[{}={value}]", parameter.name),
            }
        });
        each.collect::<Vec<_>>().join(" ")
    }

    /// The quantity of this name; without a name the first.
    ///
    /// # Errors
    /// A quantity that the subject does not have.
    pub fn quantity(&self, name: Option<&str>) -> Result<&Quantity, Error> {
        let found = match name {
            None => self.quantities.first(),
            Some(name) => self.quantities.iter().find(|known| known.name == name),
        };
        found.ok_or_else(|| {
            let has: Vec<&str> = self.quantities.iter().map(|known| known.name).collect();
            Error::Usage(format!(
                "{} has no {}: it has {}",
                self.name,
                shortened(name.unwrap_or("quantity")),
                has.join(", ")
            ))
        })
    }
}

impl Quantity {
    /// A quantity of this name: what it is, how a value is written, where it is taken, options to try it with, and the value.
    const fn new(
        name: &'static str,
        meaning: &'static str,
        label: &'static str,
        takes: &'static [Takes],
        example: &'static str,
        answer: Ask,
    ) -> Self {
        Self {
            name,
            meaning,
            label,
            method: "",
            takes,
            example,
            most: QUICK,
            answer,
        }
    }

    /// Computed so, with at most so many values in a range.
    const fn by(self, method: &'static str, most: usize) -> Self {
        Self {
            method,
            most,
            ..self
        }
    }

    /// Written so, with these options to try it with.
    const fn written(self, label: &'static str, example: &'static str) -> Self {
        Self {
            label,
            example,
            ..self
        }
    }

    /// How the value at this place is written.
    pub fn label(&self, place: &Place) -> String {
        let mut label = self.label.to_owned();
        let values = [
            ("{at}", &place.at),
            ("{shift}", &place.shift),
            ("{epsilon}", &place.epsilon),
            ("{delta}", &place.delta),
        ];
        for (name, value) in values {
            if let Some(value) = value {
                label = label.replace(name, &rational::shortly(value));
            }
        }
        label
    }
}

/// Refuses sums of so many terms at so many bits that they take more than some seconds.
fn affordable(terms: u64, bits: u32, most: u64) -> Result<(), NumberError> {
    match terms.saturating_mul(bits.into()) <= most {
        true => Ok(()),
        // More bits would take longer still: this error ends the search for digits.
        false => Err(NumberError::TooManyTerms {
            terms: format!("{terms} terms"),
            most: most / u64::from(bits.max(1)),
        }),
    }
}

/// The error of a number in an error of privacy. The others are those of parameters, which were checked.
fn of_number(error: PrivacyError) -> NumberError {
    match error {
        PrivacyError::Number(error) => error,
        // More bits would take longer still: this error ends the search for digits.
        PrivacyError::TooManyLosses { points } => NumberError::TooManyTerms {
            terms: points,
            most: MOST_LOSSES,
        },
        other => NumberError::OutOfDomain {
            function: "the guarantee",
            argument: "these parameters".to_owned(),
            expected: match other {
                PrivacyError::DeltaOutOfReach { .. } => "no epsilon reaches this delta",
                PrivacyError::OutOfRange { .. } => "no value in the range of the search is enough",
                _ => "a parameter is outside its range",
            },
        },
    }
}

/// The error of a delta that no epsilon reaches.
fn no_epsilon(delta: &Rational) -> Error {
    Error::Usage(format!(
        "--delta {}: no epsilon is enough, since losses have no bound, or answers that are possible on one input alone are likelier than that",
        rational::shortly(delta)
    ))
}

/// The error of a profile that a law does not have.
fn no_profile(law: &impl std::fmt::Display) -> NumberError {
    NumberError::OutOfDomain {
        function: "the profile",
        argument: law.to_string(),
        expected: "a law that is not one-sided: no shift of such a law hides another",
    }
}

/// A difference of two enclosed numbers that is not negative.
fn not_negative(value: dp_assay::number::Enclosure) -> dp_assay::number::Enclosure {
    let zero = dp_assay::number::Enclosure::integer(0, value.bits());
    value.max(&zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a subject is asked in its example for a quantity, as the command would read it.
    fn example(subject: &Subject, quantity: &Quantity) -> (Given, Vec<Place>) {
        let words: Vec<&str> = subject.example.split_whitespace().collect();
        let given = Given::read(subject, &words).unwrap();
        let mut asked = Asked::default();
        let options: Vec<&str> = quantity.example.split_whitespace().collect();
        for pair in options.chunks(2) {
            let span = Some(Span::read(pair[1]).unwrap());
            match pair[0] {
                "--at" => asked.at = span,
                "--shift" => asked.shift = span,
                "--epsilon" => asked.epsilon = span,
                "--delta" => asked.delta = span,
                other => panic!("{other}"),
            }
        }
        (given, asked.places(quantity).unwrap().0)
    }

    #[test]
    fn every_quantity_of_every_subject_answers_its_example() {
        for subject in subjects() {
            assert!(!subject.quantities.is_empty(), "{}", subject.name);
            for quantity in &subject.quantities {
                // Of the profiles of accounts, which take seconds, one by day, and once: digits are nothing to them.
                let is_long = quantity.method == accounts::METHOD && quantity.name == "profile";
                let is_day = std::env::var_os("NIGHTLY").is_none();
                if is_long && is_day && subject.name != "subsampled-gaussian" {
                    continue;
                }
                let (given, places) = example(&subject, quantity);
                for place in places {
                    let name = format!("{} {}", subject.name, quantity.name);
                    let few = Value::of(quantity, &given, &place, 12);
                    let few = few.unwrap_or_else(|error| panic!("{name}: {error}"));
                    if is_long && is_day {
                        continue;
                    }
                    let many = Value::of(quantity, &given, &place, 60);
                    let many = many.unwrap_or_else(|error| panic!("{name}: {error}"));
                    // The sharper enclosure lies in the other.
                    assert!(few.contains(&many), "{name}: {few:?} {many:?}");
                }
            }
        }
    }

    /// The subjects with a least epsilon at a delta, each with its example, and the shifts to try.
    fn inverses() -> Vec<(Subject, Vec<&'static str>)> {
        let with_inverse = subjects().into_iter().filter_map(|subject| {
            let quantity = subject.quantity(Some("epsilon")).ok()?;
            // Of an account so few digits are known that no delta is told from one just beside it.
            if quantity.method == accounts::METHOD {
                return None;
            }
            let takes = quantity.takes;
            let has = |one| takes.contains(&one);
            let is_inverse = has(Takes::Delta) || has(Takes::AnyDelta);
            let shifts = match (has(Takes::Shift), has(Takes::IntegerShift)) {
                (true, _) => vec!["0", "1", "-3", "1/100", "1e-30", "40"],
                (_, true) => vec!["0", "1", "-3", "40"],
                _ => vec![""],
            };
            is_inverse.then_some((subject, shifts))
        });
        let inverses: Vec<_> = with_inverse.collect();
        assert!(inverses.len() >= 9);
        inverses
    }

    /// The value of a quantity of the subject's example.
    fn asked(subject: &Subject, quantity: &str, place: Place) -> Result<Value, Error> {
        let words: Vec<&str> = subject.example.split_whitespace().collect();
        let given = Given::read(subject, &words)?;
        Value::of(subject.quantity(Some(quantity))?, &given, &place, 30)
    }

    #[test]
    fn a_delta_above_that_at_epsilon_zero_needs_no_epsilon_and_one_below_needs_some() {
        let read = |text: &str| rational::parse(text).unwrap();
        let (zero, one) = (rational::integer(0), rational::integer(1));
        for (subject, shifts) in inverses() {
            let names = ["profile", "delta"];
            let profile = names
                .iter()
                .find(|name| subject.quantity(Some(name)).is_ok());
            let profile = profile.unwrap_or_else(|| panic!("{} has no profile", subject.name));
            for shift in shifts {
                let name = format!("{} at shift '{shift}'", subject.name);
                let shift = (!shift.is_empty()).then(|| read(shift));
                let at_zero = Place {
                    shift: shift.clone(),
                    epsilon: Some(zero.clone()),
                    ..Place::default()
                };
                let start = asked(&subject, profile, at_zero).unwrap();
                let least = |delta: &Rational| {
                    let place = Place {
                        shift: shift.clone(),
                        delta: Some(delta.clone()),
                        ..Place::default()
                    };
                    asked(&subject, "epsilon", place)
                };
                let needs_none = |delta: &Rational| {
                    let found = least(delta);
                    let found = found.unwrap_or_else(|error| panic!("{name}, {delta}: {error}"));
                    assert_eq!(found.exact, Some(zero.clone()), "{name}, {delta}");
                };
                let (lo, hi) = (read(&start.lo.clone().unwrap()), read(&start.hi));
                for nearer in ["1/1000000", "1/1000", "1/3", "999/1000"] {
                    needs_none(&(&hi + (&one - &hi) * read(nearer)));
                }
                // At the very value, where it is known, and otherwise just above it.
                needs_none(start.exact.as_ref().unwrap_or(&hi));
                // Just below it, and farther below.
                for factor in ["1", "999999/1000000", "1/3"] {
                    let delta = &lo * read(factor);
                    if delta == zero || start.exact.as_ref() == Some(&delta) {
                        continue;
                    }
                    match least(&delta) {
                        Ok(found) => assert!(read(&found.lo.unwrap()) > zero, "{name}, {delta}"),
                        Err(error) => {
                            let message = error.to_string();
                            assert!(message.contains("no epsilon"), "{name}, {delta}: {message}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_there_once_and_all_words_are_said() {
        let subjects = subjects();
        for (place, subject) in subjects.iter().enumerate() {
            let others = &subjects[place + 1..];
            assert!(
                others.iter().all(|other| other.name != subject.name),
                "{}",
                subject.name
            );
            for (place, quantity) in subject.quantities.iter().enumerate() {
                let others = &subject.quantities[place + 1..];
                assert!(others.iter().all(|other| other.name != quantity.name));
                for text in [quantity.meaning, quantity.method, quantity.label] {
                    assert!(!text.is_empty(), "{} {}", subject.name, quantity.name);
                }
                // A label names all that the quantity takes.
                for takes in quantity.takes {
                    let name = takes.option().replacen("--", "{", 1) + "}";
                    assert!(
                        quantity.label.contains(&name),
                        "{} {}",
                        subject.name,
                        quantity.name
                    );
                }
            }
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        for (name, nearest) in [
            ("discrete-laplase", "discrete-laplace"),
            ("expn", "exp"),
            ("clopper", "clopper-pearson"),
        ] {
            let message = subject(name).err().unwrap().to_string();
            assert!(message.contains(&format!("is {nearest},")), "{message}");
        }
    }

    #[test]
    fn parameters_that_are_wrong_are_refused() {
        for (name, words, expected) in [
            (
                "geometric",
                &["scale=2"][..],
                "takes rate=NUMBER, got 'scale=2'",
            ),
            ("geometric", &[], "takes rate=NUMBER, got nothing"),
            ("geometric", &["rate"], "takes rate=NUMBER, got 'rate'"),
            ("geometric", &["rate=1", "rate=2"], "rate is given twice"),
            (
                "geometric",
                &["rate=0"],
                "rate must be between 1e-100 and 1e6, got 0",
            ),
            (
                "geometric",
                &["rate=1e-400"],
                "between 1e-100 and 1e6, got 1e-400",
            ),
            ("geometric", &["rate=x"], "must be an exact number"),
            ("pi", &["x=1"], "takes no parameter"),
            (
                "binomial",
                &["trials=5/2", "probability=1/2"],
                "must be a whole number",
            ),
            (
                "binomial",
                &["trials=5", "probability=1"],
                "must be above 0 and below 1",
            ),
        ] {
            let subject = subject(name).unwrap();
            let message = Given::read(&subject, words).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
