//! The bounds of theorems: their parameters and ranges, and what an evaluation says.

use crate::error::Error;
use crate::report::table::aligned;
use dp_assay::number::range::{above_zero, above_zero_at_most_one, above_zero_below_one, require};
use dp_assay::number::rational::{integer, ratio, shortly};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::Signed;
use std::collections::BTreeMap;
use std::fmt;

/// A theorem whose bound can be evaluated.
pub struct Theorem {
    /// The id of its claim.
    pub claim: &'static str,
    /// What is evaluated, in a line.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The statement, and the versions of its bound.
    pub evaluate: fn(&Values) -> Result<Stated, Error>,
}

/// A statement, and the versions of its bound.
pub type Stated = (String, Vec<Version>);

/// A parameter of a theorem.
pub struct Parameter {
    /// Its option, `--alpha`.
    pub option: &'static str,
    /// What its value is called.
    pub value: &'static str,
    /// What it is.
    pub help: &'static str,
    /// What it may be.
    pub range: Range,
}

/// What a parameter may be: where the theorem speaks, and within that where the bound is computed quickly.
#[derive(Debug, Clone, Copy)]
pub enum Range {
    /// Above 0 and below 1; from 10^-100 on here.
    Probability,
    /// Above 0 and below 1; from 10^-9 on here.
    Accuracy,
    /// Above 0 and at most 1; from 10^-9 on here.
    Margin,
    /// Above 0; from 10^-9 to 10^4 here.
    Epsilon,
    /// Above 0 and below 1/2; from 10^-9 on here.
    BelowHalf,
    /// A whole number from 1 to 2^63.
    Count,
    /// Above 0; from 10^-9 to 10^9 here.
    Positive,
}

/// No parameter has more digits, above or below its fraction's line.
const MOST_DIGITS: u64 = 120;

impl Range {
    /// Refuses what is out of range.
    fn check(self, option: &'static str, value: &Rational) -> Result<(), Error> {
        let ten = |exponent: i32| integer(10).pow(exponent);
        // Where the theorem speaks.
        match self {
            Self::Probability | Self::Accuracy => above_zero_below_one(option, value)?,
            Self::Margin => above_zero_at_most_one(option, value)?,
            Self::Epsilon | Self::Positive => above_zero(option, value)?,
            Self::BelowHalf => require(
                value.is_positive() && *value < ratio(1, 2),
                option,
                &shortly(value),
                "above 0 and below 1/2",
            )?,
            Self::Count => require(
                value.is_integer() && (integer(1)..=integer(1u64 << 63)).contains(value),
                option,
                &shortly(value),
                "a whole number from 1 to 2^63",
            )?,
        }
        // Where the bound is computed quickly.
        let (is_quick, range) = match self {
            Self::Probability => (*value >= ten(-100), "at least 1e-100 for this computation"),
            Self::Accuracy | Self::Margin | Self::BelowHalf => {
                (*value >= ten(-9), "at least 1e-9 for this computation")
            }
            Self::Epsilon => (
                (ten(-9)..=ten(4)).contains(value),
                "from 1e-9 to 1e4 for this computation",
            ),
            Self::Positive => (
                (ten(-9)..=ten(9)).contains(value),
                "from 1e-9 to 1e9 for this computation",
            ),
            Self::Count => (true, ""),
        };
        require(is_quick, option, &shortly(value), range)?;
        require(
            // 10/3 bits a digit.
            value.numer().bits().max(value.denom().bits()) <= MOST_DIGITS * 10 / 3,
            option,
            &shortly(value),
            "a number of at most 120 digits for this computation",
        )?;
        Ok(())
    }
}

