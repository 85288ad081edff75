//! `assay claims`: lists the claims.

use super::Outcome;
use crate::error::Error;
use crate::output;
use crate::report::json::Listing;
use clap::Args;
use dp_assay::ledger::{self, Entry, LedgerError};

/// List the claims, with statement, source and what spec/ says of each.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Ids of claims, in which * stands for any text; all claims if none is given
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs `assay claims`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let entries = select(&arguments.patterns)?;
    if arguments.json {
        output::print_json(&Listing::new(&entries))?;
        return Ok(Outcome::AsExpected);
    }
    let mut text = String::new();
    for entry in entries {
        let claim = &entry.claim;
        text += &format!(
            "{}  {}{}\n    {}, {} ({})\n    {}\n",
            claim.id,
            claim.expected,
            claim
                .fault
                .map_or(String::new(), |fault| format!(" ({fault})")),
            claim.paper,
            claim.item,
            claim.version,
            claim.statement
        );
        if !entry.aliases.is_empty() {
            text += &format!("    also: {}\n", entry.aliases.join(", "));
        }
    }
    output::print(&text)?;
    Ok(Outcome::AsExpected)
}

/// The claims that match; of a pattern that matches none, the id that it may have meant.
pub fn select(patterns: &[String]) -> Result<Vec<&'static Entry>, Error> {
    match ledger::select(patterns) {
        Err(LedgerError::NoSuchClaim { pattern }) => {
            let hint = nearest(&pattern, ledger::entries()?)
                .map_or(String::new(), |id| format!(" Did you mean '{id}'?"));
            Err(Error::Usage(format!(
                "no claim matches '{pattern}'.{hint} 'assay claims' lists them all"
            )))
        }
        selected => Ok(selected?),
    }
}

/// The id that is most like `pattern`, if one is at all.
fn nearest<'a>(pattern: &str, entries: &'a [Entry]) -> Option<&'a str> {
    entries
        .iter()
        .flat_map(|entry| std::iter::once(&entry.claim.id).chain(&entry.aliases))
        .map(|id| (strsim::jaro_winkler(pattern, id), id))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(first, _), (second, _)| first.total_cmp(second))
        .map(|(_, id)| id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_id_is_answered_with_the_nearest() {
        let error = select(&["sample.discrete-laplase".to_owned()]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("Did you mean 'sample.discrete-laplace'?"),
            "{error}"
        );
        let error = select(&["#".to_owned()]).unwrap_err();
        assert!(!error.to_string().contains("Did you mean"), "{error}");
    }
}
