//! Neighbouring datasets: given, generated from a description of the domain, searched, and shrunk.

mod candidates;
mod domain;
mod draws;
mod floats;
mod mutations;
mod names;
mod numbers;
mod pair;
mod parts;
mod random;
mod random_pairs;
mod records;
mod search;
mod shrink;

pub use domain::{Domain, Neighbours};
pub use pair::{Neighbourhood, Pair, read_dataset};
pub use random::RandomRecords;
pub use records::RecordType;
pub(crate) use records::{simpler_of, simplest_first};
pub use search::{Care, Effort, search};
pub use shrink::shrink;

use dp_assay::privacy::NeighbouringRelation;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What is wrong with a pair or a domain.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PairError {
    /// A file that could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file that is too large.
    #[error("{} is larger than {} MiB, the most that is read", path.display(), LARGEST >> 20)]
    Large {
        /// The file.
        path: PathBuf,
    },
    /// A text that is not JSON, or not a domain.
    #[error("{name}, line {line}: {reason}")]
    Json {
        /// The file, or what stands for it.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A field of a domain outside its range.
    #[error("the domain's {field} must be {expected}, got {got}")]
    Field {
        /// The field.
        field: String,
        /// What would be right.
        expected: &'static str,
        /// The value as given.
        got: String,
    },
    /// Two datasets that are one.
    #[error("the two datasets are equal: expected neighbours, which differ")]
    Equal,
    /// Two datasets that are not neighbours.
    #[error("the two datasets are not neighbours ({relation}): {reason}")]
    NotNeighbours {
        /// The relation.
        relation: NeighbouringRelation,
        /// Where they differ too much.
        reason: String,
    },
}

/// The largest file of JSON that is read, in bytes: 64 MiB.
const LARGEST: u64 = 1 << 26;

/// Reads a file of text, and no more of it than is allowed: it may have no end.
fn read_text(path: &Path) -> Result<String, PairError> {
    let wrong = |source| PairError::Read {
        path: path.to_owned(),
        source,
    };
    let mut text = String::new();
    let file = File::open(path).map_err(wrong)?;
    let mut start = file.take(LARGEST + 1);
    match start.read_to_string(&mut text).map_err(wrong)? as u64 {
        ..=LARGEST => Ok(text),
        _ => Err(PairError::Large {
            path: path.to_owned(),
        }),
    }
}

/// Reads JSON, and names the line where it is wrong, or where a number would be rounded, with `advice` what to do, or a
/// double is none.
fn json<T: serde::de::DeserializeOwned>(
    name: &str,
    text: &str,
    advice: &str,
) -> Result<T, PairError> {
    let wrong = |(line, reason)| PairError::Json {
        name: name.to_owned(),
        line,
        reason,
    };
    if text.starts_with('\u{feff}') {
        let reason = "it begins with a byte order mark (EF BB BF): save it as UTF-8 without one";
        return Err(wrong((1, reason.to_owned())));
    }
    if let Some(found) = names::first_that_is_given_twice(text) {
        return Err(wrong(found));
    }
    if let Some(found) = numbers::first_that_is_changed(text, advice) {
        return Err(wrong(found));
    }
    if let Some(found) = floats::first_that_is_none(text) {
        return Err(wrong(found));
    }
    serde_json::from_str(text).map_err(|error| wrong((error.line(), in_words(&error.to_string()))))
}

/// Replaces the types of Rust in a message of the JSON reader by the words of `spec/auditor.md`.
fn in_words(reason: &str) -> String {
    let words = [
        ("expected i64", "expected a whole number of 64 bits"),
        ("expected usize", "expected a whole number of at least 0"),
        ("expected a tuple of size 2", "expected [least, largest]"),
        ("expected a sequence", "expected an array"),
        ("invalid type: map", "invalid type: object"),
        ("invalid type: sequence", "invalid type: array"),
    ];
    let replace = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    words.into_iter().fold(reason.to_owned(), replace)
}

#[cfg(test)]
mod tests;
