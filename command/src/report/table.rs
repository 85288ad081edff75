//! The ledger for people: one line a claim that fits a terminal, by paper, and a summary.

use super::times::{Times, UNIT};
use super::{arithmetic, named_figures};
use crate::output;
use dp_assay_audit::report::aligned;
use dp_assay_ledger as ledger;
use dp_assay_ledger::claim::{Claim, Evidence, Proof, Status};
use dp_assay_ledger::{Ground, Ledger, Recheck, Weakness};

/// The whole ledger; with `figures` also all that was found, how to replay it, and how long it took if that is told.
pub fn render(ledger: &Ledger, figures: bool, times: Option<&Times>, screen: Screen) -> String {
    let mut text = String::new();
    let mut paper = "";
    for recheck in &ledger.rechecks {
        if recheck.claim.paper != paper {
            paper = recheck.claim.paper;
            text += &format!("{}\n", screen.with(Style::Heading, &heading(paper)));
        }
        let width = id_width(ledger, paper);
        text += &line(ledger, recheck, width, screen);
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
    text + &summary(ledger, screen) + "\n"
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

/// `nuz20.thm6  refuted (false)  paper  as printed  what is claimed`; and below it what failed.
fn line(ledger: &Ledger, recheck: &Recheck, width: usize, screen: Screen) -> String {
    const STATUS: usize = "refuted (as coded)".len();
    const PROOF: usize = "Coq, statement".len();
    const VERSION: usize = "as printed".len();
    let claim = &recheck.claim;
    let (status, style) = status(ledger, recheck);
    let id = format!("  {:width$}  ", claim.id);
    let status = format!("{status:STATUS$}");
    let rest = format!(
        "  {:PROOF$}  {:VERSION$}  ",
        proof(ledger, recheck),
        claim.version
    );
    let used: usize = [&id, &status, &rest]
        .map(|text| text.chars().count())
        .iter()
        .sum();
    let short = cut(&short(ledger, recheck), screen.width.saturating_sub(used));
    let mut text = format!("{id}{}{rest}{short}\n", screen.with(style, &status));
    let failure = match &recheck.result {
        Err(error) => Some(error.as_str()),
        Ok(evidence) => evidence.failure().filter(|_| !recheck.as_expected()),
    };
    if let Some(failure) = failure {
        text += &format!("      {failure}\n");
    }
    text
}

/// `Coq, program`, `paper, given`, `-`. Beside a run that contradicts the claim a proof is worth nothing.
fn proof(ledger: &Ledger, recheck: &Recheck) -> String {
    let claim = &recheck.claim;
    match claim.proof() {
        Proof::None => "-".to_owned(),
        _ if !recheck.as_expected() => "-".to_owned(),
        Proof::Paper if !ledger.weaker_grounds(claim).is_empty() => "paper, given".to_owned(),
        _ => claim.proof_in_words(),
    }
}

/// `refuted (false)`, `checked, given`, `refuted != checked`.
fn status(ledger: &Ledger, recheck: &Recheck) -> (String, Style) {
    let claim = &recheck.claim;
    let Some(status) = recheck.status() else {
        return ("could not run".to_owned(), Style::Bad);
    };
    if !recheck.as_expected() {
        return (format!("{status} != {}", claim.expected), Style::Bad);
    }
    match (status, claim.fault) {
        (_, Some(kind)) => (format!("{status} ({kind})"), Style::Notable),
        (Status::Open, None) => (status.to_string(), Style::Plain),
        (_, None) if ledger.weaknesses(recheck).is_empty() => (status.to_string(), Style::Good),
        (_, None) => (format!("{status}, given"), Style::Plain),
    }
}

/// What is claimed, behind what it is given: `p.thm8 (open), BS16 (cited): what is claimed`.
fn short(ledger: &Ledger, recheck: &Recheck) -> String {
    let claim = &recheck.claim;
    if !recheck.as_expected() {
        return claim.short.clone();
    }
    let weaknesses = ledger.weaknesses(recheck);
    let mut grounds = ledger.weaker_grounds(claim);
    // What is open has no proof either.
    grounds.retain(|ground| weaknesses.iter().all(|weakness| weakness.id != ground.name));
    let weaknesses = weaknesses.iter().map(Weakness::to_string);
    let given: Vec<String> = weaknesses
        .chain(grounds.iter().map(Ground::to_string))
        .collect();
    match given.is_empty() {
        true => claim.short.clone(),
        false => format!("{}: {}", given.join(", "), claim.short),
    }
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
    let mut rows = stated(claim);
    rows.push(("status".to_owned(), ledger.shown(recheck)));
    rows.push(("proof".to_owned(), ledger.shown_proof(recheck)));
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
    let of_what = match claim.expected {
        Status::Refuted => "refutation ",
        _ => "",
    };
    if claim.proved {
        row(&format!("{of_what}on paper"), claim.source.clone());
    }
    if let Some(theorems) = &claim.machine_checked {
        row(&format!("{of_what}in Coq"), theorems.to_string());
    }
    for (name, grounds) in [("rests on", &claim.rests_on), ("cited", &claim.cites)] {
        if let Some(grounds) = joined(grounds) {
            row(name, grounds);
        }
    }
    if let Some(time) = times.and_then(|times| times.of(&claim.id)) {
        row("time", format!("{:.3} {UNIT}", time.as_secs_f64()));
    }
    row("replay", recheck.replay(&ledger.effort));
    aligned(&rows, "      ")
}

/// What the page says of a claim: whose it is, in whose words, what of it is proof only, and what repairs it.
fn stated(claim: &Claim) -> Vec<(String, String)> {
    let source = format!("{}, {} ({})", claim.paper, claim.item, claim.version);
    let repaired_by = ledger::repairs_of(&claim.id);
    let fields = [
        ("source", Some(source)),
        ("place", claim.place.clone()),
        ("quote", claim.quote.clone()),
        ("statement", Some(claim.statement.clone())),
        ("proof only", claim.proof_only.clone()),
        ("reading", claim.reading.clone()),
        ("repairs", joined(&claim.repairs)),
        ("repaired by", joined(&repaired_by)),
    ];
    let there = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    there.collect()
}

/// `p.a, p.b`, or nothing.
fn joined<T: AsRef<str>>(ids: &[T]) -> Option<String> {
    let ids: Vec<&str> = ids.iter().map(AsRef::as_ref).collect();
    Some(ids.join(", ")).filter(|text| !text.is_empty())
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

/// `12 claims: 9 checked, 2 supported, 1 refuted, 0 open; all as expected; one arithmetic (...)`.
fn summary(ledger: &Ledger, screen: Screen) -> String {
    let given = ledger
        .rechecks
        .iter()
        .filter(|recheck| !ledger.weaknesses(recheck).is_empty())
        .count();
    let counts = format!(
        "{} checked, {} supported, {} refuted by {} distinct counterexamples, {} open",
        ledger.count(Status::Checked),
        ledger.count(Status::Supported),
        ledger.count(Status::Refuted),
        ledger.counterexamples(),
        ledger.count(Status::Open)
    );
    let total = ledger.rechecks.len();
    let noun = if total == 1 { "claim" } else { "claims" };
    let mut text = format!("{total} {noun}: {counts}\n");
    text += &format!("beyond what ran: {}\n", proofs(ledger));
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
            verdicts.push(screen.with(Style::Good, "all as expected"));
        }
        count => verdicts.push(screen.with(
            if count == 0 { Style::Plain } else { Style::Bad },
            &format!("{count} not as expected"),
        )),
    }
    if ledger.could_not_run() > 0 {
        let text = format!("{} could not run", ledger.could_not_run());
        verdicts.push(screen.with(Style::Bad, &text));
    }
    verdicts.push(arithmetic().to_owned());
    text + &verdicts.join("; ")
}

/// `8 Coq, program; 2 paper; 1 none`.
fn proofs(ledger: &Ledger) -> String {
    let of = |recheck: &Recheck| match recheck.as_expected() {
        true => recheck.claim.proof(),
        false => Proof::None,
    };
    let count = |proof: &Proof| {
        let found = ledger
            .rechecks
            .iter()
            .filter(|&recheck| of(recheck) == *proof);
        Some(found.count())
            .filter(|&count| count > 0)
            .map(|count| format!("{count} {proof}"))
    };
    let counts: Vec<String> = Proof::ALL.iter().rev().filter_map(count).collect();
    counts.join("; ")
}

#[derive(Debug, Clone, Copy)]
enum Style {
    Plain,
    Good,
    Notable,
    Bad,
    Heading,
}

/// Where the table is read.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// The widest line, in characters. What failed is not cut.
    width: usize,
    /// Whether there are colours.
    colour: bool,
}

