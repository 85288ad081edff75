//! `assay bound`: evaluates a theorem's explicit bound.

mod random_features;

use super::{Format, Outcome, above_zero, between_zero_and_one, in_unit_interval, number};
use crate::error::Error;
use crate::output;
use crate::report::table::aligned;
use clap::Args;
use dp_assay::halfspaces::bounds::lower_bound::{Packing, best_repair, lower_bound, packing};
use dp_assay::halfspaces::bounds::pure::{Net, Pure, counted_best, optimised_best, theorem_11};
use dp_assay::halfspaces::bounds::{Goal, full_batch_best, theorem_6};
use dp_assay::number::rational::{integer, ratio, to_scientific_above, to_scientific_below};
use dp_assay::number::{Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_traits::One;
use std::collections::BTreeMap;
use std::fmt;

/// Evaluate a theorem's explicit bound, and say when it is vacuous or out of reach.
///
/// nuz20.thm6: the records that the efficient learner needs (alpha, beta, epsilon, delta, gamma).
/// nuz20.thm11: those that the pure learner needs (alpha, beta, epsilon, gamma).
/// nuz20.thm12: those that every pure private learner needs (epsilon, gamma).
/// lnsx25.thm10, lnsx25.thm12: the error of the private random feature model, and of its noise (records,
/// features, eta, epsilon, delta, beta; thm10 also norm). lnsx25.thm11: that of the model without noise
/// (records, features, eta, beta).
#[derive(Debug, Args)]
pub struct Arguments {
    /// The claim whose bound is evaluated: nuz20.thm6, nuz20.thm11, nuz20.thm12, lnsx25.thm10,
    /// lnsx25.thm11 or lnsx25.thm12
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
    /// The records m of a random feature model
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true)]
    records: Option<Rational>,
    /// Its frequencies N
    #[arg(long, value_name = "N", value_parser = number, allow_hyphen_values = true)]
    features: Option<Rational>,
    /// How far the eigenvalues of its Gram matrix are from 1, halved
    #[arg(long, value_name = "H", value_parser = number, allow_hyphen_values = true)]
    eta: Option<Rational>,
    /// The norm of its target in the kernel's space
    #[arg(long, value_name = "F", value_parser = number, allow_hyphen_values = true)]
    norm: Option<Rational>,
    /// How to print the bound
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Feasible are 10 to this many operations: ten days at 10^9 a second.
const FEASIBLE: u32 = 15;

/// What is known of a theorem's bound.
#[derive(Debug, serde::Serialize)]
struct Evaluation<'a> {
    claim: &'a str,
    statement: String,
    parameters: BTreeMap<&'static str, String>,
    versions: Vec<Version>,
}

/// A version of a bound: the paper's, or a better one.
#[derive(Debug, serde::Serialize)]
struct Version {
    version: &'static str,
    constants: Vec<Constant>,
    status: Status,
    reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// A learner with these constants can be run.
    Feasible,
    /// It cannot.
    Infeasible,
    /// The bound says nothing.
    Vacuous,
    /// The lower bound says something.
    Holds,
}

#[derive(Debug, serde::Serialize)]
struct Constant {
    name: &'static str,
    value: String,
}

/// Runs `assay bound`.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let evaluation = arguments.evaluate()?;
    match arguments.format {
        Format::Json => output::print_json(&evaluation)?,
        Format::Table => output::print(&evaluation.render())?,
    }
    Ok(Outcome::AsExpected)
}

