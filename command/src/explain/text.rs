//! A claim, explained to people: the verdict first, headings in capitals, two spaces before what they head.

use super::prose::{self, Prose};
use super::{Explained, plain};
use crate::report::named_figures;
use crate::screen::{Screen, Style};
use dp_assay_ledger::bibliography::work;
use dp_assay_ledger::claim::{Claim, Effort, Evidence, Status};
use dp_assay_ledger::{Accepted, Entry, meaning, planted, title, verdict as in_words};

/// How many figures are shown; `assay verify ID --figures` has all.
const FIGURES: usize = 12;

/// The page of a claim, with the first paragraph of its argument or with all of them.
pub fn render(explained: &Explained<'_>, whole_proof: bool, screen: Screen) -> String {
    let mut sheet = Sheet::new(screen.for_prose());
    let claim = explained.claim();
    verdict(&mut sheet, explained);
    stated(&mut sheet, claim);
    repaired(&mut sheet, &explained.relations.repaired_by);
    sheet.claims("REPAIRS", &explained.relations.repairs);
    let prose = Prose::of(&claim.prose);
    argument(&mut sheet, &prose, whole_proof);
    symbols(&mut sheet, explained, &prose);
    ran(&mut sheet, explained, &prose);
    noticed(&mut sheet, claim);
    beyond(&mut sheet, explained);
    sheet.claims("RESTS ON", &explained.relations.rests_on);
    works(&mut sheet, claim);
    sheet.claims("RESTED ON BY", &explained.relations.rested_on_by);
    sheet.claims("MENTIONED BY", &explained.relations.mentioned_by);
    ways_on(&mut sheet, claim, &prose, whole_proof);
    sheet.text
}

/// A page as it is written.
struct Sheet {
    screen: Screen,
    text: String,
}

impl Sheet {
    fn new(screen: Screen) -> Self {
        Self {
            screen,
            text: String::new(),
        }
    }

    /// A blank line and a heading, with what belongs beside it.
    fn heading(&mut self, heading: &str, beside: &str) {
        let line = format!("{heading}  {beside}");
        let line = self.screen.wrapped(line.trim_end(), "", "  ");
        let head = self.screen.with(Style::Heading, heading);
        self.text += &format!("\n{}", line.replacen(heading, &head, 1));
    }

    fn paragraph(&mut self, text: &str) {
        self.text += &self.screen.wrapped(text, "  ", "  ");
    }

    fn rows(&mut self, rows: &[(String, String)]) {
        self.text += &self.screen.rows(rows, "  ");
    }

    /// A heading and a line a claim, with its status; nothing for none.
    fn claims(&mut self, heading: &str, claims: &[&Entry]) {
        if claims.is_empty() {
            return;
        }
        self.heading(heading, "");
        let rows: Vec<_> = claims.iter().map(|entry| row(&entry.claim)).collect();
        self.rows(&rows);
    }
}

/// `nuz20.lem16`, and `checked: the band has mass p <= 0.2`.
fn row(claim: &Claim) -> (String, String) {
    let says = format!("{}: {}", claim.expected_in_words(), claim.short);
    (claim.id.clone(), says)
}

fn style(status: Status) -> Style {
    match status {
        Status::Checked | Status::Supported => Style::Good,
        Status::Refuted => Style::Notable,
        Status::Open => Style::Plain,
    }
}

/// Id, item, version and status in one line; the paper; the claim in short, and what its status means.
fn verdict(sheet: &mut Sheet, explained: &Explained<'_>) {
    let (claim, shown) = (explained.claim(), explained.shown());
    let style = match explained.recheck() {
        Some(recheck) if !recheck.as_expected() => Style::Bad,
        _ => style(claim.expected),
    };
    let line = format!("{} · {} · {}: {shown}", claim.id, claim.item, claim.version);
    let line = sheet.screen.wrapped(&line, "", "  ");
    sheet.text += &line.replacen(&shown, &sheet.screen.with(style, &shown), 1);
    if explained.asked != claim.id {
        let alias = format!("{} is another id of {}", explained.asked, claim.id);
        sheet.text += &sheet.screen.wrapped(&alias, "", "  ");
    }
    let place = claim.place.as_ref().map(|place| format!("; {place}"));
    let paper = format!("{}{}", title(claim.paper), place.unwrap_or_default());
    sheet.text += &sheet.screen.wrapped(&paper, "", "  ");
    sheet.text.push('\n');
    sheet.paragraph(&format!("{}.", claim.short.trim_end_matches('.')));
    let words = claim.expected_in_words();
    if let Some(means) = in_words(claim).map(plain) {
        sheet.paragraph(&format!("{words}: {means}."));
    }
    if let Some(failure) = explained.recheck().and_then(failure) {
        sheet.paragraph(&failure);
    }
}

