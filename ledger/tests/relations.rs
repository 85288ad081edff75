//! How the claims of the registry hang together.

use dp_assay_ledger::claim::Claim;
use dp_assay_ledger::relations::{Relations, find};
use dp_assay_ledger::{Entry, entries};
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
