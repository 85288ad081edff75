//! The pages as text: that the table of a paper's items is that of the ledger, that a proof rests on what it names, and that
//! README and the recommendations say no more than the rows and tables do.

mod printed;

use dp_assay_ledger::claim::{Claim, Fault, Status, Version};
use dp_assay_ledger::{Entry, entries, notation, repairs_of};
use printed::{held, order, page_of, pages, read};
use std::collections::{BTreeMap, BTreeSet};

/// What stands between backticks.
fn in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The lines under the heading of a claim, its fields among them.
fn under<'a>(page: &'a str, id: &str) -> Vec<&'a str> {
    let heading = format!("### {id}");
    page.lines()
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.starts_with("## ") && !line.starts_with("### "))
        .collect()
}

// The table of items.

const BEGINS: &str =
    "<!-- The items, by the ledger: WRITE=1 cargo test -p dp-assay-ledger --test pages -->";
const ENDS: &str = "<!-- So far by the ledger. -->";

/// The verdict in words.
fn verdict(claim: &Claim) -> &'static str {
    match (claim.expected, claim.fault) {
        (Status::Refuted, _) if claim.version == Version::Ours => "not so; ours, charged to nobody",
        (Status::Refuted, Some(Fault::False)) => "false",
        (Status::Refuted, Some(Fault::Misprint)) => "misprint",
        (Status::Refuted, Some(Fault::Gap)) => "a gap in the proof",
        (Status::Refuted, Some(Fault::AsCoded)) => "not so, as coded",
        (Status::Refuted, _) => "not so under one reading",
        (Status::Open, Some(Fault::Gap)) => "open: a gap in the proof",
        (Status::Open, Some(_)) => "open: not legible",
        (Status::Open, None) => "open",
        _ if claim.version == Version::Reconstructed => "holds, reconstructed",
        _ if matches!(claim.version, Version::Ours | Version::Repaired) => "holds, ours",
        _ if claim.reading.is_some() => "holds, as read",
        _ => "holds",
    }
}

/// Which learners and sessions the guide names beside which claims.
fn learners() -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in read("docs/learning.md").lines() {
        let Some((learner, rest)) = line.strip_prefix("| `").and_then(|row| row.split_once('`'))
        else {
            continue;
        };
        let ids = in_backticks(rest).flat_map(|text| text.split(", "));
        for id in ids.filter(|id| id.contains('.')) {
            let of = found.entry(id.to_owned()).or_default();
            of.push(format!("`{learner}`"));
        }
    }
    found
}

/// The table of the items of a paper, in the order of their places.
fn table(page: &str) -> String {
    let learners = learners();
    let mut claims: Vec<&Claim> = entries()
        .unwrap()
        .iter()
        .map(|entry| &entry.claim)
        .filter(|claim| page_of(claim) == page && claim.place.is_some())
        .collect();
    claims.sort_by_key(|claim| order(claim.place.as_deref().unwrap()));
    let mut text = "| item | what the row says | verdict | row | with our constants | learner |\n|---|---|---|---|---|---|\n".to_owned();
    for claim in claims {
        let repairs = repairs_of(&claim.id);
        let of_it = std::iter::once(claim.id.as_str()).chain(repairs.iter().copied());
        let run: BTreeSet<&String> = of_it.filter_map(|id| learners.get(id)).flatten().collect();
        let run: Vec<&str> = run.into_iter().map(String::as_str).collect();
        let repairs: Vec<String> = repairs.iter().map(|id| format!("`{id}`")).collect();
        let plain = |text: &str| {
            text.replace('|', "\\|")
                .replace('<', "\\<")
                .replace('*', "\\*")
        };
        text += &format!(
            "| {} | {} | {} | `{}` | {} | {} |\n",
            plain(&claim.item),
            plain(&claim.short),
            verdict(claim),
            claim.id,
            repairs.join(", "),
            run.join(", ")
        );
    }
    text
}

#[test]
fn the_table_of_items_of_each_page_is_that_of_the_ledger() {
    for page in pages() {
        held(page, [BEGINS, ENDS], &table(page));
    }
}

