//! Features and predicates in words: for people with `{}`, which shortens long ones and gives their length, and in full
//! with `{:#}`. Also a list of everything that the search reads.

use super::features::{Aspect, Feature, Place, Real, Step, Term, features};
use super::predicate::Predicate;
use crate::targets::Output;
use std::collections::BTreeSet;
use std::fmt;

/// The most values of a set, parts of a predicate or terms of a sum that are printed for people: a line of a terminal.
const PRINTED: usize = 8;
/// The most characters of a value that are printed for people.
const LONGEST: usize = 60;
/// The length of the note on what was cut.
const NOTE: usize = 20;
/// The most parts of outputs that are named one by one.
const NAMED: usize = 3;

/// The entry of a part, or the part.
fn entry(part: &str, at: Option<usize>) -> String {
    match at {
        None => part.to_owned(),
        Some(index) => format!("{part}[{index}]"),
    }
}

/// The part of `output` that a path leads to: `output[0][1]`, `second number in output[3]`.
fn part(path: &[Step]) -> String {
    path.iter()
        .fold("output".to_owned(), |part, step| match step {
            Step::Entry(index) => entry(&part, Some(*index)),
            Step::Name(name) => format!("{part}[{}]", short(&Output::Label(name.clone()), false)),
            Step::Numeral(0) => format!("first number in {part}"),
            Step::Numeral(1) => format!("second number in {part}"),
            Step::Numeral(2) => format!("third number in {part}"),
            Step::Numeral(place) => format!("number {} in {part}", place + 1),
            Step::LastNumeral(0) => format!("last number in {part}"),
            Step::LastNumeral(1) => format!("last but one number in {part}"),
            Step::LastNumeral(place) => format!("number {} from the end in {part}", place + 1),
        })
}

/// A place in words, from 0: `character 7`, `byte 0 from the end`.
fn nth(what: &str, place: Place) -> String {
    match place {
        Place::First(place) => format!("{what} {place}"),
        Place::Last(place) => format!("{what} {place} from the end"),
    }
}

/// A double in decimal, as short as it can be; with an exponent if it would be long otherwise.
fn decimal(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && magnitude.is_finite() && !(1e-5..1e17).contains(&magnitude) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_full = formatter.alternate();
        formatter.write_str(&self.of("output", in_full))
    }
}

impl Feature {
    /// In words, of a part of the output.
    fn of(&self, part: &str, in_full: bool) -> String {
        match self {
            Self::Number { at } | Self::Exact { at } | Self::Value { at } => entry(part, *at),
            Self::Offset { at, from } => match from.to_string() {
                zero if zero == "0" => entry(part, *at),
                minus if minus.starts_with('-') => {
                    format!("({} + {})", entry(part, *at), &minus[1..])
                }
                plus => format!("({} - {plus})", entry(part, *at)),
            },
            Self::LowBit { at } => format!("lowest bit of {}", entry(part, *at)),
            Self::Exponent { at } => format!("highest bit of {}", entry(part, *at)),
            Self::Length => format!("length of {part}"),
            Self::Sum => format!("sum of {part}"),
            Self::Squares => format!("sum of squares of {part}"),
            Self::Largest => format!("largest magnitude in {part}"),
            Self::SumResidue { modulus } => format!("sum of {part} mod {modulus}"),
            Self::Weighted { terms } => weighted(terms, part, in_full),
            Self::Class { at } | Self::Finiteness { at } => {
                format!("class of {}", entry(part, *at))
            }
            Self::Payload { at } => format!("bits of {}", entry(part, *at)),
            Self::Character { place } => format!("{} of {part}", nth("character", *place)),
            Self::Word { word } => {
                let word = short(&Output::Label(word.clone()), in_full);
                format!("{part} has the word {word}")
            }
            Self::Byte { place } => format!("{} of {part}", nth("byte", *place)),
            Self::Bit { place, bit } => format!("bit {bit} of {} of {part}", nth("byte", *place)),
            Self::Has { name } => {
                let name = short(&Output::Label(name.clone()), in_full);
                format!("{part} has the name {name}")
            }
            Self::Names => format!("names of {part}"),
            Self::Kind { at } => format!("kind of {}", entry(part, *at)),
            Self::Residue { at, modulus } => format!("{} mod {modulus}", entry(part, *at)),
            Self::Prefix { length } => format!("first {length} of {part}"),
            Self::Suffix { length } => format!("last {length} of {part}"),
            Self::Error => "error".to_owned(),
            Self::Within { path, feature } => feature.of(&self::part(path), in_full),
        }
    }

