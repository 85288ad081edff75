//! The files of an audit's report: for programs, for a browser, for continuous integration and for code scanning.

mod html;
mod sarif;

use crate::error::Error;
use crate::junit::{Case, Status, Suite, document};
use crate::output;
use crate::report_files::ReportFiles;
use dp_assay_audit::report::{AuditReport, Conclusion, aligned};
use dp_assay_audit::targets::quoted;
use serde_json::Value;
use std::path::Path;

/// What its files say, in their order.
pub fn texts(report: &AuditReport) -> Result<[String; FILES.len()], Error> {
    let replay = replay(std::env::args_os().map(|word| word.to_string_lossy().into_owned()));
    let mut json = report.json.clone();
    if let Some(fields) = json.as_object_mut() {
        fields.insert("replay".to_owned(), Value::from(replay.clone()));
    }
    // Where there is no current directory, no script is found in it.
    let directory = std::env::current_dir().unwrap_or_default();
    Ok([
        output::json(&json)?,
        html::page(&report.says, &report.all_rows(&replay)),
        junit(report, &replay)?,
        output::json(&sarif::log(report, &replay, &directory))?,
    ])
}

/// For continuous integration: a violation is a failure, and an inconclusive audit is an error. A program that
/// contradicts itself fails a case of its own.
fn junit(report: &AuditReport, replay: &str) -> Result<String, Error> {
    let says = || report.says.clone();
    let case = |name: &str, status, text| Case {
        name: name.to_owned(),
        class: report.target.clone(),
        status,
        time: None,
        text,
    };
    let status = match report.conclusion {
        Conclusion::NotRefuted => Status::Passed,
        Conclusion::Refuted => Status::Failed(says()),
        Conclusion::Inconclusive => Status::Error(says()),
    };
    let text = aligned(&report.all_rows(replay), "");
    let mut cases = vec![case(&report.question, status, text)];
    cases.extend(report.contradiction.iter().map(|contradiction| {
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
    document("assay audit", &[suite])
}

/// The names of its files.
pub const FILES: [&str; 4] = ["report.json", "report.html", "report.xml", "report.sarif"];

/// The files of `--report` in this directory, if one is given; they may be none of `inputs`.
pub fn files(directory: Option<&Path>, inputs: &[&Path]) -> Result<Option<ReportFiles>, Error> {
    ReportFiles::asked(directory, &FILES, inputs)
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
    use dp_assay_audit::report::row;
    use serde_json::json;

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
            let text = junit(&report(conclusion), "assay").unwrap();
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
        let text = junit(&contradicted, "assay").unwrap();
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