// What a proof rests on.

/// The ids that the proof of a claim names: from "Proof" on, up to its end or to what is no proof.
fn named_in_proof(lines: &[&str]) -> BTreeSet<String> {
    let mut proof = String::new();
    let mut inside = false;
    for line in lines.iter().skip_while(|line| !line.trim().is_empty()) {
        let text = line.trim_start_matches(['*', '_', ' ']);
        if text.starts_with("Proof") {
            inside = true;
        }
        let other = [
            "Scope",
            "Limits",
            "Counterexample",
            "Why open",
            "The other reading",
        ];
        if other.iter().any(|word| text.starts_with(word)) {
            inside = false;
        }
        if inside {
            let (part, ends) = match line.split_once('∎') {
                Some((part, _)) => (part, true),
                None => (*line, false),
            };
            proof += part;
            proof.push('\n');
            inside = !ends;
        }
    }
    in_backticks(&proof).map(str::to_owned).collect()
}

/// The claim of an id or of an alias.
fn claim(id: &str) -> Option<&'static Entry> {
    let mut all = entries().unwrap().iter();
    all.find(|entry| entry.claim.id == id || entry.aliases.iter().any(|alias| alias == id))
}

#[test]
fn a_claim_rests_on_the_claims_that_its_proof_names() {
    let mut missing = Vec::new();
    for Entry { claim: own, .. } in entries().unwrap() {
        let page = read(page_of(own));
        for id in named_in_proof(&under(&page, &own.id)) {
            let Some(ground) = claim(&id) else { continue };
            let ground = &ground.claim.id;
            if *ground != own.id && !own.rests_on.contains(ground) {
                missing.push(format!("{} names {ground}", own.id));
            }
        }
    }
    assert!(missing.is_empty(), "not under 'rests on': {missing:?}");
}

#[test]
fn a_proof_is_read_to_its_end_and_no_further() {
    let lines = [
        "- item: Lemma",
        "",
        "Proof. By `p.a`.",
        "*The rest* by `p.b`. ∎ See `p.c`.",
        "Scope: `p.d`.",
    ];
    let found = named_in_proof(&lines);
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["p.a", "p.b"]);
}

// Numbers of notes.

#[test]
fn no_page_speaks_of_errata_by_letters_of_its_own() {
    for page in pages() {
        for (number, line) in read(page).lines().enumerate() {
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '.'));
            for word in words {
                let letter = word.strip_prefix("E-").is_some_and(|rest| rest.len() == 1);
                assert!(!letter, "{page}:{}: {word}", number + 1);
            }
        }
    }
}

// README.

/// The numbers of a text, as they are written, without separators of thousands.
fn numbers(text: &str) -> BTreeSet<String> {
    let digits = |c: char| c.is_ascii_digit() || c == '.' || c == '/';
    let text = text.replace([',', '\u{a0}'], "");
    let parts = text
        .split(|c: char| !digits(c))
        .map(|part| part.trim_matches(['.', '/']));
    parts
        .filter(|part| part.chars().any(|c| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// The rows of README's table of what was found: the page and the cell.
fn found() -> Vec<(String, String)> {
    let text = read("README.md");
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("](spec/"));
    let cells = rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let page = cells[1]
            .split_once("](")
            .unwrap()
            .1
            .split(')')
            .next()
            .unwrap();
        (page.to_owned(), cells[2].to_owned())
    });
    cells.collect()
}

#[test]
fn what_readme_says_was_found_names_its_rows_and_has_their_figures() {
    assert_eq!(found().len(), pages().len() + 1);
    for (page, cell) in found() {
        let text = read(&page);
        let mut carried = BTreeSet::new();
        for clause in cell.split(';') {
            let ids: Vec<&str> = in_backticks(clause).filter(|id| id.contains('.')).collect();
            assert!(!ids.is_empty(), "README names no row for: {clause}");
            for id in ids {
                let row =
                    claim(id).unwrap_or_else(|| panic!("README names {id}, which is no claim"));
                assert_eq!(page_of(&row.claim), page, "{id}");
                carried.extend(numbers(&under(&text, &row.claim.id).join(" ")));
            }
        }
        let prose: String = cell.split('`').step_by(2).collect();
        let prose = prose.replace("Theorem", "").replace("Algorithm", "");
        for number in numbers(&prose).difference(&names_of_items(&cell)) {
            assert!(
                carried.contains(number),
                "{page}: no row has {number}: {cell}"
            );
        }
    }
}

