//! `assay claims`: lists the claims.

use super::Outcome;
use crate::error::Error;
use crate::output;
use crate::report::json::ListedClaim;
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

#[derive(Debug, serde::Serialize)]
struct Listing {
    claims: Vec<ListedClaim>,
}

/// Runs `assay claims`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let claims = ledger::select(&arguments.patterns)?;
    if arguments.json {
        output::print_json(&Listing {
            claims: claims.iter().map(ListedClaim::from).collect(),
        })?;
        return Ok(Outcome::AsExpected);
    }
    let mut text = String::new();
    for claim in &claims {
        let origin = if claim.as_printed {
            "as printed"
        } else if claim.paper == "dp-assay" {
            "our own"
        } else {
            "our version"
        };
        text += &format!(
            "{}  {}\n    {}, {} ({origin})\n    {}\n",
            claim.id, claim.expects, claim.paper, claim.item, claim.statement
        );
    }
    output::print(&text)?;
    Ok(Outcome::AsExpected)
}
