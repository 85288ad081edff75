//! What a package depends on, by its manifest: of ours what the list says, and of others' crates these and no more.

use crate::imports::files;
use crate::source::{Source, relative};
use crate::{HELD_EQUAL, PACKAGES, Package, TESTS, none, root};
use std::collections::BTreeSet;
use std::path::PathBuf;
use toml::Table;

/// Of each package the crates of others that it is made of, and those that only its tests, benches and examples need.
const CRATES: [(&str, &[&str], &[&str]); 9] = [
    (
        "dp_assay_reference",
        &[
            "getrandom",
            "num-bigint",
            "num-integer",
            "num-rational",
            "num-traits",
            "rand_chacha",
            "thiserror",
        ],
        &[],
    ),
    (
        "dp_assay",
        &[
            "getrandom",
            "libm",
            "nalgebra",
            "num-bigint",
            "num-integer",
            "num-rational",
            "num-traits",
            "proptest",
            "quickcheck",
            "rand",
            "rand_chacha",
            "rand_core",
            "serde",
            "thiserror",
        ],
        &["proptest", "serde_json"],
    ),
    (
        "dp_assay_witness",
        &["gmp-mpfr-sys", "num-bigint", "rug"],
        &[],
    ),
    (
        "dp_assay_ledger",
        &[
            "num-bigint",
            "num-integer",
            "num-rational",
            "num-traits",
            "thiserror",
        ],
        &["proptest", "toml"],
    ),
    (
        "dp_assay_audit",
        &[
            "clap",
            "nalgebra",
            "num-bigint",
            "num-integer",
            "num-traits",
            "rayon",
            "rustix",
            "serde",
            "serde_json",
            "sha2",
            "signal-hook",
            "thiserror",
        ],
        &["indicatif", "rand_chacha", "tempfile"],
    ),
    (
        "dp_assay_cli",
        &[
            "clap",
            "clap_complete",
            "clap_mangen",
            "csv",
            "dagre",
            "flate2",
            "indicatif",
            "math-core",
            "maud",
            "num-bigint",
            "num-integer",
            "num-traits",
            "pulldown-cmark",
            "quick-xml",
            "rayon",
            "rustix",
            "serde",
            "serde_json",
            "sha2",
            "strsim",
            "tempfile",
            "textwrap",
            "thiserror",
            "toml",
        ],
        &["proptest", "quick-junit", "trycmd"],
    ),
    (
        "dp_assay_browser",
        &["num-bigint", "num-traits", "serde", "serde_json"],
        &[],
    ),
    (
        "dp_assay_experiments",
        &[
            "clap",
            "csv",
            "nalgebra",
            "num-traits",
            "rayon",
            "serde",
            "serde_json",
            "sha2",
            "tempfile",
        ],
        &["toml"],
    ),
    (
        "dp_assay_tests",
        &[],
        &[
            "num-bigint",
            "num-traits",
            "proptest",
            "quickcheck",
            "rand",
            "rand_chacha",
            "serde",
            "serde_json",
            "statrs",
            "toml",
        ],
    ),
];

/// Crates that no code names: one chooses a feature of another crate, one is in an example of the documentation.
const NOT_NAMED: [(&str, &str); 2] = [
    ("dp_assay_witness", "gmp-mpfr-sys"),
    ("dp_assay", "serde_json"),
];

fn packages() -> impl Iterator<Item = &'static Package> {
    PACKAGES.iter().chain([&TESTS])
}

/// The packages of ours that its tests may name besides those that it uses.
fn of_tests(package: &Package) -> &'static [&'static str] {
    match package.name == TESTS.name {
        true => &HELD_EQUAL,
        false => &[],
    }
}

fn home(package: &Package) -> PathBuf {
    let sources = root().join(package.folder);
    sources.parent().expect("the package's folder").to_owned()
}

fn manifest(package: &Package) -> Table {
    let text = std::fs::read_to_string(home(package).join("Cargo.toml")).expect("a manifest");
    text.parse().expect("a manifest in TOML")
}

/// The crates under these headings, of all systems, by the names that they have in a registry.
fn named(manifest: &Table, heading: &str) -> BTreeSet<String> {
    let of_systems = manifest
        .get("target")
        .and_then(toml::Value::as_table)
        .into_iter()
        .flat_map(Table::values)
        .filter_map(toml::Value::as_table);
    let tables = of_systems
        .chain([manifest])
        .filter_map(|table| table.get(heading)?.as_table());
    let crates = tables.flatten().map(|(name, how)| {
        let other = how.get("package").and_then(toml::Value::as_str);
        other.unwrap_or(name).to_owned()
    });
    crates.collect()
}

/// With those that builds need.
fn all(manifest: &Table) -> [BTreeSet<String>; 2] {
    let mut made_of = named(manifest, "dependencies");
    made_of.extend(named(manifest, "build-dependencies"));
    [made_of, named(manifest, "dev-dependencies")]
}

fn is_ours(name: &str) -> bool {
    name.starts_with("dp-assay")
}

