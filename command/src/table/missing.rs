//! What stands for a missing value, and what is made of it.
//!
//! Rules are public, and look at one record alone: datasets that differ in one record still do so afterwards, and a learner
//! is as private on what the rules make of them as it was. Where the number of records is public a record that is dropped
//! stays, as the zero record, so that the number stays what it was; under addition and removal it is left out.

use crate::error::Error;
use dp_assay::number::shortened;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What is made of a missing value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Rule {
    /// The record is dropped.
    Drop,
    /// Its coordinate is 0: the middle of the interval, or none of the values of a category.
    Zero,
    /// It is read as if it were this.
    Fill(String),
}

impl TryFrom<String> for Rule {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(match (text.as_str(), text.strip_prefix("fill:")) {
            ("drop", _) => Self::Drop,
            ("zero", _) => Self::Zero,
            (_, Some(value)) if !value.trim().is_empty() => Self::Fill(value.trim().to_owned()),
            _ => {
                return Err(format!(
                    "the rule '{}' must be drop, zero or fill:X",
                    shortened(&text)
                ));
            }
        })
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.to_string()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Drop => f.write_str("drop"),
            Self::Zero => f.write_str("zero"),
            Self::Fill(value) => write!(f, "fill:{value}"),
        }
    }
}

/// `RULE` or `COLUMN=RULE`.
#[derive(Debug, Clone)]
pub struct DeclaredRule {
    /// Otherwise it is of all columns.
    pub column: Option<String>,
    /// The rule.
    pub rule: Rule,
}

/// Reads `RULE` or `COLUMN=RULE`.
pub fn declared_rule(text: &str) -> Result<DeclaredRule, String> {
    if let Ok(rule) = Rule::try_from(text.to_owned()) {
        return Ok(DeclaredRule { column: None, rule });
    }
    let at = ["=drop", "=zero", "=fill:"]
        .iter()
        .find_map(|rule| text.find(rule));
    let (column, rule) = text.split_at(at.unwrap_or(text.len()));
    let rule = Rule::try_from(rule.trim_start_matches('=').to_owned())
        .map_err(|_| "write drop, zero or fill:X, or of one column COLUMN=drop")?;
    let column = Some(column.trim().to_owned());
    Ok(DeclaredRule { column, rule })
}

/// The rules of a table; they stand in its models.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// Of columns that have no rule of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    all: Option<Rule>,
    /// Of single columns.
    columns: BTreeMap<String, Rule>,
    /// What stands for a missing value besides the usual marks.
    marks: Vec<String>,
}

/// What usually stands for a missing value, besides nothing at all; in any case of its letters.
const USUAL_MARKS: [&str; 5] = ["NA", "N/A", "NaN", "null", "?"];

/// Whether a field is empty, or one of the usual marks.
pub fn is_usual_mark(field: &[u8]) -> bool {
    let is = |mark: &&str| field.eq_ignore_ascii_case(mark.as_bytes());
    field.is_empty() || USUAL_MARKS.iter().any(is)
}

/// What a field that looks missing is told, where no rule says what it means.
pub const NO_RULE: &str = "it is empty, or looks like a mark for a missing value: --missing drop, zero or fill:X says what \
                           that means, and --missing COLUMN=drop for one column";

impl Missing {
    /// The rules and marks that were given; nothing if none were.
    pub fn of(rules: &[DeclaredRule], marks: &[String]) -> Result<Option<Self>, Error> {
        let mut missing = Self {
            marks: marks.iter().map(|mark| mark.trim().to_owned()).collect(),
            ..Self::default()
        };
        if rules.is_empty() {
            return match marks.first() {
                None => Ok(None),
                Some(mark) => Err(Error::Usage(format!(
                    "--missing-mark {mark} needs a rule: --missing drop, zero or fill:X says what is made of it"
                ))),
            };
        }
        for DeclaredRule { column, rule } in rules {
            let before = match column {
                None => missing.all.replace(rule.clone()),
                Some(name) => missing.columns.insert(name.clone(), rule.clone()),
            };
            if before.is_some() {
                let whose = column
                    .as_ref()
                    .map_or(String::new(), |name| format!("{name}="));
                return Err(Error::Usage(format!(
                    "--missing {whose}{rule}: a rule is given twice"
                )));
            }
        }
        Ok(Some(missing))
    }

