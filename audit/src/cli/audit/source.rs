//! Where the pair of datasets comes from.

use super::arguments::{Arguments, Neighbours};
use crate::error::Error;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::pairs::{Domain, Pair};

/// Where the pair comes from.
pub enum Source {
    /// Two files.
    Given(Pair, NeighbouringRelation),
    /// A description of the datasets, from which a pair is searched.
    Searched(Domain),
}

impl Source {
    /// Reads what the options name.
    pub fn read(arguments: &Arguments) -> Result<Self, Error> {
        let relation = match arguments.neighbours {
            Neighbours::Substitute => NeighbouringRelation::Substitute,
            Neighbours::AddRemove => NeighbouringRelation::AddOrRemove,
        };
        let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
        match (&arguments.pair[..], &arguments.domain) {
            ([first, second], None) => {
                let pair = Pair::read(first, second).map_err(|error| usage(&error))?;
                pair.check(relation).map_err(|error| usage(&error))?;
                Ok(Self::Given(pair, relation))
            }
            ([], Some(path)) => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    Error::Usage(format!("cannot read {}: {error}", path.display()))
                })?;
                let domain = Domain::read(&path.display().to_string(), &text)
                    .map_err(|error| usage(&error))?;
                Ok(Self::Searched(domain))
            }
            (given @ [_, ..], None) => Err(Error::Usage(format!(
                "two datasets are needed: give --pair A.json,B.json or --domain DOMAIN.json, got {} for --pair",
                given.len()
            ))),
            _ => Err(Error::Usage(
                "the datasets are missing: give --pair A.json,B.json or --domain DOMAIN.json"
                    .to_owned(),
            )),
        }
    }

    /// How its datasets are neighbours.
    pub fn relation(&self) -> NeighbouringRelation {
        match self {
            Self::Given(_, relation) => *relation,
            Self::Searched(domain) => domain.relation(),
        }
    }

    /// The domain, if there is one: what a smaller pair must belong to.
    pub fn domain(&self) -> Option<&Domain> {
        match self {
            Self::Given(..) => None,
            Self::Searched(domain) => Some(domain),
        }
    }
}
