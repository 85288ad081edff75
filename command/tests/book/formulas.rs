//! The golden file of the formulas: each that stands on a page of claims, and how it is read. A change of it is to be reviewed, since
//! parsing says nothing about being right. `WRITE=1 cargo test -p dp-assay-cli --test command book` writes it again.

use dp_assay_cli::book::notation::{Formula, Part, is_mathematics, parts};
use dp_assay_ledger::{entries, pages};
use std::collections::BTreeSet;

/// What stands in backticks on the pages, code fences aside.
fn spans() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for page in pages() {
        let mut fenced = false;
        for line in page.text.lines() {
            fenced ^= line.trim_start().starts_with("```");
            if !fenced && !line.starts_with("| ") {
                found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
            }
        }
    }
    let ids = entries().unwrap().iter().map(|entry| &entry.claim.id);
    for id in ids {
        found.remove(id);
    }
    found.retain(|span| is_mathematics(span));
    found
}

/// The formulas of statements, which stand there without backticks.
fn of_statements() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in entries().unwrap() {
        for text in [&entry.claim.short, &entry.claim.statement] {
            for part in text.split('`').step_by(2).flat_map(parts) {
                if let Part::Formula(text) = part {
                    found.insert(text.to_owned());
                }
            }
        }
    }
    found
}

fn shown(formulas: &BTreeSet<String>) -> String {
    let line = |text: &String| {
        let read = Formula::read(text).filter(|formula| formula.mathml().is_some());
        let latex = read.map_or("(not read)".to_owned(), |formula| formula.latex());
        format!("{text}\n    {latex}\n")
    };
    formulas.iter().map(line).collect()
}

fn golden() -> String {
    format!(
        "Formulas in backticks, each with how it is read, in LaTeX\n\n{}\nFormulas of statements\n\n{}",
        shown(&spans()),
        shown(&of_statements())
    )
}

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/book/formulas.txt");

#[test]
fn each_formula_is_read_as_the_golden_file_has_it() {
    let found = golden();
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(FILE, &found).unwrap();
    }
    let expected = std::fs::read_to_string(FILE).unwrap_or_default();
    let differs = found
        .lines()
        .zip(expected.lines())
        .find(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "{differs:?}: if what is new is right, WRITE=1 writes it"
    );
}

#[test]
fn few_formulas_are_not_read() {
    let not_read =
        |formulas: &BTreeSet<String>| shown(formulas).matches("\n    (not read)\n").count();
    let (spans, statements) = (spans(), of_statements());
    assert!(
        spans.len() > 3000 && statements.len() > 1000,
        "{} {}",
        spans.len(),
        statements.len()
    );
    assert!(
        not_read(&spans) * 100 <= spans.len(),
        "{}",
        not_read(&spans)
    );
    assert!(
        not_read(&statements) * 50 <= statements.len(),
        "{}",
        not_read(&statements)
    );
}