impl Screen {
    /// A file or a pipe.
    pub const FILE: Self = Self {
        width: 120,
        colour: false,
    };

    /// Standard output: as wide as its terminal, but with room for a few words behind the columns.
    pub fn of_output() -> Self {
        Self {
            width: columns().map_or(Self::FILE.width, |columns| columns.max(100)),
            colour: output::colour(),
        }
    }

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

/// How many characters a line of standard output has, if that is a terminal which says so.
#[cfg(unix)]
fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|&columns| columns > 0)
}

#[cfg(not(unix))]
fn columns() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_ledger::claim::{Check, CheckFunction, Effort, Fault, MachineChecked, Version};
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
                source: "spec/p.md:1".to_owned(),
                item: "Theorem 1".to_owned(),
                version: Version::AsPrinted,
                place: None,
                quote: None,
                short: "what is claimed".to_owned(),
                statement: "A statement.".to_owned(),
                expected,
                fault: (expected == Status::Refuted).then_some(Fault::False),
                reading: None,
                proof_only: None,
                repairs: Vec::new(),
                rests_on: Vec::new(),
                cites: Vec::new(),
                machine_checked: None,
                proved: true,
                prose: String::new(),
            },
            aliases: Vec::new(),
            result: result
                .map(|check| Check::run(check, Effort::default()).unwrap())
                .map_err(str::to_owned),
        }
    }

    fn ledger() -> Ledger {
        let mut first = recheck("p.a", Status::Checked, Ok(HOLDS));
        first.aliases.push("p.a2".to_owned());
        Ledger {
            rechecks: vec![
                first,
                recheck("p.long", Status::Checked, Ok(FAILS)),
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
        let text = render(&ledger, true, None, Screen::FILE);
        let row = "law machine-checked; the code agrees with it on 12 tapes: samplers/Gaussian.v gaussian_law (one coordinate)";
        assert!(text.contains(row), "{text}");
        let summary = "theorems in Coq for 1 of them: 'make prove' checks these, this run did not";
        assert!(text.contains(summary), "{text}");
        ledger.rechecks[0].claim.expected = Status::Refuted;
        let text = render(&ledger, true, None, Screen::FILE);
        assert!(text.contains("refutation in Coq"), "{text}");
    }

    #[test]
    fn what_is_not_as_expected_is_marked_and_says_why() {
        let text = render(&ledger(), false, None, Screen::FILE);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "p");
        let columns = |status: &str, proof: &str| format!("{status:18}  {proof:14}  as printed");
        let expected = columns("checked", "paper");
        assert_eq!(lines[1], format!("  p.a     {expected}  what is claimed"));
        assert_eq!(lines[2], "  p.a2    the same as p.a");
        let expected = columns("refuted != checked", "-");
        assert_eq!(lines[3], format!("  p.long  {expected}  what is claimed"));
        assert!(lines[4].ends_with(": n = 2"), "{text}");
        let expected = columns("could not run", "-");
        assert_eq!(lines[5], format!("  p.c     {expected}  what is claimed"));
        assert_eq!(lines[6], "      no luck");
        assert!(text.contains(
            "3 claims: 1 checked, 0 supported, 1 refuted by 0 distinct counterexamples, 0 open\nbeyond what ran: 1 paper; 2 none\n1 not as expected; 1 could not run; "
        ), "{text}");
    }

    #[test]
    fn a_line_says_what_covers_the_rest_and_what_that_is_given() {
        let mut ledger = ledger();
        let line = |ledger: &Ledger| {
            let text = render(ledger, false, None, Screen::FILE);
            text.lines().nth(1).unwrap().to_owned()
        };
        let claim = |ledger: &mut Ledger, change: fn(&mut Claim)| {
            change(&mut ledger.rechecks[0].claim);
        };
        claim(&mut ledger, |claim| claim.cites = vec!["BS16".to_owned()]);
        let found = line(&ledger);
        assert!(
            found.contains("checked             paper, given    as printed  BS16 (cited): what"),
            "{found}"
        );
        claim(&mut ledger, |claim| claim.proved = false);
        assert!(line(&ledger).contains("cited           as printed  what"));
        claim(&mut ledger, |claim| claim.cites.clear());
        assert!(line(&ledger).contains("-               as printed  what"));
        claim(&mut ledger, |claim| claim.rests_on = vec!["p.c".to_owned()]);
        let found = line(&ledger);
        assert!(
            found.contains("checked, given      -               as printed  p.c (open): what"),
            "{found}"
        );
        // What is open has no proof either, which is not said twice.
        claim(&mut ledger, |claim| claim.proved = true);
        ledger.rechecks[2].claim.proved = false;
        let found = line(&ledger);
        assert!(
            found.contains("checked, given      paper, given    as printed  p.c (open): what"),
            "{found}"
        );
    }

    #[test]
    fn a_line_fits_a_terminal() {
        let mut ledger = ledger();
        for recheck in &mut ledger.rechecks {
            recheck.claim.short = "word ".repeat(30);
        }
        for line in render(&ledger, false, None, Screen::FILE).lines().skip(1) {
            assert!(
                line.chars().count() <= Screen::FILE.width || line.contains("fails at"),
                "{line}"
            );
        }
    }

    #[test]
    fn figures_are_printed_when_asked_for() {
        let text = render(&ledger(), true, None, Screen::FILE);
        assert!(text.contains("sup        1/2\n"), "{text}");
        assert!(text.contains("replay     assay verify p.a --figures --seed 1\n"));
        assert!(text.contains("executed   exact, 1 assertion: n <= 4\n"));
        assert!(text.contains("status     checked\n"), "{text}");
        assert!(text.contains("proof      paper\n"), "{text}");
        assert!(text.contains("on paper   spec/p.md:1\n"), "{text}");
    }

    #[test]
    fn the_words_of_the_paper_and_what_is_proof_only_are_shown() {
        let mut ledger = ledger();
        let claim = &mut ledger.rechecks[0].claim;
        claim.place = Some("Section 3".to_owned());
        claim.quote = Some("\"It is private.\"".to_owned());
        claim.proof_only = Some("for all n".to_owned());
        claim.repairs = vec!["p.b".to_owned(), "p.c".to_owned()];
        let text = render(&ledger, true, None, Screen::FILE);
        for row in [
            "place       Section 3\n",
            "quote       \"It is private.\"\n",
            "proof only  for all n\n",
            "repairs     p.b, p.c\n",
        ] {
            assert!(text.contains(row), "{text}");
        }
        let json = serde_json::to_value(super::super::json::LedgerReport::from(&ledger)).unwrap();
        let claim = &json["claims"][0];
        assert_eq!(claim["place"], "Section 3");
        assert_eq!(claim["quote"], "\"It is private.\"");
        assert_eq!(claim["proof_only"], "for all n");
        assert_eq!(claim["repairs"][1], "p.c");
        assert!(json["claims"][2].get("quote").is_none());
    }

    #[test]
    fn times_are_printed_with_figures_and_in_junit_and_stand_in_no_json() {
        let ledger = ledger();
        let times = Times(vec![("p.a".to_owned(), Duration::from_millis(1250))]);
        let text = render(&ledger, true, Some(&times), Screen::FILE);
        let row = format!("time       1.250 {UNIT}\n");
        assert_eq!(text.matches(&row).count(), 1, "{text}");
        assert!(!render(&ledger, true, None, Screen::FILE).contains(UNIT));
        assert!(!render(&ledger, false, Some(&times), Screen::FILE).contains(UNIT));
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
        assert!(!render(&ledger(), true, None, Screen::FILE).contains('\x1b'));
        let screen = Screen {
            colour: true,
            ..Screen::FILE
        };
        let text = render(&ledger(), true, None, screen);
        assert!(text.contains("\x1b[1;31mrefuted != checked\x1b[0m"));
    }

    #[test]
    fn a_could_not_run_is_an_error_in_junit_and_has_its_reason_in_json() {
        let ledger = ledger();
        let xml = super::super::junit::render(&ledger, &Times::default()).unwrap();
        assert!(xml.contains("<error message=\"no luck\""), "{xml}");
        assert!(xml.contains("<failure message=\"refuted, but expected checked"));
        let json = serde_json::to_value(super::super::json::LedgerReport::from(&ledger)).unwrap();
        assert_eq!(json["claims"][3]["status"], "could-not-run");
        assert_eq!(json["claims"][3]["evidence"]["error"], "no luck");
        assert_eq!(json["claims"][0]["evidence"]["figures"]["sup"], "1/2");
        assert_eq!(json["claims"][1]["id"], "p.a2");
        assert_eq!(json["claims"][1]["alias_of"], "p.a");
    }
}
