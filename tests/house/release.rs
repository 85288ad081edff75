//! The checklist of a release, `docs/release.md`, as far as a program can walk it. What a package holds is in [`crate::packaged`].

use crate::source::relative;
use crate::{NOT_PUBLISHED, PACKAGES, folders, none, root};
use std::collections::BTreeSet;
use std::process::Command;
use toml::{Table, Value};

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn table(file: &str) -> Table {
    read(file).parse().expect("TOML")
}

/// A field of a manifest of the workspace, by what all packages share.
fn shared(field: &str) -> String {
    let manifest = table("Cargo.toml");
    let value = &manifest["workspace"]["package"][field];
    value.as_str().expect("a text").to_owned()
}

/// The manifests of the packages that are published.
fn published() -> Vec<(&'static str, Table)> {
    let ours = PACKAGES
        .iter()
        .filter(|package| !NOT_PUBLISHED.contains(&package.name));
    ours.map(|package| {
        let folder = package.folder.trim_end_matches("src");
        (package.name, table(&format!("{folder}Cargo.toml")))
    })
    .collect()
}

/// What a package is built of: its dependencies on every system.
fn dependencies(manifest: &Table) -> Vec<(&String, &Value)> {
    let of_systems = manifest.get("target").and_then(Value::as_table);
    let systems = of_systems.into_iter().flat_map(Table::values);
    let tables = systems.filter_map(Value::as_table).chain([manifest]);
    let named = tables.filter_map(|table| table.get("dependencies")?.as_table());
    named.flatten().collect()
}

#[test]
fn all_packages_the_citation_and_the_list_of_changes_have_one_version() {
    let version = shared("version");
    let mut violations = Vec::new();
    for (name, manifest) in published() {
        if manifest["package"]["version"].get("workspace") != Some(&Value::Boolean(true)) {
            violations.push(format!("{name} has a version of its own"));
        }
        for (needed, how) in dependencies(&manifest) {
            let told = how.get("version").and_then(Value::as_str);
            if how.get("path").is_some() && told != Some(version.as_str()) {
                violations.push(format!("{name} takes {needed} of version {told:?}"));
            }
        }
    }
    none(&violations, &format!("the version is {version}"));
    let citation = read("CITATION.cff");
    let field = |name: &str| {
        let mut lines = citation.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    };
    assert_eq!(field("version"), Some(version.as_str()), "CITATION.cff");
    let date = field("date-released").expect("a date in CITATION.cff");
    let changes = read("CHANGELOG.md");
    let mut entries = changes.lines().filter_map(|line| line.strip_prefix("## "));
    let released = entries.find(|entry| *entry != "Unreleased");
    assert_eq!(
        released,
        Some(format!("{version} - {date}").as_str()),
        "CHANGELOG.md"
    );
    // The wheel takes the version of the command.
    let wheel = table("audit/python/pyproject.toml");
    assert!(wheel["project"].get("version").is_none());
    let from = wheel["tool"]["maturin"]["manifest-path"].as_str();
    assert_eq!(from, Some("../../command/Cargo.toml"));
}

#[test]
fn each_package_says_what_it_is() {
    let mut violations = Vec::new();
    for (name, manifest) in published() {
        let package = manifest["package"].as_table().expect("a package");
        for field in [
            "description",
            "license",
            "readme",
            "rust-version",
            "include",
            "categories",
        ] {
            let is_empty = |value: &Value| {
                value.as_str().is_some_and(str::is_empty)
                    || value.as_array().is_some_and(Vec::is_empty)
            };
            if package.get(field).is_none_or(is_empty) {
                violations.push(format!("{name} has no {field}"));
            }
        }
    }
    none(&violations, "a package that is published says what it is");
}

/// Whether a licence, as a manifest states it, is given under one that is allowed: `A OR B` leaves the choice, `A AND B` does not.
fn is_allowed(licence: &str, allowed: &BTreeSet<&str>) -> bool {
    let one = |choice: &str| {
        let mut parts = choice.split(" AND ");
        parts.all(|part| allowed.contains(part.trim_matches(['(', ')', ' '])))
    };
    licence.replace('/', " OR ").split(" OR ").any(one)
}

