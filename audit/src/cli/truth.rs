//! `assay truth`: certified values of a law.

use super::{Format, Outcome, integer, number};
use crate::error::Error;
use crate::options::{MOST, whole_in};
use crate::output;
use clap::{Args, ValueEnum};
use dp_assay::law::named::{NamedLaw, definitions};
use dp_assay::number::{Enclosure, NumberError, Rational, certify, rational};
use num_bigint::BigInt;
use num_traits::Signed;

/// The exponential is computed up to 2^22.
const LARGEST_EPSILON: u32 = 1_000_000;

/// The most digits that are computed.
const MOST_DIGITS: u32 = 2_000;

/// Print a certified value of a law: two decimals between which it provably lies.
///
/// The law is written as a name and a parameter: discrete-laplace scale=2,
/// discrete-gaussian variance=4, geometric rate=1/2.
#[derive(Debug, Args)]
#[command(after_help = format!("Laws:\n{}", definitions()))]
pub struct Arguments {
    /// The law's name and its parameter, as in: discrete-laplace scale=2
    #[arg(value_name = "LAW", required = true, num_args = 1..)]
    law: Vec<String>,
    /// Significant digits
    #[arg(long, value_name = "N", value_parser = whole_in::<u32>(0..=MOST), allow_hyphen_values = true, default_value_t = 30)]
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

/// A value at a working precision in bits.
type Computation<'a> = dyn Fn(u32) -> Result<Enclosure, NumberError> + 'a;

/// Why a value is not known to so many digits.
enum Shortfall {
    NearZero,
    Digits,
    Number(NumberError),
}

/// The value to so many digits, and a little sharper, so that rounding outward costs one unit in the last digit.
///
/// The precision is bounded: beyond the digits asked for it allows for 4,096 bits of cancellation, as of a fraction
/// with numbers of 1,024 bits against another.
fn certified(digits: u32, value: &Computation) -> Result<Enclosure, Shortfall> {
    let most = 8 * (digits + 4) + 4096;
    let known = certify(digits + 4, |bits| match bits > most {
        true => Err(NumberError::PrecisionExhausted { digits, bits }),
        false => value(bits),
    });
    match known {
        Err(NumberError::PrecisionExhausted { .. }) => match value(4096) {
            Ok(rough) if !rough.lower().is_positive() => Err(Shortfall::NearZero),
            Ok(_) => Err(Shortfall::Digits),
            Err(error) => Err(Shortfall::Number(error)),
        },
        Err(NumberError::Underflow { .. }) => Err(Shortfall::NearZero),
        known => known.map_err(Shortfall::Number),
    }
}

/// Runs `assay truth`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let law = arguments.law.join(" ").parse::<NamedLaw>()?;
    let digits = arguments.digits;
    if digits == 0 || digits > MOST_DIGITS {
        return Err(Error::option("--digits", "between 1 and 2000", digits));
    }
    let needs = |option: &str| {
        let quantity = arguments.quantity.to_possible_value();
        let quantity = quantity.as_ref().map_or("", |value| value.get_name());
        Error::Usage(format!("--quantity {quantity} needs {option}"))
    };
    let at = || arguments.at.as_ref().ok_or_else(|| needs("--at K"));
    // What is computed, and the option that keeps it away from 0.
    let (name, near, value): (String, &'static str, Box<Computation>) = match arguments.quantity {
        Quantity::Pmf => {
            let k = at()?;
            let value = |bits| law.pmf(k, bits);
            (format!("Pr[Y = {k}]"), "--at", Box::new(value))
        }
        Quantity::Cdf => {
            let k = at()?;
            let value = |bits| law.cdf(k, bits);
            (format!("Pr[Y <= {k}]"), "--at", Box::new(value))
        }
        Quantity::Mean => ("mean".to_owned(), "LAW", Box::new(|bits| law.mean(bits))),
        Quantity::Variance => (
            "variance".to_owned(),
            "LAW",
            Box::new(|bits| law.variance(bits)),
        ),
        Quantity::Profile => {
            let shift = arguments.shift.as_ref().ok_or_else(|| needs("--shift D"))?;
            let epsilon = arguments.epsilon.as_ref();
            let epsilon = epsilon.ok_or_else(|| needs("--epsilon E"))?;
            if epsilon.is_negative() || *epsilon > rational::integer(LARGEST_EPSILON) {
                let epsilon = rational::shortly(epsilon);
                return Err(Error::option("--epsilon", "between 0 and 1000000", epsilon));
            }
            if law.profile(shift, epsilon, 2).is_none() {
                return Err(Error::Usage(format!(
                    "{law} has no profile: it is one-sided, so that no shift of it hides another"
                )));
            }
            let value = |bits| {
                law.profile(shift, epsilon, bits)
                    .unwrap_or_else(|| law.mean(bits))
            };
            let name = format!("delta({epsilon}) at shift {shift}");
            (name, "--epsilon", Box::new(value))
        }
    };
    let value = certified(digits, &*value).map_err(|error| match error {
        Shortfall::NearZero => Error::Usage(format!(
            "{near}: {name} is too near 0 to be computed (below 2^-4194304, say); choose {near} nearer to the middle"
        )),
        Shortfall::Digits => Error::option(
            "--digits",
            "fewer: this value is not known so exactly",
            digits,
        ),
        Shortfall::Number(error) => error.into(),
    })?;
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
