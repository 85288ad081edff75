//! The search for a pair, end to end, on a mechanism with an exactly known law.

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::driver::{Question, Until, Verdict, audit_pair, search_pair, shrink_violation};
use dp_assay_audit::pairs::{Domain, Pair};
use dp_assay_audit::targets::{Function, Output, TargetError};
use serde_json::Value;

const DOMAIN: &str = r#"{"records": {"type": "integer", "lo": 0, "hi": 1000000},
                         "size": [1, 4], "neighbours": "substitute"}"#;

fn question() -> Question {
    Question {
        epsilon: ratio(1, 1),
        delta: integer(0),
        level: ratio(1, 20),
        calls: 4000,
        until: Until::Proof,
        seed: 3,
    }
}

/// Whether a record is in the range that the mechanism gives away.
fn inside(data: &Value) -> bool {
    let records = data.as_array().into_iter().flatten();
    records
        .filter_map(Value::as_i64)
        .any(|record| (200_000..400_000).contains(&record))
}

/// Tells the truth about [`inside`] with probability 15/16, so that epsilon = ln 15 on the pairs of which it holds for
/// one dataset, and 0 on all others.
fn leaks_in_a_range() -> Function<impl FnMut(&Value) -> Result<Output, TargetError>> {
    let mut coins = ChaCha::reproducible(1, 0);
    Function(move |data: &Value| {
        let lies = coins.bits(4)? == 0;
        Ok(Output::Integer((inside(data) != lies).into()))
    })
}

#[test]
fn a_violation_far_from_all_candidates_is_found_proved_and_shrunk() {
    let domain = Domain::read("domain.json", DOMAIN).unwrap();
    let leaks = |pair: &Pair| inside(&pair.0) != inside(&pair.1);
    assert!(!domain.pairs(10_000).iter().any(leaks));

    let mut target = leaks_in_a_range();
    let pair = search_pair(&mut target, &domain, &question()).unwrap();
    assert!(leaks(&pair), "{pair:?}");
    let found = audit_pair(&mut target, &pair, &question()).unwrap();
    assert_eq!(found.verdict, Verdict::Violation);
    let relation = NeighbouringRelation::Substitute;
    let shrunk = shrink_violation(&mut target, &found, relation, Some(&domain), &question());
    let shrunk = shrunk.unwrap();
    assert!(leaks(&shrunk.pair));
    assert_eq!(
        shrunk.pair.0.as_array().map(Vec::len),
        Some(1),
        "{shrunk:?}"
    );
    assert_eq!(shrunk.event.predicate.size(), 1, "{}", shrunk.event);
}

#[test]
fn a_private_mechanism_is_not_refuted_by_searching() {
    let domain = Domain::read("domain.json", DOMAIN).unwrap();
    let mut coins = ChaCha::reproducible(2, 0);
    let mut silent = Function(move |_: &Value| Ok(Output::Integer(coins.bits(1)?.into())));
    let pair = search_pair(&mut silent, &domain, &question()).unwrap();
    let found = audit_pair(&mut silent, &pair, &question()).unwrap();
    assert_eq!(found.verdict, Verdict::NotRefuted);
}
