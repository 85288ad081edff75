//! The house: packages and rooms in their order, no circle among files, papers that nothing else knows, an
//! architecture page that is true, and links that lead somewhere. All of it is read from the sources as text.

mod commands;
mod imports;
mod manifests;
mod packaged;
mod readme;
mod release;
mod source;

use imports::{Import, Packages, files};
use source::{Source, relative};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A package: its crate, the folder that it is in, the packages of ours that it may depend on, and its rooms, from the
/// one that knows nothing to the one that knows all.
struct Package {
    name: &'static str,
    folder: &'static str,
    uses: &'static [&'static str],
    rooms: &'static [&'static str],
}

/// The packages in their order: each may use what stands above it, if it says so. The papers stand at `papers`.
const PACKAGES: [Package; 8] = [
    Package {
        name: "dp_assay_reference",
        folder: "reference/src",
        uses: &[],
        rooms: &[
            "error", "number", "coins", "sample", "privacy", "vector", "data", PAPERS,
        ],
    },
    Package {
        name: "dp_assay",
        folder: "src",
        uses: &[],
        rooms: &LIBRARY,
    },
    Package {
        name: "dp_assay_witness",
        folder: "witness/src",
        uses: &["dp_assay"],
        rooms: &[],
    },
    Package {
        name: "dp_assay_ledger",
        folder: "ledger/src",
        uses: &["dp_assay", "dp_assay_witness"],
        rooms: &[
            "claim",
            "budgets",
            "common",
            "failing",
            "twins",
            "samplers",
            "accounting",
            PAPERS,
            "pages",
            "relations",
            "bibliography",
        ],
    },
    Package {
        name: "dp_assay_audit",
        folder: "audit/src",
        uses: &["dp_assay"],
        rooms: &[
            "hexadecimal",
            "ending",
            "stopwatch",
            "input",
            "group",
            "targets",
            "pairs",
            "events",
            "refute",
            "conform",
            "maps",
            "replay",
            "scores",
            "specimen",
            "report",
            "assertion",
            "corpus",
        ],
    },
    Package {
        name: "dp_assay_cli",
        folder: "command/src",
        uses: &[
            "dp_assay",
            "dp_assay_witness",
            "dp_assay_ledger",
            "dp_assay_audit",
        ],
        rooms: &[
            "error",
            "output",
            "screen",
            "options",
            "junit",
            "report_files",
            "audit_report",
            "start_target",
            "table",
            "report",
            "book",
            "explain",
            PAPERS,
            "corpus",
            "truth",
            "vectors",
            "campaign",
            "shards",
            "scores",
            "cli",
        ],
    },
    Package {
        name: "dp_assay_browser",
        folder: "browser/src",
        uses: &[
            "dp_assay_reference",
            "dp_assay",
            "dp_assay_audit",
            "dp_assay_cli",
        ],
        rooms: &[
            "laws", "lent", "explore", "draw", "truth", "outputs", "boundary",
        ],
    },
    Package {
        name: "dp_assay_experiments",
        folder: "experiments/src",
        uses: &["dp_assay", "dp_assay_audit", "dp_assay_cli"],
        rooms: &[
            "assay",
            "draws",
            "table",
            "plot",
            "data",
            "lent",
            "experiment",
            "lenders",
            PAPERS,
        ],
    },
];

const PAPERS: &str = "papers";

/// What is for ourselves, or for the page that checks.
const NOT_PUBLISHED: [&str; 2] = ["dp_assay_browser", "dp_assay_experiments"];

/// The tests of the library, a package without code of its own: they hold the library equal to the reference.
const TESTS: Package = Package {
    name: "dp_assay_tests",
    folder: "tests/src",
    uses: &[],
    rooms: &[],
};
const HELD_EQUAL: [&str; 2] = ["dp_assay_reference", "dp_assay"];

/// The rooms of the library.
const LIBRARY: [&str; 12] = [
    "pattern",
    "number",
    "coins",
    "sample",
    "law",
    "prepared",
    "privacy",
    "stats",
    "accountant",
    "geometry",
    "optimise",
    PAPERS,
];

/// Besides its folders, the only files of code that name a paper: a line or two of registry in each package.
const REGISTRIES: [&str; 7] = [
    "reference/src/lib.rs",
    "src/lib.rs",
    "ledger/src/lib.rs",
    "ledger/src/pages/mod.rs",
    "command/src/papers/mod.rs",
    "experiments/src/lib.rs",
    "experiments/src/lenders.rs",
];

fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("the repository").to_owned()
}

