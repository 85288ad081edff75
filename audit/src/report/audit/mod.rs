//! The report of one audit: the same sentences for a terminal, a browser, programs and continuous integration.
//!
//! [`claim`], [`law`], [`map`] and [`replay`] tell what was found, with [`beliefs`], [`lines`], [`repetition`] and [`power`], as
//! one [`AuditReport`]. [`sarif`] is the form of it that code scanning reads.

mod beliefs;
pub mod claim;
pub mod law;
pub mod lines;
pub mod map;
mod power;
mod repetition;
pub mod replay;
mod sarif;

use super::files::ReportFiles;
use super::html;
use super::suites::{self, Case, Status, Suite};
use super::table::{aligned, row};
use crate::error::Error;
use crate::output::{self, printable};
use crate::targets::{Asked, quoted};
use dp_assay::number::rational::{from_f64, to_scientific};
use serde_json::{Value, json};
use std::path::Path;

/// Names and what is said of them.
pub type Rows = Vec<(String, String)>;

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
    fn all_rows(&self, replay: &str) -> Rows {
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

    /// What its files say, in their order.
    pub fn texts(&self) -> Result<[String; FILES.len()], Error> {
        let replay = replay(std::env::args_os().map(|word| word.to_string_lossy().into_owned()));
        let mut json = self.json.clone();
        if let Some(fields) = json.as_object_mut() {
            fields.insert("replay".to_owned(), Value::from(replay.clone()));
        }
        // Where there is no current directory, no script is found in it.
        let directory = std::env::current_dir().unwrap_or_default();
        Ok([
            output::json(&json)?,
            html::page(&self.says, &self.all_rows(&replay)),
            self.junit(&replay)?,
            output::json(&sarif::log(self, &replay, &directory))?,
        ])
    }

    /// For continuous integration: a violation is a failure, and an inconclusive audit is an error. A program that
    /// contradicts itself fails a case of its own.
    fn junit(&self, replay: &str) -> Result<String, Error> {
        let says = || self.says.clone();
        let case = |name: &str, status, text| Case {
            name: name.to_owned(),
            class: self.target.clone(),
            status,
            time: None,
            text,
        };
        let status = match self.conclusion {
            Conclusion::NotRefuted => Status::Passed,
            Conclusion::Refuted => Status::Failed(says()),
            Conclusion::Inconclusive => Status::Error(says()),
        };
        let text = aligned(&self.all_rows(replay), "");
        let mut cases = vec![case(&self.question, status, text)];
        cases.extend(self.contradiction.iter().map(|contradiction| {
            let status = Status::Failed(contradiction.clone());
            case(
                "what the program says about its own noise",
                status,
                String::new(),
            )
        }));
        let suite = Suite {
            name: "assay audit".to_owned(),
            properties: Vec::new(),
            cases,
        };
        suites::document("assay audit", &[suite])
    }
}

/// The names of its files.
const FILES: [&str; 4] = ["report.json", "report.html", "report.xml", "report.sarif"];

/// The files of `--report` in this directory.
pub fn files(directory: &Path) -> Result<ReportFiles, Error> {
    ReportFiles::new(directory, &FILES)
}

/// The command that repeats this one, for a shell. The directory of the report is left out.
fn replay(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["assay".to_owned()];
    let mut arguments = arguments.skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--report" => drop(arguments.next()),
            _ if argument.starts_with("--report=") => {}
            _ => words.push(quoted(&[argument])),
        }
    }
    words.join(" ")
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

    #[test]
    fn the_replay_is_quoted_for_a_shell_and_leaves_the_report_out() {
        let words = "x|audit|--report|out|--target|sh -c 'a'|--report=b|--law|".split('|');
        let command = replay(words.map(ToOwned::to_owned));
        assert_eq!(command, r"assay audit --target 'sh -c '\''a'\''' --law ''");
    }

    #[test]
    fn continuous_integration_sees_a_violation_fail_and_a_failure_as_an_error() {
        for (conclusion, word) in [
            (Conclusion::NotRefuted, "failures=\"0\" errors=\"0\""),
            (Conclusion::Refuted, "failures=\"1\" errors=\"0\""),
            (Conclusion::Inconclusive, "failures=\"0\" errors=\"1\""),
        ] {
            let text = report(conclusion).junit("assay").unwrap();
            assert!(text.contains(word), "{text}");
            assert!(!text.contains("=\"violation: <script>"), "{text}");
        }
    }

    #[test]
    fn continuous_integration_sees_a_contradiction_as_a_failure_beside_the_verdict() {
        let contradicted = AuditReport {
            contradiction: Some("a distance of 2".to_owned()),
            ..report(Conclusion::NotRefuted)
        };
        let text = contradicted.junit("assay").unwrap();
        for word in ["tests=\"2\"", "failures=\"1\"", "a distance of 2"] {
            assert!(text.contains(word), "{word}: {text}");
        }
    }

    #[test]
    fn nothing_that_a_program_says_becomes_markup() {
        let report = report(Conclusion::Refuted);
        let page = html::page(&report.says, &report.all_rows("assay 'x'"));
        for wrong in ["<script>", "<b>", "& ", "\"more\""] {
            assert!(!page.contains(wrong), "{wrong}: {page}");
        }
        for right in [
            "&lt;script&gt;",
            "&amp; &quot;more&quot;",
            "assay &#39;x&#39;",
        ] {
            assert!(page.contains(right), "{right}: {page}");
        }
    }
}
