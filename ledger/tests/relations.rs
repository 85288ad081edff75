//! How the claims of the registry hang together, and what is known of each without a run.

use dp_assay_ledger::claim::{Claim, Proof, Status};
use dp_assay_ledger::relations::{Relations, find};
use dp_assay_ledger::{Entry, Ledger, entries, meaning, planted};
use std::collections::BTreeSet;

fn of(entry: &Entry) -> Relations {
    Relations::of(&entry.claim).unwrap()
}

fn ids(list: &[&Entry]) -> Vec<String> {
    list.iter().map(|entry| entry.claim.id.clone()).collect()
}

#[test]
fn what_one_claim_says_of_another_the_other_knows() {
    for entry in entries().unwrap() {
        let (id, own) = (&entry.claim.id, of(entry));
        for other in &own.repairs {
            assert!(ids(&of(other).repaired_by).contains(id), "{id}");
        }
        for other in &own.rests_on {
            assert!(ids(&of(other).rested_on_by).contains(id), "{id}");
        }
        assert_eq!(own.repairs.len(), entry.claim.repairs.len(), "{id}");
        assert_eq!(own.rests_on.len(), entry.claim.rests_on.len(), "{id}");
    }
}

/// All that a claim's page says of it but its own id.
fn words(claim: &Claim) -> String {
    let fields = [claim.reading.as_deref(), claim.proof_only.as_deref()];
    let fields = fields.into_iter().flatten();
    let texts = fields.chain([claim.statement.as_str(), claim.prose.as_str()]);
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn whoever_names_a_claim_and_has_no_nearer_relation_mentions_it() {
    let mut mentions = 0;
    for entry in entries().unwrap() {
        let own = of(entry);
        let nearer = [&own.repairs, &own.repaired_by, &own.rests_on];
        let nearer = nearer.into_iter().chain([&own.rested_on_by]).flatten();
        let nearer: BTreeSet<&str> = nearer.map(|other| other.claim.id.as_str()).collect();
        for other in &own.mentioned_by {
            let text = words(&other.claim);
            let id = std::iter::once(&entry.claim.id).chain(&entry.aliases);
            assert!(id.clone().any(|id| text.contains(id.as_str())));
            assert!(!nearer.contains(other.claim.id.as_str()));
            mentions += 1;
        }
        // In backticks it is a mention whoever reads it.
        let named = format!("`{}`", entry.claim.id);
        for other in entries().unwrap() {
            let id = other.claim.id.as_str();
            if id != entry.claim.id && words(&other.claim).contains(&named) && !nearer.contains(id)
            {
                assert!(ids(&own.mentioned_by).contains(&other.claim.id), "{id}");
            }
        }
    }
    assert!(mentions > 50, "{mentions}: are the pages read?");
}

#[test]
fn an_alias_leads_to_its_claim() {
    let mut all = entries().unwrap().iter();
    let entry = all.find(|entry| !entry.aliases.is_empty()).unwrap();
    let found = find(&entry.aliases[0]).unwrap().unwrap();
    assert_eq!(found.claim.id, entry.claim.id);
    assert!(find("no.such").unwrap().is_none());
}

/// The one row whose evidence depends on how the program was built.
const NOT_KEPT: &str = "number.two-arithmetics";

#[test]
fn the_evidence_that_is_kept_has_the_status_that_the_page_expects() {
    for entry in entries().unwrap() {
        let claim = &entry.claim;
        match entry.accepted() {
            Some(found) => {
                assert_eq!(found.status, claim.expected.to_string(), "{}", claim.id);
                let refuted = claim.expected == Status::Refuted;
                assert_eq!(refuted, !found.counterexamples.is_empty(), "{}", claim.id);
            }
            None => assert_eq!(claim.id, NOT_KEPT),
        }
    }
}

#[test]
fn every_word_of_a_row_has_its_meaning_in_the_conventions() {
    let claims = entries().unwrap().iter().map(|entry| &entry.claim);
    for claim in claims {
        let words = claim.expected_in_words();
        assert!(meaning(&words).is_some(), "{words}");
    }
    for proof in Proof::ALL {
        assert!(meaning(&proof.to_string()).is_some(), "{proof}");
    }
    assert_eq!(meaning("refuted (nonsense)"), None);
}

#[test]
fn a_claim_that_was_not_run_is_shown_with_what_its_proof_is_given() {
    let ledger = Ledger {
        rechecks: Vec::new(),
        effort: dp_assay_ledger::claim::Effort::default(),
    };
    let mut given = 0;
    for entry in entries().unwrap() {
        let claim = &entry.claim;
        assert!(ledger.stated(claim).starts_with(&claim.expected_in_words()));
        let shown = ledger.stated_proof(claim);
        for work in claim.cites.iter().filter(|_| claim.proof() == Proof::Paper) {
            assert!(shown.contains(&format!("{work} (cited)")), "{shown}");
            given += 1;
        }
    }
    assert!(given > 0);
}

#[test]
fn every_planted_error_is_known_to_its_row() {
    let table = include_str!("../../tests/plants.toml");
    let rows = table.lines().filter(|line| line.starts_with("row = '"));
    let all = entries().unwrap().iter();
    let found: usize = all.map(|entry| planted(&entry.claim.id).len()).sum();
    assert_eq!(found, rows.count());
}