impl Arguments {
    fn evaluate(&self) -> Result<Evaluation<'_>, Error> {
        let (options, theorem): (&[&str], Theorem) = match self.claim.as_str() {
            "nuz20.thm6" => (&["alpha", "beta", "epsilon", "delta", "gamma"], theorem6),
            "nuz20.thm11" => (&["alpha", "beta", "epsilon", "gamma"], theorem11),
            "nuz20.thm12" => (&["epsilon", "gamma"], theorem12),
            "lnsx25.thm10" => (
                &[
                    "beta", "epsilon", "delta", "records", "features", "eta", "norm",
                ],
                random_features::theorem10,
            ),
            "lnsx25.thm11" => (
                &["beta", "records", "features", "eta"],
                random_features::theorem11,
            ),
            "lnsx25.thm12" => (
                &["beta", "epsilon", "delta", "records", "features", "eta"],
                random_features::theorem12,
            ),
            other => {
                return Err(Error::Usage(format!(
                    "no bound is known for the claim '{other}': give nuz20.thm6, nuz20.thm11, \
                     nuz20.thm12, lnsx25.thm10, lnsx25.thm11 or lnsx25.thm12"
                )));
            }
        };
        let mut parameters = BTreeMap::new();
        for (name, option, value, check) in self.values() {
            match (options.contains(&name), value) {
                (true, Some(value)) => {
                    check(option, value)?;
                    parameters.insert(name, value.to_string());
                }
                (true, None) => {
                    return Err(Error::Usage(format!("{} needs {option}", self.claim)));
                }
                (false, Some(value)) => {
                    return Err(Error::Usage(format!(
                        "{option} {value} does not belong to {}: it takes --{}",
                        self.claim,
                        options.join(", --")
                    )));
                }
                (false, None) => {}
            }
        }
        let (statement, versions) = theorem(self)?;
        Ok(Evaluation {
            claim: &self.claim,
            statement,
            parameters,
            versions,
        })
    }

    fn values(&self) -> [(&'static str, &'static str, &Option<Rational>, Check); 9] {
        [
            ("alpha", "--alpha", &self.alpha, between_zero_and_one),
            ("beta", "--beta", &self.beta, between_zero_and_one),
            ("epsilon", "--epsilon", &self.epsilon, above_zero),
            ("delta", "--delta", &self.delta, between_zero_and_one),
            ("gamma", "--gamma", &self.gamma, in_unit_interval),
            ("records", "--records", &self.records, counting_number),
            ("features", "--features", &self.features, counting_number),
            ("eta", "--eta", &self.eta, below_a_half),
            ("norm", "--norm", &self.norm, above_zero),
        ]
    }

    fn goal(&self) -> Result<Goal, Error> {
        Ok(Goal::new(
            given(&self.alpha),
            given(&self.beta),
            given(&self.gamma),
            given(&self.epsilon),
        )?)
    }
}

/// Refuses an option that is no whole number from 1 to 2^63.
fn counting_number(option: &'static str, value: &Rational) -> Result<(), Error> {
    if value.is_integer() && *value >= Rational::one() && *value <= integer(1u64 << 63) {
        return Ok(());
    }
    Err(Error::option(
        option,
        "a whole number from 1 to 2^63",
        value,
    ))
}

/// Refuses an option that is not strictly between zero and one half.
fn below_a_half(option: &'static str, value: &Rational) -> Result<(), Error> {
    if *value > integer(0) && *value < ratio(1, 2) {
        return Ok(());
    }
    Err(Error::option(option, "above 0 and below 1/2", value))
}

