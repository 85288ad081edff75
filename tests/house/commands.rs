//! What the pages tell a reader to type names what there is: packages with a program, examples, files.

use crate::{folders, none, pages, root};
use std::path::{Component, Path, PathBuf};

/// A command of a page. The block that it stands in may have gone into another folder.
struct Command {
    page: PathBuf,
    line: usize,
    text: String,
    gone_into: Option<PathBuf>,
}

impl Command {
    fn words(&self) -> impl Iterator<Item = &str> {
        let comment = self.text.find(" #").unwrap_or(self.text.len());
        let apart = |c: char| c.is_whitespace() || "'\"=:`".contains(c);
        self.text[..comment]
            .split(apart)
            .map(|word| word.trim_matches(|c| "()[],;".contains(c)))
            .filter(|word| !word.is_empty())
    }

    fn shown(&self, what: &str) -> String {
        let page = crate::relative(&root(), &self.page);
        format!("{page}:{}: {what}", self.line)
    }

    /// The folders from which its paths may lead.
    fn from(&self) -> Vec<PathBuf> {
        match &self.gone_into {
            Some(folder) => vec![folder.clone()],
            None => vec![
                root(),
                self.page.parent().expect("a page's folder").to_owned(),
            ],
        }
    }
}

/// The commands of all pages but of the list of changes, which names what was: lines between fences of the shell, and what stands
/// between backquotes and begins as a command does.
fn commands() -> Vec<Command> {
    let below = folders(&root())
        .into_iter()
        .map(|folder| root().join(folder));
    let all = std::iter::once(root())
        .chain(below)
        .flat_map(|folder| pages(&folder))
        .filter(|page| !page.ends_with("CHANGELOG.md"));
    all.flat_map(|page| commands_of(&page)).collect()
}

fn commands_of(page: &Path) -> Vec<Command> {
    let text = std::fs::read_to_string(page).expect("a page");
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    let mut gone_into = None;
    for (number, line) in text.lines().enumerate() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            (fence, gone_into) = (fence.is_none().then_some(kind), None);
            continue;
        }
        let mut add = |text: &str, gone_into: &Option<PathBuf>| {
            found.push(Command {
                page: page.to_owned(),
                line: number + 1,
                text: text.to_owned(),
                gone_into: gone_into.clone(),
            });
        };
        match fence {
            Some("sh" | "console") => {
                add(line, &gone_into);
                if let Some(folder) = line.strip_prefix("cd ") {
                    gone_into = Some(root().join(folder.trim()));
                }
            }
            Some(_) => {}
            None => {
                let inside = line.split('`').skip(1).step_by(2);
                let begins = ["cargo ", "assay ", "make ", "python3 ", "scripts/"];
                inside
                    .filter(|code| begins.iter().any(|word| code.starts_with(word)))
                    .for_each(|code| add(code, &None));
            }
        }
    }
    found
}

/// A path is a word that climbs, or that begins with a folder of the repository. What a build makes need not be there.
#[test]
fn files_that_a_command_of_a_page_names_are_there() {
    let tops: Vec<String> = folders(&root());
    let is_path = |word: &str| {
        let first = word.split('/').next().unwrap_or_default();
        word.starts_with("../") || (word.contains('/') && tops.iter().any(|top| top == first))
    };
    let mut seen = 0;
    let mut violations = Vec::new();
    for command in commands() {
        for word in command.words().filter(|word| is_path(word)) {
            let path = match word.find(['*', '$', '<']) {
                Some(open) => &word[..word[..open].rfind('/').unwrap_or(0)],
                None => word,
            };
            seen += 1;
            let leads = |folder: PathBuf| {
                let path = plain(&folder.join(path));
                path.exists() || path.starts_with(root().join("target"))
            };
            if !command.from().into_iter().any(leads) {
                violations.push(command.shown(word));
            }
        }
    }
    assert!(seen > 30, "{seen} paths: are the pages read?");
    none(
        &violations,
        "a command of a page names files that there are",
    );
}

