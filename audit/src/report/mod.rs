//! The report of one audit: the same sentences for a terminal, a browser, programs and continuous integration.
//!
//! [`claim`], [`law`], [`map`], [`replay`] and [`scores`] tell what was found, with [`beliefs`], [`lines`], [`times`], [`repetition`] and [`power`], as
//! one [`AuditReport`].

mod beliefs;
pub mod claim;
mod estimate;
pub mod law;
pub mod lines;
pub mod map;
mod power;
mod repetition;
pub mod replay;
pub mod scores;
mod times;

use crate::targets::{Analyst, Asked, TargetError};
use dp_assay::number::rational::{from_f64, to_scientific};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Names and what is said of them.
pub type Rows = Vec<(String, String)>;

/// A row of a name and a value.
pub fn row(name: impl Into<String>, value: impl Into<String>) -> (String, String) {
    (name.into(), value.into())
}

/// Rows of a name and a value, the values under each other.
pub fn aligned(rows: &[(String, String)], indent: &str) -> String {
    let width = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    rows.iter()
        .map(|(name, value)| {
            let (name, value) = (printable(name), printable(value));
            format!("{indent}{name:width$}  {value}\n")
        })
        .collect()
}

/// Text with everything escaped that a terminal would obey, or that turns the order of letters: data, programs and file
/// names may hold it.
pub fn printable(text: &str) -> Cow<'_, str> {
    let obeyed = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match obeyed(letter) {
            true => safe.extend(letter.escape_default()),
            false => safe.push(letter),
        }
    }
    Cow::Owned(safe)
}

/// A float that is only printed, in four digits.
pub fn short(value: f64) -> String {
    from_f64(value).map_or_else(|error| error.to_string(), |exact| to_scientific(&exact, 3))
}

/// What is concluded, of a claim or of a law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// No proof was found.
    NotRefuted,
    /// It is proved to be false.
    Refuted,
    /// Nothing: the target failed before there was a proof.
    Inconclusive,
}

impl Conclusion {
    /// By whether it is proved to be false.
    #[must_use]
    pub const fn of(is_refuted: bool) -> Self {
        match is_refuted {
            true => Self::Refuted,
            false => Self::NotRefuted,
        }
    }
}

/// The row of a program that failed after the proof.
fn failed_afterwards(failure: Option<&TargetError>) -> Rows {
    let stands = "the program failed, and the proof before that stands";
    let said = |error| row("after the proof", format!("{stands}: {error}"));
    failure.map(said).into_iter().collect()
}

/// What an audit says.
#[derive(Debug)]
pub struct AuditReport {
    /// The conclusion.
    pub conclusion: Conclusion,
    /// The program that was audited, as it was typed.
    pub target: String,
    /// What was claimed, as a sentence without an end.
    pub question: String,
    /// The verdict, in one line.
    pub says: String,
    /// How the program contradicts itself, if it does: a question of its own, which does not decide the exit status.
    pub contradiction: Option<String>,
    /// Faults of the program or of its answers, beside the verdict. Always shown, first.
    pub warnings: Rows,
    /// What was found.
    pub rows: Rows,
    /// The grounds of the verdict, the limits of the audit, and its cost.
    pub more: Rows,
    /// What is written to files alone.
    pub details: Rows,
    /// All of it, for programs.
    pub json: Value,
}

impl AuditReport {
    /// An audit that concludes nothing, because the target failed; the seed is that of the auditor's own coins, if it
    /// tossed any.
    pub fn inconclusive(question: String, target: &str, reason: &str, seed: Option<u64>) -> Self {
        let not_seen = "everything: the program failed, and nothing is concluded from its answers";
        let mut details = vec![row("not seen", not_seen.to_owned())];
        details.extend(seed.map(|seed| row("seed", seed.to_string())));
        Self {
            conclusion: Conclusion::Inconclusive,
            target: target.to_owned(),
            question,
            says: format!("inconclusive: {reason}"),
            contradiction: None,
            warnings: Vec::new(),
            rows: Vec::new(),
            more: Vec::new(),
            details,
            json: json!({
                "verdict": "inconclusive",
                "reason": reason,
                "epsilon_lower": null,
                "seed": seed,
                "version": env!("CARGO_PKG_VERSION"),
            }),
        }
    }