/// Why what ran is not as expected.
fn failure(recheck: &dp_assay_ledger::Recheck) -> Option<String> {
    match &recheck.result {
        Err(reason) => Some(format!("The check could not run: {reason}")),
        Ok(evidence) => evidence
            .failure()
            .map(|failure| format!("Not as expected: {failure}")),
    }
}

/// The paper's words, and what the page makes of them.
fn stated(sheet: &mut Sheet, claim: &Claim) {
    let place = claim.place.as_deref().unwrap_or("");
    for (heading, beside, text) in [
        ("IN THE PAPER'S WORDS", place, claim.quote.as_deref()),
        ("STATED", "", Some(claim.statement.as_str())),
        ("READING", "", claim.reading.as_deref()),
        ("PROVED, NOT RUN", "", claim.proof_only.as_deref()),
    ] {
        if let Some(text) = text {
            sheet.heading(heading, beside);
            sheet.paragraph(&text.replace('`', ""));
        }
    }
}

/// What stands in the claim's place: one or two whole, more in a line each.
fn repaired(sheet: &mut Sheet, repairs: &[&Entry]) {
    if repairs.len() > 2 {
        return sheet.claims("REPAIRED BY", repairs);
    }
    for Entry { claim, .. } in repairs {
        let beside = format!("{}: {}", claim.id, claim.expected_in_words());
        sheet.heading("REPAIRED", &beside);
        sheet.paragraph(&claim.statement.replace('`', ""));
    }
}

fn argument(sheet: &mut Sheet, prose: &Prose<'_>, whole: bool) {
    let Some((heading, first)) = prose.first() else {
        return;
    };
    if !whole {
        sheet.heading(heading, "");
        sheet.text += &prose::lines(first, sheet.screen);
        return;
    }
    sheet.heading("THE WHOLE ARGUMENT", "");
    let paragraphs = prose.all().iter();
    let paragraphs: Vec<String> = paragraphs
        .map(|paragraph| prose::lines(paragraph, sheet.screen))
        .collect();
    sheet.text += &paragraphs.join("\n");
}

fn symbols(sheet: &mut Sheet, explained: &Explained<'_>, prose: &Prose<'_>) {
    let first = prose.first().map_or("", |(_, paragraph)| paragraph);
    let symbols = explained.symbols(first);
    if !symbols.is_empty() {
        sheet.heading("NOTATION", "");
        let plain = |text: &str| text.replace('`', "");
        let row = |(symbol, means): (&str, String)| (symbol.to_owned(), plain(&means));
        let rows: Vec<_> = symbols.into_iter().map(row).collect();
        sheet.rows(&rows);
    }
}

/// What was run: now, or when somebody last looked.
fn ran(sheet: &mut Sheet, explained: &Explained<'_>, prose: &Prose<'_>) {
    let found = explained.recheck().map(|recheck| &recheck.result);
    match (found, explained.accepted()) {
        (Some(Ok(evidence)), _) => now(sheet, evidence, &explained.ledger.effort),
        (None, Some(accepted)) => kept(sheet, &accepted, prose),
        (_, _) => {
            sheet.heading("WHAT RAN", "");
            sheet.paragraph("nothing that is kept");
        }
    }
}

/// `refuted; exact, certified; 25 assertions`.
fn found(status: impl ToString, method: &str, assertions: u64) -> String {
    let noun = if assertions == 1 {
        "assertion"
    } else {
        "assertions"
    };
    let status = status.to_string();
    match assertions {
        0 => format!("{status}; nothing was asserted"),
        _ => format!("{status}; {method}; {assertions} {noun}"),
    }
}

fn now(sheet: &mut Sheet, evidence: &Evidence, effort: &Effort) {
    let size = match (effort.quick, effort.thorough) {
        (true, _) => "small instances",
        (false, true) => "large instances",
        (false, false) => "full size",
    };
    sheet.heading("WHAT RAN", &format!("now, {size}, seed {}", effort.seed));
    let status = evidence.status();
    sheet.paragraph(&found(status, &evidence.method(), evidence.assertions()));
    sheet.paragraph(&format!("scope: {}", evidence.scope()));
    let figures = named_figures(evidence);
    let figures = figures
        .into_iter()
        .map(|(name, value)| (name, value.to_owned()));
    figures_of(sheet, evidence.counterexamples(), figures.collect());
}

