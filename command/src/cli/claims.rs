//! `assay claims`: lists the claims.

use super::{Format, Outcome};
use crate::error::Error;
use crate::output;
use crate::report::json::Listing;
use clap::Args;
use dp_assay::number::shortened;
use dp_assay_ledger as ledger;
use dp_assay_ledger::{Entry, LedgerError};

/// List the claims, with statement, source and what spec/ says of each.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Ids of claims, in which * stands for any text; all claims if none is given
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// How to print the claims
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// What `--format json` was called before
    #[arg(long, hide = true)]
    json: bool,
}

/// Runs `assay claims`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let entries = select(&arguments.patterns)?;
    if arguments.json || arguments.format == Format::Json {
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
        if let (Some(quote), Some(place)) = (&claim.quote, &claim.place) {
            text += &format!("    {place}: {quote}\n");
        }
        if let Some(clauses) = &claim.proof_only {
            text += &format!("    proof only: {clauses}\n");
        }
        if !claim.repairs.is_empty() {
            text += &format!("    repairs: {}\n", claim.repairs.join(", "));
        }
        text += &format!("    proof: {}\n", claim.proof_in_words());
        if let Some(found) = &claim.machine_checked {
            text += &format!("    in Coq: {found}\n");
        }
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
            let hint = meant(&pattern, ledger::entries()?).map_or(String::new(), |pattern| {
                format!(" Did you mean '{pattern}'?")
            });
            Err(Error::Usage(format!(
                "no claim matches '{}'.{hint} 'assay claims' lists them all",
                shortened(&pattern)
            )))
        }
        selected => Ok(selected?),
    }
}

/// All claims that begin with `pattern`, as of a paper; otherwise the id that is most like it, if one is at all.
fn meant(pattern: &str, entries: &[Entry]) -> Option<String> {
    let ids = || {
        entries
            .iter()
            .flat_map(|entry| std::iter::once(&entry.claim.id).chain(&entry.aliases))
    };
    let beginning = format!("{}.", pattern.trim_end_matches('.'));
    if ids().any(|id| id.starts_with(&beginning)) {
        return Some(beginning + "*");
    }
    // A longer pattern is no misspelt id.
    ids()
        .filter(|_| pattern.len() <= 100)
        .map(|id| (strsim::jaro_winkler(pattern, id), id))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(first, _), (second, _)| first.total_cmp(second))
        .map(|(_, id)| id.clone())
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
        // Stars cost nothing, and what is long is not repeated.
        let error = select(&["*a".repeat(100_000)]).unwrap_err().to_string();
        assert!(error.len() < 500, "{error}");
        for paper in ["sample", "sample."] {
            let error = select(&[paper.to_owned()]).unwrap_err().to_string();
            assert!(error.contains("Did you mean 'sample.*'?"), "{error}");
        }
    }
}
