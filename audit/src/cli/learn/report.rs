//! What is printed about a model, and stands nowhere in it: errors on the data, and the bound.

use super::Bound;
use crate::model::Privacy;
use crate::report::table::aligned;
use dp_assay::number::{Rational, rational};
use std::collections::BTreeMap;

/// What is printed about a model.
#[derive(Debug, serde::Serialize)]
pub struct Report {
    pub model: String,
    pub algorithm: String,
    pub privacy: Privacy,
    pub parameters: BTreeMap<String, String>,
    pub parameters_from: String,
    pub training_records: usize,
    pub held_out_records: usize,
    pub coordinates: usize,
    pub grid_bits: u32,
    pub bound: Bound,
    pub not_private: NotPrivate,
}

/// What is computed from the data without noise.
#[derive(Debug, serde::Serialize)]
pub struct NotPrivate {
    pub training: Errors,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Errors>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clipped: Option<u64>,
}

/// How many of the records each classifier has wrong.
#[derive(Debug, serde::Serialize)]
pub struct Errors {
    pub records: u64,
    pub private_model: u64,
    pub non_private_baseline: u64,
    pub majority_class: u64,
}

impl Report {
    /// The report for people.
    pub fn render(&self) -> String {
        let row = |name: &str, value: String| (name.to_owned(), value);
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
        let mut parameters = vec![
            row("training records", self.training_records.to_string()),
            row("held-out records", self.held_out_records.to_string()),
            row("coordinates", self.coordinates.to_string()),
            row("grid bits", self.grid_bits.to_string()),
        ];
        parameters.extend(
            self.parameters
                .iter()
                .map(|(name, value)| row(&name.replace('_', " "), short(value))),
        );
        text += &aligned(&parameters, "  ");
        text += "\nNOT PRIVATE: these lines are computed from the data without noise\n";
        let mut lines = self.not_private.training.rows("training error");
        if let Some(held_out) = &self.not_private.held_out {
            lines.extend(held_out.rows("held-out error"));
        }
        if let Some(clipped) = self.not_private.clipped {
            lines.push(row("records clipped onto the box", clipped.to_string()));
        }
        text += &aligned(&lines, "  ");
        let vacuous = if self.bound.vacuous {
            " (vacuous here)"
        } else {
            ""
        };
        text + &format!("\nThe bound{vacuous}\n  {}\n", self.bound.statement)
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

impl Errors {
    fn rows(&self, what: &str) -> Vec<(String, String)> {
        let line = |who: &str, wrong: u64| {
            let share = Rational::new(wrong.into(), self.records.max(1).into());
            (
                format!("{what}, {who}"),
                format!(
                    "{} ({wrong} of {})",
                    rational::to_scientific(&share, 4),
                    self.records
                ),
            )
        };
        vec![
            line("this model", self.private_model),
            line("non-private baseline", self.non_private_baseline),
            line("majority class", self.majority_class),
        ]
    }
}