/// The numbers that name an item of a paper: `3.1` of "Theorem 3.1".
fn names_of_items(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = words
        .windows(2)
        .filter(|pair| ["Theorem", "Algorithm", "Algorithms"].contains(&pair[0]));
    let numbers = named.map(|pair| pair[1].split('\'').next().unwrap());
    numbers
        .map(|number| number.trim_matches([',', ';', '.', ':']).to_owned())
        .collect()
}

// The recommendations.

/// A row of a table of learners.
struct Row {
    learner: String,
    privacy: String,
    /// Errors at epsilon 1/4, 1 and 4; infinite where the learner refuses.
    errors: Vec<f64>,
}

impl Row {
    fn read(line: &str) -> Self {
        let line = line.replace("\\|", "");
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let error = |cell: &&str| cell.split(' ').next().and_then(|value| value.parse().ok());
        Self {
            learner: cells[0].to_owned(),
            privacy: cells[1].to_owned(),
            errors: cells[2..]
                .iter()
                .map(|cell| error(cell).unwrap_or(f64::INFINITY))
                .collect(),
        }
    }

    /// What ships names its command in brackets; labels alone are less than whole records.
    fn ships(&self) -> bool {
        self.learner.ends_with(')') && !self.learner.contains("margin-labels")
    }
}

/// The tables of learners of a page.
fn tables_of_learners(page: &str) -> Vec<Vec<Row>> {
    let text = read(page);
    let parts = text.split("| learner | privacy | epsilon").skip(1);
    let rows = |part: &str| {
        let lines = part
            .lines()
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        lines.map(Row::read).collect()
    };
    parts.map(rows).collect()
}

#[test]
fn the_learners_that_readme_recommends_err_least_in_the_tables() {
    let tables = tables_of_learners("spec/margin.md");
    assert_eq!(tables.len(), 3);
    for table in &tables {
        let errors = |name: &str| {
            &table
                .iter()
                .find(|row| row.learner.ends_with(name))
                .unwrap()
                .errors
        };
        let pure = errors("(margin-gibbs)");
        let efficient = errors("noisy gradients of all records (halfspaces-descent)");
        for row in table.iter().filter(|row| row.ships()) {
            for (cell, error) in row.errors.iter().enumerate() {
                let least = row.privacy != "epsilon" || pure[cell] <= *error;
                assert!(least, "{} errs less than margin-gibbs", row.learner);
                // From epsilon 1 on.
                let least = cell == 0 || efficient[cell] <= *error;
                assert!(least, "{} errs less than halfspaces-descent", row.learner);
            }
        }
    }
    let said = "`assay learn --advise`, from public numbers alone, by [ten data sets](experiments/results/learners.md)";
    let text = read("README.md").replace('\n', " ");
    assert!(text.contains(said), "README has another sentence");
}

#[test]
fn each_page_has_its_table_of_symbols_and_no_row_of_it_is_lost() {
    for page in dp_assay_ledger::pages() {
        let mut claims = entries().unwrap().iter().map(|entry| &entry.claim);
        let claim = claims.find(|claim| claim.source.starts_with(page.path));
        let found = notation(claim.unwrap());
        let table = page.text.lines();
        let rows = table
            .skip_while(|line| !line.starts_with("| symbol |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        assert!(!found.is_empty(), "{}", page.path);
        assert_eq!(found.len(), rows.count(), "{}", page.path);
        for [symbol, meaning, place] in found {
            assert!(
                !meaning.is_empty() && !place.is_empty() && !place.contains(" | "),
                "{}: {symbol}",
                page.path
            );
        }
    }
}
