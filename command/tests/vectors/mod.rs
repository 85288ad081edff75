//! `assay vectors` and what is in `spec/vectors`: the same bytes, the schemas, and what the values must be.

mod accounts;
mod command;
mod schema;
mod values;

use dp_assay::number::Rational;
use dp_assay::number::rational::parse;
use schema::Schemas;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The data of the repository.
fn data() -> PathBuf {
    repository().join("spec/vectors/v1")
}

fn schemas() -> Schemas {
    Schemas::read(&repository().join("spec/schemas"))
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// All files below a folder, by their paths with `/`, and their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inside = files(&path).into_iter();
            found.extend(inside.map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            found.insert(name, fs::read(path).unwrap());
        }
    }
    found
}

/// The documents, without the manifest.
fn documents() -> BTreeMap<String, Value> {
    let mut files = files(&data());
    files.remove("MANIFEST.json");
    let read = |bytes: &[u8]| serde_json::from_slice(bytes).unwrap();
    files
        .into_iter()
        .map(|(path, bytes)| (path, read(&bytes)))
        .collect()
}

/// The cases of a document: its tests, or the groups of its values.
fn cases(document: &Value) -> &[Value] {
    let cases = document.get("tests").or(document.get("groups"));
    cases.and_then(Value::as_array).unwrap()
}

/// What is wrong with a document by the schema that it names.
fn by_its_schema(schemas: &Schemas, document: &Value) -> Result<(), String> {
    schemas.check(document["schema"].as_str().unwrap(), document)
}

fn number(value: &Value) -> Rational {
    parse(value.as_str().unwrap()).unwrap()
}

#[test]
fn every_file_keeps_the_schema_that_it_names() {
    let schemas = schemas();
    let manifest = read(&data().join("MANIFEST.json"));
    by_its_schema(&schemas, &manifest).unwrap();
    for (path, document) in documents() {
        by_its_schema(&schemas, &document).unwrap_or_else(|wrong| panic!("{path}: {wrong}"));
    }
}

#[test]
fn a_file_that_does_not_keep_its_schema_is_refused() {
    let schemas = schemas();
    let tapes = read(&data().join("tapes/bernoulli.json"));
    let changed = |change: fn(&mut Value)| {
        let mut document = tapes.clone();
        change(&mut document);
        by_its_schema(&schemas, &document).err().unwrap_or_default()
    };
    for (change, says) in [
        (
            (|d| d["tests"][0]["consumed"] = "3".into()) as fn(&mut Value),
            "none of these",
        ),
        (|d| d["tests"][0]["sample"] = 1.into(), "must match"),
        (|d| d["tests"][0]["tape"] = "8".into(), "must match"),
        (
            |d| d["tests"][0]["parameters"]["p"] = "1/0".into(),
            "none of these",
        ),
        (
            |d| d["tests"][0]["extra"] = "1".into(),
            "extra is not known",
        ),
        (|d| d["algorithm"] = "laplace".into(), "must be one of"),
        (
            |d| d["tests"] = Value::Array(Vec::new()),
            "must have so many entries",
        ),
        (
            |d| drop(d.as_object_mut().unwrap().remove("notes")),
            "notes is missing",
        ),
    ] {
        let wrong = changed(change);
        assert!(wrong.contains(says), "{says}: {wrong}");
    }
}

/// The manifest's entries against the bytes of the files.
fn is_listed(manifest: &Value, files: &BTreeMap<String, Vec<u8>>) -> bool {
    let listed = manifest["files"].as_array().unwrap();
    let is_right = |entry: &Value| {
        let Some(bytes) = files.get(entry["path"].as_str().unwrap()) else {
            return false;
        };
        let document: Value = serde_json::from_slice(bytes).unwrap();
        let count = |case: &Value| case["values"].as_array().map_or(1, Vec::len);
        let hash: String = Sha256::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        entry["sha256"] == hash
            && entry["schema"] == document["schema"]
            && entry["cases"] == cases(&document).iter().map(count).sum::<usize>()
    };
    let paths: BTreeSet<&str> = listed
        .iter()
        .filter_map(|one| one["path"].as_str())
        .collect();
    paths.len() == listed.len() && listed.len() + 1 == files.len() && listed.iter().all(is_right)
}

#[test]
fn the_manifest_lists_every_file_with_its_hash() {
    let files = files(&data());
    let manifest: Value = serde_json::from_slice(&files["MANIFEST.json"]).unwrap();
    assert!(is_listed(&manifest, &files));
    // A digit that is another is noticed, and so is a file that is not listed.
    let mut changed = files.clone();
    let bytes = changed.get_mut("tapes/geometric.json").unwrap();
    let place = bytes.iter().position(|&byte| byte == b'1').unwrap();
    bytes[place] = b'2';
    assert!(!is_listed(&manifest, &changed));
    let mut more = files.clone();
    more.insert(
        "tapes/more.json".to_owned(),
        files["tapes/geometric.json"].clone(),
    );
    assert!(!is_listed(&manifest, &more));
}

