//! Predicates in words.

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

/// `0.31 output[0] - output[2]`. Bits are weighed by their exponents: `2 log2(lowest bit of output[1])`.
fn weighted(formatter: &mut fmt::Formatter<'_>, terms: &[Term]) -> fmt::Result {
    for (index, Term { weight, feature }) in terms.iter().enumerate() {
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
    Ok(())
}

/// The most values of a set that are printed.
const PRINTED: usize = 8;

impl fmt::Display for Predicate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_words = |feature: &Feature, bound: f64| match feature {
            Feature::LowBit { .. } | Feature::Exponent { .. } => format!("2^{bound}"),
            _ => decimal(bound),
        };
        match self {
            Self::AtMost { feature, bound } => {
                write!(formatter, "{feature} <= {}", in_words(feature, bound.get()))
            }
            Self::AtLeast { feature, bound } => {
                write!(formatter, "{feature} >= {}", in_words(feature, bound.get()))
            }
            Self::Between { feature, low, high } if low == high => {
                write!(formatter, "{feature} = {}", in_words(feature, low.get()))
            }
            Self::Between { feature, low, high } => write!(
                formatter,
                "{} <= {feature} <= {}",
                in_words(feature, low.get()),
                in_words(feature, high.get())
            ),
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
                let printed = values.iter().take(PRINTED);
                let mut listed: Vec<String> = match feature {
                    Feature::Class { .. } => printed
                        .map(|value| match value {
                            Output::Label(class) => class.clone(),
                            other => other.to_string(),
                        })
                        .collect(),
                    _ => printed.map(Output::to_string).collect(),
                };
                if values.len() > PRINTED {
                    listed.push(format!("… ({} values)", values.len()));
                }
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
                let inner = |part: &Self| match part {
                    Self::All(_) | Self::Any(_) => format!("({part})"),
                    _ => part.to_string(),
                };
                let parts: Vec<String> = parts.iter().map(inner).collect();
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
