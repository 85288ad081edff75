//! `assay bound`: evaluates a theorem's explicit bound.

use super::claims;
use crate::error::Error;
use crate::options::Format;
use crate::output;
use crate::papers::PAPERS;
use crate::papers::bound::{Theorem, Values};
use crate::screen;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use dp_assay::number::Rational;
use dp_assay::number::shortened;

/// Its name.
pub const NAME: &str = "bound";

/// How the bound is printed.
#[derive(Debug, Args)]
struct Printed {
    /// How to print the bound
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

fn theorems() -> impl Iterator<Item = &'static Theorem> {
    PAPERS.iter().flat_map(|paper| paper.theorems)
}

/// The command: a subcommand for each theorem, an option for each of its parameters.
pub fn command() -> Command {
    let theorems = theorems().map(|theorem| {
        let options = theorem.parameters.iter().map(|parameter| {
            Arg::new(parameter.name())
                .long(parameter.name())
                .value_name(parameter.value)
                .help(parameter.help)
                .required(true)
                .allow_hyphen_values(true)
                .value_parser(parameter.range.parser())
        });
        // The help of a struct of options is taken for that of the command: the theorem's comes after it.
        Printed::augment_args(Command::new(theorem.claim).args(options)).about(theorem.about)
    });
    Command::new(NAME)
        // Before the subcommand of the command's own list that has this number.
        .display_order(2)
        .about("Evaluate a theorem's explicit bound, and say when it is vacuous or out of reach")
        .subcommand_required(true)
        .arg_required_else_help(true)
        // What has no bound is told which claims do.
        .allow_external_subcommands(true)
        .subcommand_value_name("CLAIM")
        .subcommand_help_heading("Claims")
        .subcommands(theorems)
}

/// Runs `assay bound`.
pub fn run(matches: &ArgMatches) -> Result<(), Error> {
    let Some((claim, matches)) = matches.subcommand() else {
        return Err(Error::Usage("bound needs a claim".to_owned()));
    };
    let theorem = theorems().find(|theorem| theorem.claim == claim);
    let theorem = theorem.ok_or_else(|| without_bound(claim))?;
    let given = theorem.parameters.iter().filter_map(|parameter| {
        let value = matches.get_one::<Rational>(parameter.name())?;
        Some((parameter, value.clone()))
    });
    let evaluation = theorem.evaluate(&Values::new(given))?;
    match Printed::from_arg_matches(matches)?.format {
        Format::Json => output::print_json(&evaluation),
        Format::Table => screen::print(&evaluation.render()),
    }
}

/// There is no such claim, or it has no bound: which ones have.
fn without_bound(claim: &str) -> Error {
    let is_claim = !claim.contains('*') && claims::select(&[claim.to_owned()]).is_ok();
    let what = if is_claim {
        format!("{claim} has no bound to evaluate; these have one")
    } else {
        let given = shortened(claim);
        format!("no claim is called '{given}'; these have a bound")
    };
    let ids: Vec<&str> = theorems().map(|theorem| theorem.claim).collect();
    Error::Usage(format!("{what}: {}", ids.join(", ")))
}