/// The parameters' values, all in range.
#[derive(Debug)]
pub struct Values(BTreeMap<&'static str, Rational>);

impl Values {
    /// Checks the values of a theorem's parameters.
    pub fn new(values: Vec<(&'static Parameter, Rational)>) -> Result<Self, Error> {
        let mut checked = BTreeMap::new();
        for (parameter, value) in values {
            parameter.range.check(parameter.option, &value)?;
            checked.insert(parameter.name(), value);
        }
        Ok(Self(checked))
    }

    /// The value of a parameter of the theorem; 0, which no bound accepts, of another.
    pub fn of(&self, parameter: &Parameter) -> Rational {
        self.0.get(parameter.name()).cloned().unwrap_or_default()
    }
}

impl Parameter {
    /// Its name without the dashes.
    pub fn name(&self) -> &'static str {
        self.option.trim_start_matches('-')
    }
}

/// The accuracy.
pub const ALPHA: Parameter = Parameter {
    option: "--alpha",
    value: "A",
    help: "The accuracy",
    range: Range::Accuracy,
};

/// The probability of failure.
pub const BETA: Parameter = Parameter {
    option: "--beta",
    value: "B",
    help: "The probability of failure",
    range: Range::Probability,
};

/// The privacy parameter epsilon.
pub const EPSILON: Parameter = Parameter {
    option: "--epsilon",
    value: "E",
    help: "The privacy parameter epsilon",
    range: Range::Epsilon,
};

/// The privacy parameter delta.
pub const DELTA: Parameter = Parameter {
    option: "--delta",
    value: "D",
    help: "The privacy parameter delta",
    range: Range::Probability,
};

/// Feasible are 10 to this many operations: ten days at 10^9 a second.
const FEASIBLE: u32 = 15;

/// What is known of a theorem's bound.
#[derive(Debug, serde::Serialize)]
pub struct Evaluation {
    claim: &'static str,
    statement: String,
    parameters: BTreeMap<&'static str, String>,
    versions: Vec<Version>,
}

impl Theorem {
    /// Evaluates the bound.
    pub fn evaluate(&self, values: &Values) -> Result<Evaluation, Error> {
        let (statement, versions) = (self.evaluate)(values)?;
        let shown = values.0.iter();
        Ok(Evaluation {
            claim: self.claim,
            statement,
            parameters: shown
                .map(|(name, value)| (*name, value.to_string()))
                .collect(),
            versions,
        })
    }
}

/// A version of a bound: the paper's, or a better one.
#[derive(Debug, serde::Serialize)]
pub struct Version {
    pub version: &'static str,
    pub constants: Vec<Constant>,
    pub status: Status,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A learner with these constants can be run.
    Feasible,
    /// It cannot.
    Infeasible,
    /// The bound says nothing.
    Vacuous,
    /// The lower bound says something.
    Holds,
}

/// A constant of a bound.
#[derive(Debug, serde::Serialize)]
pub struct Constant {
    name: &'static str,
    value: String,
}

/// What a learner with these constants has to do, as a power of ten.
pub struct Cost {
    /// What is counted.
    pub what: &'static str,
    /// How much of it.
    pub size: Enclosure,
}

impl Version {
    /// A version that can be run where its cost allows.
    pub fn new(version: &'static str, constants: Vec<Constant>, cost: &Cost) -> Self {
        let size = format!("{} {}", power_of_ten(&cost.size), cost.what);
        let (status, reason) = if cost.size.upper() <= integer(FEASIBLE) {
            (Status::Feasible, size)
        } else {
            let reason = format!("{size}, more than 10^{FEASIBLE}");
            (Status::Infeasible, reason)
        };
        Self {
            version,
            constants,
            status,
            reason,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Feasible => "feasible",
            Self::Infeasible => "infeasible",
            Self::Vacuous => "vacuous",
            Self::Holds => "holds",
        })
    }
}

impl Evaluation {
    /// The evaluation for people.
    pub fn render(&self) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let mut text = format!(
            "{}: {}\n{}\n",
            self.claim,
            self.statement,
            parameters.join(", ")
        );
        for version in &self.versions {
            text += &format!("\n{}\n", version.version);
            let rows: Vec<(String, String)> = version
                .constants
                .iter()
                .map(|constant| (constant.name.to_owned(), constant.value.clone()))
                .collect();
            text += &aligned(&rows, "  ");
            text += &format!("  {}: {}\n", version.status, version.reason);
        }
        text
    }
}

/// A constant and its value.
pub fn constant(name: &'static str, value: impl ToString) -> Constant {
    Constant {
        name,
        value: value.to_string(),
    }
}

/// The common logarithm of a natural number.
pub fn log10(value: &BigUint) -> Result<Enclosure, Error> {
    const BITS: u32 = 128;
    in_tens(&Enclosure::integer(BigInt::from(value.clone()), BITS).ln()?)
}

/// A natural logarithm as a common one.
pub fn in_tens(logarithm: &Enclosure) -> Result<Enclosure, Error> {
    let ten = Enclosure::integer(10, logarithm.bits()).ln()?;
    Ok(logarithm.divided_by(&ten)?)
}

/// `10^x`, with `x >= 0` rounded up to a tenth.
pub fn power_of_ten(exponent: &Enclosure) -> String {
    let tenths = (exponent.upper() * integer(10)).ceil().to_integer();
    format!("10^{}.{}", &tenths / 10, tenths % 10)
}
