//! The pages of `spec/` and the ledger speak of the same claims.

use dp_assay::ledger::{Status, claims};
use std::collections::BTreeMap;

/// The text under each heading `### id` of the pages.
fn headings() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for page in ["samplers.md", "halfspaces.md", "random-features.md"] {
        let path = format!("{}/spec/{page}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut id = None;
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix("### ") {
                let heading = heading.trim().trim_matches('`').to_owned();
                let before = found.insert(heading.clone(), String::new());
                assert!(before.is_none(), "{page} has two headings {heading}");
                id = Some(heading);
            } else if line.starts_with("## ") {
                id = None;
            } else if let Some(id) = &id {
                let text: &mut String = found.get_mut(id).expect("inserted above");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    found
}

#[test]
fn every_claim_has_its_heading_and_every_heading_its_claim() {
    let headings = headings();
    let ids: Vec<&str> = claims().iter().map(|claim| claim.id).collect();
    let without: Vec<_> = ids
        .iter()
        .filter(|id| !headings.contains_key(**id))
        .collect();
    assert!(without.is_empty(), "not in spec/: {without:?}");
    let unknown: Vec<_> = headings
        .keys()
        .filter(|id| !ids.contains(&id.as_str()))
        .collect();
    assert!(
        unknown.is_empty(),
        "in spec/ and not in the ledger: {unknown:?}"
    );
}

#[test]
fn the_pages_state_the_status_that_the_ledger_expects() {
    let headings = headings();
    for claim in claims() {
        // The status without MPFR and with it differ for one row, whose text names both.
        let expected = if claim.id == "number.two-arithmetics" {
            Status::Verified
        } else {
            claim.expects
        };
        let start: String = headings[claim.id].chars().take(400).collect();
        assert!(
            start.contains(&expected.to_string()),
            "{}: spec/ does not begin with '{expected}'",
            claim.id
        );
    }
}
