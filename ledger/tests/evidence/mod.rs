//! The evidence of all rows as it was when somebody last looked at it, in `ledger/evidence/`: a file a paper, a paragraph a row.
//!
//! It is a lock file. All of it is deterministic at seed 1, so that a row whose evidence differs runs another code than the one that was
//! reviewed: a planted error that no assertion notices often changes a figure.

#![allow(dead_code, reason = "each of two tests uses a part")]

use dp_assay_ledger::Recheck;
use dp_assay_ledger::claim::Evidence;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// What to do if a difference is meant.
pub const ACCEPT: &str = "if it is meant, look at each difference, then run \
     `ACCEPT_EVIDENCE=all cargo test --profile ci --package dp-assay-ledger --test registry every_claim_is_as_expected`, \
     and commit ledger/evidence";

/// What this row asserts depends on whether there is a second arithmetic.
const NOT_LOCKED: &str = "number.two-arithmetics";

fn path(paper: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("evidence/{paper}.txt"))
}

/// The lines of a row: what was established and how, its counterexamples, its figures.
fn lines(recheck: &Recheck) -> Vec<String> {
    let id = &recheck.claim.id;
    match &recheck.result {
        Ok(found) => {
            let head = format!(
                "{id}: {}, {}, {} assertions",
                found.status(),
                found.method(),
                found.assertions()
            );
            let examples = found.counterexamples().iter();
            let examples = examples.map(|text| format!("    counterexample: {text}"));
            std::iter::once(head)
                .chain(examples)
                .chain(figures(found))
                .collect()
        }
        Err(reason) => vec![format!("{id}: could not run: {reason}")],
    }
}

fn figures(found: &Evidence) -> impl Iterator<Item = String> {
    let figures = found.figures().iter();
    figures.map(|(name, value)| format!("    {name}: {value}"))
}

/// The evidence of some rows of one paper, in their order, as text.
fn text<'a>(rechecks: impl Iterator<Item = &'a Recheck>) -> String {
    let paragraph = |recheck| lines(recheck).join("\n") + "\n";
    rechecks.map(paragraph).collect::<Vec<_>>().join("\n")
}

/// The rows of each paper that are locked.
fn by_paper(rechecks: &[Recheck]) -> BTreeMap<&'static str, Vec<&Recheck>> {
    let mut papers: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for recheck in rechecks {
        if recheck.claim.id != NOT_LOCKED {
            papers.entry(recheck.claim.paper).or_default().push(recheck);
        }
    }
    papers
}

/// Takes the evidence of a whole run as it is.
pub fn accept(rechecks: &[Recheck]) {
    for (paper, rows) in by_paper(rechecks) {
        fs::create_dir_all(path(paper).parent().unwrap()).unwrap();
        fs::write(path(paper), text(rows.into_iter())).unwrap();
    }
}

/// In what the evidence of these rows differs from the file, line by line; none of the file's rows need be among them.
pub fn differences(rechecks: &[Recheck]) -> Vec<String> {
    let mut found = Vec::new();
    for (paper, rows) in by_paper(rechecks) {
        let committed = fs::read_to_string(path(paper)).unwrap_or_default();
        for row in rows {
            found.extend(difference(&committed, &row.claim.id, &lines(row)));
        }
    }
    found
}

/// The rows that the files speak of and that are not among these.
pub fn left_over(rechecks: &[Recheck]) -> Vec<String> {
    let is_there = |head: &str| {
        let mut ids = rechecks.iter().map(|recheck| &recheck.claim.id);
        ids.any(|id| head.split(':').next() == Some(id))
    };
    let papers = by_paper(rechecks).into_keys();
    let texts = papers.map(|paper| fs::read_to_string(path(paper)).unwrap_or_default());
    let heads: Vec<String> = texts
        .flat_map(|text| text.split("\n\n").map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|paragraph| paragraph.lines().next().map(str::to_owned))
        .collect();
    heads.into_iter().filter(|head| !is_there(head)).collect()
}

/// What a row's paragraph in the text has that its lines have not, with a minus, and the reverse, with a plus.
fn difference(committed: &str, id: &str, lines: &[String]) -> Vec<String> {
    let head = format!("{id}: ");
    let before: Vec<&str> = committed
        .split("\n\n")
        .find(|paragraph| paragraph.starts_with(&head))
        .map_or_else(Vec::new, |paragraph| paragraph.trim_end().lines().collect());
    if before == lines {
        return Vec::new();
    }
    let gone = before
        .iter()
        .filter(|line| !lines.iter().any(|l| l == *line));
    let new = lines.iter().filter(|line| !before.contains(&line.as_str()));
    let mut found: Vec<String> = gone.map(|line| format!("{id}: -{line}")).collect();
    found.extend(new.map(|line| format!("{id}: +{line}")));
    if found.is_empty() {
        found.push(format!("{id}: the same lines, in another order"));
    }
    found
}

#[test]
fn a_figure_that_differs_is_named_with_its_row() {
    let committed =
        "p.a: checked, exact, 3 assertions\n    S: 2/3\n\np.ab: open, none, 0 assertions\n";
    let same = ["p.a: checked, exact, 3 assertions", "    S: 2/3"].map(str::to_owned);
    assert!(difference(committed, "p.a", &same).is_empty());
    let other = ["p.a: checked, exact, 3 assertions", "    S: 1/3"].map(str::to_owned);
    assert_eq!(
        difference(committed, "p.a", &other),
        ["p.a: -    S: 2/3", "p.a: +    S: 1/3"]
    );
    // A row that is not there yet, and one of which another's id begins with its id.
    let new = ["p.b: open, none, 0 assertions".to_owned()];
    assert_eq!(difference(committed, "p.b", &new).len(), 1);
    let exchanged = [same[1].clone(), same[0].clone()];
    assert_eq!(difference(committed, "p.a", &exchanged).len(), 1);
}
