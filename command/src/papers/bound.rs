//! The bounds of theorems: their parameters, and what an evaluation says.

use crate::error::Error;
use crate::options::Range;
use dp_assay::number::rational::integer;
use dp_assay::number::{Enclosure, Rational};
use dp_assay_audit::report::aligned;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
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

/// The parameters' values, all in range.
#[derive(Debug)]
pub struct Values(BTreeMap<&'static str, Rational>);

impl Values {
    /// The values of a theorem's parameters, which are in range since they were read.
    pub fn new(values: impl Iterator<Item = (&'static Parameter, Rational)>) -> Self {
        let named = |(parameter, value): (&'static Parameter, Rational)| (parameter.name(), value);
        Self(values.map(named).collect())
    }

    /// The value of a parameter of the theorem; 0, which no bound accepts, of another.
    pub fn of(&self, parameter: &Parameter) -> Rational {
        self.0.get(parameter.name()).cloned().unwrap_or_default()
    }

    /// The value of a parameter that is a count.
    pub fn count(&self, parameter: &Parameter) -> u64 {
        self.of(parameter).to_integer().to_u64().unwrap_or(u64::MAX)
    }
}

impl Parameter {
    /// A parameter with this option, what its value is called, what it is, and what it may be.
    pub const fn new(
        option: &'static str,
        value: &'static str,
        help: &'static str,
        range: Range,
    ) -> Self {
        Self {
            option,
            value,
            help,
            range,
        }
    }

    /// Its name without the dashes.
    pub fn name(&self) -> &'static str {
        self.option.trim_start_matches('-')
    }
}

/// The accuracy.
pub const ALPHA: Parameter = Parameter::new("--alpha", "A", "The accuracy", Range::Accuracy);

/// The probability of failure.
pub const BETA: Parameter = Parameter::new(
    "--beta",
    "B",
    "The probability of failure",
    Range::Probability,
);

/// The privacy parameter epsilon.
pub const EPSILON: Parameter = Parameter::new(
    "--epsilon",
    "E",
    "The privacy parameter epsilon",
    Range::Epsilon,
);

/// The privacy parameter delta.
pub const DELTA: Parameter = Parameter::new(
    "--delta",
    "D",
    "The privacy parameter delta",
    Range::Probability,
);

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
        serde::Serialize::serialize(self, f)
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
