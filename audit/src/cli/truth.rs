//! `assay truth`: certified values of a law.

use super::{Format, Outcome, integer, number};
use crate::error::Error;
use crate::output;
use clap::{Args, ValueEnum};
use dp_assay::number::{Rational, certify};
use dp_assay_audit::named_law::NamedLaw;
use num_bigint::BigInt;
use num_traits::Signed;

/// The most digits that are computed.
const MOST_DIGITS: u32 = 2_000;

/// Print a certified value of a law: two decimals between which it provably lies.
///
/// The law is written as a name and a parameter: discrete-laplace scale=2,
/// discrete-gaussian variance=4, geometric rate=1/2.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The law's name and its parameter, as in: discrete-laplace scale=2
    #[arg(value_name = "LAW", required = true, num_args = 1..)]
    law: Vec<String>,
    /// Significant digits
    #[arg(long, value_name = "N", default_value_t = 30)]
    digits: u32,
    /// What to compute
    #[arg(long, value_enum, default_value = "pmf")]
    quantity: Quantity,
    /// The integer at which pmf and cdf are taken
    #[arg(long, value_name = "K", value_parser = integer, allow_hyphen_values = true)]
    at: Option<BigInt>,
    /// The shift between the two laws of the profile
    #[arg(long, value_name = "D", value_parser = integer, allow_hyphen_values = true)]
    shift: Option<BigInt>,
    /// The epsilon at which the profile delta(epsilon) is taken
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    epsilon: Option<Rational>,
    /// How to print the value
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Quantity {
    /// Pr[Y = K]
    Pmf,
    /// Pr[Y <= K]
    Cdf,
    /// The mean
    Mean,
    /// The variance (of a discrete Gaussian: below its parameter)
    Variance,
    /// The privacy profile delta(epsilon) between shifts 0 and D
    Profile,
}

#[derive(Debug, serde::Serialize)]
struct Value {
    law: String,
    quantity: String,
    digits: u32,
    lo: String,
    hi: String,
}

/// Runs `assay truth`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let law = NamedLaw::read(&arguments.law)?;
    let digits = arguments.digits;
    if digits == 0 || digits > MOST_DIGITS {
        return Err(Error::option("--digits", "between 1 and 2000", digits));
    }
    let needs = |option: &str| {
        let quantity = arguments.quantity.to_possible_value();
        let quantity = quantity.as_ref().map_or("", |value| value.get_name());
        Error::Usage(format!("--quantity {quantity} needs {option}"))
    };
    // A little sharper than asked for, so that rounding outward costs one unit in the last digit.
    let precision = digits + 4;
    let (name, value) = match arguments.quantity {
        Quantity::Pmf => {
            let k = arguments.at.as_ref().ok_or_else(|| needs("--at K"))?;
            let value = certify(precision, |bits| law.pmf(k, bits))?;
            (format!("Pr[Y = {k}]"), value)
        }
        Quantity::Cdf => {
            let k = arguments.at.as_ref().ok_or_else(|| needs("--at K"))?;
            let value = certify(precision, |bits| law.cdf(k, bits))?;
            (format!("Pr[Y <= {k}]"), value)
        }
        Quantity::Mean => (
            "mean".to_owned(),
            certify(precision, |bits| law.mean(bits))?,
        ),
        Quantity::Variance => (
            "variance".to_owned(),
            certify(precision, |bits| law.variance(bits))?,
        ),
        Quantity::Profile => {
            let shift = arguments.shift.as_ref().ok_or_else(|| needs("--shift D"))?;
            let epsilon = arguments
                .epsilon
                .as_ref()
                .ok_or_else(|| needs("--epsilon E"))?;
            if epsilon.is_negative() {
                return Err(Error::option("--epsilon", "at least 0", epsilon));
            }
            if law.profile(shift, epsilon, 2).is_none() {
                return Err(Error::Usage(format!(
                    "{law} has no profile: it is one-sided, so that no shift of it hides another"
                )));
            }
            let value = certify(precision, |bits| {
                law.profile(shift, epsilon, bits)
                    .unwrap_or_else(|| law.mean(bits))
            })?;
            (format!("delta({epsilon}) at shift {shift}"), value)
        }
    };
    let (lo, hi) = value.to_decimals(digits);
    let value = Value {
        law: law.to_string(),
        quantity: name,
        digits,
        lo,
        hi,
    };
    match arguments.format {
        Format::Json => output::print_json(&value)?,
        Format::Table => output::print(&format!(
            "{}: {}\nlo {}\nhi {}\n",
            value.law, value.quantity, value.lo, value.hi
        ))?,
    }
    Ok(Outcome::AsExpected)
}
