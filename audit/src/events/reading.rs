//! What the search reads of outputs, in words: of what it does not read, it sees nothing but whole outputs that come
//! again.

use super::feature::Feature;
use super::features::unlearned;
use crate::targets::Output;

/// The most parts of outputs that are named one by one.
const NAMED: usize = 3;

/// What the search for events reads of outputs like these, a line for each kind of part: `number, lowest bit of output`.
/// All of it is compared on a part of the outputs, and the best of it on all of them.
#[must_use]
pub fn features_read(first: &[Output], second: &[Output]) -> Vec<String> {
    let features = unlearned([first, second]);
    // 1. What is read of each part.
    let mut parts: Vec<(String, Vec<String>)> = Vec::new();
    for feature in &features {
        let (name, part) = feature.in_short();
        match parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, names)) => names.push(name),
            None => parts.push((part, vec![name])),
        }
    }
    // 2. Parts of which the same is read, together.
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
    read.push("whole outputs, where they come again".to_owned());
    read
}

impl Feature {
    /// What is read, and of which part.
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
            Self::Exact { at } => ("value, where it comes again".to_owned(), of(at)),
            Self::Residue { at, modulus } => (format!("remainder by {modulus}"), of(at)),
            Self::Length => ("length".to_owned(), part),
            Self::Sum => ("sum".to_owned(), part),
            Self::Prefix { length } => (format!("first {length}"), part),
            Self::Suffix { length } => (format!("last {length}"), part),
            Self::Error => ("error message".to_owned(), part),
            Self::Weighted { .. } | Self::Within { .. } => (inner.to_string(), part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_told_part_by_part() {
        let integers = [1, 90].map(Output::Integer);
        assert_eq!(
            features_read(&integers, &integers),
            [
                "number, lowest bit, remainder by 3, remainder by 5, remainder by 7, remainder by 8, remainder by 10 of output",
                "whole outputs, where they come again",
            ]
        );
        let texts = ["run 10: 41", "run 9: 42"].map(|text| Output::Label(text.to_owned()));
        assert_eq!(
            features_read(&texts, &texts),
            [
                "length, first 1, first 2, first 3, first 4, last 1, last 2, last 3, last 4 of output",
                "number of first number in output, second number in output",
                "weighted sums of these numbers",
                "whole outputs, where they come again",
            ]
        );
        let row = Output::Vector(vec![Output::Label("a".into()), Output::float(0.5)]);
        let table = [Output::Vector(vec![row; 2])];
        let read = features_read(&table, &[]);
        assert!(
            read.iter().any(|line| line.contains("output[1][1]")),
            "{read:?}"
        );
    }
}
