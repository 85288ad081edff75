//! The works that the pages cite: `spec/bibliography.bib`, in the plainest form of BibTeX.
//!
//! An entry begins with `@kind{key,`, has a field a line, `name = {value},`, and ends with `}` alone. So other programs read the file, and
//! this one needs no parser of all that BibTeX allows.

use std::sync::OnceLock;

const FILE: &str = include_str!("../pages/bibliography.bib");

/// A work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The key under which pages cite it; of a paper of the ledger, the paper's.
    pub key: &'static str,
    /// What it is: `article`, `book`, `incollection`, `inproceedings`, `misc` or `software`.
    pub kind: &'static str,
    /// The names and values of its fields, in their order.
    pub fields: Vec<(&'static str, &'static str)>,
}

impl Work {
    /// The value of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static str> {
        let found = self.fields.iter().find(|(field, _)| *field == name);
        found.map(|(_, value)| *value)
    }

    /// The family names of its authors.
    #[must_use]
    pub fn families(&self) -> Vec<&'static str> {
        let authors = self.field("author").unwrap_or("").split(" and ");
        // In braces stands a name that is no person's.
        let family = |name: &'static str| name.split(',').next().unwrap_or(name);
        authors
            .map(|name| family(name).trim_matches(['{', '}']))
            .collect()
    }

    /// `Bun, Steinke 2016: Concentrated differential privacy`.
    #[must_use]
    pub fn in_words(&self) -> String {
        format!(
            "{} {}: {}",
            self.families().join(", "),
            self.field("year").unwrap_or("-"),
            self.field("title").unwrap_or("-").replace("\\&", "&")
        )
    }

    /// The entry, as the file has it.
    #[must_use]
    pub fn bibtex(&self) -> String {
        let field = |(name, value): &(&str, &str)| format!("  {name} = {{{value}}},\n");
        let fields: String = self.fields.iter().map(field).collect();
        format!("@{}{{{},\n{fields}}}\n", self.kind, self.key)
    }
}

/// All works, in the order of the file; or on which line it is wrong, and what would be right.
///
/// # Errors
/// A line that is none of an entry.
pub fn works() -> Result<&'static [Work], String> {
    static WORKS: OnceLock<Result<Vec<Work>, String>> = OnceLock::new();
    let works = WORKS.get_or_init(|| read(FILE));
    works.as_deref().map_err(Clone::clone)
}

/// The work with this key.
#[must_use]
pub fn work(key: &str) -> Option<&'static Work> {
    works().ok()?.iter().find(|work| work.key == key)
}

fn read(text: &'static str) -> Result<Vec<Work>, String> {
    let mut works: Vec<Work> = Vec::new();
    let mut open: Option<Work> = None;
    for (number, line) in text.lines().enumerate() {
        let refused = |right: &str| {
            let number = number + 1;
            format!("spec/bibliography.bib:{number}: '{line}' is not {right}")
        };
        match &mut open {
            // Between entries.
            None if line.is_empty() || line.starts_with('%') => {}
            None => open = Some(begun(line).ok_or_else(|| refused("'@kind{key,'"))?),
            Some(_) if line == "}" => works.extend(open.take()),
            Some(work) => {
                let field = field(line).ok_or_else(|| refused("'  name = {value},' or '}'"))?;
                work.fields.push(field);
            }
        }
    }
    match open {
        Some(work) => Err(format!("spec/bibliography.bib: '{}' has no end", work.key)),
        None => Ok(works),
    }
}

/// `@kind{key,`
fn begun(line: &'static str) -> Option<Work> {
    let (kind, key) = line.strip_prefix('@')?.strip_suffix(',')?.split_once('{')?;
    Some(Work {
        key,
        kind,
        fields: Vec::new(),
    })
}

/// `  name = {value},`
fn field(line: &'static str) -> Option<(&'static str, &'static str)> {
    line.strip_prefix("  ")?
        .strip_suffix("},")?
        .split_once(" = {")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "% works\n\n@article{KG71,\n  author = {Keilson, Julian and Gerber, Hans},\n  title = {Unimodality},\n  year = {1971},\n}\n";

    #[test]
    fn an_entry_is_read_and_written_again() {
        let works = read(TEXT).unwrap();
        assert_eq!(works.len(), 1);
        assert_eq!(works[0].in_words(), "Keilson, Gerber 1971: Unimodality");
        assert!(TEXT.ends_with(&works[0].bibtex()));
    }

    #[test]
    fn what_is_no_entry_is_named_by_its_line() {
        for (text, named) in [
            ("article{KG71,\n}\n", ":1: 'article{KG71,' is not '@kind"),
            ("@book{A,\nyear = {1}\n}\n", ":2: 'year = {1}' is not"),
            ("@book{A,\n", "'A' has no end"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }
}