fn kept(sheet: &mut Sheet, accepted: &Accepted, prose: &Prose<'_>) {
    let beside = "as kept in ledger/evidence, full size, seed 1; --run runs it now";
    sheet.heading("WHAT RAN", beside);
    sheet.paragraph(&found(
        accepted.status,
        accepted.method,
        accepted.assertions,
    ));
    for scope in &prose.scope {
        sheet.paragraph(&format!(
            "scope: {}",
            scope.replace('`', "").replace('\n', " ")
        ));
    }
    let figures = accepted.figures.iter().map(|figure| {
        let (name, value) = figure.split_once(": ").unwrap_or((figure, ""));
        (name.to_owned(), value.to_owned())
    });
    let examples: Vec<String> = accepted
        .counterexamples
        .iter()
        .map(ToString::to_string)
        .collect();
    figures_of(sheet, &examples, figures.collect());
}

/// The counterexamples and the first figures.
fn figures_of(sheet: &mut Sheet, counterexamples: &[String], figures: Vec<(String, String)>) {
    let examples = counterexamples.iter();
    let mut rows: Vec<_> = examples
        .map(|text| ("counterexample".to_owned(), text.clone()))
        .collect();
    let more = figures.len().saturating_sub(FIGURES);
    rows.extend(figures.into_iter().take(FIGURES));
    if !rows.is_empty() {
        sheet.text.push('\n');
        sheet.rows(&rows);
    }
    if more > 0 {
        sheet.paragraph(&format!("and {more} figures more"));
    }
}

/// How many planted errors are named.
const PLANTED: usize = 4;

/// The errors that were planted to see this check notice them.
fn noticed(sheet: &mut Sheet, claim: &Claim) {
    let all = planted(&claim.id);
    if all.is_empty() {
        return;
    }
    sheet.heading("WHAT IT NOTICES", "errors planted by make plants");
    for says in all.iter().take(PLANTED) {
        sheet.text += &sheet.screen.wrapped(says, "  - ", "    ");
    }
    if all.len() > PLANTED {
        sheet.paragraph(&format!("and {} more", all.len() - PLANTED));
    }
}

/// What covers the claim beyond what ran.
fn beyond(sheet: &mut Sheet, explained: &Explained<'_>) {
    let claim = explained.claim();
    sheet.heading("BEYOND WHAT RAN", &explained.shown_proof());
    if let Some(means) = meaning(&claim.proof().to_string()).map(plain) {
        sheet.paragraph(&means);
    }
    if let Some(found) = &claim.machine_checked {
        let mut rows: Vec<(String, String)> = Vec::new();
        for theorem in &found.theorems {
            let (file, name) = theorem.split_once(' ').unwrap_or(("", theorem));
            rows.push((name.to_owned(), format!("proof/{file}")));
        }
        if let Some(note) = &found.note {
            rows.push(("in part".to_owned(), note.clone()));
        }
        if let Some(tapes) = found.tapes {
            let says = format!("the shipped code did what the program does on {tapes}");
            rows.push(("tapes".to_owned(), says));
        }
        sheet.rows(&rows);
    }
}

fn works(sheet: &mut Sheet, claim: &Claim) {
    if claim.cites.is_empty() {
        return;
    }
    sheet.heading("CITES", "");
    let row = |key: &String| {
        let says = work(key).map(|work| work.in_words());
        (key.clone(), says.unwrap_or_default())
    };
    let rows: Vec<_> = claim.cites.iter().map(row).collect();
    sheet.rows(&rows);
}

/// Where to go from here.
fn ways_on(sheet: &mut Sheet, claim: &Claim, prose: &Prose<'_>, whole: bool) {
    let id = &claim.id;
    let mut rows = vec![("check it", format!("assay verify {id} --figures"))];
    if !whole && prose.others() > 0 {
        let noun = if prose.others() == 1 {
            "paragraph"
        } else {
            "paragraphs"
        };
        let command = format!(
            "assay explain {id} --proof  ({} {noun} more)",
            prose.others()
        );
        rows.push(("read on", command));
    }
    rows.push(("cite it", format!("assay claims {id} --format bibtex")));
    rows.push(("source", claim.source.clone()));
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    sheet.text.push('\n');
    sheet.rows(&rows);
}
