//! `assay explain`: one claim, with all that is known of it.

use super::claims::named;
use super::verify::outcome;
use super::{Format, Outcome};
use crate::error::Error;
use crate::explain::{Explained, json::Explanation, text};
use crate::output;
use crate::screen::Screen;
use clap::Args;
use dp_assay_ledger::claim::Effort;

/// Explain one claim: its verdict, the paper's words, the repair, the counterexample or proof, what ran, and what it has to do with
/// others.
///
/// Nothing is run unless --run asks for it: the evidence shown is the one that is kept with the ledger. Lines are as wide as the
/// terminal, or as the variable COLUMNS says.
///
/// Exit status: 0, or with --run as of `assay verify`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The id of a claim ('assay claims' lists them)
    #[arg(value_name = "ID")]
    id: String,
    /// Print the whole argument, not its first paragraph
    #[arg(long)]
    proof: bool,
    /// Run the check now, and show what it finds
    #[arg(long)]
    run: bool,
    /// With --run: check smaller instances
    #[arg(long, requires = "run")]
    quick: bool,
    /// How to print the explanation
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Runs `assay explain`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let entry = named(&arguments.id)?;
    let effort = Effort {
        quick: arguments.quick,
        ..Effort::default()
    };
    if arguments.run {
        output::progress(&format!("running the check of {}", entry.claim.id));
    }
    let explained = Explained::new(&arguments.id, entry, arguments.run.then_some(effort))?;
    match arguments.format {
        Format::Table => {
            let text = text::render(&explained, arguments.proof, Screen::of_output());
            output::print(&text)?;
        }
        Format::Json => output::print_json(&Explanation::from(&explained))?,
    }
    Ok(outcome(explained.ledger()))
}
