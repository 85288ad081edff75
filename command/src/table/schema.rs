//! A file that says of each column what is public of it, in TOML: instead of an option for each.

use super::missing::{DeclaredRule, Rule};
use super::{Category, DeclaredBox, Options, declared_box};
use crate::error::Error;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A longer file is refused.
const LARGEST: u64 = 1 << 26;

/// What is said of a column.
#[derive(Debug, Default, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    expecting = "a table with box, category, drop or label"
)]
struct Said {
    r#box: Option<String>,
    category: Option<Vec<String>>,
    drop: bool,
    label: bool,
    missing: Option<Rule>,
}

impl Options {
    /// The options with what the file of `--columns` says, if there is one.
    pub(super) fn with_columns(&self) -> Result<Self, Error> {
        let mut all = self.clone();
        if let Some(path) = &self.columns {
            for (name, said) in read(path)? {
                all.add(&name, said)
                    .map_err(|reason| Error::data(path, format!("column '{name}': {reason}")))?;
            }
        }
        Ok(all)
    }

    /// Adds what is said of a column.
    fn add(&mut self, name: &str, said: Said) -> Result<(), String> {
        let column = Some(name.to_owned());
        let kinds = [
            said.r#box.is_some(),
            said.category.is_some(),
            said.drop,
            said.label,
        ];
        if kinds.into_iter().filter(|said| *said).count() != 1 {
            return Err("say one of box = \"LO:HI\", category = [\"A\", \"B\"], drop = true and label = true".to_owned());
        }
        if let Some(interval) = &said.r#box {
            if interval.trim().is_empty() {
                return Err("its box is empty: write the public interval, box = \"LO:HI\", or category = [\"A\", \"B\"], drop = true or label = true instead".to_owned());
            }
            let DeclaredBox { name: other, scale } = declared_box(interval)?;
            if other.is_some() {
                return Err("its box must be LO:HI, without a name".to_owned());
            }
            self.boxes.push(DeclaredBox {
                name: column.clone(),
                scale,
            });
        }
        if let Some(values) = said.category {
            let category = Category {
                name: name.to_owned(),
                values: values.iter().map(|value| value.trim().to_owned()).collect(),
            };
            category.check()?;
            self.categories.push(category);
        }
        if said.drop {
            self.drop.push(name.to_owned());
        }
        if said.label
            && let Some(other) = self.label.replace(name.to_owned())
        {
            return Err(format!("it is the label, and so is '{other}'"));
        }
        match said.missing {
            Some(rule) if said.drop => Err(format!("missing = \"{rule}\": it is dropped")),
            Some(rule) => {
                self.missing.push(DeclaredRule { column, rule });
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// What the file says, by column.
fn read(path: &Path) -> Result<BTreeMap<String, Said>, Error> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text))
        .map_err(|source| Error::read(path, source))?;
    if text.len() as u64 > LARGEST {
        return Err(Error::data(
            path,
            format!("it has more than {LARGEST} bytes"),
        ));
    }
    toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = 1 + before.map_or(0, |before| before.matches('\n').count());
        Error::data(path, format!("line {line}: {}", error.message()))
    })
}

/// What stands above the columns.
const HEAD: &str = "\
# What is public of each column, chosen without looking at the records: say one of these.
#   box = \"LO:HI\"            numbers, and the interval that they lie in
#   category = [\"A\", \"B\"]    names, and those that may occur
#   drop = true              it is left out
#   label = true             it is what is learned
# And, if values are missing, what is made of them: missing = \"drop\", \"zero\" or \"fill:X\".
";

/// A file to be filled in, for columns of these names, some of which have none in the header.
pub fn skeleton(columns: &[(String, bool)]) -> Result<String, Error> {
    let mut text = HEAD.to_owned();
    for (name, has_name) in columns {
        // A text in JSON is one in TOML.
        let name = crate::output::json(name)?;
        let said = match has_name {
            true => "box = \"\"",
            false => "drop = true  # it has no name: the numbers of the rows?",
        };
        text += &format!("\n[{}]\n{said}\n", name.trim_end());
    }
    Ok(text)
}