/// Of the command with the papers, as the wheel has it: nothing is built, and no registry is asked.
#[test]
fn what_is_bundled_has_licences_that_are_allowed() {
    let deny = table("deny.toml");
    let allowed = deny["licenses"]["allow"].as_array().expect("a list");
    let allowed: BTreeSet<&str> = allowed.iter().filter_map(Value::as_str).collect();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = "tree --offline --locked --package dp-assay-cli --edges normal --prefix none --format {p}|{l}";
    let listed = Command::new(cargo)
        .args(words.split(' '))
        .current_dir(root())
        .output()
        .expect("cargo");
    let said = String::from_utf8_lossy(&listed.stderr);
    assert!(listed.status.success(), "{said}");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let bundled: BTreeSet<&str> = listed
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    assert!(bundled.len() > 50, "{}: are they read?", bundled.len());
    let refused = bundled.into_iter().filter(|line| {
        let (_, licence) = line.rsplit_once('|').expect("a licence");
        !is_allowed(licence, &allowed)
    });
    let violations: Vec<String> = refused.map(str::to_owned).collect();
    none(
        &violations,
        "what is bundled has a licence that deny.toml allows",
    );
    assert!(is_allowed("MIT AND (Apache-2.0)", &allowed));
    for refused in ["GPL-3.0", "MIT AND GPL-3.0", ""] {
        assert!(!is_allowed(refused, &allowed), "{refused}");
    }
}

#[test]
fn the_oldest_rust_that_is_named_is_the_one_that_is_tried() {
    let oldest = shared("rust-version");
    for (file, words) in [
        ("README.md", format!("Rust {oldest},")),
        ("docs/release.md", format!("**Rust {oldest}**")),
        (
            ".github/workflows/ci.yml",
            format!("cargo +{oldest} check "),
        ),
    ] {
        assert!(read(file).contains(&words), "{file} does not say: {words}");
    }
    let mut violations = Vec::new();
    for folder in folders(&root()) {
        let file = root().join(&folder).join("Cargo.toml");
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let manifest: Table = text.parse().expect("a manifest");
        let told = manifest["package"].get("rust-version");
        let told = told.and_then(Value::as_str);
        if told.is_some_and(|told| told != oldest) {
            violations.push(format!("{}: {told:?}", relative(&root(), &file)));
        }
    }
    none(&violations, &format!("the oldest Rust is {oldest}"));
}

/// Continuous integration runs on Linux; so no page that a user installs by speaks of another system.
#[test]
fn the_systems_that_are_named_are_those_that_are_tried() {
    let workflows = [".github/workflows/ci.yml", ".github/workflows/nightly.yml"].map(read);
    let lines = workflows.iter().flat_map(|text| text.lines());
    let systems: BTreeSet<&str> = lines
        .filter_map(|line| line.trim().strip_prefix("runs-on: "))
        .collect();
    assert_eq!(systems, BTreeSet::from(["ubuntu-latest"]));
    assert!(read("docs/release.md").contains("Linux on x86-64"));
    for page in ["README.md", "docs/release.md", "audit/python/README.md"] {
        for other in ["macOS", "Windows"] {
            assert!(!read(page).contains(other), "{page} names {other}");
        }
    }
}

#[test]
fn the_vectors_have_the_version_that_is_named() {
    let version = read("spec/vectors/VERSION").trim().to_owned();
    let (major, _) = version.split_once('.').expect("three numbers");
    let manifest = read(&format!("spec/vectors/v{major}/MANIFEST.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["source"]["version"], version.as_str());
    let said = format!("`spec/vectors/v{major}` is version {version} of the data");
    assert!(read("docs/release.md").contains(&said), "{said}");
}

/// The order in which packages are published: what a package needs is there before it.
#[test]
fn packages_are_published_in_the_order_in_which_they_need_each_other() {
    let page = read("docs/release.md");
    let (_, order) = page.split_once("`cargo publish`").expect("the order");
    let listed: Vec<&str> = order
        .split_whitespace()
        .map(|word| word.trim_end_matches([',', '.']))
        .filter(|word| word.starts_with("dp-assay"))
        .collect();
    let expected: Vec<String> = published()
        .iter()
        .map(|(name, _)| name.replace('_', "-"))
        .collect();
    assert_eq!(listed, expected);
}