#[test]
fn a_manifest_names_the_packages_of_the_list_and_no_others() {
    let mut violations = Vec::new();
    for package in packages() {
        let [made_of, tests] = all(&manifest(package));
        let allowed: BTreeSet<String> = package
            .uses
            .iter()
            .map(|name| name.replace('_', "-"))
            .collect();
        let ours = |names: &BTreeSet<String>| -> BTreeSet<String> {
            names.iter().filter(|name| is_ours(name)).cloned().collect()
        };
        if ours(&made_of) != allowed {
            violations.push(format!("{} is made of {:?}", package.name, ours(&made_of)));
        }
        // Its tests may not turn an arrow either.
        let mut of_tests = allowed;
        of_tests.extend(
            self::of_tests(package)
                .iter()
                .map(|name| name.replace('_', "-")),
        );
        if !ours(&tests).is_subset(&of_tests) {
            violations.push(format!(
                "{} is tested with {:?}",
                package.name,
                ours(&tests)
            ));
        }
    }
    none(&violations, "a manifest names what the list says");
}

#[test]
fn a_package_is_made_of_these_crates_of_others() {
    let mut violations = Vec::new();
    for (package, (name, crates, of_tests)) in packages().zip(CRATES) {
        assert_eq!(package.name, name);
        for (found, expected) in all(&manifest(package)).iter().zip([crates, of_tests]) {
            let found: BTreeSet<&str> = found
                .iter()
                .map(String::as_str)
                .filter(|name| !is_ours(name))
                .collect();
            let expected: BTreeSet<&str> = expected.iter().copied().collect();
            for extra in found.difference(&expected) {
                violations.push(format!("{name}: {extra} is not on the list"));
            }
            for gone in expected.difference(&found) {
                violations.push(format!(
                    "{name}: {gone} is on the list, and not in the manifest"
                ));
            }
        }
    }
    none(&violations, "each crate of others is on the list");
}

/// The files of Rust in these folders of a package, those of its peers aside.
fn sources(package: &Package, folders: &[&str]) -> Vec<Source> {
    let folders = folders.iter().map(|folder| home(package).join(folder));
    let paths = folders
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| files(&folder, "rs"))
        .filter(|path| !relative(&root(), path).starts_with("benches/peers/"));
    paths
        .map(|path| Source::read(&root(), &path, Vec::new()))
        .collect()
}

/// Where its tests, benches and examples stand.
fn tests_of(package: &Package) -> &'static [&'static str] {
    match package.name {
        name if name == TESTS.name => &["."],
        "dp_assay" => &["benches", "examples"],
        _ => &["tests", "benches", "examples"],
    }
}

/// Tests, benches and examples name no package that the package may not use; and nothing is depended on that nothing names.
#[test]
fn what_a_manifest_names_is_named_in_the_code_and_tests_name_no_other_package() {
    let mut violations = Vec::new();
    for package in packages() {
        let code = sources(package, &["src"]);
        let tests = sources(package, tests_of(package));
        for source in &tests {
            for token in &source.tokens {
                let other = PACKAGES.iter().find(|other| other.name == token.text);
                let may = |other: &Package| {
                    other.name == package.name
                        || package.uses.contains(&other.name)
                        || of_tests(package).contains(&other.name)
                };
                if other.is_some_and(|other| !may(other)) {
                    violations.push(format!("{}:{}: {}", source.path, token.line, token.text));
                }
            }
        }
        let is_named = |name: &str, sources: &[&Source]| {
            let name = name.replace('-', "_");
            let ways = [format!("{name}::"), format!("use {name} as ")];
            let names = |source: &Source| ways.iter().any(|way| source.code.contains(way));
            sources.iter().any(|source| names(source))
        };
        let of_code: Vec<&Source> = code.iter().collect();
        let of_all: Vec<&Source> = code.iter().chain(&tests).collect();
        for (names, sources) in all(&manifest(package)).iter().zip([of_code, of_all]) {
            for name in names
                .iter()
                .filter(|name| !NOT_NAMED.contains(&(package.name, name.as_str())))
            {
                if !is_named(name, &sources) {
                    violations.push(format!("{}: nothing names {name}", package.name));
                }
            }
        }
    }
    none(
        &violations,
        "what a manifest names is named in the code, and tests name no other package than it may use",
    );
}

/// A failure that a property test once found is tried again only where it stands beside the file of that test.
#[test]
fn what_property_tests_once_found_belongs_to_a_file_that_has_one() {
    let mut violations = Vec::new();
    for package in &PACKAGES {
        let kept = home(package).join("proptest-regressions");
        if !kept.is_dir() {
            continue;
        }
        for path in files(&kept, "txt") {
            let inside = relative(&kept, &path).replace(".txt", ".rs");
            let source = root().join(package.folder).join(inside);
            let text = std::fs::read_to_string(source).unwrap_or_default();
            if !text.contains("proptest! {") {
                violations.push(relative(&root(), &path));
            }
        }
    }
    none(
        &violations,
        "each file of failures belongs to a file of property tests",
    );
}
