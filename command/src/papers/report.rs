//! What is printed about a model. What is not private stands in no model, and is printed only when asked for.

use super::held_out::Told;
use super::model::Privacy;
use crate::table::Label;
use dp_assay::number::{Rational, rational};
use dp_assay_audit::report::{aligned, row};
use serde::Serializer;
use std::collections::BTreeMap;

/// What is printed about a model.
#[derive(Debug, serde::Serialize)]
pub struct Report {
    pub model: String,
    pub algorithm: String,
    pub privacy: Privacy,
    pub cautions: Vec<String>,
    pub parameters: BTreeMap<String, String>,
    pub parameters_from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training_records: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out_records: Option<usize>,
    pub coordinates: usize,
    pub grid_bits: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// In the units of which errors of numbers are printed.
    #[serde(skip)]
    pub label: Label,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_private: Option<NotPrivate>,
}

/// What a theorem promises of the error.
#[derive(Debug, serde::Serialize)]
pub struct Bound {
    /// The bound in words, with its numbers.
    pub statement: String,
    /// Whether it says nothing, as an error bound of 1/2 does.
    pub vacuous: bool,
    /// The bound on the error, if it says something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_at_most: Option<String>,
}

impl Bound {
    /// The error is at most this, as the statement says.
    pub fn at_most(error: String, statement: String) -> Self {
        Self {
            statement,
            vacuous: false,
            error_at_most: Some(error),
        }
    }

    /// A bound that says nothing, and why.
    pub fn vacuous(reason: String) -> Self {
        Self {
            statement: reason,
            vacuous: true,
            error_at_most: None,
        }
    }
}

/// What is computed from the records without noise.
#[derive(Debug, serde::Serialize)]
pub struct NotPrivate {
    pub training_records: usize,
    pub held_out_records: usize,
    pub clipped: u64,
    #[serde(skip_serializing_if = "Scores::is_empty")]
    pub training: Scores,
    #[serde(skip_serializing_if = "Scores::is_empty")]
    pub held_out: Scores,
}

/// How well each predictor does on some records; empty if there are none.
#[derive(Debug, Default)]
pub struct Scores(pub Vec<(&'static str, Score)>);

/// How well a predictor does.
#[derive(Debug, Clone, Copy)]
pub enum Score {
    /// How many of the records it has wrong.
    Wrong(u64, usize),
    /// Its root mean squared error, in the label's units.
    RootMeanSquare(f64),
}

impl Scores {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn rows(&self, records: &str) -> impl Iterator<Item = (String, String)> {
        self.0.iter().map(move |(who, score)| {
            let (what, value) = match score {
                Score::Wrong(wrong, of) => {
                    let share = Rational::new((*wrong).into(), (*of).max(1).into());
                    let share = rational::to_scientific(&share, 4);
                    ("error", format!("{share} ({wrong} of {of})"))
                }
                Score::RootMeanSquare(error) => ("root mean squared error", format!("{error:.4}")),
            };
            let name = format!("{records} {what}, {}", who.replace('_', " "));
            (name, value)
        })
    }
}

impl serde::Serialize for Scores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(who, score)| (who, score)))
    }
}

impl serde::Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Wrong(wrong, _) => serializer.serialize_u64(*wrong),
            Self::RootMeanSquare(error) => serializer.serialize_f64(*error),
        }
    }
}

impl Report {
    /// The report for people.
    pub fn render(&self) -> String {
        let mut text = format!("{} -> {}\n\nPrivacy\n", self.algorithm, self.model);
        let privacy = &self.privacy;
        text += &aligned(
            &[
                row("statement", privacy.statement.clone()),
                row("epsilon", privacy.epsilon.clone()),
                row("delta", privacy.delta.clone()),
                row("neighbours", privacy.neighbours.clone()),
                row("coins", privacy.coins.clone()),
            ],
            "  ",
        );
        text += &format!("\nParameters (from: {})\n", self.parameters_from);
        let records = [
            ("training records", self.training_records),
            ("held-out records", self.held_out_records),
        ];
        let mut parameters: Vec<_> = records
            .into_iter()
            .filter_map(|(name, count)| Some(row(name, count?.to_string())))
            .collect();
        parameters.push(row("coordinates", self.coordinates.to_string()));
        parameters.push(row("grid bits", self.grid_bits.to_string()));
        parameters.extend(
            self.parameters
                .iter()
                .map(|(name, value)| row(name.replace('_', " "), short(value))),
        );
        text += &aligned(&parameters, "  ");
        if let Some(told) = &self.held_out {
            text += "\nThe held-out records\n";
            text += &aligned(&told.rows(&self.label), "  ");
        }
        if let Some(found) = &self.not_private {
            text += "\nNOT PRIVATE: these lines are computed from the records without noise\n";
            let mut lines = vec![
                row("training records", found.training_records.to_string()),
                row("held-out records", found.held_out_records.to_string()),
                row("clipped records", found.clipped.to_string()),
            ];
            lines.extend(found.training.rows("training"));
            lines.extend(found.held_out.rows("held-out"));
            text += &aligned(&lines, "  ");
        }
        if let Some(bound) = &self.bound {
            let vacuous = if bound.vacuous { " (vacuous here)" } else { "" };
            text += &format!("\nThe bound{vacuous}\n  {}\n", bound.statement);
        }
        text
    }
}

/// A number as it is, or to ten digits if it is long.
fn short(value: &str) -> String {
    const LONG: usize = 32;
    if value.len() <= LONG {
        return value.to_owned();
    }
    rational::parse(value).map_or_else(
        |_| value.to_owned(),
        |number| {
            format!(
                "about {} (exact in the model)",
                rational::to_scientific(&number, 10)
            )
        },
    )
}
