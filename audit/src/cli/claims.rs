//! `assay claims`: lists the claims.

use super::Outcome;
use crate::error::Error;
use crate::output;
use crate::report::json::Listing;
use clap::Args;
use dp_assay::ledger;

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
    let entries = ledger::select(&arguments.patterns)?;
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