#[test]
fn the_version_is_the_same_everywhere_and_errata_are_listed() {
    let folder = repository().join("spec/vectors");
    let version = fs::read_to_string(folder.join("VERSION")).unwrap();
    for (path, document) in documents() {
        assert_eq!(document["source"]["version"], version.trim(), "{path}");
    }
    let errata = read(&folder.join("errata.json"));
    for entry in errata["errata"].as_array().unwrap() {
        for field in ["id", "old", "new", "version", "reason"] {
            assert!(entry[field].is_string(), "errata.json: {field} of {entry}");
        }
    }
    let licence = fs::read_to_string(folder.join("LICENSE")).unwrap();
    assert!(licence.contains("CC0 1.0 Universal"));
}

#[test]
fn ids_are_unique_and_what_a_case_names_is_in_the_notes() {
    let mut ids = BTreeSet::new();
    for (path, document) in documents() {
        for case in cases(&document) {
            let id = case["id"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} comes twice");
            let Some(bug) = case.get("bug") else { continue };
            let noted = &document["notes"]["bugs"][bug.as_str().unwrap()];
            assert_eq!(noted["effect"], case["effect"], "{path}: {id}");
            for flag in case["flags"].as_array().unwrap() {
                let meaning = document["notes"]["flags"][flag.as_str().unwrap()].as_str();
                assert!(
                    meaning.is_some_and(|text| !text.is_empty()),
                    "{path}: {flag}"
                );
            }
        }
    }
    assert!(ids.contains("dpv:discrete-laplace-scale=2/1-pmf"));
}

/// Flags that the tapes must have, each somewhere.
#[test]
fn every_kind_of_tape_is_there() {
    let documents = documents();
    let mut flags: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, document) in documents
        .iter()
        .filter(|(path, _)| path.starts_with("tapes/"))
    {
        for case in cases(document) {
            for flag in case["flags"].as_array().unwrap() {
                *flags.entry(flag.as_str().unwrap()).or_default() += 1;
            }
            let is = |result: &str| case["result"] == result;
            assert_eq!(is("invalid"), case["flags"][0] == "InvalidParam");
            assert_eq!(is("ends"), case["flags"][0] == "TapeEnds");
            if is("valid") {
                let read = case["consumed"].as_u64().unwrap();
                let bits = case["bits"].as_u64().unwrap();
                assert!(read <= bits && bits - read < 8, "{}", case["id"]);
            }
            let hexadecimal = case["tape"].as_str().unwrap().len() as u64;
            let bytes = case["bits"].as_u64().unwrap().div_ceil(8);
            assert_eq!(hexadecimal, 2 * bytes, "{}", case["id"]);
        }
    }
    for (flag, least) in [
        ("Ordinary", 50),
        ("Unlucky", 20),
        ("Boundary", 20),
        ("LargeExponent", 15),
        ("HugeScale", 15),
        ("TinyScale", 5),
        ("GcdSharing", 20),
        ("NegativeZeroReject", 15),
        ("InvalidParam", 12),
        ("ZeroScale", 3),
        ("TapeEnds", 15),
    ] {
        assert!(flags.get(flag) >= Some(&least), "{flag}: {flags:?}");
    }
}

/// The rule of `spec/vectors/README.md`, from what is in the file.
fn allows(tree: &Value) -> bool {
    let undecided = number(&tree["undecided"]);
    let allowed = |lower: Rational, law: &Value| {
        lower <= number(&law["hi"]) && lower + &undecided >= number(&law["lo"])
    };
    let outcomes = tree["outcomes"].as_array().unwrap();
    outcomes
        .iter()
        .all(|outcome| allowed(number(&outcome["lower"]), outcome))
        && allowed(parse("0").unwrap(), &tree["others"])
}

#[test]
fn trees_add_up_and_the_rule_refutes_the_planted_ones_alone() {
    let mut refuted = BTreeSet::new();
    for (_, document) in documents()
        .iter()
        .filter(|(path, _)| path.starts_with("trees/"))
    {
        for tree in cases(document) {
            let id = tree["id"].as_str().unwrap();
            let outcomes = tree["outcomes"].as_array().unwrap();
            let decided: Rational = outcomes.iter().map(|one| number(&one["lower"])).sum();
            assert_eq!(
                decided + number(&tree["undecided"]),
                parse("1").unwrap(),
                "{id}"
            );
            let power = format!("/{}", 1u64 << tree["depth"].as_u64().unwrap());
            assert!(
                tree["undecided"].as_str().unwrap().ends_with(&power),
                "{id}"
            );
            let planted = tree["planted"] != "none";
            assert_eq!(allows(tree), !planted, "{id}");
            assert_eq!(tree["result"] == "refuted", planted, "{id}");
            if planted {
                refuted.insert(id.to_owned());
            }
        }
    }
    // The division bug shows in 14 bits at each of these.
    for x in ["2/3", "3/4", "4/5"] {
        let id = format!("dpv:tree-bernoulli-exp-x={x}-14-division");
        assert!(refuted.contains(&id), "{id}");
    }
}
