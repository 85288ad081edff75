//! The tables of planted errors and of mutants that survive: that they still fit the sources. `make plants` and
//! `make mutants` try them.

mod evidence;

use dp_assay_ledger as ledger;
use dp_assay_ledger::claim::Effort;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The entries of a table in `tests/`, each with exactly these fields.
fn entries<const N: usize>(table: &str, name: &str, fields: [&str; N]) -> Vec<[String; N]> {
    let text = fs::read_to_string(root().join("tests").join(table)).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let entries = table
        .get(name)
        .map_or(&[][..], |entries| entries.as_array().unwrap());
    let fields_of = |entry: &toml::Value| {
        assert_eq!(entry.as_table().unwrap().len(), N, "{entry:?}");
        fields.map(|field| entry[field].as_str().unwrap().to_owned())
    };
    entries.iter().map(fields_of).collect()
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn source(file: &str) -> String {
    let packages = [
        "src/",
        "reference/src/",
        "ledger/src/",
        "audit/src/",
        "command/src/",
    ];
    assert!(
        packages.iter().any(|sources| file.starts_with(sources)),
        "{file}"
    );
    fs::read_to_string(root().join(file)).unwrap_or_else(|_| panic!("no {file}"))
}

/// How often a text stands in the items of this name, in whatever file of a package they are: `scripts/pinned.py` says the same.
/// The sources are those of [`all`].
fn times(sources: &[(String, String)], item: &str, text: &str) -> usize {
    let (file, name) = item.rsplit_once('.').unwrap_or(("", item));
    let mut times = 0;
    for (path, source) in sources {
        if !file.is_empty() && !path.ends_with(&format!("{file}.rs")) {
            continue;
        }
        // Items take long to find: nearly all sources have none of the text.
        if !source.contains(text) {
            continue;
        }
        times += match name {
            "" => source.matches(text).count(),
            _ => items(source, name)
                .map(|item| item.matches(text).count())
                .sum(),
        };
    }
    times
}

/// The functions and constants of this name, as rustfmt writes them: an item ends where a line closes it at the same indentation,
/// or on its first line.
fn items<'a>(source: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let starts = source.lines().scan(0, |at, line| {
        let start = *at;
        *at += line.len() + 1;
        Some((start, line))
    });
    starts
        .filter(move |(_, line)| beginning(line) == Some(name))
        .map(|(start, line)| {
            let indent = line.len() - line.trim_start().len();
            let mut end = start;
            for line in source[start..].lines() {
                end += line.len() + 1;
                let outside = line
                    .get(..indent)
                    .is_some_and(|blank| blank.trim().is_empty());
                let rest = line.get(indent..).unwrap_or("");
                if outside && !rest.starts_with(' ') && (rest.ends_with([';', '}']) || rest == "},")
                {
                    break;
                }
            }
            &source[start..end.min(source.len())]
        })
}

/// The name of the function or constant that begins on this line.
fn beginning(line: &str) -> Option<&str> {
    let words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
    let mut words =
        words.filter(|word| !["", "pub", "crate", "super", "in", "async"].contains(word));
    match (words.next()?, words.next()?) {
        ("const", "fn") => words.next(),
        ("fn" | "const" | "static", name) => Some(name),
        _ => None,
    }
}

/// All sources below a folder, with their paths.
fn all(sources: &str) -> Vec<(String, String)> {
    let mut folders = vec![root().join(sources)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push((
                    path.display().to_string(),
                    fs::read_to_string(&path).unwrap(),
                ));
            }
        }
    }
    files
}

#[test]
fn each_plant_has_its_place_in_the_sources_and_a_row_that_should_notice() {
    let (mut seen, mut read) = (BTreeSet::new(), BTreeMap::new());
    for plant in entries(
        "plants.toml",
        "plant",
        ["sources", "item", "old", "new", "row", "says"],
    ) {
        let [sources, item, old, new, row, says] = &plant;
        assert_eq!(
            times(
                read.entry(sources.clone()).or_insert_with(|| all(sources)),
                item,
                old
            ),
            1,
            "how often {item} of {sources} has: {old}"
        );
        assert!(old != new && !says.is_empty(), "{plant:?}");
        let rows = ledger::select(std::slice::from_ref(row)).unwrap();
        assert!(rows.len() == 1 && rows[0].claim.id == *row, "no row {row}");
        assert!(seen.insert(plant.clone()), "twice: {plant:?}");
    }
}

