//! The ledger for people: one line a claim that fits a terminal, by paper, and a summary.

use super::times::{Times, UNIT};
use super::{arithmetic, named_figures};
use dp_assay_audit::report::aligned;
use dp_assay_ledger as ledger;
use dp_assay_ledger::claim::{Evidence, Status};
use dp_assay_ledger::{Ledger, Recheck};

/// The widest line, in characters.
const WIDTH: usize = 100;

/// The whole ledger; with `figures` also all that was found, how to replay it, and how long it took if that is told.
pub fn render(ledger: &Ledger, figures: bool, times: Option<&Times>, colour: bool) -> String {
    let paint = Paint { colour };
    let mut text = String::new();
    let mut paper = "";
    for recheck in &ledger.rechecks {
        if recheck.claim.paper != paper {
            paper = recheck.claim.paper;
            text += &format!("{}\n", paint.with(Style::Heading, &heading(paper)));
        }
        let width = id_width(ledger, paper);
        text += &line(ledger, recheck, width, paint);
        for alias in &recheck.aliases {
            text += &format!("  {alias:width$}  the same as {}\n", recheck.claim.id);
        }
        if figures {
            text += &details(ledger, recheck, times);
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text + &summary(ledger, paint) + "\n"
}

fn heading(paper: &str) -> String {
    match ledger::title(paper) {
        "" => paper.to_owned(),
        title => format!("{paper}: {title}"),
    }
}

/// The width of the ids of a paper. A few long ones stick out rather than push all others aside.
fn id_width(ledger: &Ledger, paper: &str) -> usize {
    ledger
        .rechecks
        .iter()
        .filter(|recheck| recheck.claim.paper == paper)
        .map(|recheck| recheck.claim.id.chars().count())
        .filter(|&width| width <= 30)
        .max()
        .unwrap_or(0)
}

/// `nuz20.thm6  refuted (false)  what is claimed`; and below it what failed.
fn line(ledger: &Ledger, recheck: &Recheck, width: usize, paint: Paint) -> String {
    const STATUS_WIDTH: usize = "refuted (as coded)".len();
    let claim = &recheck.claim;
    let given = ledger.weaknesses(recheck);
    let mut short = claim.short.clone();
    let mut failure = None;
    let (word, style) = match &recheck.result {
        Err(error) => {
            failure = Some(error.clone());
            ("could not run".to_owned(), Style::Bad)
        }
        Ok(evidence) if !recheck.as_expected() => {
            failure = evidence.failure().map(str::to_owned);
            let word = format!("{} != {}", evidence.status(), claim.expected);
            (word, Style::Bad)
        }
        Ok(evidence) => match (evidence.status(), claim.fault) {
            (status, Some(fault)) => (format!("{status} ({fault})"), Style::Notable),
            (Status::Open, None) => ("open".to_owned(), Style::Plain),
            (status, None) if given.is_empty() => (status.to_string(), Style::Good),
            (status, None) => {
                let ids: Vec<String> = given
                    .iter()
                    .map(|weakness| format!("{} ({})", weakness.id, weakness.status))
                    .collect();
                short = format!("{}: {short}", ids.join(", "));
                (format!("{status}, given"), Style::Plain)
            }
        },
    };
    let padding = " ".repeat(STATUS_WIDTH.saturating_sub(word.chars().count()));
    let used = 2 + claim.id.chars().count().max(width) + 2 + word.chars().count() + padding.len();
    let mut text = format!(
        "  {:width$}  {}{padding}  {}\n",
        claim.id,
        paint.with(style, &word),
        cut(&short, WIDTH.saturating_sub(used + 2))
    );
    if let Some(failure) = failure {
        text += &format!("      {failure}\n");
    }
    text
}

/// At most `width` characters of a text, cut between words.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(2)).collect();
    let kept = kept
        .rsplit_once(' ')
        .map_or(kept.as_str(), |(head, _)| head);
    format!("{kept} …")
}

fn details(ledger: &Ledger, recheck: &Recheck, times: Option<&Times>) -> String {
    let claim = &recheck.claim;
    let mut rows = vec![
        (
            "source",
            format!("{}, {} ({})", claim.paper, claim.item, claim.version),
        ),
        ("statement", claim.statement.clone()),
    ];
    rows.extend(claim.reading.clone().map(|reading| ("reading", reading)));
    rows.push(("shown as", ledger.shown(recheck)));
    let mut rows: Vec<(String, String)> = rows
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
    if let Ok(evidence) = &recheck.result {
        if evidence.assertions() > 0 {
            row("executed", executed(evidence));
        } else {
            row("not executed", evidence.scope());
        }
        for counterexample in evidence.counterexamples() {
            row("counterexample", counterexample.clone());
        }
        for (name, value) in named_figures(evidence) {
            row(&name, value.to_owned());
        }
    }
    if claim.proved {
        let refuted = claim.expected == Status::Refuted;
        let what = if refuted {
            "refutation proved"
        } else {
            "proved"
        };
        row(what, format!("on paper, at {}", claim.place));
    }
    for (name, grounds) in [("rests on", &claim.rests_on), ("cited", &claim.cites)] {
        if !grounds.is_empty() {
            row(name, grounds.join(", "));
        }
    }
    if let Some(theorem) = &claim.machine_checked {
        let what = match claim.expected {
            Status::Refuted => "refutation machine-checked",
            _ => "machine-checked",
        };
        row(what, theorem.to_string());
    }
    if let Some(time) = times.and_then(|times| times.of(&claim.id)) {
        row("time", format!("{:.3} {UNIT}", time.as_secs_f64()));
    }
    row("replay", recheck.replay(&ledger.effort));
    aligned(&rows, "      ")
}

/// `exact, 201 assertions: all matrices of 2 rows`.
fn executed(evidence: &Evidence) -> String {
    let noun = if evidence.assertions() == 1 {
        "assertion"
    } else {
        "assertions"
    };
    format!(
        "{}, {} {noun}{}: {}",
        evidence.method(),
        evidence.assertions(),
        if evidence.is_slack() {
            ", a bound is slack"
        } else {
            ""
        },
        evidence.scope()
    )
}

/// `12 claims: 9 verified, 2 supported, 1 refuted, 0 open; all as expected; one arithmetic (...)`.
fn summary(ledger: &Ledger, paint: Paint) -> String {
    let given = ledger
        .rechecks
        .iter()
        .filter(|recheck| !ledger.weaknesses(recheck).is_empty())
        .count();
    let counts = format!(
        "{} verified, {} supported, {} refuted by {} distinct counterexamples, {} open",
        ledger.count(Status::Verified),
        ledger.count(Status::Supported),
        ledger.count(Status::Refuted),
        ledger.counterexamples(),
        ledger.count(Status::Open)
    );
    let total = ledger.rechecks.len();
    let noun = if total == 1 { "claim" } else { "claims" };
    let mut text = format!("{total} {noun}: {counts}\n");
    if given > 0 {
        text += &format!("{given} of them rest on a claim that is not as firm\n");
    }
    let machine_checked = ledger
        .rechecks
        .iter()
        .filter(|recheck| recheck.claim.machine_checked.is_some())
        .count();
    if machine_checked > 0 {
        text += &format!(
            "theorems in Coq for {machine_checked} of them: 'make prove' checks these, this run did not\n"
        );
    }
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
    verdicts.push(arithmetic().to_owned());
    text + &verdicts.join("; ")
}

#[derive(Debug, Clone, Copy)]
enum Style {
    Plain,
    Good,
    Notable,
    Bad,
    Heading,
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
            Style::Heading => "1",
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
    use crate::output;
    use dp_assay_ledger::claim::{
        Check, CheckFunction, Claim, Effort, Fault, MachineChecked, Version,
    };
    use std::time::Duration;

    const HOLDS: CheckFunction = |check| {
        check.exact("n <= 4");
        check.holds(true, "n = 1");
        check.figure("sup", "1/2");
        Ok(())
    };
    const FAILS: CheckFunction = |check| {
        check.exact("n <= 4");
        check.holds(false, "n = 2");
        Ok(())
    };

    fn recheck(id: &str, expected: Status, result: Result<CheckFunction, &str>) -> Recheck {
        Recheck {
            claim: Claim {
                id: id.to_owned(),
                paper: "p",
                place: "spec/p.md:1".to_owned(),
                item: "Theorem 1".to_owned(),
                version: Version::AsPrinted,
                short: "what is claimed".to_owned(),
                statement: "A statement.".to_owned(),
                expected,
                fault: (expected == Status::Refuted).then_some(Fault::False),
                reading: None,
                rests_on: Vec::new(),
                cites: Vec::new(),
                machine_checked: None,
                proved: true,
            },
            aliases: Vec::new(),
            result: result
                .map(|check| Check::run(check, Effort::default()).unwrap())
                .map_err(str::to_owned),
        }
    }

    fn ledger() -> Ledger {
        let mut first = recheck("p.a", Status::Verified, Ok(HOLDS));
        first.aliases.push("p.a2".to_owned());
        Ledger {
            rechecks: vec![
                first,
                recheck("p.long", Status::Verified, Ok(FAILS)),
                recheck("p.c", Status::Open, Err("no luck")),
            ],
            effort: Effort::default(),
        }
    }

    #[test]
    fn a_theorem_is_named_and_not_said_to_be_checked_by_this_run() {
        let mut ledger = ledger();
        ledger.rechecks[0].claim.machine_checked = Some(MachineChecked {
            theorems: vec!["samplers/Gaussian.v gaussian_law".to_owned()],
            note: Some("one coordinate".to_owned()),
            tapes: Some(12),
        });
        let text = render(&ledger, true, None, false);
        let row = "law machine-checked; the code agrees with it on 12 tapes: samplers/Gaussian.v gaussian_law (one coordinate)";
        assert!(text.contains(row), "{text}");
        let summary = "theorems in Coq for 1 of them: 'make prove' checks these, this run did not";
        assert!(text.contains(summary), "{text}");
        ledger.rechecks[0].claim.expected = Status::Refuted;
        assert!(render(&ledger, true, None, false).contains("refutation machine-checked"));
    }

    #[test]
    fn what_is_not_as_expected_is_marked_and_says_why() {
        let text = render(&ledger(), false, None, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "p");
        assert_eq!(lines[1], "  p.a     verified            what is claimed");
        assert_eq!(lines[2], "  p.a2    the same as p.a");
        assert_eq!(lines[3], "  p.long  refuted != verified  what is claimed");
        assert!(lines[4].ends_with(": n = 2"), "{text}");
        assert_eq!(lines[5], "  p.c     could not run       what is claimed");
        assert_eq!(lines[6], "      no luck");
        assert!(text.contains(
            "3 claims: 1 verified, 0 supported, 1 refuted by 0 distinct counterexamples, 0 open\n1 not as expected; 1 could not run; "
        ), "{text}");
    }

    #[test]
    fn a_line_fits_a_terminal() {
        let mut ledger = ledger();
        for recheck in &mut ledger.rechecks {
            recheck.claim.short = "word ".repeat(30);
        }
        for line in render(&ledger, false, None, false).lines().skip(1) {
            assert!(
                line.chars().count() <= WIDTH || line.contains("fails at"),
                "{line}"
            );
        }
    }

    #[test]
    fn figures_are_printed_when_asked_for() {
        let text = render(&ledger(), true, None, false);
        assert!(text.contains("sup        1/2\n"), "{text}");
        assert!(text.contains("replay     assay verify p.a --figures --seed 1\n"));
        assert!(text.contains("executed   exact, 1 assertion: n <= 4\n"));
        assert!(text.contains("proved     on paper, at spec/p.md:1\n"));
    }

    #[test]
    fn times_are_printed_with_figures_and_in_junit_and_stand_in_no_json() {
        let ledger = ledger();
        let times = Times(vec![("p.a".to_owned(), Duration::from_millis(1250))]);
        let text = render(&ledger, true, Some(&times), false);
        let row = format!("time       1.250 {UNIT}\n");
        assert_eq!(text.matches(&row).count(), 1, "{text}");
        assert!(!render(&ledger, true, None, false).contains(UNIT));
        assert!(!render(&ledger, false, Some(&times), false).contains(UNIT));
        let xml = super::super::junit::render(&ledger, &times).unwrap();
        assert_eq!(xml.matches("time=\"1.250\"").count(), 1, "{xml}");
        assert!(
            xml.contains(&format!("name=\"time\" value=\"{UNIT}\"")),
            "{xml}"
        );
        let json = output::json(&super::super::json::LedgerReport::from(&ledger)).unwrap();
        assert!(
            !json.contains("seconds") && !json.contains("\"time\""),
            "{json}"
        );
    }

    #[test]
    fn colours_are_given_only_when_asked_for() {
        assert!(!render(&ledger(), true, None, false).contains('\x1b'));
        assert!(
            render(&ledger(), true, None, true).contains("\x1b[1;31mrefuted != verified\x1b[0m")
        );
    }

    #[test]
    fn a_could_not_run_is_an_error_in_junit_and_has_its_reason_in_json() {
        let ledger = ledger();
        let xml = super::super::junit::render(&ledger, &Times::default()).unwrap();
        assert!(xml.contains("<error message=\"no luck\""), "{xml}");
        assert!(xml.contains("<failure message=\"refuted, but expected verified"));
        let json = serde_json::to_value(super::super::json::LedgerReport::from(&ledger)).unwrap();
        assert_eq!(json["claims"][3]["status"], "could-not-run");
        assert_eq!(json["claims"][3]["evidence"]["error"], "no luck");
        assert_eq!(json["claims"][0]["evidence"]["figures"]["sup"], "1/2");
        assert_eq!(json["claims"][1]["id"], "p.a2");
        assert_eq!(json["claims"][1]["alias_of"], "p.a");
    }
}
