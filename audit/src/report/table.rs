//! The ledger for people: one line a claim, and a summary.

use super::{Finding, Ledger, arithmetic, named_figures};
use dp_assay::ledger::{Effort, Status};
use std::borrow::Cow;

/// The whole ledger; with `figures` also statement, method, figures and how to replay each.
pub fn render(ledger: &Ledger, figures: bool, colour: bool) -> String {
    let paint = Paint { colour };
    let width = ledger
        .findings
        .iter()
        .map(|finding| finding.claim.id.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for finding in &ledger.findings {
        text += &line(finding, width, paint);
        text.push('\n');
        if figures {
            text += &details(finding, &ledger.effort);
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &summary(ledger, paint) + "\n"
}

/// `nuz20.thm6  verified               scope`, or `nuz20.thm6  refuted != verified  scope`.
fn line(finding: &Finding, width: usize, paint: Paint) -> String {
    const STATUS_WIDTH: usize = "could not run".len();
    let claim = &finding.claim;
    let (word, style, rest) = match &finding.result {
        Err(error) => ("could not run".to_owned(), Style::Bad, error.as_str()),
        Ok(evidence) => {
            let style = match evidence.status {
                _ if !finding.as_expected() => Style::Bad,
                Status::Verified | Status::Supported => Style::Good,
                Status::Refuted => Style::Notable,
                Status::Open => Style::Plain,
            };
            let word = if finding.as_expected() {
                evidence.status.to_string()
            } else {
                format!("{} != {}", evidence.status, claim.expects)
            };
            (word, style, evidence.scope.as_str())
        }
    };
    let padding = " ".repeat(STATUS_WIDTH.saturating_sub(word.len()));
    format!(
        "{:width$}  {}{padding}  {rest}",
        claim.id,
        paint.with(style, &word)
    )
}

fn details(finding: &Finding, effort: &Effort) -> String {
    let claim = &finding.claim;
    let mut rows = vec![
        (
            "source".to_owned(),
            format!("{}, {}", claim.paper, claim.item),
        ),
        ("statement".to_owned(), claim.statement.to_owned()),
    ];
    if let Ok(evidence) = &finding.result {
        rows.push(("method".to_owned(), evidence.method.to_owned()));
        for (name, value) in named_figures(evidence) {
            rows.push((name, value.to_owned()));
        }
    }
    rows.push(("replay".to_owned(), claim.replay(effort)));
    aligned(&rows, "    ")
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

/// `12 claims: 9 verified, 2 supported, 1 refuted, 0 open; all as expected; one arithmetic (...)`.
fn summary(ledger: &Ledger, paint: Paint) -> String {
    let counts: Vec<String> = [
        Status::Verified,
        Status::Supported,
        Status::Refuted,
        Status::Open,
    ]
    .iter()
    .map(|&status| format!("{} {status}", ledger.count(status)))
    .collect();
    let total = ledger.findings.len();
    let noun = if total == 1 { "claim" } else { "claims" };
    let mut verdicts = Vec::new();
    match ledger.not_as_expected() {
        0 if ledger.could_not_run() == 0 => {
            verdicts.push(paint.with(Style::Good, "all as expected"));
        }
        count => verdicts.push(paint.with(
            if count == 0 { Style::Plain } else { Style::Bad },
            &format!("{count} not as expected"),
        )),
    }
    if ledger.could_not_run() > 0 {
        let text = format!("{} could not run", ledger.could_not_run());
        verdicts.push(paint.with(Style::Bad, &text));
    }
    format!(
        "{total} {noun}: {}; {}; {}",
        counts.join(", "),
        verdicts.join(", "),
        arithmetic()
    )
}

#[derive(Debug, Clone, Copy)]
enum Style {
    Plain,
    Good,
    Notable,
    Bad,
}

/// Colours, or none.
#[derive(Debug, Clone, Copy)]
struct Paint {
    colour: bool,
}

impl Paint {
    fn with(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Good => "32",
            Style::Notable => "33",
            Style::Bad => "1;31",
            Style::Plain => return text.to_owned(),
        };
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::ledger::{Claim, Evidence, LedgerError};

    fn never(_: &Effort) -> Result<Evidence, LedgerError> {
        Err(LedgerError::NoSuchClaim {
            pattern: String::new(),
        })
    }

    fn claim(id: &'static str, expects: Status) -> Claim {
        Claim {
            id,
            paper: "p",
            item: "Theorem 1",
            statement: "A statement.",
            as_printed: true,
            expects,
            check: never,
        }
    }

    fn ledger() -> Ledger {
        Ledger {
            findings: vec![
                Finding {
                    claim: claim("p.a", Status::Verified),
                    result: Ok(Evidence::new("m", Status::Verified, "n <= 4").figure("sup", "1/2")),
                },
                Finding {
                    claim: claim("p.long", Status::Verified),
                    result: Ok(Evidence::new("m", Status::Refuted, "n = 2")),
                },
                Finding {
                    claim: claim("p.c", Status::Open),
                    result: Err("no luck".to_owned()),
                },
            ],
            effort: Effort::default(),
        }
    }

    #[test]
    fn what_is_not_as_expected_is_marked() {
        let text = render(&ledger(), false, false);
        assert_eq!(
            text.lines().take(3).collect::<Vec<_>>(),
            [
                "p.a     verified       n <= 4",
                "p.long  refuted != verified  n = 2",
                "p.c     could not run  no luck",
            ]
        );
        assert!(text.contains(
            "3 claims: 1 verified, 0 supported, 1 refuted, 0 open; 1 not as expected, 1 could not run"
        ));
    }

    #[test]
    fn figures_are_printed_when_asked_for() {
        let text = render(&ledger(), true, false);
        assert!(text.contains("    sup        1/2\n"), "{text}");
        assert!(text.contains("    replay     assay verify p.a --figures --seed 1\n"));
    }

    #[test]
    fn colours_are_given_only_when_asked_for() {
        assert!(!render(&ledger(), true, false).contains('\x1b'));
        assert!(render(&ledger(), true, true).contains("\x1b[1;31mrefuted != verified\x1b[0m"));
    }

    #[test]
    fn a_could_not_run_is_an_error_in_junit_and_has_its_reason_in_json() {
        let xml = super::super::junit::render(&ledger()).unwrap();
        assert!(xml.contains("<error message=\"no luck\""), "{xml}");
        assert!(xml.contains("<failure message=\"refuted, but expected verified\""));
        let json = serde_json::to_value(super::super::json::LedgerReport::from(&ledger())).unwrap();
        assert_eq!(json["claims"][2]["status"], "could-not-run");
        assert_eq!(json["claims"][2]["evidence"]["error"], "no luck");
        assert_eq!(json["claims"][0]["evidence"]["figures"]["sup"], "1/2");
    }
}
