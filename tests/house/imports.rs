//! Which file uses which, from the paths that stand in the code.
//!
//! What can't be seen in the text isn't an import here: a method that is defined in another file of its type, a trait
//! that is implemented elsewhere, what a macro expands to.

use crate::source::{Source, Token, relative};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A place in a package: the name of its crate, then modules and items.
type Place = Vec<String>;

/// A file names something that another file has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Import {
    pub from: String,
    pub line: usize,
    pub to: String,
    /// As it is spelled, resolved: `dp_assay::number::Rational`.
    pub name: String,
}

/// The files of the packages, and what `use` brings into each.
pub struct Packages {
    pub sources: Vec<Source>,
    /// The module that each file is, and the file of each module: of `["dp_assay", "number"]`, its index.
    modules: BTreeMap<Place, usize>,
    uses: Vec<Vec<Use>>,
    declared: Vec<BTreeSet<String>>,
}

/// One name brought into a file.
#[derive(Debug, Clone)]
struct Use {
    place: Place,
    alias: String,
    public: bool,
    line: usize,
}

impl Packages {
    /// Reads packages: `(crate, folder of the sources)`.
    pub fn read(root: &Path, packages: &[(&str, &str)]) -> Self {
        let mut this = Self {
            sources: Vec::new(),
            modules: BTreeMap::new(),
            uses: Vec::new(),
            declared: Vec::new(),
        };
        for (name, folder) in packages {
            for path in files(&root.join(folder), "rs") {
                let inside = relative(&root.join(folder), &path);
                if inside == "main.rs" {
                    continue;
                }
                let stem = inside.trim_end_matches(".rs").trim_end_matches("/mod");
                let mut module = vec![(*name).to_owned()];
                module.extend(
                    stem.split('/')
                        .filter(|part| *part != "lib")
                        .map(str::to_owned),
                );
                this.sources.push(Source::read(root, &path, module));
            }
        }
        let tests: Vec<Place> = this
            .sources
            .iter()
            .flat_map(|source| {
                source
                    .test_modules
                    .iter()
                    .map(|name| joined(&source.module, name))
            })
            .collect();
        this.sources
            .retain(|source| !tests.iter().any(|test| source.module.starts_with(test)));
        for (index, source) in this.sources.iter().enumerate() {
            this.modules.insert(source.module.clone(), index);
        }
        this.declared = this
            .sources
            .iter()
            .map(|source| declared(&source.tokens))
            .collect();
        this.uses = (0..this.sources.len())
            .map(|index| this.uses_of(index))
            .collect();
        this
    }

    /// All imports between files, each once.
    pub fn imports(&self) -> Vec<Import> {
        let mut found = BTreeSet::new();
        for index in 0..self.sources.len() {
            let (tokens, spans) = (
                &self.sources[index].tokens,
                use_statements(&self.sources[index].tokens),
            );
            let in_use = |at: usize| {
                spans
                    .iter()
                    .any(|&(start, end)| (start..=end).contains(&at))
            };
            for brought in &self.uses[index] {
                // A module only gives a name to what follows it; a file that only gathers its children, by
                // `pub use`, does not depend on them.
                let gathers = brought.public
                    && !tokens
                        .iter()
                        .enumerate()
                        .any(|(at, token)| token.text == brought.alias && !in_use(at));
                if !gathers && !self.modules.contains_key(&brought.place) {
                    self.add(&mut found, index, brought.line, &brought.place);
                }
            }
            let mut at = 0;
            while at < tokens.len() {
                let chain = chain(tokens, at);
                if chain.len() > 1
                    && !in_use(at)
                    && let Some(place) = self.absolute(index, &chain)
                {
                    self.add(&mut found, index, tokens[at].line, &place);
                }
                at += (2 * chain.len()).max(2) - 1;
            }
        }
        found.into_iter().collect()
    }

    fn add(&self, found: &mut BTreeSet<Import>, from: usize, line: usize, place: &[String]) {
        if let Some(to) = self.file_of(place, 0)
            && to != from
        {
            found.insert(Import {
                from: self.sources[from].path.clone(),
                line,
                to: self.sources[to].path.clone(),
                name: place.join("::"),
            });
        }
    }

    /// The file that has an item: where it is declared, not where it is re-exported.
    fn file_of(&self, place: &[String], depth: usize) -> Option<usize> {
        let mut module = vec![place.first()?.clone()];
        let mut file = *self.modules.get(&module)?;
        for (at, name) in place.iter().enumerate().skip(1) {
            module.push(name.clone());
            if let Some(&child) = self.modules.get(&module) {
                file = child;
                continue;
            }
            if self.declared[file].contains(name) || depth > 8 {
                return Some(file);
            }
            let named = self.uses[file]
                .iter()
                .find(|brought| brought.alias == *name);
            if let Some(brought) = named {
                let place: Place = brought
                    .place
                    .iter()
                    .chain(&place[at + 1..])
                    .cloned()
                    .collect();
                return self.file_of(&place, depth + 1).or(Some(file));
            }
            let globs = self.uses[file]
                .iter()
                .filter(|brought| brought.alias == "*");
            for glob in globs {
                let place: Place = glob.place.iter().chain(&place[at..]).cloned().collect();
                if let Some(other) = self.file_of(&place, depth + 1)
                    && self.declared[other].contains(name)
                {
                    return Some(other);
                }
            }
            return Some(file);
        }
        Some(file)
    }