    /// The feature that is read in the end, and the part where.
    pub(in crate::events) fn innermost(&self) -> (&Self, String) {
        let mut path: Vec<Step> = Vec::new();
        let mut feature = self;
        while let Self::Within {
            path: more,
            feature: inner,
        } = feature
        {
            path.extend(more.iter().cloned());
            feature = inner;
        }
        (feature, part(&path))
    }
}

/// A feature and a bound that it is compared with, in words.
fn compared(feature: &Feature, bound: Real, in_full: bool) -> (String, String) {
    let bound = bound.get();
    let (inner, part) = feature.innermost();
    match inner {
        Feature::LowBit { .. } | Feature::Exponent { .. } => {
            (inner.of(&part, in_full), format!("2^{bound}"))
        }
        // The integer itself, as nothing else is exact.
        Feature::Offset { at, from } => match (from.whole(), Output::float(bound + 0.0).whole()) {
            (Some(from), Some(bound)) => (
                entry(&part, *at),
                short(&Output::integer(&(from + bound)), in_full),
            ),
            _ => (inner.of(&part, in_full), decimal(bound)),
        },
        _ => (inner.of(&part, in_full), decimal(bound)),
    }
}

/// The entries that are printed, and how many there are.
fn cut<'a, T: 'a>(
    all: impl ExactSizeIterator<Item = &'a T>,
    what: &str,
    in_full: bool,
    print: impl Fn(&T) -> String,
) -> Vec<String> {
    let count = all.len();
    let printed = if in_full { count } else { PRINTED };
    let mut listed: Vec<String> = all.take(printed).map(print).collect();
    if count > printed {
        listed.push(format!("… ({count} {what})"));
    }
    listed
}

/// A value, cut to its first characters with their number if it is long.
fn short(value: &Output, in_full: bool) -> String {
    let first = |text: &str| -> Option<(String, usize)> {
        let count = text.chars().count();
        (count > LONGEST + NOTE).then(|| (text.chars().take(LONGEST).collect(), count))
    };
    let cut = match value {
        _ if in_full => None,
        // Quotes are closed: what is cut is the text between them.
        Output::Label(text) => first(text).map(|(text, n)| (Output::Label(text).to_string(), n)),
        Output::Error(text) => first(text).map(|(text, n)| (Output::Error(text).to_string(), n)),
        other => first(&other.to_string()),
    };
    match cut {
        Some((start, count)) => format!("{start}… ({count} characters)"),
        None => value.to_string(),
    }
}

/// `0.31 output[0] - output[2]`. Bits are weighed by their exponents: `2 log2(lowest bit of output[1])`.
fn weighted(terms: &[Term], part: &str, in_full: bool) -> String {
    let printed = if in_full { terms.len() } else { PRINTED };
    let mut text = String::new();
    for (index, Term { weight, feature }) in terms.iter().take(printed).enumerate() {
        let weight = weight.get();
        text += match (index, weight < 0.0) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        if weight.abs() != 1.0 {
            text += &format!("{} ", decimal(weight.abs()));
        }
        let name = feature.of(part, in_full);
        text += &if feature.is_bit() {
            format!("log2({name})")
        } else if name.contains(' ') && !name.starts_with('(') {
            format!("({name})")
        } else {
            name
        };
    }
    if terms.len() > printed {
        text += &format!(" + … ({} terms)", terms.len());
    }
    text
}

