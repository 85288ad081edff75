//! The search for a pair, end to end, on a mechanism with an exactly known law.

mod nightly;

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::pairs::{Domain, Effort, Pair};
use dp_assay_audit::refute::{
    Claim, Question, Until, Verdict, audit_pair, search_pair, shrink_violation,
};
use dp_assay_audit::targets::{Function, Output, TargetError};
use nightly::runs;
use num_bigint::BigUint;
use serde_json::Value;

const DOMAIN: &str = r#"{"records": {"type": "integer", "lo": 0, "hi": 1000000},
                         "size": [1, 4], "neighbours": "substitute"}"#;

fn question() -> Question {
    Question {
        claim: Claim::budget(ratio(1, 1), integer(0)),
        level: ratio(1, 20),
        calls: 4000,
        until: Until::Proof,
        shrink: true,
        time: false,
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

/// Tells the truth about [`inside`] with probability 15/16, so that epsilon = ln 15 on the pairs where it holds for
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
    let pair = search_pair(&mut target, &domain, &question()).unwrap().pair;
    assert!(leaks(&pair), "{pair:?}");
    let found = audit_pair(&mut target, &pair, &question()).unwrap();
    assert_eq!(found.verdict, Verdict::Violation);
    let relation = NeighbouringRelation::Substitute;
    let shrunk = shrink_violation(
        &mut target,
        &found,
        Some(relation),
        Some(&domain),
        &question(),
    );
    let shrunk = shrunk.unwrap().smallest.unwrap();
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
    let pair = search_pair(&mut silent, &domain, &question()).unwrap().pair;
    let found = audit_pair(&mut silent, &pair, &question()).unwrap();
    assert_eq!(found.verdict, Verdict::NotRefuted);
}

/// Gives a record away with probability 3/1000, and otherwise says nothing: an integer of 0, 1, 2, ... by halves.
fn gives_a_record_away(seed: u64) -> Function<impl FnMut(&Value) -> Result<Output, TargetError>> {
    let mut coins = ChaCha::reproducible(seed, 0);
    Function(move |data: &Value| {
        let records = data.as_array().map(Vec::as_slice).unwrap_or_default();
        if coins.bernoulli(&ratio(3, 1000))? {
            let place = coins.uniform_below(&BigUint::from(records.len()))?;
            let place = usize::try_from(place).unwrap_or(0);
            return Ok(Output::Integer(records[place].as_i64().unwrap_or(0).into()));
        }
        Ok(Output::Integer(coins.bits(20)?.trailing_zeros().into()))
    })
}

/// The pair that shows most is that of one record; on ten records the leak has a tenth of its mass. 200,000 calls show
/// the whole of it: 75,000 on each dataset after the last epoch; 225 of them are expected to give 100 away. Five runs by day, 50 at
/// night: a search that fails with probability 0.602, at night 0.089, or more is noticed with probability 0.99.
#[test]
fn a_rare_release_is_found_with_every_seed() {
    let text = r#"{"records": {"type": "integer", "lo": 0, "hi": 100},
                   "size": [1, 10], "neighbours": "substitute"}"#;
    let domain = Domain::read("domain.json", text).unwrap();
    for seed in 1..=u64::from(runs(5)) {
        let question = Question {
            calls: 200_000,
            seed,
            ..question()
        };
        let mut target = gives_a_record_away(seed);
        let pair = search_pair(&mut target, &domain, &question).unwrap().pair;
        assert_eq!(pair.0.as_array().map(Vec::len), Some(1), "{seed}: {pair:?}");
        let found = audit_pair(&mut target, &pair, &question).unwrap();
        assert_eq!(found.verdict, Verdict::Violation, "{seed}: {pair:?}");
    }
}

#[test]
fn what_the_search_took_is_counted() {
    let domain = Domain::read("domain.json", DOMAIN).unwrap();
    let mut calls = 0;
    let mut target = Function(|_: &Value| {
        calls += 1;
        Ok(Output::Integer(0))
    });
    let searched = search_pair(&mut target, &domain, &question()).unwrap();
    assert_eq!(searched.calls, calls);
    assert!(searched.measurements <= Effort::default().measurements());
    assert!(searched.measurements > 60, "{searched:?}");
}
