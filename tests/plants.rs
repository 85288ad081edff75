//! The table of planted errors, `plants.toml`: that it still fits the sources. `make plants` plants them.

use dp_assay::claim::Effort;
use dp_assay::ledger;
use dp_assay::number::rational::ratio;
use dp_assay::stats::clopper_pearson;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The planted errors, each with all of its fields.
fn plants() -> Vec<toml::Table> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("tests/plants.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let plants = table["plant"].as_array().unwrap();
    let plants: Vec<toml::Table> = plants
        .iter()
        .map(|plant| plant.as_table().unwrap().clone())
        .collect();
    for plant in &plants {
        let fields: Vec<&str> = plant.keys().map(String::as_str).collect();
        let wanted = BTreeSet::from(["file", "new", "old", "row", "says"]);
        assert_eq!(BTreeSet::from_iter(fields), wanted, "{plant:?}");
    }
    plants
}

#[test]
fn each_plant_has_its_place_in_the_sources_and_a_row_that_should_notice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = BTreeSet::new();
    for plant in plants() {
        let field = |name: &str| plant[name].as_str().unwrap().to_owned();
        let (file, old, new, row) = (field("file"), field("old"), field("new"), field("row"));
        let text = fs::read_to_string(root.join(&file)).unwrap_or_else(|_| panic!("no {file}"));
        assert_eq!(text.matches(&old).count(), 1, "{file} has this once: {old}");
        assert!(
            old != new && !field("says").is_empty() && file.starts_with("src/"),
            "{plant:?}"
        );
        let rows = ledger::select(std::slice::from_ref(&row)).unwrap();
        assert!(rows.len() == 1 && rows[0].claim.id == row, "no row {row}");
        assert!(seen.insert((file, old, new, row)), "twice: {plant:?}");
    }
}

/// Runs the rows that the variable ROWS names, ids or patterns, for `make plants` and `make mutants`.
#[test]
#[ignore = "for make plants and make mutants, which say which rows"]
fn rows() {
    let named = std::env::var("ROWS").expect("ROWS names the rows");
    let patterns: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    let effort = Effort {
        quick: std::env::var("QUICK").is_ok(),
        ..Effort::default()
    };
    let mut unexpected = Vec::new();
    for entry in ledger::select(&patterns).unwrap() {
        let recheck = entry.run(effort);
        let id = &recheck.claim.id;
        if recheck.as_expected() {
            println!("\nas expected: {id}");
        } else {
            let why = match &recheck.result {
                Ok(evidence) => evidence.failure().unwrap_or("another status").to_owned(),
                Err(reason) => format!("could not run: {reason}"),
            };
            println!("\nnot as expected: {id}: {why}");
            unexpected.push(id.clone());
        }
    }
    assert!(unexpected.is_empty(), "not as expected: {unexpected:?}");
}

/// Of `make mutants`, which says how many mutants were caught of how many that compile.
#[test]
#[ignore = "for make mutants, which counts"]
fn share_of_mutants_caught() {
    let count = |name: &str| -> u64 { std::env::var(name).unwrap().parse().unwrap() };
    let (caught, counted) = (count("CAUGHT"), count("COUNTED"));
    let level = ratio(1, 20);
    let bound = clopper_pearson::lower(counted, caught, &level).unwrap();
    println!(
        "caught {caught} of {counted}; of all mutants at least {bound:.3} (Clopper-Pearson, 95 %)"
    );
    assert!(20 * caught >= 19 * counted, "fewer than 95 % are caught");
}