type Check = fn(&'static str, &Rational) -> Result<(), Error>;

/// Evaluates a theorem: its statement, and the versions of its bound.
type Theorem = fn(&Arguments) -> Result<(String, Vec<Version>), Error>;

/// An option that has been found to be there; 0, which no bound accepts, if it is not.
fn given(value: &Option<Rational>) -> Rational {
    value.clone().unwrap_or_default()
}

fn theorem6(arguments: &Arguments) -> Result<(String, Vec<Version>), Error> {
    let goal = arguments.goal()?;
    let delta = given(&arguments.delta);
    let paper = theorem_6(&goal, &delta)?;
    let full = full_batch_best(&goal, &delta)?;
    let full_steps = full.records.pow(2) * full.runs;
    let versions = vec![
        Version::new(
            "constants of the paper",
            vec![
                constant("records n", &paper.records),
                constant("n for the training error (Claim 6.1)", &paper.training),
                constant(
                    "n for the generalisation (Claim 6.2)",
                    &paper.generalisation,
                ),
                constant(
                    "distortion kappa",
                    given(&arguments.gamma) / BigInt::from(100),
                ),
                constant("dimension m", &paper.dimension),
                constant("runs k", paper.runs),
                constant("gradient steps k n^2, of one record", &paper.gradient_steps),
            ],
            &Cost {
                what: "operations (k n^2 m)",
                size: log10(&(&paper.gradient_steps * &paper.dimension))?,
            },
        ),
        Version::new(
            "full gradients, averaged (ours)",
            vec![
                constant("records n", &full.records),
                constant("distortion kappa", &full.kappa),
                constant("margin of the loss", &full.margin),
                constant("dimension m", &full.dimension),
                constant("runs k", full.runs),
                constant("gradient steps k n^2, of n records", &full_steps),
            ],
            &Cost {
                what: "operations (k n^3 m)",
                size: log10(&(full_steps * &full.records * &full.dimension))?,
            },
        ),
    ];
    let statement = "with n records the efficient (epsilon, delta)-private learner has an error of at most \
                     alpha with probability 1 - beta, on every distribution of margin gamma in any dimension";
    Ok((statement.to_owned(), versions))
}

fn theorem11(arguments: &Arguments) -> Result<(String, Vec<Version>), Error> {
    let goal = arguments.goal()?;
    let version = |name, pure: Pure| -> Result<Version, Error> {
        let log10_net = in_tens(&pure.log_net)?;
        Ok(Version::new(
            name,
            vec![
                constant("records n", &pure.records),
                constant("n for the choice (Claim 11.1)", &pure.choice),
                constant(
                    "n for the generalisation (Claim 14.2)",
                    &pure.generalisation,
                ),
                constant("distortion kappa", &pure.kappa),
                constant("radius of the net", &pure.radius),
                constant("dimension m", &pure.dimension),
                constant("points of the net, at most", power_of_ten(&log10_net)),
            ],
            &Cost {
                what: "points of the net",
                size: log10_net,
            },
        ))
    };
    let versions = vec![
        version("constants of the paper", theorem_11(&goal, Net::Volume)?)?,
        version("optimised constants", optimised_best(&goal, Net::Volume)?)?,
        version("our own proof", counted_best(&goal, Net::Volume)?)?,
        version(
            "our own proof, with the lattice that is gone through",
            counted_best(&goal, Net::Lattice)?,
        )?,
    ];
    let statement = "with n records the pure epsilon-private learner has an error of at most alpha with \
                     probability 1 - beta, on every distribution of margin gamma in any dimension";
    Ok((statement.to_owned(), versions))
}

fn theorem12(arguments: &Arguments) -> Result<(String, Vec<Version>), Error> {
    let (epsilon, gamma) = (given(&arguments.epsilon), given(&arguments.gamma));
    let records = lower_bound(&epsilon, &gamma)?;
    let best = best_repair()?;
    let printed = packing(&ratio(1, 10), &ratio(1, 1000))?;
    let low = |value: &Enclosure| to_scientific_below(&value.lower(), 5);
    let high = |value: &Enclosure| to_scientific_above(&value.upper(), 5);
    let constants = |packing: &Packing| {
        vec![
            constant(
                "two halfspaces disagree, at least",
                low(&packing.disagreement),
            ),
            constant("mass of a band, at most", high(&packing.band)),
            constant(
                "errors of a classifier on two, at least",
                low(&packing.both_errors),
            ),
            constant("needed of them", "above 0.2"),
            constant("ln K / d of the code, at least", low(&packing.rate)),
        ]
    };
    let mut repaired = vec![
        constant("records n, at least", records.ceil().to_integer()),
        constant("exact bound", &records),
        constant("formula", "max(0.005711/gamma^2 + 1.40, 2.197) / epsilon"),
        constant(
            "in some dimension up to",
            (ratio(57, 1000) / (&gamma * &gamma))
                .floor()
                .to_integer()
                .max(BigInt::one()),
        ),
    ];
    repaired.extend(constants(&best));
    let mut proof = vec![constant("records n, at least", "not proved")];
    proof.extend(constants(&printed));
    let (status, reason) = if records <= Rational::one() {
        (Status::Vacuous, "it asks for a single record".to_owned())
    } else {
        let reason = "for every pure private learner, however slow";
        (Status::Holds, reason.to_owned())
    };
    let versions = vec![
        Version {
            version: "constants of the paper",
            constants: proof,
            status: Status::Vacuous,
            reason: "Claim 12.1 is false at distance d/10: one classifier can be accurate for two \
                     distributions"
                .to_owned(),
        },
        Version {
            version: "repaired: distance 0.28 d, d = floor(0.057/gamma^2)",
            constants: repaired,
            status,
            reason,
        },
    ];
    let statement = "every epsilon-private learner with error at most 1/10 with probability 9/10, on every \
                     distribution of margin gamma, needs n records";
    Ok((statement.to_owned(), versions))
}

/// What a learner with these constants has to do, as a power of ten.
struct Cost {
    what: &'static str,
    size: Enclosure,
}

impl Version {
    fn new(version: &'static str, constants: Vec<Constant>, cost: &Cost) -> Self {
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

impl Evaluation<'_> {
    fn render(&self) -> String {
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

fn constant(name: &'static str, value: impl ToString) -> Constant {
    Constant {
        name,
        value: value.to_string(),
    }
}

/// The common logarithm of a natural number.
fn log10(value: &BigUint) -> Result<Enclosure, Error> {
    const BITS: u32 = 128;
    in_tens(&Enclosure::integer(BigInt::from(value.clone()), BITS).ln()?)
}

/// A natural logarithm as a common one.
fn in_tens(logarithm: &Enclosure) -> Result<Enclosure, Error> {
    let ten = Enclosure::integer(10, logarithm.bits()).ln()?;
    Ok(logarithm.divided_by(&ten)?)
}

/// `10^x`, with `x >= 0` rounded up to a tenth.
fn power_of_ten(exponent: &Enclosure) -> String {
    let tenths = (exponent.upper() * integer(10)).ceil().to_integer();
    format!("10^{}.{}", &tenths / 10, tenths % 10)
}