/// The path without `..`, whether or not what it climbs from is there.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A package without a program can't be what is built or run.
#[test]
fn packages_and_programs_that_a_command_of_a_page_names_are_there() {
    let manifests: Vec<PathBuf> = std::iter::once(root())
        .chain(
            folders(&root())
                .into_iter()
                .map(|folder| root().join(folder)),
        )
        .filter(|folder| folder.join("Cargo.toml").is_file())
        .collect();
    let named = |name: &str| {
        let line = format!("name = \"{name}\"");
        manifests.iter().find(|folder| {
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
            let mut lines = manifest
                .lines()
                .skip_while(|line| line.trim() != "[package]");
            lines.nth(1).is_some_and(|found| found == line)
        })
    };
    let has = |kind: &str, name: &str| {
        manifests.iter().any(|folder| {
            let folder = folder.join(kind);
            folder.join(format!("{name}.rs")).is_file()
                || folder.join(name).join("main.rs").is_file()
        })
    };
    let mut seen = 0;
    let mut violations = Vec::new();
    for command in commands() {
        let words: Vec<&str> = command.words().collect();
        let Some(at) = words.iter().position(|word| *word == "cargo") else {
            continue;
        };
        // What stands behind `--` is the program's.
        let words: Vec<&str> = words[at..]
            .iter()
            .take_while(|word| **word != "--")
            .copied()
            .collect();
        let makes_a_program = ["build", "run"].contains(words.get(1).unwrap_or(&""));
        for pair in words.windows(2) {
            let is_there = match pair[0] {
                "-p" | "--package" => match named(pair[1]) {
                    Some(folder) => {
                        !makes_a_program
                            || words.contains(&"--example")
                            || folder.join("src/main.rs").is_file()
                    }
                    None => false,
                },
                "--example" => has("examples", pair[1]),
                "--test" => has("tests", pair[1]),
                "--bench" => has("benches", pair[1]),
                _ => continue,
            };
            seen += 1;
            if !is_there {
                violations.push(command.shown(&format!("{} {}", pair[0], pair[1])));
            }
        }
    }
    assert!(seen > 10, "{seen} names: are the pages read?");
    none(
        &violations,
        "a command of a page names packages, examples, tests and benches that there are, and builds a program of one that has it",
    );
}

#[test]
fn targets_of_make_that_a_page_names_are_there() {
    let makefile = std::fs::read_to_string(root().join("Makefile")).expect("the Makefile");
    let is_there = |target: &str| {
        let rule = format!("{target}:");
        makefile.lines().any(|line| line.starts_with(&rule))
    };
    let mut seen = 0;
    let mut violations = Vec::new();
    for command in commands() {
        let mut words = command.words().skip_while(|word| *word != "make").skip(1);
        if let Some(target) = words.next() {
            seen += 1;
            if !is_there(target) {
                violations.push(command.shown(&format!("make {target}")));
            }
        }
    }
    assert!(seen > 10, "{seen} targets: are the pages read?");
    none(
        &violations,
        "a command of a page names targets of make that there are",
    );
}

/// `assay` is the program of `dp-assay-cli`: on pages, in scripts and in the files of continuous integration.
#[test]
fn what_runs_the_built_command_builds_its_package() {
    let mut all: Vec<PathBuf> = [".", ".github/workflows", ".ci"]
        .map(|folder| root().join(folder))
        .to_vec();
    all.extend(
        folders(&root())
            .into_iter()
            .map(|folder| root().join(folder)),
    );
    let mut seen = 0;
    let mut violations = Vec::new();
    for folder in all.iter().filter(|folder| folder.is_dir()) {
        for entry in std::fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            // Programs speak of it too, as this one does.
            let is_code = path.extension().is_some_and(|end| end == "rs");
            let text = match path.is_file() && !is_code && !path.ends_with("CHANGELOG.md") {
                true => std::fs::read_to_string(&path).unwrap_or_default(),
                false => continue,
            };
            if !text.contains("release/assay") {
                continue;
            }
            for (number, line) in text.lines().enumerate() {
                if line.contains("build --release") {
                    seen += 1;
                    if !line.contains("dp-assay-cli") {
                        let file = crate::relative(&root(), &path);
                        violations.push(format!("{file}:{}: {}", number + 1, line.trim()));
                    }
                }
            }
        }
    }
    assert!(seen > 3, "{seen} builds: are the files read?");
    none(
        &violations,
        "what runs target/release/assay builds dp-assay-cli",
    );
}
