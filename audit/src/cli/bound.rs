//! `assay bound`: evaluates a theorem's explicit bound.

use super::{Format, Outcome, above_zero, between_zero_and_one, in_unit_interval, number};
use crate::error::Error;
use clap::Args;
use dp_assay::ledger::{self, Claim};
use dp_assay::number::Rational;

/// Evaluate a theorem's explicit bound, and say when it is vacuous.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The claim whose bound is evaluated
    #[arg(value_name = "CLAIM")]
    claim: String,
    /// The accuracy
    #[arg(long, value_name = "A", value_parser = number, allow_hyphen_values = true)]
    alpha: Option<Rational>,
    /// The probability of failure
    #[arg(long, value_name = "B", value_parser = number, allow_hyphen_values = true)]
    beta: Option<Rational>,
    /// The privacy parameter epsilon
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    epsilon: Option<Rational>,
    /// The privacy parameter delta
    #[arg(long, value_name = "D", value_parser = number, allow_hyphen_values = true)]
    delta: Option<Rational>,
    /// The margin
    #[arg(long, value_name = "G", value_parser = number, allow_hyphen_values = true)]
    gamma: Option<Rational>,
    /// How to print the bound
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Runs `assay bound`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    type Check = fn(&'static str, &Rational) -> Result<(), Error>;
    let checks: [(&str, &Option<Rational>, Check); 5] = [
        ("--alpha", &arguments.alpha, between_zero_and_one),
        ("--beta", &arguments.beta, between_zero_and_one),
        ("--epsilon", &arguments.epsilon, above_zero),
        ("--delta", &arguments.delta, between_zero_and_one),
        ("--gamma", &arguments.gamma, in_unit_interval),
    ];
    for (option, value, check) in checks {
        if let Some(value) = value {
            check(option, value)?;
        }
    }
    let claims = ledger::select(std::slice::from_ref(&arguments.claim))?;
    for claim in &claims {
        evaluate(claim, arguments)?;
    }
    Ok(Outcome::AsExpected)
}

/// CONNECT HERE: the bounds of `dp_assay::halfspaces::bounds` and of the other papers, by claim id;
/// printed as `arguments.format` says.
fn evaluate(_claim: &Claim, arguments: &Arguments) -> Result<(), Error> {
    let _ = arguments.format;
    Err(Error::NotConnected("assay bound"))
}