fn packages() -> Packages {
    Packages::read(
        &root(),
        &PACKAGES.map(|package| (package.name, package.folder)),
    )
}

/// The package that a file of code is in.
fn package_of(path: &str) -> Option<usize> {
    PACKAGES
        .iter()
        .position(|package| path.starts_with(&format!("{}/", package.folder)))
}

/// The papers: what the library's root declares and is no room. Each with its key, as its page is registered.
fn papers(packages: &Packages) -> BTreeMap<String, String> {
    let declared = |source: &Source| -> Vec<String> {
        let pairs = source
            .tokens
            .windows(2)
            .filter(|pair| pair[0].text == "mod");
        pairs.map(|pair| pair[1].text.clone()).collect()
    };
    let lib = packages
        .sources
        .iter()
        .find(|source| source.path == "src/lib.rs")
        .expect("src/lib.rs");
    let modules = declared(lib);
    let papers = modules
        .into_iter()
        .filter(|module| !LIBRARY.contains(&module.as_str()));
    papers
        .map(|module| {
            let folder = format!("ledger/src/{module}/");
            let page = packages
                .sources
                .iter()
                .filter(|source| source.path.starts_with(&folder))
                .find_map(|source| source.code.split_once("paper: \"")?.1.split_once('"'));
            let (key, _) = page.unwrap_or_else(|| {
                panic!("src/{module}/ is neither a room nor a paper: {folder} registers no page, 'paper: \"KEY\"'")
            });
            (module, key.to_owned())
        })
        .collect()
}

fn none(violations: &[String], rule: &str) {
    assert!(
        violations.is_empty(),
        "{rule}\n{} times not so:\n{}",
        violations.len(),
        violations.join("\n")
    );
}

#[test]
fn no_room_imports_one_below_it() {
    let packages = packages();
    let papers = papers(&packages);
    let rank = |path: &str| -> Option<usize> {
        let package = &PACKAGES[package_of(path)?];
        let inside = path.strip_prefix(package.folder)?.strip_prefix('/')?;
        let room = inside.split('/').next()?.trim_end_matches(".rs");
        let room = match papers.contains_key(room) {
            true => PAPERS,
            false => room,
        };
        package.rooms.iter().position(|name| *name == room)
    };
    let is_root = |path: &str| path.ends_with("src/lib.rs");
    // A registry names the papers, wherever it stands.
    let registers = |import: &&Import| {
        REGISTRIES.contains(&import.from.as_str())
            && papers
                .keys()
                .any(|paper| import.to.contains(&format!("/{paper}/")))
    };
    let mut violations: Vec<String> = packages
        .sources
        .iter()
        .filter(|source| !is_root(&source.path) && rank(&source.path).is_none())
        .map(|source| format!("{}: in no room of the list", source.path))
        .collect();
    violations.extend(
        packages
            .imports()
            .iter()
            .filter(|import| !is_root(&import.from) && !is_root(&import.to))
            .filter(|import| !registers(import))
            .filter(|import| package_of(&import.from) == package_of(&import.to))
            .filter(|import| rank(&import.from) < rank(&import.to))
            .map(shown),
    );
    none(
        &violations,
        "a room imports what stands above it in the list, never what stands below",
    );
}

/// What stands in the list and in the code are one; in the manifest too, by [`manifests`].
#[test]
fn a_package_uses_those_above_it_that_it_names() {
    let imports = packages().imports();
    let mut violations = Vec::new();
    for (place, package) in PACKAGES.iter().enumerate() {
        for used in package.uses {
            if !PACKAGES[..place].iter().any(|above| above.name == *used) {
                violations.push(format!(
                    "{} uses {used}, which is not above it",
                    package.name
                ));
            }
        }
        let crosses = |import: &&Import| {
            package_of(&import.from) == Some(place)
                && package_of(&import.to)
                    .is_some_and(|to| to != place && !package.uses.contains(&PACKAGES[to].name))
        };
        violations.extend(imports.iter().filter(crosses).map(shown));
    }
    none(
        &violations,
        "a package uses what the list says, of those above it",
    );
}

fn shown(import: &Import) -> String {
    format!(
        "{}:{}: {} ({})",
        import.from, import.line, import.name, import.to
    )
}

/// A folder's own file (`mod.rs`) and the files inside are one thing to read: it may call them, and they may use what
/// it declares. It also re-exports: a file that names what a parent re-exports depends on the file that has it, not on
/// the parent. In a circle that is left, no file can be read without the others.
#[test]
fn no_circle_of_files() {
    let mut imports = packages().imports();
    imports.retain(|import| !is_inside(&import.from, &import.to));
    let mut violations = Vec::new();
    for circle in circles(&imports) {
        let inside =
            |import: &&Import| circle.contains(&import.from) && circle.contains(&import.to);
        violations.push(format!("-- {} files:", circle.len()));
        violations.extend(imports.iter().filter(inside).map(shown));
    }
    none(&violations, "files import each other in no circle");
}