/// One of some values, in words.
fn one_of(feature: &Feature, values: &BTreeSet<Output>, in_full: bool) -> String {
    let (inner, part) = feature.innermost();
    let only = values.first().filter(|_| values.len() == 1);
    let are_errors = values.iter().all(|v| matches!(v, Output::Error(_)));
    let name = match inner {
        // An error says itself that it is one.
        Feature::Error => String::new(),
        Feature::Exact { at: None } | Feature::Value { at: None } if are_errors => String::new(),
        Feature::Prefix { length } | Feature::Suffix { length } => {
            let which = if matches!(inner, Feature::Prefix { .. }) {
                "first"
            } else {
                "last"
            };
            let letters = |value: &Output| match value {
                Output::Label(text) => Some(text.chars().count()),
                Output::Bytes(bytes) => Some(bytes.len()),
                _ => None,
            };
            if only.and_then(letters).is_some_and(|count| count < *length) {
                // There are no more of them.
                part
            } else {
                let kind = match (values.first(), length) {
                    (Some(Output::Label(_)), 1) => "character",
                    (Some(Output::Label(_)), _) => "characters",
                    (Some(Output::Bytes(_)), 1) => "byte",
                    (Some(Output::Bytes(_)), _) => "bytes",
                    (_, 1) => "entry",
                    _ => "entries",
                };
                match length {
                    1 => format!("{which} {kind} of {part}"),
                    _ => format!("{which} {length} {kind} of {part}"),
                }
            }
        }
        _ => inner.of(&part, in_full),
    };
    let listed = cut(values.iter(), "values", in_full, |value| {
        match (inner, value) {
            (
                Feature::Class { .. } | Feature::Finiteness { .. } | Feature::Kind { .. },
                Output::Label(class),
            ) => class.clone(),
            _ => short(value, in_full),
        }
    });
    match (name.is_empty(), &listed[..]) {
        (true, _) => listed.join(" or "),
        (false, [one]) => match (inner, only) {
            (Feature::Has { .. } | Feature::Word { .. }, Some(Output::Boolean(true))) => name,
            (Feature::Has { .. } | Feature::Word { .. }, Some(Output::Boolean(false))) => {
                format!("not ({name})")
            }
            _ => format!("{name} = {one}"),
        },
        (false, _) => format!("{name} in {{{}}}", listed.join(", ")),
    }
}

/// A statement on the lowest bit of whole numbers, where powers of two are not needed.
fn parity(feature: &Feature, of: &str) -> Option<String> {
    match feature.innermost() {
        (Feature::LowBit { at }, part) => Some(format!("{} is {of}", entry(&part, *at))),
        _ => None,
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_full = formatter.alternate();
        let compared = |feature, bound| compared(feature, bound, in_full);
        let text = match self {
            Self::AtMost { feature, bound } => {
                let (name, limit) = compared(feature, *bound);
                let odd = parity(feature, "odd or a fraction").filter(|_| bound.get() == 0.0);
                odd.unwrap_or_else(|| format!("{name} <= {limit}"))
            }
            Self::AtLeast { feature, bound } => {
                let (name, limit) = compared(feature, *bound);
                let even = parity(feature, "even and not 0").filter(|_| bound.get() == 1.0);
                even.unwrap_or_else(|| format!("{name} >= {limit}"))
            }
            Self::Between { feature, low, high } if low == high => {
                let (name, value) = compared(feature, *low);
                let odd = parity(feature, "odd").filter(|_| low.get() == 0.0);
                odd.unwrap_or_else(|| format!("{name} = {value}"))
            }
            Self::Between { feature, low, high } => {
                let (_, low) = compared(feature, *low);
                let (name, high) = compared(feature, *high);
                format!("{low} <= {name} <= {high}")
            }
            Self::OneOf { feature, values } => one_of(feature, values, in_full),
            Self::All(parts) | Self::Any(parts) => {
                let (word, empty) = match self {
                    Self::All(_) => (" and ", "always"),
                    _ => (" or ", "never"),
                };
                let parts = cut(parts.iter(), "parts", in_full, |part| {
                    let text = if in_full {
                        format!("{part:#}")
                    } else {
                        part.to_string()
                    };
                    match part {
                        Self::All(_) | Self::Any(_) => format!("({text})"),
                        _ => text,
                    }
                });
                match parts.is_empty() {
                    true => empty.to_owned(),
                    false => parts.join(word),
                }
            }
        };
        formatter.write_str(&text)
    }
}

