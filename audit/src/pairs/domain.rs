//! The datasets that a mechanism takes.

use super::records::RecordType;
use super::{PairError, json, read_text};
use dp_assay::privacy::NeighbouringRelation;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The largest dataset that is generated, if the domain has smaller ones: what shows on more records shows on
/// fewer.
const LARGEST: usize = 1000;

/// The least size of a domain may be this at most: a dataset is held in memory and sent whole.
const LARGEST_LEAST: usize = 100_000;

/// The relation, as it is written in a domain and on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Neighbours {
    /// One record is replaced by another.
    Substitute,
    /// One record is added or removed.
    AddRemove,
}

impl From<Neighbours> for NeighbouringRelation {
    fn from(neighbours: Neighbours) -> Self {
        match neighbours {
            Neighbours::Substitute => Self::Substitute,
            Neighbours::AddRemove => Self::AddOrRemove,
        }
    }
}

/// The datasets that a mechanism takes: arrays of records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with records, size and neighbours"
)]
pub struct Domain {
    /// What one record may be.
    pub records: RecordType,
    /// The least and the largest number of records.
    pub size: (usize, usize),
    /// The relation.
    pub neighbours: Neighbours,
}

/// What to do about a number that a domain cannot have.
const ADVICE: &str = "a domain has integers of at most 64 bits, and doubles";

impl Domain {
    /// Reads a domain, as in
    /// `{"records": {"type": "number", "lo": 0, "hi": 1}, "size": [1, 10], "neighbours": "substitute"}`.
    /// `name` stands for the text in errors.
    ///
    /// # Errors
    /// [`PairError::Json`], and [`PairError::Field`] for a domain without two neighbours.
    pub fn read(name: &str, text: &str) -> Result<Self, PairError> {
        let domain: Self = json(name, text, ADVICE)?;
        domain.check()?;
        Ok(domain)
    }

    /// Reads a domain from a file.
    ///
    /// # Errors
    /// [`PairError::Read`] and [`PairError::Large`], and those of [`Domain::read`].
    pub fn read_file(path: &Path) -> Result<Self, PairError> {
        Self::read(&path.display().to_string(), &read_text(path)?)
    }

    fn check(&self) -> Result<(), PairError> {
        let (least, largest) = self.size;
        let expected = match self.neighbours {
            _ if least > largest => Some("[least, largest] with least <= largest"),
            _ if least > LARGEST_LEAST => Some("[least, largest] with least <= 100000"),
            Neighbours::Substitute if largest == 0 => {
                Some("at least one record, so that one can be substituted")
            }
            Neighbours::AddRemove if least == largest => {
                Some("a range, so that a record can be added or removed")
            }
            _ => None,
        };
        if let Some(expected) = expected {
            return Err(PairError::Field {
                field: "size".to_owned(),
                expected,
                got: format!("[{least}, {largest}]"),
            });
        }
        self.records.check("records")
    }

    /// The relation.
    #[must_use]
    pub fn relation(&self) -> NeighbouringRelation {
        self.neighbours.into()
    }

    /// The least and the largest size of the larger dataset of a pair that is generated.
    pub(super) fn larger_sizes(&self) -> (usize, usize) {
        let least = match self.neighbours {
            Neighbours::Substitute => self.size.0.max(1),
            Neighbours::AddRemove => self.size.0.saturating_add(1),
        };
        (least, self.size.1.min(LARGEST).max(least))
    }
}
