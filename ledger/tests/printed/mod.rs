//! What the tests of the pages and of the letters share: where a claim stands in its paper, and texts that the ledger writes.

#![allow(dead_code, reason = "each test uses its part")]

use dp_assay_ledger::claim::Claim;
use dp_assay_ledger::entries;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|_| panic!("no {path}"))
}

/// The page that a claim stands on.
pub fn page_of(claim: &Claim) -> &str {
    claim.source.split(':').next().unwrap()
}

/// The pages of papers.
pub fn pages() -> BTreeSet<&'static str> {
    let papers = entries().unwrap().iter().map(|entry| &entry.claim);
    let papers = papers.filter(|claim| claim.paper != "dp-assay");
    papers.map(page_of).collect()
}

/// Where in the paper: abstract, sections by their numbers, appendices by their letters.
pub fn order(place: &str) -> (u8, Vec<String>) {
    let mut words = place.split([' ', ',', ';']);
    let (kind, number) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let parts = number.trim_end_matches(':').split('.');
    let padded = parts.map(|part| format!("{part:0>3}")).collect();
    match kind {
        "Abstract" => (0, Vec::new()),
        "Section" | "Sections" => (1, padded),
        "Appendix" => (2, padded),
        _ => panic!("'{place}' begins with no section or appendix"),
    }
}

/// That the text of this file between its two marks is this one; `WRITE=1` writes it.
pub fn held(path: &str, [begins, ends]: [&str; 2], text: &str) {
    let whole = read(path);
    let marks = || panic!("{path} does not have '{begins}' and '{ends}'");
    let (before, rest) = whole.split_once(begins).unwrap_or_else(marks);
    let (found, after) = rest.split_once(ends).unwrap_or_else(marks);
    let expected = format!("\n\n{text}\n");
    if std::env::var("WRITE").is_ok() && found != expected {
        let written = format!("{before}{begins}{expected}{ends}{after}");
        return fs::write(root().join(path), written).unwrap();
    }
    let mut lines = expected.lines().zip(found.lines());
    let differs = lines.find(|(expected, found)| expected != found);
    assert!(
        found == expected,
        "{path}: this part is not that of the ledger; WRITE=1 writes it: {differs:?}"
    );
}
