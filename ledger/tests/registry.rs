//! The registry of claims as it is, and what is shown of claims after their checks ran.
//!
//! Not beside the code: a unit test that asks the registry would have all checks compiled once more.

mod evidence;

use dp_assay_ledger::claim::{
    Check, CheckFunction, Claim, Effort, Fault, MachineChecked, Proof, Status, Version,
};
use dp_assay_ledger::{Entry, Ledger, LedgerError, Recheck, entries, select};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn a_pattern_without_a_match_is_an_error() {
    assert!(matches!(
        select(&["nonsense.*".to_owned()]),
        Err(LedgerError::NoSuchClaim { .. })
    ));
}

#[test]
fn every_id_begins_with_the_key_of_its_paper() {
    for entry in entries().unwrap() {
        let key = entry.claim.id.split('.').next().unwrap();
        match entry.claim.paper {
            "dp-assay" => {
                let ours = ["number", "sample", "law", "privacy", "stats"];
                assert!(ours.contains(&key), "{}", entry.claim.id);
            }
            paper => assert_eq!(paper, key, "{}", entry.claim.id),
        }
    }
}

#[test]
fn every_work_that_a_claim_rests_on_stands_in_a_table_of_works() {
    let page = |path: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        fs::read_to_string(&path).unwrap_or_else(|_| panic!("no {}", path.display()))
    };
    let places = entries().unwrap().iter().map(|entry| &entry.claim.source);
    let pages: BTreeSet<&str> = places.filter_map(|place| place.split(':').next()).collect();
    let mut texts: Vec<String> = pages.into_iter().map(page).collect();
    texts.push(page("spec/conventions.md"));
    for entry in entries().unwrap() {
        for key in &entry.claim.cites {
            let row = format!("\n| {key} | ");
            let stands = texts.iter().any(|text| text.contains(&row));
            assert!(stands, "{} cites {key}", entry.claim.id);
        }
    }
}

/// What `make verify` shows, and that its evidence is the one that is committed. `ACCEPT_EVIDENCE=jt13` takes it as it is, of the rows of one
/// paper, and `ACCEPT_EVIDENCE=all` of all rows.
#[test]
fn every_claim_is_as_expected() {
    let accepted = std::env::var("ACCEPT_EVIDENCE").ok();
    let papers = accepted.as_deref().filter(|papers| *papers != "all");
    let rechecks = every_claim_is_as_expected_with(Effort::default(), papers);
    if accepted.is_some() {
        evidence::accept(&rechecks);
    }
    let differences = evidence::differences(&rechecks);
    let shown = differences.join("\n");
    assert!(
        differences.is_empty(),
        "the evidence differs from what is committed (-) and is now (+); {}:\n{shown}",
        evidence::ACCEPT
    );
    let left_over = evidence::left_over(&rechecks);
    assert!(left_over.is_empty(), "rows that are gone: {left_over:?}");
}

/// Some instances are of this effort only.
#[test]
fn every_claim_is_as_expected_on_small_instances() {
    if std::env::var("NIGHTLY").is_err() {
        eprintln!("NIGHTLY is not set: the small instances are left out");
        return;
    }
    let effort = Effort {
        quick: true,
        ..Effort::default()
    };
    every_claim_is_as_expected_with(effort, None);
}

/// All rows, or those of one paper, in the order of the pages.
fn every_claim_is_as_expected_with(effort: Effort, paper: Option<&str>) -> Vec<Recheck> {
    let is_meant = |entry: &&Entry| paper.is_none_or(|paper| entry.claim.paper == paper);
    let entries: Vec<&Entry> = entries().unwrap().iter().filter(is_meant).collect();
    assert!(!entries.is_empty(), "no paper {paper:?}");
    // Two at a time: a test that takes longest by itself would keep one processor waiting.
    let next = AtomicUsize::new(0);
    let run = || -> Vec<(usize, Recheck)> {
        let places = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let taken = places.map_while(|place| Some((place, entries.get(place)?)));
        taken
            .map(|(place, entry)| (place, entry.run(effort)))
            .collect()
    };
    let mut all = std::thread::scope(|scope| {
        let other = scope.spawn(run);
        let mut found = run();
        found.extend(other.join().unwrap());
        found
    });
    all.sort_by_key(|(place, _)| *place);
    let all: Vec<Recheck> = all.into_iter().map(|(_, recheck)| recheck).collect();
    let unexpected: Vec<&Recheck> = all.iter().filter(|r| !r.as_expected()).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    all
}

const HOLDS: CheckFunction = |check| {
    check.exact("n <= 4");
    check.holds(true, "n = 1");
    Ok(())
};
const REFUTES: CheckFunction = |check| {
    check.exact("n <= 4");
    check.refutes(true, "n = 4");
    Ok(())
};
const OPEN: CheckFunction = |check| {
    check.left_open("too hard");
    Ok(())
};

fn recheck(id: &str, expected: Status, rests_on: &[&str], check: CheckFunction) -> Recheck {
    Recheck {
        claim: Claim {
            id: id.to_owned(),
            paper: "p",
            source: "spec/p.md:1".to_owned(),
            item: "Lemma 1".to_owned(),
            version: Version::Ours,
            place: None,
            quote: None,
            short: "short".to_owned(),
            statement: "long".to_owned(),
            expected,
            fault: (expected == Status::Refuted).then_some(Fault::False),
            reading: None,
            proof_only: None,
            repairs: Vec::new(),
            rests_on: rests_on.iter().map(|&id| id.to_owned()).collect(),
            cites: Vec::new(),
            machine_checked: None,
            proved: false,
            prose: String::new(),
        },
        aliases: Vec::new(),
        result: Check::run(check, Effort::default()).map_err(|trouble| trouble.to_string()),
    }
}