/// What the search for events reads of outputs like these in this aspect, a line for each kind of part:
/// `number, lowest bit of output`. All of it is compared on a part of the outputs, and the best of it on all of them.
#[must_use]
pub fn features_read(first: &[Output], second: &[Output], aspect: Aspect) -> Vec<String> {
    let features = features([first, second], aspect);
    // 1. The list of what is read of each part.
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    for feature in &features {
        let (name, part) = feature.in_short();
        match parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, names)) => names.push(name),
            None => parts.push((part, vec![name])),
        }
    }
    // 2. Parts with equal lists go together.
    let mut lines: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for (part, names) in parts {
        match lines.iter_mut().find(|(known, _)| *known == names) {
            Some((_, parts)) => parts.push(part),
            None => lines.push((names, vec![part])),
        }
    }
    let mut read: Vec<String> = lines
        .into_iter()
        .map(|(names, mut parts)| {
            let count = parts.len();
            if count > NAMED {
                parts.truncate(NAMED);
                parts.push(format!("… ({count} parts)"));
            }
            format!("{} of {}", names.join(", "), parts.join(", "))
        })
        .collect();
    let count = |wanted: fn(&Feature) -> bool| features.iter().filter(|f| wanted(f)).count();
    if count(Feature::is_number) > 1 {
        read.push("weighted sums of these numbers".to_owned());
    }
    if count(Feature::is_bit) > 1 {
        read.push("weighted sums of the exponents of these bits".to_owned());
    }
    match aspect {
        Aspect::Whole => read.push("whole outputs, where they come again".to_owned()),
        Aspect::Values | Aspect::Time => read.push(
            "whole outputs, where they come again, without the sign of a zero and the bits of NaN"
                .to_owned(),
        ),
        Aspect::Bits => (),
    }
    read
}

