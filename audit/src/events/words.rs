//! Predicates in words: for people with `{}`, which cuts what is long and says how much there is of it, and in full with
//! `{:#}`.

use super::feature::{Feature, Term};
use super::predicate::Predicate;
use crate::targets::Output;
use std::fmt;

/// `output`, or `output[3]`.
struct Subject(Option<usize>);

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => formatter.write_str("output"),
            Some(index) => write!(formatter, "output[{index}]"),
        }
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
        match self {
            Self::Number { at } | Self::Exact { at } => write!(formatter, "{}", Subject(*at)),
            Self::LowBit { at } => write!(formatter, "lowest bit of {}", Subject(*at)),
            Self::Exponent { at } => write!(formatter, "highest bit of {}", Subject(*at)),
            Self::Length => formatter.write_str("length of output"),
            Self::Sum => formatter.write_str("sum of output"),
            Self::Weighted { terms } => weighted(formatter, terms),
            Self::Class { at } => write!(formatter, "class of {}", Subject(*at)),
            Self::Prefix { length } => write!(formatter, "first {length} of output"),
            Self::Error => formatter.write_str("error"),
        }
    }
}

/// The most values of a set, parts of a predicate or terms of a sum that are printed for people.
const PRINTED: usize = 8;
/// The most characters of a value that are printed for people.
const LONGEST: usize = 60;

/// Those of `all` that are printed, and a word on the others.
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

/// The first characters of a value, and how many there are.
fn short(value: String, in_full: bool) -> String {
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) if !in_full => {
            format!("{}… ({} characters)", &value[..end], value.chars().count())
        }
        _ => value,
    }
}

/// `0.31 output[0] - output[2]`. Bits are weighed by their exponents: `2 log2(lowest bit of output[1])`.
fn weighted(formatter: &mut fmt::Formatter<'_>, terms: &[Term]) -> fmt::Result {
    let printed = if formatter.alternate() {
        terms.len()
    } else {
        PRINTED
    };
    for (index, Term { weight, feature }) in terms.iter().take(printed).enumerate() {
        let weight = weight.get();
        let sign = match (index, weight < 0.0) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        formatter.write_str(sign)?;
        if weight.abs() != 1.0 {
            write!(formatter, "{} ", decimal(weight.abs()))?;
        }
        match feature {
            Feature::LowBit { .. } | Feature::Exponent { .. } => {
                write!(formatter, "log2({feature})")?;
            }
            _ => write!(formatter, "{feature}")?,
        }
    }
    if terms.len() > printed {
        write!(formatter, " + … ({} terms)", terms.len())?;
    }
    Ok(())
}

impl fmt::Display for Predicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_full = formatter.alternate();
        let in_words = |feature: &Feature, bound: f64| match feature {
            Feature::LowBit { .. } | Feature::Exponent { .. } => format!("2^{bound}"),
            _ => decimal(bound),
        };
        match self {
            Self::AtMost { feature, bound } => {
                fmt::Display::fmt(feature, formatter)?;
                write!(formatter, " <= {}", in_words(feature, bound.get()))
            }
            Self::AtLeast { feature, bound } => {
                fmt::Display::fmt(feature, formatter)?;
                write!(formatter, " >= {}", in_words(feature, bound.get()))
            }
            Self::Between { feature, low, high } if low == high => {
                fmt::Display::fmt(feature, formatter)?;
                write!(formatter, " = {}", in_words(feature, low.get()))
            }
            Self::Between { feature, low, high } => {
                write!(formatter, "{} <= ", in_words(feature, low.get()))?;
                fmt::Display::fmt(feature, formatter)?;
                write!(formatter, " <= {}", in_words(feature, high.get()))
            }
            Self::OneOf { feature, values } => {
                let name = match feature {
                    // An error says itself that it is one.
                    Feature::Error => String::new(),
                    Feature::Exact { at: None }
                        if values.iter().all(|v| matches!(v, Output::Error(_))) =>
                    {
                        String::new()
                    }
                    _ => feature.to_string(),
                };
                let listed = cut(values.iter(), "values", in_full, |value| {
                    let text = match (feature, value) {
                        (Feature::Class { .. }, Output::Label(class)) => class.clone(),
                        _ => value.to_string(),
                    };
                    short(text, in_full)
                });
                match (name.is_empty(), &listed[..]) {
                    (true, _) => formatter.write_str(&listed.join(" or ")),
                    (false, [one]) => write!(formatter, "{name} = {one}"),
                    (false, _) => write!(formatter, "{name} in {{{}}}", listed.join(", ")),
                }
            }
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
                    true => formatter.write_str(empty),
                    false => formatter.write_str(&parts.join(word)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::feature::Real;
    use super::*;
    use std::collections::BTreeSet;

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
            label.to_string().ends_with("x… (1002 characters)"),
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
}