    /// With what was asked, for programs.
    pub fn asking(mut self, question: Value) -> Self {
        if let (Some(report), Value::Object(question)) = (self.json.as_object_mut(), question) {
            report.extend(question);
        }
        self
    }

    /// With the last request, so that it can be repeated by hand.
    pub fn after(mut self, asked: Option<&Asked>) -> Self {
        if let Some(asked) = asked {
            self.rows.push(row("the last request", asked.to_string()));
            self.json["request"] = json!({
                "number": asked.number, "n": asked.outputs, "data": asked.data,
            });
        }
        self
    }

    /// Of a program that answers by sessions, with who asked.
    pub fn held_by(mut self, analyst: &Analyst) -> Self {
        self.more.push(row("analyst", analyst.to_string()));
        self.json["analyst"] = analyst.as_json();
        self
    }

    /// With what was noted of the program, before all other rows.
    pub fn noting(mut self, notes: Vec<String>) -> Self {
        self.json["notes"] = json!(notes);
        let rows = notes.into_iter().map(|note| row("note", note));
        self.warnings.splice(0..0, rows);
        self
    }

    /// The verdict, what is wrong, and what was found.
    pub fn leading(&self) -> String {
        let rows = [&self.warnings[..], &self.rows].concat();
        format!("{}\n{}", printable(&self.says), aligned(&rows, "  "))
    }

    /// For a terminal: the verdict, what is wrong, and what was found; the rest if it is asked for.
    pub fn text(&self, verbose: bool) -> String {
        let mut rows = self.warnings.clone();
        rows.extend_from_slice(&self.rows);
        let mut rest = String::new();
        if verbose {
            rows.extend_from_slice(&self.more);
        } else if !self.more.is_empty() {
            rest = format!(
                "--verbose: {} more rows, with the limits of this audit\n",
                self.more.len()
            );
        }
        format!("{}\n{}{rest}", printable(&self.says), aligned(&rows, "  "))
    }

    /// Every row of the files.
    pub fn all_rows(&self, replay: &str) -> Rows {
        let mut rows = vec![
            row("claim", &self.question),
            row("program", &self.target),
            row("verdict", &self.says),
        ];
        let all = [&self.warnings, &self.rows, &self.more, &self.details];
        rows.extend(all.into_iter().flatten().cloned());
        rows.push(row(
            "version",
            concat!("dp-assay-audit ", env!("CARGO_PKG_VERSION")),
        ));
        rows.push(row("replay", replay));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(conclusion: Conclusion) -> AuditReport {
        AuditReport {
            conclusion,
            target: "sh -c '<b>'".to_owned(),
            question: "the program is (1, 0)-private".to_owned(),
            says: "violation: <script>".to_owned(),
            contradiction: None,
            rows: vec![("event".to_owned(), "output & \"more\"".to_owned())],
            warnings: Vec::new(),
            more: vec![row("calls", "400")],
            details: Vec::new(),
            json: json!({}),
        }
    }

    #[test]
    fn a_terminal_shows_what_was_found_and_the_rest_if_it_is_asked_for() {
        let mut report = report(Conclusion::Refuted).noting(vec!["it coughs".to_owned()]);
        report.rows[0].1 = "a\u{1b}[31m red\u{9b} \u{202e}x".to_owned();
        let text = report.text(false);
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "violation: <script>",
                "  note   it coughs",
                "  event  a\\u{1b}[31m red\\u{9b} \\u{202e}x",
                "--verbose: 1 more rows, with the limits of this audit",
            ]
        );
        let text = report.text(true);
        assert!(text.ends_with("  calls  400\n"), "{text}");
    }
}