/// Whether a file stands in the folder that the other file heads: as `a/mod.rs`, or as `a.rs` beside it.
fn is_inside(file: &str, other: &str) -> bool {
    let folder = other
        .trim_end_matches("mod.rs")
        .trim_end_matches(".rs")
        .trim_end_matches('/');
    file.starts_with(&format!("{folder}/"))
}

/// The sets of files that reach each other.
fn circles(imports: &[Import]) -> Vec<BTreeSet<String>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for import in imports {
        next.entry(&import.from).or_default().insert(&import.to);
    }
    let reached = |from: &str| -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut stack = vec![from];
        while let Some(file) = stack.pop() {
            for &other in next.get(file).into_iter().flatten() {
                if found.insert(other.to_owned()) {
                    stack.push(other);
                }
            }
        }
        found
    };
    let all: BTreeMap<&str, BTreeSet<String>> =
        next.keys().map(|&file| (file, reached(file))).collect();
    let mut found: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    for (&file, others) in &all {
        if others.contains(file) {
            let back = |other: &&String| {
                all.get(other.as_str())
                    .is_some_and(|back| back.contains(file))
            };
            found.insert(others.iter().filter(back).cloned().collect());
        }
    }
    found.into_iter().collect()
}

#[test]
fn nothing_else_knows_a_paper() {
    let packages = packages();
    let papers = papers(&packages);
    let home = |path: &str| -> Option<&String> {
        papers.keys().find(|paper| {
            let folders = [
                format!("reference/src/{paper}/"),
                format!("src/{paper}/"),
                format!("ledger/src/{paper}/"),
                format!("command/src/papers/{paper}/"),
                format!("experiments/src/{paper}/"),
            ];
            folders.iter().any(|folder| path.starts_with(folder))
        })
    };
    let is_registry = |path: &str| REGISTRIES.contains(&path);
    let mut violations: Vec<String> = packages
        .imports()
        .iter()
        .filter(|import| !is_registry(&import.from))
        .filter(|import| home(&import.to).is_some_and(|paper| home(&import.from) != Some(paper)))
        .map(shown)
        .collect();
    // The keys and the modules' names, in all code of the repository, tests and examples included.
    for folder in [
        "reference",
        "src",
        "tests",
        "benches",
        "examples",
        "witness",
        "ledger",
        "audit",
        "command",
        "browser",
        "experiments",
    ] {
        for path in files(&root().join(folder), "rs") {
            let path_text = relative(&root(), &path);
            if is_registry(&path_text) {
                continue;
            }
            let source = Source::read(&root(), &path, Vec::new());
            let mine = home(&path_text)
                .cloned()
                .or_else(|| own(&path_text, &papers));
            for (paper, key) in papers
                .iter()
                .filter(|(paper, _)| mine.as_ref() != Some(paper))
            {
                for (number, line) in source.code.lines().enumerate() {
                    if line.contains(key.as_str()) || line.contains(&format!("{paper}::")) {
                        violations.push(format!("{path_text}:{}: {}", number + 1, line.trim()));
                    }
                }
            }
        }
    }
    none(
        &violations,
        "no code outside a paper's folders and the registries imports it or spells its key",
    );
}

/// The paper after which a file or folder of tests or benches is named: `tests/random_features.rs`,
/// `command/tests/command/margin.rs`, `benches/halfspaces.rs`.
fn own(path: &str, papers: &BTreeMap<String, String>) -> Option<String> {
    let inside = ["tests/", "benches/"]
        .iter()
        .find_map(|folder| Some(path.split_once(folder)?.1))?;
    let named = |(paper, key): &(&String, &String)| {
        let begins =
            |part: &str| part.starts_with(paper.as_str()) || part.starts_with(key.as_str());
        inside.split('/').any(begins)
    };
    papers.iter().find(named).map(|(paper, _)| paper.clone())
}

