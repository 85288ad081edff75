//! `assay explain`, the filters and formats of `assay claims`, and pages that are as wide as they are asked to be, end to end.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Output};

fn run(columns: Option<usize>, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command.args(arguments).env_remove("COLUMNS");
    if let Some(columns) = columns {
        command.env("COLUMNS", columns.to_string());
    }
    command.output().unwrap()
}

/// What is printed by a command that is done.
fn prints(columns: Option<usize>, arguments: &[&str]) -> String {
    let output = run(columns, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--format", "json"]].concat();
    serde_json::from_str(&prints(None, &arguments)).unwrap()
}

/// The claims that these filters leave, aliases left out.
fn claims(filters: &[&str]) -> Vec<Value> {
    let listed = json(&[&["claims"], filters].concat());
    let all = listed["claims"].as_array().unwrap().iter();
    let own = |claim: &&Value| claim.get("alias_of").is_none();
    all.filter(own).cloned().collect()
}

fn ids(claims: &[Value]) -> BTreeSet<&str> {
    claims.iter().map(|claim| text(claim, "id")).collect()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap()
}

/// Words with one space between them: how lines are broken does not matter.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first claim that its paper prints, that is false, and that has one repair.
fn false_claim() -> Value {
    let mut all = claims(&["--kind", "false", "--version", "as-printed"]).into_iter();
    let has_one = |claim: &Value| {
        claim["repaired_by"]
            .as_array()
            .is_some_and(|by| by.len() == 1)
    };
    all.find(has_one).unwrap()
}

#[test]
fn a_false_claim_is_explained_from_its_verdict_to_its_source() {
    let claim = false_claim();
    let id = text(&claim, "id");
    let page = prints(Some(80), &["explain", id]);
    let first = page.lines().next().unwrap();
    assert!(first.starts_with(id), "{first}");
    assert!(
        words(&page).contains("as printed: refuted (false)"),
        "{page}"
    );
    let repair = claim["repaired_by"][0].as_str().unwrap();
    let verify = format!("assay verify {id} --figures");
    let bare = words(&page);
    for there in [
        text(&claim, "item"),
        text(&claim, "place"),
        text(&claim, "quote"),
        text(&claim, "statement"),
        "no reading of the text saves it",
        "IN THE PAPER'S WORDS",
        &format!("REPAIRED {repair}: checked"),
        "COUNTEREXAMPLE",
        "WHAT RAN as kept in ledger/evidence",
        "counterexample",
        "scope:",
        "BEYOND WHAT RAN",
        &verify,
        text(&claim, "source"),
    ] {
        let there = words(&there.replace('`', ""));
        assert!(bare.contains(&there), "no '{there}' in {page}");
    }
}

#[test]
fn the_whole_argument_is_printed_when_asked_for() {
    let all = claims(&["--status", "refuted", "--version", "as-printed"]);
    // The first that has a proof behind its counterexample.
    let has_more = |id: &&str| prints(None, &["explain", id]).contains("--proof");
    let id = all
        .iter()
        .map(|claim| text(claim, "id"))
        .find(has_more)
        .unwrap();
    let long = prints(None, &["explain", id, "--proof"]);
    assert!(long.contains("THE WHOLE ARGUMENT") && !long.contains("--proof"));
    let explained = json(&["explain", id]);
    let prose = words(&text(&explained, "prose").replace('`', ""));
    let last = prose.split(" Scope: ").next().unwrap();
    let last: String = last.chars().skip(last.chars().count() - 40).collect();
    assert!(words(&long).contains(last.trim()), "{last}: {long}");
}

#[test]
fn what_is_related_is_named_with_its_status_in_both_directions() {
    let claims = claims(&["--status", "checked"]);
    let on = |claim: &&Value| !claim["rests_on"].as_array().unwrap().is_empty();
    let claim = claims.iter().find(on).unwrap();
    let (id, ground) = (text(claim, "id"), claim["rests_on"][0].as_str().unwrap());
    let page = prints(None, &["explain", id]);
    assert!(page.contains("RESTS ON") && page.contains(ground), "{page}");
    let back = json(&["explain", ground]);
    let resting = back["related"]["rested_on_by"].as_array().unwrap();
    let found = resting.iter().find(|other| other["id"] == id).unwrap();
    assert_eq!(found["expected"], "checked");
    assert_eq!(found["short"], claim["short"]);
}

#[test]
fn an_alias_is_explained_as_the_claim_that_it_names() {
    let listed = json(&["claims"]);
    let all = listed["claims"].as_array().unwrap();
    let alias = all
        .iter()
        .find(|claim| claim.get("alias_of").is_some())
        .unwrap();
    let (id, of) = (text(alias, "id"), text(alias, "alias_of"));
    let page = prints(None, &["explain", id]);
    assert!(page.starts_with(of), "{page}");
    assert!(
        page.contains(&format!("{id} is another id of {of}")),
        "{page}"
    );
    let explained = json(&["explain", id]);
    assert_eq!(
        (text(&explained, "id"), text(&explained, "asked")),
        (of, id)
    );
}

#[test]
fn what_ran_is_the_evidence_that_is_kept_unless_it_is_run() {
    let kept = json(&["explain", "sample.bernoulli"]);
    assert_eq!(kept["kept"]["status"], "checked");
    assert!(kept.get("ran").is_none());
    let arguments = ["explain", "sample.bernoulli", "--run", "--quick"];
    let page = prints(None, &arguments);
    assert!(
        page.contains("WHAT RAN  now, small instances, seed 1"),
        "{page}"
    );
    let ran = json(&arguments);
    assert_eq!(ran["ran"]["as_expected"], true);
    assert!(ran["ran"]["evidence"]["assertions"].as_u64().unwrap() > 0);
    assert!(ran.get("kept").is_none());
}

#[test]
fn a_filter_leaves_the_claims_that_it_names_and_no_others() {
    let all = claims(&[]);
    for (option, value, field, word) in [
        ("--status", "refuted", "expected", "refuted"),
        ("--kind", "as-coded", "kind", "as coded"),
        ("--version", "as-printed", "version", "as printed"),
        ("--paper", "dp-assay", "paper", "dp-assay"),
    ] {
        let found = claims(&[option, value]);
        let expected = all.iter().filter(|claim| claim[field] == word);
        let expected: Vec<Value> = expected.cloned().collect();
        assert!(
            !expected.is_empty() && expected.len() < all.len(),
            "{value}"
        );
        assert_eq!(ids(&found), ids(&expected), "{option} {value}");
    }
    // Of several values one is enough, of several filters all count.
    let both = claims(&["--status", "refuted,open"]);
    let apart = [
        claims(&["--status", "refuted"]),
        claims(&["--status", "open"]),
    ]
    .concat();
    assert_eq!(ids(&both), ids(&apart));
    let narrow = claims(&["--status", "refuted", "--kind", "gap"]);
    assert!(narrow.iter().all(|claim| claim["expected"] == "refuted"));
}

#[test]
fn what_rests_on_a_claim_through_others_is_found_too() {
    let all = claims(&[]);
    let grounds = |id: &str| -> Vec<String> {
        let claim = all.iter().find(|claim| claim["id"] == id).unwrap();
        let ids = claim["rests_on"].as_array().unwrap().iter();
        ids.map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    let (top, ground) = all
        .iter()
        .find_map(|claim| {
            let id = text(claim, "id");
            let own = grounds(id);
            let mut below = own.iter().flat_map(|ground| grounds(ground));
            below
                .find(|below| !own.contains(below))
                .map(|below| (id, below))
        })
        .unwrap();
    let resting = claims(&["--rests-on", &ground]);
    assert!(ids(&resting).contains(top), "{top} on {ground}");
    assert!(!ids(&resting).contains(ground.as_str()));
}

#[test]
fn a_paper_is_named_by_its_key_or_by_an_author() {
    let paper = text(&false_claim(), "paper").to_owned();
    let by_key = claims(&["--paper", &paper]);
    let title = dp_assay_ledger::title(&paper);
    let author = title.split(',').next().unwrap().to_uppercase();
    assert_eq!(ids(&by_key), ids(&claims(&["--paper", &author])));
}

#[test]
fn a_search_finds_a_text_in_whatever_case() {
    let found = claims(&["--search", "DISCRETE LAPLACE"]);
    assert!(ids(&found).contains("sample.prepared-laplace"));
    assert!(found.len() < claims(&[]).len() / 2);
    let output = run(None, &["claims", "--search", "no such words anywhere"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    let says = String::from_utf8(output.stderr).unwrap();
    assert!(says.contains("no claim passes"), "{says}");
}

#[test]
fn claims_come_as_a_spreadsheet_and_as_references() {
    let table = prints(None, &["claims", "--format", "csv", "sample.*"]);
    let mut lines = table.lines();
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("id,alias_of,paper,item,version,expected,kind,")
    );
    assert!(lines.any(|line| line.starts_with("sample.bernoulli,,dp-assay,")));
    let cited = |filters: &[&str]| {
        let text = prints(None, &[&["claims", "--format", "bibtex"], filters].concat());
        let entries = text.lines().filter(|line| line.starts_with('@'));
        entries.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(cited(&["sample.bernoulli"]), ["@software{dp-assay,"]);
    let papers: BTreeSet<String> = claims(&[])
        .iter()
        .map(|it| text(it, "paper").to_owned())
        .collect();
    assert_eq!(cited(&[]).len(), papers.len());
}

/// Each page at the widths of some terminals. A word that is longer than a line is broken, so that no line is wider.
#[test]
fn no_line_is_wider_than_the_page() {
    let claim = false_claim();
    let id = text(&claim, "id");
    let pages: [&[&str]; 6] = [
        &["explain", id],
        &["explain", id, "--proof"],
        &["claims"],
        &["verify", id, "--quick"],
        &["verify", id, "--quick", "--figures"],
        &["explain", "sample.discrete-gaussian", "--proof"],
    ];
    for page in pages {
        for width in [60, 80, 100, 200] {
            let text = prints(Some(width), page);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{page:?} at {width}: {line}");
            }
        }
        assert!(!prints(None, page).contains('\x1b'));
    }
}

#[test]
fn in_a_pipe_a_field_is_one_line() {
    let claim = false_claim();
    let table = prints(None, &["claims", text(&claim, "id")]);
    let statement = format!("    {}\n", text(&claim, "statement"));
    assert!(table.contains(&statement), "{table}");
}

#[test]
fn a_run_ends_with_the_claim_to_look_at_next() {
    let claim = false_claim();
    let id = text(&claim, "id");
    let table = prints(None, &["verify", id, "--quick"]);
    assert_eq!(
        table.lines().last().unwrap(),
        format!("next: assay explain {id}")
    );
}
