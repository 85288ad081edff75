//! The bibliography, `spec/bibliography.bib`: every key that is cited has its work, every work is cited, and `CITATION.cff` says of a
//! work what it says.

use dp_assay_ledger::bibliography::{Work, work, works};
use dp_assay_ledger::entries;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|_| panic!("no {}", path.display()))
}

/// The rows of the tables of works cited: a key, and what the page says of the work.
fn tables() -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let table = text.lines().skip_while(|line| *line != "## Works cited");
        let table = table.skip_while(|line| !line.starts_with("|---"));
        for line in table.skip(1).take_while(|line| line.starts_with("| ")) {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let mut cell = || cells.next().unwrap().to_owned();
            rows.push((cell(), cell()));
        }
    }
    rows
}

/// The keys that pages cite: of papers, under "rests on", and in the tables of works.
fn cited() -> BTreeSet<String> {
    let claims = entries().unwrap().iter().map(|entry| &entry.claim);
    let keys = claims.flat_map(|claim| {
        let paper = std::iter::once(claim.paper.to_owned());
        paper.chain(claim.cites.iter().cloned())
    });
    keys.chain(tables().into_iter().map(|(key, _)| key))
        .collect()
}

#[test]
fn every_key_has_its_work_and_every_work_is_cited() {
    let there: BTreeSet<String> = works()
        .unwrap()
        .iter()
        .map(|it| it.key.to_owned())
        .collect();
    assert_eq!(there.len(), works().unwrap().len(), "a key twice");
    let cited = cited();
    let without: Vec<_> = cited.difference(&there).collect();
    assert!(without.is_empty(), "cited without a work: {without:?}");
    let unused: Vec<_> = there.difference(&cited).collect();
    assert!(unused.is_empty(), "never cited: {unused:?}");
}

#[test]
fn every_work_names_authors_title_and_year() {
    for work in works().unwrap() {
        for name in ["author", "title", "year"] {
            assert!(work.field(name).is_some(), "{} has no {name}", work.key);
        }
        let names: BTreeSet<&str> = work.fields.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), work.fields.len(), "{}", work.key);
        assert_eq!(
            names.contains("eprint"),
            names.contains("archiveprefix"),
            "{}",
            work.key
        );
    }
}

/// The file as a reader of BibTeX has it: nothing but entries and remarks.
#[test]
fn the_file_is_what_its_works_write() {
    let text = read("spec/bibliography.bib");
    let entries: Vec<&str> = text.split("\n\n").skip(1).map(str::trim_end).collect();
    let written: Vec<String> = works().unwrap().iter().map(Work::bibtex).collect();
    let written: Vec<&str> = written.iter().map(|text| text.trim_end()).collect();
    assert_eq!(entries, written);
}

#[test]
fn the_tables_of_works_say_what_the_bibliography_says() {
    let tables = tables();
    assert!(tables.len() > 15, "{}: are they read?", tables.len());
    for (key, says) in tables {
        let work = work(&key).unwrap_or_else(|| panic!("no {key}"));
        for family in work.families() {
            assert!(says.contains(family), "{key}: {family}, not {says}");
        }
        let year = work.field("year").unwrap();
        assert!(says.contains(year), "{key}: {year}, not {says}");
        let title = says.split('*').nth(1).unwrap().to_lowercase();
        let whole = work.field("title").unwrap().to_lowercase();
        assert!(whole.starts_with(&title), "{key}: {whole}, not {title}");
    }
}

/// The value of `name:` in a part of the file.
fn value<'a>(part: &'a str, name: &str) -> Option<&'a str> {
    let beginning = format!("{name}: ");
    let mut lines = part.lines().map(|line| line.trim_start_matches([' ', '-']));
    lines
        .find_map(|line| line.strip_prefix(&beginning))
        .map(|value| value.trim_matches('"'))
}

#[test]
fn the_citation_file_says_what_the_bibliography_says() {
    let text = read("CITATION.cff");
    let (own, references) = text.split_once("\nreferences:\n").unwrap();
    let ours = work("dp-assay").unwrap();
    assert_eq!(value(own, "title"), ours.field("title"));
    assert_eq!(value(own, "version"), ours.field("version"));
    assert_eq!(ours.families(), [value(own, "name").unwrap()]);
    let mut found = BTreeSet::new();
    for part in references.split("  - type: ").skip(1) {
        let title = value(part, "title").unwrap();
        let all = works().unwrap().iter();
        let work = all.clone().find(|work| work.field("title") == Some(title));
        let work = work.unwrap_or_else(|| panic!("no work is called {title}"));
        assert_eq!(value(part, "year"), work.field("year"), "{title}");
        let families: Vec<&str> = part
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("- family-names: "))
            .collect();
        assert_eq!(families, work.families(), "{title}");
        if let Some(url) = value(part, "url") {
            assert!(url.ends_with(work.field("eprint").unwrap()), "{title}");
        }
        found.insert(work.key);
    }
    for entry in entries().unwrap() {
        let paper = entry.claim.paper;
        assert!(paper == ours.key || found.contains(paper), "{paper}");
    }
}