/// What is to be believed can be read in an afternoon. The algorithms as printed are not to be believed: they are refuted.
#[test]
fn the_reference_fits_in_one_hand() {
    let (mut all, mut violations) = (0, Vec::new());
    for path in files(&root().join("reference/src"), "rs") {
        let name = relative(&root(), &path);
        let code = Source::read(&root(), &path, Vec::new()).code;
        let lines = code.lines().filter(|line| !line.trim().is_empty()).count();
        if !name.contains("_as_printed") && !name.contains("_as_coded") {
            all += lines;
        }
        if lines > 400 {
            violations.push(format!("{name}: {lines} lines of code"));
        }
    }
    if all > 5000 {
        violations.push(format!("{all} lines of code in all"));
    }
    none(
        &violations,
        "at most 400 lines of code in a file, and 5000 in all",
    );
}

/// `<paper>/` on the page stands for each paper, which need not have all the folders that it shows. Under a folder whose
/// line ends with `...` no further folders are shown.
#[test]
fn the_architecture_page_shows_the_folders_that_there_are() {
    let papers = papers(&packages());
    let path = root().join("docs/architecture.md");
    let page = std::fs::read_to_string(path).expect("docs/architecture.md");
    let tree = page
        .split("```")
        .nth(1)
        .expect("a tree between ``` and ```");
    let (mut shown, mut of_papers) = (BTreeSet::new(), BTreeSet::new());
    let mut closed = Vec::new();
    let mut above: Vec<&str> = Vec::new();
    for line in tree.lines().skip(1) {
        let first = line.split_whitespace().next();
        let Some(name) = first.and_then(|name| name.strip_suffix('/')) else {
            continue;
        };
        above.truncate((line.len() - line.trim_start().len()) / 2);
        above.push(name);
        let folder = above.join("/");
        if line.trim_end().ends_with("...") {
            closed.push(format!("{folder}/"));
        }
        if folder.contains("<paper>") {
            of_papers.extend(papers.keys().map(|paper| folder.replace("<paper>", paper)));
        } else {
            shown.insert(folder);
        }
    }
    let there: BTreeSet<String> = folders(&root())
        .into_iter()
        .filter(|folder| {
            !closed
                .iter()
                .any(|closed| folder.starts_with(closed.as_str()))
        })
        .collect();
    let mut violations: Vec<String> = there
        .iter()
        .filter(|folder| !shown.contains(*folder) && !of_papers.contains(*folder))
        .map(|folder| format!("{folder}/ is not on the page"))
        .collect();
    let gone = shown.difference(&there);
    violations.extend(gone.map(|folder| format!("{folder}/ is on the page, and is not there")));
    none(
        &violations,
        "docs/architecture.md has a line for each folder",
    );
}

/// A link is what stands between `](` and `)`. Addresses elsewhere, and places on the page itself, are left alone.
#[test]
fn links_of_the_pages_lead_to_files() {
    let mut violations = Vec::new();
    let below = folders(&root())
        .into_iter()
        .map(|folder| root().join(folder));
    for folder in std::iter::once(root()).chain(below) {
        for page in pages(&folder) {
            let text = std::fs::read_to_string(&page).expect("a page");
            for (number, line) in text.lines().enumerate() {
                let ends = line.split("](").skip(1);
                let links = ends.filter_map(|rest| Some(rest.split_once(')')?.0));
                let files = links.filter_map(|link| link.split('#').next());
                let gone = |file: &&str| !file.contains(':') && !folder.join(file).exists();
                violations.extend(
                    files
                        .filter(gone)
                        .map(|file| format!("{}:{}: {file}", relative(&root(), &page), number + 1)),
                );
            }
        }
    }
    none(&violations, "links lead to files that there are");
}

/// Else all checks are compiled twice: what asks the registry stands in `ledger/tests`.
#[test]
fn no_unit_test_of_the_ledger_asks_the_registry() {
    let mut violations = Vec::new();
    for path in files(&root().join("ledger/src"), "rs") {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let tests = text.split("#[cfg(test)]\nmod tests").nth(1).unwrap_or("");
        let asked = ["PAGES", "entries()", "pages()", "select(&"];
        for word in asked.iter().filter(|word| tests.contains(**word)) {
            violations.push(format!("{}: {word}", relative(&root(), &path)));
        }
    }
    none(&violations, "no unit test of the ledger asks the registry");
}

/// The Markdown files right in a folder, without links to those of another.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "md") && !path.is_symlink())
        .collect()
}

/// The folders of the repository that hold a file, but for hidden ones and what builds leave behind.
fn folders(folder: &Path) -> Vec<String> {
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let left_behind = [
            "target",
            "node_modules",
            "__pycache__",
            "proptest-regressions",
        ];
        if path.is_dir() && !name.starts_with('.') && !left_behind.contains(&name.as_str()) {
            found.push(relative(&root(), &path));
            found.extend(folders(&path));
        }
    }
    found
}