    /// The rule of a column.
    pub fn rule(&self, column: &str) -> Option<&Rule> {
        self.columns.get(column).or(self.all.as_ref())
    }

    /// The columns that have rules of their own, with these.
    pub fn columns(&self) -> impl Iterator<Item = (&String, &Rule)> {
        self.columns.iter()
    }

    /// Whether a field stands for a missing value.
    pub fn is_mark(&self, field: &[u8]) -> bool {
        is_usual_mark(field) || self.marks.iter().any(|mark| mark.as_bytes() == field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_of_all_columns_or_of_one() {
        for (text, column, rule) in [
            ("drop", None, "drop"),
            ("zero", None, "zero"),
            ("fill:-1.5", None, "fill:-1.5"),
            ("fill:a=b", None, "fill:a=b"),
            ("age=drop", Some("age"), "drop"),
            ("a=b=zero", Some("a=b"), "zero"),
            (
                "body mass = x=fill: red ",
                Some("body mass = x"),
                "fill:red",
            ),
        ] {
            let found = declared_rule(text).unwrap();
            assert_eq!(found.column.as_deref(), column, "{text}");
            assert_eq!(found.rule.to_string(), rule, "{text}");
        }
        for wrong in ["", "mean", "fill:", "age", "age=mean", "age=fill:"] {
            let said = declared_rule(wrong).unwrap_err();
            assert!(said.contains("drop, zero or fill:X"), "{wrong}: {said}");
        }
    }

    #[test]
    fn rules_are_given_once_and_marks_need_one() {
        let of = |rules: &[&str], marks: &[&str]| {
            let rules: Vec<_> = rules
                .iter()
                .map(|rule| declared_rule(rule).unwrap())
                .collect();
            let marks: Vec<_> = marks.iter().map(|mark| (*mark).to_owned()).collect();
            Missing::of(&rules, &marks).map_err(|error| error.to_string())
        };
        assert_eq!(of(&[], &[]), Ok(None));
        let missing = of(&["drop", "a=fill:3"], &["-999"]).unwrap().unwrap();
        assert_eq!(missing.rule("a"), Some(&Rule::Fill("3".to_owned())));
        assert_eq!(missing.rule("b"), Some(&Rule::Drop));
        for mark in ["", "na", "NA", "n/a", "nan", "NULL", "?", "-999"] {
            assert!(missing.is_mark(mark.as_bytes()), "{mark}");
        }
        for value in ["0", "-99", "none", "N A"] {
            assert!(!missing.is_mark(value.as_bytes()), "{value}");
        }
        assert!(of(&["drop", "zero"], &[]).unwrap_err().contains("twice"));
        assert!(
            of(&["a=drop", "a=zero"], &[])
                .unwrap_err()
                .contains("a=zero: a rule is given twice")
        );
        assert!(of(&[], &["-999"]).unwrap_err().contains("needs a rule"));
    }

    #[test]
    fn the_rules_survive_a_model_file() {
        let rules = ["drop", "a=fill:3", "b=zero"].map(|rule| declared_rule(rule).unwrap());
        let missing = Missing::of(&rules, &["-".to_owned()]).unwrap().unwrap();
        let text = serde_json::to_string(&missing).unwrap();
        let expected = r#"{"all":"drop","columns":{"a":"fill:3","b":"zero"},"marks":["-"]}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Missing>(&text).unwrap(), missing);
        assert!(serde_json::from_str::<Missing>(&text.replace("fill:3", "mean")).is_err());
    }
}
