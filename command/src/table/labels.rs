//! What a label is: one of two classes, or a number in a public interval.

use super::Row;
use super::columns::Column;
use crate::error::Error;
use clap::Args;
use dp_assay::number::rational;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What the label of a [`Row`] means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// 1 for the positive class and -1 for the negative one.
    Classes(Classes),
    /// A number in this column's public interval, on the grid.
    Interval(Column),
}

/// The two label values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    /// Of the positive class.
    pub positive: String,
    /// Of the negative class.
    pub negative: String,
}

/// What the two classes are called, as far as it is declared.
#[derive(Debug, Clone, Args)]
pub struct DeclaredClasses {
    /// The label value of the positive class; otherwise the larger of the two that occur. Values that occur are
    /// then published
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    positive: Option<String>,
    /// The label value of the negative class; otherwise the other one that occurs
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    negative: Option<String>,
}

impl DeclaredClasses {
    /// The same without spaces around the values, which must differ.
    pub(super) fn checked(&self) -> Result<Self, Error> {
        let trimmed = |value: &Option<String>| value.as_ref().map(|text| text.trim().to_owned());
        let labels = Self {
            positive: trimmed(&self.positive),
            negative: trimmed(&self.negative),
        };
        for (option, value) in [
            ("--positive", &labels.positive),
            ("--negative", &labels.negative),
        ] {
            if value.as_ref().is_some_and(String::is_empty) {
                return Err(Error::option(option, "a label value", "''"));
            }
        }
        if labels.positive.is_some() && labels.positive == labels.negative {
            return Err(Error::Usage(format!(
                "--positive and --negative must differ, got '{}' twice",
                labels.positive.unwrap_or_default()
            )));
        }
        Ok(labels)
    }

    /// The same with `+1` for `1`, as it is read in files in the LIBSVM format.
    pub(super) fn without_plus(self) -> Self {
        let short = |value: Option<String>| {
            value.map(|text| {
                let short = without_plus(text.as_bytes()).len();
                text[text.len() - short..].to_owned()
            })
        };
        Self {
            positive: short(self.positive),
            negative: short(self.negative),
        }
    }

    /// The declared values.
    pub(super) fn values(&self) -> (Option<&String>, Option<&String>) {
        (self.positive.as_ref(), self.negative.as_ref())
    }

    /// Whether both are declared.
    pub(super) fn are_both_given(&self) -> bool {
        self.positive.is_some() && self.negative.is_some()
    }

    /// The names of the classes of two files; a default that is taken gives way to the other.
    pub(super) fn or(self, positive: &str, negative: &str) -> Classes {
        let name = |given: Option<String>, default: &str, other: &str, taken: Option<&str>| {
            given.unwrap_or_else(|| {
                let free = if taken == Some(default) {
                    other
                } else {
                    default
                };
                free.to_owned()
            })
        };
        let negative_name = name(self.negative, negative, positive, self.positive.as_deref());
        Classes {
            positive: name(self.positive, positive, negative, Some(&negative_name)),
            negative: negative_name,
        }
    }
}

/// A number without the sign `+`.
pub(super) fn without_plus(text: &[u8]) -> &[u8] {
    match text {
        [b'+', number @ ..] if matches!(number, [b'0'..=b'9' | b'.', ..]) => number,
        _ => text,
    }
}

/// The label of a record that is dropped, while the two classes are not known: afterwards it has the positive class. A zero
/// record is wrong for each halfspace, whatever its class.
pub(super) const DROPPED: i64 = 2;

/// The values that the label takes: those declared, or at most two that are found.
pub(super) struct LabelValues {
    // While reading, a label is an index into this.
    values: Vec<String>,
    declared: DeclaredClasses,
}

impl LabelValues {
    pub(super) fn new(declared: DeclaredClasses) -> Self {
        let values = [&declared.positive, &declared.negative]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        Self { values, declared }
    }

    /// Which of the values a label is: 0 or 1. `wrong` says where it stands.
    pub(super) fn index(
        &mut self,
        field: &[u8],
        wrong: impl Fn(&str) -> Error,
    ) -> Result<i64, Error> {
        if let Some(index) = self
            .values
            .iter()
            .position(|value| value.as_bytes() == field)
        {
            return Ok(index as i64);
        }
        if field.is_empty() {
            return Err(wrong(
                "the label is empty: it must be one of two values (--missing COLUMN=drop drops such records)",
            ));
        }
        if self.values.len() == 2 {
            return Err(wrong(if self.declared.are_both_given() {
                "the label must be the value of --positive or that of --negative"
            } else {
                "the label must take exactly two values, and this is a third"
            }));
        }
        let value =
            std::str::from_utf8(field).map_err(|_| wrong("the label must be UTF-8 text"))?;
        self.values.push(value.to_owned());
        Ok(self.values.len() as i64 - 1)
    }

    /// Which value is positive; turns the labels of `rows` from indices into 1 and -1. `label` says which it is in this
    /// file.
    pub(super) fn decide<F>(
        self,
        path: &Path,
        label: &str,
        rows: &mut [Row<F>],
    ) -> Result<Classes, Error> {
        let wrong = |reason: String| Error::data(path, reason);
        let [first, second] = match <[String; 2]>::try_from(self.values) {
            Ok(values) => values,
            Err(values) => {
                return Err(wrong(format!(
                    "{label} must take exactly two values, got {} (--positive and \
                     --negative declare them)",
                    values.len()
                )));
            }
        };
        let numbers = (rational::parse(&first), rational::parse(&second));
        let second_is_positive = match (&self.declared.positive, &self.declared.negative, numbers) {
            (Some(positive), _, _) => *positive == second,
            (None, Some(negative), _) => *negative == first,
            (None, None, (Ok(first), Ok(second))) => {
                if first == second {
                    return Err(wrong(format!(
                        "{label} writes one number in two ways: say which is which \
                         with --positive"
                    )));
                }
                second > first
            }
            (None, None, _) => second > first,
        };
        for row in rows {
            let is_positive = (row.label == 1) == second_is_positive || row.label == DROPPED;
            row.label = if is_positive { 1 } else { -1 };
        }
        let (positive, negative) = if second_is_positive {
            (second, first)
        } else {
            (first, second)
        };
        Ok(Classes { positive, negative })
    }
}
