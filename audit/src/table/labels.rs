//! What a label is: one of two classes, or a number in a public interval.

use super::columns::Column;
use super::{Records, Row};
use crate::error::Error;
use clap::Args;
use dp_assay::number::rational;
use serde::{Deserialize, Serialize};

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

    /// Which of the values the label of the record read last is: 0 or 1.
    pub(super) fn index(
        &mut self,
        records: &Records,
        line: u64,
        column: usize,
    ) -> Result<i64, Error> {
        let field = records.field(column);
        if let Some(index) = self
            .values
            .iter()
            .position(|value| value.as_bytes() == field)
        {
            return Ok(index as i64);
        }
        let wrong = |reason: &str| records.wrong(line, column, reason);
        if field.is_empty() {
            return Err(wrong("the label is empty: it must be one of two values"));
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

    /// Which value is positive; turns the labels of `rows` from indices into 1 and -1.
    pub(super) fn decide(
        self,
        records: &Records,
        column: usize,
        rows: &mut [Row],
    ) -> Result<Classes, Error> {
        let name = records.header().get(column).cloned().unwrap_or_default();
        let wrong = |reason: String| Error::data(records.path(), reason);
        let [first, second] = match <[String; 2]>::try_from(self.values) {
            Ok(values) => values,
            Err(values) => {
                return Err(wrong(format!(
                    "the label column '{name}' must take exactly two values, got {} (--positive and \
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
                        "the label column '{name}' writes one number in two ways: say which is which \
                         with --positive"
                    )));
                }
                second > first
            }
            (None, None, _) => second > first,
        };
        for row in rows {
            row.label = if (row.label == 1) == second_is_positive {
                1
            } else {
                -1
            };
        }
        let (positive, negative) = if second_is_positive {
            (second, first)
        } else {
            (first, second)
        };
        Ok(Classes { positive, negative })
    }
}