impl Feature {
    /// What is read, and from where in the output.
    fn in_short(&self) -> (String, String) {
        let (inner, part) = self.innermost();
        let of = |at: &Option<usize>| match at {
            Some(index) => format!("{part}[{index}]"),
            None => part.clone(),
        };
        match inner {
            Self::Number { at } => ("number".to_owned(), of(at)),
            Self::Offset { at, from } if *from == Output::Integer(0) => {
                ("number".to_owned(), of(at))
            }
            Self::Offset { at, .. } => ("distance from one of its values".to_owned(), of(at)),
            Self::LowBit { at } => ("lowest bit".to_owned(), of(at)),
            Self::Exponent { at } => ("highest bit".to_owned(), of(at)),
            Self::Class { at } => ("class (NaN, infinite, zero or finite)".to_owned(), of(at)),
            Self::Kind { at } => ("kind (number, text, array, ...)".to_owned(), of(at)),
            Self::Finiteness { at } => ("class (NaN, infinite or finite)".to_owned(), of(at)),
            Self::Payload { at } => ("bits of NaN".to_owned(), of(at)),
            Self::Exact { at } | Self::Value { at } => {
                ("value, where it comes again".to_owned(), of(at))
            }
            Self::Residue { at, modulus } => (format!("remainder by {modulus}"), of(at)),
            Self::Length => ("length".to_owned(), part),
            Self::Sum => ("sum".to_owned(), part),
            Self::Squares => ("sum of squares".to_owned(), part),
            Self::Largest => ("largest magnitude".to_owned(), part),
            Self::SumResidue { modulus } => (format!("remainder of the sum by {modulus}"), part),
            Self::Prefix { length } => (format!("first {length}"), part),
            Self::Suffix { length } => (format!("last {length}"), part),
            Self::Error => ("error message".to_owned(), part),
            Self::Character { place } => (nth("character", *place), part),
            Self::Byte { place } => (nth("byte", *place), part),
            Self::Bit { place, bit } => (format!("bit {bit} of {}", nth("byte", *place)), part),
            Self::Word { word } => (format!("the word {word:?}"), part),
            Self::Has { name } => (format!("the name {name:?}"), part),
            Self::Names => ("names".to_owned(), part),
            Self::Weighted { .. } | Self::Within { .. } => (inner.to_string(), part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    #[test]
    fn a_weighted_sum_reads_like_a_formula() {
        let number = |at| Feature::Number { at: Some(at) };
        let term = |weight: f64, feature| Term {
            weight: Real::new(weight),
            feature,
        };
        let terms = vec![
            term(0.31, number(0)),
            term(-1.2, number(2)),
            term(1.0, Feature::LowBit { at: Some(1) }),
        ];
        let predicate = Predicate::AtLeast {
            feature: Feature::Weighted { terms },
            bound: Real::new(0.7),
        };
        assert_eq!(
            predicate.to_string(),
            "0.31 output[0] - 1.2 output[2] + log2(lowest bit of output[1]) >= 0.7"
        );
    }

    #[test]
    fn what_is_long_is_cut_for_people_and_counted_and_can_be_had_in_full() {
        let output = Feature::Exact { at: None };
        let is_one_of = |values: BTreeSet<Output>| Predicate::OneOf {
            feature: output.clone(),
            values,
        };
        let set = is_one_of((0..178).map(Output::Integer).collect());
        assert_eq!(
            set.to_string(),
            "output in {0, 1, 2, 3, 4, 5, 6, 7, … (178 values)}"
        );
        assert!(format!("{set:#}").ends_with(", 176, 177}"), "{set:#}");

        let at = |at: i128| is_one_of([Output::Integer(at)].into());
        let union = Predicate::Any((0..12).map(at).chain([set]).collect());
        let text = union.to_string();
        assert!(text.starts_with("output = 0 or output = 1"), "{text}");
        assert!(text.ends_with("output = 7 or … (13 parts)"), "{text}");
        let full = format!("{union:#}");
        assert!(full.contains("output = 11 or output in {0, 1"), "{full}");
        assert!(full.ends_with(", 176, 177}"), "{full}");

        let label = is_one_of([Output::Label("x".repeat(1000))].into());
        assert!(
            label.to_string().ends_with("x\"… (1000 characters)"),
            "{label}"
        );
        assert!(label.to_string().len() < 100);
        assert_eq!(format!("{label:#}").len(), "output = ".len() + 1002);

        let term = |at| Term {
            weight: Real::new(1.0),
            feature: Feature::Number { at: Some(at) },
        };
        let sum = Predicate::AtMost {
            feature: Feature::Weighted {
                terms: (0..20).map(term).collect(),
            },
            bound: Real::new(0.0),
        };
        assert!(
            sum.to_string()
                .ends_with(" + output[7] + … (20 terms) <= 0"),
            "{sum}"
        );
        assert!(
            format!("{sum:#}").ends_with(" + output[19] <= 0"),
            "{sum:#}"
        );
    }

    #[test]
    fn intervals_and_long_numbers_read_well() {
        let between = |low: f64, high: f64| Predicate::Between {
            feature: Feature::Number { at: None },
            low: Real::new(low),
            high: Real::new(high),
        };
        assert_eq!(between(1.0, 2.5).to_string(), "1 <= output <= 2.5");
        assert_eq!(between(2.5, 2.5).to_string(), "output = 2.5");
        assert_eq!(
            between(-1e300, 1e-9).to_string(),
            "-1e300 <= output <= 1e-9"
        );
    }

    #[test]
    fn parts_bits_and_letters_read_well() {
        let within = |path: &[Step], feature: Feature| Feature::Within {
            path: path.to_vec(),
            feature: Box::new(feature),
        };
        let at_most = |feature, bound: f64| Predicate::AtMost {
            feature,
            bound: Real::new(bound),
        };
        let one_of = |feature, values: &[Output]| Predicate::OneOf {
            feature,
            values: values.iter().cloned().collect(),
        };
        let label = |text: &str| Output::Label(text.to_owned());
        let (number, bit) = (
            Feature::Number { at: Some(1) },
            Feature::LowBit { at: None },
        );
        let (first, last) = (Feature::Prefix { length: 1 }, Feature::Suffix { length: 3 });
        let residue = Feature::Residue {
            at: None,
            modulus: 5,
        };
        let numeral = within(&[Step::LastNumeral(0)], Feature::Number { at: None });
        let even = Predicate::AtLeast {
            feature: within(&[Step::Entry(2)], bit.clone()),
            bound: Real::new(1.0),
        };
        let error = Output::Error("e".repeat(61));
        let pair = Output::Vector(vec![Output::Integer(1); 2]);
        let whole = Feature::Exact { at: None };
        for (predicate, text) in [
            (
                at_most(within(&[Step::Entry(0)], number), 2.5),
                "output[0][1] <= 2.5",
            ),
            (at_most(numeral, 41.0), "last number in output <= 41"),
            (at_most(bit.clone(), 0.0), "output is odd or a fraction"),
            (at_most(bit, -3.0), "lowest bit of output <= 2^-3"),
            (even, "output[2] is even and not 0"),
            (one_of(residue, &[Output::Integer(1)]), "output mod 5 = 1"),
            (
                one_of(first.clone(), &[label("b")]),
                "first character of output = \"b\"",
            ),
            (one_of(last.clone(), &[label("b")]), "output = \"b\""),
            (
                one_of(last, &[label("ab"), label("abc")]),
                "last 3 characters of output in {\"ab\", \"abc\"}",
            ),
            (
                one_of(Feature::Prefix { length: 2 }, &[pair]),
                "first 2 entries of output = [1, 1]",
            ),
            (
                one_of(whole, std::slice::from_ref(&error)),
                &*error.to_string(),
            ),
        ] {
            assert_eq!(predicate.to_string(), text);
        }
    }

    #[test]
    fn of_large_integers_every_digit_is_said() {
        let ten_to_40 = BigInt::from(10).pow(40);
        let from = Output::integer(&ten_to_40);
        let offset = Feature::Offset { at: None, from };
        let at_most = Predicate::AtMost {
            feature: offset.clone(),
            bound: Real::new(-50.0),
        };
        let digits = "9".repeat(38);
        assert_eq!(at_most.to_string(), format!("output <= {digits}50"));
        let term = Term {
            weight: Real::new(2.0),
            feature: offset,
        };
        let sum = Feature::Weighted { terms: vec![term] };
        let zeros = "0".repeat(40);
        assert_eq!(sum.to_string(), format!("2 (output - 1{zeros})"));
    }

    #[test]
    fn what_is_read_is_told_part_by_part() {
        let integers = [1, 90].map(Output::Integer);
        assert_eq!(
            features_read(&integers, &integers, Aspect::Whole),
            [
                "number, lowest bit, remainder by 3, remainder by 5, remainder by 7, remainder by 8, remainder by 10 of output",
                "whole outputs, where they come again",
            ]
        );
        let texts = ["run 10: 41", "run 9: 42"].map(|text| Output::Label(text.to_owned()));
        assert_eq!(
            features_read(&texts, &texts, Aspect::Whole),
            [
                "length, first 1, first 2, first 3, first 4, last 1, last 2, last 3, last 4 of output",
                "number of first number in output, second number in output",
                "weighted sums of these numbers",
                "whole outputs, where they come again",
            ]
        );
        let row = Output::Vector(vec![Output::Label("a".into()), Output::float(0.5)]);
        let table = [Output::Vector(vec![row; 2])];
        let read = features_read(&table, &[], Aspect::Whole);
        assert!(
            read.iter().any(|line| line.contains("output[1][1]")),
            "{read:?}"
        );
    }
}