fn ledger() -> Ledger {
    Ledger {
        rechecks: vec![
            recheck("p.a", Status::Checked, &["p.b"], HOLDS),
            recheck("p.b", Status::Checked, &["p.c"], HOLDS),
            recheck("p.c", Status::Open, &[], OPEN),
            recheck("p.d", Status::Refuted, &[], REFUTES),
            recheck("p.e", Status::Refuted, &[], REFUTES),
        ],
        effort: Effort::default(),
    }
}

#[test]
fn a_row_is_not_shown_stronger_than_the_weakest_that_it_rests_on() {
    let ledger = ledger();
    let shown: Vec<String> = ledger.rechecks.iter().map(|f| ledger.shown(f)).collect();
    assert_eq!(
        shown,
        [
            "checked, given p.c (open)",
            "checked, given p.c (open)",
            "open",
            "refuted (false)",
            "refuted (false)"
        ]
    );
    assert_eq!(ledger.not_as_expected(), 0);
}

#[test]
fn what_covers_the_rest_of_a_claim_follows_from_what_its_page_has() {
    for entry in entries().unwrap() {
        let claim = &entry.claim;
        let in_coq = claim.machine_checked.as_ref();
        let expected = match claim.proof() {
            Proof::Source => in_coq.is_some_and(|found| found.is_of_the_source()),
            Proof::Program => in_coq.is_some_and(|found| found.tapes.is_some()),
            Proof::Statement => in_coq.is_some_and(|found| found.tapes.is_none()),
            Proof::Paper => in_coq.is_none() && claim.proved,
            Proof::Cited => in_coq.is_none() && !claim.proved && !claim.cites.is_empty(),
            Proof::None => in_coq.is_none() && !claim.proved && claim.cites.is_empty(),
        };
        assert!(expected, "{}: {}", claim.id, claim.proof());
        let whole = in_coq.is_none_or(|found| found.note.is_none());
        assert_eq!(whole, claim.proof_in_words() == claim.proof().to_string());
    }
}

/// What the proof of `p.a` is shown as, which rests on `p.b`, and that on `p.c`.
fn shown_proof(change: impl FnOnce(&mut [Claim; 3])) -> String {
    let claim = |id, rests_on: &[&str]| {
        let mut claim = recheck(id, Status::Checked, rests_on, HOLDS).claim;
        claim.proved = true;
        claim
    };
    let mut claims = [
        claim("p.a", &["p.b"]),
        claim("p.b", &["p.c"]),
        claim("p.c", &[]),
    ];
    change(&mut claims);
    let mut ledger = ledger();
    for (recheck, claim) in ledger.rechecks.iter_mut().zip(claims) {
        recheck.claim = claim;
    }
    ledger.shown_proof(&ledger.rechecks[0])
}

/// What Coq has of a claim: all of it, or less.
fn theorem(note: Option<&str>) -> Option<MachineChecked> {
    Some(MachineChecked {
        theorems: vec!["papers/File.v theorem".to_owned()],
        note: note.map(str::to_owned),
        tapes: None,
    })
}

#[test]
fn a_proof_is_not_shown_stronger_than_what_it_uses() {
    let cites = || vec!["BS16".to_owned()];
    assert_eq!(shown_proof(|_| ()), "paper");
    let cited_twice =
        shown_proof(|claims| claims.iter_mut().for_each(|claim| claim.cites = cites()));
    assert_eq!(cited_twice, "paper, given BS16 (cited)");
    let unproved = shown_proof(|[_, _, c]| c.proved = false);
    assert_eq!(unproved, "paper, given p.c (no proof)");
    let contradicted = shown_proof(|[a, ..]| a.expected = Status::Refuted);
    assert_eq!(contradicted, "none");
    let only_cited = shown_proof(|[a, ..]| (a.proved, a.cites) = (false, cites()));
    assert_eq!(only_cited, "cited");
}

#[test]
fn a_theorem_of_all_of_a_claim_uses_nothing_else_and_one_of_a_part_does() {
    let of = |note: Option<&'static str>| {
        shown_proof(move |[a, b, c]| {
            a.machine_checked = theorem(note);
            b.cites = vec!["BS16".to_owned()];
            c.proved = false;
        })
    };
    assert_eq!(of(None), "Coq, statement");
    assert_eq!(
        of(Some("without the last clause")),
        "Coq, in part, given BS16 (cited), p.c (no proof)"
    );
    // Nor does a ground that Coq has whole pass on what it rests on.
    let below = shown_proof(|[_, b, c]| (b.machine_checked, c.proved) = (theorem(None), false));
    assert_eq!(below, "paper");
}

#[test]
fn one_counterexample_of_two_claims_counts_once() {
    assert_eq!(ledger().counterexamples(), 1);
}

#[test]
fn a_failed_assertion_is_never_as_expected() {
    let failing: CheckFunction = |check| {
        check.exact("n <= 4");
        check.holds(false, "n = 2");
        Ok(())
    };
    for expected in [Status::Checked, Status::Refuted, Status::Open] {
        assert!(!recheck("p.a", expected, &[], failing).as_expected());
    }
}
