//! The datasets that the options name.

use super::arguments::Arguments;
use crate::error::Error;
use dp_assay_audit::pairs::{Domain, Pair, PairError};
use dp_assay_audit::refute::Datasets;

/// Reads them.
pub fn read(arguments: &Arguments) -> Result<Datasets, Error> {
    let usage = |error: &dyn std::fmt::Display| Error::Usage(error.to_string());
    match (&arguments.pair[..], &arguments.domain) {
        ([first, second], None) => {
            let pair = Pair::read(first, second).map_err(|error| usage(&error))?;
            match arguments.neighbours.relation() {
                Some(relation) => {
                    pair.check(relation).map_err(|error| usage(&error))?;
                    Ok(Datasets::Given(pair, relation))
                }
                None if pair.0 == pair.1 => Err(usage(&PairError::Equal)),
                None => Ok(Datasets::Vouched(pair)),
            }
        }
        ([], Some(path)) => {
            let domain = Domain::read_file(path).map_err(|error| usage(&error))?;
            Ok(Datasets::Described(domain))
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