#[test]
fn each_plant_that_a_unit_test_notices_has_its_place_and_its_test() {
    let (mut seen, mut read) = (BTreeSet::new(), BTreeMap::new());
    for plant in entries(
        "plants.toml",
        "tested",
        ["sources", "item", "old", "new", "test", "says"],
    ) {
        let [sources, item, old, new, test, says] = &plant;
        assert_eq!(
            times(
                read.entry(sources.clone()).or_insert_with(|| all(sources)),
                item,
                old
            ),
            1,
            "how often {item} of {sources} has: {old}"
        );
        assert!(old != new && !says.is_empty(), "{plant:?}");
        // The reference has no test of its own: the library is held equal to it.
        let (folder, (place, name)) = match sources.as_str() {
            "reference/src/" => ("tests/reference/", test.rsplit_once("::").unwrap()),
            _ => (sources.as_str(), test.rsplit_once("::tests::").unwrap()),
        };
        let module = format!("{folder}{}", place.replace("::", "/"));
        let files = [format!("{module}/mod.rs"), format!("{module}.rs")];
        let file = files.iter().find(|file| root().join(file).exists());
        let text = fs::read_to_string(root().join(file.unwrap())).unwrap();
        assert!(text.contains(&format!("fn {name}()")), "no test {test}");
        assert!(seen.insert(plant.clone()), "twice: {plant:?}");
    }
}

#[test]
fn each_survivor_has_its_line_in_the_sources_and_a_reason() {
    for [file, mutant, line, reason] in entries(
        "survivors.toml",
        "survivor",
        ["file", "mutant", "line", "reason"],
    ) {
        let stands = source(&file).lines().any(|text| text.trim() == line);
        assert!(stands, "{file} has no line any more: {line}");
        assert!(!mutant.is_empty() && !reason.is_empty(), "{file}: {line}");
    }
}

/// The patterns that the variable ROWS has.
fn patterns() -> Vec<String> {
    let named = std::env::var("ROWS").expect("ROWS names the rows");
    named.split_whitespace().map(str::to_owned).collect()
}

/// Prints which rows the variable ROWS names, for `make mutants`.
#[test]
#[ignore = "for make mutants, which says which rows"]
fn names() {
    for entry in ledger::select(&patterns()).unwrap() {
        println!("\nrow: {}", entry.claim.id);
    }
}

/// Runs the rows that the variable ROWS names, ids or patterns, for `make plants` and `make mutants`.
#[test]
#[ignore = "for make plants and make mutants, which say which rows"]
fn rows() {
    let effort = Effort {
        quick: std::env::var("QUICK").is_ok(),
        thorough: std::env::var("THOROUGH").is_ok(),
        ..Effort::default()
    };
    let mut unexpected = Vec::new();
    for entry in ledger::select(&patterns()).unwrap() {
        let recheck = entry.run(effort);
        let id = recheck.claim.id.clone();
        if recheck.as_expected() {
            // Of the usual effort the evidence is committed.
            let usual = !effort.quick && !effort.thorough;
            let differences = match usual {
                true => evidence::differences(&[recheck]),
                false => Vec::new(),
            };
            if differences.is_empty() {
                println!("\nas expected: {id}");
            } else {
                println!(
                    "\nnot as expected: another figure: {}",
                    differences.join("; ")
                );
                unexpected.push(id);
            }
        } else {
            let why = match &recheck.result {
                Ok(evidence) => evidence.failure().unwrap_or("another status").to_owned(),
                Err(reason) => format!("could not run: {reason}"),
            };
            println!("\nnot as expected: {id}: {why}");
            unexpected.push(id);
        }
    }
    assert!(unexpected.is_empty(), "not as expected: {unexpected:?}");
}