    /// What the paths of a `use` bring into a file.
    fn uses_of(&self, index: usize) -> Vec<Use> {
        let tokens = &self.sources[index].tokens;
        let mut found = Vec::new();
        for (start, end) in use_statements(tokens) {
            let before = start.checked_sub(1).map(|at| tokens[at].text.as_str());
            let public = matches!(before, Some("pub" | ")"));
            let mut leaves = Vec::new();
            tree(&tokens[start + 1..end], &mut 0, &[], &mut leaves);
            for (path, alias) in leaves {
                let known = |name: &String| self.first(index, name, &[]);
                if let Some(first) = path.first().and_then(known) {
                    let place = self.climb(first, &path[1..]);
                    found.push(Use {
                        place,
                        alias,
                        public,
                        line: tokens[start].line,
                    });
                }
            }
        }
        found
    }

    /// The place that a path in the code of a file stands for, if it is one of ours.
    fn absolute(&self, index: usize, path: &[String]) -> Option<Place> {
        let first = self.first(index, &path[0], &self.uses[index])?;
        Some(self.climb(first, &path[1..]))
    }

    /// What the first name of a path stands for.
    fn first(&self, index: usize, name: &str, uses: &[Use]) -> Option<Place> {
        let module = &self.sources[index].module;
        let child = joined(module, name);
        if let Some(brought) = uses.iter().find(|brought| brought.alias == name) {
            return self
                .modules
                .contains_key(&brought.place)
                .then(|| brought.place.clone());
        }
        match name {
            "crate" => Some(vec![module[0].clone()]),
            "self" => Some(module.clone()),
            "super" => Some(module[..module.len() - 1].to_vec()),
            _ if self.modules.contains_key(&child) => Some(child),
            _ if self.modules.contains_key(&vec![name.to_owned()]) => Some(vec![name.to_owned()]),
            _ => None,
        }
    }

    fn climb(&self, mut place: Place, rest: &[String]) -> Place {
        for name in rest {
            match name.as_str() {
                "super" => {
                    place.pop();
                }
                "self" | "*" => {}
                _ => place.push(name.clone()),
            }
        }
        place
    }
}

fn joined(module: &[String], name: &str) -> Place {
    let mut place = module.to_vec();
    place.push(name.to_owned());
    place
}

fn is_name(token: &Token) -> bool {
    token.text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The names that are joined by `::` from `at` on, if a path begins there.
fn chain(tokens: &[Token], at: usize) -> Vec<String> {
    let mut names = Vec::new();
    let inside = at > 0 && matches!(tokens[at - 1].text.as_str(), "::" | ".");
    let mut at = at;
    while !inside && tokens.get(at).is_some_and(is_name) {
        names.push(tokens[at].text.clone());
        if tokens.get(at + 1).is_none_or(|token| token.text != "::") {
            break;
        }
        at += 2;
    }
    names
}

/// The `use` statements: from the word to the semicolon.
fn use_statements(tokens: &[Token]) -> Vec<(usize, usize)> {
    (0..tokens.len())
        .filter(|&at| tokens[at].text == "use" && tokens.get(at + 1).is_some_and(is_name))
        .filter_map(|start| {
            let length = tokens[start..].iter().position(|token| token.text == ";")?;
            Some((start, start + length))
        })
        .collect()
}

/// The leaves of the tree of a `use`, each with the name by which it is known.
fn tree(tokens: &[Token], at: &mut usize, prefix: &[String], leaves: &mut Vec<(Place, String)>) {
    let mut path = prefix.to_vec();
    while let Some(token) = tokens.get(*at) {
        *at += 1;
        match token.text.as_str() {
            "{" => loop {
                tree(tokens, at, &path, leaves);
                *at += 1;
                if tokens.get(*at - 1).is_none_or(|token| token.text == "}") {
                    return;
                }
            },
            "as" => {
                let alias = tokens
                    .get(*at)
                    .map_or(String::new(), |token| token.text.clone());
                *at += 1;
                leaves.push((path, alias));
                return;
            }
            "::" => {}
            "," | "}" => {
                *at -= 1;
                break;
            }
            name => path.push(name.to_owned()),
        }
    }
    if path.len() > prefix.len() {
        if path.last().is_some_and(|name| name == "self") {
            path.pop();
        }
        let alias = path.last().cloned().unwrap_or_default();
        leaves.push((path, alias));
    }
}

/// The items that a file declares.
fn declared(tokens: &[Token]) -> BTreeSet<String> {
    const KINDS: [&str; 8] = [
        "fn", "struct", "enum", "trait", "type", "const", "static", "union",
    ];
    tokens
        .windows(2)
        .filter(|pair| KINDS.contains(&pair[0].text.as_str()) && is_name(&pair[1]))
        .map(|pair| pair[1].text.clone())
        .collect()
}

/// The files below a folder with this ending, in order.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found
}
